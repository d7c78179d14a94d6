#include "base/arena.h"
#include "mustache/error.h"
#include "mustache/lookup.h"
#include "mustache/named.h"

/*
 * An abstract interpretation: the instructions are run as by render.c, but on
 * types instead of values. Every body is entered, once, and names are looked up
 * in the types of the contexts. A template is checked wherever it is included,
 * since its names may mean something else there; so the total is limited, as
 * that of rendering is.
 */

/* The static type of a value. */
struct shape {
	enum mustache_kind kind;
	const struct mustache_type *type;
	const struct mustache_field *field; /* NULL of a struct itself */
};

/*
 * An included template, the one that includes it, and the tag if that is a
 * parent tag. The blocks of that tag belong to the includer.
 */
struct scope {
	const struct mustache_template *template;
	const struct scope *includer;
	struct instruction *parent;
};

struct check {
	const struct mustache_set *set;
	struct mustache_error *error;
	const struct scope *scope;
	size_t bodies_left, level_count, context_count;
	struct shape contexts[MUSTACHE_CONTEXTS + MAX_LEVELS];
};

static bool check_body(
    struct check *check, const struct scope *scope, struct instruction *body);

#define FAIL(check, tag, ...) \
	(mustache_fail((check)->error, (check)->scope->template, (tag)->at, \
	     __VA_ARGS__), \
	    false)

/* The shape of a value; for a type that represents a field, of that. */
static struct shape
shape_of(enum mustache_kind kind, const struct mustache_type *type,
    const struct mustache_field *field)
{
	const struct mustache_field *self;

	while (
	    kind == MUSTACHE_OBJECT && (self = mustache_self(type)) != NULL) {
		kind = self->kind;
		type = self->type;
		field = field == NULL ? self : field;
	}
	return (struct shape){ kind, type, field };
}

static bool
fail_not_found(struct check *check, const struct instruction *tag)
{
	struct text types = { NULL, 0 };

	for (size_t i = check->context_count; i-- > 0;) {
		const struct shape *context = &check->contexts[i];

		if (context->kind == MUSTACHE_OBJECT && context->type != NULL)
			types = text_format(check->set->arena, "%.*s%s%s",
			    TEXT_ARGS(types), types.size > 0 ? ", " : "",
			    context->type->name);
	}
	if (types.size == 0)
		types = TEXT("any context");
	return FAIL(check, tag, "'%.*s' is not in %.*s", NAME_ARGS(tag->text),
	    TEXT_ARGS(types));
}

/* The context that has the first part of the tag's name. */
static bool
find_context(
    struct check *check, const struct instruction *tag, struct binding *binding)
{
	for (size_t i = check->context_count; i-- > 0;) {
		const struct shape *context = &check->contexts[i];

		if (context->kind == MUSTACHE_VALUE)
			return FAIL(check, tag,
			    "'%.*s' may be in a value that is known only when "
			    "rendering",
			    NAME_ARGS(tag->text));
		if (context->kind != MUSTACHE_OBJECT)
			continue;
		binding->field =
		    mustache_field_named(context->type, tag->parts[0]);
		if (binding->field == NULL)
			continue;
		binding->owner = context->type;
		binding->offset = binding->field->offset;
		binding->below = check->context_count - 1 - i;
		return true;
	}
	return fail_not_found(check, tag);
}

/* Moves the binding to the next part of a dotted name. */
static bool
find_member(struct check *check, const struct instruction *tag,
    struct text part, struct binding *binding)
{
	const struct mustache_field *object = binding->field;

	if (object->kind != MUSTACHE_OBJECT ||
	    mustache_self(object->type) != NULL)
		return FAIL(check, tag, "'%.*s': '%s' has no parts",
		    NAME_ARGS(tag->text), object->name);
	binding->field = mustache_field_named(object->type, part);
	if (binding->field == NULL)
		return FAIL(check, tag, "'%.*s': '%.*s' is not in %s",
		    NAME_ARGS(tag->text), NAME_ARGS(part), object->type->name);
	binding->offset += binding->field->offset;
	return true;
}

/* Stores a binding for rendering, unless the tag has it from another path. */
static void
add_binding(
    struct check *check, struct instruction *tag, struct binding binding)
{
	struct binding **place = &tag->bindings, *added;

	while (*place != NULL && (*place)->below < binding.below)
		place = &(*place)->next;
	for (const struct binding *at = *place;
	    at != NULL && at->below == binding.below; at = at->next)
		if (at->owner == binding.owner)
			return;
	added = arena_new(check->set->arena, struct binding, 1);
	*added = binding;
	added->is_direct = binding.field->kind != MUSTACHE_OBJECT &&
	    binding.field->kind != MUSTACHE_VALUE;
	added->next = *place;
	*place = added;
}

static bool
resolve_name(struct check *check, struct instruction *tag, struct shape *shape)
{
	struct binding binding = { 0 };

	if (tag->part_count == 0) {
		if (check->context_count == 0)
			return fail_not_found(check, tag);
		*shape = check->contexts[check->context_count - 1];
		named_record(check->set, shape->field);
		return true;
	}
	if (!find_context(check, tag, &binding))
		return false;
	named_record(check->set, binding.field);
	for (size_t i = 1; i < tag->part_count; i++) {
		if (!find_member(check, tag, tag->parts[i], &binding))
			return false;
		named_record(check->set, binding.field);
	}
	add_binding(check, tag, binding);
	*shape =
	    shape_of(binding.field->kind, binding.field->type, binding.field);
	return true;
}

/* Only HTML from templates may be written unescaped, and it must not be escaped again. */
static bool
check_value(struct check *check, struct instruction *tag)
{
	static const char *const faults[] = {
		[MUSTACHE_HTML] = "is HTML and would be escaped twice",
		[MUSTACHE_OBJECT] = "is an object and cannot be written",
		[MUSTACHE_LIST] = "is a list and cannot be written",
		[MUSTACHE_VALUE] = NULL,
	};
	struct shape shape = { 0 };
	const char *fault;

	if (!resolve_name(check, tag, &shape))
		return false;
	fault = faults[shape.kind];
	if (tag->operation == DO_RAW_VALUE)
		fault = shape.kind == MUSTACHE_HTML
		    ? NULL
		    : "would be written unescaped";
	return fault == NULL ||
	    FAIL(check, tag, "'%.*s' %s", NAME_ARGS(tag->text), fault);
}

static bool
check_section(struct check *check, struct instruction *tag)
{
	bool inverted = tag->operation == DO_INVERTED;
	size_t context_count = check->context_count;
	struct shape shape = { 0 };
	const char *fault = NULL;

	if (!resolve_name(check, tag, &shape))
		return false;
	if (shape.kind == MUSTACHE_NUMBER)
		fault = "a number, which is always true";
	else if (shape.kind == MUSTACHE_OBJECT && inverted)
		fault = "an object, which is always true";
	else if (shape.kind == MUSTACHE_VALUE ||
	    (shape.kind == MUSTACHE_LIST && shape.type == NULL))
		fault = "whose type is not known";
	if (fault != NULL)
		return FAIL(check, tag, "a section over '%.*s', %s",
		    NAME_ARGS(tag->text), fault);
	if (shape.kind == MUSTACHE_LIST)
		shape = shape_of(MUSTACHE_OBJECT, shape.type, NULL);
	if (!inverted && shape.kind != MUSTACHE_FLAG)
		check->contexts[check->context_count++] = shape;
	if (!check_body(check, check->scope, tag + 1))
		return false;
	check->context_count = context_count;
	return true;
}

static bool
check_target(struct check *check, struct instruction *tag, struct text name)
{
	struct scope inner = { mustache_find(check->set, name), check->scope,
		tag->operation == DO_PARENT ? tag : NULL };

	if (inner.template == NULL)
		return FAIL(
		    check, tag, "there is no template '%.*s'", NAME_ARGS(name));
	for (const struct scope *at = check->scope; at != NULL;
	    at = at->includer)
		if (at->template == inner.template)
			return FAIL(check, tag, "'%.*s' includes itself",
			    NAME_ARGS(name));
	if (!tag->dynamic)
		tag->target = inner.template;
	return check_body(check, &inner, inner.template->instructions);
}

static bool
check_include(struct check *check, struct instruction *tag)
{
	const char *const *choice;
	struct shape shape = { 0 };

	if (!tag->dynamic)
		return check_target(check, tag, tag->text);
	if (!resolve_name(check, tag, &shape))
		return false;
	if (shape.kind != MUSTACHE_TEXT || shape.field == NULL ||
	    shape.field->choices == NULL)
		return FAIL(check, tag,
		    "'%.*s' is not a text with a list of choices",
		    NAME_ARGS(tag->text));
	for (choice = shape.field->choices; *choice != NULL; choice++)
		if (!check_target(check, tag, text_of(*choice)))
			return false;
	return true;
}

/* See render_block in render.c, which has to choose as this does. */
static bool
check_block(struct check *check, struct instruction *tag)
{
	struct instruction *filler = tag, *block;
	const struct scope *home = check->scope;

	for (const struct scope *at = check->scope; at != NULL;
	    at = at->includer) {
		if (at->parent == NULL)
			continue;
		for (block = at->parent + 1; block != at->parent->end;
		    block = block->end + 1)
			if (text_equal(block->text, tag->text)) {
				filler = block;
				home = at->includer;
				break;
			}
	}
	return check_body(check, home, filler + 1);
}

/*
 * Checks a body, which follows its tag or is a template's first instruction.
 * Restores check afterwards, unless the check has failed.
 */
static bool
check_body(
    struct check *check, const struct scope *scope, struct instruction *body)
{
	static bool (*const checks[])(struct check *, struct instruction *) = {
		[DO_VALUE] = check_value,
		[DO_RAW_VALUE] = check_value,
		[DO_SECTION] = check_section,
		[DO_INVERTED] = check_section,
		[DO_PARTIAL] = check_include,
		[DO_PARENT] = check_include,
		[DO_BLOCK] = check_block,
		[DO_TEXT] = NULL,
	};
	const struct scope *outer = check->scope;
	struct instruction *at = body;

	check->scope = scope;
	if (check->level_count == MAX_LEVELS)
		return FAIL(check, at,
		    "nested more than %d deep, counting templates around it",
		    MAX_LEVELS);
	if (check->bodies_left == 0)
		return FAIL(check, at, "reached in too many ways");
	check->bodies_left--;
	check->level_count++;
	while (at->operation != DO_END) {
		if (checks[at->operation] != NULL &&
		    !checks[at->operation](check, at))
			return false;
		at = (at->end != NULL ? at->end : at) + 1;
	}
	check->level_count--;
	check->scope = outer;
	return true;
}

bool
mustache_check(const struct mustache_set *set,
    const struct mustache_template *template,
    const struct mustache_type *const *contexts, size_t count,
    struct mustache_error *error)
{
	struct check check = {
		.set = set, .error = error, .bodies_left = MAX_BODIES
	};
	struct scope scope = { .template = template };

	if (count > MUSTACHE_CONTEXTS)
		return mustache_fail(
		    error, template, 0, "%zu contexts are too many", count);
	for (size_t i = 0; i < count; i++)
		check.contexts[check.context_count++] =
		    shape_of(MUSTACHE_OBJECT, contexts[i], NULL);
	return check_body(&check, &scope, template->instructions);
}

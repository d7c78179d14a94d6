#include <stdio.h>

#include "mustache/error.h"
#include "mustache/template.h"
#include "mustache/type.h"

/* What is known of a value before there is one. */
struct shape {
	enum mustache_kind kind;
	const struct mustache_type *type;
	const struct mustache_field *field; /* NULL of a struct itself */
};

/*
 * A template on the way, what included it, and by which parent tag if by one.
 * The blocks of that tag are in the includer.
 */
struct scope {
	const struct mustache_template *template;
	const struct scope *includer;
	struct instruction *parent;
};

struct check {
	const struct mustache_set *set;
	struct mustache_error *error;
	size_t bodies_left, level_count, context_count;
	struct shape contexts[MUSTACHE_CONTEXTS + MAX_LEVELS];
};

static bool follow(
    struct check *check, const struct scope *scope, struct instruction *body);

#define FAIL(check, scope, tag, ...) \
	mustache_fail((check)->error, (scope)->template, (tag)->at, __VA_ARGS__)
#define NAME_ARGS(name) TEXT_ARGS(mustache_clip(name))

static struct shape
shape_of_type(const struct mustache_type *type)
{
	const struct mustache_field *self;
	struct shape shape = { MUSTACHE_OBJECT, type, mustache_self(type) };

	while (shape.kind == MUSTACHE_OBJECT &&
	    (self = mustache_self(shape.type)) != NULL) {
		shape.kind = self->kind;
		shape.type = self->type;
	}
	return shape;
}

static struct shape
shape_of_field(const struct mustache_field *field)
{
	struct shape shape = { field->kind, field->type, NULL };

	if (field->kind == MUSTACHE_OBJECT)
		shape = shape_of_type(field->type);
	shape.field = field;
	return shape;
}

static bool
not_found(struct check *check, const struct scope *scope,
    const struct instruction *tag)
{
	char names[120] = "";
	size_t size = 0;

	for (size_t i = check->context_count; i-- > 0;) {
		const struct shape *context = &check->contexts[i];

		if (context->kind != MUSTACHE_OBJECT || context->type == NULL ||
		    size >= sizeof(names))
			continue;
		size += (size_t)snprintf(names + size, sizeof(names) - size,
		    "%s%s", size > 0 ? ", " : "", context->type->name);
	}
	return FAIL(check, scope, tag, "'%.*s' is not in %s",
	    NAME_ARGS(tag->text), size > 0 ? names : "any context");
}

/* The context that has the first part of the tag's name. */
static bool
find_context(struct check *check, const struct scope *scope,
    const struct instruction *tag, struct binding *binding)
{
	for (size_t i = check->context_count; i-- > 0;) {
		const struct shape *context = &check->contexts[i];

		if (context->kind == MUSTACHE_VALUE)
			return FAIL(check, scope, tag,
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
		mustache_note_named(check->set, binding->field);
		return true;
	}
	return not_found(check, scope, tag);
}

/* Goes from one part of a dotted name to the next. */
static bool
find_member(struct check *check, const struct scope *scope,
    const struct instruction *tag, struct text part, struct binding *binding)
{
	const struct mustache_field *object = binding->field;

	if (object->kind != MUSTACHE_OBJECT ||
	    mustache_self(object->type) != NULL)
		return FAIL(check, scope, tag,
		    "'%.*s': '%s' is no object that has parts",
		    NAME_ARGS(tag->text), object->name);
	binding->field = mustache_field_named(object->type, part);
	if (binding->field == NULL)
		return FAIL(check, scope, tag, "'%.*s': '%.*s' is not in %s",
		    NAME_ARGS(tag->text), NAME_ARGS(part), object->type->name);
	binding->offset += binding->field->offset;
	mustache_note_named(check->set, binding->field);
	return true;
}

/* Keeps a binding for the rendering, if all ways so far led to it. */
static void
keep(struct binding *kept, const struct binding *binding)
{
	if (kept->varies)
		return;
	if (kept->owner == NULL)
		*kept = *binding;
	else if (kept->below != binding->below ||
	    kept->owner != binding->owner || kept->offset != binding->offset ||
	    kept->field != binding->field)
		*kept = (struct binding){ .varies = true };
}

static bool
resolve(struct check *check, const struct scope *scope, struct instruction *tag,
    struct shape *shape)
{
	struct binding binding = { 0 };

	if (tag->part_count == 0) {
		if (check->context_count == 0)
			return not_found(check, scope, tag);
		*shape = check->contexts[check->context_count - 1];
		mustache_note_named(check->set, shape->field);
		return true;
	}
	if (!find_context(check, scope, tag, &binding))
		return false;
	for (size_t i = 1; i < tag->part_count; i++)
		if (!find_member(check, scope, tag, tag->parts[i], &binding))
			return false;
	keep(&tag->binding, &binding);
	*shape = shape_of_field(binding.field);
	return true;
}

static bool
check_value(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	struct shape shape = { 0 };

	if (!resolve(check, scope, tag, &shape))
		return false;
	if (shape.kind == MUSTACHE_OBJECT || shape.kind == MUSTACHE_LIST)
		return FAIL(check, scope, tag,
		    "'%.*s' is %s and cannot be written", NAME_ARGS(tag->text),
		    shape.kind == MUSTACHE_LIST ? "a list" : "an object");
	if (shape.kind == MUSTACHE_HTML)
		return FAIL(check, scope, tag,
		    "'%.*s' is HTML and would be escaped twice",
		    NAME_ARGS(tag->text));
	return true;
}

/* Only what templates made may go into a page as it is. */
static bool
check_raw_value(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	struct shape shape = { 0 };

	if (!resolve(check, scope, tag, &shape))
		return false;
	if (shape.kind != MUSTACHE_HTML)
		return FAIL(check, scope, tag,
		    "'%.*s' would be written unescaped", NAME_ARGS(tag->text));
	return true;
}

static bool
check_section(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	bool inverted = tag->operation == DO_INVERTED;
	size_t context_count = check->context_count;
	struct shape shape = { 0 };
	bool passed;

	if (!resolve(check, scope, tag, &shape))
		return false;
	if (shape.kind == MUSTACHE_NUMBER ||
	    (inverted && shape.kind == MUSTACHE_OBJECT))
		return FAIL(check, scope, tag,
		    "a section over '%.*s', %s, which is always true",
		    NAME_ARGS(tag->text),
		    shape.kind == MUSTACHE_NUMBER ? "a number" : "an object");
	if (shape.kind == MUSTACHE_VALUE ||
	    (shape.kind == MUSTACHE_LIST && shape.type == NULL))
		return FAIL(check, scope, tag,
		    "a section over '%.*s', of which no type is known",
		    NAME_ARGS(tag->text));
	if (shape.kind == MUSTACHE_LIST)
		shape = shape_of_type(shape.type);
	if (!inverted && shape.kind != MUSTACHE_FLAG)
		check->contexts[check->context_count++] = shape;
	passed = follow(check, scope, tag + 1);
	check->context_count = context_count;
	return passed;
}

static bool
check_target(struct check *check, const struct scope *scope,
    struct instruction *tag, struct text name)
{
	struct scope inner = { .includer = scope };

	inner.template = mustache_find(check->set, name);
	if (inner.template == NULL)
		return FAIL(check, scope, tag, "there is no template '%.*s'",
		    NAME_ARGS(name));
	for (const struct scope *at = scope; at != NULL; at = at->includer)
		if (at->template == inner.template)
			return FAIL(check, scope, tag, "'%.*s' includes itself",
			    NAME_ARGS(name));
	if (tag->operation == DO_PARENT)
		inner.parent = tag;
	if (!tag->dynamic)
		tag->target = inner.template;
	return follow(check, &inner, inner.template->instructions);
}

static bool
check_include(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	const char *const *choice;
	struct shape shape = { 0 };

	if (!tag->dynamic)
		return check_target(check, scope, tag, tag->text);
	if (!resolve(check, scope, tag, &shape))
		return false;
	if (shape.kind != MUSTACHE_TEXT || shape.field == NULL ||
	    shape.field->choices == NULL)
		return FAIL(check, scope, tag,
		    "'%.*s' is no text with choices of templates",
		    NAME_ARGS(tag->text));
	for (choice = shape.field->choices; *choice != NULL; choice++)
		if (!check_target(check, scope, tag, text_of(*choice)))
			return false;
	return true;
}

/* See do_block in render.c, which has to choose as this does. */
static bool
check_block(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	struct instruction *filler = tag;
	const struct scope *home = scope;

	for (const struct scope *at = scope; at != NULL; at = at->includer) {
		struct instruction *block = at->parent;

		if (block == NULL)
			continue;
		for (block++; block != at->parent->end; block = block->end + 1)
			if (text_equal(block->text, tag->text)) {
				filler = block;
				home = at->includer;
				break;
			}
	}
	return follow(check, home, filler + 1);
}

static bool
check_tag(
    struct check *check, const struct scope *scope, struct instruction *tag)
{
	switch (tag->operation) {
	case DO_VALUE:
		return check_value(check, scope, tag);
	case DO_RAW_VALUE:
		return check_raw_value(check, scope, tag);
	case DO_SECTION:
	case DO_INVERTED:
		return check_section(check, scope, tag);
	case DO_PARTIAL:
	case DO_PARENT:
		return check_include(check, scope, tag);
	case DO_BLOCK:
		return check_block(check, scope, tag);
	default:
		return true;
	}
}

/* body follows the tag, or is a template's first instruction. */
static bool
follow(struct check *check, const struct scope *scope, struct instruction *body)
{
	struct instruction *at = body;
	bool passed = true;

	if (check->level_count == MAX_LEVELS)
		return FAIL(check, scope, at,
		    "nested more than %d deep, with the templates around it",
		    MAX_LEVELS);
	if (check->bodies_left == 0)
		return FAIL(check, scope, at, "too many ways lead here");
	check->bodies_left--;
	check->level_count++;
	while (passed && at->operation != DO_END) {
		passed = check_tag(check, scope, at);
		at = (at->end != NULL ? at->end : at) + 1;
	}
	check->level_count--;
	return passed;
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
		    shape_of_type(contexts[i]);
	return follow(&check, &scope, template->instructions);
}

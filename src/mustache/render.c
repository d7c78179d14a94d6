#include "base/buffer.h"
#include "mustache/escape.h"
#include "mustache/lookup.h"
#include "mustache/template.h"

/*
 * A virtual machine: one loop over the instructions, with a stack of contexts
 * in which names are looked up and a stack of levels, which is what the call
 * stack is to a processor. A section, a block or an included template pushes a
 * level and jumps to its body; the DO_END of the body pops the level and jumps
 * back, or goes through the body again with the next item of a list. As the
 * stack is not C's, no template can exhaust that.
 *
 * Blocks are bound dynamically. A parent tag makes its level the innermost of a
 * chain (arguments); a block takes its body from the outermost level in the
 * chain that has one for it, or else has its own.
 */

/* A body that is being rendered, with what to restore at its end. */
struct level {
	const struct instruction *body, *resume;
	size_t indent_start, indent_end;
	const struct level *arguments;
	size_t context_count;

	/* The parent tag whose blocks are arguments to the template. */
	const struct instruction *parent;

	/* The standalone block that the body fills, and where it begins in the
	 * output; or whether the body is a template included within a line. */
	const struct instruction *block;
	size_t block_start;
	bool within_line;

	/* The remaining items of a list. */
	const struct mustache_type *item_type;
	const char *item;
	size_t item_count;
};

struct machine {
	const struct mustache_set *set;
	struct buffer *out;
	const struct instruction *next;

	/* What each line of a template is indented by: indents from
	 * indent_start on. at_line_start is set at the beginning of a line; it is
	 * maintained only while there is an indentation. */
	struct buffer indents;
	size_t indent_start;
	bool at_line_start;

	/* The innermost level with arguments; each saves the next outer one. */
	const struct level *arguments;
	size_t bodies_left;
	size_t level_count, context_count;
	struct level levels[MAX_LEVELS];
	struct reference contexts[MUSTACHE_CONTEXTS + MAX_LEVELS];
};

static bool
has_room(const struct machine *machine)
{
	return machine->bodies_left > 0 && machine->out->size <= MAX_OUTPUT;
}

/* Continues with body and then with resume; at a limit, with resume alone, and
 * returns NULL. */
static struct level *
push_level(struct machine *machine, const struct instruction *body,
    const struct instruction *resume)
{
	struct level *level;

	machine->next = resume;
	if (machine->level_count == MAX_LEVELS || !has_room(machine))
		return NULL;
	machine->bodies_left--;
	machine->next = body;
	/* All but what block or list begin with: a page enters some 70. */
	level = &machine->levels[machine->level_count++];
	level->body = body;
	level->resume = resume;
	level->indent_start = machine->indent_start;
	level->indent_end = machine->indents.size;
	level->arguments = machine->arguments;
	level->context_count = machine->context_count;
	level->parent = level->block = NULL;
	level->within_line = false;
	level->item_count = 0;
	return level;
}

static void
next_item(struct machine *machine, struct level *level)
{
	machine->contexts[level->context_count] =
	    mustache_struct_at(level->item_type, level->item);
	level->item += level->item_type->size;
	level->item_count--;
}

/* A block whose own line ends were removed ends a line, whatever fills it. */
static void
end_block_line(struct machine *machine, const struct level *level)
{
	const struct buffer *out = machine->out;

	if (!level->block->end->standalone || out->size == level->block_start)
		return;
	if (out->data[out->size - 1] != '\n')
		buffer_add_char(machine->out, '\n');
	machine->at_line_start = true;
}

static void
end_body(struct machine *machine)
{
	struct level *level = &machine->levels[machine->level_count - 1];

	if (level->item_count > 0 && has_room(machine)) {
		machine->bodies_left--;
		next_item(machine, level);
		machine->next = level->body;
		return;
	}
	if (level->block != NULL)
		end_block_line(machine, level);
	if (level->within_line)
		machine->at_line_start = false;
	machine->next = level->resume;
	machine->indent_start = level->indent_start;
	machine->indents.size = level->indent_end;
	machine->arguments = level->arguments;
	machine->context_count = level->context_count;
	machine->level_count--;
}

static bool
is_indented(const struct machine *machine)
{
	return machine->indents.size > machine->indent_start;
}

static void
begin_line(struct machine *machine)
{
	if (!is_indented(machine) || !machine->at_line_start)
		return;
	buffer_add(machine->out,
	    text_slice(buffer_text(&machine->indents), machine->indent_start,
		SIZE_MAX));
	machine->at_line_start = false;
}

static bool
is_empty_line(struct text text)
{
	return text.data[0] == '\n' ||
	    (text.data[0] == '\r' && text.size > 1 && text.data[1] == '\n');
}

static void
add_literal(struct machine *machine, struct text text)
{
	if (!is_indented(machine)) {
		buffer_add(machine->out, text);
		return;
	}
	while (text.size > 0) {
		struct text rest = text, line;

		if (machine->at_line_start && !is_empty_line(text))
			begin_line(machine);
		text_cut(&rest, '\n', &line);
		machine->at_line_start = rest.data != NULL;
		line.size += machine->at_line_start;
		buffer_add(machine->out, line);
		text = rest;
	}
}

static void
add_html(struct machine *machine, const struct mustache_html *html)
{
	if (html->place != NULL)
		*html->place = machine->out->size;
	else
		buffer_add(machine->out, html->text);
}

static void
add_value(struct machine *machine, const struct instruction *tag)
{
	struct reference value =
	    mustache_lookup(tag, machine->contexts, machine->context_count);

	if (is_indented(machine))
		begin_line(machine);
	if (value.data == NULL)
		return;
	switch (value.kind) {
	case MUSTACHE_TEXT:
	case MUSTACHE_HTML:
		if (tag->operation == DO_VALUE)
			mustache_escape(
			    machine->out, *(const struct text *)value.data);
		else if (value.kind == MUSTACHE_HTML)
			add_html(machine, value.data);
		else
			buffer_add(
			    machine->out, *(const struct text *)value.data);
		break;
	case MUSTACHE_NUMBER:
		buffer_add_number(machine->out, *(const int64_t *)value.data);
		break;
	case MUSTACHE_FLAG:
		buffer_add(machine->out,
		    *(const bool *)value.data ? TEXT("true") : TEXT("false"));
		break;
	default:
		break;
	}
}

static void
render_section(struct machine *machine, const struct instruction *tag)
{
	struct reference value =
	    mustache_lookup(tag, machine->contexts, machine->context_count);
	struct level *level;

	machine->next = tag->end + 1;
	if (mustache_is_true(value) == (tag->operation == DO_INVERTED))
		return;
	level = push_level(machine, tag + 1, tag->end + 1);
	if (level == NULL || tag->operation == DO_INVERTED ||
	    value.kind == MUSTACHE_FLAG)
		return;
	machine->contexts[machine->context_count++] = value;
	if (value.kind == MUSTACHE_LIST) {
		const struct mustache_list *list = value.data;

		level->item_type = value.type;
		level->item = list->items;
		level->item_count = list->count;
		next_item(machine, level);
	}
}

/* The template that a partial or parent names; NULL when there is none. */
static const struct mustache_template *
find_target(struct machine *machine, const struct instruction *tag)
{
	struct reference value;

	if (tag->target != NULL)
		return tag->target;
	if (!tag->dynamic)
		return mustache_find(machine->set, tag->text);
	value = mustache_lookup(tag, machine->contexts, machine->context_count);
	if (value.data == NULL || value.kind != MUSTACHE_TEXT)
		return NULL;
	return mustache_find(machine->set, *(const struct text *)value.data);
}

/* A partial within a line is not indented, nor are its further lines. */
static void
render_include(struct machine *machine, const struct instruction *tag)
{
	const struct mustache_template *template = find_target(machine, tag);
	const struct instruction *resume =
	    (tag->operation == DO_PARENT ? tag->end : tag) + 1;
	struct level *level;

	machine->next = resume;
	if (template == NULL)
		return;
	level = push_level(machine, template->instructions, resume);
	if (level == NULL)
		return;
	if (tag->standalone) {
		buffer_add(&machine->indents, tag->indent);
		machine->at_line_start = true;
	} else {
		begin_line(machine);
		machine->indent_start = machine->indents.size;
		level->within_line = true;
	}
	if (tag->operation == DO_PARENT) {
		level->parent = tag;
		machine->arguments = level;
	}
}

/* The block of that name in a parent tag; NULL when it has none. */
static const struct instruction *
find_argument(const struct instruction *parent, struct text name)
{
	const struct instruction *block = parent + 1;

	while (block != parent->end &&
	    (block->text.size != name.size || !text_equal(block->text, name)))
		block = block->end + 1;
	return block == parent->end ? NULL : block;
}

/*
 * The outermost argument is taken. Its body belongs to the template with that
 * parent tag, so the blocks in it may be filled only by the arguments further
 * out.
 */
static void
render_block(struct machine *machine, const struct instruction *tag)
{
	const struct instruction *filler = tag;
	const struct level *from = NULL;
	struct level *level;

	for (const struct level *at = machine->arguments; at != NULL;
	    at = at->arguments) {
		const struct instruction *found =
		    find_argument(at->parent, tag->text);

		if (found != NULL) {
			filler = found;
			from = at;
		}
	}
	level = push_level(machine, filler + 1, tag->end + 1);
	if (level == NULL)
		return;
	if (from != NULL)
		machine->arguments = from->arguments;
	buffer_add(&machine->indents, tag->indent);
	if (tag->standalone) {
		machine->at_line_start = true;
		level->block = tag;
		level->block_start = machine->out->size;
	} else if (tag->indent.size > 0) {
		machine->at_line_start = false;
	}
}

static void
run_instructions(struct machine *machine)
{
	while (machine->level_count > 0) {
		const struct instruction *instruction = machine->next++;

		switch (instruction->operation) {
		case DO_TEXT:
			add_literal(machine, instruction->text);
			break;
		case DO_VALUE:
		case DO_RAW_VALUE:
			add_value(machine, instruction);
			break;
		case DO_SECTION:
		case DO_INVERTED:
			render_section(machine, instruction);
			break;
		case DO_PARTIAL:
		case DO_PARENT:
			render_include(machine, instruction);
			break;
		case DO_BLOCK:
			render_block(machine, instruction);
			break;
		case DO_END:
			end_body(machine);
			break;
		case DO_NOTHING:
			break;
		}
	}
}

void
mustache_render(const struct mustache_set *set,
    const struct mustache_template *template,
    const struct mustache_context *contexts, size_t count, struct buffer *out)
{
	size_t skipped =
	    count > MUSTACHE_CONTEXTS ? count - MUSTACHE_CONTEXTS : 0;
	/* Nothing is rendered within this: on their stacks 48 requests would keep 24 KB each. */
	static struct machine machine;

	machine.set = set;
	machine.out = out;
	machine.indents = buffer_in(out->arena, 0);
	machine.indent_start = 0;
	machine.at_line_start = true;
	machine.arguments = NULL;
	machine.bodies_left = MAX_BODIES;
	machine.level_count = machine.context_count = 0;
	for (size_t i = skipped; i < count; i++)
		machine.contexts[machine.context_count++] =
		    mustache_struct_at(contexts[i].type, contexts[i].data);
	push_level(&machine, template->instructions, NULL);
	run_instructions(&machine);
}

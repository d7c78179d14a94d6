#include "markup/html.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "markup/autolink.h"
#include "markup/href.h"
#include "markup/tree.h"
#include "mustache/escape.h"

/* An open element, and the depth of steps at which it began. */
struct element {
	struct text name;
	size_t depth;
};

struct writer {
	struct arena *arena;
	struct buffer out;
	struct href_budget budget;
	struct href_blocked blocked;
	const struct markup_names *known;
	struct markup_names *found;
	struct buffer *links;
	struct element *open;
	size_t open_count, open_max;
	size_t depth;	/* of steps: entered and not left */
	bool in_link;	/* a link is open */
	int32_t before; /* the last code point of the text so far; 0: none */
};

/* Whether so many more nested elements are allowed. */
static bool
has_room(const struct writer *writer, size_t count)
{
	return writer->open_count + count <= writer->open_max;
}

/* Starts a new line for a block. */
static void
begin_line(struct writer *writer)
{
	struct buffer *out = &writer->out;

	if (out->size > 0 && out->data[out->size - 1] != '\n')
		buffer_add_char(out, '\n');
	writer->before = 0;
}

/* The element of the innermost step; NULL if it has none. */
static struct element *
own_element(struct writer *writer)
{
	struct element *last;

	if (writer->open_count == 0)
		return NULL;
	last = &writer->open[writer->open_count - 1];
	return last->depth == writer->depth ? last : NULL;
}

/* Records an element, already written, as that of the innermost step. */
static void
push_element(struct writer *writer, struct text name)
{
	writer->open[writer->open_count++] =
	    (struct element){ name, writer->depth };
}

/* Each attribute begins with a space. */
static void
begin_element(struct writer *writer, struct text name, struct text attributes)
{
	if (!has_room(writer, 1))
		return;
	buffer_add_char(&writer->out, '<');
	buffer_add(&writer->out, name);
	buffer_add(&writer->out, attributes);
	buffer_add_char(&writer->out, '>');
	push_element(writer, name);
}

static void
open_link(struct writer *writer, struct text href, struct text rest)
{
	buffer_add(&writer->out, TEXT("<a href=\""));
	mustache_escape(&writer->out, href);
	buffer_add(&writer->out, rest);
	buffer_add_char(&writer->out, '>');
}

#define ELSEWHERE TEXT("\" rel=\"nofollow ugc\"")
/* One whose text is its address: on paper the address follows the others. */
#define BARE TEXT("\" class=\"url\" rel=\"nofollow ugc\"")
#define HERE TEXT("\"")

/* Opens a link that leads elsewhere. */
static void
open_outer_link(struct writer *writer, struct text href, bool is_bare)
{
	if (writer->links != NULL) {
		buffer_add(writer->links, href);
		buffer_add_char(writer->links, ' ');
	}
	open_link(writer, href, is_bare ? BARE : ELSEWHERE);
}

static void
write_address(struct writer *writer, struct text address)
{
	struct text href;
	bool is_link = href_check(
	    writer->arena, &writer->budget, &writer->blocked, address, &href);

	if (is_link)
		open_outer_link(writer, href, true);
	mustache_escape(&writer->out, address);
	if (is_link)
		buffer_add(&writer->out, TEXT("</a>"));
}

/* Collects a mentioned name; returns its spelling if it is known, else NULL. */
static const struct text *
find_name(struct writer *writer, const struct autolink *link)
{
	bool is_member = link->kind == AUTOLINK_MEMBER;

	if (writer->found != NULL) {
		if (is_member)
			mentions_add_member(
			    writer->arena, writer->found, link->text);
		else
			mentions_add_group(
			    writer->arena, writer->found, link->text);
	}
	return is_member ? mentions_find_member(writer->known, link->text)
			 : mentions_find_group(writer->known, link->text);
}

static void
write_name(
    struct writer *writer, const struct autolink *link, struct text typed)
{
	const struct text *name = find_name(writer, link);
	struct text folder =
	    link->kind == AUTOLINK_MEMBER ? TEXT("/u/") : TEXT("/g/");

	if (name != NULL)
		open_link(
		    writer, text_join(writer->arena, folder, *name), HERE);
	mustache_escape(&writer->out, typed);
	if (name != NULL)
		buffer_add(&writer->out, TEXT("</a>"));
}

/* Writes text, with links for URLs and names. */
static void
write_text(struct writer *writer, struct text text)
{
	struct autolink link;
	size_t at = 0;

	if (!writer->in_link && has_room(writer, 1)) {
		for (; autolink_next(text, at, writer->before, &link);
		    at = link.end) {
			mustache_escape(&writer->out,
			    text_slice(text, at, link.start - at));
			if (link.kind == AUTOLINK_ADDRESS)
				write_address(writer, link.text);
			else
				write_name(writer, &link,
				    text_slice(text, link.start,
					link.end - link.start));
		}
	}
	mustache_escape(&writer->out, text_slice(text, at, text.size));
	if (text.size > 0)
		writer->before = autolink_last_point(text);
}

#define DIRECTION TEXT(" dir=\"auto\"")

/* Omits the list element if its items would not fit. */
static void
begin_list(struct writer *writer, int start)
{
	if (!has_room(writer, 2))
		return;
	if (start < 0)
		begin_element(writer, TEXT("ul"), TEXT(""));
	else if (start == 1)
		begin_element(writer, TEXT("ol"), TEXT(""));
	else
		begin_element(writer, TEXT("ol"),
		    text_format(writer->arena, " start=\"%d\"", start));
}

static void
begin_heading(struct writer *writer, int level)
{
	static const struct text names[] = { TEXT_INIT("h3"), TEXT_INIT("h4"),
		TEXT_INIT("h5"), TEXT_INIT("h6") };

	begin_element(writer, names[level < 4 ? level - 1 : 3], DIRECTION);
}

static void
begin_link(struct writer *writer, const struct tree_step *step)
{
	struct text href;

	if (writer->in_link || !has_room(writer, 1) ||
	    !href_check(writer->arena, &writer->budget, &writer->blocked,
		step->text, &href))
		return;
	open_outer_link(writer, href, step->is_bare);
	push_element(writer, TEXT("a"));
	writer->in_link = true;
}

static void
enter_element(struct writer *writer, const struct tree_step *step)
{
	struct element *outer = own_element(writer);

	writer->depth++;
	switch (step->kind) {
	case TREE_PARAGRAPH:
		begin_element(writer, TEXT("p"),
		    step->leads && outer != NULL ? TEXT("") : DIRECTION);
		break;
	case TREE_QUOTE:
		begin_element(writer, TEXT("blockquote"), TEXT(""));
		break;
	case TREE_LIST:
		begin_list(writer, step->start);
		break;
	case TREE_ITEM:
		if (outer != NULL)
			begin_element(writer, TEXT("li"), DIRECTION);
		break;
	case TREE_HEADING:
		begin_heading(writer, step->level);
		break;
	case TREE_EMPHASIS:
		begin_element(writer, TEXT("em"), TEXT(""));
		break;
	case TREE_STRONG:
		begin_element(writer, TEXT("strong"), TEXT(""));
		break;
	default:
		begin_link(writer, step);
	}
}

static void
leave_element(struct writer *writer)
{
	struct element *last = own_element(writer);

	writer->depth--;
	if (last == NULL)
		return;
	buffer_add(&writer->out, TEXT("</"));
	buffer_add(&writer->out, last->name);
	buffer_add_char(&writer->out, '>');
	if (text_equal(last->name, TEXT("a")))
		writer->in_link = false;
	writer->open_count--;
}

static void
write_code(struct writer *writer, struct text code)
{
	bool fits = has_room(writer, 1);

	if (fits)
		buffer_add(&writer->out, TEXT("<code>"));
	mustache_escape(&writer->out, code);
	if (fits)
		buffer_add(&writer->out, TEXT("</code>"));
	writer->before = autolink_last_point(code);
}

static void
write_code_block(struct writer *writer, struct text code)
{
	bool fits = has_room(writer, 2);

	writer->depth++;
	if (fits)
		begin_element(writer, TEXT("pre"), DIRECTION);
	write_code(writer, code);
	leave_element(writer);
}

static void
write_paragraph(struct writer *writer, struct text text)
{
	writer->depth++;
	begin_element(writer, TEXT("p"), DIRECTION);
	write_text(writer, text_trim(text));
	leave_element(writer);
}

static void
write_leaf(struct writer *writer, const struct tree_step *step)
{
	switch (step->kind) {
	case TREE_RULE:
		if (has_room(writer, 1))
			buffer_add(&writer->out, TEXT("<hr>"));
		break;
	case TREE_CODE_BLOCK:
		write_code_block(writer, step->text);
		break;
	case TREE_HTML_BLOCK:
		write_paragraph(writer, step->text);
		break;
	case TREE_CODE:
		write_code(writer, step->text);
		break;
	case TREE_HARD_BREAK:
		if (has_room(writer, 1))
			buffer_add(&writer->out, TEXT("<br>"));
		begin_line(writer);
		break;
	case TREE_SOFT_BREAK:
		begin_line(writer);
		break;
	default:
		write_text(writer, step->text);
	}
}

static void
write_step(struct writer *writer, const struct tree_step *step)
{
	if (step->is_block && step->event != TREE_EXIT)
		begin_line(writer);
	if (step->event == TREE_ENTER)
		enter_element(writer, step);
	else if (step->event == TREE_EXIT)
		leave_element(writer);
	else
		write_leaf(writer, step);
	if (step->is_block && step->event != TREE_ENTER)
		begin_line(writer);
}

/* A point behind a block at which the output can be cut. */
struct cut {
	size_t size, open_count;
};

static size_t
end_tags_size(const struct writer *writer)
{
	size_t size = 0;

	for (size_t i = 0; i < writer->open_count; i++)
		size += writer->open[i].name.size + sizeof("</>");
	return size;
}

/* Truncates the output to a cut and closes the elements open there. These are still the
 * first in the array, since no block has ended after the cut. */
static void
cut_output(struct writer *writer, struct cut cut)
{
	struct buffer *out = &writer->out;

	out->size = cut.size;
	for (size_t i = cut.open_count; i > 0; i--) {
		buffer_add(out, TEXT("</"));
		buffer_add(out, writer->open[i - 1].name);
		buffer_add(out, TEXT(">\n"));
	}
}

/* Writes all steps; false if the output was cut. The size at a block includes the end
 * tags of all elements around it, so that the result of a cut always fits. */
static bool
write_steps(struct writer *writer, struct tree *tree, size_t max)
{
	struct cut cut = { .size = 0 };
	struct tree_step step;

	while (tree_next(tree, &step)) {
		bool ends_block = step.is_block && step.event != TREE_ENTER;
		size_t size;

		write_step(writer, &step);
		size = writer->out.size;
		if (ends_block && size + end_tags_size(writer) <= max) {
			cut = (struct cut){ size, writer->open_count };
		} else if (ends_block || size > max) {
			cut_output(writer, cut);
			return false;
		}
	}
	return true;
}

struct html_result
html_render(
    struct arena *arena, struct text source, const struct html_options *options)
{
	struct writer writer = { .arena = arena,
		.out = buffer_in(arena, 2 * source.size + 64),
		.budget = href_budget_of(source.size),
		.blocked = { .hosts = options->blocked },
		.known = options->known,
		.found = options->found,
		.links = options->links,
		.open = arena_new(arena, struct element, options->elements_max),
		.open_max = options->elements_max };
	struct tree *tree = tree_parse(arena, source);
	bool is_whole = write_steps(&writer, tree, options->max);

	tree_free(tree);
	return (struct html_result){ .html = buffer_text(&writer.out),
		.is_cut = !is_whole,
		.blocked = writer.blocked.first };
}

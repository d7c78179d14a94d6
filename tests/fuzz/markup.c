/*
 * Markdown as members write it. Whatever valid UTF-8 it is, the HTML has only the
 * elements and attributes that may be in it, each closed in order and where HTML allows
 * it, no deeper than was promised, and its links lead to http, https, and to the members
 * and groups that are known. It has no control or direction character that the text has
 * not, and what is not parsed is there to the last byte. What is parsed is no deeper than
 * the beginnings of its lines have said.
 */
#include "fuzz.h"

#include <string.h>

#include "base/buffer.h"
#include "base/url.h"
#include "base/utf8.h"
#include "markup/markup.h"
#include "markup/tree.h"

static struct text members[] = { TEXT_INIT("Ann"), TEXT_INIT("_b_") };
static struct text groups[] = { TEXT_INIT("linux") };
static const struct markup_names known = { members, groups, 2, 1 };
static const struct markup_names nobody = { 0 };

/* Kinds of elements, which decide what may contain what. */
enum content { BLOCK, HOLDS_TEXT, HOLDS_ITEMS, ITEM, IN_TEXT, EMPTY };

static const struct kind {
	struct text name;
	enum content content;
	struct text attributes[3]; /* what may stand behind the name */
} kinds[] = {
#define NONE TEXT_INIT("")
#define AUTO TEXT_INIT(" dir=\"auto\"")
	{ TEXT_INIT("p"), HOLDS_TEXT, { NONE, AUTO } },
	{ TEXT_INIT("h3"), HOLDS_TEXT, { AUTO } },
	{ TEXT_INIT("h4"), HOLDS_TEXT, { AUTO } },
	{ TEXT_INIT("h5"), HOLDS_TEXT, { AUTO } },
	{ TEXT_INIT("h6"), HOLDS_TEXT, { AUTO } },
	{ TEXT_INIT("pre"), HOLDS_TEXT, { AUTO } },
	{ TEXT_INIT("blockquote"), BLOCK, { NONE } },
	{ TEXT_INIT("ul"), HOLDS_ITEMS, { NONE } },
	{ TEXT_INIT("ol"), HOLDS_ITEMS, { NONE, TEXT_INIT(" start=\"") } },
	{ TEXT_INIT("li"), ITEM, { AUTO } },
	{ TEXT_INIT("em"), IN_TEXT, { NONE } },
	{ TEXT_INIT("strong"), IN_TEXT, { NONE } },
	{ TEXT_INIT("code"), IN_TEXT, { NONE } },
	{ TEXT_INIT("a"), IN_TEXT, { TEXT_INIT(" href=\"") } },
	{ TEXT_INIT("br"), EMPTY, { NONE } },
	{ TEXT_INIT("hr"), EMPTY, { NONE } },
};

/* A page as a browser reads it, and the text in it. */
struct reader {
	struct arena *arena;
	const struct markup_names *known;
	const struct kind *open[MARKUP_ELEMENTS_MAX];
	size_t depth;
	struct buffer text;
};

static const struct kind *
kind_named(struct text name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (text_equal(kinds[i].name, name))
			return &kinds[i];
	must(!"an element that may be there");
	return NULL;
}

static bool
is_open(const struct reader *reader, struct text name)
{
	for (size_t i = 0; i < reader->depth; i++)
		if (text_equal(reader->open[i]->name, name))
			return true;
	return false;
}

/* Text with its character references read; any other special byte is a finding. */
static struct text
unescaped(struct arena *arena, struct text text)
{
	static const struct {
		struct text reference;
		char byte;
	} references[] = { { TEXT_INIT("&amp;"), '&' },
		{ TEXT_INIT("&lt;"), '<' }, { TEXT_INIT("&gt;"), '>' },
		{ TEXT_INIT("&quot;"), '"' }, { TEXT_INIT("&#39;"), '\'' } };
	const size_t count = sizeof(references) / sizeof(references[0]);
	struct buffer out = buffer_in(arena, text.size);

	for (size_t i = 0, k; i < text.size; i++) {
		if (memchr("&<>\"'", text.data[i], 5) == NULL) {
			buffer_add_char(&out, text.data[i]);
			continue;
		}
		for (k = 0; k < count; k++)
			if (text_starts(text_slice(text, i, text.size),
				references[k].reference))
				break;
		must(k < count);
		buffer_add_char(&out, references[k].byte);
		i += references[k].reference.size - 1;
	}
	return buffer_text(&out);
}

static bool
is_page_of(struct text href, const char *folder, const struct text *names,
    size_t count)
{
	struct text start = text_of(folder);

	for (size_t i = 0; i < count; i++)
		if (text_starts(href, start) &&
		    text_equal(
			text_slice(href, start.size, href.size), names[i]))
			return true;
	return false;
}

static void
check_link(struct reader *reader, struct text rest)
{
	struct text href, encoded;
	const struct markup_names *names = reader->known;

	must(text_cut(&rest, '"', &href));
	href = unescaped(reader->arena, href);
	if (rest.size == 0) {
		must(is_page_of(
			 href, "/u/", names->members, names->member_count) ||
		    is_page_of(href, "/g/", names->groups, names->group_count));
		return;
	}
	must(text_equal(rest, TEXT(" rel=\"nofollow ugc\"")) ||
	    text_equal(rest, TEXT(" class=\"url\" rel=\"nofollow ugc\"")));
	must(text_starts(href, TEXT("http://")) ||
	    text_starts(href, TEXT("https://")));
	must(fuzz_is_printable(href));
	must(url_check(reader->arena, href, &encoded) == URL_VALID);
	must(text_equal(href, encoded));
}

static void
check_start(struct text rest)
{
	struct text number;
	uint64_t start;

	must(text_cut(&rest, '"', &number) && rest.size == 0);
	must(text_to_u64(number, &start) && start != 1 && start < 1000000000);
}

static void
check_attributes(
    struct reader *reader, const struct kind *kind, struct text attributes)
{
	for (size_t i = 0; i < 3 && kind->attributes[i].data != NULL; i++) {
		struct text allowed = kind->attributes[i];

		if (text_equal(attributes, allowed))
			return;
		if (allowed.size == 0 ||
		    allowed.data[allowed.size - 2] != '=' ||
		    !text_starts(attributes, allowed))
			continue;
		attributes =
		    text_slice(attributes, allowed.size, attributes.size);
		if (text_equal(kind->name, TEXT("a")))
			check_link(reader, attributes);
		else
			check_start(attributes);
		return;
	}
	must(!"attributes that may be there");
}

/* True if an element is allowed at this place. */
static void
check_place(const struct reader *reader, const struct kind *kind)
{
	const struct kind *outer =
	    reader->depth == 0 ? NULL : reader->open[reader->depth - 1];
	bool is_rule = text_equal(kind->name, TEXT("hr"));

	must((kind->content == ITEM) ==
	    (outer != NULL && outer->content == HOLDS_ITEMS));
	if (kind->content <= HOLDS_ITEMS || is_rule)
		must(outer == NULL || outer->content == BLOCK ||
		    outer->content == ITEM);
	if (text_equal(kind->name, TEXT("a")))
		must(!is_open(reader, kind->name));
	must(!is_open(reader, TEXT("code")));
	must(outer == NULL || !text_equal(outer->name, TEXT("pre")) ||
	    text_equal(kind->name, TEXT("code")));
}

/* The text between '<' and '>'. */
static void
read_tag(struct reader *reader, struct text tag)
{
	size_t end = 0;
	const struct kind *kind;

	if (text_starts(tag, TEXT("/"))) {
		must(reader->depth > 0);
		kind = reader->open[--reader->depth];
		must(text_equal(text_slice(tag, 1, tag.size), kind->name));
		return;
	}
	while (end < tag.size && tag.data[end] != ' ')
		end++;
	kind = kind_named(text_slice(tag, 0, end));
	check_attributes(reader, kind, text_slice(tag, end, tag.size));
	check_place(reader, kind);
	must(reader->depth < MARKUP_ELEMENTS_MAX);
	if (kind->content != EMPTY)
		reader->open[reader->depth++] = kind;
}

static void
read_text(struct reader *reader, struct text text)
{
	text = unescaped(reader->arena, text);
	buffer_add(&reader->text, text);
	if (reader->depth > 0 &&
	    reader->open[reader->depth - 1]->content == HOLDS_ITEMS)
		must(text_trim(text).size == 0);
}

/* The text of a page, which is read strictly. */
static struct text
read_page(
    struct arena *arena, struct text html, const struct markup_names *names)
{
	struct reader reader = { .arena = arena,
		.known = names,
		.text = buffer_in(arena, html.size) };
	struct text part;

	must(utf8_valid(html));
	while (text_cut(&html, '<', &part)) {
		read_text(&reader, part);
		if (html.data == NULL)
			break;
		must(text_cut(&html, '>', &part) && html.data != NULL);
		read_tag(&reader, part);
	}
	must(reader.depth == 0);
	return buffer_text(&reader.text);
}

/* True if a text has no deceptive characters. */
static bool
is_clean(struct arena *arena, struct text text)
{
	enum utf8_removed removed;

	utf8_clean(arena, text, UTF8_MANY_LINES, &removed);
	return removed != UTF8_DECEPTIVE;
}

/* Renders a whole text, linking the given names. */
static struct text
html_of_text(
    struct arena *arena, struct text source, const struct markup_names *names)
{
	const struct markup_rendering rendering = { .known = names,
		.max = SIZE_MAX };
	bool is_cut;
	struct text html = markup_html(arena, source, &rendering, &is_cut);

	must(!is_cut);
	return html;
}

static void
check_html(
    struct arena *arena, struct text source, const struct markup_names *names)
{
	struct text html = html_of_text(arena, source, names), text;

	must(html.size <= MARKUP_GROWTH * source.size + 100);
	text = read_page(arena, html, names);
	must(!is_clean(arena, source) || is_clean(arena, text));
	if (!markup_within_limits(source))
		must(text_equal(text, text_join(arena, source, TEXT("\n"))));
}

/* A cut text has whole elements, and at most the requested length. */
static void
check_cuts(
    struct arena *arena, struct text source, const struct markup_names *names)
{
	static const size_t sizes[] = { 0, 30, 100, 1000 };
	struct text whole = html_of_text(arena, source, names);

	for (size_t i = 0; i < 4; i++) {
		const struct markup_rendering rendering = { .known = names,
			.max = sizes[i] };
		bool is_cut;
		struct text html =
		    markup_html(arena, source, &rendering, &is_cut);

		must(html.size <= sizes[i]);
		must(is_cut == (whole.size > sizes[i]));
		must(is_cut || text_equal(html, whole));
		read_page(arena, html, names);
	}
}

/* Names that are found are links if the page knows them. */
static void
check_names(struct arena *arena, struct text source)
{
	struct markup_names found;
	struct text html;

	markup_find_names(arena, source, &found);
	html = html_of_text(arena, source, &found);
	read_page(arena, html, &found);
	must(found.member_count <= MARKUP_NAMES_MAX);
	must(found.group_count <= MARKUP_NAMES_MAX);
	for (size_t i = 0; i < found.member_count; i++)
		must(text_find(html, 0,
			 text_format(arena, "\"/u/%.*s\"",
			     TEXT_ARGS(found.members[i]))) != SIZE_MAX);
	for (size_t i = 0; i < found.group_count; i++)
		must(text_find(html, 0,
			 text_format(arena, "\"/g/%.*s\"",
			     TEXT_ARGS(found.groups[i]))) != SIZE_MAX);
}

static void
check_plain(struct arena *arena, struct text source)
{
	static const size_t sizes[] = { 0, 5, 160 };

	for (size_t i = 0; i < 3; i++) {
		struct text plain = markup_plain(arena, source, sizes[i]);

		must(plain.size <= sizes[i] + strlen("…"));
		must(utf8_valid(plain));
		must(text_find(plain, 0, TEXT("\n")) == SIZE_MAX);
	}
}

/* A list is indented by two columns, and each line counts the blocks that start on
 * it. */
static void
check_depth(struct arena *arena, struct text source)
{
	const size_t most = MARKUP_COLUMNS_MAX / 2 + 1 + MARKUP_DEPTH_MAX;
	struct tree *tree;
	struct tree_step step;
	size_t depth = 0;

	if (!markup_within_limits(source))
		return;
	tree = tree_parse(arena, source);
	while (tree_next(tree, &step)) {
		if (step.kind == TREE_QUOTE || step.kind == TREE_ITEM)
			depth += step.event == TREE_ENTER ? 1 : (size_t)-1;
		must(depth <= most);
	}
	tree_free(tree);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct text source = fuzz_text(data, size);

	if (!utf8_valid(source))
		return 0;
	check_html(&arena, source, &known);
	check_cuts(&arena, source, &known);
	check_html(&arena, source, &nobody);
	check_names(&arena, source);
	check_plain(&arena, source);
	check_depth(&arena, source);
	arena_reset(&arena);
	return 0;
}

/*
 * The first line is an article's title and the rest its text, cleaned as by the form
 * and rendered as on the article's page. Parsed from the HTML, both are the same
 * again, so nothing in them became markup.
 */
#include "fuzz.h"

#include <string.h>

#include "base/buffer.h"
#include "base/utf8.h"
#include "views/article.h"
#include "views/format.h"
#include "views/views.h"

static const struct views *
open_views(void)
{
	static struct arena arena;
	static struct views *views;
	struct mustache_error error;

	if (views == NULL)
		views = views_open(&arena, NULL, "templates", &error);
	must(views != NULL);
	return views;
}

/* RFC 3629's table, written independently of the code under test. */
static bool
is_utf8(const unsigned char *c, size_t size)
{
	for (size_t i = 0, more; i < size; i += 1 + more) {
		unsigned char low = 0x80, high = 0xbf;

		more = c[i] < 0x80 ? 0 : c[i] < 0xe0 ? 1 : c[i] < 0xf0 ? 2 : 3;
		if (more > 0 &&
		    (c[i] < 0xc2 || c[i] > 0xf4 || size - i <= more))
			return false;
		low = c[i] == 0xe0 ? 0xa0 : c[i] == 0xf0 ? 0x90 : low;
		high = c[i] == 0xed ? 0x9f : c[i] == 0xf4 ? 0x8f : high;
		for (size_t k = 1; k <= more; k++, low = 0x80, high = 0xbf)
			if (c[i + k] < low || c[i + k] > high)
				return false;
	}
	return true;
}

static bool
has_control(struct text text, enum utf8_lines lines)
{
	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];
		bool is_layout = c == '\n' || c == '\t';

		if (c == 0x7f || (c < ' ' && !is_layout) ||
		    (is_layout && lines == UTF8_ONE_LINE))
			return true;
	}
	return false;
}

static struct text
clean(struct arena *arena, struct text text, enum utf8_lines lines)
{
	enum utf8_removed removed;
	struct text once = utf8_clean(arena, text, lines, &removed);
	struct text twice = utf8_clean(arena, once, lines, &removed);

	must(utf8_valid(once) && !has_control(once, lines));
	must(text_equal(once, twice) && removed == UTF8_NOTHING);
	must(utf8_length(once) <= utf8_length(text));
	return once;
}

/* Moves *html past the next start and returns what comes before end. */
static struct text
between(struct text *html, const char *start, const char *end)
{
	const char *first =
	    memmem(html->data, html->size, start, strlen(start));
	const char *last;

	must(first != NULL);
	first += strlen(start);
	*html = text_slice(*html, (size_t)(first - html->data), html->size);
	last = memmem(html->data, html->size, end, strlen(end));
	must(last != NULL);
	return text_slice(*html, 0, (size_t)(last - first));
}

/* The visible text of HTML without elements. */
static struct text
unescape(struct arena *arena, struct text html)
{
	static const struct {
		struct text reference;
		char c;
	} known[] = { { TEXT_INIT("&amp;"), '&' }, { TEXT_INIT("&lt;"), '<' },
		{ TEXT_INIT("&gt;"), '>' }, { TEXT_INIT("&quot;"), '"' },
		{ TEXT_INIT("&#39;"), '\'' } };
	struct buffer shown = buffer_in(arena, html.size);

	while (html.size > 0) {
		size_t i = 0;

		must(strchr("<>\"'", html.data[0]) == NULL ||
		    html.data[0] == '\0');
		if (html.data[0] != '&') {
			buffer_add_char(&shown, html.data[0]);
			html = text_slice(html, 1, html.size);
			continue;
		}
		while (i < 5 && !text_starts(html, known[i].reference))
			i++;
		must(i < 5);
		buffer_add_char(&shown, known[i].c);
		html = text_slice(html, known[i].reference.size, html.size);
	}
	return buffer_text(&shown);
}

/* The lines of HTML's paragraphs, each with its line feed. */
static struct text
shown_lines(struct arena *arena, struct text html)
{
	const struct text start = TEXT("<p dir=\"auto\">");
	struct buffer lines = buffer_in(arena, html.size);
	struct text row;

	while (text_cut(&html, '\n', &row) && row.size > 0) {
		must(text_starts(row, start));
		row = text_slice(row, start.size, row.size);
		while (row.size > 0) {
			struct text rest = row, line;

			must(text_cut(&rest, '<', &line) && rest.data != NULL);
			buffer_add(&lines, unescape(arena, line));
			buffer_add_char(&lines, '\n');
			must(text_starts(rest, TEXT("br>")) ||
			    text_equal(rest, TEXT("/p>")));
			row = text_slice(rest, 3, rest.size);
		}
	}
	return buffer_text(&lines);
}

/* The visible lines of a text: those that are not blank. */
static struct text
written_lines(struct arena *arena, struct text text)
{
	struct buffer lines = buffer_in(arena, text.size + 1);
	struct text line;

	while (text_cut(&text, '\n', &line)) {
		if (text_trim(line).size == 0)
			continue;
		buffer_add(&lines, line);
		buffer_add_char(&lines, '\n');
	}
	return buffer_text(&lines);
}

static void
check_page(struct arena *arena, struct text title, struct text text)
{
	struct layout frame = { .signed_in = false };
	struct article_model model = { .article = { .title = title },
		.document = format_short(arena, title),
		.paragraphs = format_paragraphs(arena, text) };
	struct text html =
	    views_page(open_views(), arena, &article_view, &frame, &model);

	must(text_starts(unescape(arena, between(&html, "<title>", "</title>")),
	    format_short(arena, title)));
	must(text_equal(
	    unescape(arena,
		between(&html, "<a class=\"title\" dir=\"auto\" href=\"\">",
		    "</a>")),
	    title));
	must(text_equal(
	    shown_lines(arena,
		between(&html, "<div class=\"below text said\">\n", "</div>")),
	    written_lines(arena, text)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct text text = fuzz_text(data, size), title;

	must(utf8_valid(text) == is_utf8(data, size));
	if (utf8_valid(text) && text_cut(&text, '\n', &title))
		check_page(&arena, clean(&arena, title, UTF8_ONE_LINE),
		    clean(&arena, text, UTF8_MANY_LINES));
	arena_reset(&arena);
	return 0;
}

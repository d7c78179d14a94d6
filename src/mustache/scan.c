#include "mustache/scan.h"

#include <limits.h>

#include "base/arena.h"
#include "mustache/error.h"

struct scanner {
	struct arena *arena;
	const struct mustache_template *template;
	struct text open, close;
	struct token *last;
	struct mustache_error *error;
};

/* By the character that a tag begins with; any other makes it a DO_VALUE. */
static const enum operation operations[UCHAR_MAX + 1] = {
	['#'] = DO_SECTION,
	['^'] = DO_INVERTED,
	['/'] = DO_END,
	['>'] = DO_PARTIAL,
	['<'] = DO_PARENT,
	['$'] = DO_BLOCK,
	['!'] = DO_NOTHING,
	['='] = DO_NOTHING,
	['&'] = DO_RAW_VALUE,
	['{'] = DO_RAW_VALUE,
};

static struct token *
add_token(struct scanner *scanner, enum operation operation, size_t at)
{
	struct token *token = arena_new(scanner->arena, struct token, 1);

	token->operation = operation;
	token->at = at;
	token->before = scanner->last;
	scanner->last->after = token;
	scanner->last = token;
	return token;
}

static void
add_text(struct scanner *scanner, size_t start, size_t end)
{
	while (start < end) {
		struct text line,
		    rest = text_slice(
			scanner->template->source, start, end - start);

		text_cut(&rest, '\n', &line);
		line.size += rest.data != NULL;
		add_token(scanner, DO_TEXT, start)->text = line;
		start += line.size;
	}
}

static bool
fail_at(const struct scanner *scanner, size_t at, const char *what)
{
	return mustache_fail(scanner->error, scanner->template, at, "%s", what);
}

static bool
set_delimiters(struct scanner *scanner, size_t at, struct text content)
{
	struct text rest = content;

	if (!text_next_word(&rest, &scanner->open) ||
	    !text_next_word(&rest, &scanner->close) ||
	    text_trim(rest).size > 0 ||
	    text_find(content, 0, TEXT("=")) != SIZE_MAX)
		return fail_at(scanner, at,
		    "new delimiters must be two words without '='");
	return true;
}

static bool
set_name(
    const struct scanner *scanner, struct token *token, struct text content)
{
	struct text rest = text_trim(content);

	if ((token->operation == DO_PARTIAL || token->operation == DO_PARENT) &&
	    text_starts(rest, TEXT("*"))) {
		token->dynamic = true;
		rest = text_slice(rest, 1, rest.size);
	}
	if (!text_next_word(&rest, &token->text))
		return fail_at(scanner, token->at, "a tag without a name");
	if (rest.size > 0)
		return fail_at(scanner, token->at, "a name with a space in it");
	return true;
}

/* Scans the tag whose opening delimiter is at at, and moves *next past it. */
static bool
scan_tag(struct scanner *scanner, size_t at, size_t *next)
{
	struct text source = scanner->template->source, content;
	struct text close = scanner->close;
	size_t start = at + scanner->open.size, end;
	struct token *token;
	char sigil = '\0';

	while (start < source.size && text_is_space(source.data[start]))
		start++;
	if (start < source.size)
		sigil = source.data[start];
	token = add_token(scanner, operations[(unsigned char)sigil], at);
	if (token->operation != DO_VALUE)
		start++;
	if (sigil == '{' || sigil == '=')
		close = text_join(scanner->arena,
		    sigil == '{' ? TEXT("}") : TEXT("="), close);
	end = text_find(source, start, close);
	if (end == SIZE_MAX)
		return fail_at(scanner, at, "a tag that is not closed");
	*next = end + close.size;
	content = text_slice(source, start, end - start);
	if (sigil == '=')
		return set_delimiters(scanner, at, content);
	return sigil == '!' || set_name(scanner, token, content);
}

struct token *
mustache_scan(struct arena *arena, const struct mustache_template *template,
    struct mustache_error *error)
{
	struct token *first = arena_new(arena, struct token, 1);
	struct scanner scanner = { .arena = arena,
		.template = template,
		.open = TEXT("{{"),
		.close = TEXT("}}"),
		.last = first,
		.error = error };
	size_t start = 0, at;

	first->operation = DO_TEXT;
	first->text = TEXT("\n");
	while ((at = text_find(template->source, start, scanner.open)) !=
	    SIZE_MAX) {
		add_text(&scanner, start, at);
		if (!scan_tag(&scanner, at, &start))
			return NULL;
	}
	add_text(&scanner, start, template->source.size);
	add_token(&scanner, DO_END, 0);
	return first;
}

#include "mustache/scan.h"

#include <string.h>

#include "base/arena.h"
#include "mustache/error.h"

struct scanner {
	struct arena *arena;
	const struct mustache_template *template;
	struct text source;
	struct text open, close;
	struct tokens *tokens;
	struct mustache_error *error;
};

static struct token *
add_token(struct scanner *scanner, enum token_kind kind, size_t at)
{
	struct tokens *tokens = scanner->tokens;
	struct token *token;

	if (tokens->count == tokens->capacity) {
		size_t capacity = tokens->capacity * 2 + 32;
		struct token *items =
		    arena_new(scanner->arena, struct token, capacity);

		if (tokens->count > 0)
			memcpy(items, tokens->items,
			    tokens->count * sizeof(*items));
		tokens->items = items;
		tokens->capacity = capacity;
	}
	token = &tokens->items[tokens->count++];
	*token = (struct token){
		.kind = kind, .at = at, .mate = TOKEN_NONE, .outer = TOKEN_NONE
	};
	return token;
}

static void
add_text(struct scanner *scanner, size_t start, size_t end)
{
	const char *data = scanner->source.data;

	while (start < end) {
		const char *newline = memchr(data + start, '\n', end - start);
		size_t size = newline == NULL
		    ? end - start
		    : (size_t)(newline + 1 - (data + start));
		struct token *token = add_token(scanner, TOKEN_TEXT, start);

		token->text = text_slice(scanner->source, start, size);
		token->line_start = start == 0 || data[start - 1] == '\n';
		start += size;
	}
}

/* Where needle is at or after start; SIZE_MAX when it is not. */
static size_t
find(struct text source, size_t start, struct text needle)
{
	const char *found;

	if (source.size - start < needle.size)
		return SIZE_MAX;
	found = memmem(
	    source.data + start, source.size - start, needle.data, needle.size);
	return found == NULL ? SIZE_MAX : (size_t)(found - source.data);
}

static bool
fail(struct scanner *scanner, size_t at, const char *what)
{
	return mustache_fail(scanner->error, scanner->template, at, "%s", what);
}

static bool
set_delimiters(struct scanner *scanner, size_t at, struct text content)
{
	struct text rest = content, open, close;

	if (!text_word(&rest, &open) || !text_word(&rest, &close) ||
	    text_trim(rest).size > 0 ||
	    memchr(content.data, '=', content.size) != NULL)
		return fail(scanner, at,
		    "new delimiters are two words without '=' in them");
	scanner->open = open;
	scanner->close = close;
	add_token(scanner, TOKEN_DELIMITERS, at);
	return true;
}

static bool
add_tag(struct scanner *scanner, enum token_kind kind, size_t at,
    struct text content)
{
	struct token *token;
	struct text name = text_trim(content), word, rest;
	bool dynamic = false;

	if ((kind == TOKEN_PARTIAL || kind == TOKEN_PARENT) &&
	    text_starts(name, TEXT("*"))) {
		dynamic = true;
		name = text_trim(text_slice(name, 1, name.size));
	}
	rest = name;
	if (!text_word(&rest, &word))
		return fail(scanner, at, "a tag without a name");
	if (rest.size > 0)
		return fail(scanner, at, "a name with a space in it");
	token = add_token(scanner, kind, at);
	token->text = name;
	token->dynamic = dynamic;
	return true;
}

static enum token_kind
kind_of(char sigil)
{
	switch (sigil) {
	case '#':
		return TOKEN_SECTION;
	case '^':
		return TOKEN_INVERTED;
	case '/':
		return TOKEN_CLOSE;
	case '>':
		return TOKEN_PARTIAL;
	case '<':
		return TOKEN_PARENT;
	case '$':
		return TOKEN_BLOCK;
	case '!':
		return TOKEN_COMMENT;
	case '=':
		return TOKEN_DELIMITERS;
	case '&':
	case '{':
		return TOKEN_RAW_VALUE;
	default:
		return TOKEN_VALUE;
	}
}

/* Scans the tag that opens at at, and moves *next past it. */
static bool
scan_tag(struct scanner *scanner, size_t at, size_t *next)
{
	struct text source = scanner->source, close = scanner->close, content;
	size_t start = at + scanner->open.size, end;
	enum token_kind kind;
	char sigil = '\0';

	while (start < source.size && text_is_space(source.data[start]))
		start++;
	if (start < source.size)
		sigil = source.data[start];
	kind = kind_of(sigil);
	if (kind != TOKEN_VALUE)
		start++;
	if (sigil == '{')
		close = text_join(scanner->arena, TEXT("}"), close);
	else if (sigil == '=')
		close = text_join(scanner->arena, TEXT("="), close);
	end = find(source, start, close);
	if (end == SIZE_MAX)
		return fail(scanner, at, "a tag that is not closed");
	*next = end + close.size;
	content = text_slice(source, start, end - start);
	if (kind == TOKEN_DELIMITERS)
		return set_delimiters(scanner, at, content);
	if (kind != TOKEN_COMMENT)
		return add_tag(scanner, kind, at, content);
	add_token(scanner, TOKEN_COMMENT, at);
	return true;
}

bool
mustache_scan(struct arena *arena, const struct mustache_template *template,
    struct tokens *tokens, struct mustache_error *error)
{
	struct scanner scanner = { .arena = arena,
		.template = template,
		.source = template->source,
		.open = TEXT("{{"),
		.close = TEXT("}}"),
		.tokens = tokens,
		.error = error };
	size_t start = 0, at;

	while ((at = find(scanner.source, start, scanner.open)) != SIZE_MAX) {
		add_text(&scanner, start, at);
		if (!scan_tag(&scanner, at, &start))
			return false;
	}
	add_text(&scanner, start, scanner.source.size);
	return true;
}

#include "mustache/layout.h"

#include "mustache/error.h"

static bool
opens(const struct token *token)
{
	return token->kind == TOKEN_SECTION || token->kind == TOKEN_INVERTED ||
	    token->kind == TOKEN_PARENT || token->kind == TOKEN_BLOCK;
}

/* What opened with an asterisk may be closed with or without it. */
static bool
closes(const struct token *close, const struct token *open)
{
	struct text name = close->text;

	if (open->dynamic && text_starts(name, TEXT("*")))
		name = text_trim(text_slice(name, 1, name.size));
	return text_equal(name, open->text);
}

/* Sets mate and outer of every token. */
static bool
match(const struct mustache_template *template, struct tokens *tokens,
    struct mustache_error *error)
{
	size_t open[MAX_NESTING], depth = 0;
	struct token *items = tokens->items;

	for (size_t i = 0; i < tokens->count; i++) {
		struct token *token = &items[i];
		struct text name = mustache_clip(token->text);

		if (token->kind == TOKEN_CLOSE) {
			if (depth == 0)
				return mustache_fail(error, template, token->at,
				    "'%.*s' is closed but not open",
				    TEXT_ARGS(name));
			token->mate = open[--depth];
			items[token->mate].mate = i;
			if (!closes(token, &items[token->mate]))
				return mustache_fail(error, template, token->at,
				    "'%.*s' is closed inside '%.*s'",
				    TEXT_ARGS(name),
				    TEXT_ARGS(mustache_clip(
					items[token->mate].text)));
		}
		token->outer = depth > 0 ? open[depth - 1] : TOKEN_NONE;
		if (!opens(token))
			continue;
		if (depth == MAX_NESTING)
			return mustache_fail(error, template, token->at,
			    "tags are nested more than %d deep", MAX_NESTING);
		open[depth++] = i;
	}
	if (depth > 0)
		return mustache_fail(error, template, items[open[depth - 1]].at,
		    "'%.*s' is not closed",
		    TEXT_ARGS(mustache_clip(items[open[depth - 1]].text)));
	return true;
}

static struct text
leading_space(struct text text)
{
	size_t size = 0;

	while (size < text.size && text.data[size] != '\n' &&
	    text_is_space(text.data[size]))
		size++;
	return text_slice(text, 0, size);
}

static bool
ends_line(const struct token *token)
{
	return token->kind == TOKEN_TEXT &&
	    token->text.data[token->text.size - 1] == '\n';
}

static bool
is_blank(const struct token *token)
{
	return token->kind == TOKEN_TEXT && text_trim(token->text).size == 0;
}

/* Whether nothing but white space is before the tag on its line. */
static bool
is_first(const struct tokens *tokens, size_t tag)
{
	const struct token *before;

	if (tag == 0)
		return true;
	before = &tokens->items[tag - 1];
	return ends_line(before) || (is_blank(before) && before->line_start);
}

/* Whether nothing but white space is after the tag on its line. */
static bool
is_last(const struct tokens *tokens, size_t tag)
{
	const struct token *after;

	if (tag + 1 == tokens->count)
		return true;
	after = &tokens->items[tag + 1];
	return is_blank(after) &&
	    (ends_line(after) || tag + 2 == tokens->count);
}

static bool
in_parent(const struct tokens *tokens, const struct token *token)
{
	return token->outer != TOKEN_NONE &&
	    tokens->items[token->outer].kind == TOKEN_PARENT;
}

/* The white space before a tag that is the first on its line. */
static struct text
space_before(const struct tokens *tokens, size_t tag)
{
	if (tag == 0 || ends_line(&tokens->items[tag - 1]))
		return (struct text){ NULL, 0 };
	return tokens->items[tag - 1].text;
}

static bool
line_ends_after(const struct tokens *tokens, size_t tag)
{
	return tag + 1 < tokens->count && ends_line(&tokens->items[tag + 1]);
}

static void
drop_before(struct tokens *tokens, size_t tag)
{
	if (space_before(tokens, tag).size > 0)
		tokens->items[tag - 1].dropped = true;
}

static void
drop_after(struct tokens *tokens, size_t tag)
{
	if (tag + 1 < tokens->count)
		tokens->items[tag + 1].dropped = true;
}

static void
lay_out_parent(struct tokens *tokens, size_t tag)
{
	struct token *token = &tokens->items[tag];

	if (!is_first(tokens, tag) || !is_last(tokens, token->mate))
		return;
	token->standalone = true;
	token->indent = space_before(tokens, tag);
	drop_before(tokens, tag);
	drop_after(tokens, token->mate);
}

static bool
is_empty_line_pair(const struct tokens *tokens, size_t open, size_t close)
{
	const struct token *between = &tokens->items[open + 1];

	return is_first(tokens, open) && is_last(tokens, close) &&
	    (close == open + 1 ||
		(close == open + 2 && is_blank(between) &&
		    !ends_line(between)));
}

/* What all lines that begin between two tokens begin with; false: no lines. */
static bool
common_indent(
    const struct tokens *tokens, size_t open, size_t close, struct text *common)
{
	bool any = false;

	for (size_t i = open + 1; i < close; i++) {
		const struct token *token = &tokens->items[i];
		struct text space = { NULL, 0 };
		size_t size = 0;

		if (token->kind == TOKEN_TEXT ? !token->line_start
					      : !ends_line(token - 1))
			continue;
		if (is_blank(token) &&
		    (ends_line(token) || (i + 1 == close && token->dropped)))
			continue;
		if (token->kind == TOKEN_TEXT)
			space = leading_space(token->text);
		if (!any)
			*common = space;
		any = true;
		while (size < space.size && size < common->size &&
		    space.data[size] == common->data[size])
			size++;
		*common = text_slice(*common, 0, size);
	}
	return any;
}

static bool
spans_lines(const struct tokens *tokens, size_t open, size_t close)
{
	for (size_t i = open + 1; i < close; i++)
		if (ends_line(&tokens->items[i]))
			return true;
	return false;
}

/*
 * A block inside a line that begins the line indents the further lines of what
 * replaces it as it is itself, unless its own further lines say otherwise.
 */
static void
lay_out_block(struct tokens *tokens, size_t open)
{
	struct token *token = &tokens->items[open];
	size_t close = token->mate;
	bool inside = in_parent(tokens, token);
	bool first = is_first(tokens, open), last = is_last(tokens, close);
	struct text common;

	if (first)
		token->indent = space_before(tokens, open);
	if (is_empty_line_pair(tokens, open, close)) {
		token->standalone = true;
		tokens->items[close].standalone =
		    line_ends_after(tokens, close);
		drop_before(tokens, open);
		if (close > open + 1)
			drop_after(tokens, open);
		drop_after(tokens, close);
		return;
	}
	if (is_first(tokens, close) && (last || inside)) {
		tokens->items[close].standalone =
		    line_ends_after(tokens, close);
		drop_before(tokens, close);
		if (last)
			drop_after(tokens, close);
	}
	if (is_last(tokens, open) && (first || inside)) {
		token->standalone = true;
		if (first)
			drop_before(tokens, open);
		drop_after(tokens, open);
		if (common_indent(tokens, open, close, &common)) {
			token->indent = common;
			token->dedent = common.size;
		}
	} else if (spans_lines(tokens, open, close)) {
		token->indent = (struct text){ NULL, 0 };
	}
}

static void
lay_out_tag(struct tokens *tokens, size_t tag)
{
	struct token *token = &tokens->items[tag];

	if (!is_first(tokens, tag) || !is_last(tokens, tag))
		return;
	token->standalone = true;
	token->indent = space_before(tokens, tag);
	drop_before(tokens, tag);
	drop_after(tokens, tag);
}

/* Takes from each line what the blocks around it have in common. */
static void
dedent(struct tokens *tokens, struct token *token)
{
	size_t less = 0;

	if (token->outer != TOKEN_NONE)
		less = tokens->items[token->outer].dedent;
	token->indent = text_slice(token->indent, less, SIZE_MAX);
	if (token->dedent < less)
		token->dedent = less;
	if (token->kind == TOKEN_TEXT && token->line_start) {
		size_t space = leading_space(token->text).size;

		token->text = text_slice(
		    token->text, less < space ? less : space, SIZE_MAX);
	}
}

static void
lay_out_token(struct tokens *tokens, size_t at)
{
	const struct token *token = &tokens->items[at];
	enum token_kind kind = token->kind;

	/* The closing tag of these two is laid out with the opening one. */
	if (kind == TOKEN_PARENT)
		lay_out_parent(tokens, at);
	else if (kind == TOKEN_BLOCK)
		lay_out_block(tokens, at);
	if (kind == TOKEN_CLOSE)
		kind = tokens->items[token->mate].kind;
	if (kind != TOKEN_TEXT && kind != TOKEN_VALUE &&
	    kind != TOKEN_RAW_VALUE && kind != TOKEN_PARENT &&
	    kind != TOKEN_BLOCK)
		lay_out_tag(tokens, at);
}

bool
mustache_lay_out(const struct mustache_template *template,
    struct tokens *tokens, struct mustache_error *error)
{
	if (!match(template, tokens, error))
		return false;
	for (size_t i = 0; i < tokens->count; i++)
		lay_out_token(tokens, i);
	for (size_t i = 0; i < tokens->count; i++)
		dedent(tokens, &tokens->items[i]);
	return true;
}

#include "mustache/layout.h"

#include "mustache/error.h"

static bool
opens_body(const struct token *token)
{
	return token->operation == DO_SECTION ||
	    token->operation == DO_INVERTED || token->operation == DO_PARENT ||
	    token->operation == DO_BLOCK;
}

/* What was opened with an asterisk may be closed with or without it. */
static bool
matches_opening(const struct token *close, const struct token *open)
{
	struct text name = close->text;

	if (open->dynamic && text_starts(name, TEXT("*")))
		name = text_trim(text_slice(name, 1, name.size));
	return text_equal(name, open->text);
}

/* Sets mate and outer of every token. */
static bool
match_tags(const struct mustache_template *template, struct token *first,
    struct mustache_error *error)
{
	struct token *outer = first;
	size_t depth = 0;

	for (struct token *token = first->after; token->after != NULL;
	    token = token->after) {
		if (token->operation == DO_END) {
			if (outer == first)
				return mustache_fail(error, template, token->at,
				    "'%.*s' is closed but not open",
				    NAME_ARGS(token->text));
			if (!matches_opening(token, outer))
				return mustache_fail(error, template, token->at,
				    "'%.*s' is closed inside '%.*s'",
				    NAME_ARGS(token->text),
				    NAME_ARGS(outer->text));
			token->mate = outer;
			outer->mate = token;
			outer = outer->outer;
			depth--;
		}
		token->outer = outer;
		if (!opens_body(token))
			continue;
		if (depth++ == MAX_NESTING)
			return mustache_fail(error, template, token->at,
			    "tags are nested more than %d deep", MAX_NESTING);
		outer = token;
	}
	if (outer != first)
		return mustache_fail(error, template, outer->at,
		    "'%.*s' is not closed", NAME_ARGS(outer->text));
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

/* Lines end only in text: neither a name nor a delimiter holds white space. */
static bool
ends_line(const struct token *token)
{
	return token->operation == DO_TEXT && token->text.size > 0 &&
	    token->text.data[token->text.size - 1] == '\n';
}

static bool
is_blank(const struct token *token)
{
	return token->operation == DO_TEXT && text_trim(token->text).size == 0;
}

/* Whether nothing but white space is before the tag on its line. */
static bool
is_first_on_line(const struct token *tag)
{
	return ends_line(tag->before) ||
	    (is_blank(tag->before) && ends_line(tag->before->before));
}

/* Whether nothing but white space is after the tag on its line. */
static bool
is_last_on_line(const struct token *tag)
{
	const struct token *next = tag->after;

	if (is_blank(next) && !ends_line(next))
		next = next->after;
	return next->after == NULL || (is_blank(next) && ends_line(next));
}

/* Drops the white space before a tag that is the first on its line. */
static void
drop_space_before(struct token *tag)
{
	if (!ends_line(tag->before))
		tag->before->dropped = true;
}

/* The white space before a tag that is the first on its line. */
static struct text
space_before(const struct token *tag)
{
	return ends_line(tag->before) ? (struct text){ NULL, 0 }
				      : tag->before->text;
}

/* A tag, or a parent from its opening to its closing tag. */
static void
lay_out_tag(struct token *open, struct token *close)
{
	if (!is_first_on_line(open) || !is_last_on_line(close))
		return;
	open->standalone = true;
	open->indent = space_before(open);
	drop_space_before(open);
	close->after->dropped = true;
}

/* Whether nothing but white space within a line is between a block's tags. */
static bool
is_empty_in_line(const struct token *open)
{
	const struct token *next = open->after;

	if (is_blank(next) && !ends_line(next))
		next = next->after;
	return next == open->mate;
}

/* The white space that all lines of a block begin with; false: it has none. */
static bool
common_indent(const struct token *open, struct text *common)
{
	bool any = false;

	for (const struct token *token = open->after; token != open->mate;
	    token = token->after) {
		/* Of a tag this is its name, which has none. */
		struct text space = leading_space(token->text);
		size_t size = 0;

		if (!ends_line(token->before))
			continue;
		if (is_blank(token) &&
		    (ends_line(token) ||
			(token->after == open->mate && token->dropped)))
			continue;
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
spans_lines(const struct token *open)
{
	const struct token *token = open->after;

	while (token != open->mate && !ends_line(token))
		token = token->after;
	return token != open->mate;
}

/*
 * A block that is first on its line but not alone indents its replacement by its
 * own indentation, from the second line on, unless the block has several lines.
 */
static void
lay_out_block(struct token *open)
{
	struct token *close = open->mate;
	bool in_parent = open->outer->operation == DO_PARENT;
	bool first = is_first_on_line(open), last = is_last_on_line(close);
	bool one_line = first && last && is_empty_in_line(open);
	struct text common;

	if (first)
		open->indent = space_before(open);
	if (one_line || (is_first_on_line(close) && (last || in_parent))) {
		close->standalone = ends_line(close->after);
		drop_space_before(close);
		if (last)
			close->after->dropped = true;
	}
	if (one_line || (is_last_on_line(open) && (first || in_parent))) {
		open->standalone = true;
		if (first)
			drop_space_before(open);
		open->after->dropped = true;
		if (common_indent(open, &common)) {
			open->indent = common;
			open->dedent = common.size;
		}
	} else if (spans_lines(open)) {
		open->indent = (struct text){ NULL, 0 };
	}
}

static void
lay_out_token(struct token *token)
{
	const struct token *tag = token;

	/* A block or parent is laid out as a whole, at its opening tag. */
	if (token->operation == DO_END)
		tag = token->mate;
	switch (tag->operation) {
	case DO_TEXT:
	case DO_VALUE:
	case DO_RAW_VALUE:
		break;
	case DO_PARENT:
		if (token == tag)
			lay_out_tag(token, token->mate);
		break;
	case DO_BLOCK:
		if (token == tag)
			lay_out_block(token);
		break;
	default:
		lay_out_tag(token, token);
	}
}

/* Removes from each line the indentation that the block around it loses. */
static void
dedent_token(struct token *token)
{
	size_t less = token->outer->dedent;

	token->indent = text_slice(token->indent, less, SIZE_MAX);
	if (token->dedent < less)
		token->dedent = less;
	if (token->operation == DO_TEXT && ends_line(token->before)) {
		size_t space = leading_space(token->text).size;

		token->text = text_slice(
		    token->text, less < space ? less : space, SIZE_MAX);
	}
}

bool
mustache_layout(const struct mustache_template *template, struct token *first,
    struct mustache_error *error)
{
	struct token *token;

	if (!match_tags(template, first, error))
		return false;
	for (token = first->after; token->after != NULL; token = token->after)
		lay_out_token(token);
	for (token = first->after; token->after != NULL; token = token->after)
		dedent_token(token);
	return true;
}

#include "search/expression.h"

#include "base/arena.h"
#include "base/buffer.h"

static void
add_quoted(struct buffer *out, const char *tag, struct text word)
{
	buffer_add_char(out, '"');
	buffer_add(out, text_of(tag));
	for (size_t i = 0; i < word.size; i++) {
		if (word.data[i] == '"')
			buffer_add_char(out, '"');
		buffer_add_char(out, word.data[i]);
	}
	buffer_add_char(out, '"');
}

/* "one" + "two", or ("one" OR "ones") */
static void
add_phrase(struct buffer *out, const struct query_item *item)
{
	if (item->variant.size > 0) {
		buffer_add_char(out, '(');
		add_quoted(out, "", item->words[0]);
		buffer_add(out, TEXT(" OR "));
		add_quoted(out, "", item->variant);
		buffer_add_char(out, ')');
		return;
	}
	for (size_t i = 0; i < item->word_count; i++) {
		if (i > 0)
			buffer_add(out, TEXT(" + "));
		add_quoted(out, "", item->words[i]);
	}
	if (item->kind == QUERY_PREFIX)
		buffer_add(out, TEXT(" *"));
}

/* "g:one" OR "g:two" */
static void
add_any(struct buffer *out, const char *tag, struct text names)
{
	bool is_first = true;
	struct text name;

	while (text_cut(&names, ',', &name)) {
		if (!is_first)
			buffer_add(out, TEXT(" OR "));
		add_quoted(out, tag, name);
		is_first = false;
	}
}

static void
add_item(struct buffer *out, const struct query_item *item,
    const struct query_names *names, enum expression_words where)
{
	struct text any = query_item_names(out->arena, item, names);

	buffer_add_char(out, '(');
	switch (item->kind) {
	case QUERY_WORDS:
	case QUERY_PREFIX:
	case QUERY_TITLE:
		if (item->kind == QUERY_TITLE ||
		    (where == EXPRESSION_IN_TITLES && !item->excluded))
			buffer_add(out, TEXT("title : "));
		add_phrase(out, item);
		break;
	case QUERY_AUTHOR:
		add_quoted(out, "a:", any.size > 0 ? any : TEXT("0"));
		break;
	case QUERY_GROUP:
		add_any(out, "g:", any);
		break;
	case QUERY_DOMAIN:
		add_quoted(out, "d:", item->value);
		break;
	case QUERY_LINK:
		add_quoted(out, "l:", item->value);
		break;
	case QUERY_IS:
		add_any(out, "k:",
		    text_equal(item->value, TEXT("article")) ? TEXT("link,text")
							     : item->value);
		break;
	}
	buffer_add_char(out, ')');
}

static void
add_clause(struct buffer *out, size_t clause, const struct query *query,
    const struct query_names *names, enum expression_words where)
{
	bool is_first = true;

	buffer_add(out, clause > 0 ? TEXT(" AND (") : TEXT("("));
	for (size_t i = 0; i < query->count; i++) {
		const struct query_item *item = &query->items[i];

		if (item->excluded || item->clause != clause)
			continue;
		if (!is_first)
			buffer_add(out, TEXT(" OR "));
		add_item(out, item, names, where);
		is_first = false;
	}
	buffer_add_char(out, ')');
}

struct text
expression_of(struct arena *arena, const struct query *query,
    const struct query_names *names, enum expression_words where)
{
	struct buffer out = buffer_in(arena, 1024);

	buffer_add_char(&out, '(');
	for (size_t clause = 0; clause < query->clauses; clause++)
		add_clause(&out, clause, query, names, where);
	if (query->clauses == 0)
		add_any(&out, "k:", TEXT("link,text,comment"));
	buffer_add_char(&out, ')');
	for (size_t i = 0; i < query->count; i++)
		if (query->items[i].excluded) {
			buffer_add(&out, TEXT(" NOT "));
			add_item(&out, &query->items[i], names, where);
		}
	return buffer_text(&out);
}

struct text
expression_of_levels(
    struct arena *arena, struct text expression, int first, int last)
{
	struct buffer out = buffer_in(arena, expression.size + 256);

	buffer_add_char(&out, '(');
	for (int level = first; level <= last; level++) {
		if (level > first)
			buffer_add(&out, TEXT(" OR "));
		add_quoted(&out, "p:", text_number(arena, level));
	}
	buffer_add(&out, TEXT(") AND ("));
	buffer_add(&out, expression);
	buffer_add_char(&out, ')');
	return buffer_text(&out);
}

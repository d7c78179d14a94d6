/*
 * Search: a query, a title and a text, a line each; the text may have more. Words lie in the text
 * in order and have nothing that could be a tag or part of an expression. What is read of a query
 * is bounded, and FTS5 refuses none; it finds the post exactly if the post matches. Marks lie in
 * the text in order and do not overlap.
 */
#include "fuzz.h"

#include <unistd.h>

#include "base/utf8.h"
#include "base/words.h"
#include "search/find.h"
#include "search/match.h"

static void
check_word(const struct word *word, struct text text)
{
	must(word->start < word->end && word->end <= text.size);
	must(word->text.size > 0 && word->text.size <= (size_t)WORD_BYTES * 2);
	must(utf8_valid(word->text));
	for (size_t i = 0; i < word->text.size; i++)
		must((unsigned char)word->text.data[i] > ' ' &&
		    word->text.data[i] != ':' && word->text.data[i] != '"');
}

static void
check_words(struct text text)
{
	struct words words;
	struct word word;
	uint32_t next = 0;
	size_t start = 0;

	words_begin(&words, text);
	while (words_next(&words, &word)) {
		check_word(&word, text);
		must(word.start >= start);
		must(word.position == next ||
		    (word.kind == WORD_SINGLE && word.position + 1 == next));
		next = word.position + 1;
		start = word.start;
	}
}

static void
check_query(const struct query *query)
{
	bool seen[QUERY_ITEMS_MAX] = { false };

	must(query->count <= QUERY_ITEMS_MAX);
	must(query->note_count <=
	    sizeof(query->notes) / sizeof(query->notes[0]));
	for (size_t i = 0; i < query->count; i++) {
		const struct query_item *item = &query->items[i];

		must((item->word_count > 0) == (item->kind <= QUERY_TITLE));
		must(item->value.size > 0);
		if (!item->excluded) {
			must(item->clause < query->clauses);
			seen[item->clause] = true;
		}
	}
	for (size_t i = 0; i < query->clauses; i++)
		must(seen[i]);
}

static void
check_marks(struct arena *arena, const struct query *query,
    enum match_field field, struct text text)
{
	struct match_mark marks[8];
	size_t count = match_marks(arena, query, field, text, marks, 8);
	size_t at = 0;

	must(count <= 8);
	for (size_t i = 0; i < count; i++) {
		must(marks[i].start >= at && marks[i].start < marks[i].end);
		must(marks[i].end <= text.size);
		at = marks[i].end;
	}
}

/* An index in a file that is gone when this ends. */
static struct index *
open_index(void)
{
	char folder[] = "/tmp/tally-fuzz-XXXXXX", path[64];
	struct index *index;

	must(mkdtemp(folder) != NULL);
	(void)snprintf(path, sizeof(path), "%s/index", folder);
	must(index_open(path, INDEX_CREATE, TEXT("fuzz"), &index) == INDEX_OK);
	must(unlink(path) == 0 && rmdir(folder) == 0);
	return index;
}

static void
check_found(struct arena *arena, const struct query *query,
    const struct search_post *post)
{
	static struct index *index;
	struct query_name items[] = { { TEXT("u:ann"), TEXT("17") },
		{ TEXT("g:dbs"), TEXT("databases,dbs") } };
	const struct query_names names = { items, 2 };
	struct find_request request = { .query = query,
		.names = &names,
		.order = query->order,
		.limit = 1 };
	struct find_hits hits;

	if (index == NULL)
		index = open_index();
	must(index_put(index, post) == INDEX_OK);
	must(index_commit(index, NULL, 0) == INDEX_OK);
	must(find_posts(index, arena, &request, &hits) == INDEX_OK);
	must(hits.outcome == FIND_EXACT);
	must((hits.count == 1) == match_post(arena, query, &names, post));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena arena;
	struct text rest = fuzz_text(data, size), typed = rest,
		    title = TEXT("");
	struct search_post post = { .id.article = 1,
		.posted = 1717200000,
		.points = 3,
		.author = 17,
		.groups = TEXT("linux dbs"),
		.host = TEXT("blog.example.com") };
	struct query query;

	if (text_cut(&rest, '\n', &typed))
		text_cut(&rest, '\n', &title);
	post.title = title;
	post.text = rest;
	check_words(typed);
	check_words(rest);
	query_parse(&arena, typed, &query);
	check_query(&query);
	check_marks(&arena, &query, MATCH_TITLE, title);
	check_marks(&arena, &query, MATCH_TEXT, rest);
	check_found(&arena, &query, &post);
	arena_reset(&arena);
	return 0;
}

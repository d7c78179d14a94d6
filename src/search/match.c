#include "search/match.h"

#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/words.h"

/* A word of a text that a query has as well. */
struct found {
	struct text word;
	size_t start, end;
	size_t marked; /* the end of what was found from here on; 0: nothing */
	uint32_t position;
};

/* The words of a text that a query has, by position. */
struct scan {
	struct arena *arena;
	const struct query *query;
	bool first_bytes[UCHAR_MAX + 1]; /* of the words of the query */
	struct found *found;
	size_t count, room;
};

static bool
has_words(const struct query_item *item)
{
	return item->kind == QUERY_WORDS || item->kind == QUERY_PREFIX ||
	    item->kind == QUERY_TITLE;
}

static void
scan_begin(struct scan *scan, struct arena *arena, const struct query *query)
{
	*scan = (struct scan){ .arena = arena, .query = query };
	for (size_t i = 0; i < query->count; i++)
		for (size_t k = 0; k < query->items[i].word_count; k++)
			scan->first_bytes
			    [(unsigned char)query->items[i].words[k].data[0]] =
			    true;
}

/* True if a word of a text is the one of an item, or its variant: the last of a prefix may go
 * on. */
static bool
is_word(const struct query_item *item, size_t index, struct text word)
{
	struct text wanted = item->words[index];

	if (item->kind == QUERY_PREFIX && index == item->word_count - 1)
		return text_starts(word, wanted);
	return text_equal(word, wanted) ||
	    (item->variant.size > 0 && text_equal(word, item->variant));
}

static bool
is_wanted(const struct scan *scan, struct text word)
{
	if (!scan->first_bytes[(unsigned char)word.data[0]])
		return false;
	for (size_t i = 0; i < scan->query->count; i++)
		for (size_t k = 0; k < scan->query->items[i].word_count; k++)
			if (is_word(&scan->query->items[i], k, word))
				return true;
	return false;
}

static void
scan_add(struct scan *scan, const struct word *word)
{
	if (scan->count == scan->room) {
		struct found *former = scan->found;

		scan->room = scan->room * 2 + 64;
		scan->found = arena_new(scan->arena, struct found, scan->room);
		if (scan->count > 0)
			memcpy(
			    scan->found, former, scan->count * sizeof(*former));
	}
	scan->found[scan->count++] =
	    (struct found){ .word = text_copy(scan->arena, word->text),
		    .start = word->start,
		    .end = word->end,
		    .position = word->position };
}

static void
scan_text(struct scan *scan, struct text text)
{
	struct words words;
	struct word word;

	scan->count = 0;
	words_begin(&words, text);
	while (words_next(&words, &word))
		if (is_wanted(scan, word.text))
			scan_add(scan, &word);
}

/* The end of the words of an item that begin at a word of the text; 0 if they do not follow it. */
static size_t
scan_follow(
    const struct scan *scan, const struct query_item *item, size_t first)
{
	const struct found *found = &scan->found[first];
	const struct found *end = &scan->found[scan->count];
	uint32_t position = found->position;
	size_t index = 0, last = 0;

	for (; found < end && found->position <= position; found++) {
		if (found->position < position ||
		    !is_word(item, index, found->word))
			continue;
		last = found->end;
		if (++index == item->word_count)
			return last;
		position++;
	}
	return 0;
}

static bool
scan_has(const struct scan *scan, const struct query_item *item)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan_follow(scan, item, i) > 0)
			return true;
	return false;
}

static bool
has_group(struct text names, struct text groups)
{
	struct text name;

	while (text_cut(&names, ',', &name))
		if (text_has_word(groups, name))
			return true;
	return false;
}

/* The host, or one below it. */
static bool
is_within(struct text domain, struct text host)
{
	struct text end;

	if (host.size <= domain.size)
		return text_equal(host, domain);
	end = text_slice(host, host.size - domain.size, domain.size);
	return text_equal(end, domain) &&
	    host.data[host.size - domain.size - 1] == '.';
}

static bool
is_kind(struct text kind, const struct search_post *post)
{
	if (post->id.comment > 0)
		return text_equal(kind, TEXT("comment"));
	return text_equal(kind, TEXT("article")) ||
	    text_equal(kind, post->host.size > 0 ? TEXT("link") : TEXT("text"));
}

static bool
has_value(struct arena *arena, const struct query_item *item,
    const struct query_names *names, const struct search_post *post)
{
	struct text any = query_item_names(arena, item, names);
	uint64_t author;

	switch (item->kind) {
	case QUERY_AUTHOR:
		return text_to_u64(any, &author) && author > 0 &&
		    author == post->author;
	case QUERY_GROUP:
		return has_group(any, post->groups);
	case QUERY_DOMAIN:
		return is_within(item->value, post->host);
	case QUERY_LINK:
		return text_equal(item->value, post->link);
	case QUERY_IS:
		return is_kind(item->value, post);
	default:
		return false;
	}
}

static void
find_values(struct arena *arena, const struct query *query,
    const struct query_names *names, const struct search_post *post,
    bool has[QUERY_ITEMS_MAX])
{
	for (size_t i = 0; i < query->count; i++)
		has[i] = has_value(arena, &query->items[i], names, post);
}

static void
find_words(struct arena *arena, const struct query *query,
    const struct search_post *post, bool has[QUERY_ITEMS_MAX])
{
	struct scan scan;

	scan_begin(&scan, arena, query);
	scan_text(&scan, post->title);
	for (size_t i = 0; i < query->count; i++)
		if (has_words(&query->items[i]))
			has[i] = scan_has(&scan, &query->items[i]);
	scan_text(&scan, post->text);
	for (size_t i = 0; i < query->count; i++)
		if (has_words(&query->items[i]) &&
		    query->items[i].kind != QUERY_TITLE && !has[i])
			has[i] = scan_has(&scan, &query->items[i]);
}

static bool
is_in_time(const struct query *query, int64_t posted)
{
	return (query->after == 0 || posted >= query->after) &&
	    (query->before == 0 || posted < query->before);
}

bool
match_post(struct arena *arena, const struct query *query,
    const struct query_names *names, const struct search_post *post)
{
	bool has[QUERY_ITEMS_MAX] = { false };
	bool holds[QUERY_ITEMS_MAX] = { false };

	if (!query_asks(query) || !is_in_time(query, post->posted))
		return false;
	find_values(arena, query, names, post, has);
	find_words(arena, query, post, has);
	for (size_t i = 0; i < query->count; i++) {
		if (query->items[i].excluded && has[i])
			return false;
		if (!query->items[i].excluded && has[i])
			holds[query->items[i].clause] = true;
	}
	for (size_t i = 0; i < query->clauses; i++)
		if (!holds[i])
			return false;
	return true;
}

static void
mark_item(struct scan *scan, const struct query_item *item)
{
	for (size_t i = 0; i < scan->count; i++) {
		size_t end = scan_follow(scan, item, i);

		if (end > scan->found[i].marked)
			scan->found[i].marked = end;
	}
}

size_t
match_marks(struct arena *arena, const struct query *query,
    enum match_field field, struct text text, struct match_mark *marks,
    size_t room)
{
	struct scan scan;
	size_t count = 0;

	scan_begin(&scan, arena, query);
	scan_text(&scan, text);
	for (size_t i = 0; i < query->count; i++)
		if (has_words(&query->items[i]) && !query->items[i].excluded &&
		    (field == MATCH_TITLE ||
			query->items[i].kind != QUERY_TITLE))
			mark_item(&scan, &query->items[i]);
	for (size_t i = 0; i < scan.count; i++) {
		const struct found *found = &scan.found[i];

		if (found->marked == 0)
			continue;
		if (count > 0 && found->start <= marks[count - 1].end) {
			if (found->marked > marks[count - 1].end)
				marks[count - 1].end = found->marked;
		} else if (count < room) {
			marks[count++] =
			    (struct match_mark){ found->start, found->marked };
		}
	}
	return count;
}

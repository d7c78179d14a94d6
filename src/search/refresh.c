#include "search/refresh.h"

#include "base/arena.h"
#include "base/buffer.h"

enum {
	MINUTE = 60,
	TEN_MINUTES = 600,
	HOUR = 3600,
	SIX_HOURS = 21600,
	DAY = 86400,
	AGES_MAX = 400
};

/* Ages, in seconds, at which a post is due; returns how many. */
static size_t
list_ages(const struct rules *rules, int64_t ages[AGES_MAX])
{
	static const int64_t first[] = { MINUTE, TEN_MINUTES, HOUR, SIX_HOURS };
	int64_t window = rules->vote_window;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		if (first[i] < window)
			ages[count++] = first[i];
	for (int64_t age = DAY; age < window && count < AGES_MAX - 1;
	    age += DAY)
		ages[count++] = age;
	ages[count++] = window + MINUTE;
	return count;
}

/* The time at which a row was posted; that of the next one which is there. */
static enum index_result
posted_at(struct index *index, uint64_t rows, uint64_t row, int64_t *posted)
{
	struct arena arena = { 0 };
	enum index_result result = INDEX_OK;
	struct search_post post;
	bool found = false;

	*posted = INT64_MAX;
	for (; row <= rows && !found && result == INDEX_OK; row++) {
		result = index_row(index, &arena, row, &post, &found);
		arena_reset(&arena);
	}
	if (found && result == INDEX_OK)
		*posted = post.posted;
	arena_free(&arena);
	return result;
}

/* The first row that was posted after a moment, by bisection; rows + 1 if there is none. */
static enum index_result
first_after(struct index *index, uint64_t rows, int64_t moment, uint64_t *first)
{
	uint64_t low = 1, high = rows + 1;
	enum index_result result = INDEX_OK;

	while (low < high && result == INDEX_OK) {
		uint64_t middle = low + (high - low) / 2;
		int64_t posted;

		result = posted_at(index, rows, middle, &posted);
		if (posted > moment)
			high = middle;
		else
			low = middle + 1;
	}
	*first = low;
	return result;
}

/* Adds the ids of the rows from first until behind last to a buffer of ids. */
static enum index_result
add_rows(struct index *index, uint64_t first, uint64_t last, struct buffer *ids)
{
	struct arena arena = { 0 };
	enum index_result result = INDEX_OK;

	for (uint64_t row = first; row < last && result == INDEX_OK; row++) {
		struct search_post post;
		bool found;

		result = index_row(index, &arena, row, &post, &found);
		if (result == INDEX_OK && found)
			buffer_add(ids,
			    (struct text){ (char *)&post.id, sizeof(post.id) });
		arena_reset(&arena);
	}
	arena_free(&arena);
	return result;
}

enum index_result
refresh_due(struct index *index, struct arena *arena, const struct rules *rules,
    int64_t since, int64_t until, struct post_id **ids, size_t *count)
{
	struct buffer due = buffer_in(arena, 1024);
	int64_t ages[AGES_MAX];
	size_t age_count = list_ages(rules, ages);
	struct index_state state;
	enum index_result result = index_state(index, &state);
	/* Of the age before: rows from this one on are in the list already. */
	uint64_t listed = result == INDEX_OK ? state.rows + 1 : 1;

	for (size_t i = 0; i < age_count && result == INDEX_OK; i++) {
		uint64_t first, last;

		result =
		    first_after(index, state.rows, since - ages[i], &first);
		if (result == INDEX_OK)
			result = first_after(
			    index, state.rows, until - ages[i], &last);
		if (result != INDEX_OK)
			break;
		result =
		    add_rows(index, first, last < listed ? last : listed, &due);
		listed = first < listed ? first : listed;
	}
	*ids = (struct post_id *)(void *)due.data;
	*count = due.size / sizeof(struct post_id);
	return result;
}

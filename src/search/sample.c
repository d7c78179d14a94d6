#include "search/sample.h"

#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "search/positions.h"
#include "search/posts.h"
#include "search/writer.h"

enum {
	ATTEMPTS = 20, /* until the index has the latest changes */
	PAUSE_MS = 250
};

/* Rows that are compared in a round trip. */
struct batch {
	struct search_posts_row rows[SEARCH_POSTS_BATCH]; /* as they are */
	struct search_post posts[SEARCH_POSTS_BATCH];	  /* in the index */
	bool found[SEARCH_POSTS_BATCH];			  /* there */
	size_t count;
};

static void
pause_once(void)
{
	const struct timespec pause = { 0, PAUSE_MS * 1000000L };

	nanosleep(&pause, NULL);
}

static enum sample_result
result_of(enum index_result result)
{
	switch (result) {
	case INDEX_OK:
		return SAMPLE_COMPARED;
	case INDEX_ABSENT:
	case INDEX_OTHER:
		return SAMPLE_ABSENT;
	default:
		return SAMPLE_BROKEN;
	}
}

/* Whether the index has been followed to the ends of the streams. */
static enum sample_result
compare_positions(struct store *store, struct arena *arena, struct index *index)
{
	struct positions there = positions_new(arena, store);
	struct positions ends = positions_new(arena, store);
	enum index_result result = positions_read(index, store, &there);

	if (result != INDEX_OK)
		return result_of(result);
	if (changes_end(store, arena, ends.changes) != STORE_OK)
		return SAMPLE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct outbox_id *one = &there.changes[b].last;
		const struct outbox_id *other = &ends.changes[b].last;

		if (one->moment != other->moment ||
		    one->number != other->number)
			return SAMPLE_BEHIND;
	}
	return SAMPLE_COMPARED;
}

static bool
is_same(const struct search_posts_row *row, const struct search_post *post,
    bool found)
{
	if (!row->is_shown || !found)
		return row->is_shown == found;
	return text_equal(row->post.title, post->title) &&
	    text_equal(row->post.text, post->text);
}

/* Reads rows of the index from first on, each step rows after the other. */
static enum index_result
read_rows(struct index *index, struct arena *arena, uint64_t first,
    uint64_t step, struct batch *batch)
{
	enum index_result result = INDEX_OK;

	for (size_t i = 0; i < batch->count && result == INDEX_OK; i++) {
		result = index_row(index, arena, first + i * step,
		    &batch->posts[i], &batch->found[i]);
		batch->rows[i].id = batch->posts[i].id;
	}
	return result;
}

static size_t
print_differences(struct arena *arena, const struct batch *batch, FILE *out)
{
	size_t different = 0;

	for (size_t i = 0; i < batch->count; i++) {
		const struct search_posts_row *row = &batch->rows[i];

		if (is_same(row, &batch->posts[i], batch->found[i]))
			continue;
		fprintf(out,
		    "post %.*s is not in the index for search as it is\n",
		    TEXT_ARGS(key_post_name(arena, row->id)));
		different++;
	}
	return different;
}

static enum sample_result
compare_batch(struct store *store, struct index *index, uint64_t first,
    uint64_t step, struct batch *batch, FILE *out, size_t *different)
{
	struct arena arena = { 0 };
	enum sample_result result =
	    result_of(read_rows(index, &arena, first, step, batch));

	if (result == SAMPLE_COMPARED &&
	    search_posts_read(store, &arena, batch->rows, batch->count) !=
		STORE_OK)
		result = SAMPLE_DOWN;
	/* What has changed meanwhile is at the end of a stream. */
	if (result == SAMPLE_COMPARED)
		result = compare_positions(store, &arena, index);
	if (result == SAMPLE_COMPARED)
		*different += print_differences(&arena, batch, out);
	arena_free(&arena);
	return result;
}

static void
compare_rows(
    struct store *store, struct index *index, FILE *out, struct sample *sample)
{
	uint64_t step = sample->rows / SAMPLE_MAX + 1;
	/* Other rows each time. */
	uint64_t row = 1 + (uint64_t)clock_monotonic_us() % step;
	int attempts = 0;

	while (row <= sample->rows && sample->result == SAMPLE_COMPARED) {
		uint64_t left = (sample->rows - row) / step + 1;
		struct batch batch = { .count = left < SEARCH_POSTS_BATCH
			    ? left
			    : SEARCH_POSTS_BATCH };

		sample->result = compare_batch(
		    store, index, row, step, &batch, out, &sample->different);
		if (sample->result == SAMPLE_COMPARED) {
			row += batch.count * step;
			sample->compared += batch.count;
		} else if (sample->result == SAMPLE_BEHIND &&
		    attempts++ < ATTEMPTS) {
			sample->result = SAMPLE_COMPARED;
			pause_once();
		}
	}
}

void
sample_compare(
    struct store *store, const char *path, FILE *out, struct sample *sample)
{
	struct arena arena = { 0 };
	struct index *index;
	struct index_state state;
	enum index_result result =
	    index_open(path, INDEX_READ, writer_site(&arena, store), &index);

	if (result == INDEX_OK)
		result = index_state(index, &state);
	*sample = (struct sample){ .result = result_of(result) };
	if (result == INDEX_OK) {
		sample->rows = state.rows;
		compare_rows(store, index, out, sample);
	}
	index_close(index);
	arena_free(&arena);
}

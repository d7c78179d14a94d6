#include "search/build.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "redis/redis.h"
#include "search/positions.h"
#include "search/posts.h"
#include "store/encoding.h"
#include "store/site.h"

/* A commit writes a segment, which is merged with others later. */
enum { COMMITTED_POSTS = 100 * SEARCH_POSTS_BATCH };

/* In this order. */
enum phase { PHASE_BEGIN, PHASE_WALK, PHASE_WRITE, PHASE_FINISH };

struct build {
	struct store *store;
	struct text site;
	char *path;
	enum phase phase;
	struct positions positions;
	uint64_t bucket; /* of the walk */
	struct search_posts_cursor cursor;
	struct search_posts_places places;
	size_t written;
	struct index *index;
	struct arena memory, arena; /* of the build, and of a step */
};

struct build *
build_new(struct store *store, const char *path, struct text site)
{
	struct build *build = calloc(1, sizeof(*build));

	if (build == NULL)
		log_fatal("out of memory: no index for search");
	build->store = store;
	build->path = text_string(&build->memory, text_of(path));
	build->site = text_copy(&build->memory, site);
	build->positions = positions_new(&build->memory, store);
	return build;
}

void
build_free(struct build *build)
{
	if (build == NULL)
		return;
	if (build->index != NULL) {
		index_close(build->index);
		unlink(build->path);
	}
	free(build->places.items);
	arena_free(&build->memory);
	arena_free(&build->arena);
	free(build);
}

static enum build_result
begin(struct build *build)
{
	if (changes_end(build->store, &build->arena,
		build->positions.changes) != STORE_OK ||
	    site_time(build->store, &build->arena,
		&build->positions.refreshed) != STORE_OK)
		return BUILD_DOWN;
	if (index_open(build->path, INDEX_CREATE, build->site, &build->index) !=
	    INDEX_OK)
		return BUILD_FAILED;
	build->phase = PHASE_WALK;
	return BUILD_GOES_ON;
}

static enum build_result
walk(struct build *build)
{
	if (search_posts_walk(build->store, &build->arena, build->bucket,
		&build->cursor, &build->places) != STORE_OK)
		return BUILD_DOWN;
	if (!build->cursor.is_over)
		return BUILD_GOES_ON;
	build->cursor = (struct search_posts_cursor){ .posted = 0 };
	build->bucket++;
	if (build->bucket == build->store->buckets.count) {
		search_posts_sort(&build->places);
		build->phase = PHASE_WRITE;
	}
	return BUILD_GOES_ON;
}

static enum build_result
finish(struct build *build)
{
	bool more;

	if (index_finish(build->index, &more) != INDEX_OK)
		return BUILD_FAILED;
	if (more)
		return BUILD_GOES_ON;
	index_close(build->index);
	build->index = NULL;
	return BUILD_DONE;
}

static enum build_result
end_writing(struct build *build)
{
	build->phase = PHASE_FINISH;
	return positions_commit(
		   build->index, build->store, &build->positions) == INDEX_OK
	    ? BUILD_GOES_ON
	    : BUILD_FAILED;
}

static enum build_result
write_batch(struct build *build)
{
	size_t left = build->places.count - build->written;
	size_t count = left < SEARCH_POSTS_BATCH ? left : SEARCH_POSTS_BATCH;
	struct search_posts_row *rows =
	    arena_new(&build->arena, struct search_posts_row, count);
	enum index_result result;

	if (count == 0)
		return end_writing(build);
	for (size_t i = 0; i < count; i++)
		rows[i].id = post_id_from_number(
		    build->places.items[build->written + i].post);
	if (search_posts_read(build->store, &build->arena, rows, count) !=
	    STORE_OK)
		return BUILD_DOWN;
	result = search_posts_write(build->index, rows, count);
	build->written += count;
	if (result == INDEX_OK && build->written % COMMITTED_POSTS == 0)
		result = index_commit(build->index, NULL, 0);
	return result == INDEX_OK ? BUILD_GOES_ON : BUILD_FAILED;
}

enum build_result
build_step(struct build *build)
{
	arena_reset(&build->arena);
	switch (build->phase) {
	case PHASE_BEGIN:
		return begin(build);
	case PHASE_WALK:
		return walk(build);
	case PHASE_WRITE:
		return write_batch(build);
	default:
		return finish(build);
	}
}

/* Walking takes a tenth of the time. */
int
build_percent(const struct build *build)
{
	uint64_t buckets = build->store->buckets.count;

	if (build->phase == PHASE_BEGIN)
		return 0;
	if (build->phase == PHASE_WALK)
		return (int)(10 * build->bucket / buckets);
	return build->places.count == 0
	    ? 99
	    : (int)(10 + 89 * build->written / build->places.count);
}

size_t
build_posts(const struct build *build)
{
	return build->written;
}

#include "search/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/log.h"
#include "os/process.h"
#include "redis/redis.h"
#include "search/build.h"
#include "search/positions.h"
#include "search/posts.h"
#include "search/refresh.h"
#include "store/site.h"

enum {
	PAUSE_MS = 250,
	BUILD_PAUSE_MS = 1000,	/* at most, after a step */
	RETRY_MS = 1000,	/* after the disk failed, */
	BUILD_RETRY_MS = 10000, /* while building */
	REFRESH_MS = 30000,	/* between two refreshes of points */
	/* Posts that are new here and older than this were loaded; what is out of
	 * order is built again once nothing has changed for so long. */
	OLD_SECONDS = 86400,
	QUIET_MS = 5000
};

struct writer {
	struct store *store;
	struct search_state *state;
	struct text site;
	char *path, *build_path, *lock_path;
	int lock;			  /* -1: another writer has it */
	struct index *index;		  /* NULL: it is to be opened */
	struct build *build;		  /* NULL: none is being built */
	struct positions positions, next; /* committed, and read */
	int64_t again_at;		  /* when to go on after a failure */
	int64_t refresh_at;
	int64_t changed_at; /* when changes were last written */
	bool is_disordered; /* old posts have places behind newer ones */
	bool is_tidy;
	int64_t logged;
	struct arena memory, arena,
	    batch; /* of the writer, a step, some posts */
};

static char *
path_in(struct writer *writer, const char *folder, const char *name)
{
	return text_string(&writer->memory,
	    text_format(&writer->memory, "%s/%s", folder, name));
}

struct text
writer_site(struct arena *arena, const struct store *store)
{
	return crypto_digest_hex(arena, TEXT("search"), store->secret);
}

struct writer *
writer_new(struct store *store, struct search_state *state, const char *folder,
    struct text site)
{
	struct writer *writer = calloc(1, sizeof(*writer));

	if (writer == NULL)
		log_fatal("out of memory: no search");
	writer->store = store;
	writer->state = state;
	writer->lock = -1;
	writer->site = text_copy(&writer->memory, site);
	writer->path = path_in(writer, folder, WRITER_FILE);
	writer->build_path = path_in(writer, folder, "index.new");
	writer->lock_path = path_in(writer, folder, "lock");
	writer->positions = positions_new(&writer->memory, store);
	writer->next = positions_new(&writer->memory, store);
	return writer;
}

void
writer_free(struct writer *writer)
{
	build_free(writer->build);
	index_close(writer->index);
	if (writer->lock >= 0)
		close(writer->lock);
	arena_free(&writer->memory);
	arena_free(&writer->arena);
	arena_free(&writer->batch);
	free(writer);
}

static bool
take_lock(struct writer *writer)
{
	int file = open(
	    writer->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (file < 0) {
		log_limited(&writer->logged, "search is away: %s: %s",
		    writer->lock_path, strerror(errno));
		return false;
	}
	if (flock(file, LOCK_EX | LOCK_NB) != 0) {
		close(file);
		return false;
	}
	writer->lock = file;
	return true;
}

static void
begin_build(struct writer *writer, const char *why)
{
	log_line("search: the index is built, since %s", why);
	index_close(writer->index);
	writer->index = NULL;
	writer->is_disordered = false;
	atomic_store(&writer->state->is_broken, false);
	atomic_store(&writer->state->is_unwanted, false);
	atomic_store(&writer->state->building, 0);
	writer->build =
	    build_new(writer->store, writer->build_path, writer->site);
}

/* What was not committed is written again, from the last commit on. */
static void
fail_index(struct writer *writer, enum index_result result)
{
	if (result != INDEX_FAILED) {
		begin_build(writer, "it is damaged");
		return;
	}
	log_limited(&writer->logged,
	    "search: the index cannot be read or written; is the disk full?");
	index_close(writer->index);
	writer->index = NULL;
	writer->again_at = clock_monotonic_ms() + RETRY_MS;
}

static void
publish_state(struct writer *writer)
{
	struct index_state state;

	if (index_state(writer->index, &state) != INDEX_OK)
		return;
	atomic_store(&writer->state->rows, (int64_t)state.rows);
	atomic_store(&writer->state->bytes, (int64_t)state.bytes);
}

/* Opens the index, or begins to build it. */
static void
open_index(struct writer *writer)
{
	enum index_result result =
	    index_open(writer->path, INDEX_WRITE, writer->site, &writer->index);

	if (result == INDEX_OK)
		result = positions_read(
		    writer->index, writer->store, &writer->positions);
	switch (result) {
	case INDEX_OK:
		writer->is_tidy = false;
		writer->refresh_at = 0;
		publish_state(writer);
		return;
	case INDEX_ABSENT:
		begin_build(writer, "there is none");
		return;
	case INDEX_OTHER:
		begin_build(
		    writer, "it is of another version or of another site");
		return;
	default:
		fail_index(writer, result);
	}
}

static uint64_t
count_rows(struct writer *writer)
{
	struct index_state state;

	return index_state(writer->index, &state) == INDEX_OK ? state.rows : 0;
}

/* Places are in the order of posting: dates are found by it. */
static void
note_order(struct writer *writer, const struct search_posts_row *rows,
    size_t count, uint64_t before)
{
	int64_t limit = writer->positions.refreshed - OLD_SECONDS;

	if (count_rows(writer) == before)
		return;
	for (size_t i = 0; i < count; i++)
		if (rows[i].is_shown && rows[i].post.posted < limit)
			writer->is_disordered = true;
}

/* Writes posts as they are now; those of one step are committed together. */
static bool
write_batch(struct writer *writer, struct search_posts_row *rows, size_t count)
{
	uint64_t before = count_rows(writer);
	enum index_result result;

	process_heartbeat();
	if (search_posts_read(writer->store, &writer->batch, rows, count) !=
	    STORE_OK) {
		/* Nothing of this step is kept. */
		index_close(writer->index);
		writer->index = NULL;
		return false;
	}
	result = search_posts_write(writer->index, rows, count);
	if (result != INDEX_OK)
		fail_index(writer, result);
	else
		note_order(writer, rows, count, before);
	return result == INDEX_OK;
}

/* All comments on an article: they are shown if it is, and found in its groups. */
static bool
write_comments(struct writer *writer, uint64_t article, uint64_t last)
{
	for (uint64_t first = 1; first <= last; first += SEARCH_POSTS_BATCH) {
		struct search_posts_row rows[SEARCH_POSTS_BATCH];
		size_t count = 0;

		while (count < SEARCH_POSTS_BATCH && first + count <= last) {
			rows[count].id =
			    (struct post_id){ article, first + count };
			count++;
		}
		arena_reset(&writer->batch);
		if (!write_batch(writer, rows, count))
			return false;
	}
	return true;
}

static bool
write_posts(struct writer *writer, const struct post_id *ids, size_t count)
{
	for (size_t done = 0; done < count; done += SEARCH_POSTS_BATCH) {
		size_t size = count - done < SEARCH_POSTS_BATCH
		    ? count - done
		    : SEARCH_POSTS_BATCH;
		struct search_posts_row rows[SEARCH_POSTS_BATCH];

		for (size_t i = 0; i < size; i++)
			rows[i].id = ids[done + i];
		arena_reset(&writer->batch);
		if (!write_batch(writer, rows, size))
			return false;
		for (size_t i = 0; i < size; i++)
			if (!write_comments(writer, rows[i].id.article,
				rows[i].last_comment))
				return false;
	}
	return true;
}

static int
compare_ids(const void *a, const void *b)
{
	const struct post_id *one = a, *other = b;

	if (one->article != other->article)
		return one->article < other->article ? -1 : 1;
	return one->comment == other->comment ? 0
	    : one->comment < other->comment   ? -1
					      : 1;
}

/* Leaves each post once; returns how many there are. */
static size_t
unite(struct post_id *ids, size_t count)
{
	size_t kept = 0;

	if (count > 0)
		qsort(ids, count, sizeof(*ids), compare_ids);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || compare_ids(&ids[i], &ids[i - 1]) != 0)
			ids[kept++] = ids[i];
	return kept;
}

static bool
commit(struct writer *writer)
{
	enum index_result result =
	    positions_commit(writer->index, writer->store, &writer->next);

	if (result != INDEX_OK) {
		fail_index(writer, result);
		return false;
	}
	positions_copy(&writer->positions, &writer->next, writer->store);
	writer->is_tidy = false;
	publish_state(writer);
	return true;
}

/* Reads the points again of posts that are due. */
static void
refresh_points(struct writer *writer)
{
	struct post_id *ids;
	size_t count;
	int64_t now;
	enum index_result result;

	if (site_time(writer->store, &writer->arena, &now) != STORE_OK)
		return;
	writer->refresh_at = clock_monotonic_ms() + REFRESH_MS;
	result =
	    refresh_due(writer->index, &writer->arena, &writer->store->rules,
		writer->positions.refreshed, now, &ids, &count);
	if (result != INDEX_OK) {
		fail_index(writer, result);
		return;
	}
	writer->next.refreshed = now;
	for (size_t i = 0; i < count; i += SEARCH_POSTS_BATCH) {
		struct search_posts_row rows[SEARCH_POSTS_BATCH];
		size_t size = 0;

		while (size < SEARCH_POSTS_BATCH && i + size < count) {
			rows[size].id = ids[i + size];
			size++;
		}
		arena_reset(&writer->batch);
		if (!write_batch(writer, rows, size))
			return;
	}
	commit(writer);
}

/* With nothing to write. */
static int
use_pause(struct writer *writer)
{
	bool has_more = true;
	enum index_result result;

	if (clock_monotonic_ms() >= writer->refresh_at) {
		refresh_points(writer);
		return PAUSE_MS;
	}
	if (writer->is_tidy)
		return PAUSE_MS;
	result = index_tidy(writer->index, &has_more);
	if (result != INDEX_OK)
		fail_index(writer, result);
	else
		writer->is_tidy = !has_more;
	return PAUSE_MS;
}

/* Why the index is to be built although it could be read; NULL if it is not. */
static const char *
reason_to_build(const struct writer *writer)
{
	if (atomic_load(&writer->state->is_broken))
		return "it is damaged";
	if (atomic_load(&writer->state->is_unwanted))
		return "that was asked for";
	if (index_is_replaced(writer->index))
		return "its file was deleted";
	if (writer->is_disordered &&
	    clock_monotonic_ms() - writer->changed_at > QUIET_MS)
		return "old posts were loaded";
	return NULL;
}

static int
follow_changes(struct writer *writer)
{
	int64_t began = clock_monotonic_ms();
	const char *reason = reason_to_build(writer);
	struct changes changes;
	enum changes_result result;

	if (reason != NULL) {
		begin_build(writer, reason);
		return 0;
	}
	positions_copy(&writer->next, &writer->positions, writer->store);
	result = changes_read(
	    writer->store, &writer->arena, writer->next.changes, &changes);
	if (result == CHANGES_DOWN)
		return PAUSE_MS;
	if (result == CHANGES_GAP) {
		begin_build(writer, "changes may have been missed");
		return 0;
	}
	changes.count = unite(changes.posts, changes.count);
	if (changes.count > 0 &&
	    !(write_posts(writer, changes.posts, changes.count) &&
		commit(writer)))
		return PAUSE_MS;
	if (changes.count > 0)
		writer->changed_at = began;
	if (changes.has_more)
		return 0;
	atomic_store(&writer->state->followed_at, began);
	return changes.count > 0 ? PAUSE_MS : use_pause(writer);
}

static void
end_build(struct writer *writer, enum build_result result)
{
	size_t posts = build_posts(writer->build);

	build_free(writer->build);
	writer->build = NULL;
	atomic_store(&writer->state->building, -1);
	/* Of the one that is replaced. */
	atomic_store(&writer->state->is_broken, false);
	if (result == BUILD_DONE &&
	    index_replace(writer->build_path, writer->path) == INDEX_OK) {
		log_line("search: the index is built, of %zu post%s", posts,
		    TEXT_PLURAL(posts));
		return;
	}
	log_line("search: the index cannot be built; is the disk full?");
	writer->again_at = clock_monotonic_ms() + BUILD_RETRY_MS;
}

static int
go_on_building(struct writer *writer)
{
	int64_t began = clock_monotonic_ms(), taken;
	enum build_result result = build_step(writer->build);

	switch (result) {
	case BUILD_GOES_ON:
		break;
	case BUILD_DOWN:
		return PAUSE_MS;
	default:
		end_build(writer, result);
		return 0;
	}
	atomic_store(&writer->state->building, build_percent(writer->build));
	taken = clock_monotonic_ms() - began;
	return taken < BUILD_PAUSE_MS ? (int)taken : BUILD_PAUSE_MS;
}

int
writer_step(struct writer *writer)
{
	int64_t left = writer->again_at - clock_monotonic_ms();

	arena_reset(&writer->arena);
	if (writer->lock < 0 && !take_lock(writer))
		return PAUSE_MS;
	if (left > 0)
		return left < PAUSE_MS ? (int)left : PAUSE_MS;
	if (writer->build != NULL)
		return go_on_building(writer);
	if (writer->index == NULL)
		open_index(writer);
	if (writer->index == NULL)
		return writer->build != NULL ? 0 : PAUSE_MS;
	return follow_changes(writer);
}

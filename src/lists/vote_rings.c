#include "lists/vote_rings.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/background.h"
#include "base/buffer.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/site.h"

/*
 * How a request gets the figures:
 *
 *	vote_rings_get -- fresh? --------------------------> the cached figures
 *	      |          -- another request is finding? ---> the cached ones, is_awaited
 *	      v
 *	read_input  (Redis) --> vote_rings_find (background) --> read_names (Redis)
 *	      |                                                        |
 *	      +------ other requests are served in each step ----------+
 *	                                                               v
 *	                               copied to an arena of their own, counted by users
 */

/* Of 1,000 votes each at most: other requests are served between two batches. */
enum { RECORDS_BATCH = 8 };

/* Asks for the newest articles of a bucket that take votes. */
static void
ask_newest(struct pipeline *pipeline, const struct store *store,
    uint64_t bucket, int64_t now)
{
	struct arena *arena = pipeline->arena;
	uint64_t each = VOTE_RINGS_ARTICLES / store->buckets.count + 1;

	pipeline_add(pipeline, TEXT("ZRANGE"),
	    key_time(arena, &store->buckets, bucket, TEXT("")), TEXT("+inf"),
	    text_number(arena, now - store->rules.vote_window), TEXT("BYSCORE"),
	    TEXT("REV"), TEXT("LIMIT"), TEXT("0"),
	    text_number(arena, (int64_t)each));
}

static enum store_result
read_ids(struct store *store, struct arena *arena, uint64_t *ids, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t now;

	*count = 0;
	if (site_time(store, arena, &now) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_newest(&pipeline, store, b, now);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *members = &pipeline.replies[b];

		for (size_t i = 0;
		    i < members->count && *count < VOTE_RINGS_ARTICLES; i++)
			ids[(*count)++] = decode_post_number(
			    reply_text(reply_item(members, i)));
	}
	return STORE_OK;
}

/* Reads the authors of articles, and drops articles on which too many voted. */
static enum store_result
read_authors(struct store *store, struct arena *arena, uint64_t *ids,
    uint64_t *authors, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t read = 0;

	for (size_t i = 0; i < *count; i++) {
		struct post_id id = article_id(ids[i]);

		pipeline_add(&pipeline, TEXT("SCARD"),
		    key_voters(arena, &store->buckets, id));
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets, id), TEXT("author"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];
		struct text author = reply_text(&replies[1]), id;

		if (reply_number(&replies[0]) > VOTE_RINGS_VOTERS)
			continue;
		text_cut(&author, ' ', &id);
		ids[read] = ids[i];
		authors[read++] = (uint64_t)reply_number_of(id);
	}
	*count = read;
	return STORE_OK;
}

/* Adds the upvotes that count, without the author's. */
static void
add_votes(struct buffer *votes, const struct reply *record, uint32_t article,
    uint64_t author)
{
	for (size_t i = 0; i < record->count; i++) {
		int64_t voter = reply_number(reply_item(record, i));
		struct vote_rings_vote vote = { (uint64_t)voter, article };

		if (voter > 0 && voter < KEY_VOID_OFFSET &&
		    vote.voter != author)
			buffer_add(votes,
			    (struct text){ (char *)&vote, sizeof(vote) });
	}
}

/* Reads the votes on a batch of articles, in an arena of their own: Redis's replies take ten
 * times as much memory as the votes. */
static enum store_result
read_votes(struct store *store, const struct vote_rings_input *input,
    size_t first, struct buffer *votes)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);
	bool is_read;

	for (size_t i = first; i < input->articles && i < first + RECORDS_BATCH;
	    i++)
		pipeline_add(&pipeline, TEXT("SMEMBERS"),
		    key_voters(
			&arena, &store->buckets, article_id(input->ids[i])));
	is_read = redis_run(&pipeline);
	for (size_t i = 0; is_read && i < pipeline.count; i++)
		add_votes(votes, &pipeline.replies[i], (uint32_t)(first + i),
		    input->authors[first + i]);
	arena_free(&arena);
	return is_read ? STORE_OK : STORE_DOWN;
}

static enum store_result
read_input(struct store *store, struct arena *arena,
    struct vote_rings_input *input, struct vote_rings *rings)
{
	uint64_t *ids = arena_new(arena, uint64_t, VOTE_RINGS_ARTICLES);
	uint64_t *authors = arena_new(arena, uint64_t, VOTE_RINGS_ARTICLES);
	struct buffer votes = buffer_in(arena, 4096);
	size_t count;

	*rings = (struct vote_rings){ .count = 0 };
	if (read_ids(store, arena, ids, &count) != STORE_OK)
		return STORE_DOWN;
	rings->is_cut = count == VOTE_RINGS_ARTICLES;
	if (read_authors(store, arena, ids, authors, &count) != STORE_OK)
		return STORE_DOWN;
	*input = (struct vote_rings_input){
		.ids = ids, .authors = authors, .articles = count
	};
	for (size_t i = 0; i < count; i += RECORDS_BATCH)
		if (read_votes(store, input, i, &votes) != STORE_OK)
			return STORE_DOWN;
	input->votes = (struct vote_rings_vote *)(void *)votes.data;
	input->count = votes.size / sizeof(struct vote_rings_vote);
	return STORE_OK;
}

static void
ask_name(struct pipeline *pipeline, const struct member *member)
{
	pipeline_add(pipeline, TEXT("HGET"),
	    key_user(pipeline->arena, member->id), TEXT("name"));
}

static enum store_result
read_names(struct store *store, struct arena *arena, struct vote_rings *rings)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t r = 0; r < rings->count; r++) {
		const struct vote_ring *ring = &rings->items[r];

		for (size_t i = 0; i < ring->count; i++)
			ask_name(&pipeline, &ring->members[i].member);
		for (size_t i = 0; i < ring->author_count; i++)
			ask_name(&pipeline, &ring->authors[i]);
		for (size_t i = 0; i < ring->shown; i++)
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_post(arena, &store->buckets,
				article_id(ring->articles[i].id)),
			    TEXT("title"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t r = 0; r < rings->count; r++) {
		struct vote_ring *ring = &rings->items[r];

		for (size_t i = 0; i < ring->count; i++)
			ring->members[i].member.name = reply_text(reply++);
		for (size_t i = 0; i < ring->author_count; i++)
			ring->authors[i].name = reply_text(reply++);
		for (size_t i = 0; i < ring->shown; i++)
			ring->articles[i].title = reply_text(reply++);
	}
	return STORE_OK;
}

/* The job of the background. */
struct search_task {
	struct arena *arena;
	struct vote_rings_input input;
	struct vote_rings *rings;
};

static void
run_search(void *data)
{
	struct search_task *task = data;

	vote_rings_find(task->arena, &task->input, task->rings);
}

static void
yield_background(void *data)
{
	background_yield(data);
}

STORE_CALL
vote_rings_read(struct store *store, struct arena *arena,
    struct background *background, struct vote_rings *rings)
{
	struct search_task task = { .arena = arena, .rings = rings };

	if (read_input(store, arena, &task.input, rings) != STORE_OK)
		return STORE_DOWN;
	if (background != NULL) {
		task.input.yield = yield_background;
		task.input.yield_data = background;
	}
	if (!background_run(background, run_search, &task))
		return STORE_LIMITED;
	return read_names(store, arena, rings);
}

struct vote_rings_cache {
	/* The cache is one of their users. */
	struct vote_rings_figures *figures;
	bool is_finding;
};

struct vote_rings_cache *
vote_rings_cache_new(void)
{
	struct vote_rings_cache *cache = calloc(1, sizeof(*cache));

	if (cache == NULL)
		log_fatal("out of memory: the rings");
	return cache;
}

void
vote_rings_cache_free(struct vote_rings_cache *cache)
{
	vote_rings_release(cache->figures);
	free(cache);
}

void
vote_rings_release(struct vote_rings_figures *figures)
{
	if (figures == NULL || --figures->users > 0)
		return;
	arena_free(&figures->arena);
	free(figures);
}

/* Figures of an equal moment differ by votes alone. */
struct moment {
	int64_t now;	  /* Unix seconds */
	uint64_t actions; /* the number of moderators' actions */
};

static enum store_result
read_moment(struct store *store, struct arena *arena, struct moment *moment)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	*moment = (struct moment){ .actions = 0 };
	if (site_time(store, arena, &moment->now) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_mod_action_counter(arena, &store->buckets, b));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		moment->actions += (uint64_t)reply_number(&pipeline.replies[b]);
	return STORE_OK;
}

static bool
is_fresh(const struct vote_rings_figures *figures, const struct moment *moment)
{
	return figures != NULL && figures->actions == moment->actions &&
	    moment->now >= figures->at &&
	    moment->now - figures->at < VOTE_RINGS_TTL;
}

/* Copies all of a ring into the arena. */
static struct vote_ring
copy_ring(struct arena *arena, const struct vote_ring *ring)
{
	struct vote_ring copy = *ring;

	copy.members = arena_new(arena, struct vote_ring_member, ring->count);
	for (size_t i = 0; i < ring->count; i++) {
		copy.members[i] = ring->members[i];
		copy.members[i].member.name =
		    text_copy(arena, ring->members[i].member.name);
	}
	for (size_t i = 0; i < ring->author_count; i++)
		copy.authors[i].name = text_copy(arena, ring->authors[i].name);
	copy.articles = arena_new(arena, struct vote_ring_article, ring->shown);
	for (size_t i = 0; i < ring->shown; i++) {
		copy.articles[i] = ring->articles[i];
		copy.articles[i].title =
		    text_copy(arena, ring->articles[i].title);
	}
	return copy;
}

static struct vote_rings_figures *
new_figures(const struct vote_rings *rings, const struct moment *moment)
{
	struct vote_rings_figures *figures = calloc(1, sizeof(*figures));

	if (figures == NULL)
		log_fatal("out of memory: the rings");
	*figures = (struct vote_rings_figures){ .rings = *rings,
		.at = moment->now,
		.actions = moment->actions,
		.users = 1 };
	figures->rings.items =
	    arena_new(&figures->arena, struct vote_ring, rings->count);
	for (size_t i = 0; i < rings->count; i++)
		figures->rings.items[i] =
		    copy_ring(&figures->arena, &rings->items[i]);
	return figures;
}

STORE_CALL
vote_rings_get(struct vote_rings_cache *cache, struct store *store,
    struct arena *arena, struct background *background,
    struct vote_rings_figures **figures, bool *is_awaited)
{
	struct vote_rings_cache nothing = { .figures = NULL };
	struct vote_rings rings;
	struct moment moment;
	enum store_result result = read_moment(store, arena, &moment);

	*is_awaited = false;
	if (result != STORE_OK)
		return result;
	if (cache == NULL)
		cache = &nothing;
	*is_awaited = cache->is_finding && !is_fresh(cache->figures, &moment);
	*figures = cache->figures;
	if (!*is_awaited && !is_fresh(cache->figures, &moment)) {
		cache->is_finding = true;
		result = vote_rings_read(store, arena, background, &rings);
		cache->is_finding = false;
		if (result != STORE_OK)
			return result;
		vote_rings_release(cache->figures);
		cache->figures = new_figures(&rings, &moment);
		*figures = cache->figures;
	}
	if (cache != &nothing && *figures != NULL)
		(*figures)->users++;
	return STORE_OK;
}

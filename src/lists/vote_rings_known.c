#include "lists/vote_rings_known.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/background.h"
#include "base/log.h"
#include "lists/vote_rings_read.h"
#include "redis/redis.h"
#include "store/site.h"

struct vote_rings_cache {
	struct vote_rings_figures *figures; /* one user of them is this */
	bool is_finding;
};

struct vote_rings_cache *
vote_rings_cache_new(void)
{
	struct vote_rings_cache *known = calloc(1, sizeof(*known));

	if (known == NULL)
		log_fatal("out of memory: the rings");
	return known;
}

void
vote_rings_cache_free(struct vote_rings_cache *known)
{
	vote_rings_release(known->figures);
	free(known);
}

void
vote_rings_release(struct vote_rings_figures *figures)
{
	if (figures == NULL || --figures->users > 0)
		return;
	arena_free(&figures->arena);
	free(figures);
}

static struct vote_rings_figures *
hold(struct vote_rings_figures *figures)
{
	if (figures != NULL)
		figures->users++;
	return figures;
}

/* Figures of then are the same as those of now, but for votes. */
struct moment {
	int64_t now;   /* Unix seconds */
	uint64_t acts; /* that moderators have done */
};

static enum store_result
read_moment(struct store *store, struct arena *arena, struct moment *moment)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	*moment = (struct moment){ .acts = 0 };
	if (site_time(store, arena, &moment->now) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_mod_action_counter(arena, &store->buckets, b));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		moment->acts += (uint64_t)reply_number(&pipeline.replies[b]);
	return STORE_OK;
}

static bool
is_fresh(const struct vote_rings_figures *figures, const struct moment *moment)
{
	return figures != NULL && figures->acts == moment->acts &&
	    moment->now >= figures->at &&
	    moment->now - figures->at < VOTE_RINGS_TTL;
}

/* What the background works with. */
struct finding {
	struct arena *arena;
	struct vote_rings_input input;
	struct vote_rings rings;
};

static void
find(void *data)
{
	struct finding *finding = data;

	vote_rings_find(finding->arena, &finding->input, &finding->rings);
}

static void
give_way(void *data)
{
	background_yield(data);
}

static enum store_result
find_rings(
    struct store *store, struct background *background, struct finding *finding)
{
	if (vote_rings_read_input(store, finding->arena, &finding->input,
		&finding->rings) != STORE_OK)
		return STORE_DOWN;
	if (background != NULL) {
		finding->input.rest = give_way;
		finding->input.rest_data = background;
	}
	if (!background_run(background, find, finding))
		return STORE_LIMITED;
	return vote_rings_read_names(store, finding->arena, &finding->rings);
}

/* Into the arena, where nothing is of what it was found in. */
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
		.acts = moment->acts,
		.users = 1 };
	figures->rings.items =
	    arena_new(&figures->arena, struct vote_ring, rings->count);
	for (size_t i = 0; i < rings->count; i++)
		figures->rings.items[i] =
		    copy_ring(&figures->arena, &rings->items[i]);
	return figures;
}

STORE_CALL
vote_rings_get(struct vote_rings_cache *known, struct store *store,
    struct arena *arena, struct background *background,
    struct vote_rings_figures **figures, bool *is_awaited)
{
	struct vote_rings_cache nothing = { .figures = NULL };
	struct finding finding = { .arena = arena };
	struct moment moment;
	enum store_result result = read_moment(store, arena, &moment);

	*is_awaited = false;
	if (result != STORE_OK)
		return result;
	if (known == NULL)
		known = &nothing;
	*is_awaited = known->is_finding && !is_fresh(known->figures, &moment);
	*figures = known->figures;
	if (!*is_awaited && !is_fresh(known->figures, &moment)) {
		known->is_finding = true;
		result = find_rings(store, background, &finding);
		known->is_finding = false;
		if (result != STORE_OK)
			return result;
		vote_rings_release(known->figures);
		known->figures = new_figures(&finding.rings, &moment);
		*figures = known->figures;
	}
	if (known != &nothing)
		hold(*figures);
	return STORE_OK;
}

/* The cache of voting rings: when they are computed, and for how long they are
 * shown. */
#include "lists/vote_rings.h"

#include <poll.h>

#include "../support/world.h"
#include "base/background.h"
#include "base/fiber.h"
#include "redis/redis.h"
#include "store/mod_action.h"

/* A request for the page. */
struct request {
	struct world *world;
	struct vote_rings_cache *cache;
	struct background *background;
	struct arena arena;
	struct vote_rings_figures *figures;
	bool is_awaited, ended;
};

static void
ask(void *data)
{
	struct request *request = data;

	assert_int_equal(vote_rings_get(request->cache, &request->world->store,
			     &request->arena, request->background,
			     &request->figures, &request->is_awaited),
	    STORE_OK);
	request->ended = true;
}

static struct request
ask_now(struct world *world, struct vote_rings_cache *cache)
{
	struct request request = { .world = world, .cache = cache };

	ask(&request);
	arena_free(&request.arena);
	return request;
}

/* Seven articles of eve's, which sam and pam upvote, among forty. */
static void
plant(struct world *world)
{
	uint64_t eve = world_member(world, "eve");
	uint64_t ann = world_member(world, "ann");
	uint64_t sam = world_member(world, "sam");
	uint64_t pam = world_member(world, "pam");

	world_stop_clock(world, NOON);
	for (int i = 0; i < 40; i++) {
		uint64_t id = world_post(world, i < 7 ? eve : ann, "A title",
		    fixture_string(&world->arena, "http://a.example/%d", i),
		    "");

		if (i < 7) {
			world_vote(world, id, sam, VOTE_UP);
			world_vote(world, id, pam, VOTE_UP);
		}
	}
}

/* The effect of a suspension by a moderator. */
static void
action(struct world *world)
{
	const struct mod_action action = { .what =
					       mod_action_words[MOD_SUSPENDED],
		.by = { 1, TEXT_INIT("eve") },
		.member = { 3, TEXT_INIT("sam") } };

	assert_int_equal(
	    mod_action_note(&world->store, &world->arena, &action), STORE_OK);
}

static void
figures_are_cached_for_a_minute_or_until_an_action(void **state)
{
	struct world *world = *state;
	struct vote_rings_cache *cache = vote_rings_cache_new();
	struct request before, same, later, after;

	before = ask_now(world, cache);
	assert_int_equal(before.figures->rings.count, 0);
	plant(world);
	world_stop_clock(world, before.figures->at + VOTE_RINGS_TTL - 1);
	same = ask_now(world, cache);
	assert_ptr_equal(same.figures, before.figures);
	assert_false(same.is_awaited);
	world_stop_clock(world, NOON + VOTE_RINGS_TTL);
	later = ask_now(world, cache);
	assert_int_equal(later.figures->rings.count, 1);
	assert_int_equal(later.figures->at, NOON + VOTE_RINGS_TTL);
	assert_text(
	    later.figures->rings.items[0].members[0].member.name, "sam");
	assert_text(later.figures->rings.items[0].articles[0].title, "A title");
	/* Requests that still use the former ones can read them. */
	assert_int_equal(before.figures->rings.count, 0);
	action(world);
	after = ask_now(world, cache);
	assert_ptr_not_equal(after.figures, later.figures);
	vote_rings_release(before.figures);
	vote_rings_release(same.figures);
	vote_rings_release(later.figures);
	vote_rings_release(after.figures);
	vote_rings_cache_free(cache);
	/* And without a cache. */
	after = ask_now(world, NULL);
	assert_int_equal(after.figures->rings.count, 1);
	vote_rings_release(after.figures);
}

/* As a worker's loop does, until both have ended. */
static void
loop(struct redis *redis, struct background *background,
    const struct request *one, const struct request *other)
{
	while (!one->ended || !other->ended) {
		struct pollfd ready[] = {
			{ redis_descriptor(redis), POLLIN, 0 },
			{ background_descriptor(background), POLLIN, 0 },
		};

		redis_flush(redis);
		assert_true(poll(ready, 2, 5000) > 0);
		redis_ready(redis);
		if (ready[1].revents != 0)
			background_ready(background);
	}
}

static void
one_request_computes_the_rings_and_others_do_not_wait(void **state)
{
	struct world *world = *state;
	struct vote_rings_cache *cache = vote_rings_cache_new();
	struct background *background = background_new();
	struct request finding = { world, cache, background, .ended = false };
	struct request other = finding;

	plant(world);
	fiber_start(ask, &finding);
	fiber_start(ask, &other);
	loop(world->store.redis, background, &finding, &other);
	assert_false(finding.is_awaited);
	assert_int_equal(finding.figures->rings.count, 1);
	assert_true(other.is_awaited);
	assert_null(other.figures);
	vote_rings_release(finding.figures);
	arena_free(&finding.arena);
	arena_free(&other.arena);
	vote_rings_cache_free(cache);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(figures_are_cached_for_a_minute_or_until_an_action),
		world_test(
		    one_request_computes_the_rings_and_others_do_not_wait),
	};

	return world_run("rings as they are cache", tests);
}

/*
 * Members who vote and read at once, as fibers of one worker that share its cache:
 * while one waits for Redis, others change what it is about to read, and cache what
 * they have read.
 */
#include <poll.h>
#include <stdlib.h>

#include "../support/world.h"
#include "base/fiber.h"
#include "lists/list.h"
#include "redis/redis.h"
#include "store/vote.h"

enum { MEMBERS = 8, ARTICLES = 6, ROUNDS = 40 };

struct crowd;

struct reader {
	struct crowd *crowd;
	struct arena arena;
	uint64_t member;
	unsigned random;
	bool ended;
};

struct crowd {
	struct world *world;
	struct reader readers[MEMBERS];
	uint64_t ids[ARTICLES];
	size_t expensive;
	enum vote votes[MEMBERS][ARTICLES]; /* as they were acknowledged */
};

static unsigned
pick(struct reader *reader, unsigned count)
{
	return (unsigned)rand_r(&reader->random) % count;
}

/* Reads an order that counts as expensive, as many do at once after a vote. */
static void
read_search(void *data)
{
	struct reader *reader = data;
	struct world *world = reader->crowd->world;
	const struct text groups[] = { TEXT("left"), TEXT("right") };
	struct list_query query = { .kind = LIST_GROUPS,
		.order = ORDER_TOP,
		.match = MATCH_ALL,
		.groups = groups,
		.group_count = 2,
		.page = 1,
		.viewer = reader->member,
		.expensive = &reader->crowd->expensive,
		.cache = world->cache };
	struct list list;

	assert_int_equal(
	    list_read(&world->store, &reader->arena, &query, &list), STORE_OK);
	assert_int_equal(list.count, ARTICLES);
	reader->ended = true;
}

static struct list
read_front(struct reader *reader, enum list_order order)
{
	struct world *world = reader->crowd->world;
	struct list_query query = { .kind = LIST_FRONT,
		.order = order,
		.page = 1,
		.viewer = reader->member,
		.cache = world->cache };
	struct list list;

	assert_int_equal(
	    list_read(&world->store, &reader->arena, &query, &list), STORE_OK);
	assert_int_equal(list.count, ARTICLES);
	return list;
}

static const struct article *
find_article(const struct list *list, uint64_t id)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->articles[i].post.id.article == id)
			return &list->articles[i];
	fail_msg("article %d is not in the list", (int)id);
	return NULL;
}

/* A reader sees all their own votes, whatever others do meanwhile. */
static void
assert_own_votes(
    struct reader *reader, const struct list *list, const enum vote *votes)
{
	for (int i = 0; i < ARTICLES; i++)
		assert_int_equal(
		    find_article(list, reader->crowd->ids[i])->post.vote,
		    votes[i]);
}

static void
vote_and_read(void *data)
{
	struct reader *reader = data;
	struct crowd *crowd = reader->crowd;
	enum vote *votes = crowd->votes[reader - crowd->readers];

	for (int i = 0; i < ROUNDS; i++) {
		unsigned chosen = pick(reader, ARTICLES);
		enum vote wanted = pick(reader, 3);
		struct list list;

		assert_int_equal(
		    vote_cast(&crowd->world->store, &reader->arena,
			article_id(crowd->ids[chosen]), reader->member,
			VOTER_NEWCOMER, wanted, world_now(crowd->world)),
		    STORE_OK);
		votes[chosen] = wanted;
		list = read_front(reader, pick(reader, 4));
		assert_own_votes(reader, &list, votes);
		arena_reset(&reader->arena);
	}
	reader->ended = true;
}

static bool
have_ended(const struct crowd *crowd)
{
	for (int i = 0; i < MEMBERS; i++)
		if (!crowd->readers[i].ended)
			return false;
	return true;
}

/* A worker's loop. */
static void
run(struct crowd *crowd, void (*function)(void *data))
{
	struct redis *redis = crowd->world->store.redis;

	for (int i = 0; i < MEMBERS; i++)
		fiber_start(function, &crowd->readers[i]);
	for (redis_flush(redis); !have_ended(crowd); redis_flush(redis)) {
		struct pollfd poll_for = { .fd = redis_descriptor(redis),
			.events = POLLIN };

		assert_int_equal(poll(&poll_for, 1, redis_timeout(redis)), 1);
		redis_ready(redis);
		fiber_resume_yielded();
	}
}

static int64_t
points_of(const struct crowd *crowd, int article)
{
	int64_t points = 1; /* the author's */

	for (int i = 0; i < MEMBERS; i++)
		points += crowd->votes[i][article] == VOTE_UP
		    ? 1
		    : -(crowd->votes[i][article] == VOTE_DOWN);
	return points;
}

static void
fill(struct crowd *crowd, struct world *world)
{
	uint64_t author = world_member(world, "author");

	crowd->world = world;
	for (int i = 0; i < ARTICLES; i++)
		crowd->ids[i] = world_post(world, author, "An article",
		    fixture_string(&world->arena, "http://example.org/%d", i),
		    "left right");
	for (int i = 0; i < MEMBERS; i++)
		crowd->readers[i] = (struct reader){ .crowd = crowd,
			.member = world_member(world,
			    fixture_string(&world->arena, "reader%d", i)),
			.random = (unsigned)i + 1 };
}

static void
cached_reads_never_hide_changes_of_other_fibers(void **state)
{
	struct world *world = *state;
	struct crowd crowd = { .world = NULL };

	fill(&crowd, world);
	run(&crowd, vote_and_read);
	for (int i = 0; i < MEMBERS; i++) {
		struct reader *reader = &crowd.readers[i];
		struct list list = read_front(reader, ORDER_NEW);

		assert_own_votes(reader, &list, crowd.votes[i]);
		for (int a = 0; a < ARTICLES; a++)
			assert_int_equal(
			    find_article(&list, crowd.ids[a])->post.points,
			    points_of(&crowd, a));
		arena_free(&reader->arena);
	}
}

/* More than may read something expensive at once: nobody is refused, now and while nothing is read
 * any more. */
static void
an_order_is_read_once_for_all_who_want_it(void **state)
{
	struct crowd crowd = { .world = NULL };

	fill(&crowd, *state);
	run(&crowd, read_search);
	assert_int_equal(crowd.expensive, 0);
	for (int i = 0; i < MEMBERS; i++)
		arena_free(&crowd.readers[i].arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(an_order_is_read_once_for_all_who_want_it),
		world_test(cached_reads_never_hide_changes_of_other_fibers),
	};

	return world_run("fibers", tests);
}

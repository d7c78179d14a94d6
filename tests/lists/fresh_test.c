/*
 * Lists of a site with several buckets, where workers cache the versions: changes are
 * seen soon, a member's own changes at once, and a page costs Redis no more than with
 * one bucket.
 */
#include <string.h>
#include <time.h>

#include "../support/world.h"
#include "lists/list.h"
#include "store/user.h"

enum { BUCKETS = 16, FRESH_MS = 100, LOST_MS = 30000, ARTICLES = 200 };

struct site {
	struct world world;
	uint64_t ids[ARTICLES], ann, ben;
};

static int
set_up(void **state)
{
	static struct site site;
	struct world *world = &site.world;

	world_open(world, BUCKETS);
	world_stop_clock(world, 1700000000);
	site.ann = world_member(world, "ann");
	site.ben = world_member(world, "ben");
	for (size_t i = 0; i < ARTICLES; i++) {
		site.ids[i] = world_post(world, site.ann, "One",
		    text_string(&world->arena,
			text_format(&world->arena, "http://a.example/%zu", i)),
		    "");
		world_move_clock(world, 1);
	}
	world->store.versions =
	    versions_cache_new(&world->arena, BUCKETS, FRESH_MS, LOST_MS);
	*state = &site;
	return 0;
}

static int
tear_down(void **state)
{
	struct site *site = *state;

	world_close(&site->world);
	return 0;
}

static void
wait_for_fresh(void)
{
	const struct timespec pause = { 0, FRESH_MS * 1000000 };

	nanosleep(&pause, NULL);
}

/* As a session leaves the versions to a page. */
static struct list
read_list(struct site *site, enum list_order order, uint64_t page,
    uint64_t viewer, struct read_cache *cache)
{
	struct world *world = &site->world;
	const struct list_query query = { .kind = LIST_FRONT,
		.order = order,
		.page = page,
		.viewer = viewer,
		.cache = cache };
	struct list list;

	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	return list;
}

static int64_t
commands(struct world *world)
{
	struct text info =
	    world_command(world, TEXT("INFO"), TEXT("stats")).text;
	const struct text name = TEXT("total_commands_processed:");
	size_t at = text_find(info, 0, name) + name.size, end = at;
	int64_t count = 0;

	while (info.data[end] >= '0' && info.data[end] <= '9')
		end++;
	assert_true(text_to_i64(text_slice(info, at, end - at), &count));
	return count;
}

static void
pages_cost_nothing_while_versions_are_fresh(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;
	int64_t before;

	/* However slow the machine is, they do not get old. */
	world->store.versions =
	    versions_cache_new(&world->arena, BUCKETS, INT32_MAX, LOST_MS);
	read_list(site, ORDER_TOP, 1, 0, world->cache);
	before = commands(world);
	for (int i = 0; i < 20; i++)
		read_list(site, ORDER_TOP, 1, 0, world->cache);
	/* INFO itself. */
	assert_int_equal(commands(world) - before, 1);
}

static void
change_is_seen_soon_and_reads_only_its_bucket(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;
	struct list list = read_list(site, ORDER_TOP, 1, 0, world->cache);
	uint64_t last = list.articles[24].post.id.article;
	int64_t before;

	for (uint64_t voter = 100; voter < 150; voter++)
		world_vote(world, last, voter, VOTE_UP);
	wait_for_fresh();
	before = commands(world);
	list = read_list(site, ORDER_TOP, 1, 0, world->cache);
	assert_int_equal(list.articles[0].post.id.article, last);
	assert_int_equal(list.articles[0].post.points, 51);
	/* TIME, all versions, one head, and an article that is new on the
	 * page. */
	assert_true(commands(world) - before <= 1 + 1 + BUCKETS + 3);
}

/* As it is listed from what Redis has. */
static void
assert_as_it_is(struct site *site, enum list_order order, uint64_t page)
{
	struct list seen = read_list(site, order, page, 0, site->world.cache);
	struct versions_cache *known = site->world.store.versions;
	struct list list;

	site->world.store.versions = NULL;
	list = read_list(site, order, page, 0, NULL);
	site->world.store.versions = known;
	assert_int_equal(seen.count, list.count);
	assert_int_equal(seen.more, list.more);
	for (size_t i = 0; i < list.count; i++) {
		assert_int_equal(seen.articles[i].post.id.article,
		    list.articles[i].post.id.article);
		assert_int_equal(
		    seen.articles[i].post.points, list.articles[i].post.points);
	}
}

static void
cached_lists_are_up_to_date(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;

	for (unsigned round = 0; round < 30; round++) {
		uint64_t id = site->ids[round * 37 % ARTICLES];

		world_vote(world, id, 1000 + round,
		    round % 3 == 0 ? VOTE_DOWN : VOTE_UP);
		if (round == 20)
			world_remove(world, site->ids[0]);
		wait_for_fresh();
		for (uint64_t page = 1; page <= 9; page++)
			assert_as_it_is(
			    site, (enum list_order)(round % 4), page);
	}
}

/* Two workers, and a member whose requests go to one and the other. */
static void
own_votes_are_seen_at_once_on_every_worker(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;
	struct store one = world->store, other = world_connect(world);
	struct read_cache *caches[] = { read_cache_new(), read_cache_new() };

	other.versions =
	    versions_cache_new(&world->arena, BUCKETS, 10000, LOST_MS);
	one.versions =
	    versions_cache_new(&world->arena, BUCKETS, 10000, LOST_MS);
	for (unsigned round = 0; round < 100; round++) {
		enum vote wanted = (enum vote)(round % 3);
		uint64_t id = site->ids[ARTICLES - 1 - round % 20];
		bool found = false;
		struct list list;

		world_vote(world, id, site->ben, wanted);
		world->store = round % 2 == 0 ? one : other;
		list =
		    read_list(site, ORDER_TOP, 1, site->ben, caches[round % 2]);
		for (size_t i = 0; i < list.count; i++) {
			const struct post *post = &list.articles[i].post;

			if (post->id.article != id)
				continue;
			found = true;
			assert_int_equal(post->vote, wanted);
			assert_int_equal(post->points,
			    wanted == VOTE_UP	      ? 2
				: wanted == VOTE_DOWN ? 0
						      : 1);
		}
		assert_true(found || wanted == VOTE_DOWN);
	}
	world->store = one;
	redis_close(other.redis);
	read_cache_free(caches[0]);
	read_cache_free(caches[1]);
}

static void
own_posts_are_seen_at_once(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;

	world->store.versions =
	    versions_cache_new(&world->arena, BUCKETS, 10000, LOST_MS);
	for (int i = 0; i < 20; i++) {
		uint64_t id = world_post(world, site->ben, "New",
		    text_string(&world->arena,
			text_format(&world->arena, "http://b.example/%d", i)),
		    "");
		struct list list =
		    read_list(site, ORDER_NEW, 1, site->ben, world->cache);

		assert_int_equal(list.articles[0].post.id.article, id);
		world_move_clock(world, 1);
	}
}

static void
ranks_are_those_of_the_list(void **state)
{
	struct site *site = *state;
	struct world *world = &site->world;
	struct list list = read_list(site, ORDER_TOP, 2, 0, world->cache);
	struct versions versions;

	assert_int_equal(
	    versions_get(&world->store, &world->arena, 0, &versions), STORE_OK);
	for (size_t i = 0; i < list.count; i++) {
		uint64_t place;

		assert_int_equal(
		    list_front_place(&world->store, &world->arena, world->cache,
			&versions, list.articles[i].post.id.article, &place),
		    STORE_OK);
		assert_int_equal(place, 26 + i);
	}
}

/* Reads the articles of any of some groups by score, as a visitor. */
static struct list
read_groups(struct site *site, const struct text *groups, size_t count)
{
	struct world *world = &site->world;
	const struct list_query query = { .kind = LIST_GROUPS,
		.order = ORDER_TOP,
		.groups = groups,
		.group_count = count,
		.page = 1,
		.cache = world->cache };
	struct list list;

	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	return list;
}

/* The lists of its groups have it at two places, where one was cached before a vote and the other
 * is read after it. */
static void
article_in_two_groups_is_there_once(void **state)
{
	static const struct text groups[] = { TEXT_INIT("aa"),
		TEXT_INIT("bb") };
	struct site *site = *state;
	struct world *world = &site->world;
	uint64_t first;
	size_t found = 0;
	struct list list;

	first = world_post(
	    world, site->ann, "Both", "http://both.example/", "aa bb");
	for (int i = 0; i < 5; i++) {
		world_move_clock(world, 1);
		world_post(world, site->ann, "Both",
		    fixture_string(&world->arena, "http://both.example/%d", i),
		    "aa bb");
	}
	world->store.versions =
	    versions_cache_new(&world->arena, BUCKETS, INT32_MAX, LOST_MS);
	assert_int_equal(read_groups(site, groups, 1).count, 6);
	world_vote(world, first, site->ben, VOTE_UP);
	list = read_groups(site, groups, 2);
	for (size_t i = 0; i < list.count; i++)
		found += list.articles[i].post.id.article == first;
	assert_int_equal(found, 1);
	assert_int_equal(list.count, 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    pages_cost_nothing_while_versions_are_fresh, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    change_is_seen_soon_and_reads_only_its_bucket, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    cached_lists_are_up_to_date, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    own_votes_are_seen_at_once_on_every_worker, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    own_posts_are_seen_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    ranks_are_those_of_the_list, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    article_in_two_groups_is_there_once, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("fresh", tests, NULL, NULL);
}

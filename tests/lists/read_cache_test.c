/* The read cache of a worker: changes by one worker are seen by the others with their
 * next request. */
#include "../support/world.h"
#include "lists/list.h"
#include "redis/redis.h"
#include "store/user.h"

/* A second worker, with its own connection and cache. */
struct worker {
	struct store store;
	struct read_cache *cache;
};

static struct worker
start_worker(struct world *world)
{
	return (struct worker){ world_connect(world), read_cache_new() };
}

static void
stop_worker(struct worker *worker)
{
	redis_close(worker->store.redis);
	read_cache_free(worker->cache);
}

static struct list
read_list(struct worker *worker, struct world *world, enum list_order order,
    uint64_t viewer)
{
	struct list_query query = { .kind = LIST_FRONT,
		.order = order,
		.page = 1,
		.viewer = viewer,
		.cache = worker->cache };
	struct list list;

	assert_int_equal(
	    list_read(&worker->store, &world->arena, &query, &list), STORE_OK);
	return list;
}

/* The only article, in every order, as a worker that has seen it shows it. */
static void
assert_shown(struct worker *worker, struct world *world, uint64_t viewer,
    int64_t points, const char *groups, enum vote vote)
{
	for (enum list_order order = ORDER_TOP; order <= ORDER_OLDEST;
	    order++) {
		struct list list = read_list(worker, world, order, viewer);
		const struct article *article = &list.articles[0];

		assert_int_equal(list.count, 1);
		assert_int_equal(article->post.points, points);
		assert_int_equal(article->score,
		    article->post.posted +
			worker->store.rules.vote_score * points);
		assert_text(article->groups, groups);
		assert_text(article->title, "One");
		assert_text(article->post.author.name, "ann");
		assert_int_equal(article->post.vote, vote);
	}
}

static void
changes_of_another_worker_are_seen_at_once(void **state)
{
	struct world *world = *state;
	struct store *mine = &world->store;
	struct arena *arena = &world->arena;
	struct worker other = start_worker(world);
	uint64_t ann = world_member(world, "ann"), bob, id;

	bob = world_member(world, "bob");
	world_group(world, "aa");
	id = world_post(world, ann, "One", "http://a.example/", "");
	assert_shown(&other, world, bob, 1, "", VOTE_NONE);
	world_vote(world, id, bob, VOTE_DOWN);
	assert_shown(&other, world, bob, 0, "", VOTE_DOWN);
	assert_shown(&other, world, ann, 0, "", VOTE_UP);
	assert_shown(&other, world, 0, 0, "", VOTE_NONE);
	assert_int_equal(
	    article_set_groups(mine, arena, id, TEXT("aa"), TEXT("")),
	    STORE_OK);
	assert_shown(&other, world, bob, 0, "aa", VOTE_DOWN);
	world_remove(world, id);
	assert_int_equal(read_list(&other, world, ORDER_TOP, bob).count, 0);
	assert_int_equal(
	    article_restore(mine, arena, id, &world_restoring), STORE_OK);
	assert_shown(&other, world, bob, 0, "aa", VOTE_DOWN);
	stop_worker(&other);
}

/* Of bob's vote, before it is cast. */
static void
announce(struct world *world, uint64_t user, uint64_t article)
{
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct vote_entry entry = { .post = article_id(article),
		.at = world_now(world),
		.vote = VOTE_UP };

	vote_history_announce(&pipeline, user, &entry);
	assert_true(redis_run(&pipeline));
}

/* Between the announcement of bob's vote, and of others after it, and the vote another
 * worker reads the article. */
static void
check_vote_in_progress(struct world *world, uint64_t others)
{
	struct worker other = start_worker(world);
	uint64_t ann = world_member(world, "ann"),
		 bob = world_member(world, "bob");
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "");

	announce(world, bob, id);
	for (uint64_t i = 1; i <= others; i++)
		announce(world, bob, id + i);
	assert_shown(&other, world, bob, 1, "", VOTE_NONE);
	assert_int_equal(world_cast(&world->store, &world->arena,
			     article_id(id), bob, VOTE_UP),
	    STORE_OK);
	assert_shown(&other, world, bob, 2, "", VOTE_UP);
	stop_worker(&other);
}

static void
vote_in_progress_is_not_cached(void **state)
{
	check_vote_in_progress(*state, 0);
}

/* The list of votes in progress has no room for this one. */
static void
vote_in_progress_among_many_is_not_cached(void **state)
{
	check_vote_in_progress(*state, VOTE_HISTORY_RECENT_MAX);
}

static void
becoming_interesting_is_seen_at_once(void **state)
{
	struct world *world = *state;
	struct worker other = start_worker(world);
	uint64_t ann = world_member(world, "ann"), id;

	world->store.rules.interesting = 2;
	id = world_post(world, ann, "One", "http://a.example/", "");
	assert_int_equal(
	    read_list(&other, world, ORDER_TOP, 0).articles[0].interesting, 0);
	world_vote(world, id, ann + 1, VOTE_UP);
	assert_int_not_equal(
	    read_list(&other, world, ORDER_TOP, 0).articles[0].interesting, 0);
	stop_worker(&other);
}

/* More articles than there are slots: none is taken for another. */
static void
articles_in_one_slot_are_not_confused(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct stamp stamp = { 1, 1 };
	struct article article = { .url = TEXT("http://a.example/") };

	for (uint64_t id = 1; id <= 10000; id++) {
		struct article found;

		article.post.id = article_id(id);
		article.title = text_number(arena, (int64_t)id);
		read_cache_put_article(world->cache, arena, stamp, &article);
		assert_true(read_cache_get_article(
		    world->cache, arena, stamp, id, &found));
		assert_int_equal(found.post.id.article, id);
		assert_true(text_equal(found.title, article.title));
	}
	assert_false(
	    read_cache_get_article(world->cache, arena, stamp, 1, &article));
	assert_false(read_cache_get_article(
	    world->cache, arena, stamp, 10001, &article));
}

/* Values are found only under the stamp with which they were stored. */
static void
other_version_misses_the_cache(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct read_cache *cache = world->cache;
	const struct stamp stamp = { 1, 7 };
	const struct stamp others[] = { { 1, 8 }, { 2, 7 }, { 1, 6 } };
	struct entry entry = { 3, 4 };
	struct order order = {
		.entries = &entry, .count = 1, .search_ended = true
	};
	struct order found_order;
	struct article article = { .post.id = article_id(5),
		.post.author = { 17, TEXT("ann") },
		.post.posted = 1700000000,
		.title = TEXT("One"),
		.groups = TEXT("a b"),
		.interesting = 1700000001 };
	struct article found = { .score = 0 };
	enum vote vote = VOTE_NONE;

	read_cache_put_order(cache, arena, stamp, TEXT("x"), &order);
	read_cache_put_article(cache, arena, stamp, &article);
	read_cache_put_vote(cache, arena, stamp, 17, article_id(5), VOTE_DOWN);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_false(read_cache_get_order(
		    cache, arena, others[i], TEXT("x"), &found_order));
		assert_false(
		    read_cache_get_article(cache, arena, others[i], 5, &found));
		assert_false(read_cache_get_vote(
		    cache, arena, others[i], 17, article_id(5), &vote));
	}
	assert_false(
	    read_cache_get_order(cache, arena, stamp, TEXT("y"), &found_order));
	assert_false(
	    read_cache_get_vote(cache, arena, stamp, 5, article_id(17), &vote));
	assert_true(
	    read_cache_get_order(cache, arena, stamp, TEXT("x"), &found_order));
	assert_int_equal(found_order.count, 1);
	assert_int_equal(found_order.entries[0].id, 3);
	assert_true(found_order.search_ended);
	assert_true(read_cache_get_article(cache, arena, stamp, 5, &found));
	assert_int_equal(found.post.author.id, 17);
	assert_text(found.post.author.name, "ann");
	assert_int_equal(found.post.posted, 1700000000);
	assert_text(found.title, "One");
	assert_text(found.groups, "a b");
	assert_int_equal(found.interesting, 1700000001);
	/* A comment is not its article. */
	assert_false(read_cache_get_vote(
	    cache, arena, stamp, 17, (struct post_id){ 5, 1 }, &vote));
	assert_true(
	    read_cache_get_vote(cache, arena, stamp, 17, article_id(5), &vote));
	assert_int_equal(vote, VOTE_DOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(changes_of_another_worker_are_seen_at_once),
		world_test(becoming_interesting_is_seen_at_once),
		world_test(vote_in_progress_is_not_cached),
		world_test(vote_in_progress_among_many_is_not_cached),
		world_test(articles_in_one_slot_are_not_confused),
		world_test(other_version_misses_the_cache),
	};

	return world_run("cache", tests);
}

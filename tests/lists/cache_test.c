/* The cache: what one worker changes, every other sees with its next
 * request. */
#include "../support/world.h"
#include "lists/cache.h"
#include "lists/list.h"
#include "redis/redis.h"

/* A second worker, with a connection and a cache of its own. */
struct worker {
	struct store store;
};

static struct worker
start_worker(struct world *world)
{
	struct worker worker = { .store = world_connect(world) };

	worker.store.cache = cache_new(worker.store.rules.buckets);
	return worker;
}

static void
stop_worker(struct worker *worker)
{
	redis_close(worker->store.redis);
	cache_free(worker->store.cache);
}

static struct list
read_list(struct worker *worker, struct world *world, enum list_order order,
    uint64_t viewer)
{
	struct list_query query = {
		.kind = LIST_FRONT, .order = order, .page = 1, .viewer = viewer
	};
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
	assert_int_equal(post_vote(mine, arena, id, bob, VOTE_DOWN), STORE_OK);
	assert_shown(&other, world, bob, 0, "", VOTE_DOWN);
	assert_shown(&other, world, ann, 0, "", VOTE_UP);
	assert_shown(&other, world, 0, 0, "", VOTE_NONE);
	assert_int_equal(
	    article_file(mine, arena, id, TEXT("aa"), TEXT("")), STORE_OK);
	assert_shown(&other, world, bob, 0, "aa", VOTE_DOWN);
	assert_int_equal(post_remove(mine, arena, id), STORE_OK);
	assert_int_equal(read_list(&other, world, ORDER_TOP, bob).count, 0);
	assert_int_equal(post_restore(mine, arena, id), STORE_OK);
	assert_shown(&other, world, bob, 0, "aa", VOTE_DOWN);
	stop_worker(&other);
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
	assert_int_equal(
	    post_vote(&world->store, &world->arena, id, ann + 1, VOTE_UP),
	    STORE_OK);
	assert_int_not_equal(
	    read_list(&other, world, ORDER_TOP, 0).articles[0].interesting, 0);
	stop_worker(&other);
}

/* More articles than the cache has places: none is taken for another. */
static void
articles_that_share_a_place_stay_apart(void **state)
{
	struct world *world = *state;
	struct cache *cache = world->store.cache;
	struct arena *arena = &world->arena;
	struct article article = { .title = TEXT("first"),
		.url = TEXT("http://a.example/") };

	for (uint64_t id = 1; id <= 10000; id++) {
		struct article found;

		article.post.id.article = id;
		article.title = text_number(arena, (int64_t)id);
		cache_keep(cache, &article);
		assert_true(cache_find(cache, arena, id, &found));
		assert_int_equal(found.id, id);
		assert_true(text_equal(found.title, article.title));
	}
	assert_false(cache_find(cache, arena, 1, &article));
	assert_false(cache_find(cache, arena, 10001, &article));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(changes_of_another_worker_are_seen_at_once),
		world_test(becoming_interesting_is_seen_at_once),
		world_test(articles_that_share_a_place_stay_apart),
	};

	return world_run("cache", tests);
}

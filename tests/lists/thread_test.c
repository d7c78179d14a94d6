/* Threads: orders, pages, ancestors and descendants. */
#include "lists/thread.h"

#include <stdlib.h>

#include "../support/world.h"
#include "redis/reply.h"
#include "store/comment.h"

/* Puts records into the index as the functions do: a thread of a thousand comments is
 * written at once. A number, its parent, and its votes. */
struct record {
	uint64_t number, parent;
	int64_t up, down;
	bool removed;
};

static void
put_number(char **at, uint64_t number, size_t size)
{
	for (size_t i = size; i-- > 0; number >>= 8)
		(*at)[i] = (char)number;
	*at += size;
}

static void
put(const struct world_scene *scene, const struct record *records, size_t count)
{
	struct world *world = scene->world;
	static uint64_t changes;
	size_t size = 16;
	char *index, *at;

	for (size_t i = 0; i < count; i++)
		if (records[i].number * 16 + 16 > size)
			size = records[i].number * 16 + 16;
	index = at = arena_zeroed(&world->arena, size, 1);
	put_number(&at, ++changes << 1, 8);
	for (size_t i = 0; i < count; i++) {
		at = index + records[i].number * 16;
		put_number(&at, records[i].parent, 3);
		put_number(&at, records[i].removed, 1);
		put_number(&at, NOON + records[i].number, 4);
		put_number(&at, (uint64_t)records[i].up, 3);
		put_number(&at, (uint64_t)records[i].down, 3);
	}
	world_command(world, TEXT("SET"),
	    key_thread(&world->arena, &world->store.buckets, scene->article),
	    (struct text){ index, size });
}
#define PUT(scene, ...) \
	put((scene), (const struct record[]){ __VA_ARGS__ }, \
	    sizeof((const struct record[]){ __VA_ARGS__ }) / \
		sizeof(struct record))

static enum store_result
read_root(const struct world_scene *scene, enum thread_order order,
    uint64_t page, uint64_t root, struct thread *thread)
{
	struct article article = world_article(scene->world, scene->article, 0);

	return thread_read(&scene->world->store, &scene->world->arena,
	    &(struct thread_query){ .article = scene->article,
		.root = root,
		.order = order,
		.page = page,
		.cache = scene->world->cache,
		.stamp = article.thread },
	    thread);
}

static struct thread
read_page(
    const struct world_scene *scene, enum thread_order order, uint64_t page)
{
	struct thread thread;

	assert_int_equal(read_root(scene, order, page, 0, &thread), STORE_OK);
	return thread;
}

/* Finds the page that has a comment, or another one. */
static void
check_found(const struct world_scene *scene, uint64_t number, uint64_t page)
{
	struct article article = world_article(scene->world, scene->article, 0);
	struct thread thread, asked = read_page(scene, THREAD_BEST, page);

	assert_int_equal(thread_read(&scene->world->store, &scene->world->arena,
			     &(struct thread_query){ .article = scene->article,
				 .page = 1,
				 .find = number,
				 .cache = scene->world->cache,
				 .stamp = article.thread },
			     &thread),
	    STORE_OK);
	assert_int_equal(thread.page, page);
	assert_int_equal(thread.before, asked.before);
	assert_int_equal(thread.count, asked.count);
	assert_int_equal(thread.follow, asked.follow);
	assert_int_equal(thread.nodes[0].number, asked.nodes[0].number);
}

/* "1 .2 ..3": numbers, each with a point for every step of depth. */
static const char *
written(const struct world_scene *scene, const struct thread_node *nodes,
    size_t count)
{
	struct arena *arena = &scene->world->arena;
	const char *all = "";

	for (size_t i = 0; i < count; i++)
		all = fixture_string(arena, "%s%s%.*s%llu", all,
		    i > 0 ? " " : "", (int)nodes[i].depth, "..........",
		    (unsigned long long)nodes[i].number);
	return all;
}

static void
check(const struct world_scene *scene, enum thread_order order,
    const char *expected)
{
	struct thread thread = read_page(scene, order, 1);

	assert_string_equal(
	    written(scene, thread.nodes, thread.count), expected);
}

static bool
is_near(double value, double expected)
{
	return value - expected < 1e-5 && expected - value < 1e-5;
}

static void
confidence_is_the_wilson_bound(void **state)
{
	/* The formula, with p = 1 and p = 0.5. */
	const double z2 = 1.2816 * 1.2816;

	(void)state;
	assert_true(thread_confidence(0, 0) == 0);
	assert_true(is_near(thread_confidence(1, 0), 1 / (1 + z2)));
	assert_true(is_near(thread_confidence(10, 0), 10 / (10 + z2)));
	assert_true(is_near(thread_confidence(0, 5), 0));
	/* By hand: (0.5 + 0.00821 - 1.2816 sqrt(0.0025 + 0.00004)) / 1.01642. */
	assert_true(is_near(thread_confidence(50, 50), 0.436437));
	assert_true(thread_confidence(9, 1) > thread_confidence(1, 0));
	assert_true(thread_confidence(100, 20) > thread_confidence(3, 1));
	assert_true(thread_confidence(40, 60) > thread_confidence(0, 1));
	assert_true(thread_confidence(16777215, 16777215) < 0.5);
}

static void
siblings_are_sorted(void **state)
{
	struct world_scene scene = world_scene(*state, "");

	PUT(&scene, { 1, 0, 1, 0, false }, { 2, 0, 9, 1, false },
	    { 3, 1, 1, 5, false }, { 4, 1, 2, 0, false }, { 5, 3, 1, 0, false },
	    { 6, 0, 1, 0, false });
	check(&scene, THREAD_BEST, "2 1 .4 .3 ..5 6");
	check(&scene, THREAD_NEW, "6 2 1 .4 .3 ..5");
	check(&scene, THREAD_OLDEST, "1 .3 ..5 .4 2 6");
}

static void
older_comment_comes_first_among_equals(void **state)
{
	struct world_scene scene = world_scene(*state, "");

	PUT(&scene, { 1, 0, 1, 0, false }, { 2, 0, 1, 0, false },
	    { 3, 0, 1, 0, false }, { 4, 0, 1, 0, false });
	check(&scene, THREAD_BEST, "1 2 3 4");
}

static void
removed_comment_is_shown_only_with_replies(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct thread thread;

	PUT(&scene, { 1, 0, 1, 0, true }, { 2, 1, 1, 0, true },
	    { 3, 2, 1, 0, false }, { 4, 0, 1, 0, true }, { 5, 4, 1, 0, true },
	    { 7, 0, 1, 0, false });
	check(&scene, THREAD_OLDEST, "1 .2 ..3 7");
	thread = read_page(&scene, THREAD_OLDEST, 1);
	assert_true(thread.nodes[0].removed);
	assert_int_equal(thread.nodes[0].below, 2);
	assert_int_equal(thread.last, 7);
	/* Number 6 was never given. */
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 6, &thread), STORE_ABSENT);
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 8, &thread), STORE_ABSENT);
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 4, &thread), STORE_OK);
	assert_int_equal(thread.count, 1);
}

static void
thread_without_comments_is_empty(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct thread thread = read_page(&scene, THREAD_BEST, 1);

	assert_int_equal(thread.count, 0);
	assert_int_equal(thread.pages, 1);
	assert_int_equal(thread.follow, 0);
}

static void
subthread_has_its_ancestors_and_descendants(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct record chain[40];
	struct thread thread;

	for (uint64_t i = 0; i < 40; i++)
		chain[i] = (struct record){ i + 1, i, 1, 0, false };
	put(&scene, chain, 40);
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 3, &thread), STORE_OK);
	assert_int_equal(thread.count, 38);
	assert_int_equal(thread.nodes[0].number, 3);
	assert_int_equal(thread.nodes[0].depth, 0);
	assert_int_equal(thread.nodes[37].depth, 37);
	assert_int_equal(thread.above_count, 2);
	assert_int_equal(thread.above[0].number, 1);
	assert_int_equal(thread.above[1].number, 2);
	assert_int_equal(thread.above_more, 0);
	/* Again, from the cache. */
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 3, &thread), STORE_OK);
	assert_int_equal(thread.above[1].number, 2);
	assert_int_equal(thread.nodes[37].number, 40);
	assert_int_equal(
	    read_root(&scene, THREAD_BEST, 1, 40, &thread), STORE_OK);
	assert_int_equal(thread.count, 1);
	assert_int_equal(thread.above_count, THREAD_ABOVE);
	assert_int_equal(thread.above_more, 39 - THREAD_ABOVE);
	assert_int_equal(thread.above[0].number, 20);
	assert_int_equal(thread.above[THREAD_ABOVE - 1].number, 39);
}

/* Every comment is on one page, in order; a page has no more than it may, and what fits
 * on one is not parted. */
static void
check_pages(const struct world_scene *scene, size_t total)
{
	struct thread first = read_page(scene, THREAD_BEST, 1);
	uint64_t seen = 0, depth = 0;

	for (uint64_t page = 1; page <= first.pages; page++) {
		struct thread thread = read_page(scene, THREAD_BEST, page);

		assert_true(thread.count > 0 && thread.count <= THREAD_PAGE);
		assert_int_equal(thread.before, seen);
		seen += thread.count;
		assert_int_equal(thread.follow, total - seen);
		if (page > 1)
			assert_true(thread.nodes[0].depth <= depth + 1);
		depth = thread.nodes[thread.count - 1].depth;
		check_found(scene, thread.nodes[0].number, page);
		check_found(scene, thread.nodes[thread.count - 1].number, page);
		for (size_t i = 0; i < thread.count; i++)
			if (thread.nodes[i].below + 1 <= THREAD_PAGE)
				assert_true(i + thread.nodes[i].below + 1 <=
				    thread.count);
	}
	assert_int_equal(seen, total);
	check_found(scene, total + 1, 1);
	assert_int_equal(
	    read_page(scene, THREAD_BEST, first.pages + 1).count, 0);
}

static void
subthread_that_fits_is_not_split(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	enum { MANY = 3000 };
	struct record *records = malloc(MANY * sizeof(*records));
	unsigned seed = 7;

	for (uint64_t i = 0; i < MANY; i++)
		records[i] = (struct record){ i + 1,
			rand_r(&seed) % 4 == 0
			    ? 0
			    : (uint64_t)rand_r(&seed) % (i + 1),
			1 + rand_r(&seed) % 9, rand_r(&seed) % 5, false };
	put(&scene, records, MANY);
	check_pages(&scene, MANY);
	/* Each a reply to the last one; and all on the top level. */
	for (uint64_t i = 0; i < MANY; i++)
		records[i] = (struct record){ i + 1, i, 1, 0, false };
	put(&scene, records, MANY);
	check_pages(&scene, MANY);
	for (uint64_t i = 0; i < MANY; i++)
		records[i] = (struct record){ i + 1, 0, 1, 0, false };
	put(&scene, records, MANY);
	check_pages(&scene, MANY);
	free(records);
}

/* Reads return what the functions write, and changes are seen at once. */
static void
written_comments_are_read(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	uint64_t bob = scene.bob;
	struct comment_posting posting = { .wait = 0 };
	struct thread thread;

	for (int i = 0; i < 3; i++) {
		struct comment comment = { .post.id.article = scene.article,
			.post.author = { bob, TEXT("bob") },
			.parent = i,
			.text = text_number(&world->arena, i) };

		assert_int_equal(comment_post(&world->store, &world->arena,
				     &comment, &posting),
		    STORE_OK);
		check(&scene, THREAD_BEST,
		    i == 0	 ? "1"
			: i == 1 ? "1 .2"
				 : "1 .2 ..3");
	}
	assert_int_equal(
	    world_cast(&world->store, &world->arena,
		(struct post_id){ scene.article, 2 }, scene.ann, VOTE_DOWN),
	    STORE_OK);
	thread = read_page(&scene, THREAD_BEST, 1);
	assert_int_equal(thread.nodes[1].up, 1);
	assert_int_equal(thread.nodes[1].down, 1);
	assert_int_equal(thread.nodes[1].posted, NOON);
	assert_int_equal(post_delete(&world->store, &world->arena,
			     (struct post_id){ scene.article, 3 }, bob),
	    STORE_OK);
	check(&scene, THREAD_BEST, "1 .2");
}

/* A damaged index causes no error. */
static void
any_bytes_are_read_without_error(void **state)
{
	struct world_scene scene = world_scene(*state, "");
	struct world *world = scene.world;
	struct text key =
	    key_thread(&world->arena, &world->store.buckets, scene.article);
	unsigned seed = 3;

	for (size_t size = 0; size < 400; size += 7) {
		char *bytes = arena_bytes(&world->arena, size + 1);
		struct thread thread;

		for (size_t i = 0; i < size; i++)
			bytes[i] = (char)rand_r(&seed);
		world_command(
		    world, TEXT("SET"), key, (struct text){ bytes, size });
		for (uint64_t root = 0; root < 9; root++) {
			enum store_result result =
			    read_root(&scene, THREAD_BEST, 1, root, &thread);

			assert_true(result == STORE_OK ||
			    (root > 0 && result == STORE_ABSENT));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(confidence_is_the_wilson_bound),
		world_test(siblings_are_sorted),
		world_test(older_comment_comes_first_among_equals),
		world_test(removed_comment_is_shown_only_with_replies),
		world_test(thread_without_comments_is_empty),
		world_test(subthread_has_its_ancestors_and_descendants),
		world_test(subthread_that_fits_is_not_split),
		world_test(written_comments_are_read),
		world_test(any_bytes_are_read_without_error),
	};

	return world_run("thread", tests);
}

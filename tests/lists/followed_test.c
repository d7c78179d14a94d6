/* What a member follows: the merge of up to 64 groups against a plain model, and its cache. */
#include <stdlib.h>
#include <string.h>

#include "../support/invariants.h"
#include "lists/followed.h"
#include "lists/list.h"
#include "store/group.h"
#include "store/keys.h"

enum { ARTICLES = 120, GROUPS = 64 };

/* What the test knows of an article. */
struct known {
	uint64_t id, groups; /* bits */
};

static struct text
name_of(struct world *world, size_t group)
{
	return text_format(&world->arena, "group-%zu", group);
}

static void
populate(struct world *world, struct known *articles, unsigned *seed)
{
	struct arena *arena = &world->arena;
	uint64_t author;

	world_stop_clock(world, NOON);
	author = world_member(world, "ann");
	for (size_t i = 0; i < ARTICLES; i++) {
		struct text names = TEXT("");

		world_move_clock(world, rand_r(seed) % 2 == 0 ? 432 : 0);
		articles[i] = (struct known){ .groups = 0 };
		for (int g = rand_r(seed) % 4; g > 0; g--)
			articles[i].groups |= UINT64_C(1)
			    << (rand_r(seed) % GROUPS);
		for (size_t g = 0; g < GROUPS; g++)
			if ((articles[i].groups >> g & 1) != 0)
				names = text_format(arena, "%.*s %.*s",
				    TEXT_ARGS(names),
				    TEXT_ARGS(name_of(world, g)));
		articles[i].id =
		    world_post(world, author, fixture_string(arena, "%zu", i),
			"", text_string(arena, text_trim(names)));
		if (rand_r(seed) % 2 == 0)
			world_vote(world, articles[i].id, 100, VOTE_UP);
	}
}

static uint64_t
groups_of(const struct known *articles, uint64_t id)
{
	for (size_t i = 0; i < ARTICLES; i++)
		if (articles[i].id == id)
			return articles[i].groups;
	return 0;
}

/* All ids of the site in an order that has no pinned articles. */
static size_t
all_ids(struct world *world, enum list_order order, uint64_t *ids)
{
	bool is_reversed = order == ORDER_TOP;
	struct list_query query = { .kind = LIST_FRONT,
		.order = is_reversed ? ORDER_BOTTOM : order,
		.page = 1 };
	struct list list;

	world->store.rules.page_size = ARTICLES;
	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &list), STORE_OK);
	for (size_t i = 0; i < list.count; i++)
		ids[is_reversed ? list.count - 1 - i : i] =
		    list.articles[i].post.id.article;
	return list.count;
}

static void
check_pages(struct world *world, const struct known *articles,
    struct list_query query, uint64_t bits)
{
	uint64_t ids[ARTICLES];
	size_t count = all_ids(world, query.order, ids), at = 0;
	struct list list = { .more = true };

	world->store.rules.page_size = 7;
	for (query.page = 1; list.more; query.page++) {
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		for (size_t i = 0; i < list.count; i++, at++) {
			while (at < count &&
			    (groups_of(articles, ids[at]) & bits) == 0)
				at++;
			assert_true(at < count);
			assert_int_equal(
			    list.articles[i].post.id.article, ids[at]);
		}
	}
	for (; at < count; at++)
		assert_true((groups_of(articles, ids[at]) & bits) == 0);
}

static void
home_is_the_merge_of_what_is_followed(void **state)
{
	struct world *world = *state;
	unsigned seed = 9;
	struct known articles[ARTICLES];
	static const enum list_order orders[] = { ORDER_TOP, ORDER_BOTTOM,
		ORDER_NEW, ORDER_OLDEST };

	populate(world, articles, &seed);
	for (int step = 0; step < 40; step++) {
		struct text groups[GROUPS];
		struct list_query query = { .kind = LIST_GROUPS,
			.is_home = true,
			.groups = groups,
			.order = orders[rand_r(&seed) % 4],
			.cache = world->cache };
		uint64_t bits = step == 0 ? UINT64_MAX : 0;

		for (int g = rand_r(&seed) % GROUPS; g > 0; g--)
			bits |= UINT64_C(1) << (rand_r(&seed) % GROUPS);
		for (size_t g = 0; g < GROUPS; g++)
			if ((bits >> g & 1) != 0)
				groups[query.group_count++] = name_of(world, g);
		check_pages(world, articles, query, bits);
	}
}

static size_t
read(struct world *world, uint64_t user, int64_t now, struct text **groups)
{
	struct user member = world_user(world, user);
	size_t count;

	assert_int_equal(followed_read(&world->store, &world->arena,
			     world->cache, &member, now, groups, &count),
	    STORE_OK);
	return count;
}

static void
names_are_cached_by_their_version(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct text *groups;

	assert_int_equal(read(world, ann, NOON, &groups), 0);
	assert_int_equal(
	    follows_add(&world->store, &world->arena, ann, TEXT("aa")),
	    STORE_OK);
	assert_int_equal(read(world, ann, NOON, &groups), 1);
	assert_text(groups[0], "aa");
	/* Behind the back of the version. */
	world_command(world, TEXT("DEL"), key_follows(&world->arena, ann));
	assert_int_equal(read(world, ann, NOON, &groups), 1);
	assert_int_equal(
	    follows_add(&world->store, &world->arena, ann, TEXT("bb")),
	    STORE_OK);
	assert_int_equal(read(world, ann, NOON, &groups), 1);
	assert_text(groups[0], "bb");
}

static void
successors_of_groups_are_followed(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct text *groups;

	world_group(world, "zz");
	world_group(world, "aa");
	for (int i = 0; i < 2; i++)
		assert_int_equal(follows_add(&world->store, &world->arena, ann,
				     i == 0 ? TEXT("aa") : TEXT("bb")),
		    STORE_OK);
	assert_int_equal(read(world, ann, NOON, &groups), 2);
	world_command(world, TEXT("HSET"), key_group(&world->arena, TEXT("aa")),
	    TEXT("into"), TEXT("zz"));
	world_command(world, TEXT("ZADD"), KEY_FORMER, TEXT("0"), TEXT("aa"));
	assert_int_equal(read(world, ann, NOON + 60, &groups), 2);
	assert_text(groups[0], "bb");
	assert_text(groups[1], "zz");
	assert_int_equal(follows_get(&world->store, &world->arena, ann, &groups,
			     &(size_t){ 0 }),
	    STORE_OK);
	assert_text(groups[1], "zz");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(home_is_the_merge_of_what_is_followed),
		world_test(names_are_cached_by_their_version),
		world_test(successors_of_groups_are_followed),
	};

	return world_run("followed groups", tests);
}

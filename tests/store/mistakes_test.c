/*
 * The mistakes in the write-ups that Tally is built from: one test is named
 * after each, and shows that Tally does not make it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/concurrent_writer.h"
#include "../support/invariants.h"
#include "lists/list.h"
#include "redis/reply.h"
#include "store/article.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/session.h"
#include "store/user.h"

enum { WEEK = 7 * 86400 };

static uint64_t
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	return world_member(world, "ann");
}

static enum store_result
vote(struct world *world, uint64_t id, uint64_t user, enum vote wanted)
{
	return world_cast(
	    &world->store, &world->arena, article_id(id), user, wanted);
}

static int64_t
expiry_of(struct world *world, struct text key)
{
	return world_command(world, TEXT("EXPIRETIME"), key).number;
}

static void
milliseconds_mixed_with_seconds(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	uint64_t ann = begin(world), id;
	struct text cookie, link;
	struct article article;
	struct user user;

	store->rules.interesting = 2;
	id = world_post(world, ann, "One", "http://a.example/", "");
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_OK);
	assert_int_equal(session_start(store, &world->arena, ann, TEXT(""),
			     &world_no_factor, TEXT(""), &cookie),
	    STORE_OK);
	article = world_article(world, id, 0);
	link = key_claims(&world->arena, &store->buckets,
	    rule_claim(
		&world->arena, ann, article.title, article.url, TEXT("")));
	assert_int_equal(user_get(store, &world->arena, ann, &user), STORE_OK);

	assert_int_equal(world_now(world), NOON);
	assert_int_equal(article.post.posted, NOON);
	assert_int_equal(article.post.closes, NOON + WEEK);
	assert_int_equal(article.interesting, NOON);
	assert_int_equal(article.score, NOON + 2 * 432);
	assert_int_equal(user.created, NOON);
	assert_int_equal(expiry_of(world, link), NOON + WEEK + 86400);
	assert_int_equal(expiry_of(world, key_sessions(&world->arena, ann)),
	    NOON + store->rules.session_seconds);
	invariants_check(world);
}

/* Every existing key, and every field of an article's hash, by name. */
static void
counter_incremented_on_a_key_without_the_id_or_without_a_field(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t ann = begin(world), id;
	struct text tag;
	struct reply fields;

	id = world_post(world, ann, "One", "http://a.example/", "");
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_OK);
	assert_int_equal(vote(world, id, 51, VOTE_DOWN), STORE_OK);
	tag = buckets->tags[key_bucket_of(buckets, id)];
	assert_text(world_keys(world, "{[0-9]*}[^c]*"),
	    fixture_string(arena,
		"%.*sarticle:1 %.*sarticles %.*skarma %.*sscore %.*stime "
		"%.*stime:/a.example %.*stime:@1 %.*sversions %.*svoters:1",
		TEXT_ARGS(tag), TEXT_ARGS(tag), TEXT_ARGS(tag), TEXT_ARGS(tag),
		TEXT_ARGS(tag), TEXT_ARGS(tag), TEXT_ARGS(tag), TEXT_ARGS(tag),
		TEXT_ARGS(tag)));
	assert_text(world_keys(world, "[^{]*"), "name:ann site users");
	assert_text(world_keys(world, "{u*"), "{u1}user");
	assert_int_equal(
	    world_command(world, TEXT("KEYS"), TEXT("{*}claims:*")).count, 1);
	assert_text(
	    world_command(world, TEXT("GET"),
		key_article_counter(arena, buckets, key_bucket_of(buckets, id)))
		.text,
	    "1");
	assert_text(world_command(world, TEXT("GET"), KEY_USERS).text, "1");

	fields = world_command(
	    world, TEXT("HKEYS"), key_post(arena, buckets, article_id(id)));
	for (size_t i = 0; i < fields.count; i++)
		assert_non_null(
		    strstr(" title url from author posted closes up down ",
			fixture_string(
			    arena, " %.*s ", TEXT_ARGS(fields.items[i].text))));
	assert_int_equal(fields.count, 8);
	assert_int_equal(world_article(world, id, 0).post.up, 2);
	assert_int_equal(world_article(world, id, 0).post.down, 1);
}

static void
group_written_and_groups_read(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	const struct text names[] = { TEXT_INIT("redis") };
	struct list_query query = { .kind = LIST_GROUPS,
		.groups = names,
		.group_count = 1,
		.page = 1 };
	uint64_t ann = begin(world), total;
	struct group *groups, group;
	enum group_refusal why;
	struct text unknown;
	struct list list;
	size_t got;

	world_group(world, "redis");
	assert_int_equal(
	    group_get(store, &world->arena, names[0], &group), STORE_OK);
	assert_int_equal(group_find_unusable(store, &world->arena,
			     TEXT("redis lua"), 0, &unknown, &why),
	    STORE_OK);
	assert_text(unknown, "lua");
	world_post(world, ann, "One", "http://a.example/", "redis");
	assert_int_equal(
	    group_list(store, &world->arena, 0, 10, &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(total, 1);
	assert_int_equal(got, 1);
	assert_text(groups[0].name, "redis");
	assert_int_equal(groups[0].articles, 1);
	assert_int_equal(
	    list_read(store, &world->arena, &query, &list), STORE_OK);
	assert_int_equal(list.count, 1);
	assert_text(list.articles[0].groups, "redis");
}

/*
 * The first is ahead by one point; the second is in more groups, and a weight
 * of 1 each would carry it past.
 */
static void
intersection_sums_a_membership_weight_into_the_score(void **state)
{
	struct world *world = *state;
	const struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("bb"),
		TEXT_INIT("cc") };
	struct list_query query = {
		.kind = LIST_GROUPS, .groups = names, .page = 1
	};
	uint64_t ann = begin(world), few, many;
	struct list list;

	many = world_post(world, ann, "Two", "http://b.example/", "aa bb cc");
	world_move_clock(world, 1);
	few = world_post(world, ann, "One", "http://a.example/", "aa bb");
	for (query.group_count = 2; query.group_count <= 3;
	    query.group_count++) {
		query.match = query.group_count == 2 ? MATCH_ALL : MATCH_ANY;
		assert_int_equal(
		    list_read(&world->store, &world->arena, &query, &list),
		    STORE_OK);
		assert_int_equal(list.count, 2);
		assert_int_equal(list.articles[0].post.id.article, few);
		assert_int_equal(list.articles[0].score, NOON + 1 + 432);
		assert_int_equal(list.articles[1].post.id.article, many);
		assert_int_equal(list.articles[1].score, NOON + 432);
	}
	invariants_check(world);
}

/* Reading stores nothing and moves no expiry, and shows a vote at once. */
static void
cache_extended_by_each_read(void **state)
{
	struct world *world = *state;
	const struct text names[] = { TEXT_INIT("aa"), TEXT_INIT("bb") };
	struct list_query query = { .kind = LIST_GROUPS,
		.groups = names,
		.group_count = 2,
		.match = MATCH_ALL,
		.page = 1 };
	uint64_t ann = begin(world);
	uint64_t first =
	    world_post(world, ann, "1", "http://a.example/", "aa bb");
	uint64_t second =
	    world_post(world, ann, "2", "http://b.example/", "aa bb");
	struct list list;

	for (int i = 0; i < 4; i++) {
		uint64_t leader = i % 2 == 0 ? second : first;
		struct text before;

		/* Of two with the same score the younger article leads. */
		assert_int_equal(
		    vote(world, first, 50, i % 2 == 0 ? VOTE_NONE : VOTE_UP),
		    STORE_OK);
		before = world_snapshot(world);
		for (int readings = 0; readings < 3; readings++) {
			world_move_clock(world, 30);
			assert_int_equal(list_read(&world->store, &world->arena,
					     &query, &list),
			    STORE_OK);
			assert_int_equal(
			    list.articles[0].post.id.article, leader);
		}
		assert_unchanged(world, before);
	}
}

static void
author_recorded_as_a_voter_while_the_count_says_0(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "");
	struct article article = world_article(world, id, ann);
	struct text before = world_snapshot(world);

	assert_int_equal(article.post.up, 1);
	assert_int_equal(article.post.vote, VOTE_UP);
	assert_int_equal(world_command(world, TEXT("SCARD"),
			     key_voters(&world->arena, &world->store.buckets,
				 article_id(id)))
			     .number,
	    2);
	assert_int_equal(vote(world, id, ann, VOTE_UP), STORE_OWN);
	assert_unchanged(world, before);
}

/* Two rounds: at the moment itself, and once the record is gone. */
static void
vote_accepted_at_exactly_one_week_and_so_accepted_twice(void **state)
{
	struct world *world = *state;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "");

	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_OK);
	for (int64_t late = 0; late < 2; late++) {
		world_stop_clock(world, NOON + WEEK + late);
		assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_CLOSED);
		assert_int_equal(vote(world, id, 51, VOTE_UP), STORE_CLOSED);
		assert_int_equal(vote(world, id, 51, VOTE_UP), STORE_CLOSED);
		assert_int_equal(world_article(world, id, 0).post.up, 2);
	}
	/* The record is gone, and the moment itself comes again. */
	assert_false(world_article(world, id, 0).post.voters_known);
	world_stop_clock(world, NOON + WEEK);
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_CLOSED);
	world_stop_clock(world, NOON + WEEK - 1);
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_CLOSED);
	assert_int_equal(world_article(world, id, 0).post.up, 2);
	invariants_check(world);
}

/* A random change by a member or moderator. */
static bool
change_something(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	uint64_t id = (uint64_t)(rand_r(seed) % 4 + 1);
	uint64_t user = (uint64_t)(rand_r(seed) % 20 + 10);
	struct article article = { .title = TEXT("Title"),
		.text = text_format(arena, "%d %u", getpid(), number),
		.post.author = { 1, TEXT("ann") },
		.groups = TEXT("aa bb") };
	const struct text some = TEXT("aa bb"), others = TEXT("cc dd");

	switch (rand_r(seed) % 12) {
	case 0:
		return post_remove(store, arena, article_id(id),
			   &world_removal) != STORE_DOWN;
	case 1:
		return article_restore(store, arena, id, &world_restoring) !=
		    STORE_DOWN;
	case 2:
		return article_set_groups(store, arena, id, others, some) !=
		    STORE_DOWN;
	case 3:
		return article_set_groups(store, arena, id, some, others) !=
		    STORE_DOWN;
	case 4:
		return article_post(store, arena, &article) != STORE_DOWN;
	default:
		return world_cast(store, arena, article_id(id), user,
			   (enum vote)(rand_r(seed) % 3)) != STORE_DOWN;
	}
}

static void
crash_between_two_writes_leaves_counts_sets_and_scores_in_disagreement(
    void **state)
{
	struct world *world = *state;
	int64_t before, after;

	assert_int_equal(begin(world), 1);
	world->store.rules.interesting = 5;
	for (int i = 0; i < 4; i++)
		world_post(world, 1, fixture_string(&world->arena, "%d", i), "",
		    "aa bb");
	before = world_command(world, TEXT("DBSIZE")).number;
	for (unsigned i = 0; i < 25; i++) {
		struct concurrent_writer writer =
		    concurrent_writer_start(world, change_something, i);

		concurrent_writer_await(&writer, 1);
		/* Each is killed at another moment of the next step. */
		usleep(997 * i);
		concurrent_writer_kill(&writer);
		invariants_check(world);
	}
	after = world_command(world, TEXT("DBSIZE")).number;
	assert_true(after > before);
}

/* Redis is out of memory and refuses each write, before any part of it. */
static void
refused_write_ignored_silently(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	uint64_t ann = begin(world);
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "aa");
	struct article article = { .title = TEXT("Two"),
		.url = TEXT("http://b.example/"),
		.post.author = { ann, TEXT("ann") } };
	struct user user = { .name = TEXT("bob") };
	struct group group = { .name = TEXT("cc"), .title = TEXT("C") };
	struct text cookie, before;

	before = world_snapshot(world);
	world_command(
	    world, TEXT("CONFIG"), TEXT("SET"), TEXT("maxmemory"), TEXT("1"));
	assert_int_equal(article_post(store, arena, &article), STORE_DOWN);
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_DOWN);
	assert_int_equal(
	    article_set_groups(store, arena, id, TEXT("bb"), TEXT("aa")),
	    STORE_DOWN);
	assert_int_equal(
	    post_remove(store, arena, article_id(id), &world_removal),
	    STORE_DOWN);
	assert_int_equal(
	    article_restore(store, arena, id, &world_restoring), STORE_DOWN);
	assert_int_equal(user_create(store, arena, &user), STORE_DOWN);
	assert_int_equal(
	    user_set_role(store, arena, ann, ROLE_MODERATOR), STORE_DOWN);
	assert_int_equal(group_create(store, arena, &group), STORE_DOWN);
	assert_int_equal(session_start(store, arena, ann, TEXT(""),
			     &world_no_factor, TEXT(""), &cookie),
	    STORE_DOWN);
	world_command(
	    world, TEXT("CONFIG"), TEXT("SET"), TEXT("maxmemory"), TEXT("0"));
	assert_unchanged(world, before);
}

static void
failed_read_ignored_silently(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct list_query query = {
		.kind = LIST_FRONT, .page = 1, .cache = world->cache
	};
	uint64_t ann = begin(world), total;
	uint64_t id = world_post(world, ann, "One", "http://a.example/", "aa");
	struct article article;
	struct group *groups;
	struct list list;
	int64_t now;
	size_t got;

	/* A key of an unexpected type is answered with an error. */
	world_command(world, TEXT("SET"),
	    key_score(&world->arena, &store->buckets,
		key_bucket_of(&store->buckets, id), TEXT("")),
	    TEXT("x"));
	world_command(world, TEXT("SET"), KEY_GROUPS, TEXT("x"));
	world_command(world, TEXT("SET"),
	    key_post(&world->arena, &store->buckets, article_id(id)),
	    TEXT("x"));
	assert_int_equal(
	    list_read(store, &world->arena, &query, &list), STORE_DOWN);
	assert_int_equal(
	    group_list(store, &world->arena, 0, 10, &groups, &got, &total),
	    STORE_DOWN);
	assert_int_equal(
	    article_get(store, &world->arena, id, 0, &article, &now),
	    STORE_DOWN);
	assert_int_equal(vote(world, id, 50, VOTE_UP), STORE_DOWN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(milliseconds_mixed_with_seconds),
		world_test(
		    counter_incremented_on_a_key_without_the_id_or_without_a_field),
		world_test(group_written_and_groups_read),
		world_test(
		    intersection_sums_a_membership_weight_into_the_score),
		world_test(cache_extended_by_each_read),
		world_test(author_recorded_as_a_voter_while_the_count_says_0),
		world_test(
		    vote_accepted_at_exactly_one_week_and_so_accepted_twice),
		world_test(
		    crash_between_two_writes_leaves_counts_sets_and_scores_in_disagreement),
		world_test(refused_write_ignored_silently),
		world_test(failed_read_ignored_silently),
	};

	return world_run("mistakes", tests);
}

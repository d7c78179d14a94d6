/*
 * The check: each invariant is violated, and the check reports it; a site under load
 * has no breaks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "base/crypto.h"
#include "redis/reply.h"
#include "store/image.h"
#include "store/keys.h"
#include "store/refresh.h"

enum { MEMBERS = 5 };

/* Articles 1 (in group go), 2 (removed) and 3 (interesting), by member 1. */
static void
fill(struct world *world)
{
	uint64_t ann = world_member(world, "ann");
	uint64_t bob = world_member(world, "bob");
	struct store *store = &world->store;

	world_stop_clock(world, 1700000000);
	world_group(world, "go");
	assert_int_equal(world_post(world, ann, "A", "http://a.b/1", "go"), 1);
	assert_int_equal(world_post(world, ann, "B", "http://a.b/2", ""), 2);
	world_vote(world, 1, bob, VOTE_DOWN);
	world_vote(world, 2, bob, VOTE_UP);
	world_remove(world, 2);
	store->rules.interesting = 1;
	assert_int_equal(world_post(world, bob, "C", "", "go"), 3);
}

static int
set_up(void **state)
{
	world_setup(state);
	fill(*state);
	return 0;
}

static struct text
article_key(struct world *world, uint64_t id)
{
	return key_post(&world->arena, &world->store.buckets, article_id(id));
}

static struct text
voters_key(struct world *world, uint64_t id)
{
	return key_voters(&world->arena, &world->store.buckets, article_id(id));
}

static struct text
time_key(struct world *world, uint64_t id, const char *list)
{
	return key_time(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id), text_of(list));
}

static struct text
score_key(struct world *world, uint64_t id, const char *list)
{
	return key_score(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id), text_of(list));
}

static struct text
interesting_key(struct world *world, uint64_t id)
{
	return key_interesting(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id));
}

static struct text
karma_key(struct world *world, uint64_t id)
{
	return key_karma(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id));
}

static struct text
member(struct world *world, uint64_t id)
{
	return encode_post(&world->arena, article_id(id));
}

static void
whole_site_has_no_break(void **state)
{
	struct outcome outcome = commands_check(*state);

	assert_text(outcome.errors, "");
	assert_has(outcome.out,
	    "3 articles: 1 removed, 1 interesting, 3 with a record of who "
	    "voted\n0 comments: 0 removed, 0 with a record of who voted\n"
	    "5 votes: 4 up, 1 down\n2 members, 1 group, ");
	assert_has(outcome.out, "\n0 breaks\n");
	assert_int_equal(outcome.status, 0);
}

static void
empty_site_has_no_break(void **state)
{
	struct outcome outcome = commands_check(*state);

	assert_has(outcome.out, "0 articles");
	assert_int_equal(outcome.status, 0);
}

static void
count_that_differs_from_the_record_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), voters_key(world, 1), TEXT("-9"));
	commands_assert_break(
	    world, "article 1: down is 1, and the record has 2\n");
	world_command(world, TEXT("SREM"), voters_key(world, 1), TEXT("-9"));
	world_command(world, TEXT("SREM"), voters_key(world, 1), TEXT("1"));
	commands_assert_break(
	    world, "article 1: up is 1, and the record has 0\n");
}

static void
record_without_its_0_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SREM"), voters_key(world, 3), TEXT("0"));
	commands_assert_break(
	    world, "article 3: the record of who voted has no 0\n");
}

static void
record_that_does_not_expire_in_time_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("PERSIST"), voters_key(world, 1));
	commands_assert_break(world,
	    "article 1: who voted is kept until -1 ms, and voting closes at "
	    "1700604800\n");
	world_command(
	    world, TEXT("EXPIREAT"), voters_key(world, 1), TEXT("1700604810"));
	commands_assert_break(world, "is kept until 1700604810000 ms");
}

static void
vote_both_ways_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SREM"), voters_key(world, 1), TEXT("-2"));
	world_command(world, TEXT("SADD"), voters_key(world, 1), TEXT("-1"));
	commands_assert_break(world, "article 1: 1 voted both up and down\n");
}

/* A flag on article 1, and the logged action of fill's removal, by bucket and id. */
static void
flag(struct world *world)
{
	assert_int_equal(
	    flag_set(&world->store, &world->arena, article_id(1), 2, FLAG_SPAM),
	    STORE_OK);
}

static struct text
queue_key(struct world *world, uint64_t id)
{
	return key_queue(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id));
}

static uint64_t
act_of_removal(struct world *world)
{
	struct text keys = world_keys(world, "{*}act:*"), key, list;
	struct post_id id;
	uint64_t bucket;

	assert_true(text_next_word(&keys, &key));
	assert_int_equal(key_parse(key, &bucket, &id, &list), KEY_MOD_ACTION);
	return id.article;
}

static struct text
log_key(struct world *world, const char *list)
{
	return key_log(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, act_of_removal(world)),
	    text_of(list));
}

static void
voided_and_voted_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), voters_key(world, 1),
	    text_number(&world->arena, KEY_VOID_OFFSET + 2));
	commands_assert_break(world, "article 1: 1 voted both up and down\n");
	world_command(world, TEXT("SREM"), voters_key(world, 1),
	    text_number(&world->arena, KEY_VOID_OFFSET + 2));
	/* A voided vote of a member who did not vote is no break. */
	world_command(world, TEXT("SADD"), voters_key(world, 1),
	    text_number(&world->arena, -KEY_VOID_OFFSET - 100));
	assert_int_equal(commands_check(world).status, 0);
}

static void
flag_that_is_not_queued_is_found(void **state)
{
	struct world *world = *state;

	flag(world);
	assert_int_equal(commands_check(world).status, 0);
	world_command(world, TEXT("ZADD"), queue_key(world, 1), TEXT("17"),
	    member(world, 1));
	commands_assert_break(world, "queue at 17 and not at 1700000000\n");
	world_command(
	    world, TEXT("ZREM"), queue_key(world, 1), member(world, 1));
	commands_assert_break(world, "article 1: it is not in ");
}

static void
queued_without_a_flag_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), queue_key(world, 1),
	    TEXT("1700000000"), member(world, 1));
	commands_assert_break(
	    world, "queue: article 1 has no flag to look at\n");
}

static void
removed_article_in_the_queue_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), queue_key(world, 2),
	    TEXT("1700000000"), member(world, 2));
	commands_assert_break(world, "queue: article 2 is removed\n");
}

static void
flags_without_an_article_are_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("HSET"),
	    key_flags(&world->arena, &world->store.buckets, article_id(77)),
	    TEXT("1"), TEXT("spam 1700000000 dismissed"));
	commands_assert_break(
	    world, "article 77: it does not exist, but it was flagged\n");
}

static void
article_missing_from_the_removed_list_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"),
	    key_removed(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, 1), TEXT("@1")),
	    TEXT("1700000000"), member(world, 1));
	commands_assert_break(
	    world, "gone:@1: article 1 does not belong there\n");
}

static void
action_missing_from_the_log_is_found(void **state)
{
	struct world *world = *state;
	struct text act = member(world, act_of_removal(world));

	world_command(world, TEXT("ZREM"), log_key(world, "=removed"), act);
	commands_assert_break(world, "log:=removed\n");
	world_command(world, TEXT("ZADD"), log_key(world, "=removed"),
	    TEXT("1700000001"), act);
	commands_assert_break(
	    world, "log:=removed at 1700000001 and not at 1700000000\n");
}

static void
unknown_entry_in_the_log_is_found(void **state)
{
	struct world *world = *state;
	uint64_t act = act_of_removal(world);
	uint64_t none = act + 100 * world->store.buckets.count;

	world_command(world, TEXT("ZADD"), log_key(world, "@7"),
	    TEXT("1700000000"), member(world, act));
	commands_assert_break(world, " does not belong there\n");
	world_command(world, TEXT("DEL"), log_key(world, "@7"));
	world_command(world, TEXT("ZADD"), log_key(world, ""),
	    TEXT("1700000000"), member(world, none));
	commands_assert_break(world, " does not exist\n");
}

static void
action_without_its_time_is_found(void **state)
{
	struct world *world = *state;
	uint64_t act = act_of_removal(world);

	world_command(world, TEXT("HDEL"),
	    key_mod_action(&world->arena, &world->store.buckets, act),
	    TEXT("at"));
	commands_assert_break(world, "its field \"at\" is \"\"\n");
}

static void
wrong_score_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), score_key(world, 3, "go"),
	    TEXT("1700000431"), member(world, 3));
	commands_assert_break(
	    world, "score:go at 1700000431 and not at 1700000432\n");
}

static void
wrong_time_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), time_key(world, 1, ""),
	    TEXT("1700000000.5"), member(world, 1));
	commands_assert_break(
	    world, "time at 1700000000.5 and not at 1700000000\n");
}

static void
missing_list_entry_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("ZREM"), time_key(world, 1, "@1"), member(world, 1));
	commands_assert_break(world, "time:@1\n");
}

static void
article_in_a_list_of_others_is_found(void **state)
{
	struct world *world = *state;

	world_group(world, "no");
	world_command(world, TEXT("ZADD"), time_key(world, 1, "no"), TEXT("1"),
	    member(world, 1));
	commands_assert_break(
	    world, "time:no: article 1 does not belong there\n");
}

static void
unknown_id_in_a_long_list_is_found(void **state)
{
	struct world *world = *state;
	struct text key = time_key(world, 1, "");

	/* So long that the list is checked in steps. */
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("zset-max-listpack-entries"), TEXT("0"));
	for (unsigned i = 0; i < 400; i++)
		world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://b.c/%u", i), "");
	world_command(world, TEXT("ZADD"), key, TEXT("1"), TEXT("7"));
	commands_assert_break(world, "time: article 7 is no id\n");
	world_command(world, TEXT("ZREM"), key, TEXT("7"));
	world_command(world, TEXT("ZADD"), key, TEXT("1"), member(world, 999));
	commands_assert_break(world, "time: article 999 does not exist\n");
}

static void
removed_article_in_a_list_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), time_key(world, 2, "@1"), TEXT("1"),
	    member(world, 2));
	commands_assert_break(world, "time:@1: article 2 is removed\n");
}

static void
interesting_without_its_time_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ZADD"), interesting_key(world, 1), TEXT("1"),
	    member(world, 1));
	commands_assert_break(
	    world, "interesting: article 1 does not belong there\n");
}

static void
time_without_interesting_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("ZREM"), interesting_key(world, 3), member(world, 3));
	commands_assert_break(world, "article 3: it is not in ");
	world_command(world, TEXT("ZADD"), interesting_key(world, 3), TEXT("5"),
	    member(world, 3));
	commands_assert_break(
	    world, "interesting at 5 and not at 1700000000\n");
}

static void
wrong_karma_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("HINCRBY"), karma_key(world, 2), TEXT("1"), TEXT("2"));
	commands_assert_break(world, "karma of member 1 in bucket ");
	world_command(
	    world, TEXT("HINCRBY"), karma_key(world, 2), TEXT("1"), TEXT("-2"));
	world_command(
	    world, TEXT("HSET"), karma_key(world, 0), TEXT("9"), TEXT("4"));
	commands_assert_break(world,
	    "karma of member 9 in bucket 0: it is 4, and the posts make "
	    "0\n");
}

static void
karma_of_removed_articles_counts(void **state)
{
	struct world *world = *state;
	uint64_t buckets = world->store.buckets.count;

	world_command(world, TEXT("HDEL"), karma_key(world, 2), TEXT("1"));
	/* With one bucket, article 1 has changed the same sum by a point. */
	if (buckets == 1) {
		assert_has(commands_check(world).out, "\n0 breaks\n");
		world_command(world, TEXT("HSET"), karma_key(world, 2),
		    TEXT("1"), TEXT("-1"));
	}
	commands_assert_break(world, "karma of member 1 in bucket ");
}

static void
voters_without_an_article_are_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), voters_key(world, 77), TEXT("0"));
	commands_assert_break(
	    world, "article 77: it does not exist, but who voted");
}

static void
broken_hash_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("HSET"), article_key(world, 2), TEXT("up"),
	    TEXT("many"));
	assert_has(commands_check(world).out,
	    "article 2: its field \"up\" is \"many\"\n");
}

static void
article_in_another_bucket_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("HSET"), TEXT("{9.0}article:88"), TEXT("up"),
	    TEXT("1"));
	commands_assert_break(
	    world, "article 88: it lies in bucket 9, and belongs in 0");
}

/* Votes, and sometimes removes, restores or posts. */
static bool
change_something(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	uint64_t id = 1 + (uint64_t)rand_r(seed) % 400;
	uint64_t user = 1 + (uint64_t)rand_r(seed) % MEMBERS;
	struct article article = { .title = TEXT("New"),
		.url = text_format(arena, "http://%d.b/%u", getpid(), number),
		.post.author = { user, TEXT("someone") } };
	enum store_result result =
	    world_cast(store, arena, article_id(id), user, number % 3);

	if (result != STORE_DOWN && number % 20 == 0)
		result =
		    post_remove(store, arena, article_id(id), &world_removal);
	if (result != STORE_DOWN && number % 20 == 5)
		result = article_restore(store, arena, id, &world_restoring);
	if (result != STORE_DOWN && number % 10 == 7)
		result = article_post(store, arena, &article);
	if (result != STORE_DOWN && number % 40 == 7)
		result = post_remove(store, arena,
		    article_id(article.post.id.article), &world_removal);
	return result != STORE_DOWN;
}

/* A site with articles, which two writers change. */
static void
start_busy_site(struct world *world, struct concurrent_writer busy[2])
{
	for (unsigned i = 0; i < MEMBERS; i++)
		world_member(world, fixture_string(&world->arena, "user%u", i));
	for (unsigned i = 0; i < 300; i++)
		world_post(world, 1 + i % MEMBERS, "T",
		    fixture_string(&world->arena, "http://a.b/%u", i), "");
	for (unsigned i = 0; i < 2; i++)
		busy[i] = concurrent_writer_start(world, change_something, i);
}

static void
changes_during_a_check_are_no_breaks(void **state)
{
	struct world *world = *state;
	struct outcome outcomes[5];
	struct concurrent_writer busy[2];

	start_busy_site(world, busy);
	for (int i = 0; i < 5; i++) {
		for (int b = 0; b < 2; b++)
			concurrent_writer_await(&busy[b], 40);
		outcomes[i] = commands_check(world);
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&busy[i]);
	for (int i = 0; i < 5; i++) {
		assert_has(outcomes[i].out, "\n0 breaks\n");
		assert_text(outcomes[i].errors, "");
	}
	assert_has(commands_check(world).out, "\n0 breaks\n");
}

/* The next new ids would overwrite existing data. */
static void
counter_that_is_behind_is_found(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t act = act_of_removal(world);

	world_command(world, TEXT("SET"),
	    key_article_counter(
		&world->arena, buckets, key_bucket_of(buckets, 3)),
	    TEXT("0"));
	commands_assert_break(world, "articles: it is 0, and ");
	world_command(world, TEXT("SET"),
	    key_article_counter(
		&world->arena, buckets, key_bucket_of(buckets, 3)),
	    TEXT("3"));
	world_command(world, TEXT("SET"),
	    key_mod_action_counter(
		&world->arena, buckets, key_bucket_of(buckets, act)),
	    TEXT("0"));
	commands_assert_break(world, "acts: it is 0, and 1 was given out\n");
	world_command(world, TEXT("SET"),
	    key_mod_action_counter(
		&world->arena, buckets, key_bucket_of(buckets, act)),
	    TEXT("1"));
	world_command(world, TEXT("SET"), KEY_USERS, TEXT("1"));
	commands_assert_break(world, "users: it is 1, and 2 was given out\n");
}

static void
name_of_another_member_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SET"), TEXT("name:zoe"), TEXT("1"));
	commands_assert_break(world,
	    "name \"zoe\": it leads to member 1, who is called \"ann\"\n");
	world_command(world, TEXT("SET"), TEXT("name:zoe"), TEXT("99"));
	commands_assert_break(
	    world, "name \"zoe\": it leads to member 99, who is");
	world_command(world, TEXT("DEL"), TEXT("name:zoe"));
	/* As while an account is being closed. */
	world_command(world, TEXT("SET"), TEXT("name:closed-1"), TEXT("1"));
	assert_int_equal(commands_check(world).status, 0);
}

static void
member_without_a_name_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("DEL"), TEXT("name:ann"));
	commands_assert_break(
	    world, "member 1: its name \"ann\" leads to nobody\n");
	world_command(world, TEXT("SET"), TEXT("name:ann"), TEXT("1"));
	/* A registration interrupted there has no other data. */
	world_command(world, TEXT("DEL"), TEXT("name:zoe"));
	world_member(world, "zoe");
	world_command(world, TEXT("DEL"), TEXT("name:zoe"));
	assert_has(commands_check(world).out,
	    "1 registration or new group cut short\n");
	assert_int_equal(commands_check(world).status, 0);
}

static void
moderators_are_those_with_a_role(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), KEY_MODERATORS, TEXT("2"));
	commands_assert_break(world,
	    "member 2: the role is member, and it is listed among the "
	    "moderators\n");
	world_command(world, TEXT("SREM"), KEY_MODERATORS, TEXT("2"));
	world_command(
	    world, TEXT("HSET"), TEXT("{u1}user"), TEXT("role"), TEXT("owner"));
	commands_assert_break(
	    world, "member 1: the role is owner, and it is not listed");
	world_command(world, TEXT("SADD"), KEY_MODERATORS, TEXT("1"), TEXT("0"),
	    TEXT("77"));
	commands_assert_break(
	    world, "member 77 is among the moderators, and does not exist\n");
}

static void
owners_are_those_with_the_role(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), KEY_OWNERS, TEXT("2"));
	commands_assert_break(world,
	    "member 2: the role is member, and it is listed among the "
	    "owners\n");
	world_command(world, TEXT("SREM"), KEY_OWNERS, TEXT("2"));
	world_command(
	    world, TEXT("HSET"), TEXT("{u1}user"), TEXT("role"), TEXT("owner"));
	world_command(
	    world, TEXT("SADD"), KEY_MODERATORS, TEXT("1"), TEXT("0"));
	/* They need not be listed until one steps down. */
	assert_int_equal(commands_check(world).status, 0);
	world_command(world, TEXT("SADD"), KEY_OWNERS, TEXT("0"));
	commands_assert_break(world,
	    "member 1: the role is owner, and it is not listed among the "
	    "owners\n");
}

static void
missing_and_incomplete_groups_are_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("HDEL"), TEXT("group:go"), TEXT("title"));
	commands_assert_break(world, "group \"go\": it is only half there\n");
	world_command(world, TEXT("DEL"), TEXT("group:go"));
	world_command(world, TEXT("ZREM"), KEY_GROUPS, TEXT("go"));
	commands_assert_break(world,
	    "group \"go\": it is listed or has articles, and does not "
	    "exist\n");
	world_command(world, TEXT("HSET"), TEXT("group:go"), TEXT("title"),
	    TEXT("Go"), TEXT("created"), TEXT("1600000000"));
	commands_assert_break(world, "group \"go\": it is not in the list");
	world_command(world, TEXT("ZADD"), KEY_GROUPS, TEXT("0"), TEXT("go"));
	assert_int_equal(commands_check(world).status, 0);
	/* An interrupted creation leaves a group without articles. */
	world_command(world, TEXT("HSET"), TEXT("group:new"), TEXT("title"),
	    TEXT("New"), TEXT("created"), TEXT("1600000000"));
	assert_has(commands_check(world).out,
	    "1 registration or new group cut short\n");
	assert_int_equal(commands_check(world).status, 0);
	world_command(
	    world, TEXT("ZADD"), KEY_FORMER, TEXT("0"), TEXT("weiqi"));
	commands_assert_break(
	    world, "group \"weiqi\": it is listed or has articles");
}

static void
claim_for_nothing_is_found(void **state)
{
	struct world *world = *state;
	struct text keys = world_keys(world, "{*}claims:*"), key;

	assert_true(text_next_word(&keys, &key));
	world_command(
	    world, TEXT("HSET"), key, TEXT("x"), TEXT("999 1700604800"));
	commands_assert_break(world,
	    ": a link is claimed for article 999, which does not exist\n");
	world_command(world, TEXT("HSET"), key, TEXT("x"), TEXT("seven"));
	commands_assert_break(world, ": \"seven\" is no claim\n");
	world_command(
	    world, TEXT("HSET"), key, TEXT("x"), TEXT("999 1600000000"));
	assert_int_equal(commands_check(world).status, 0);
}

enum { MANY = 1300 };

static void
post_many(struct world *world)
{
	world_member(world, "ann");
	world_member(world, "bob");
	world_member(world, "cid");
	for (unsigned i = 0; i < MANY; i++)
		world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://a.b/%u", i), "");
}

/* Each function call of a check reads a bounded number of posts, however many an author
 * has. */
static void
karma_of_many_posts_is_summed_in_steps(void **state)
{
	struct world *world = *state;
	const struct reply *words;
	struct reply slow;
	size_t calls = 0;
	struct text last, number;
	int64_t more;

	post_many(world);
	world_command(
	    world, TEXT("HINCRBY"), karma_key(world, 1), TEXT("1"), TEXT("3"));
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("slowlog-max-len"), TEXT("100000"));
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("slowlog-log-slower-than"), TEXT("0"));
	commands_assert_break(world, "and the posts make 0\n");
	slow =
	    world_command(world, TEXT("SLOWLOG"), TEXT("GET"), TEXT("100000"));
	for (size_t i = 0; i < slow.count; i++) {
		words = reply_item(reply_item(&slow, i), 3);
		if (words->count < 2 ||
		    !text_starts(
			reply_text(reply_item(words, 1)), TEXT("karma_")))
			continue;
		calls++;
		/* "... (250 more arguments)" */
		last = reply_text(reply_item(words, words->count - 1));
		if (words->count < 32)
			continue;
		last = text_slice(last, 5, last.size);
		assert_true(text_next_word(&last, &number));
		assert_true(text_to_i64(number, &more));
		assert_true(more < 300);
	}
	assert_true(calls >= MANY / world->store.buckets.count / 300);
}

static bool
vote_on_many(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	uint64_t id = 1 + (uint64_t)rand_r(seed) % MANY;

	return world_cast(store, arena, article_id(id), 2 + number % 2,
		   (enum vote)((unsigned)rand_r(seed) % 3)) == STORE_OK;
}

/* The difference stays the same while members vote; it is larger than their votes. */
static void
summed_karma_is_exact_while_members_vote(void **state)
{
	struct world *world = *state;
	struct concurrent_writer busy[2];
	int64_t kept, sum;
	struct text out;

	post_many(world);
	world_command(world, TEXT("HINCRBY"), karma_key(world, 1), TEXT("1"),
	    TEXT("100000"));
	for (unsigned i = 0; i < 2; i++)
		busy[i] = concurrent_writer_start(world, vote_on_many, i);
	for (int i = 0; i < 5; i++) {
		concurrent_writer_await(&busy[i % 2], 20);
		out = commands_check(world).out;
		assert_has(out, "\n1 break\n");
		out = text_slice(
		    out, text_find(out, 0, TEXT(": it is ")) + 8, out.size);
		assert_int_equal(sscanf(text_string(&world->arena, out),
				     "%" SCNd64 ", and the posts make %" SCNd64,
				     &kept, &sum),
		    2);
		assert_int_equal(kept - sum, 100000);
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&busy[i]);
}

/* Articles whose lists, counts and karma are damaged are repaired while members vote, post and
 * remove. */
static void
site_in_use_is_repaired(void **state)
{
	struct world *world = *state;
	struct buckets *buckets = &world->store.buckets;
	struct concurrent_writer busy[2];

	start_busy_site(world, busy);
	for (int i = 0; i < 5; i++) {
		struct outcome outcome;

		concurrent_writer_await(&busy[i % 2], 40);
		for (uint64_t b = 0; b < buckets->count; b++) {
			world_command(world, TEXT("DEL"),
			    key_score(&world->arena, buckets, b, TEXT("")));
			world_command(world, TEXT("HINCRBY"),
			    key_karma(&world->arena, buckets, b), TEXT("1"),
			    TEXT("1000"));
			world_command(world, TEXT("ZADD"),
			    key_time(&world->arena, buckets, b, TEXT("")),
			    TEXT("1"), member(world, 100000 + b));
		}
		outcome = commands_repair(world);
		assert_has(outcome.out, "\n0 breaks\n");
		assert_text(outcome.errors, "");
		assert_int_equal(outcome.status, 0);
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&busy[i]);
	commands_assert_whole(world);
}

/* Repairing what is as it should be changes nothing, not even the counts of changes. */
static void
whole_site_stays_as_it_is(void **state)
{
	struct world *world = *state;
	struct buckets *buckets = &world->store.buckets;
	struct text before = world_snapshot(world);
	struct text versions =
	    key_versions(&world->arena, buckets, key_bucket_of(buckets, 1));
	struct text counts = world_command(world, TEXT("DUMP"), versions).text;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	for (uint64_t id = 1; id <= 3; id++)
		refresh_send_post(&pipeline, &world->store, article_id(id));
	assert_true(redis_run(&pipeline));
	assert_has(commands_repair(world).out, "\n0 breaks\n");
	assert_unchanged(world, before);
	assert_same(world_command(world, TEXT("DUMP"), versions).text, counts);
}

/* Damage to data from which others are derived stays, and is said. */
static void
what_cannot_be_repaired_is_said(void **state)
{
	struct world *world = *state;
	struct outcome outcome;

	world_command(
	    world, TEXT("HDEL"), article_key(world, 1), TEXT("author"));
	world_command(
	    world, TEXT("ZREM"), time_key(world, 3, "go"), member(world, 3));
	outcome = commands_repair(world);
	assert_int_equal(outcome.status, 1);
	assert_has(outcome.out, "article 3: it is not in ");
	assert_has(
	    text_slice(outcome.out, text_find(outcome.out, 0, TEXT("again")),
		outcome.out.size),
	    "article 1: its field \"author\" is \"\"\n");
	assert_has(outcome.out,
	    "\nWhat is left is damaged records, which nothing but a backup has.");
}

static void
damaged_images_are_removed(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text logo = key_image(arena, buckets, TEXT("logo"));
	struct text icon = key_image(arena, buckets, TEXT("icon"));
	struct text png =
	    fixture_read_file(arena, "static/apple-touch-icon.png");
	const struct text cut = text_slice(png, 0, png.size - 1);
	struct outcome outcome;

	for (size_t i = 0; i < IMAGES; i++)
		assert_int_equal(
		    image_set(&world->store, arena, (enum image_kind)i, png),
		    STORE_OK);
	commands_assert_whole(world);
	world_command(world, TEXT("SET"), logo, cut);
	commands_assert_break(
	    world, "image \"logo\": it is no PNG that owners could upload\n");
	outcome = commands_dump(world);
	assert_has(
	    outcome.errors, "image \"logo\" is left out: it is damaged\n");
	assert_int_equal(outcome.status, 1);
	assert_int_equal(commands_repair(world).status, 0);
	commands_assert_whole(world);
	world_command(world, TEXT("RPUSH"), logo, TEXT("word"));
	commands_assert_break(
	    world, "image:logo: its type is list, and should be string\n");
	assert_int_equal(commands_repair(world).status, 0);
	commands_assert_whole(world);
	assert_int_equal(world_command(world, TEXT("EXISTS"), logo).number, 0);
	assert_same(world_command(world, TEXT("GET"), icon).text, png);
}

/* The owner is faster than the repair. */
static void
images_uploaded_meanwhile_stay(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct text settings = key_settings(arena, &world->store.buckets);
	struct text png =
	    fixture_read_file(arena, "static/apple-touch-icon.png");

	assert_int_equal(
	    image_set(&world->store, arena, IMAGE_LOGO, png), STORE_OK);
	world_command(world, TEXT("FCALL"), TEXT("drop_image_1"), TEXT("1"),
	    settings, TEXT("logo"), TEXT("damaged"));
	assert_same(world_command(world, TEXT("GET"),
			key_image(arena, &world->store.buckets, TEXT("logo")))
			.text,
	    png);
}

/* Digests that are none, more of them than ten, half of a second factor and a link that is none:
 * the check names all, and what is left is well-formed. */
static void
recovery_is_checked_and_repaired(void **state)
{
	struct world *world = *state;
	struct text codes = TEXT("{u1}codes"), user = TEXT("{u1}user");
	struct outcome outcome;

	world_member(world, "ann");
	for (int i = 0; i < 12; i++)
		world_command(world, TEXT("SADD"), codes,
		    crypto_digest_hex(&world->arena, TEXT("key"),
			text_number(&world->arena, i)));
	world_command(world, TEXT("SADD"), codes, TEXT("x"));
	world_command(world, TEXT("SET"), TEXT("{u1}link"), TEXT("x"));
	world_command(
	    world, TEXT("HSET"), user, TEXT("factor_on"), TEXT("1700000000"));
	outcome = commands_check(world);
	assert_has(outcome.out, "recovery of member 1: a code is no digest");
	assert_has(outcome.out, "member 1: it has 13 codes, and at most 10");
	assert_has(outcome.out, "member 1: the link is no digest");
	assert_has(outcome.out, "member 1: the second factor is on in part");
	commands_repair(world);
	commands_assert_whole(world);
	assert_int_equal(world_command(world, TEXT("SCARD"), codes).number, 10);
	assert_int_equal(world_user(world, 1).factor_on, 0);
	/* Nothing stays of a closed account, or of no member. */
	world_command(world, TEXT("HSET"), user, TEXT("closed"),
	    TEXT("1700000000"), TEXT("factor_on"), TEXT("1700000000"));
	assert_has(commands_check(world).out,
	    "recovery of member 1: the account is closed");
	commands_repair(world);
	assert_int_equal(world_command(world, TEXT("SCARD"), codes).number, 0);
	assert_int_equal(world_user(world, 1).factor_on, 0);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(whole_site_stays_as_it_is),
		TEST(what_cannot_be_repaired_is_said),
		world_test(site_in_use_is_repaired),
		world_test(recovery_is_checked_and_repaired),
		TEST(whole_site_has_no_break),
		world_test(empty_site_has_no_break),
		TEST(count_that_differs_from_the_record_is_found),
		TEST(record_without_its_0_is_found),
		TEST(record_that_does_not_expire_in_time_is_found),
		TEST(vote_both_ways_is_found),
		TEST(voided_and_voted_is_found),
		TEST(flag_that_is_not_queued_is_found),
		TEST(queued_without_a_flag_is_found),
		TEST(removed_article_in_the_queue_is_found),
		TEST(flags_without_an_article_are_found),
		TEST(article_missing_from_the_removed_list_is_found),
		TEST(action_missing_from_the_log_is_found),
		TEST(unknown_entry_in_the_log_is_found),
		TEST(action_without_its_time_is_found),
		TEST(wrong_score_is_found),
		TEST(wrong_time_is_found),
		TEST(missing_list_entry_is_found),
		TEST(article_in_a_list_of_others_is_found),
		TEST(unknown_id_in_a_long_list_is_found),
		TEST(removed_article_in_a_list_is_found),
		TEST(interesting_without_its_time_is_found),
		TEST(time_without_interesting_is_found),
		TEST(wrong_karma_is_found),
		TEST(karma_of_removed_articles_counts),
		TEST(voters_without_an_article_are_found),
		TEST(broken_hash_is_found),
		TEST(article_in_another_bucket_is_found),
		TEST(counter_that_is_behind_is_found),
		TEST(name_of_another_member_is_found),
		TEST(member_without_a_name_is_found),
		TEST(moderators_are_those_with_a_role),
		TEST(owners_are_those_with_the_role),
		TEST(missing_and_incomplete_groups_are_found),
		TEST(claim_for_nothing_is_found),
		world_test(changes_during_a_check_are_no_breaks),
		world_test(karma_of_many_posts_is_summed_in_steps),
		world_test(summed_karma_is_exact_while_members_vote),
		world_test(damaged_images_are_removed),
		world_test(images_uploaded_meanwhile_stay),
	};

	return world_run("check", tests);
}

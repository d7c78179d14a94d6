/*
 * The check of comments: each invariant of comments and threads is violated, and the
 * check reports it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/keys.h"

/* The list of the newest is trimmed to NEWEST beyond LONGEST (store/functions/comment.lua). */
enum { NEWEST = 1000, LONGEST = 1064 };

static uint64_t
say(struct world *world, uint64_t article, uint64_t user, int64_t parent)
{
	static unsigned number;
	struct comment comment = { .post.id = { .article = article },
		.post.author = { user, TEXT("somebody") },
		.parent = parent,
		.text = text_format(&world->arena, "Words %u", number++) };
	struct comment_posting posting = { .wait = 0 };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id.comment;
}

static struct post_id
id_of(uint64_t number)
{
	return (struct post_id){ 1, number };
}

/* Article 1 by member 1, with comments by member 2: 1 with a downvote, 2 deleted by its
 * author, and 3, a removed reply to 1. Article 2 has none. */
static void
fill(struct world *world)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	uint64_t ann = world_member(world, "ann");
	uint64_t bob = world_member(world, "bob");

	world_stop_clock(world, NOON);
	assert_int_equal(world_post(world, ann, "A", "http://a.b/1", ""), 1);
	assert_int_equal(world_post(world, ann, "B", "http://a.b/2", ""), 2);
	say(world, 1, bob, 0);
	say(world, 1, bob, 0);
	say(world, 1, bob, 1);
	say(world, 1, ann, 1);
	assert_int_equal(
	    world_cast(store, arena, id_of(1), ann, VOTE_DOWN), STORE_OK);
	assert_int_equal(post_delete(store, arena, id_of(2), bob), STORE_OK);
	assert_int_equal(
	    post_remove(store, arena, id_of(3), &world_removal), STORE_OK);
}

static int
set_up(void **state)
{
	world_setup(state);
	fill(*state);
	return 0;
}

static struct text
comment_key(struct world *world, uint64_t number)
{
	return key_post(&world->arena, &world->store.buckets, id_of(number));
}

static struct text
voters_key(struct world *world, struct post_id id)
{
	return key_voters(&world->arena, &world->store.buckets, id);
}

static struct text
thread_key(struct world *world, uint64_t article)
{
	return key_thread(&world->arena, &world->store.buckets, article);
}

static struct text
comments_key(struct world *world, const char *list)
{
	return key_comments(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, 1), text_of(list));
}

static struct text
gone_key(struct world *world, const char *list)
{
	return key_removed(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, 1), text_of(list));
}

static struct text
queue_key(struct world *world)
{
	return key_queue(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, 1));
}

static struct text
versions_key(struct world *world)
{
	return key_versions(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, 1));
}

static struct text
member(struct world *world, uint64_t number)
{
	return encode_post(&world->arena, id_of(number));
}

/* Overwrites a part of a comment's record in the index, from a bit on. */
static void
set_record(struct world *world, uint64_t number, const char *type, int bit,
    const char *value)
{
	world_command(world, TEXT("BITFIELD"), thread_key(world, 1),
	    TEXT("SET"), text_of(type),
	    text_number(&world->arena, (int64_t)number * 128 + bit),
	    text_of(value));
}

static void
whole_threads_have_no_break(void **state)
{
	struct world *world = *state;

	commands_assert_whole(world);
	assert_has(commands_check(world).out,
	    "2 articles: 0 removed, 0 interesting, 2 with a record of who "
	    "voted\n4 comments: 2 removed, 4 with a record of who voted\n"
	    "7 votes: 6 up, 1 down\n2 members, 0 groups, ");
}

static void
count_that_differs_from_the_record_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("SADD"), voters_key(world, id_of(1)), TEXT("-9"));
	commands_assert_break(
	    world, "comment 1:1: down is 1, and the record has 2\n");
}

static void
record_that_does_not_expire_in_time_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("PERSIST"), voters_key(world, id_of(4)));
	commands_assert_break(world,
	    "comment 1:4: who voted is kept until -1 ms, and voting closes "
	    "at 1700604800\n");
}

static void
voters_and_flags_of_no_comment_are_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("SADD"), voters_key(world, id_of(9)), TEXT("0"));
	commands_assert_break(
	    world, "comment 1:9: it does not exist, but who voted on it");
	world_command(world, TEXT("DEL"), voters_key(world, id_of(9)));
	world_command(world, TEXT("HSET"),
	    key_flags(&world->arena, &world->store.buckets, id_of(9)),
	    TEXT("1"), TEXT("spam 1700000000 dismissed"));
	commands_assert_break(
	    world, "comment 1:9: it does not exist, but it was flagged\n");
}

static void
index_that_differs_is_found(void **state)
{
	struct world *world = *state;

	set_record(world, 1, "u24", 64, "7");
	assert_has(commands_check(world).out,
	    "comment 1:1: up is 7, and the record has 1\n");
	set_record(world, 1, "u24", 64, "1");
	set_record(world, 1, "u32", 32, "1700000001");
	assert_has(commands_check(world).out,
	    "comments at 1700000000 and not at 1700000001\n");
	set_record(world, 1, "u32", 32, "1700000000");
	/* Removed by a moderator, and not by its author. */
	set_record(world, 3, "u2", 30, "3");
	commands_assert_break(
	    world, "comment 1:3: its thread has 3 as its state, and not 1\n");
}

static void
comment_that_is_not_in_the_index_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("DEL"), thread_key(world, 1));
	assert_has(commands_check(world).out,
	    "comment 1:2: its thread has no record of it\n");
	assert_has(commands_check(world).out,
	    "article 1: its last comment is 4, and its thread has 0\n");
}

static void
record_of_no_comment_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("DEL"), comment_key(world, 2),
	    voters_key(world, id_of(2)));
	world_command(
	    world, TEXT("ZREM"), gone_key(world, "@2"), member(world, 2));
	commands_assert_break(world, "thread:1: comment 1:2 does not exist\n");
}

/* It takes several steps. */
static void
record_at_the_end_of_a_long_thread_is_found(void **state)
{
	struct world *world = *state;

	for (int i = 0; i < 170; i++)
		say(world, 1, 1, 0);
	commands_assert_whole(world);
	world_command(world, TEXT("HINCRBY"),
	    key_post(&world->arena, &world->store.buckets, article_id(1)),
	    TEXT("commented"), TEXT("1"));
	set_record(world, 175, "u32", 32, "1700000000");
	set_record(world, 175, "u8", 24, "1");
	commands_assert_break(
	    world, "thread:1: comment 1:175 does not exist\n");
}

static void
thread_of_no_article_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("SET"), thread_key(world, 77), TEXT("12345678"));
	commands_assert_break(world, "thread:77: article 77 does not exist\n");
}

static void
thread_in_another_bucket_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("SET"), TEXT("{9.0}thread:88"), TEXT("12345678"));
	commands_assert_break(world,
	    "article 88: its thread lies in bucket 9, and belongs in 0\n");
}

static void
comment_in_another_bucket_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("HSET"), TEXT("{9.0}comment:88:3"),
	    TEXT("up"), TEXT("1"));
	commands_assert_break(
	    world, "comment 88:3: it lies in bucket 9, and belongs in 0\n");
}

static void
comment_of_no_article_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("DEL"),
	    key_post(&world->arena, &world->store.buckets, article_id(1)),
	    voters_key(world, article_id(1)));
	assert_has(commands_check(world).out,
	    "comment 1:3: its article does not exist\n");
}

static void
reply_to_nothing_is_found(void **state)
{
	struct world *world = *state;

	set_record(world, 2, "u24", 0, "4");
	commands_assert_break(
	    world, "comment 1:2: it answers 4, which is not older\n");
	set_record(world, 4, "u24", 0, "2");
	world_command(world, TEXT("DEL"), comment_key(world, 2));
	assert_has(commands_check(world).out,
	    "comment 1:4: it answers 2, which does not exist\n");
}

/* The check continues after each of these. */
static void
broken_hashes_are_found(void **state)
{
	struct world *world = *state;
	struct text article =
	    key_post(&world->arena, &world->store.buckets, article_id(1));

	world_command(
	    world, TEXT("HSET"), article, TEXT("commented"), TEXT("many"));
	commands_assert_break(world,
	    "article 1: its last comment is many, and its thread has 4\n");
	world_command(
	    world, TEXT("HSET"), article, TEXT("commented"), TEXT("4"));
	world_command(
	    world, TEXT("HDEL"), comment_key(world, 1), TEXT("closes"));
	assert_has(
	    commands_check(world).out, "comment 1:1: who voted is kept until");
	world_command(world, TEXT("HSET"), comment_key(world, 1),
	    TEXT("closes"), TEXT("soon"));
	assert_has(commands_check(world).out,
	    "comment 1:1: its field \"closes\" is \"soon\"\n");
}

static void
wrong_counts_of_an_article_are_found(void **state)
{
	struct world *world = *state;
	struct text key =
	    key_post(&world->arena, &world->store.buckets, article_id(1));

	world_command(world, TEXT("HINCRBY"), key, TEXT("comments"), TEXT("1"));
	commands_assert_break(
	    world, "article 1: it has 3 comments, and its thread has 2\n");
	world_command(
	    world, TEXT("HINCRBY"), key, TEXT("comments"), TEXT("-1"));
	world_command(
	    world, TEXT("HINCRBY"), key, TEXT("commented"), TEXT("2"));
	commands_assert_break(
	    world, "article 1: its last comment is 6, and its thread has 4\n");
}

static void
missing_list_entry_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("ZREM"), comments_key(world, "@2"), member(world, 1));
	commands_assert_break(world, "comments:@2\n");
	world_command(world, TEXT("ZADD"), comments_key(world, "@2"),
	    TEXT("1700000000"), member(world, 1));
	world_command(
	    world, TEXT("ZREM"), comments_key(world, ""), member(world, 1));
	commands_assert_break(world, "comments\n");
	world_command(world, TEXT("ZADD"), comments_key(world, ""), TEXT("7"),
	    member(world, 1));
	commands_assert_break(world, "comments at 7 and not at 1700000000\n");
}

static void
comment_missing_from_the_removed_list_is_found(void **state)
{
	struct world *world = *state;

	world_command(
	    world, TEXT("ZREM"), gone_key(world, "@2"), member(world, 3));
	commands_assert_break(world, "comment 1:3: it is not in ");
}

static void
wrong_list_entries_are_found(void **state)
{
	struct world *world = *state;
	struct text newest = comments_key(world, "");

	world_command(world, TEXT("ZADD"), newest, TEXT("1"), member(world, 2));
	commands_assert_break(world, "comments: comment 1:2 is removed\n");
	world_command(world, TEXT("ZREM"), newest, member(world, 2));
	world_command(world, TEXT("ZADD"), newest, TEXT("1"), member(world, 9));
	commands_assert_break(world, "comments: comment 1:9 does not exist\n");
	world_command(world, TEXT("ZREM"), newest, member(world, 9));
	world_command(world, TEXT("ZADD"), newest, TEXT("1"),
	    encode_post(&world->arena, article_id(1)));
	commands_assert_break(
	    world, "comments: article 1 does not belong there\n");
	world_command(world, TEXT("ZREM"), newest,
	    encode_post(&world->arena, article_id(1)));
	world_command(world, TEXT("ZADD"), comments_key(world, "@1"), TEXT("1"),
	    member(world, 1));
	commands_assert_break(
	    world, "comments:@1: comment 1:1 does not belong there\n");
	world_command(
	    world, TEXT("ZREM"), comments_key(world, "@1"), member(world, 1));
	world_command(world, TEXT("ZADD"),
	    key_time(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, 1), TEXT("@2")),
	    TEXT("1"), member(world, 1));
	commands_assert_break(
	    world, "time:@2: comment 1:1 does not belong there\n");
	world_command(world, TEXT("DEL"),
	    key_time(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, 1), TEXT("@2")));
	world_command(world, TEXT("ZADD"), gone_key(world, "@2"), TEXT("1"),
	    member(world, 1));
	commands_assert_break(
	    world, "gone:@2: comment 1:1 does not belong there\n");
}

static void
flag_that_is_not_queued_is_found(void **state)
{
	struct world *world = *state;

	assert_int_equal(
	    flag_set(&world->store, &world->arena, id_of(1), 1, FLAG_SPAM),
	    STORE_OK);
	commands_assert_whole(world);
	world_command(world, TEXT("ZREM"), queue_key(world), member(world, 1));
	commands_assert_break(world, "comment 1:1: it is not in ");
	world_command(world, TEXT("ZADD"), queue_key(world), TEXT("1700000000"),
	    member(world, 1));
	world_command(world, TEXT("ZADD"), queue_key(world), TEXT("1700000000"),
	    member(world, 4));
	commands_assert_break(
	    world, "queue: comment 1:4 has no flag to look at\n");
}

static void
wrong_karma_is_found(void **state)
{
	struct world *world = *state;
	struct text key = key_karma(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, 1));

	world_command(world, TEXT("HINCRBY"), key, TEXT("2"), TEXT("3"));
	commands_assert_break(world, ": it is 2, and the posts make -1\n");
	/* Removed comments alone count, too. */
	assert_int_equal(
	    post_delete(&world->store, &world->arena, id_of(1), 2), STORE_OK);
	commands_assert_break(world, ": it is 2, and the posts make -1\n");
	world_command(world, TEXT("HINCRBY"), key, TEXT("2"), TEXT("-3"));
	commands_assert_whole(world);
}

/* The list of the newest has a thousand; trimmed ones do not return, which is no
 * break. */
static void
trimmed_newest_comments_are_no_break(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	const struct text list = comments_key(world, "");
	uint64_t last = 0;

	world_move_clock(world, 1);
	for (int64_t i = world_command(world, TEXT("ZCARD"), list).number;
	    i <= LONGEST; i++) {
		/* A member's list of a page or less is an exception. */
		last = say(world, 1, 1, 0);
		if (i % 100 == 0)
			world_move_clock(world, 1);
	}
	assert_int_equal(
	    world_command(world, TEXT("ZCARD"), list).number, NEWEST);
	commands_assert_whole(world);
	assert_int_equal(
	    post_remove(store, &world->arena, id_of(last), &world_removal),
	    STORE_OK);
	commands_assert_whole(world);
	/* One that is older than the trimmed ones. */
	assert_int_equal(post_restore(store, &world->arena, id_of(3), TEXT(""),
			     &world_restoring),
	    STORE_OK);
	commands_assert_whole(world);
	assert_int_equal(post_restore(store, &world->arena, id_of(last),
			     TEXT(""), &world_restoring),
	    STORE_OK);
	commands_assert_whole(world);
	world_command(
	    world, TEXT("ZREM"), comments_key(world, ""), member(world, last));
	commands_assert_break(world, "comments\n");
	world_command(world, TEXT("HDEL"), versions_key(world), TEXT("newest"));
	assert_has(commands_check(world).out, "comment 1:1: it is not in ");
}

/* Comments, and sometimes votes on, removes, restores, deletes or flags a comment. */
static bool
change_something(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	uint64_t user = 1 + (uint64_t)rand_r(seed) % 2;
	struct post_id id = { 1 + (uint64_t)rand_r(seed) % 2,
		1 + (uint64_t)rand_r(seed) % 200 };
	struct comment comment = { .post.id = { .article = id.article },
		.post.author = { user, TEXT("somebody") },
		.parent = rand_r(seed) % 2 == 0 ? 0 : (int64_t)id.comment,
		.text = text_format(arena, "%d says %u", getpid(), number) };
	struct comment_posting posting = { .wait = 0 };
	enum store_result result =
	    comment_post(store, arena, &comment, &posting);

	if (result != STORE_DOWN)
		result =
		    world_cast(store, arena, id, 1 + number % 9, number % 3);
	if (result != STORE_DOWN && number % 5 == 0)
		result = post_remove(store, arena, id, &world_removal);
	if (result != STORE_DOWN && number % 5 == 2)
		result =
		    post_restore(store, arena, id, TEXT(""), &world_restoring);
	if (result != STORE_DOWN && number % 7 == 0)
		result = post_delete(store, arena, id, user);
	if (result != STORE_DOWN && number % 7 == 1)
		result = flag_set(store, arena, id, user, FLAG_SPAM);
	return result != STORE_DOWN;
}

static void
changes_during_a_check_are_no_breaks(void **state)
{
	struct world *world = *state;
	struct outcome outcomes[5];
	struct concurrent_writer busy[2];

	for (unsigned i = 0; i < 2; i++)
		busy[i] = concurrent_writer_start(world, change_something, i);
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
	commands_assert_whole(world);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(whole_threads_have_no_break),
		TEST(count_that_differs_from_the_record_is_found),
		TEST(record_that_does_not_expire_in_time_is_found),
		TEST(voters_and_flags_of_no_comment_are_found),
		TEST(index_that_differs_is_found),
		TEST(comment_that_is_not_in_the_index_is_found),
		TEST(record_of_no_comment_is_found),
		TEST(record_at_the_end_of_a_long_thread_is_found),
		TEST(thread_of_no_article_is_found),
		TEST(thread_in_another_bucket_is_found),
		TEST(comment_in_another_bucket_is_found),
		TEST(comment_of_no_article_is_found),
		TEST(reply_to_nothing_is_found),
		TEST(broken_hashes_are_found),
		TEST(wrong_counts_of_an_article_are_found),
		TEST(missing_list_entry_is_found),
		TEST(comment_missing_from_the_removed_list_is_found),
		TEST(wrong_list_entries_are_found),
		TEST(flag_that_is_not_queued_is_found),
		TEST(wrong_karma_is_found),
		TEST(trimmed_newest_comments_are_no_break),
		TEST(changes_during_a_check_are_no_breaks),
	};

	return world_run("check of comments", tests);
}

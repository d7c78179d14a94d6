/*
 * The check of inboxes and mutes: each of their invariants is violated, and the check
 * reports it.
 */
#include "../support/commands.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/inbox.h"
#include "store/keys.h"

#define ANN   TEXT("{u1}user")
#define INBOX TEXT("{u1}inbox")
#define MUTED TEXT("{u1}muted")

/* Article 1 with comments 1 to 3, ann and bob. Ann's inbox has the first two, one of
 * them read; she mutes the article. */
static int
set_up(void **state)
{
	struct world *world;
	struct store *store;
	struct pipeline pipeline;
	struct comment_posting posting = { .wait = 0 };

	world_setup(state);
	world = *state;
	store = &world->store;
	world_member(world, "ann");
	world_member(world, "bob");
	world_post(world, 1, "A", "http://a.b/1", "");
	for (int i = 0; i < 3; i++) {
		struct comment comment = { .post.id = { .article = 1 },
			.post.author = { 2, TEXT("bob") },
			.text = text_format(&world->arena, "Words %d", i) };

		assert_int_equal(
		    comment_post(store, &world->arena, &comment, &posting),
		    STORE_OK);
	}
	pipeline = pipeline_begin(store->redis, &world->arena);
	for (uint64_t i = 1; i < 3; i++) {
		const struct notice notice = { .comment = { 1, i } };

		inbox_notify(&pipeline, 1, &notice, 2);
	}
	assert_true(redis_run(&pipeline));
	assert_int_equal(inbox_mark_read(store, &world->arena, 1, 1), STORE_OK);
	assert_int_equal(inbox_mute(store, &world->arena, 1, 1), STORE_OK);
	return 0;
}

static void
add(struct world *world, const char *number, struct post_id comment)
{
	const struct notice notice = { .comment = comment };

	world_command(world, TEXT("ZADD"), INBOX, text_of(number),
	    notice_encode(&world->arena, &notice));
}

static void
set(struct world *world, const char *field, const char *value)
{
	world_command(world, TEXT("HSET"), ANN, text_of(field), text_of(value));
}

static void
whole_inboxes_have_no_break(void **state)
{
	struct outcome outcome = commands_check(*state);

	assert_has(outcome.out, "\n1 inbox with 2 notices, 1 mute\n");
	assert_has(outcome.out, "\n0 breaks\n");
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
}

static void
notice_of_no_comment_is_found(void **state)
{
	struct world *world = *state;

	set(world, "told", "3");
	add(world, "3", (struct post_id){ 1, 9 });
	commands_assert_break(world,
	    "inbox of member 1: it has comment 1:9, which does not exist\n");
}

static void
notice_of_no_action_is_found(void **state)
{
	struct world *world = *state;
	const struct notice notice = { .reason = NOTICE_ACTION, .action = 9 };

	set(world, "told", "3");
	world_command(world, TEXT("ZADD"), INBOX, TEXT("3"),
	    notice_encode(&world->arena, &notice));
	commands_assert_break(
	    world, "inbox of member 1: it has act 9, which does not exist\n");
}

static void
number_above_the_last_notice_is_found(void **state)
{
	struct world *world = *state;

	add(world, "3", (struct post_id){ 1, 3 });
	commands_assert_break(world,
	    "inbox of member 1: the newest has number 3, and 2 were told\n");
	world_command(world, TEXT("HDEL"), ANN, TEXT("told"));
	set(world, "read", "0");
	commands_assert_break(
	    world, "the newest has number 3, and 0 were told\n");
}

static void
more_read_than_delivered_is_found(void **state)
{
	struct world *world = *state;

	set(world, "read", "3");
	commands_assert_break(
	    world, "inbox of member 1: it is read up to 3, and 2 were told\n");
	/* Members without an inbox, too. */
	set(world, "read", "1");
	world_command(
	    world, TEXT("HSET"), TEXT("{u2}user"), TEXT("read"), TEXT("1"));
	commands_assert_break(
	    world, "inbox of member 2: it is read up to 1, and 0 were told\n");
}

static void
malformed_counts_are_found(void **state)
{
	struct world *world = *state;

	set(world, "told", "many");
	commands_assert_break(
	    world, "member 1: its field \"told\" is \"many\"\n");
	set(world, "told", "2");
	set(world, "read", "-1");
	commands_assert_break(
	    world, "member 1: its field \"read\" is \"-1\"\n");
}

static void
number_used_twice_is_found(void **state)
{
	struct world *world = *state;

	add(world, "2", (struct post_id){ 1, 3 });
	commands_assert_break(world, "inbox of member 1: two have number 2\n");
}

static void
malformed_entries_are_found(void **state)
{
	struct world *world = *state;
	const char *const entries[] = { "x", "0123456789", "", "01234567890" };

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++) {
		world_command(world, TEXT("ZADD"), INBOX, TEXT("0.5"),
		    text_of(entries[i]));
		commands_assert_break(world,
		    "inbox of member 1: what has number 0.5 is no notice\n");
		world_command(world, TEXT("ZREM"), INBOX, text_of(entries[i]));
	}
	add(world, "0", (struct post_id){ 1, 3 });
	commands_assert_break(
	    world, "inbox of member 1: what has number 0 is no notice\n");
	add(world, "1.25", (struct post_id){ 1, 3 });
	commands_assert_break(
	    world, "inbox of member 1: what has number 1.25 is no notice\n");
}

static void
wrong_count_of_what_was_read_ahead_is_found(void **state)
{
	struct world *world = *state;

	add(world, "2.5", (struct post_id){ 1, 2 });
	commands_assert_break(world,
	    "inbox of member 1: 0 were read after 1, of 2 that were told, and 1 "
	    "at least\n");
	add(world, "2", (struct post_id){ 1, 2 });
	set(world, "read_ahead", "2");
	commands_assert_break(world,
	    "inbox of member 1: 2 were read after 1, of 2 that were told, and 0 "
	    "at least\n");
	set(world, "read_ahead", "1");
	assert_int_equal(commands_check(world).status, 0);
}

/* The oldest is reached after many steps. */
static void
inbox_that_is_too_long_is_found(void **state)
{
	struct world *world = *state;
	struct outcome outcome;

	set(world, "told", "20000");
	for (uint64_t i = 10; i < 9 + INBOX_FORMER_MAX; i++)
		add(world, fixture_string(&world->arena, "%d", (int)i),
		    (struct post_id){ 7, i });
	outcome = commands_check(world);
	assert_has(outcome.out,
	    "inbox of member 1: it has 10001, and at most 10000 are kept\n");
	assert_has(outcome.out, "\n1 inbox with 10001 notices, ");
	assert_has(outcome.out, "\n10000 breaks\n");
	world_command(
	    world, TEXT("ZREMRANGEBYRANK"), INBOX, TEXT("0"), TEXT("0"));
	outcome = commands_check(world);
	assert_has(outcome.out, "\n1 inbox with 10000 notices, ");
	assert_has(outcome.out,
	    "inbox of member 1: it has comment 7:10, which does not exist\n");
	assert_has(outcome.out, "\n9999 breaks\n");
}

static void
mutes_of_nothing_are_found(void **state)
{
	struct world *world = *state;
	static const struct {
		const char *word, *what;
	} mutes[] = {
		{ "9", "it mutes article 9, which does not exist\n" },
		{ "0", "it mutes article 0, which does not exist\n" },
		{ "@9", "it mutes member 9, which does not exist\n" },
		{ "@1", "its own member is muted\n" },
		{ "@2", "member 2 is muted, and not hidden\n" },
		{ "bob", "what is muted as \"bob\" is nothing\n" },
		{ "", "what is muted as \"\" is nothing\n" },
		{ "@", "what is muted as \"@\" is nothing\n" },
		{ "@@2", "what is muted as \"@@2\" is nothing\n" },
		{ "1:2", "what is muted as \"1:2\" is nothing\n" },
		{ "01", "what is muted as \"01\" is nothing\n" },
		{ "\t\033",
		    "what is muted as \"?"
		    "?\" is nothing\n" },
	};

	for (size_t i = 0; i < sizeof(mutes) / sizeof(mutes[0]); i++) {
		struct text word = text_of(mutes[i].word);

		world_command(world, TEXT("SADD"), MUTED, word);
		commands_assert_break(world,
		    fixture_string(
			&world->arena, "inbox of member 1: %s", mutes[i].what));
		world_command(world, TEXT("SREM"), MUTED, word);
	}
}

static void
inbox_of_nobody_is_found(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("SADD"), TEXT("{u77}muted"), TEXT("1"));
	commands_assert_break(
	    world, "inbox of member 77: there is no such member\n");
	world_command(world, TEXT("DEL"), TEXT("{u77}muted"));
	world_command(world, TEXT("RENAME"), INBOX, TEXT("{u77}inbox"));
	assert_has(commands_check(world).out,
	    "inbox of member 77: there is no such member\n"
	    "inbox of member 77: the newest has number 2, and 0 were told\n");
}

static void
inbox_of_a_closed_account_is_found(void **state)
{
	struct world *world = *state;

	set(world, "closed", "1700000000");
	commands_assert_break(
	    world, "inbox of member 1: the account is closed\n");
	world_command(world, TEXT("DEL"), INBOX);
	commands_assert_break(
	    world, "inbox of member 1: the account is closed\n");
	world_command(world, TEXT("DEL"), MUTED);
	assert_has(commands_check(world).out, "\n0 breaks\n");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(whole_inboxes_have_no_break),
		TEST(notice_of_no_comment_is_found),
		TEST(notice_of_no_action_is_found),
		TEST(number_above_the_last_notice_is_found),
		TEST(more_read_than_delivered_is_found),
		TEST(malformed_counts_are_found),
		TEST(number_used_twice_is_found),
		TEST(malformed_entries_are_found),
		TEST(wrong_count_of_what_was_read_ahead_is_found),
		TEST(inbox_that_is_too_long_is_found),
		TEST(mutes_of_nothing_are_found),
		TEST(inbox_of_nobody_is_found),
		TEST(inbox_of_a_closed_account_is_found),
	};

	return world_run("check of inboxes", tests);
}

/* Inboxes: delivery, read marks, and mutes. */
#include "../support/world.h"
#include "redis/reply.h"
#include "store/function_call.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/refresh.h"
#include "store/user.h"

/* A notice of a comment of article 7, by member 99. */
static enum store_result
notify(
    struct world *world, uint64_t user, uint64_t number, enum notice_reason why)
{
	const struct notice notice = { .comment = { 7, number },
		.reason = why };
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	inbox_notify(&pipeline, user, &notice, 99);
	assert_true(redis_run(&pipeline));
	return call_outcome(&pipeline.replies[0]);
}

/* "2:7:5=reply 1:7:4=mention": a page of the inbox. */
static struct text
page_of(struct world *world, uint64_t user, uint64_t start, uint64_t count)
{
	struct arena *arena = &world->arena;
	struct text page = TEXT("");
	struct world_inbox inbox = world_inbox(world, user, start, count);

	for (size_t i = 0; i < inbox.count; i++) {
		const struct notice *notice = &inbox.notices[i];

		page = text_format(arena, "%.*s%s%llu:%llu:%llu=%.*s",
		    TEXT_ARGS(page), i > 0 ? " " : "",
		    (unsigned long long)notice->number,
		    (unsigned long long)notice->comment.article,
		    (unsigned long long)notice->comment.comment,
		    TEXT_ARGS(notice_words[notice->reason]));
	}
	return page;
}

static uint64_t
total_of(struct world *world, uint64_t user)
{
	return world_inbox(world, user, 0, 1).total;
}

static void
newest_come_first(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");

	assert_text(page_of(world, ann, 0, 10), "");
	assert_int_equal(notify(world, ann, 4, NOTICE_ARTICLE), STORE_OK);
	assert_int_equal(notify(world, ann, 5, NOTICE_REPLY), STORE_OK);
	assert_int_equal(notify(world, ann, 3, NOTICE_MENTION), STORE_OK);
	assert_text(page_of(world, ann, 0, 10),
	    "3:7:3=mention 2:7:5=reply 1:7:4=article");
	assert_text(page_of(world, ann, 1, 1), "2:7:5=reply");
	assert_text(page_of(world, ann, 3, 10), "");
	assert_int_equal(total_of(world, ann), 3);
	assert_int_equal(world_user(world, ann).notified, 3);
}

static void
repeated_notification_is_added_once(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct text before;

	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_int_equal(notify(world, ann, 2, NOTICE_REPLY), STORE_OK);
	before = world_snapshot(world);
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_unchanged(world, before);
}

static enum store_result
hide(struct world *world, uint64_t user, enum hidden_kind kind, uint64_t id)
{
	const struct hidden_rule what = { .kind = kind, .id = id };

	return hidden_add(&world->store, &world->arena, user, &what);
}

static enum store_result
show(struct world *world, uint64_t user, enum hidden_kind kind, uint64_t id)
{
	const struct hidden_rule what = { .kind = kind, .id = id };

	return hidden_remove(&world->store, &world->arena, user, &what);
}

static void
unknown_and_closed_accounts_are_not_notified(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct call call;
	struct text before;

	assert_int_equal(notify(world, 1000, 1, NOTICE_REPLY), STORE_ABSENT);
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_int_equal(
	    inbox_mute(&world->store, &world->arena, ann, 5), STORE_OK);
	assert_int_equal(hide(world, ann, HIDDEN_MEMBER, 5), STORE_OK);
	world_command(world, TEXT("HSET"), key_read_marks(&world->arena, ann),
	    TEXT("7"), TEXT("1"));
	call = call_begin(&world->arena, CALL_WRITES, "close_1",
	    key_user(&world->arena, ann));
	assert_int_equal(call_run(&call, &world->store, NULL), STORE_OK);
	/* Nothing of it is left. */
	assert_text(world_keys(world, "{u*"), "{u1}user");
	before = world_snapshot(world);
	assert_int_equal(notify(world, ann, 2, NOTICE_REPLY), STORE_ABSENT);
	assert_int_equal(
	    inbox_mute(&world->store, &world->arena, ann, 5), STORE_ABSENT);
	assert_int_equal(hide(world, ann, HIDDEN_MEMBER, 5), STORE_ABSENT);
	assert_unchanged(world, before);
}

static void
muted_and_hidden_articles_and_hidden_members_do_not_notify(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	uint64_t ann = world_member(world, "ann");

	assert_int_equal(hide(world, ann, HIDDEN_MEMBER, 7), STORE_OK);
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_int_equal(world_user(world, ann).notified, 1);
	assert_int_equal(inbox_mute(store, arena, ann, 7), STORE_OK);
	assert_int_equal(notify(world, ann, 2, NOTICE_REPLY), STORE_OK);
	assert_int_equal(inbox_unmute(store, arena, ann, 7), STORE_OK);
	assert_int_equal(hide(world, ann, HIDDEN_MEMBER, 99), STORE_OK);
	assert_int_equal(notify(world, ann, 3, NOTICE_REPLY), STORE_OK);
	assert_int_equal(show(world, ann, HIDDEN_MEMBER, 99), STORE_OK);
	assert_int_equal(hide(world, ann, HIDDEN_ARTICLE, 7), STORE_OK);
	assert_int_equal(notify(world, ann, 3, NOTICE_REPLY), STORE_OK);
	assert_int_equal(show(world, ann, HIDDEN_ARTICLE, 7), STORE_OK);
	assert_int_equal(notify(world, ann, 4, NOTICE_REPLY), STORE_OK);
	assert_text(page_of(world, ann, 0, 10), "2:7:4=reply 1:7:1=reply");
}

/* Members muted before that was hiding cause no notices, and are hidden by the refresh. */
static void
muted_members_are_hidden(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	uint64_t ann = world_member(world, "ann");
	struct text before;

	world_command(world, TEXT("SADD"), key_muted(arena, ann), TEXT("@99"),
	    TEXT("12"));
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_text(page_of(world, ann, 0, 10), "");
	assert_int_equal(world_user(world, ann).hidden, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    refresh_member(&world->store, arena, ann), STORE_OK);
		if (i == 0)
			before = world_snapshot(world);
	}
	assert_unchanged(world, before);
	assert_true(world_user(world, ann).hidden != 0);
	assert_text(world_keys(world, "{u*"), "{u1}hidden {u1}muted {u1}user");
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_text(page_of(world, ann, 0, 10), "");
	assert_int_equal(show(world, ann, HIDDEN_MEMBER, 99), STORE_OK);
	assert_int_equal(notify(world, ann, 1, NOTICE_REPLY), STORE_OK);
	assert_text(page_of(world, ann, 0, 10), "1:7:1=reply");
}

static void
mutes_are_listed_and_bounded(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	uint64_t ann = world_member(world, "ann"), *articles;
	size_t count;

	assert_int_equal(inbox_mute(store, arena, 1000, 1), STORE_ABSENT);
	for (uint64_t i = INBOX_MUTES_MAX; i > 0; i--)
		assert_int_equal(inbox_mute(store, arena, ann, i), STORE_OK);
	assert_int_equal(
	    inbox_mute(store, arena, ann, INBOX_MUTES_MAX + 1), STORE_FULL);
	assert_int_equal(inbox_mute(store, arena, ann, 2), STORE_OK);
	assert_int_equal(
	    inbox_mutes(store, arena, ann, &articles, &count), STORE_OK);
	assert_int_equal(count, INBOX_MUTES_MAX);
	for (uint64_t i = 0; i < count; i++)
		assert_int_equal(articles[i], i + 1);
	assert_int_equal(inbox_unmute(store, arena, ann, 2), STORE_OK);
	assert_int_equal(
	    inbox_mute(store, arena, ann, INBOX_MUTES_MAX + 1), STORE_OK);
}

static enum store_result
mark(struct world *world, uint64_t user, uint64_t number)
{
	return inbox_mark_read(&world->store, &world->arena, user, number);
}

static void
read_mark_never_moves_back(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");

	assert_int_equal(mark(world, 1000, 1), STORE_ABSENT);
	assert_text(world_keys(world, "{u1000}*"), "");
	assert_int_equal(mark(world, ann, 5), STORE_OK);
	assert_int_equal(world_user(world, ann).read, 0);
	for (uint64_t i = 1; i <= 3; i++)
		assert_int_equal(notify(world, ann, i, NOTICE_REPLY), STORE_OK);
	assert_int_equal(mark(world, ann, 2), STORE_OK);
	assert_int_equal(world_user(world, ann).read, 2);
	assert_int_equal(mark(world, ann, 1), STORE_OK);
	assert_int_equal(world_user(world, ann).read, 2);
	/* Later notices are unread. */
	assert_int_equal(mark(world, ann, 1000), STORE_OK);
	assert_int_equal(world_user(world, ann).read, 3);
	assert_int_equal(notify(world, ann, 4, NOTICE_REPLY), STORE_OK);
	assert_int_equal(world_user(world, ann).notified, 4);
	assert_int_equal(world_user(world, ann).read, 3);
}

static void
inbox_has_the_newest_entries(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct notice notice = { .comment = { 7, 0 } };

	for (int i = 0; i < INBOX_MAX + 2; i++) {
		notice.comment.comment++;
		inbox_notify(&pipeline, ann, &notice, 99);
	}
	assert_true(redis_run(&pipeline));
	assert_int_equal(total_of(world, ann), INBOX_MAX);
	assert_text(page_of(world, ann, 0, 1), "502:7:502=article");
	assert_text(page_of(world, ann, INBOX_MAX - 1, 5), "3:7:3=article");
}

static void
malformed_entries_are_skipped(void **state)
{
	static const char *const bytes[] = { "", "x", "\x01", "1234567890",
		"123456789\x03",
		"\x01"
		"12345678" };
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann");
	uint64_t *articles;
	size_t count;

	assert_int_equal(notify(world, ann, 1, NOTICE_MENTION), STORE_OK);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		world_command(world, TEXT("ZADD"),
		    key_inbox(&world->arena, ann), TEXT("9"),
		    text_of(bytes[i]));
	assert_text(page_of(world, ann, 0, 10), "1:7:1=mention");
	world_command(world, TEXT("SADD"), key_muted(&world->arena, ann),
	    TEXT("7"), TEXT("@"), TEXT("x"), TEXT(""), TEXT("@9"));
	assert_int_equal(
	    inbox_mutes(&world->store, &world->arena, ann, &articles, &count),
	    STORE_OK);
	assert_int_equal(count, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(newest_come_first),
		world_test(repeated_notification_is_added_once),
		world_test(unknown_and_closed_accounts_are_not_notified),
		world_test(
		    muted_and_hidden_articles_and_hidden_members_do_not_notify),
		world_test(muted_members_are_hidden),
		world_test(mutes_are_listed_and_bounded),
		world_test(read_mark_never_moves_back),
		world_test(inbox_has_the_newest_entries),
		world_test(malformed_entries_are_skipped),
	};

	return world_run("inbox", tests);
}

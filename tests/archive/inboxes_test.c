/*
 * Inboxes and mutes in dumps: the same bytes after loading with any number of buckets,
 * unread notices, and lines that are refused or left out.
 */
#include <inttypes.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "base/buffer.h"
#include "redis/reply.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/follows.h"
#include "store/function_call.h"
#include "store/hidden.h"
#include "store/inbox.h"
#include "store/keys.h"
#include "store/relay.h"
#include "store/user.h"

#define USER(name, rest) \
	"{\"kind\":\"user\",\"name\":\"" name "\",\"created\":1600000000," \
	"\"role\":\"member\",\"password\":\"\"" rest "}\n"
#define ARTICLE(id) \
	"{\"kind\":\"article\",\"id\":" id \
	",\"title\":\"T\",\"url\":\"http://" \
	"a.b/" id "\",\"text\":null,\"author\":\"ann\",\"posted\":1700000000," \
	"\"groups\":[],\"up\":1,\"down\":0,\"interesting\":null," \
	"\"removed\":null}\n"
#define REPLY(article, id) \
	"{\"kind\":\"comment\",\"article\":" article ",\"id\":" id \
	",\"text\":\"x\",\"author\":\"bob\",\"posted\":1700000050," \
	"\"up\":1,\"down\":0,\"removed\":null}\n"
#define NOTICE(to, number, article, comment, why) \
	"{\"kind\":\"notice\",\"to\":\"" to "\",\"number\":" number \
	",\"article\":" article ",\"comment\":" comment ",\"why\":\"" why \
	"\"}\n"
#define MUTE(by, what) "{\"kind\":\"mute\",\"by\":\"" by "\"," what "}\n"
#define FOLLOW(by, group) \
	"{\"kind\":\"follow\",\"by\":\"" by "\",\"group\":\"" group "\"}\n"
#define HIDDEN(by, what) \
	"{\"kind\":\"hidden\",\"by\":\"" by "\"," what ",\"at\":1700000000}\n"

static const struct member ann = { 1, TEXT_INIT("ann") };
static const struct member bob = { 2, TEXT_INIT("bob") };
static const struct member eve = { 3, TEXT_INIT("Eve") };

static struct post_id
say(struct world *world, struct post_id above, struct member author,
    const char *text, const uint64_t *named)
{
	struct comment comment = { .post.id = { .article = above.article },
		.post.author = author,
		.parent = (int64_t)above.comment,
		.text = text_of(text) };
	struct comment_posting posting = { .named = named,
		.named_count = named != NULL };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id;
}

static void
tell_all(struct world *world)
{
	struct relay *relay = relay_new(&world->store, TEXT("test"));

	while (relay_step(relay) == 0)
		;
	relay_free(relay);
}

static void
mute(struct world *world, struct member by, uint64_t article)
{
	assert_int_equal(
	    inbox_mute(&world->store, &world->arena, by.id, article), STORE_OK);
}

static void
hide(struct world *world, struct member by, struct hidden_rule what)
{
	assert_int_equal(
	    hidden_add(&world->store, &world->arena, by.id, &what), STORE_OK);
}

static struct user
user_of(struct world *world, const char *name)
{
	struct user user;

	assert_int_equal(
	    user_find(&world->store, &world->arena, text_of(name), &user),
	    STORE_OK);
	return user;
}

/* "2:7:5=reply 1:7:4=mention": the inbox, the newest first. */
static struct text
inbox_of(struct world *world, const char *name)
{
	struct arena *arena = &world->arena;
	struct text page = TEXT("");
	struct notice *notices;
	uint64_t total;
	size_t got;

	assert_int_equal(
	    inbox_read(&world->store, arena, user_of(world, name).id, 0, 10,
		&notices, &got, &total),
	    STORE_OK);
	for (size_t i = 0; i < got; i++)
		page = text_format(arena,
		    "%.*s%s%" PRIu64 ":%" PRIu64 ":%" PRIu64 "=%.*s",
		    TEXT_ARGS(page), i > 0 ? " " : "", notices[i].number,
		    notices[i].comment.article, notices[i].comment.comment,
		    TEXT_ARGS(notice_words[notices[i].reason]));
	return page;
}

/* Article 1 by ann and article 2 by Eve, with comments by all three members. Ann has
 * read the first notice, and mutes an article and two members; bob has closed his
 * account; an unused member takes an id in between. */
static void
fill(struct world *world)
{
	struct post_id id, first;

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	world_member(world, "Eve");
	first = article_id(
	    world_post(world, ann.id, "One", "http://one.example/", ""));
	world_post(world, eve.id, "Two", "http://two.example/", "");
	id = say(world, first, bob, "To ann's article", NULL);
	say(world, id, eve, "To bob, naming ann", &ann.id);
	tell_all(world);
	assert_int_equal(
	    inbox_mark_read(&world->store, &world->arena, ann.id, 1), STORE_OK);
	say(world, id, ann, "To bob", NULL);
	say(world, article_id(2), ann, "To Eve's article", NULL);
	say(world, first, eve, "To ann's article", NULL);
	tell_all(world);
	mute(world, ann, 2);
	mute(world, eve, 1);
	hide(world, ann,
	    (struct hidden_rule){ .kind = HIDDEN_MEMBER, .id = eve.id });
	hide(world, ann,
	    (struct hidden_rule){ .kind = HIDDEN_ARTICLE, .id = 2 });
	hide(world, ann,
	    (struct hidden_rule){ .kind = HIDDEN_MEMBER, .id = bob.id });
	hide(world, bob,
	    (struct hidden_rule){
		.kind = HIDDEN_GROUP, .name = TEXT("redis") });
	hide(world, bob,
	    (struct hidden_rule){
		.kind = HIDDEN_PUBLISHER, .name = TEXT("a.example/b") });
	hide(world, bob,
	    (struct hidden_rule){
		.kind = HIDDEN_WORDS, .name = TEXT("c++ and so") });
	assert_int_equal(
	    follows_add(&world->store, &world->arena, ann.id, TEXT("redis")),
	    STORE_OK);
	assert_int_equal(
	    follows_add(&world->store, &world->arena, ann.id, TEXT("a-b")),
	    STORE_OK);
}

/* Eve is told that a moderator removed a comment of hers. */
static void
tell_eve(struct world *world)
{
	struct mod_action action = { .what = mod_action_words[MOD_REMOVED],
		.by = ann,
		.article = 1,
		.comment = 2,
		.member = eve,
		.reason = TEXT("Unkind.") };

	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 2 }, &action),
	    STORE_OK);
	tell_all(world);
}

static void
dump_load_dump_gives_the_same_bytes(void **state)
{
	struct world *world = *state;
	uint64_t buckets = world->store.buckets.count;
	struct outcome outcome;
	struct text moved;

	fill(world);
	tell_eve(world);
	assert_text(inbox_of(world, "eve"), "2:0:0=action 1:2:1=article");
	commands_assert_whole(world);
	outcome = commands_dump(world);
	assert_text(outcome.errors, "");
	assert_int_equal(outcome.status, 0);
	assert_same(
	    commands_dump_again(world, NOON + 100, outcome.out, buckets),
	    outcome.out);
	moved =
	    commands_dump_again(world, NOON + 100, outcome.out, 5 - buckets);
	assert_same(moved, outcome.out);
}

static void
what_was_read_by_itself_stays_read(void **state)
{
	struct world *world = *state;
	struct outcome outcome;

	fill(world);
	assert_int_equal(inbox_mark_notice_read(&world->store, &world->arena,
			     user_of(world, "ann").id, 3),
	    STORE_OK);
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 0);
	assert_has(outcome.out, "\"told\":3,\"read\":1,\"read_ahead\":1}\n");
	assert_has(outcome.out,
	    "\"number\":3,\"article\":1,\"comment\":4,\"why\":\"article\","
	    "\"read\":1}\n");
	assert_same(commands_dump_again(world, NOON + 100, outcome.out, 2),
	    outcome.out);
}

static void
lines_have_their_members_in_order(void **state)
{
	struct world *world = *state;
	struct text dump;

	fill(world);
	dump = commands_dump(world).out;
	assert_has(dump,
	    "\"name\":\"ann\",\"created\":1700000000,\"role\":\"member\","
	    "\"password\":\"\",\"told\":3,\"read\":1}\n");
	assert_has(dump,
	    NOTICE("ann", "1", "1", "1", "article") NOTICE("ann", "2", "1", "2",
		"mention") NOTICE("ann", "3", "1", "4", "article") NOTICE("bob",
		"1", "1", "2", "reply") NOTICE("bob", "2", "1", "3", "reply")
		NOTICE("Eve", "1", "2", "1", "article") MUTE("ann",
		    "\"article\":2") MUTE("Eve", "\"article\":1") HIDDEN("ann",
		    "\"article\":2") HIDDEN("ann", "\"member\":\"bob\"")
		    HIDDEN("ann", "\"member\":\"Eve\"")
			HIDDEN("bob", "\"group\":\"redis\"")
			    HIDDEN("bob", "\"from\":\"a.example/b\"") HIDDEN(
				"bob", "\"words\":\"c++ and so\"")
				FOLLOW("ann", "a-b") FOLLOW("ann", "redis"));
}

/* Ids of members differ, also in mutes. */
static void
members_have_their_notices_after_loading(void **state)
{
	struct world *world = *state, other;

	fill(world);
	world_open(&other, 2);
	world_stop_clock(&other, NOON);
	world_member(&other, "zoe");
	world_member(&other, "EVE");
	world_stop_clock(&other, NOON + 100);
	commands_load_all(&other, commands_dump(world).out);
	assert_text(inbox_of(&other, "ann"),
	    "3:1:4=article 2:1:2=mention 1:1:1=article");
	assert_text(inbox_of(&other, "eve"), "1:2:1=article");
	assert_int_equal(user_of(&other, "ann").notified, 3);
	assert_int_equal(user_of(&other, "ann").read, 1);
	/* Existing members have no other notices. */
	assert_int_equal(user_of(&other, "eve").notified, 1);
	assert_text(world_keys(&other, "{u*}muted"), "{u2}muted {u3}muted");
	assert_text(world_keys(&other, "{u*}hidden"), "{u3}hidden {u4}hidden");
	assert_true(world_command(
			&other, TEXT("ZSCORE"), TEXT("{u3}hidden"), TEXT("@2"))
			.kind != REPLY_NIL);
	assert_true(user_of(&other, "ann").hidden != 0);
	/* New notices are numbered after the last one. */
	say(&other, article_id(1), (struct member){ 1, TEXT("zoe") }, "More",
	    NULL);
	tell_all(&other);
	assert_has(inbox_of(&other, "ann"), "4:1:5=article 3:1:4=article ");
	commands_assert_whole(&other);
	world_close(&other);
}

/* A load that was interrupted anywhere is repeated, even if notices arrived in
 * between. */
static void
interrupted_load_is_completed(void **state)
{
	static const char *const lines[] = {
		USER("ann", ",\"told\":2,\"read\":1"),
		USER("bob", ""),
		ARTICLE("7"),
		REPLY("7", "1"),
		REPLY("7", "2"),
		NOTICE("ann", "1", "7", "1", "article"),
		NOTICE("ann", "2", "7", "2", "article"),
		MUTE("bob", "\"article\":7"),
		MUTE("ann", "\"member\":\"BOB\""),
		HIDDEN("bob", "\"member\":\"ann\""),
		FOLLOW("bob", "go"),
	};
	struct world *world = *state;
	struct text before;

	world_stop_clock(world, NOON + 100);
	for (size_t half = 2; half < 12; half++) {
		commands_load_all(world, commands_join(world, lines, half));
		commands_assert_whole(world);
		if (half == 5) {
			say(world, article_id(7), bob, "Now", NULL);
			tell_all(world);
			assert_text(inbox_of(world, "ann"), "3:7:3=article");
		}
		assert_int_equal(
		    user_of(world, "ann").notified, half < 5 ? 2 : 3);
	}
	before = world_snapshot(world);
	assert_has(
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_STOP).errors,
	    "0 notices (2 already there), 0 mutes (2 already there), 0 hidden "
	    "things (1 already there), 0 followed groups (1 already there); "
	    "refused 0 lines\n");
	assert_unchanged(world, before);
	assert_text(inbox_of(world, "ann"),
	    "3:7:3=article 2:7:2=article 1:7:1=article");
}

static void
bad_lines_are_named_and_the_others_loaded(void **state)
{
	static const char *const lines[] = {
		USER("ann", ""),
		USER("bob", ",\"read\":1"),
		USER("bob", ",\"told\":7,\"read\":5"),
		ARTICLE("7"),
		REPLY("7", "1"),
		REPLY("7", "2"),
		NOTICE("zoe", "1", "7", "1", "reply"),
		NOTICE("ann", "1", "7", "3", "reply"),
		NOTICE("ann", "1", "8", "1", "reply"),
		NOTICE("ann", "3", "7", "1", "article"),
		NOTICE("ann", "3", "7", "2", "article"),
		NOTICE("bob", "3", "7", "2", "reply"),
		NOTICE("", "4", "7", "2", "reply"),
		NOTICE("ann", "0", "7", "2", "reply"),
		NOTICE("ann", "4", "7", "2", "so"),
		MUTE("zoe", "\"article\":7"),
		MUTE("ann", "\"article\":8"),
		MUTE("ann", "\"member\":\"zoe\""),
		MUTE("ann", "\"member\":\"ANN\""),
		MUTE("ann", "\"member\":\"bob\",\"article\":7"),
		MUTE("ann", "\"member\":\"bob\""),
		NOTICE("ann", "3", "7", "2", "reply"),
		NOTICE("ann", "3", "7", "1", "article"),
	};
	struct world *world = *state;
	struct outcome outcome =
	    commands_load(world, COMMANDS_JOIN(world, lines), LOAD_KEEP_GOING);

	assert_int_equal(outcome.status, 1);
	assert_has(outcome.errors, ": line 2: \"read\" is above \"told\"\n");
	assert_has(outcome.errors, ": line 7: there is no member \"zoe\"\n");
	assert_has(outcome.errors, ": line 8: there is no comment 7:3\n");
	assert_has(outcome.errors, ": line 9: there is no comment 8:1\n");
	assert_has(outcome.errors,
	    ": line 11: the inbox of \"ann\" has another notice with number "
	    "3\n");
	assert_has(outcome.errors, ": line 13: there is no member \"\"\n");
	assert_has(outcome.errors, ": line 14: \"number\" is not from 1");
	assert_has(outcome.errors, ": line 15: \"why\" is none of ");
	assert_has(outcome.errors, ": line 16: there is no member \"zoe\"\n");
	assert_has(outcome.errors, ": line 17: there is no article 8\n");
	assert_has(outcome.errors, ": line 18: there is no member \"zoe\"\n");
	assert_has(
	    outcome.errors, ": line 19: \"ann\" cannot mute themselves\n");
	assert_has(outcome.errors, ": line 20: a mute has either ");
	assert_has(outcome.errors,
	    ": line 22: the inbox of \"ann\" has another notice with number "
	    "3\n");
	assert_has(outcome.errors,
	    "2 notices (1 already there), 1 mute (0 already there); refused "
	    "14 lines\n");
	assert_text(inbox_of(world, "ann"), "3:7:1=article");
	assert_int_equal(user_of(world, "ann").notified, 3);
	assert_int_equal(user_of(world, "bob").notified, 7);
	commands_assert_whole(world);
}

/* Her notices are deleted, and do not return when the load is repeated. */
static void
closed_accounts_get_no_inbox(void **state)
{
	struct world *world = *state;
	struct text dump;
	struct user user;

	fill(world);
	dump = commands_dump(world).out;
	user = user_of(world, "ann");
	assert_int_equal(close_account(&world->store, &world->arena, &user,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	commands_assert_whole(world);
	commands_load_all(world, dump);
	assert_text(world_keys(world, "{u1}*"), "{u1}user");
	commands_assert_whole(world);
	dump = commands_dump(world).out;
	assert_int_equal(text_find(dump, 0, TEXT("\"to\":\"ann\"")), SIZE_MAX);
	assert_same(commands_dump_again(world, NOON + 100, dump, 2), dump);
}

static void
mutes_beyond_the_limit_are_not_loaded(void **state)
{
	struct world *world = *state;
	struct buffer lines = buffer_in(&world->arena, 1024);
	struct outcome outcome;

	world_member(world, "ann");
	for (int i = 1; i <= INBOX_MUTES_MAX + 1; i++) {
		world_post(world, ann.id, "T",
		    fixture_string(&world->arena, "http://a.b/%d", i), "");
		buffer_add(&lines,
		    text_format(&world->arena,
			"{\"kind\":\"mute\",\"by\":\"ann\",\"article\":%d}\n",
			i));
	}
	for (int i = 0; i < 2; i++) {
		outcome =
		    commands_load(world, buffer_text(&lines), LOAD_KEEP_GOING);
		assert_has(outcome.errors,
		    ": line 501: \"ann\" has muted 500 already, and that is "
		    "the most\n");
		assert_has(outcome.errors,
		    i == 0 ? " 500 mutes (0 already there); refused 1 line\n"
			   : " 0 mutes (500 already there); refused 1 line\n");
	}
	/* One more entry replaces the last line, not an existing entry. */
	world_command(world, TEXT("SREM"), TEXT("{u1}muted"), TEXT("500"));
	outcome = commands_load(world, buffer_text(&lines), LOAD_KEEP_GOING);
	assert_has(outcome.errors, " 1 mute (499 already there); refused 1 ");
	commands_assert_whole(world);
}

static void
full_inbox_keeps_the_newest(void **state)
{
	struct world *world = *state;
	struct buffer lines = buffer_in(&world->arena, 1024);
	struct text dump;

	world_member(world, "ann");
	world_member(world, "bob");
	world_post(world, ann.id, "T", "http://a.b/", "");
	for (int i = 1; i <= INBOX_MAX + 1; i++)
		buffer_add(&lines,
		    text_format(&world->arena,
			REPLY("1", "%d")
			    NOTICE("ann", "%d", "1", "%d", "article"),
			i, i, i));
	commands_load_all(world, buffer_text(&lines));
	commands_assert_whole(world);
	dump = commands_dump(world).out;
	assert_int_equal(
	    text_find(dump, 0, TEXT(NOTICE("ann", "1", "1", "1", "article"))),
	    SIZE_MAX);
	assert_has(dump, NOTICE("ann", "2", "1", "2", "article"));
	assert_has(dump, NOTICE("ann", "501", "1", "501", "article"));
}

static void
malformed_entries_are_left_out(void **state)
{
	struct world *world = *state;
	const struct notice notice = { .comment = { 1, 77 },
		.reason = NOTICE_REPLY };
	const struct notice again = { .comment = { 2, 1 },
		.reason = NOTICE_REPLY };
	struct arena *arena = &world->arena;
	struct outcome outcome;

	fill(world);
	world_command(world, TEXT("ZADD"), TEXT("{u1}inbox"), TEXT("4"),
	    notice_encode(arena, &notice), TEXT("3"),
	    notice_encode(arena, &again), TEXT("5"), TEXT("x"));
	world_command(world, TEXT("SADD"), TEXT("{u3}muted"), TEXT("@3"),
	    TEXT("99"), TEXT("@77"), TEXT("x"));
	world_command(world, TEXT("ZADD"), TEXT("{u3}hidden"), TEXT("1"),
	    TEXT("@3"), TEXT("1"), TEXT("99"), TEXT("1"), TEXT("@77"));
	world_command(world, TEXT("ZADD"), TEXT("{u77}inbox"), TEXT("1"),
	    notice_encode(arena, &again));
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 1);
	assert_text(outcome.errors,
	    "tally: notice 3 of member 1 is left out: it is damaged\n"
	    "tally: notice 4 of member 1 is left out: it is of what is not in "
	    "the dump\n"
	    "tally: notice 0 of member 1 is left out: it is damaged\n"
	    "tally: mute by member 3 of @0 is left out: it is damaged\n"
	    "tally: mute by member 3 of 99 is left out: it is of what is not "
	    "in the dump\n"
	    "tally: mute by member 3 of @3 is left out: it is damaged\n"
	    "tally: mute by member 3 of @77 is left out: it names a member "
	    "who does not exist\n"
	    "tally: what member 3 hides as 99 is left out: it is of what is "
	    "not in the dump\n"
	    "tally: what member 3 hides as @3 is left out: it is damaged\n"
	    "tally: what member 3 hides as @77 is left out: it names a member "
	    "who does not exist\n");
	assert_same(commands_dump_again(world, NOON + 100, outcome.out, 2),
	    outcome.out);
}

/* A new member comments, is notified, mutes, and reads. */
static bool
talk(struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct user user = { .name = text_format(
				 arena, "new%u-%u", number, *seed) };
	const uint64_t named = 1;
	struct comment comment = { .text = user.name,
		.post.author.name = user.name };
	struct comment_posting posting = { .named = &named, .named_count = 1 };
	struct article article = { .title = user.name,
		.url = text_format(arena, "http://%u.b/%u", *seed, number),
		.post.author.name = user.name };
	struct relay *relay = relay_new(store, user.name);
	enum store_result result = user_create(store, arena, &user);

	article.post.author.id = comment.post.author.id = user.id;
	if (result == STORE_OK)
		result = article_post(store, arena, &article);
	for (unsigned i = 0; i < 4 && result != STORE_DOWN; i++) {
		comment.post.id = article_id(
		    i < 2 ? article.post.id.article : 1 + number % 10);
		comment.parent = 0;
		result = comment_post(store, arena, &comment, &posting);
		relay_step(relay);
	}
	relay_free(relay);
	if (result != STORE_DOWN)
		result = inbox_mute(
		    store, arena, 1 + number % 3, article.post.id.article);
	if (result != STORE_DOWN)
		result = hidden_add(store, arena, 1 + number % 3,
		    &(struct hidden_rule){
			.kind = HIDDEN_MEMBER, .id = user.id });
	if (result != STORE_DOWN)
		result = inbox_mark_read(store, arena, 1, number);
	return result != STORE_DOWN;
}

static void
dump_and_check_of_a_running_site_are_consistent(void **state)
{
	struct world *world = *state, other;
	struct outcome outcomes[4], checks[4];
	struct concurrent_writer writers[2];

	world_member(world, "ann");
	for (int i = 0; i < 400; i++)
		world_post(world, ann.id, "T",
		    fixture_string(&world->arena, "http://ann.b/%d", i), "");
	for (unsigned i = 0; i < 2; i++)
		writers[i] = concurrent_writer_start(world, talk, i);
	for (int i = 0; i < 4; i++) {
		concurrent_writer_await(&writers[i % 2], 15);
		outcomes[i] = commands_dump(world);
		checks[i] = commands_check(world);
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&writers[i]);
	for (int i = 0; i < 4; i++) {
		assert_text(outcomes[i].errors, "");
		assert_int_equal(outcomes[i].status, 0);
		assert_has(outcomes[i].out, "{\"kind\":\"notice\",");
		assert_has(outcomes[i].out, "{\"kind\":\"mute\",");
		assert_has(outcomes[i].out, "{\"kind\":\"hidden\",");
		assert_has(checks[i].out, "\n0 breaks\n");
		world_open(&other, 2);
		commands_load_all(&other, outcomes[i].out);
		commands_assert_whole(&other);
		world_close(&other);
	}
	commands_assert_whole(world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(dump_load_dump_gives_the_same_bytes),
		world_test(what_was_read_by_itself_stays_read),
		world_test(lines_have_their_members_in_order),
		world_test(members_have_their_notices_after_loading),
		world_test(interrupted_load_is_completed),
		world_test(bad_lines_are_named_and_the_others_loaded),
		world_test(closed_accounts_get_no_inbox),
		world_test(mutes_beyond_the_limit_are_not_loaded),
		world_test(full_inbox_keeps_the_newest),
		world_test(malformed_entries_are_left_out),
		world_test(dump_and_check_of_a_running_site_are_consistent),
	};

	return world_run("inboxes in dumps", tests);
}

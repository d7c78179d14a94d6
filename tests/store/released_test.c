/*
 * Calls of the last release's programs, with the arguments and replies of that release:
 * during an upgrade, the new library has to serve them as well. Each release updates
 * the rows.
 */
#include <string.h>

#include "../support/world.h"
#include "base/buffer.h"
#include "redis/reply.h"
#include "released.h"

enum { WORDS_MAX = 40 };

#define DAY	 "86400"
#define WINDOW	 "604800"
#define T	 "{0.0}"
#define VOID_BEN "1000000000002"

/* A function, its key and its arguments, and what it answered. */
struct row {
	const char *answer;
	const char *words[WORDS_MAX];
};

/* clang-format off */
static const struct row rows[] = {
#define ROW(answer, ...) { answer, { __VA_ARGS__ } }
	ROW("[5 1 432 aa]", "site_1", "site", "4", "1", "432", "bb"),
	ROW("ok", "raise_1", "users", "3"),
	ROW("[ok]", "invite_1", "{u1}user", "secret", WINDOW, "10"),
	ROW("[ok]", "invited_1", "{u1}user", "ben"),
	ROW("[ok]", "session_3", "{u1}user", "digest", "browser", DAY, "10", "hash"),
	ROW("[absent]", "session_3", "{u1}user", "other", "browser", DAY, "10", "wrong"),
	ROW("[ok]", "seen_1", "{u1}sessions", "digest", "1700000000"),
	ROW("[ok]", "password_2", "{u1}user", "hash", "hash2"),
	ROW("[taken]", "password_2", "{u1}user", "hash", "hash3"),
	ROW("ok", "settings_2", T "settings", "name", "Site", "about", ""),
	ROW("ok", "host_1", T "settings", "bad.example", "refused", "10", "1", "what", "host-refused", "subject", "bad.example"),
	ROW("[ok]", "group_2", "group:tea", "title", "Tea", "by", "1 ann", "created", "0"),
	ROW("[taken]", "group_2", "group:tea", "title", "Other", "by", "2 ben", "created", "0"),

	ROW("[ok 1]", "post_5", T "articles", "1", T "claims:ab", "cd", "0", WINDOW, "432", "2", "1",
		"title", "One", "url", "http://a.example/", "author", "1 ann", "posted", "0", "closes", "0", "groups", "tea", "up", "1"),
	ROW("[taken 1]", "post_5", T "articles", "1", T "claims:ab", "cd", "0", WINDOW, "432", "2", "0",
		"title", "Again", "url", "http://a.example/", "author", "2 ben", "posted", "0", "closes", "0", "up", "1"),
	ROW("taken", "claim_1", T "claims:ab", "cd", "2", "1700000001"),
	ROW("ok", "vote_3", T "article:1", "2", "up", "432", "2", VOID_BEN),
	ROW("own", "vote_3", T "article:1", "1", "up", "432", "2", "1000000000001"),
	ROW("ok", "void_1", T "article:1", "2", VOID_BEN, "void", "432", "2", "1", "what", "voided", "member", "2 ben"),
	ROW("voided", "vote_3", T "article:1", "2", "down", "432", "2", VOID_BEN),
	ROW("ok", "void_1", T "article:1", "2", VOID_BEN, "count", "432", "2", "1", "what", "counted", "member", "2 ben"),
	ROW("ok", "edit_2", T "article:1", "900", "One!", "Text", ""),
	ROW("ok", "file_2", T "article:1", "cats", "tea", "16", "432"),
	ROW("ok", "flag_1", T "article:1", "2", "spam"),
	ROW("own", "flag_1", T "article:1", "1", "spam"),
	ROW("ok", "dismiss_1", T "article:1", "1", "what", "dismissed", "article", "1"),

	ROW("[ok 1]", "comment_1", T "article:1", "2", WINDOW, "1209600", "5", "600", "3 ", "0", "text", "Well", "author", "2 ben", "up", "1"),
	ROW("[taken 1]", "comment_1", T "article:1", "2", WINDOW, "1209600", "5", "600", "", "0", "text", "Well", "author", "2 ben", "up", "1"),
	ROW("[ok 2]", "comment_1", T "article:1", "1", WINDOW, "1209600", "5", "600", "", "0", "parent", "1", "text", "So", "author", "1 ann", "up", "1"),
	ROW("ok", "vote_3", T "comment:1:1", "1", "up", "432", "2", "1000000000001"),
	ROW("ok", "rewrite_1", T "comment:1:1", "900", "1209600", "Well!", ""),
	ROW("ok", "thread_1", T "article:1", "closed", "1", "what", "thread-closed", "article", "1"),
	ROW("[closed]", "comment_1", T "article:1", "1", WINDOW, "1209600", "5", "600", "", "0", "text", "Late", "author", "1 ann", "up", "1"),
	ROW("ok", "delete_1", T "comment:1:2", "1"),
	ROW("ok", "remove_3", T "comment:1:1", "1", "what", "removed", "by", "3 cat", "reason", "why"),
	ROW("ok", "restore_3", T "comment:1:1", "432", "", "1", "what", "restored", "by", "3 cat"),
	ROW("absent", "remove_3", T "article:9", "1", "what", "removed"),
	ROW("own", "restore_3", T "comment:1:2", "432", "", "1", "what", "restored"),
	ROW("absent", "withdraw_1", T "article:1", "2"),

	ROW("[ok]", "deliver_1", "{u1}user", "entry1", "1", "2", "500"),
	ROW("[ok]", "read_1", "{u1}user", "1"),
	ROW("[ok]", "mute_1", "{u1}user", "1", "10"),
	ROW("[ok]", "load_notice_1", "{u2}user", "entry2", "4", "500"),
	ROW("[taken]", "load_notice_1", "{u2}user", "entry2", "4", "500"),
	ROW("[ok]", "load_mute_1", "{u2}user", "@1", "10"),
	ROW("ok", "visit_1", "{u1}user", "1", "2", "100"),
	ROW("[[entry1 1] [1]]", "check_inbox_1", "{u1}user", "0", "9", "500"),

	ROW("[ok]", "load_4", T "article:2", "432", "2", "1", "0", "1", "2", "spam 1700000000",
		"title", "Two", "text", "Text", "author", "1 ann", "posted", "1700000000", "closes", "1700604800", "up", "1"),
	ROW("[taken 1]", "load_4", T "article:2", "432", "0", "0",
		"title", "Two", "text", "Text", "author", "1 ann", "posted", "1700000000", "closes", "1700604800", "up", "1"),
	ROW("ok", "load_act_1", T "act:40", "what", "removed", "at", "1600000000", "article", "2"),
	ROW("taken", "load_act_1", T "act:40", "what", "restored", "at", "1600000000", "article", "2"),
	ROW("ok", "act_1", T "acts", "1", "what", "suspended", "member", "2 ben", "by", "3 cat"),
	ROW("[1 2 0 1 0 1]", "check_5", T "article:1", "432", "title", "text", "author", "member", "posted", "number", "closes", "number", "up", "number", "down", "sparse number"),
	ROW("[]", "check_act_1", T "act:40", "what", "text", "at", "number"),
	ROW("[0 2]", "belongs_1", T "time", "0"),
	ROW("[0 2]", "records_1", T "thread:1", "1"),
	ROW("[1 1]", "karma_3", T "karma", "1", "1:2"),
	ROW("[[One! 1 ann] [0 1 2] [0 first 1700000000 dismissed 2 spam 1700000000 dismissed] ]", "dump_4", T "article:1", "title", "author"),

	ROW("[]", "take_1", T "nobox", "g", "c", ">", "10", "1000"),
	ROW("[ok]", "settle_1", T "outbox", "g", "1-1"),
	ROW("ok", "withdraw_1", T "article:1", "1"),
	ROW("removed", "vote_3", T "article:1", "2", "up", "432", "2", VOID_BEN),
	ROW("ok", "disown_1", T "article:1", "1 closed1", "(deleted)"),
	ROW("[ok]", "suspend_1", "{u2}user", "4000000000", "why"),
	ROW("ok", "unname_1", "name:ann", "1"),
	ROW("[ok]", "close_1", "{u1}user"),
#undef ROW
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* A list in brackets; nothing for nil. */
static void
add_answer(struct buffer *text, const struct reply *reply)
{
	if (reply->kind == REPLY_TEXT)
		buffer_add(text, reply->text);
	else if (reply->kind == REPLY_NUMBER)
		buffer_add_number(text, reply->number);
	if (reply->kind != REPLY_LIST)
		return;
	buffer_add_char(text, '[');
	for (size_t i = 0; i < reply->count; i++) {
		if (i > 0)
			buffer_add_char(text, ' ');
		add_answer(text, reply_item(reply, i));
	}
	buffer_add_char(text, ']');
}

static struct text
call(struct world *world, const struct row *row)
{
	struct text words[WORDS_MAX + 2] = { TEXT("FCALL"),
		text_of(row->words[0]), TEXT("1") };
	struct buffer answer = buffer_in(&world->arena, 64);
	struct reply reply;
	size_t count = 3;

	for (size_t i = 1; row->words[i] != NULL; i++)
		words[count++] = text_of(row->words[i]);
	reply = world_command_words(world, words, count);
	add_answer(&answer, &reply);
	return buffer_text(&answer);
}

static void
add_members(struct world *world)
{
	static const char *const names[] = { "ann", "ben", "cat" };

	for (uint64_t id = 1; id <= 3; id++)
		world_command(world, TEXT("HSET"), key_user(&world->arena, id),
		    TEXT("name"), text_of(names[id - 1]), TEXT("password"),
		    TEXT("hash"), TEXT("role"), TEXT("member"));
	world_command(world, TEXT("SET"), TEXT("name:ann"), TEXT("1"));
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("secret"), TEXT("aa"));
}

static void
calls_of_the_last_release_get_the_same_replies(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, 1);
	world_stop_clock(&world, NOON);
	add_members(&world);
	for (size_t i = 0; i < ROWS; i++) {
		struct text answer = call(&world, &rows[i]);

		if (!text_equal(answer, text_of(rows[i].answer)))
			print_message("%s %s: \"%.*s\" and not \"%s\"\n",
			    rows[i].words[0], rows[i].words[1],
			    TEXT_ARGS(answer), rows[i].answer);
		assert_text(answer, rows[i].answer);
	}
	world_close(&world);
}

static void
every_function_of_the_last_release_is_tested(void **state)
{
	size_t count = sizeof(released_functions) / sizeof(char *);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		size_t row = 0;

		while (row < ROWS &&
		    strcmp(rows[row].words[0], released_functions[i]) != 0)
			row++;
		if (row == ROWS)
			fail_msg("no row calls %s", released_functions[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    calls_of_the_last_release_get_the_same_replies),
		cmocka_unit_test(every_function_of_the_last_release_is_tested),
	};

	return cmocka_run_group_tests_name("released", tests, NULL, NULL);
}

/* Recovering an account whose password is forgotten: by a recovery code, and by a link. */
#include <string.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "base/crypto.h"
#include "store/account_status.h"
#include "store/close_account.h"
#include "store/recovery.h"
#include "store/settings.h"

enum { DAY = 86400, ANN = 1 };

static const char password[] = "a fine horse", new_password[] = "another horse";

static void
add_ann(struct world *world)
{
	struct user user = { .name = TEXT("ann"),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	world_stop_clock(world, NOON);
	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
}

static struct browser
log_in(struct world *world)
{
	struct browser browser = browser_open(world);

	assert_status(browser_get(&browser, "/login"), 200);
	assert_status(browser_post(&browser, "/login",
			  FIELDS("username", "ann", "password", password)),
	    303);
	return browser;
}

static bool
is_signed_in(struct browser *browser)
{
	return browser_get(browser, "/submit") == 200;
}

/* The codes on the page. */
struct codes {
	const char *list[RECOVERY_CODES];
};

static struct codes
read_codes(const struct browser *browser)
{
	const struct text before = TEXT("<li><code>");
	struct text page = browser->answer.body;
	struct codes codes;
	size_t at = 0;

	for (size_t i = 0; i < RECOVERY_CODES; i++) {
		at = text_find(page, at, before);
		assert_true(at != SIZE_MAX);
		at += before.size;
		codes.list[i] = text_string(
		    &browser->world->arena, text_slice(page, at, 19));
	}
	assert_true(text_find(page, at, before) == SIZE_MAX);
	return codes;
}

static struct codes
make_codes(struct browser *browser)
{
	assert_status(browser_get(browser, "/settings/codes"), 200);
	assert_status(
	    browser_post(browser, "/settings/codes", FIELDS("do", "renew")),
	    200);
	return read_codes(browser);
}

static enum http_status
recover(struct browser *browser, const char *code, const char *chosen)
{
	assert_status(browser_get(browser, "/recover"), 200);
	return browser_post(browser, "/recover",
	    FIELDS("username", "Ann", "code", code, "password", chosen));
}

static void
log_in_page_leads_to_what_to_do_here(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);
	struct settings settings = settings_default();

	assert_status(browser_get(&reader, "/login"), 200);
	assert_holds(&reader, "<a href=\"/recover\">Forgot your password?</a>");
	assert_status(browser_get(&reader, "/recover"), 200);
	assert_holds(&reader, "This site sends no mail");
	assert_holds(&reader, "list of <a href=\"/members\">members</a>");
	settings.contact = TEXT("help@site.example");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	reader = browser_open(world);
	assert_status(browser_get(&reader, "/recover"), 200);
	assert_holds(&reader, "help@site.example");
}

static void
new_member_is_offered_codes(void **state)
{
	struct world *world = *state;
	struct browser olga = browser_open(world);

	assert_status(browser_get(&olga, "/register"), 200);
	assert_status(browser_post(&olga, "/register",
			  FIELDS("username", "olga", "password", password)),
	    303);
	assert_status(browser_follow(&olga), 200);
	assert_holds(&olga, "<a href=\"/settings/codes\">recovery codes</a>");
	assert_status(browser_get(&olga, "/"), 200);
	assert_lacks(&olga, "/settings/codes");
}

/* Redis has digests alone. */
static void
codes_are_shown_once_and_stored_as_digests(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct codes codes;
	struct text stored, plain;

	add_ann(world);
	ann = log_in(world);
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_holds(&ann, "You have no recovery codes.");
	codes = make_codes(&ann);
	assert_int_equal(ann.answer.cache, CACHE_NEVER);
	stored = world_snapshot(world);
	for (size_t i = 0; i < RECOVERY_CODES; i++) {
		plain = text_of(codes.list[i]);
		assert_true(text_find(stored, 0, plain) == SIZE_MAX);
		assert_int_equal(
		    rule_given_code(&world->arena, &plain).kind, PROBLEM_NONE);
		assert_int_equal(plain.size, RECOVERY_CODE_CHARACTERS);
		assert_true(text_find(stored, 0, plain) == SIZE_MAX);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(codes.list[i], codes.list[j]);
	}
	assert_status(browser_get(&ann, "/settings/codes"), 200);
	assert_holds(&ann, "You have 10 of 10 left.");
	assert_lacks(&ann, codes.list[0]);
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_lacks(&ann, codes.list[0]);
}

static void
members_are_told_that_a_code_was_used(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct codes codes;
	struct outcome outcome;

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	for (int i = 0; i < 2; i++) {
		ann = browser_open(world);
		assert_status(recover(&ann, codes.list[i],
				  i == 0 ? new_password : password),
		    303);
	}
	/* A code that is refused is told of nobody. */
	assert_status(recover(&ann, codes.list[0], new_password), 422);
	assert_status(browser_get(&ann, "/inbox"), 200);
	assert_holds(&ann, "Inbox <b>2<span");
	assert_int_equal(browser_count(&ann, "Your password was reset"), 2);
	assert_holds(&ann,
	    "A recovery code was used on 14 November 2023, 22:13 UTC; 9 are left.");
	assert_holds(&ann, "; 8 are left.");
	outcome = commands_dump(world);
	assert_int_equal(outcome.status, 0);
	assert_true(text_find(outcome.out, 0,
			TEXT("\"why\":\"code-password\",\"used\":1700000000,"
			     "\"left\":9}\n")) != SIZE_MAX);
	commands_assert_whole(world);
	assert_true(
	    text_equal(commands_dump_again(world, NOON + 100, outcome.out, 2),
		outcome.out));
	assert_status(browser_get(&ann, "/inbox/1"), 303);
	assert_text(ann.answer.location, "/settings/codes");
	assert_status(browser_get(&ann, "/inbox"), 200);
	assert_holds(&ann, "Inbox <b>1<span");
}

static void
codes_are_downloaded_as_text(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct codes codes, newer;
	struct text joined = TEXT("");

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	for (size_t i = 0; i < RECOVERY_CODES; i++)
		joined = text_format(&world->arena, "%.*s%s%s",
		    TEXT_ARGS(joined), i > 0 ? " " : "", codes.list[i]);
	assert_holds(&ann, text_string(&world->arena, joined));
	assert_status(browser_post(&ann, "/settings/codes",
			  FIELDS("do", "download", "codes",
			      text_string(&world->arena, joined))),
	    200);
	assert_int_equal(ann.answer.type, TYPE_PLAIN);
	assert_text(ann.answer.download, "ann-recovery-codes.txt");
	assert_int_equal(ann.answer.cache, CACHE_NEVER);
	for (size_t i = 0; i < RECOVERY_CODES; i++)
		assert_holds(&ann, codes.list[i]);
	assert_holds(&ann, "Recovery codes of ann on Tally");
	/* Texts that somebody else made up, and codes that are none any more. */
	assert_status(browser_get(&ann, "/settings/codes"), 200);
	assert_status(browser_post(&ann, "/settings/codes",
			  FIELDS("do", "download", "codes", "rm -rf")),
	    409);
	assert_status(browser_post(&ann, "/settings/codes",
			  FIELDS("do", "download", "codes", "")),
	    400);
	newer = make_codes(&ann);
	assert_status(browser_post(&ann, "/settings/codes",
			  FIELDS("do", "download", "codes",
			      text_string(&world->arena, joined))),
	    409);
	assert_holds(&ann, "These codes no longer work");
	assert_lacks(&ann, newer.list[0]);
}

/* A session that somebody else uses does not get codes, with which it would stay. */
static void
new_codes_need_the_password_after_a_while(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct codes codes;

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	world_move_clock(world, DAY / 2);
	assert_status(browser_get(&ann, "/settings/codes"), 200);
	assert_holds(&ann, "Your current password");
	assert_status(
	    browser_post(&ann, "/settings/codes", FIELDS("do", "renew")), 403);
	assert_status(browser_post(&ann, "/settings/codes",
			  FIELDS("do", "renew", "password", "wrong")),
	    403);
	assert_status(recover(&ann, codes.list[0], new_password), 303);
}

static void
code_sets_a_new_password_once(void **state)
{
	struct world *world = *state;
	struct browser ann, there, reader = browser_open(world);
	struct codes codes;

	add_ann(world);
	ann = log_in(world);
	there = log_in(world);
	codes = make_codes(&ann);
	assert_status(recover(&reader, codes.list[3], new_password), 303);
	assert_text(reader.answer.location, "/settings");
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, "Your password has been changed");
	assert_holds(&reader, "You have 9 of 10");
	assert_holds(
	    &reader, "A new password was last set by a code or a link");
	/* All other sessions have ended. */
	assert_false(is_signed_in(&ann));
	assert_false(is_signed_in(&there));
	reader = browser_open(world);
	assert_status(recover(&reader, codes.list[3], "a third horse"), 422);
	assert_holds(&reader, "Wrong username or recovery code");
	assert_status(browser_get(&reader, "/login"), 200);
	assert_status(browser_post(&reader, "/login",
			  FIELDS("username", "ann", "password", password)),
	    422);
	assert_status(browser_post(&reader, "/login",
			  FIELDS("username", "ann", "password", new_password)),
	    303);
	/* As people type it. */
	reader = browser_open(world);
	assert_status(recover(&reader,
			  text_string(&world->arena,
			      text_format(&world->arena, " %.4s %.4s%.4s-%.4s",
				  codes.list[4], codes.list[4] + 5,
				  codes.list[4] + 10, codes.list[4] + 15)),
			  "a third horse"),
	    303);
}

/* A password that is refused uses no code up. */
static void
bad_password_keeps_the_code(void **state)
{
	struct world *world = *state;
	struct browser ann, reader = browser_open(world);
	struct codes codes;

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	assert_status(recover(&reader, codes.list[0], "short"), 422);
	assert_holds(&reader, "value=\"Ann\"");
	assert_lacks(&reader, "Wrong username or recovery code");
	assert_status(recover(&reader, codes.list[0], "password"), 422);
	assert_true(is_signed_in(&ann));
	assert_status(recover(&reader, codes.list[0], new_password), 303);
}

static void
wrong_codes_and_names_get_one_answer(void **state)
{
	struct world *world = *state;
	struct browser ann, reader = browser_open(world);
	struct codes codes;
	const struct {
		const char *name, *code;
	} rows[] = {
		{ "ann", "AAAA-AAAA-AAAA-AAAA" },
		{ "nobody", "AAAA-AAAA-AAAA-AAAA" },
		{ "ann", "x" },
		{ "a", "AAAA-AAAA-AAAA-AAAA" },
	};

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	world_member(world, "ben");
	assert_status(browser_get(&reader, "/recover"), 200);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_status(browser_post(&reader, "/recover",
				  FIELDS("username", rows[i].name, "code",
				      rows[i].code, "password", new_password)),
		    422);
		assert_holds(&reader, "Wrong username or recovery code");
		assert_lacks(&reader, new_password);
	}
	/* The code is ann's alone. */
	assert_status(browser_post(&reader, "/recover",
			  FIELDS("username", "ben", "code", codes.list[0],
			      "password", new_password)),
	    422);
	assert_true(is_signed_in(&ann));
}

/* Guesses from one network use up nothing of the member's elsewhere. */
static void
stranger_locks_nobody_out(void **state)
{
	struct world *world = *state;
	struct browser ann, stranger = browser_open(world);
	struct browser home = browser_open(world);
	struct codes codes;
	enum http_status status = HTTP_UNPROCESSABLE;
	int tries;

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	world->store.rules.limits[LIMIT_CODE] = 3;
	stranger.address = TEXT("203.0.113.9");
	home.address = TEXT("198.51.100.7");
	for (tries = 0; tries < 9 && status == HTTP_UNPROCESSABLE; tries++)
		status =
		    recover(&stranger, "AAAA-AAAA-AAAA-AAAA", new_password);
	assert_int_equal(status, HTTP_TOO_MANY_REQUESTS);
	assert_int_equal(tries, 4);
	/* Not with a right one either. */
	assert_status(recover(&stranger, codes.list[0], new_password), 429);
	assert_true(is_signed_in(&ann));
	assert_status(recover(&home, codes.list[0], new_password), 303);
}

static void
nobody_recovers_a_suspended_or_closed_account(void **state)
{
	struct world *world = *state;
	struct browser ann, reader = browser_open(world);
	struct codes codes;
	struct user user;
	struct text code;

	add_ann(world);
	ann = log_in(world);
	codes = make_codes(&ann);
	user = world_user(world, ANN);
	assert_int_equal(account_suspend(&world->store, &world->arena, &user,
			     NOON + DAY, (struct mod_action){ .article = 0 }),
	    STORE_OK);
	assert_status(recover(&reader, codes.list[0], new_password), 403);
	assert_int_equal(one_time_link_make_recovery(&world->store,
			     &world->arena, ANN, FACTOR_STAYS, &code),
	    STORE_SUSPENDED);
	world_move_clock(world, DAY + 1);
	assert_status(recover(&reader, codes.list[0], new_password), 303);
	assert_int_equal(close_account(&world->store, &world->arena, &user,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_text(world_keys(world, "{u1}codes"), "");
	assert_status(recover(&reader, codes.list[1], new_password), 422);
	assert_int_equal(one_time_link_make_recovery(&world->store,
			     &world->arena, ANN, FACTOR_STAYS, &code),
	    STORE_ABSENT);
}

/* Links. */

static const char *
make_link(struct world *world)
{
	struct text code;

	assert_int_equal(one_time_link_make_recovery(&world->store,
			     &world->arena, ANN, FACTOR_STAYS, &code),
	    STORE_OK);
	return text_string(
	    &world->arena, text_join(&world->arena, TEXT("/link/"), code));
}

static enum http_status
send_link(struct browser *browser, const char *link, const char *chosen)
{
	struct arena *arena = &browser->world->arena;
	const char *action = text_string(
	    arena, text_join(arena, text_of(link), TEXT("/password")));

	if (browser_get(browser, link) != HTTP_OK)
		assert_status(browser_get(browser, "/recover"), 200);
	return browser_post(browser, action, FIELDS("password", chosen));
}

static void
link_sets_a_new_password_once(void **state)
{
	struct world *world = *state;
	struct browser ann, reader = browser_open(world);
	struct text before;
	const char *link;

	add_ann(world);
	ann = log_in(world);
	link = make_link(world);
	before = world_snapshot(world);
	assert_status(browser_get(&reader, link), 200);
	assert_int_equal(reader.answer.cache, CACHE_NEVER);
	assert_holds(&reader, "For the account of <bdi>ann</bdi>.");
	assert_holds(&reader, "<bdi>ann</bdi> will be logged out everywhere");
	/* In the form alone, and in no address that leads elsewhere. */
	assert_int_equal(browser_count(&reader, link), 1);
	/* Nor is who logs in instead led back: that needs a cookie, which the owner's link has. */
	assert_holds(&reader, "href=\"/login?return_to=%2F\"");
	assert_unchanged(world, before);
	assert_status(send_link(&reader, link, "short"), 422);
	assert_true(is_signed_in(&ann));
	assert_status(send_link(&reader, link, new_password), 303);
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, "Your password has been changed");
	assert_holds(&reader, "last made a link to recover your account");
	assert_false(is_signed_in(&ann));
	reader = browser_open(world);
	assert_status(browser_get(&reader, link), 404);
	assert_status(send_link(&reader, link, "a third horse"), 404);
}

static void
newer_link_a_day_or_a_new_password_ends_it(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world), ann;
	const char *first, *second;

	add_ann(world);
	first = make_link(world);
	second = make_link(world);
	assert_status(browser_get(&reader, first), 404);
	assert_status(browser_get(&reader, second), 200);
	assert_true(
	    reply_number_of(text_number(&world->arena,
		world_command(world, TEXT("TTL"), TEXT("{u1}link")).number)) >
	    DAY - 60);
	ann = log_in(world);
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_status(
	    browser_post(&ann, "/settings/password",
		FIELDS("current", password, "password", new_password)),
	    303);
	assert_status(browser_get(&reader, second), 404);
}

static void
other_links_recover_nothing(void **state)
{
	static const char *const paths[] = { "/link/recover.1",
		"/link/recover.0."
		"00000000000000000000000000000000000000000000000000000000000000"
		"00",
		"/link/recover.2."
		"00000000000000000000000000000000000000000000000000000000000000"
		"00",
		"/link/recover.1./password", "/link/recover..a/password" };
	struct world *world = *state;
	struct browser reader = browser_open(world);
	struct text before;

	add_ann(world);
	make_link(world);
	before = world_snapshot(world);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_status(browser_get(&reader, paths[i]), 404);
	assert_unchanged(world, before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(log_in_page_leads_to_what_to_do_here),
		world_test(new_member_is_offered_codes),
		world_test(codes_are_shown_once_and_stored_as_digests),
		world_test(members_are_told_that_a_code_was_used),
		world_test(codes_are_downloaded_as_text),
		world_test(new_codes_need_the_password_after_a_while),
		world_test(code_sets_a_new_password_once),
		world_test(bad_password_keeps_the_code),
		world_test(wrong_codes_and_names_get_one_answer),
		world_test(stranger_locks_nobody_out),
		world_test(nobody_recovers_a_suspended_or_closed_account),
		world_test(link_sets_a_new_password_once),
		world_test(newer_link_a_day_or_a_new_password_ends_it),
		world_test(other_links_recover_nothing),
	};

	return world_run("recovery of accounts", tests);
}

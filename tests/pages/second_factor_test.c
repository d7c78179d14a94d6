/* The second factor: turning it on and off, logging in with it, and recovery. */
#include <signal.h>
#include <string.h>

#include "../support/browser.h"
#include "archive/member_dump.h"
#include "base/crypto.h"
#include "base/totp.h"
#include "store/close_account.h"
#include "store/recovery.h"
#include "store/second_factor.h"
#include "store/session.h"
#include "store/settings.h"

/* A step of codes begins there. */
enum { STEP_START = NOON + 10, ANN = 1 };

static const char password[] = "a fine horse", new_password[] = "another horse";

static struct browser
send_password(struct world *world, const char *secret)
{
	struct browser browser = browser_open(world);

	assert_status(browser_get(&browser, "/login"), 200);
	assert_status(browser_post(&browser, "/login",
			  FIELDS("username", "ann", "password", secret)),
	    303);
	return browser;
}

static struct browser
begin(struct world *world)
{
	struct user user = { .name = TEXT("ann"),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	world_stop_clock(world, STEP_START);
	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	return send_password(world, password);
}

static bool
is_signed_in(struct browser *browser)
{
	return browser_get(browser, "/submit") == 200;
}

/* What follows some characters on the page. */
static const char *
read_after(const struct browser *browser, const char *before, size_t size)
{
	struct text page = browser->answer.body;
	size_t at = text_find(page, 0, text_of(before));

	assert_true(at != SIZE_MAX);
	at += strlen(before);
	return text_string(&browser->world->arena, text_slice(page, at, size));
}

/* The code of so many steps after the moment at which the clock is stopped. */
static const char *
code_of(struct world *world, const char *secret, int64_t steps)
{
	return text_string(&world->arena,
	    totp_code(&world->arena, text_of(secret),
		world_now(world) + steps * TOTP_SECONDS));
}

struct factor {
	const char *secret;
	const char *recovery_code; /* the first of ten */
};

static struct factor
turn_on(struct browser *ann)
{
	struct factor factor;

	assert_status(browser_get(ann, "/settings/second-factor"), 200);
	factor.secret = read_after(ann, "name=\"secret\" value=\"", 32);
	assert_status(browser_post(ann, "/settings/second-factor",
			  FIELDS("do", "on", "secret", factor.secret, "code",
			      code_of(ann->world, factor.secret, 0), "password",
			      password)),
	    200);
	assert_holds(ann, "Your second factor is on.");
	assert_holds(ann, "<title>Turned on · Second factor · ");
	factor.recovery_code = read_after(ann, "<li><code>", 19);
	return factor;
}

static enum http_status
send_code(struct browser *browser, const char *code)
{
	assert_status(browser_get(browser, "/login/code"), 200);
	return browser_post(browser, "/login/code", FIELDS("code", code));
}

static void
code_is_given_before_it_is_on(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	const char *secret;

	assert_status(browser_get(&ann, "/settings/second-factor"), 200);
	assert_int_equal(ann.answer.cache, CACHE_NEVER);
	secret = read_after(&ann, "name=\"secret\" value=\"", 32);
	assert_holds(&ann, "<svg class=\"qr\"");
	assert_holds(&ann, "role=\"img\"");
	assert_holds(&ann,
	    text_string(&world->arena,
		text_format(&world->arena,
		    "otpauth://totp/Tally:ann?secret=%s&amp;issuer=Tally",
		    secret)));
	assert_status(browser_post(&ann, "/settings/second-factor",
			  FIELDS("do", "on", "secret", secret, "code", "000000",
			      "password", password)),
	    422);
	/* The secret that was scanned stays. */
	assert_holds(&ann, secret);
	assert_status(browser_post(&ann, "/settings/second-factor",
			  FIELDS("do", "on", "secret", secret, "code",
			      code_of(world, secret, 0), "password", "wrong")),
	    422);
	assert_int_equal(world_user(world, ANN).factor_on, 0);
	assert_status(browser_post(&ann, "/settings/second-factor",
			  FIELDS("do", "on", "secret", "AAAA", "code", "000000",
			      "password", password)),
	    422);
	turn_on(&ann);
	assert_int_equal(world_user(world, ANN).factor_on, STEP_START);
	assert_status(browser_get(&ann, "/settings/second-factor"), 200);
	assert_lacks(&ann, "name=\"secret\"");
	assert_true(is_signed_in(&ann));
}

/* A form that is sent twice has made other recovery codes, which are not the member's. */
static void
turning_it_on_twice_shows_no_other_codes(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct factor factor = turn_on(&ann);

	assert_status(
	    browser_post(&ann, "/settings/second-factor",
		FIELDS("do", "on", "secret", factor.secret, "code",
		    code_of(world, factor.secret, 0), "password", password)),
	    303);
	assert_text(ann.answer.location, "/settings/second-factor");
	ann = send_password(world, password);
	assert_status(send_code(&ann, factor.recovery_code), 303);
}

static void
log_in_asks_for_a_code(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct factor factor = turn_on(&ann);

	there = send_password(world, password);
	assert_text(there.answer.location, "/login/code?return_to=%2F");
	assert_false(is_signed_in(&there));
	assert_status(send_code(&there, "000000"), 422);
	assert_holds(&there, "This code is wrong");
	/* That of turning it on was used. */
	assert_status(send_code(&there, code_of(world, factor.secret, 0)), 422);
	assert_status(send_code(&there, code_of(world, factor.secret, 1)), 303);
	assert_text(there.answer.location, "/");
	assert_true(is_signed_in(&there));
	/* It works once, and none before it does. */
	there = send_password(world, password);
	assert_status(send_code(&there, code_of(world, factor.secret, 1)), 422);
	assert_status(
	    send_code(&there, code_of(world, factor.secret, -1)), 422);
	assert_status(send_code(&there, code_of(world, factor.secret, 3)), 422);
	world_move_clock(world, INT64_C(2) * TOTP_SECONDS);
	assert_status(send_code(&there, code_of(world, factor.secret, 0)), 303);
}

static void
code_alone_logs_nobody_in(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there = browser_open(world);
	struct factor factor = turn_on(&ann);
	struct text proof;

	assert_status(browser_get(&there, "/login/code"), 303);
	assert_text(there.answer.location, "/login?return_to=%2F");
	assert_status(browser_get(&there, "/login"), 200);
	assert_status(browser_post(&there, "/login/code",
			  FIELDS("code", code_of(world, factor.secret, 1))),
	    303);
	assert_false(is_signed_in(&there));
	/* The proof of the password ends after ten minutes, and with that password. */
	there = send_password(world, password);
	proof = browser_cookie(&there, "tally-login");
	browser_set_cookie(&there, TEXT("tally-login"),
	    text_format(&world->arena, "%.*s0", TEXT_ARGS(proof)));
	assert_status(browser_get(&there, "/login/code"), 303);
	browser_set_cookie(&there, TEXT("tally-login"), proof);
	assert_status(browser_get(&there, "/login/code"), 200);
	world_move_clock(world, 601);
	assert_status(browser_get(&there, "/login/code"), 303);
	there = send_password(world, password);
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_status(
	    browser_post(&ann, "/settings/password",
		FIELDS("current", password, "password", new_password)),
	    303);
	assert_true(is_signed_in(&ann));
	assert_status(browser_get(&there, "/login/code"), 303);
}

/* The proof of the password holds a moment, which only Redis can compare. */
static void
outage_does_not_ask_for_the_password_again(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct factor factor = turn_on(&ann);
	const char *code = code_of(world, factor.secret, 1);

	there = send_password(world, password);
	assert_status(browser_get(&there, "/login/code"), 200);
	kill(world->redis, SIGKILL);
	assert_status(
	    browser_post(&there, "/login/code", FIELDS("code", code)), 503);
	assert_status(browser_get(&there, "/login/code"), 503);
}

/* A log-in that waits for the code, or gets a wrong one, logs nobody out; another session ends that
 * of the browser. */
static void
session_ends_once_another_has_started(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct factor factor = turn_on(&ann);
	struct text before = browser_cookie(&ann, "tally");
	const char *token;

	assert_status(browser_get(&ann, "/recover"), 200);
	token = text_string(&world->arena, browser_token(&ann, "/recover"));
	assert_status(
	    browser_post(&ann, "/login",
		FIELDS("username", "ann", "password", password, "csrf", token)),
	    303);
	assert_text(ann.answer.location, "/login/code?return_to=%2F");
	assert_true(is_signed_in(&ann));
	assert_status(browser_get(&ann, "/login/code"), 200);
	assert_status(send_code(&ann, "000000"), 422);
	assert_true(is_signed_in(&ann));
	assert_status(browser_get(&ann, "/login/code"), 200);
	assert_status(send_code(&ann, code_of(world, factor.secret, 1)), 303);
	assert_true(is_signed_in(&ann));
	assert_false(text_equal(browser_cookie(&ann, "tally"), before));
	assert_status(browser_get(&ann, "/login/code"), 303);
	browser_set_cookie(&ann, TEXT("tally"), before);
	assert_false(is_signed_in(&ann));
}

/* A recovery code is for one of the two. */
static void
recovery_code_stands_for_it_once(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct factor factor = turn_on(&ann);

	there = send_password(world, password);
	assert_status(send_code(&there, factor.recovery_code), 303);
	assert_true(is_signed_in(&there));
	assert_status(browser_get(&ann, "/inbox"), 200);
	assert_holds(&ann, "Your second factor was replaced once");
	assert_holds(&ann, "A recovery code was used on ");
	assert_holds(&ann, "; 9 are left.");
	there = send_password(world, password);
	assert_status(send_code(&there, factor.recovery_code), 422);
	assert_status(browser_get(&there, "/recover"), 200);
	assert_status(browser_post(&there, "/recover",
			  FIELDS("username", "ann", "code",
			      factor.recovery_code, "password", new_password)),
	    422);
}

static void
recovery_asks_for_it_as_well(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there = browser_open(world);
	struct factor factor = turn_on(&ann);

	assert_status(browser_get(&there, "/recover"), 200);
	assert_status(browser_post(&there, "/recover",
			  FIELDS("username", "ann", "code",
			      factor.recovery_code, "password", new_password)),
	    303);
	assert_text(there.answer.location, "/login/code?return_to=%2F");
	assert_false(is_signed_in(&there));
	assert_status(send_code(&there, factor.recovery_code), 422);
	assert_status(send_code(&there, code_of(world, factor.secret, 1)), 303);
	assert_true(is_signed_in(&there));
}

static void
link_turns_it_off_only_if_it_says_so(void **state)
{
	static const enum one_time_link_factor factors[] = { FACTOR_STAYS,
		FACTOR_IS_TURNED_OFF };
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct text code;
	const char *path;

	turn_on(&ann);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(one_time_link_make_recovery(&world->store,
				     &world->arena, ANN, factors[i], &code),
		    STORE_OK);
		path = text_string(&world->arena,
		    text_format(
			&world->arena, "/link/%.*s/password", TEXT_ARGS(code)));
		there = browser_open(world);
		assert_status(browser_get(&there, path), 200);
		assert_status(
		    browser_post(&there, path,
			FIELDS("password", i == 0 ? new_password : password)),
		    303);
		assert_int_equal(is_signed_in(&there), i == 1);
		assert_int_equal(world_user(world, ANN).factor_on != 0, i == 0);
	}
}

static void
it_is_turned_off_with_password_and_code(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct factor factor = turn_on(&ann);
	const char *code = code_of(world, factor.secret, 1);

	assert_status(browser_get(&ann, "/settings/second-factor"), 200);
	assert_status(browser_post(&ann, "/settings/second-factor",
			  FIELDS("do", "off", "code", code, "password", "x")),
	    422);
	assert_status(
	    browser_post(&ann, "/settings/second-factor",
		FIELDS("do", "off", "code", "000000", "password", password)),
	    422);
	assert_int_equal(world_user(world, ANN).factor_on, STEP_START);
	assert_status(
	    browser_post(&ann, "/settings/second-factor",
		FIELDS("do", "off", "code", code, "password", password)),
	    303);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "Your second factor is off.");
	assert_holds(&ann, "<title>Turned off · Second factor · ");
	assert_int_equal(world_user(world, ANN).factor.size, 0);
	there = send_password(world, password);
	assert_true(is_signed_in(&there));
}

static void
wrong_codes_are_limited(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), there;
	struct factor factor = turn_on(&ann);

	world->store.rules.limits[LIMIT_CODE] = 3;
	there = send_password(world, password);
	for (int i = 0; i < 3; i++)
		assert_status(send_code(&there, "000000"), 422);
	assert_status(send_code(&there, code_of(world, factor.secret, 1)), 429);
	assert_false(is_signed_in(&there));
	/* A browser that has logged in before has a count of its own. */
	assert_status(browser_get(&ann, "/"), 200);
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	assert_status(browser_get(&ann, "/login"), 200);
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "ann", "password", password)),
	    303);
	assert_status(send_code(&ann, code_of(world, factor.secret, 1)), 303);
	assert_true(is_signed_in(&ann));
}

/* Functions decide: no way to a session is without the factor. */
static void
no_session_starts_without_it(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct factor factor = turn_on(&ann);
	struct user user;
	struct second_factor first, second;
	struct text cookie;

	assert_int_equal(
	    user_get(&world->store, &world->arena, ANN, &user), STORE_OK);
	assert_int_equal(
	    session_start(&world->store, &world->arena, ANN, user.password_hash,
		&world_no_factor, TEXT(""), &cookie),
	    STORE_FACTOR);
	/* Two workers find the same step at once. */
	first = second_factor_of(&world->store, &world->arena, &user,
	    text_of(code_of(world, factor.secret, 1)), STEP_START);
	second = second_factor_of(&world->store, &world->arena, &user,
	    text_of(code_of(world, factor.secret, 1)), STEP_START);
	assert_int_equal(first.kind, SECOND_FACTOR_TOTP);
	assert_int_equal(session_start(&world->store, &world->arena, ANN,
			     user.password_hash, &first, TEXT(""), &cookie),
	    STORE_OK);
	assert_int_equal(session_start(&world->store, &world->arena, ANN,
			     user.password_hash, &second, TEXT(""), &cookie),
	    STORE_FACTOR);
}

static void
require_of_moderators(struct browser *owner, const char *word)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(
	    browser_post(owner, "/settings/site",
		FIELDS("name", "Byways", "registration", "open",
		    "group_creation", "members", "moderator_factor", word)),
	    303);
}

/* Until it is on, the role is a member's, in pages as in what is sent. */
static void
owners_require_it_of_moderators(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct browser owner = browser_owner(world, "olga");
	const char *notice = "On this site, moderators need a second factor.";
	struct factor factor;

	world_post(world, world_member(world, "bob"), "First",
	    "http://a.example/", "");
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, ANN, ROLE_MODERATOR),
	    STORE_OK);
	assert_status(browser_get(&ann, "/moderation"), 200);
	require_of_moderators(&owner, "required");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "value=\"required\" checked");
	assert_status(browser_get(&ann, "/moderation"), 403);
	assert_holds(&ann, "You need a second factor for this");
	assert_holds(&ann, "href=\"/settings/second-factor\"");
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, notice);
	assert_lacks(&ann, "/articles/1/remove");
	assert_lacks(&ann, "href=\"/moderation\"");
	assert_status(browser_post(&ann, "/articles/1/remove", NULL), 403);
	assert_int_equal(world_article(world, 1, 0).post.removed, 0);
	/* Owners are told, and keep their role. */
	assert_status(browser_get(&owner, "/moderation"), 200);
	assert_holds(&owner, "moderators need a second factor, and you have");
	factor = turn_on(&ann);
	assert_lacks(&ann, notice);
	assert_status(browser_get(&ann, "/moderation"), 200);
	assert_lacks(&ann, notice);
	assert_status(browser_post(&ann, "/articles/1/remove", NULL), 303);
	assert_status(browser_get(&ann, "/settings/second-factor"), 200);
	assert_holds(&ann, "without it, you can only do what members can");
	assert_status(
	    browser_post(&ann, "/settings/second-factor",
		FIELDS("do", "off", "code", code_of(world, factor.secret, 1),
		    "password", password)),
	    303);
	assert_status(browser_get(&ann, "/moderation"), 403);
	require_of_moderators(&owner, "optional");
	assert_status(browser_get(&ann, "/moderation"), 200);
	assert_lacks(&ann, notice);
	assert_status(browser_get(&owner, "/"), 200);
	assert_lacks(&owner, "second factor");
}

/* Of two moderators, the one who has it decides on own posts as if there were no other. */
static void
moderator_without_it_is_no_other_moderator(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	uint64_t mod = world_member(world, "mod");
	struct settings settings;

	assert_int_equal(
	    user_set_role(&world->store, &world->arena, ANN, ROLE_MODERATOR),
	    STORE_OK);
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, mod, ROLE_MODERATOR),
	    STORE_OK);
	world_post(world, ANN, "First", "http://a.example/", "");
	turn_on(&ann);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_status(browser_post(&ann, "/articles/1/remove", NULL), 403);
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.moderator_factor = TEXT(RULE_FACTOR_REQUIRED);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(browser_post(&ann, "/articles/1/remove", NULL), 303);
}

static bool
collect(void *data, struct text part)
{
	struct buffer *buffer = data;

	buffer_add(buffer, part);
	return true;
}

static void
secret_is_in_no_export_and_ends_with_the_account(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct factor factor = turn_on(&ann);
	struct buffer exported = buffer_in(&world->arena, 4096);
	const struct member_dump_output output = { .write = collect,
		.data = &exported };
	struct user user;

	assert_int_equal(
	    user_get(&world->store, &world->arena, ANN, &user), STORE_OK);
	assert_text(user.factor, factor.secret);
	assert_int_equal(member_dump(&world->store, &user, &output), STORE_OK);
	assert_true(text_find(buffer_text(&exported), 0, TEXT("factor_on")) !=
	    SIZE_MAX);
	assert_true(text_find(buffer_text(&exported), 0,
			text_of(factor.secret)) == SIZE_MAX);
	assert_int_equal(close_account(&world->store, &world->arena, &user,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_true(text_find(world_snapshot(world), 0,
			text_of(factor.secret)) == SIZE_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(code_is_given_before_it_is_on),
		world_test(turning_it_on_twice_shows_no_other_codes),
		world_test(log_in_asks_for_a_code),
		world_test(code_alone_logs_nobody_in),
		world_test(session_ends_once_another_has_started),
		world_test(outage_does_not_ask_for_the_password_again),
		world_test(recovery_code_stands_for_it_once),
		world_test(recovery_asks_for_it_as_well),
		world_test(link_turns_it_off_only_if_it_says_so),
		world_test(it_is_turned_off_with_password_and_code),
		world_test(wrong_codes_are_limited),
		world_test(no_session_starts_without_it),
		world_test(owners_require_it_of_moderators),
		world_test(moderator_without_it_is_no_other_moderator),
		world_test(secret_is_in_no_export_and_ends_with_the_account),
	};

	return world_run("second factor", tests);
}

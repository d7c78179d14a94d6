/* Rate limits, and the refusals of pages. */
#include <string.h>

#include "../support/browser.h"
#include "base/crypto.h"
#include "store/limit.h"
#include "store/settings.h"
#include "store/user.h"

enum { HOUR = 3600 };

static enum store_result
take(struct world *world, enum limit kind, const char *who, int64_t *wait)
{
	return limit_take_device(
	    &world->store, &world->arena, kind, text_of(who), wait);
}

static void
as_many_as_the_limit_are_allowed_per_hour(void **state)
{
	struct world *world = *state;
	int64_t wait = 0;

	world_stop_clock(world, NOON);
	world->store.rules.limits[LIMIT_POST] = 6;
	for (int i = 0; i < 6; i++)
		assert_int_equal(take(world, LIMIT_POST, "1", &wait), STORE_OK);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(
		    take(world, LIMIT_POST, "1", &wait), STORE_LIMITED);
		assert_int_equal(wait, HOUR);
	}
	/* Trying again does not extend the wait. */
	world_stop_clock(world, NOON + HOUR - 1);
	assert_int_equal(take(world, LIMIT_POST, "1", &wait), STORE_LIMITED);
	assert_int_equal(wait, 1);
	world_stop_clock(world, NOON + HOUR + 1);
	assert_text(world_keys(world, "limit:*"), "");
	for (int i = 0; i < 6; i++)
		assert_int_equal(take(world, LIMIT_POST, "1", &wait), STORE_OK);
}

/* An hour divided by the limit is not always a whole number of microseconds. */
static void
limits_are_exact_despite_rounding(void **state)
{
	struct world *world = *state;
	int64_t wait;

	world_stop_clock(world, NOON);
	for (int64_t limit = 1; limit <= 60; limit++) {
		world->store.rules.limits[LIMIT_POST] = limit;
		for (int64_t i = 0; i < limit; i++)
			assert_int_equal(
			    take(world, LIMIT_POST,
				text_string(&world->arena,
				    text_number(&world->arena, limit)),
				&wait),
			    STORE_OK);
	}
}

static void
kinds_and_members_are_counted_separately(void **state)
{
	struct world *world = *state;
	int64_t wait;

	world->store.rules.limits[LIMIT_POST] = 1;
	world->store.rules.limits[LIMIT_VOTE] = 1;
	assert_int_equal(take(world, LIMIT_POST, "1", &wait), STORE_OK);
	assert_int_equal(take(world, LIMIT_VOTE, "1", &wait), STORE_OK);
	assert_int_equal(take(world, LIMIT_POST, "2", &wait), STORE_OK);
	assert_int_equal(take(world, LIMIT_POST, "1", &wait), STORE_LIMITED);
	assert_int_equal(take(world, LIMIT_NONE, "1", &wait), STORE_OK);
}

static void
clock_set_back_locks_nobody_out(void **state)
{
	struct world *world = *state;
	int64_t wait;

	world->store.rules.limits[LIMIT_LOGIN] = 60;
	world_stop_clock(world, NOON);
	for (int i = 0; i < 60; i++)
		assert_int_equal(
		    take(world, LIMIT_LOGIN, "a", &wait), STORE_OK);
	assert_int_equal(take(world, LIMIT_LOGIN, "a", &wait), STORE_LIMITED);
	world_stop_clock(world, NOON - 24 * HOUR);
	for (int i = 0; i < 60; i++)
		assert_int_equal(
		    take(world, LIMIT_LOGIN, "a", &wait), STORE_OK);
	assert_int_equal(take(world, LIMIT_LOGIN, "a", &wait), STORE_LIMITED);
}

static enum store_result
come_from(struct world *world, const char *address)
{
	int64_t wait;

	return limit_take_network(
	    &world->store, &world->arena, LIMIT_LOGIN, text_of(address), &wait);
}

static void
addresses_are_counted_by_network(void **state)
{
	struct world *world = *state;
	/* Each exceeds one of the limits. */
	static const struct {
		const char *first, *next;
		enum store_result result;
	} cases[] = {
		{ "192.0.2.7", "192.0.2.7", STORE_LIMITED },
		{ "192.0.2.7", "192.0.2.8", STORE_OK },
		{ "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", STORE_LIMITED },
		{ "2001:db8:1:2::1", "2001:db8:1:3::1", STORE_OK },
		{ "2001:db8::1", "2001:db8:0:0:1::", STORE_LIMITED },
		{ "::ffff:192.0.2.7", "::ffff:192.0.2.8", STORE_OK },
		{ "unix:", "unix:", STORE_LIMITED },
		{ "", "", STORE_LIMITED },
	};

	world->store.rules.limits[LIMIT_LOGIN] = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		world_command(world, TEXT("FLUSHDB"));
		assert_int_equal(come_from(world, cases[i].first), STORE_OK);
		if (come_from(world, cases[i].next) != cases[i].result)
			fail_msg("%s after %s", cases[i].next, cases[i].first);
	}
}

/* A customer of a provider can have many /64 networks: together they may do as much as
 * eight of them, and refusals do not count for other networks. */
static void
neighbouring_networks_are_counted_together(void **state)
{
	struct world *world = *state;

	world->store.rules.limits[LIMIT_LOGIN] = 3;
	for (int i = 0; i < 40; i++)
		assert_int_equal(come_from(world, "2001:db8:1::1"),
		    i < 3 ? STORE_OK : STORE_LIMITED);
	for (int i = 3; i < 40; i++)
		assert_int_equal(
		    come_from(world,
			fixture_string(&world->arena, "2001:db8:1:%x::1", i)),
		    i < 3 * LIMIT_WIDE_FACTOR ? STORE_OK : STORE_LIMITED);
	assert_int_equal(come_from(world, "2001:db8:2::1"), STORE_OK);
	/* IPv4 addresses have no such neighbours. */
	for (int i = 0; i < 40; i++)
		assert_int_equal(
		    come_from(
			world, fixture_string(&world->arena, "192.0.2.%d", i)),
		    STORE_OK);
}

static enum http_status
log_in(struct browser *browser, const char *name, const char *password)
{
	assert_status(browser_get(browser, "/login"), 200);
	return browser_post(
	    browser, "/login", FIELDS("username", name, "password", password));
}

/* Ann with a password, and a limit of tries. */
static void
add_ann(struct world *world, int64_t tries)
{
	struct user user = { .name = TEXT("Ann"),
		.password_hash =
		    crypto_password_hash(&world->arena, TEXT("a fine horse")) };

	world_stop_clock(world, NOON);
	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	world->store.rules.limits[LIMIT_LOGIN] = tries;
}

/* Tries of a name, each from another network. */
static void
guess_from_many(struct world *world, const char *name, int tries)
{
	for (int i = 0; i < tries; i++) {
		struct browser guesser = browser_open(world);

		guesser.address = text_format(
		    &world->arena, "198.51.%d.%d", i / 250, i % 250);
		assert_status(log_in(&guesser, name, "a guess"), 422);
	}
}

static void
guesses_from_one_address_lock_nobody_else_out(void **state)
{
	struct world *world = *state;
	struct browser guesser, ann;

	add_ann(world, 3);
	guesser = browser_open(world);
	guesser.address = TEXT("192.0.2.9");
	for (int i = 0; i < 3; i++)
		assert_status(log_in(&guesser, "aNN", "a guess"), 422);
	for (int i = 0; i < 30; i++)
		assert_status(log_in(&guesser, "aNN", "a guess"), 429);
	ann = browser_open(world);
	assert_status(log_in(&ann, "Ann", "a fine horse"), 303);
}

static void
tries_of_a_name_are_counted_over_all_networks(void **state)
{
	struct world *world = *state;
	struct browser ann;

	add_ann(world, 2);
	guess_from_many(world, "ann", 2 * LIMIT_NAME_FACTOR);
	/* The answer is the same for an unknown name. */
	guess_from_many(world, "nobody", 2 * LIMIT_NAME_FACTOR);
	ann = browser_open(world);
	assert_status(log_in(&ann, "nobody", "a fine horse"), 429);
	ann.address = TEXT("192.0.2.77");
	assert_status(log_in(&ann, "Ann", "a fine horse"), 429);
	assert_int_equal(ann.answer.retry_after, HOUR);
	assert_holds(&ann, "Try again in about 1 hour");
	assert_holds(&ann, "value=\"Ann\"");
	assert_lacks(&ann, "a fine horse");
	world_stop_clock(world, NOON + HOUR + 1);
	assert_status(log_in(&ann, "Ann", "a fine horse"), 303);
}

/* OWASP's device cookies. */
static void
known_browser_has_its_own_tries(void **state)
{
	struct world *world = *state;
	struct browser ann, thief;
	struct text device;

	add_ann(world, 2);
	ann = browser_open(world);
	assert_status(log_in(&ann, "Ann", "a fine horse"), 303);
	device = browser_cookie(&ann, "tally-device");
	assert_true(text_starts(device, TEXT("1.")));
	assert_status(browser_follow(&ann), 200);
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	guess_from_many(world, "ann", 2 * LIMIT_NAME_FACTOR - 1);
	/* The guesses come from the same address. */
	thief = browser_open(world);
	for (int i = 0; i < 4; i++)
		(void)log_in(&thief, "ann", "a guess");
	assert_status(log_in(&thief, "ann", "a fine horse"), 429);
	assert_status(log_in(&ann, "ann", "a guess"), 422);
	assert_status(log_in(&ann, "ann", "a fine horse"), 303);
	assert_status(browser_follow(&ann), 200);
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	/* It has no more tries than others. */
	assert_status(log_in(&ann, "ann", "a fine horse"), 429);
	/* The cookie cannot be forged, or used for another name. */
	world_member(world, "bob");
	browser_set_cookie(&thief, TEXT("tally-device"),
	    text_format(&world->arena, "2%.*s",
		TEXT_ARGS(text_slice(device, 1, SIZE_MAX))));
	assert_status(log_in(&thief, "bob", "a guess"), 429);
	browser_set_cookie(&thief, TEXT("tally-device"), device);
	assert_status(log_in(&thief, "bob", "a guess"), 429);
}

/* True if a browser with that cookie may still try ann's password, while others may
 * not. */
static bool
is_trusted(struct world *world, struct text device)
{
	struct browser browser = browser_open(world);

	browser_set_cookie(&browser, TEXT("tally-device"), device);
	return log_in(&browser, "ann", "a guess") == HTTP_UNPROCESSABLE;
}

static struct text
log_in_and_keep_device(struct world *world, struct browser *browser)
{
	*browser = browser_open(world);
	assert_status(log_in(browser, "ann", "a fine horse"), 303);
	assert_status(browser_follow(browser), 200);
	return browser_cookie(browser, "tally-device");
}

static void
use_up_tries(struct world *world, int used)
{
	guess_from_many(world, "ann", 2 * LIMIT_NAME_FACTOR - used);
}

static void
new_password_ends_the_trust_in_browsers(void **state)
{
	struct world *world = *state;
	struct browser ann, thief;
	struct text stolen;

	add_ann(world, 2);
	stolen = log_in_and_keep_device(world, &thief);
	(void)log_in_and_keep_device(world, &ann);
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_status(
	    browser_post(&ann, "/settings/password",
		FIELDS("current", "a fine horse", "password", "a finer horse")),
	    303);
	use_up_tries(world, 2);
	assert_false(is_trusted(world, stolen));
	/* The browser that changed it stays trusted. */
	assert_true(is_trusted(world, browser_cookie(&ann, "tally-device")));
}

static void
ending_other_sessions_ends_the_trust_in_other_browsers(void **state)
{
	struct world *world = *state;
	struct browser ann, thief;
	struct text stolen;

	add_ann(world, 2);
	world_stop_clock(world, NOON);
	stolen = log_in_and_keep_device(world, &thief);
	(void)log_in_and_keep_device(world, &ann);
	use_up_tries(world, 2);
	assert_true(is_trusted(world, stolen));
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_status(browser_post(&ann, "/settings/sessions",
			  FIELDS("session", "others")),
	    303);
	assert_false(is_trusted(world, stolen));
	assert_true(is_trusted(world, browser_cookie(&ann, "tally-device")));
}

/* One may be the erased name of a closed account. */
static void
tried_names_are_not_stored(void **state)
{
	struct world *world = *state;
	struct text keys;

	add_ann(world, 2);
	guess_from_many(world, "ann", 1);
	keys = world_keys(world, "limit:login:name:*");
	assert_true(keys.size > 0);
	assert_int_equal(keys.data[0], 'l');
	assert_null(strstr(text_string(&world->arena, keys), "ann"));
}

/* Successful log-ins do not use up the tries of others in the network. */
static void
right_passwords_do_not_count_as_tries(void **state)
{
	struct world *world = *state;

	add_ann(world, 2);
	for (int i = 0; i < 6; i++) {
		struct browser ann = browser_open(world);

		assert_status(log_in(&ann, "Ann", "a fine horse"), 303);
	}
}

static enum http_status
join(struct world *world, const char *name, const char *address)
{
	struct browser browser = browser_open(world);

	browser.address = text_of(address);
	assert_status(browser_get(&browser, "/register"), 200);
	return browser_post(&browser, "/register",
	    FIELDS("username", name, "password", "a fine horse"));
}

static void
registrations_of_a_network_are_limited(void **state)
{
	struct world *world = *state;
	const char *here = "2001:db8:1:2::7";

	world_stop_clock(world, NOON);
	world->store.rules.limits[LIMIT_REGISTER] = 2;
	assert_status(join(world, "ann", here), 303);
	/* Invalid input and taken names do not count. */
	for (int i = 0; i < 5; i++) {
		assert_status(join(world, "no good name", here), 422);
		assert_status(join(world, "ann", here), 422);
	}
	assert_status(join(world, "bob", "2001:db8:1:2::8"), 303);
	assert_status(join(world, "eve", "2001:db8:1:2:3::9"), 429);
	assert_status(join(world, "eve", "2001:db8:1:3::9"), 303);
	world_stop_clock(world, NOON + HOUR + 1);
	assert_status(join(world, "joe", here), 303);
}

static void
logins_of_an_address_are_limited_over_all_names(void **state)
{
	struct world *world = *state;
	struct browser here, there;

	world->store.rules.limits[LIMIT_LOGIN] = 2;
	here = browser_open(world);
	there = browser_open(world);
	here.address = TEXT("192.0.2.1");
	there.address = TEXT("192.0.2.2");
	assert_status(log_in(&here, "first", "a guess"), 422);
	assert_status(log_in(&here, "second", "a guess"), 422);
	assert_status(log_in(&here, "third", "a guess"), 429);
	assert_true(here.answer.retry_after > 0);
	assert_status(log_in(&there, "third", "a guess"), 422);
}

static void
registrations_of_an_address_are_limited(void **state)
{
	struct world *world = *state;
	struct browser here = browser_open(world);
	static const char *const names[] = { "ann", "bob", "eve" };

	world->store.rules.limits[LIMIT_REGISTER] = 2;
	here.address = TEXT("2001:db8::1");
	for (size_t i = 0; i < 3; i++) {
		/* Another address of the same network counts as the same visitor. */
		if (i == 2)
			here.address = TEXT("2001:db8::2");
		/* With the cookie of the last one, too: otherwise each new registration
		 * would be counted for another member. */
		if (i < 2) {
			here.cookie_count = 0;
			assert_status(browser_get(&here, "/register"), 200);
		}
		assert_status(browser_post(&here, "/register",
				  FIELDS("username", names[i], "password",
				      "a fine horse")),
		    i < 2 ? 303 : 429);
	}
}

static void
members_are_limited_and_lose_nothing_that_they_typed(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	uint64_t id = world_post(world, world_member(world, "bob"), "Bob's",
	    "http://b.example/", "");
	const char *path, *vote_path;

	world->store.rules.limits[LIMIT_POST] = 1;
	world->store.rules.limits[LIMIT_VOTE] = 2;
	world->store.rules.limits[LIMIT_GROUP] = 1;
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "One", "text", "first")),
	    303);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "Two & more", "text", "second")),
	    429);
	assert_true(ann.answer.retry_after > 3500);
	assert_holds(&ann, "Two &amp; more");
	assert_holds(&ann, "second");
	assert_holds(&ann, "Try again in about 1 hour");

	path = text_string(&world->arena,
	    text_format(
		&world->arena, "/articles/%llu", (unsigned long long)id));
	vote_path = text_string(&world->arena,
	    text_join(&world->arena, text_of(path), TEXT("/vote")));
	assert_status(browser_get(&ann, path), 200);
	for (int i = 0; i < 3; i++)
		assert_status(browser_post(&ann, vote_path,
				  FIELDS("vote", i == 1 ? "up" : "none")),
		    i < 2 ? 303 : 429);
	assert_status(browser_get(&ann, path), 200);
	assert_text(browser_attribute(&ann, id, "data-vote"), "up");

	assert_status(browser_get(&ann, "/groups"), 200);
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "one", "title", "One")),
	    303);
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "two", "title", "Two")),
	    429);
	assert_holds(&ann, "You’re doing that too often");
	assert_holds(&ann, "value=\"two\"");
	assert_holds(&ann, "href=\"/g/one\"");
}

/* A string with that many bytes. */
static const char *
bytes(struct world *world, size_t count)
{
	char *text = arena_bytes(&world->arena, count + 1);

	memset(text, 'a', count);
	text[count] = '\0';
	return text;
}

/* The form has the typed text, which does not count: a shorter one is accepted. */
static void
check_day_over(struct browser *browser, const char *target,
    const char *const *fields, const char *typed)
{
	assert_status(browser_post(browser, target, fields), 429);
	assert_int_equal(browser->answer.retry_after, 24 * HOUR);
	assert_holds(browser, "You’ve reached the daily limit for text");
	assert_holds(browser, "Try again in about 1 day.");
	assert_holds(browser, typed);
}

static void
bytes_stored_per_day_are_limited(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	const char *long_text = bytes(world, 1000);
	const char *article, *comments, *edit, *edit_comment;

	world_stop_clock(world, NOON);
	world->store.rules.day_bytes = 3000;
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "Title", "text", long_text)),
	    303);
	article = text_string(&world->arena, ann.answer.location);
	comments = fixture_string(&world->arena, "%s/comments", article);
	edit = fixture_string(&world->arena, "%s/edit", article);
	edit_comment = fixture_string(&world->arena, "%s/1/edit", comments);
	assert_status(browser_get(&ann, article), 200);
	assert_status(
	    browser_post(&ann, comments, FIELDS("text", long_text)), 303);
	/* 2,005 bytes so far; a preview stores nothing. */
	assert_status(browser_post(&ann, comments,
			  FIELDS("text", long_text, "preview", "")),
	    200);
	check_day_over(&ann, comments, FIELDS("text", long_text), long_text);
	check_day_over(
	    &ann, edit_comment, FIELDS("text", long_text), long_text);
	check_day_over(
	    &ann, edit, FIELDS("title", "Title", "text", long_text), long_text);
	check_day_over(&ann, "/submit",
	    FIELDS("title", "Other", "text", long_text), long_text);
	assert_status(
	    browser_post(&ann, edit_comment, FIELDS("text", bytes(world, 900))),
	    303);
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "lua", "title", bytes(world, 92))),
	    303);
	check_day_over(&ann, "/groups",
	    FIELDS("name", "cc", "title", "Too much"), "Too much");
	/* Setting the clock back makes no day longer. */
	world_stop_clock(world, NOON - HOUR);
	assert_status(
	    browser_post(&ann, comments, FIELDS("text", bytes(world, 2900))),
	    303);
	check_day_over(&ann, comments, FIELDS("text", bytes(world, 101)),
	    bytes(world, 101));
	world_stop_clock(world, NOON + 24 * HOUR + 1);
	assert_status(
	    browser_post(&ann, comments, FIELDS("text", bytes(world, 2999))),
	    303);
	check_day_over(&ann, comments, FIELDS("text", "bb"), "bb");
	/* A day that would have no end, since setting its end has failed, begins again. */
	world_command(
	    world, TEXT("PERSIST"), world_keys(world, "*limit:bytes"));
	assert_status(browser_post(&ann, comments, FIELDS("text", "bb")), 303);
	world->store.rules.day_bytes = 0;
}

/* The form that is shown again is as it was before: also what depends on the time of log-in and on
 * the time of registration. */
static void
forms_of_limited_members_know_the_time(void **state)
{
	struct world *world = *state;
	struct settings settings = settings_default();
	struct browser ann;

	world_stop_clock(world, NOON);
	settings.voting = TEXT(RULE_VOTING_HOUR);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	world_move_clock(world, 1);
	ann = browser_member(world, "ann");
	world_post(world, 1, "One", "http://one.example/", "");
	world_comment(
	    world, article_id(1), world_member(world, "bob"), "Words.");
	world_groups(world, TEXT("aa bb"));
	world_move_clock(world, HOUR + 1);
	world->store.rules.limits[LIMIT_LOGIN] = 1;
	world->store.rules.limits[LIMIT_GROUP] = 1;
	assert_status(browser_get(&ann, "/articles/1"), 200);
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(&ann, "/articles/1/groups",
				  FIELDS("add", i == 0 ? "aa" : "bb")),
		    i == 0 ? 303 : 429);
	assert_lacks(&ann, "You can vote starting");
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_holds(&ann, "Needed because you logged in more than 15 minutes");
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(&ann, "/settings/password",
				  FIELDS("current", "wrong", "password", "a")),
		    i == 0 ? 422 : 429);
	assert_holds(&ann, "Needed because you logged in more than 15 minutes");
}

/* A form whose session has ended, and which has been sent without one: it has a token for the
 * next session of the browser. */
static struct browser
open_late_form(struct world *world)
{
	struct browser browser = browser_member(world, "ann");

	assert_status(browser_get(&browser, "/submit"), 200);
	browser_set_cookie(&browser, TEXT("tally"), TEXT(""));
	assert_status(
	    browser_post(&browser, "/submit", FIELDS("title", "One")), 401);
	return browser;
}

static void
forged_sessions_use_up_no_limit(void **state)
{
	struct world *world = *state;
	struct browser stranger = open_late_form(world);
	struct text token = browser_token(&stranger, "/submit");
	const char *csrf = text_string(&world->arena, token);
	uint64_t bob = world_member(world, "bob");
	static const char *const targets[] = { "/submit", "/vote",
		"/articles/1/vote", "/articles/1/flag", "/settings/password" };

	for (size_t i = 0; i < LIMIT_KINDS; i++)
		world->store.rules.limits[i] = 1;
	browser_set_cookie(&stranger, TEXT("tally"),
	    text_format(
		&world->arena, "%llu.%064d", (unsigned long long)bob, 0));
	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
		assert_int_not_equal(
		    browser_post(&stranger, targets[i],
			FIELDS("csrf", csrf, "title", "One", "reason", "spam",
			    "vote", "up", "up", "1", "current", "a", "password",
			    "b")),
		    HTTP_TOO_MANY_REQUESTS);
	assert_text(world_keys(world, "*limit:*"), "");
}

/* A cookie and a form of a session that has ended. */
static void
ended_sessions_use_up_no_limit(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct text cookie = browser_cookie(&ann, "tally");

	world->store.rules.limits[LIMIT_POST] = 1;
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_int_equal(
	    session_end(&world->store, &world->arena, cookie), STORE_OK);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "One")), 401);
	assert_int_equal(session_start(&world->store, &world->arena, 1,
			     TEXT(""), &world_no_factor, ann.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "One", "text", "a")),
	    303);
}

/* Pages for which no session is looked up have no token of one. */
static void
forged_sessions_get_no_token(void **state)
{
	struct world *world = *state;
	struct browser stranger = browser_open(world);
	uint64_t bob = world_member(world, "bob");
	struct settings settings = settings_default();

	settings.announcement = TEXT("Closed on Monday");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	browser_set_cookie(&stranger, TEXT("tally"),
	    text_format(
		&world->arena, "%llu.%064d", (unsigned long long)bob, 0));
	assert_status(browser_get(&stranger, "/sitemap.xml?page=999"), 404);
	assert_holds(&stranger, "Closed on Monday");
	assert_lacks(&stranger, "name=\"csrf\"");
}

/* What is sent with the form in the next session is counted as ever. */
static void
late_forms_are_counted(void **state)
{
	struct world *world = *state;
	struct browser late = open_late_form(world);
	struct browser bob = browser_member(world, "bob");
	struct text token = browser_token(&late, "/submit");
	const char *csrf = text_string(&world->arena, token);

	world->store.rules.limits[LIMIT_POST] = 1;
	browser_set_cookie(&late, TEXT("tally"), browser_cookie(&bob, "tally"));
	assert_status(browser_post(&late, "/submit",
			  FIELDS("csrf", csrf, "title", "One", "text", "a")),
	    303);
	assert_status(browser_post(&late, "/submit",
			  FIELDS("csrf", csrf, "title", "Two", "text", "b")),
	    429);
	assert_holds(&late, "value=\"Two\"");
	assert_true(late.answer.retry_after > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(as_many_as_the_limit_are_allowed_per_hour),
		world_test(limits_are_exact_despite_rounding),
		world_test(kinds_and_members_are_counted_separately),
		world_test(clock_set_back_locks_nobody_out),
		world_test(addresses_are_counted_by_network),
		world_test(neighbouring_networks_are_counted_together),
		world_test(guesses_from_one_address_lock_nobody_else_out),
		world_test(tries_of_a_name_are_counted_over_all_networks),
		world_test(known_browser_has_its_own_tries),
		world_test(new_password_ends_the_trust_in_browsers),
		world_test(
		    ending_other_sessions_ends_the_trust_in_other_browsers),
		world_test(tried_names_are_not_stored),
		world_test(right_passwords_do_not_count_as_tries),
		world_test(registrations_of_a_network_are_limited),
		world_test(logins_of_an_address_are_limited_over_all_names),
		world_test(registrations_of_an_address_are_limited),
		world_test(bytes_stored_per_day_are_limited),
		world_test(
		    members_are_limited_and_lose_nothing_that_they_typed),
		world_test(forms_of_limited_members_know_the_time),
		world_test(forged_sessions_use_up_no_limit),
		world_test(ended_sessions_use_up_no_limit),
		world_test(forged_sessions_get_no_token),
		world_test(late_forms_are_counted),
	};

	return world_run("limits", tests);
}

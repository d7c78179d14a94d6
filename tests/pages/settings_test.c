/* Settings: changing the password, and the sessions of a member. */
#include <string.h>

#include "../support/browser.h"
#include "base/crypto.h"
#include "base/password.h"
#include "store/session.h"
#include "store/user.h"

enum { DAY = 86400 };

static const char password[] = "a fine horse";

static void
add_ann(struct world *world)
{
	struct user user = { .name = TEXT("ann"),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
}

static struct browser
log_in(struct world *world, const char *agent, const char *secret)
{
	struct browser browser = browser_open(world);

	browser.agent = text_of(agent);
	assert_status(browser_get(&browser, "/login"), 200);
	assert_status(browser_post(&browser, "/login",
			  FIELDS("username", "ann", "password", secret)),
	    303);
	return browser;
}

static bool
is_signed_in(struct browser *browser)
{
	return browser_get(browser, "/submit") == 200;
}

static enum http_status
change(struct browser *browser, const char *current, const char *new)
{
	assert_status(browser_get(browser, "/settings"), 200);
	return browser_post(browser, "/settings/password",
	    FIELDS("current", current, "password", new));
}

static void
password_is_changed_and_all_other_sessions_end(void **state)
{
	struct world *world = *state;
	struct browser here, there;
	struct text before;

	add_ann(world);
	here = log_in(world, "Here", password);
	there = log_in(world, "There", password);
	before = browser_cookie(&here, "tally");
	assert_status(change(&here, password, "another horse"), 303);
	assert_text(here.answer.location, "/settings");
	assert_status(browser_get(&here, "/settings"), 200);
	assert_holds(&here, "Your password has been changed");
	assert_holds(&here, "<title>Password changed · Settings · ");
	assert_true(is_signed_in(&here));
	assert_false(text_equal(browser_cookie(&here, "tally"), before));
	assert_false(is_signed_in(&there));
	/* The former cookie is not valid any more. */
	browser_set_cookie(&there, TEXT("tally"), before);
	assert_false(is_signed_in(&there));
	log_in(world, "Again", "another horse");
}

static void
password_change_needs_the_current_and_a_good_one(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct text cookie;

	add_ann(world);
	ann = log_in(world, "Here", password);
	cookie = browser_cookie(&ann, "tally");
	assert_status(change(&ann, "a wrong horse", "another horse"), 422);
	assert_holds(&ann, "That isn’t your current password");
	assert_lacks(&ann, "another horse");
	assert_status(change(&ann, password, "short"), 422);
	assert_holds(&ann, "at least 8 characters");
	assert_status(change(&ann, password, "password1"), 422);
	assert_holds(&ann, "That password is too easy to guess");
	assert_true(text_equal(browser_cookie(&ann, "tally"), cookie));
	assert_true(is_signed_in(&ann));
}

static void
password_must_not_be_derived_from_names(void **state)
{
	struct world *world = *state;
	struct browser kassandra = browser_open(world);

	assert_status(browser_get(&kassandra, "/register"), 200);
	for (int i = 0; i < 2; i++) {
		assert_status(
		    browser_post(&kassandra, "/register",
			FIELDS("username", "kassandra", "password",
			    (const char *[]){ "kassandra42", "tally2026" }[i])),
		    422);
		assert_holds(&kassandra, "That password is too easy to guess");
	}
	assert_status(
	    browser_post(&kassandra, "/register",
		FIELDS("username", "kassandra", "password", password)),
	    303);
	assert_status(change(&kassandra, password, "kassandra42"), 422);
	assert_holds(&kassandra, "That password is too easy to guess");
	assert_status(change(&kassandra, password, "melchior42"), 303);
}

/* SHA-1 of "another horse". */
#define BREACHED "96EEEC9C4A43D5BE5B68C458B2FA036E8862796C:3\n"

static void
password_that_was_breached_is_refused(void **state)
{
	struct world *world = *state;
	const char *path = fixture_path(&world->arena, world->folder, "hashes");
	const struct password_file *file;
	struct browser ann, bob = browser_open(world);
	struct text why;

	fixture_write_file(path, TEXT(BREACHED));
	file = password_file_open(&world->arena, text_of(path), &why);
	assert_non_null(file);
	add_ann(world);
	ann = log_in(world, "Here", password);
	ann.app.breached = bob.app.breached = file;
	assert_status(change(&ann, password, "another horse"), 422);
	assert_holds(&ann, "That password has appeared in a data breach");
	assert_status(change(&ann, password, "a third horse"), 303);
	assert_status(browser_get(&bob, "/register"), 200);
	assert_status(
	    browser_post(&bob, "/register",
		FIELDS("username", "bob", "password", "another horse")),
	    422);
	assert_holds(&bob, "That password has appeared in a data breach");
	assert_status(
	    browser_post(&bob, "/register",
		FIELDS("username", "bob", "password", "a third horse")),
	    303);
	password_file_close(file);
}

/* The name of the button that ends the session with a User-Agent. */
static struct text
session_of(struct browser *browser, const char *agent)
{
	struct session *sessions;
	size_t count;
	int64_t now;

	assert_int_equal(
	    session_list(&browser->world->store, &browser->world->arena,
		browser_cookie(browser, "tally"), &sessions, &count, &now),
	    STORE_OK);
	for (size_t i = 0; i < count; i++)
		if (text_equal(sessions[i].agent, text_of(agent)))
			return sessions[i].id;
	return TEXT("");
}

static enum http_status
end(struct browser *browser, struct text session)
{
	assert_status(browser_get(browser, "/settings"), 200);
	return browser_post(browser, "/settings/sessions",
	    FIELDS("session", text_string(&browser->world->arena, session)));
}

static void
sessions_are_listed_and_ended_one_by_one(void **state)
{
	struct world *world = *state;
	struct browser here, phone, desk;

	add_ann(world);
	here = log_in(world, "Here <b>", password);
	phone = log_in(world, "Phone", password);
	desk = log_in(world, "Desk", password);
	assert_status(browser_get(&here, "/settings"), 200);
	assert_holds(&here, "Here &lt;b&gt;");
	assert_holds(&here, "Phone");
	assert_holds(&here, "this browser");
	assert_int_equal(browser_count(&here, "this browser"), 1);
	assert_status(end(&here, session_of(&here, "Phone")), 303);
	assert_false(is_signed_in(&phone));
	assert_true(is_signed_in(&desk));
	assert_true(is_signed_in(&here));
	/* Repeating it is no error, and ends no other session. */
	assert_status(end(&here, TEXT("0123456789abcdef")), 303);
	assert_status(end(&here, TEXT("")), 400);
	assert_true(is_signed_in(&desk));
	assert_status(end(&here, TEXT("others")), 303);
	assert_false(is_signed_in(&desk));
	assert_true(is_signed_in(&here));
	assert_status(end(&here, session_of(&here, "Here <b>")), 303);
	assert_false(is_signed_in(&here));
}

/* Named by browser and system, the current one first, each with its own button. */
static void
sessions_have_names(void **state)
{
	static const char firefox[] = "Mozilla/5.0 (X11; Linux x86_64; "
				      "rv:128.0) Gecko/20100101 Firefox/128.0";
	struct world *world = *state;
	struct browser here;
	const char *body;

	add_ann(world);
	here = log_in(world, firefox, password);
	world_move_clock(world, 3600);
	log_in(world, firefox, password);
	log_in(world, "Lynx/2.9.0", password);
	assert_status(browser_get(&here, "/settings"), 200);
	assert_holds(&here, "<b>Firefox on Linux</b> · this browser");
	assert_holds(&here, "aria-label=\"Log out Firefox on Linux\"");
	assert_holds(&here, "aria-label=\"Log out Firefox on Linux (2)\"");
	assert_holds(&here, "aria-label=\"Log out Lynx\"");
	body = text_string(&world->arena, here.answer.body);
	assert_true(strstr(body, "this browser") < strstr(body, ">Lynx<"));
}

static void
new_password_must_differ_and_is_confirmed_once(void **state)
{
	struct world *world = *state;
	struct browser ann;

	add_ann(world);
	ann = log_in(world, "Here", password);
	assert_status(change(&ann, password, password), 422);
	assert_holds(&ann, "Choose a password that’s different");
	assert_status(change(&ann, password, "another horse"), 303);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "Your password has been changed");
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_lacks(&ann, "Your password has been changed");
}

static void
members_end_only_their_own_sessions(void **state)
{
	struct world *world = *state;
	struct browser ann, eve = browser_member(world, "eve");

	add_ann(world);
	ann = log_in(world, "Here", password);
	assert_status(end(&eve, session_of(&ann, "Here")), 303);
	assert_true(is_signed_in(&ann));
	eve.cookie_count = 0;
	assert_status(browser_get(&eve, "/settings"), 303);
}

static void
unused_session_expires(void **state)
{
	struct world *world = *state;
	struct browser used, unused;

	world_stop_clock(world, NOON);
	world->store.rules.session_idle = 2 * DAY;
	add_ann(world);
	used = log_in(world, "Used", password);
	unused = log_in(world, "Unused", password);
	for (int i = 1; i <= 4; i++) {
		world_stop_clock(world, NOON + i * DAY);
		assert_true(is_signed_in(&used));
	}
	assert_false(is_signed_in(&unused));
	assert_text(session_of(&used, "Unused"), "");
	world_stop_clock(world, NOON + 30 * DAY);
	assert_false(is_signed_in(&used));
}

static void
using_an_ended_session_does_not_restore_it(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct text cookie, key, digest;

	world_stop_clock(world, NOON);
	add_ann(world);
	ann = log_in(world, "Here", password);
	cookie = browser_cookie(&ann, "tally");
	text_cut(&cookie, '.', &key);
	digest = crypto_digest_hex(&world->arena, TEXT(""), cookie);
	assert_int_equal(session_end(&world->store, &world->arena,
			     browser_cookie(&ann, "tally")),
	    STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("FCALL"), TEXT("seen_1"), TEXT("1"),
		TEXT("{u1}sessions"), digest, TEXT("1700000000"))
		.count,
	    1);
	assert_text(world_keys(world, "{*}sessions"), "");
}

static void
number_of_sessions_is_limited(void **state)
{
	struct world *world = *state;
	struct browser first, second;
	struct text cookie;
	struct user ann;

	world_stop_clock(world, NOON);
	add_ann(world);
	assert_int_equal(
	    user_get(&world->store, &world->arena, 1, &ann), STORE_OK);
	first = log_in(world, "First", password);
	world_stop_clock(world, NOON + 1);
	second = log_in(world, "Second", password);
	for (int i = 2; i <= SESSION_MAX; i++) {
		world_stop_clock(world, NOON + i);
		assert_int_equal(session_start(&world->store, &world->arena, 1,
				     ann.password_hash, &world_no_factor,
				     TEXT("more"), &cookie),
		    STORE_OK);
	}
	assert_false(is_signed_in(&first));
	assert_true(is_signed_in(&second));
	assert_int_equal(
	    world_command(world, TEXT("HLEN"), TEXT("{u1}sessions")).number,
	    SESSION_MAX);
}

/* In its section and in the title, once. */
static void
choices_say_that_they_were_saved(void **state)
{
	static const struct {
		const char *section, *name, *value;
	} choices[] = { { "front", "state", "on" }, { "hot", "gravity", "1.6" },
		{ "scores", "state", "off" } };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct arena *arena = &world->arena;

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const char *section = choices[i].section;

		assert_status(
		    browser_post(&ann,
			fixture_string(arena, "/settings/%s", section),
			FIELDS(choices[i].name, choices[i].value)),
		    303);
		assert_text(ann.answer.location,
		    fixture_string(arena, "/settings#%s", section));
		assert_status(browser_follow(&ann), 200);
		assert_holds(&ann, "<title>Saved · Settings");
		assert_int_equal(browser_count(&ann, ">Saved.</p>"), 1);
		assert_true(text_find(ann.answer.body, 0, TEXT(">Saved.</p>")) >
		    text_find(ann.answer.body, 0,
			text_of(
			    fixture_string(arena, "<h2 id=\"%s\">", section))));
		assert_status(browser_get(&ann, "/settings"), 200);
		assert_lacks(&ann, ">Saved.</p>");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(choices_say_that_they_were_saved),
		world_test(password_is_changed_and_all_other_sessions_end),
		world_test(password_change_needs_the_current_and_a_good_one),
		world_test(password_must_not_be_derived_from_names),
		world_test(password_that_was_breached_is_refused),
		world_test(sessions_are_listed_and_ended_one_by_one),
		world_test(sessions_have_names),
		world_test(new_password_must_differ_and_is_confirmed_once),
		world_test(members_end_only_their_own_sessions),
		world_test(unused_session_expires),
		world_test(using_an_ended_session_does_not_restore_it),
		world_test(number_of_sessions_is_limited),
	};

	return world_run("settings", tests);
}

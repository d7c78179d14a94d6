/* Accounts: registering, logging in and out, and cookies. */
#include <string.h>

#include "../support/browser.h"
#include "base/crypto.h"
#include "store/user.h"

enum { DAY = 86400 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char password[] = "correct horse";

static struct browser
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	return browser_open(world);
}

static enum http_status
send_account(struct browser *browser, const char *target, const char *name,
    const char *secret)
{
	browser_get(browser, target);
	return browser_post(
	    browser, target, FIELDS("username", name, "password", secret));
}

/* A member with a password, not signed in here. */
static void
add_member(struct world *world, const char *name)
{
	struct user user = { .name = text_of(name),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
}

static void
assert_signed_in(struct browser *browser, const char *name)
{
	assert_status(browser_get(browser, "/about"), 200);
	assert_holds(browser, name);
	assert_holds(browser, "Log out");
	assert_lacks(browser, "Log in");
}

static void
assert_signed_out(struct browser *browser)
{
	assert_status(browser_get(browser, "/about"), 200);
	assert_holds(browser, "Log in");
	assert_lacks(browser, "Log out");
}

static void
registering_signs_in(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct user user;

	assert_status(
	    send_account(&ann, "/register", "Ann_1-x", password), 303);
	assert_text(ann.answer.location, "/");
	assert_signed_in(&ann, "href=\"/u/Ann_1-x\"");
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("ann_1-X"), &user),
	    STORE_OK);
	assert_text(user.name, "Ann_1-x");
	assert_int_equal(user.role, ROLE_MEMBER);
	assert_int_equal(user.created, NOON);
	assert_true(text_starts(user.password_hash, TEXT("$argon2id$")));
}

/* The account is there, so that sending the form again would say that the name is taken. */
static void
account_without_a_session_is_logged_in_to(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	/* Of another type than a session needs. */
	world_command(world, TEXT("SET"), TEXT("{u1}sessions"), TEXT("broken"));
	assert_status(send_account(&ann, "/register", "ann", password), 303);
	assert_text(ann.answer.location, "/login?return_to=%2F");
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "Your account and password were saved.");
	world_command(world, TEXT("DEL"), TEXT("{u1}sessions"));
	assert_status(send_account(&ann, "/login", "ann", password), 303);
	assert_signed_in(&ann, "href=\"/u/ann\"");
}

static void
bad_names_and_passwords_are_refused(void **state)
{
	static const struct {
		const char *name, *secret, *said;
	} mistakes[] = {
		{ "", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "a", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "a23456789012345678901", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "a b", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "a/b", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "a.b", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "<b>", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "\xc3\xa4nn", password,
		    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores." },
		{ "ann", "", "Use at least 8 characters." },
		{ "ann", "1234567", "Use at least 8 characters." },
	};
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world);
	char secret[RULE_PASSWORD_MAX + 2] = "";

	for (size_t i = 0; i < COUNT(mistakes); i++) {
		assert_status(send_account(&ann, "/register", mistakes[i].name,
				  mistakes[i].secret),
		    422);
		assert_holds(&ann, mistakes[i].said);
	}
	memset(secret, 'a', RULE_PASSWORD_MAX + 1);
	assert_status(send_account(&ann, "/register", "ann", secret), 422);
	assert_holds(&ann, "Use at most 256 bytes");
	/* The name stays in the form, a password never. */
	assert_holds(&ann, "value=\"ann\"");
	assert_lacks(&ann, secret);
	assert_unchanged(world, before);
}

static void
names_are_taken_in_any_case(void **state)
{
	struct world *world = *state;
	struct browser other = begin(world);

	add_member(world, "Ann");
	assert_status(send_account(&other, "/register", "Ann", password), 422);
	assert_holds(&other, "That name is taken");
	assert_status(send_account(&other, "/register", "aNN", password), 422);
	assert_holds(&other, "That name is taken");
	assert_holds(&other, "value=\"aNN\"");
	assert_signed_out(&other);
	assert_text(world_keys(world, "{u*}user"), "{u1}user");
	assert_text(world_keys(world, "name:*"), "name:ann");
}

static void
member_logs_in_and_out(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text cookie;

	add_member(world, "ann");
	assert_status(send_account(&ann, "/login", " ANN ", password), 303);
	assert_text(ann.answer.location, "/");
	assert_signed_in(&ann, "href=\"/u/ann\"");
	cookie = browser_cookie(&ann, "tally");
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	assert_text(ann.answer.location, "/");
	assert_text(browser_cookie(&ann, "tally"), "");
	assert_signed_out(&ann);
	/* A copy of the cookie is no longer valid. */
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_signed_out(&ann);
}

/* Without the form's token, which depends on a random cookie. */
static void
unknown_name_looks_like_a_wrong_password(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text unknown, wrong, before;

	add_member(world, "ann");
	world_member(world, "bob"); /* without a password */
	before = world_snapshot(world);
	assert_status(send_account(&ann, "/login", "nobody", "password"), 422);
	assert_holds(&ann, "Wrong username or password.");
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "nob", "password", "password")),
	    422);
	unknown = browser_body(&ann);
	assert_status(send_account(&ann, "/login", "ann", "password"), 422);
	wrong = browser_body(&ann);
	assert_int_equal(unknown.size, wrong.size);
	for (size_t i = 0; i < wrong.size; i++)
		if (unknown.data[i] != wrong.data[i])
			assert_non_null(memchr("nobann", wrong.data[i], 6));
	assert_status(send_account(&ann, "/login", "bob", ""), 422);
	assert_status(send_account(&ann, "/login", "bob", "password"), 422);
	assert_holds(&ann, "Wrong username or password.");
	assert_status(
	    send_account(&ann, "/login", "ann", "Correct horse"), 422);
	assert_status(send_account(&ann, "/login", "", ""), 422);
	assert_holds(&ann, "Enter your username.");
	assert_holds(&ann, "Enter your password.");
	assert_unchanged(world, before);
}

/* The CPU time of one refused login in microseconds. */
static int64_t
cost_of_login(struct browser *browser, const char *name)
{
	int64_t start = fixture_processor_us();

	assert_status(browser_post(browser, "/login",
			  FIELDS("username", name, "password", "wrong one")),
	    422);
	return fixture_processor_us() - start;
}

/*
 * If the password was not hashed, an unknown name would take a hundredth of the time.
 * On a busy machine the minimum of several tries differs by two thirds.
 */
static void
unknown_name_takes_as_long_as_a_wrong_password(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	int64_t known = INT64_MAX, unknown = INT64_MAX;

	add_member(world, "ann");
	assert_status(browser_get(&ann, "/login"), 200);
	for (int turn = 0; turn < 8; turn++) {
		int64_t ann_took = cost_of_login(&ann, "ann");
		int64_t nobody_took = cost_of_login(&ann, "nobody");

		known = ann_took < known ? ann_took : known;
		unknown = nobody_took < unknown ? nobody_took : unknown;
	}
	assert_in_range(unknown * 100 / known, 33, 300);
}

static void
login_starts_a_new_session(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text first, second;

	add_member(world, "ann");
	assert_status(send_account(&ann, "/login", "ann", password), 303);
	first = browser_cookie(&ann, "tally");
	assert_status(send_account(&ann, "/login", "ann", password), 303);
	second = browser_cookie(&ann, "tally");
	assert_false(text_equal(first, second));
	assert_signed_in(&ann, "ann");
	browser_set_cookie(&ann, TEXT("tally"), first);
	assert_signed_out(&ann);
	/* Nothing in Redis would be valid as a cookie. */
	text_cut(&second, '.', &first);
	assert_int_equal(second.size, 64);
	assert_null(memmem(world_snapshot(world).data,
	    world_snapshot(world).size, second.data, second.size));
}

static void
sessions_of_two_browsers_are_independent(void **state)
{
	struct world *world = *state;
	struct browser desk = begin(world), phone = browser_open(world);

	add_member(world, "ann");
	assert_status(send_account(&desk, "/login", "ann", password), 303);
	assert_status(send_account(&phone, "/login", "ann", password), 303);
	assert_signed_in(&desk, "ann");
	assert_status(browser_post(&desk, "/logout", NULL), 303);
	assert_signed_out(&desk);
	assert_signed_in(&phone, "ann");
}

static void
session_expires(void **state)
{
	struct world *world = *state;
	struct browser desk = begin(world), phone = browser_open(world);

	add_member(world, "ann");
	assert_status(send_account(&desk, "/login", "ann", password), 303);
	world_move_clock(world, 20 * DAY);
	assert_status(send_account(&phone, "/login", "ann", password), 303);
	world_move_clock(world, 10 * DAY - 1);
	assert_signed_in(&desk, "ann");
	/* The session of the phone does not extend the other one. */
	world_move_clock(world, 1);
	assert_signed_out(&desk);
	assert_signed_in(&phone, "ann");
	world_move_clock(world, 20 * DAY);
	assert_signed_out(&phone);
}

static void
new_password_ends_all_sessions(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	add_member(world, "ann");
	assert_status(send_account(&ann, "/login", "ann", password), 303);
	assert_int_equal(
	    user_set_password(&world->store, &world->arena, 1, TEXT(""),
		crypto_password_hash(&world->arena, TEXT("another horse"))),
	    STORE_OK);
	assert_signed_out(&ann);
	assert_status(send_account(&ann, "/login", "ann", password), 422);
	assert_status(
	    send_account(&ann, "/login", "ann", "another horse"), 303);
}

static void
cookies_over_http(void **state)
{
	static const char form_end[] = "; Path=/; HttpOnly; SameSite=Lax";
	static const char end[] =
	    "; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000";
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text cookie;

	add_member(world, "ann");
	assert_status(browser_get(&ann, "/login"), 200);
	assert_int_equal(ann.answer.cookie_count, 1);
	cookie = ann.answer.cookies[0];
	assert_true(text_starts(cookie, TEXT("tally-form=")));
	assert_text(
	    text_slice(cookie, strlen("tally-form=") + 32, SIZE_MAX), form_end);
	/* No other cookie is set if there is one. */
	assert_status(browser_get(&ann, "/register"), 200);
	assert_int_equal(ann.answer.cookie_count, 0);
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "ann", "password", password)),
	    303);
	assert_int_equal(ann.answer.cookie_count, 2);
	assert_true(
	    text_starts(ann.answer.cookies[1], TEXT("tally-device=1.")));
	cookie = ann.answer.cookies[0];
	assert_true(text_starts(cookie, TEXT("tally=1.")));
	assert_text(text_slice(cookie, strlen("tally=1.") + 64, SIZE_MAX), end);
	assert_signed_in(&ann, "ann");
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	assert_text(ann.answer.cookies[0],
	    "tally=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
}

static void
cookies_over_https(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text cookie;

	ann.https = true;
	add_member(world, "ann");
	assert_status(send_account(&ann, "/login", "ann", password), 303);
	cookie = ann.answer.cookies[0];
	assert_true(text_starts(cookie, TEXT("__Host-tally=1.")));
	assert_text(
	    text_slice(cookie, strlen("__Host-tally=1.") + 64, SIZE_MAX),
	    "; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000; Secure");
	assert_int_equal(browser_cookie(&ann, "__Host-tally-form").size, 32);
	assert_signed_in(&ann, "ann");
	/* A cookie that another host could have set is ignored. */
	browser_set_cookie(
	    &ann, TEXT("tally"), browser_cookie(&ann, "__Host-tally"));
	browser_set_cookie(&ann, TEXT("__Host-tally"), TEXT(""));
	assert_signed_out(&ann);
}

/* Behind a proxy that terminates TLS, the origin says that the site is https. */
static void
cookies_with_an_https_origin(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	browser_move_site(&ann, "https://tally.example");
	assert_status(browser_get(&ann, "/login"), 200);
	assert_true(
	    text_starts(ann.answer.cookies[0], TEXT("__Host-tally-form=")));
}

static void
login_returns_to_the_previous_page(void **state)
{
	static const struct {
		const char *return_to, *location;
	} rules[] = {
		{ "/submit?title=a%20b", "/submit?title=a%20b" },
		{ "/g/a+b?order=new#article-7", "/g/a+b?order=new#article-7" },
		{ "", "/" },
		{ "//b.example/", "/" },
		{ "/\\b.example/", "/" },
		{ "https://b.example/", "/" },
		{ "javascript:alert(1)", "/" },
		{ "/login", "/" },
		{ "/login?return_to=%2Fsubmit", "/" },
		{ "/register#main", "/" },
		{ "/logout", "/" },
		{ "/a\r\nb: c", "/" },
	};
	struct world *world = *state;
	struct browser ann = begin(world);

	add_member(world, "ann");
	for (size_t i = 0; i < COUNT(rules); i++) {
		ann = browser_open(world);
		assert_status(browser_get(&ann, "/login"), 200);
		assert_status(
		    browser_post(&ann, "/login",
			FIELDS("username", "ann", "password", password,
			    "return_to", rules[i].return_to)),
		    303);
		assert_text(ann.answer.location, rules[i].location);
	}
	ann = browser_open(world);
	/* The pages pass return_to on, after mistakes as well, but only if it is
	 * local. */
	assert_status(browser_get(&ann, "/login?return_to=%2Fg%2Fa%2Bb"), 200);
	assert_holds(&ann, "name=\"return_to\" value=\"/g/a+b\"");
	assert_holds(&ann, "/register?return_to=%2Fg%2Fa%2Bb");
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "x", "return_to", "/g/a+b")),
	    422);
	assert_holds(&ann, "name=\"return_to\" value=\"/g/a+b\"");
	assert_status(
	    browser_get(&ann, "/register?return_to=%2F%2Fb.example"), 200);
	assert_holds(&ann, "name=\"return_to\" value=\"/\"");
	assert_lacks(&ann, "b.example");
}

/* The token of a form is valid in one browser only. */
static void
form_of_another_browser_is_refused(void **state)
{
	static const char *const targets[] = { "/login", "/register" };
	struct world *world = *state;
	struct browser ann = begin(world), eve = browser_open(world);
	struct text before;

	add_member(world, "ann");
	before = world_snapshot(world);
	for (size_t i = 0; i < COUNT(targets); i++) {
		char *token;

		assert_status(browser_get(&eve, targets[i]), 200);
		assert_status(browser_get(&ann, targets[i]), 200);
		token =
		    text_string(&world->arena, browser_token(&eve, targets[i]));
		assert_int_equal(strlen(token), BROWSER_TOKEN);
		assert_status(browser_post(&ann, targets[i],
				  FIELDS("csrf", token, "username", "ann",
				      "password", password)),
		    403);
		/* No cookie, but the right token. */
		eve = browser_open(world);
		assert_status(browser_post(&eve, targets[i],
				  FIELDS("csrf", token, "username", "ann",
				      "password", password)),
		    403);
		/* The form has the name, and a valid token. */
		assert_holds(&eve, "value=\"ann\"");
		assert_lacks(&eve, password);
		assert_holds(&eve, "role=\"alert\"");
		/* From another site, otherwise valid. */
		ann.fetch_site = TEXT("cross-site");
		assert_status(
		    browser_post(&ann, targets[i],
			FIELDS("username", "ann", "password", password)),
		    403);
		ann.fetch_site = TEXT("");
	}
	assert_unchanged(world, before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(registering_signs_in),
		world_test(account_without_a_session_is_logged_in_to),
		world_test(bad_names_and_passwords_are_refused),
		world_test(names_are_taken_in_any_case),
		world_test(member_logs_in_and_out),
		world_test(unknown_name_looks_like_a_wrong_password),
		world_test(unknown_name_takes_as_long_as_a_wrong_password),
		world_test(login_starts_a_new_session),
		world_test(sessions_of_two_browsers_are_independent),
		world_test(session_expires),
		world_test(new_password_ends_all_sessions),
		world_test(cookies_over_http),
		world_test(cookies_over_https),
		world_test(cookies_with_an_https_origin),
		world_test(login_returns_to_the_previous_page),
		world_test(form_of_another_browser_is_refused),
	};

	return world_run("accounts", tests);
}

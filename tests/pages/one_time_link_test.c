/* The pages of one-time links: becoming the owner by one. */
#include <string.h>

#include "../support/browser.h"
#include "store/one_time_link.h"
#include "store/session.h"

enum { HOUR = 3600 };

#define BUTTON "Become the owner of Tally</button>"

/* A link's code, and its path. */
struct link {
	struct text code;
	const char *path;
};

static struct link
make_link(struct world *world)
{
	struct link link;

	world_stop_clock(world, NOON);
	assert_int_equal(
	    one_time_link_make_owner(&world->store, &world->arena, &link.code),
	    STORE_OK);
	link.path = text_string(
	    &world->arena, text_join(&world->arena, TEXT("/link/"), link.code));
	return link;
}

/* A secret in another address is in the logs of whoever sees that: on the page it is the
 * form's alone. */
static void
assert_leads_nowhere_else(
    const struct browser *browser, struct text code, size_t forms)
{
	const char *form = text_string(&browser->world->arena,
	    text_join(&browser->world->arena, TEXT("action=\"/link/"), code));

	assert_int_equal(browser_count(browser, form), forms);
	assert_int_equal(
	    browser_count(browser, text_string(&browser->world->arena, code)),
	    forms);
}

static void
get_shows_a_form_and_changes_nothing(void **state)
{
	struct world *world = *state;
	struct link link = make_link(world);
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&ann, link.path), 200);
	assert_holds(&ann, BUTTON);
	assert_holds(&ann, "You’re logged in as <bdi>ann</bdi>.");
	assert_leads_nowhere_else(&ann, link.code, 1);
	assert_int_equal(ann.answer.cache, CACHE_NEVER);
	assert_status(browser_get(&reader, link.path), 200);
	assert_lacks(&reader, "method=\"post\"");
	assert_holds(&reader, "href=\"/register?return_to=%2Flink\"");
	assert_holds(&reader, "href=\"/login?return_to=%2Flink\"");
	assert_leads_nowhere_else(&reader, link.code, 0);
	assert_int_equal(reader.answer.cache, CACHE_NEVER);
	assert_status(
	    browser_send(&reader, HTTP_HEAD, link.path, TEXT("")), 200);
	assert_unchanged(world, before);
}

static void
post_makes_the_member_the_owner(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser ben = browser_member(world, "ben");
	struct link link = make_link(world);

	assert_status(browser_get(&ann, link.path), 200);
	assert_status(browser_get(&ben, link.path), 200);
	assert_status(browser_post(&ann, link.path, NULL), 303);
	assert_text(ann.answer.location, "/settings/site");
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "<title>You’re the owner · Site settings");
	assert_holds(&ann, "You’re the owner of this site now.");
	assert_status(browser_get(&ann, "/settings/site"), 200);
	assert_lacks(&ann, "You’re the owner");
	assert_int_equal(world_user(world, 1).role, ROLE_OWNER);
	/* Sent twice, or the answer was lost. */
	assert_status(browser_post(&ann, link.path, NULL), 303);
	assert_text(ann.answer.location, "/settings/site");
	assert_int_equal(world_log(world, "").count, 1);
	assert_status(browser_post(&ben, link.path, NULL), 410);
	assert_holds(&ben, "This site already has an owner");
	assert_int_equal(world_user(world, 2).role, ROLE_MEMBER);
	assert_status(browser_get(&ben, link.path), 404);
	assert_holds(&ben, "This link doesn’t work");
	assert_status(browser_get(&ann, "/link"), 404);
}

/* Also without an account at first. */
static void
visitor_comes_back_after_registering(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);
	struct link link = make_link(world);

	assert_status(browser_get(&reader, link.path), 200);
	assert_status(browser_get(&reader, "/register?return_to=%2Flink"), 200);
	assert_leads_nowhere_else(&reader, link.code, 0);
	assert_status(browser_post(&reader, "/register",
			  FIELDS("username", "olga", "password",
			      "correct horse", "return_to", "/link")),
	    303);
	assert_text(reader.answer.location, "/link");
	assert_status(browser_follow(&reader), 303);
	assert_text(reader.answer.location, link.path);
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, BUTTON);
	assert_status(browser_post(&reader, link.path, NULL), 303);
	assert_int_equal(world_user(world, 1).role, ROLE_OWNER);
	assert_text(browser_cookie(&reader, "tally-link"), "");
}

/* The session ends between the form and its button. */
static void
member_comes_back_after_logging_in(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct link link = make_link(world);

	assert_status(browser_get(&ann, link.path), 200);
	assert_int_equal(session_end(&world->store, &world->arena,
			     browser_cookie(&ann, "tally")),
	    STORE_OK);
	assert_status(browser_post(&ann, link.path, NULL), 303);
	assert_text(ann.answer.location, "/login?return_to=%2Flink");
	assert_status(browser_get(&ann, "/link"), 303);
	assert_text(ann.answer.location, link.path);
}

static void
form_needs_token_and_origin(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);
	struct link link = make_link(world);
	const struct {
		const char *origin, *fetch_site;
		int status;
	} rows[] = {
		{ "http://evil.example", "", 403 },
		{ "http://evil.example", "cross-site", 403 },
		{ "null", "cross-site", 403 },
		{ "null", "same-site", 403 },
		/* The page sends no referrer, so the browser hides the origin. */
		{ "null", "", 303 },
	};

	assert_status(browser_get(&ann, link.path), 200);
	assert_status(browser_post(&ann, link.path, FIELDS("csrf", "")), 403);
	assert_status(browser_post(&ann, link.path,
			  FIELDS("csrf",
			      text_string(&world->arena,
				  browser_token(&reader, link.path)))),
	    403);
	assert_lacks(&ann, text_string(&world->arena, link.code));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(world_user(world, 1).role, ROLE_MEMBER);
		ann.origin = text_of(rows[i].origin);
		ann.fetch_site = text_of(rows[i].fetch_site);
		assert_status(
		    browser_post(&ann, link.path, NULL), rows[i].status);
	}
	assert_int_equal(world_user(world, 1).role, ROLE_OWNER);
	/* On no other page. */
	assert_status(browser_post(&ann, "/settings/sessions", NULL), 403);
}

static void
wrong_and_expired_links_are_explained(void **state)
{
	static const char *const wrong[] = { "/link/x", "/link/owner.",
		"/link/owner.0123456789abcdef0123456789abcdef0123456789abcdef"
		"0123456789abcdef",
		"/link/owner.%2e%2e", "/link" };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);
	struct link link = make_link(world);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_status(browser_get(&ann, wrong[i]), 404);
		assert_holds(&ann, "This link doesn’t work");
		assert_status(browser_get(&reader, wrong[i]), 404);
		if (i < 3)
			assert_status(browser_post(&ann, wrong[i], NULL), 404);
	}
	/* Cookies that a page of ours never set. */
	browser_set_cookie(
	    &reader, TEXT("tally-link"), TEXT("//evil.example/owner.x"));
	assert_status(browser_get(&reader, "/link"), 404);
	world_stop_clock(world, NOON + HOUR + 1);
	assert_status(browser_get(&ann, link.path), 404);
	assert_holds(&ann, "has expired");
	assert_status(browser_post(&ann, link.path, NULL), 404);
	assert_int_equal(world_user(world, 1).role, ROLE_MEMBER);
}

static void
site_with_an_owner_says_so(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct link link = make_link(world);

	world_member(world, "olga");
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 2, ROLE_OWNER),
	    STORE_OK);
	assert_status(browser_get(&ann, link.path), 410);
	assert_holds(&ann, "This site already has an owner");
	assert_lacks(&ann, BUTTON);
	assert_status(browser_post(&ann, link.path, NULL), 410);
	assert_int_equal(world_user(world, 1).role, ROLE_MEMBER);
}

/* Like guesses of a password. */
static void
tries_are_limited_as_those_to_log_in(void **state)
{
	static const char forged[] =
	    "/link/owner.0123456789abcdef0123456789abcdef0123456789abcdef"
	    "0123456789abcdef";
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct link link = make_link(world);

	world->store.rules.limits[LIMIT_LOGIN] = 3;
	assert_status(browser_get(&ann, link.path), 200);
	for (int i = 0; i < 3; i++)
		assert_status(browser_post(&ann, forged, NULL), 404);
	assert_status(browser_post(&ann, forged, NULL), 429);
	assert_status(browser_post(&ann, link.path, NULL), 429);
	assert_int_equal(world_user(world, 1).role, ROLE_MEMBER);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(get_shows_a_form_and_changes_nothing),
		world_test(post_makes_the_member_the_owner),
		world_test(visitor_comes_back_after_registering),
		world_test(member_comes_back_after_logging_in),
		world_test(form_needs_token_and_origin),
		world_test(wrong_and_expired_links_are_explained),
		world_test(site_with_an_owner_says_so),
		world_test(tries_are_limited_as_those_to_log_in),
	};

	return world_run("one-time links", tests);
}

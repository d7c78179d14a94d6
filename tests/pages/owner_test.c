/* The settings of owners: the site's name and texts, and registration. */
#include <string.h>

#include "../support/browser.h"
#include "store/invite.h"
#include "store/settings.h"
#include "store/user.h"

enum { NOON = 1700000000, WEEK = 7 * 86400 };

static struct browser
browser_owner(struct world *world)
{
	struct browser owner;

	world_stop_clock(world, NOON);
	owner = browser_member(world, "olga");
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 1, ROLE_OWNER),
	    STORE_OK);
	return owner;
}

#define SET(...) \
	FIELDS("name", "Byways", "registration", "open", "group_creation", \
	    "members", __VA_ARGS__)

static void
decide(struct browser *owner, const char *registration, const char *groups)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(browser_post(owner, "/settings/site",
			  FIELDS("name", "Byways", "registration", registration,
			      "group_creation", groups)),
	    303);
}

static void
only_owners_see_and_change_settings(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser mod = browser_moderator(world, "mod");
	struct browser reader = browser_open(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&mod, "/settings/site"), 403);
	assert_status(
	    browser_post(&mod, "/settings/site", SET("tagline", "x")), 403);
	assert_status(browser_get(&reader, "/settings/site"), 303);
	assert_unchanged(world, before);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_holds(&owner, "href=\"/settings/site\"");
	assert_status(browser_get(&mod, "/settings"), 200);
	assert_lacks(&mod, "href=\"/settings/site\"");
	/* Owners have the rights of moderators. */
	world_post(world, 2, "A", "http://a.example/", "");
	assert_status(browser_post(&owner, "/articles/1/remove", NULL), 303);
}

/* A worker that had cached the old ones has read nothing in between. */
static void
changed_settings_apply_in_every_worker_at_once(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser elsewhere = browser_open(world);
	const struct settings usual = settings_default();
	static const char *const pages[] = { "/", "/about", "/groups", "/login",
		"/register", "/nothing" };

	elsewhere.app.settings = settings_cache_new(&usual);
	for (size_t i = 0; i < 6; i++) {
		browser_get(&elsewhere, pages[i]);
		assert_holds(&elsewhere, "Tally</title>");
	}
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(
	    browser_post(&owner, "/settings/site",
		SET("tagline", "Paths less <known>", "contact",
		    "post@byways.example", "about", "First.\n\nSecond.")),
	    303);
	assert_text(owner.answer.location, "/settings/site");
	assert_status(browser_follow(&owner), 200);
	assert_holds(&owner, "Settings saved.");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "Settings saved");
	for (size_t i = 0; i < 6; i++) {
		browser_get(&elsewhere, pages[i]);
		assert_holds(&elsewhere, "Byways</title>");
		assert_lacks(&elsewhere, "Tally");
	}
	assert_status(browser_get(&elsewhere, "/"), 200);
	assert_holds(&elsewhere,
	    "<p class=\"intro\" dir=\"auto\">Paths less &lt;known&gt;");
	assert_status(browser_get(&elsewhere, "/about"), 200);
	assert_holds(&elsewhere, "href=\"mailto:post@byways.example\"");
	assert_holds(&elsewhere,
	    "<p dir=\"auto\">First.</p>\n<p dir=\"auto\">Second.</p>");
	settings_cache_free(elsewhere.app.settings);
}

static void
mistakes_change_nothing(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  FIELDS("name", " ", "tagline", "kept", "registration",
			      "all", "group_creation", "members")),
	    422);
	assert_holds(&owner, "Enter a name for the site.");
	assert_holds(&owner, "Choose one of these.");
	assert_holds(&owner, "value=\"kept\"");
	assert_holds(&owner, "<title>Error: Site settings");
	assert_unchanged(world, before);
}

static void
each_version_of_the_style_sheet_has_its_address(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/site.css"), 404);
	assert_lacks(&reader, "href=\"/site.css");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body { color: red }")),
	    303);
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, "href=\"/site.css?v=1\"");
	assert_status(browser_get(&reader, "/site.css?v=1"), 200);
	assert_int_equal(reader.answer.type, TYPE_CSS);
	assert_int_equal(reader.answer.cache, CACHE_ONE_YEAR);
	assert_text(reader.answer.body, "body { color: red }");
	/* Other versions are not cacheable. */
	assert_status(browser_get(&reader, "/site.css?v=2"), 200);
	assert_int_equal(reader.answer.cache, CACHE_NEVER);
}

/* The page where an owner repairs a style sheet does not use it: it may hide
 * everything. */
static void
settings_page_omits_the_style_sheet(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body{display:none}")),
	    303);
	assert_status(browser_get(&owner, "/about"), 200);
	assert_holds(&owner, "href=\"/site.css");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "href=\"/site.css");
	assert_holds(&owner, "body{display:none}");
	/* Nor after a mistake. */
	assert_status(browser_post(&owner, "/settings/site",
			  FIELDS("name", "", "style", "body{display:none}")),
	    422);
	assert_lacks(&owner, "href=\"/site.css");
}

static enum http_status
join(struct browser *browser, const char *name, const char *invite)
{
	browser->cookie_count = 0;
	assert_status(browser_get(browser, "/login"), 200);
	return browser_post(browser, "/register",
	    FIELDS("username", name, "password", "correct horse", "invite",
		invite));
}

static void
registration_can_be_closed(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser reader = browser_open(world);
	struct user user;

	decide(&owner, "closed", "members");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_holds(&reader, "Registration is closed.");
	assert_lacks(&reader, ">Register</a>");
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, "Registration is closed.");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_lacks(&reader, "name=\"password\"");
	assert_status(join(&reader, "bob", ""), 403);
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("bob"), &user),
	    STORE_ABSENT);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_lacks(&owner, "/settings/invite");
	decide(&owner, "open", "members");
	assert_status(join(&reader, "bob", ""), 303);
}

/* The invitation codes on a member's page, in order. */
static size_t
codes_of(struct world *world, uint64_t user, struct invite *invites)
{
	size_t count;

	assert_int_equal(
	    invite_list(&world->store, &world->arena, user, invites, &count),
	    STORE_OK);
	return count;
}

static void
invitation_is_valid_once_and_for_a_week(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser reader = browser_open(world);
	struct invite invites[INVITES_MAX];
	const char *first, *second;

	decide(&owner, "invite", "members");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_holds(&reader, "You need an invitation");
	assert_lacks(&reader, "name=\"password\"");
	assert_status(join(&reader, "bob", ""), 403);
	assert_status(join(&reader, "bob", "1.00"), 403);

	assert_status(browser_get(&owner, "/settings"), 200);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	world_move_clock(world, 60);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	assert_int_equal(codes_of(world, 1, invites), 2);
	first = text_string(&world->arena, invites[0].code);
	second = text_string(&world->arena, invites[1].code);
	assert_status(browser_follow(&owner), 200);
	assert_holds(&owner,
	    text_string(&world->arena,
		text_format(&world->arena,
		    ">http://localhost/register?invite=%s</a>", first)));

	reader.cookie_count = 0;
	assert_status(
	    browser_get(&reader,
		text_string(&world->arena,
		    text_format(&world->arena, "/register?invite=%s", first))),
	    200);
	assert_holds(&reader, "name=\"password\"");
	/* The invitation stays valid if the name is taken. */
	assert_status(join(&reader, "olga", first), 422);
	assert_holds(&reader, first);
	assert_status(join(&reader, "bob", first), 303);
	assert_status(join(&reader, "eve", first), 403);
	assert_status(browser_get(&reader, "/u/bob"), 200);
	assert_holds(&reader, "invited by <a href=\"/u/olga\">olga</a>");
	assert_status(browser_get(&reader, "/u/olga"), 200);
	assert_holds(&reader, "Invited: <a href=\"/u/bob\">bob</a>");
	world_move_clock(world, WEEK - 60);
	assert_int_equal(codes_of(world, 1, invites), 1);
	world_move_clock(world, 60);
	assert_int_equal(codes_of(world, 1, invites), 0);
	assert_status(join(&reader, "eve", second), 403);
	assert_holds(&reader, "has been used or has expired");
}

static void
open_invitations_are_limited(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct invite invites[INVITES_MAX];

	assert_status(browser_get(&owner, "/settings"), 200);
	for (int i = 0; i < INVITES_MAX; i++)
		assert_status(
		    browser_post(&owner, "/settings/invite", NULL), 303);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 409);
	assert_holds(&owner, "too many open invitations");
	world_move_clock(world, WEEK);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	assert_int_equal(codes_of(world, 1, invites), 1);
}

static void
creating_groups_can_be_limited_to_moderators(void **state)
{
	struct world *world = *state;
	struct browser owner = browser_owner(world);
	struct browser bob = browser_member(world, "bob");
	struct browser mod = browser_moderator(world, "mod");

	decide(&owner, "open", "moderators");
	assert_status(browser_get(&bob, "/groups"), 200);
	assert_lacks(&bob, "Create a group");
	assert_status(
	    browser_post(&bob, "/groups", FIELDS("name", "aa", "title", "A")),
	    403);
	assert_status(browser_get(&mod, "/groups"), 200);
	assert_status(
	    browser_post(&mod, "/groups", FIELDS("name", "aa", "title", "A")),
	    303);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(only_owners_see_and_change_settings),
		world_test(changed_settings_apply_in_every_worker_at_once),
		world_test(mistakes_change_nothing),
		world_test(each_version_of_the_style_sheet_has_its_address),
		world_test(settings_page_omits_the_style_sheet),
		world_test(registration_can_be_closed),
		world_test(invitation_is_valid_once_and_for_a_week),
		world_test(open_invitations_are_limited),
		world_test(creating_groups_can_be_limited_to_moderators),
	};

	return world_run("the owners' settings", tests);
}

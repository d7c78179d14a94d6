/*
 * A Redis whose memory is full: everything can be read, and writes are refused with the
 * reason, without losing the typed text.
 */
#include "../support/browser.h"
#include "store/user.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

enum { DAY = 86400 };

static void
set_memory(struct world *world, const char *bytes)
{
	world_command(world, TEXT("CONFIG"), TEXT("SET"), TEXT("maxmemory"),
	    text_of(bytes));
}

/* An article and a comment by ann, and an owner. */
static struct browser
begin(struct world *world, struct browser *owner)
{
	struct browser ann;

	world_stop_clock(world, NOON);
	*owner = browser_moderator(world, "olga");
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 1, ROLE_OWNER),
	    STORE_OK);
	world_group(world, "redis");
	ann = browser_member(world, "ann");
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_status(
	    browser_post(&ann, "/submit",
		FIELDS("title", "A title", "text", "Words", "groups", "redis")),
	    303);
	assert_status(browser_follow(&ann), 200);
	assert_status(browser_post(&ann, "/articles/1/comments",
			  FIELDS("text", "A comment")),
	    303);
	return ann;
}

static void
all_pages_can_be_read(void **state)
{
	static const char *const anybodys[] = { "/", "/?order=new",
		"/interesting", "/articles", "/g/redis", "/u/ann", "/comments",
		"/u/ann/comments", "/articles/1", "/articles/1/comments/1",
		"/groups", "/members", "/log", "/about", "/sitemap.xml",
		"/robots.txt" };
	static const char *const members[] = { "/submit", "/inbox", "/settings",
		"/articles/1/reply", "/articles/1/reply?parent=1" };
	static const char *const owners[] = { "/moderation",
		"/moderation/rings", "/moderation/hosts", "/groups/redis",
		"/settings/site", "/u/ann/suspend" };
	struct world *world = *state;
	struct browser stranger = browser_open(world), owner;
	struct browser ann = begin(world, &owner);

	set_memory(world, "1");
	/* So that the last use of the session is due to be written. */
	world_stop_clock(world, NOON + DAY);
	for (size_t i = 0; i < COUNT(anybodys); i++) {
		assert_status(browser_go(&stranger, anybodys[i]), 200);
		assert_status(browser_go(&ann, anybodys[i]), 200);
		assert_status(browser_go(&owner, anybodys[i]), 200);
	}
	for (size_t i = 0; i < COUNT(members); i++)
		assert_status(browser_get(&ann, members[i]), 200);
	for (size_t i = 0; i < COUNT(owners); i++)
		assert_status(browser_get(&owner, owners[i]), 200);
	assert_status(browser_get(&ann, "/articles/1/edit"), 200);
	assert_status(browser_get(&ann, "/articles/1/comments/1/edit"), 200);
	set_memory(world, "0");
}

/* Sends a form, and expects the reason and the typed text. */
static void
check_refused(struct browser *browser, const char *target,
    const char *const *fields, const char *typed)
{
	assert_status(browser_post(browser, target, fields), 503);
	assert_holds(browser, "The site’s storage is full");
	assert_holds(browser, typed);
}

static void
typed_text_is_preserved(void **state)
{
	struct world *world = *state;
	struct browser stranger = browser_open(world), owner;
	struct browser ann = begin(world, &owner);

	/* As on a real site, rate limits count each action first. */
	for (int i = LIMIT_NONE + 1; i < LIMIT_KINDS; i++)
		world->store.rules.limits[i] = 1000;
	assert_status(browser_get(&stranger, "/login"), 200);
	set_memory(world, "1");
	check_refused(&ann, "/submit",
	    FIELDS("title", "Other title", "text", "Typed in vain"),
	    "Typed in vain");
	assert_holds(&ann, "Log out");
	check_refused(&ann, "/articles/1/edit",
	    FIELDS("title", "A title", "text", "Typed in vain", "groups", ""),
	    "Typed in vain");
	assert_holds(&ann, "Log out");
	check_refused(&ann, "/articles/1/comments",
	    FIELDS("text", "Typed in vain"), "Typed in vain");
	assert_holds(&ann, "Log out");
	check_refused(&ann, "/articles/1/comments/1/edit",
	    FIELDS("text", "Typed in vain"), "Typed in vain");
	check_refused(&ann, "/groups",
	    FIELDS("name", "lua", "title", "Typed in vain"), "Typed in vain");
	check_refused(&owner, "/settings/site",
	    FIELDS("name", "Typed in vain", "registration", "open",
		"group_creation", "members", "voting", "at-once", "log_names",
		"named"),
	    "Typed in vain");
	check_refused(&owner, "/articles/1/vote", FIELDS("vote", "up"),
	    "You can still read everything.");
	check_refused(&stranger, "/login",
	    FIELDS("username", "typed", "password", "correct horse"), "typed");
	set_memory(world, "0");
	/* None of that was stored, and writes work again. */
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_lacks(&ann, "in vain");
	assert_status(browser_post(&ann, "/articles/1/comments",
			  FIELDS("text", "Typed in vain")),
	    303);
}

/* Actions that need no memory succeed. */
static void
members_can_log_out(void **state)
{
	struct world *world = *state;
	struct browser owner, ann = begin(world, &owner);

	set_memory(world, "1");
	assert_status(browser_get(&ann, "/"), 200);
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	assert_status(browser_get(&ann, "/"), 200);
	assert_lacks(&ann, "Log out");
	set_memory(world, "0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(all_pages_can_be_read),
		world_test(typed_text_is_preserved),
		world_test(members_can_log_out),
	};

	return world_run("a full Redis", tests);
}

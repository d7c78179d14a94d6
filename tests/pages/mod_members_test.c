/*
 * Moderation of members: rights by role, what a suspended member sees, vouching, and
 * roles.
 */
#include <string.h>

#include "../support/browser.h"
#include "base/crypto.h"
#include "store/account_status.h"
#include "store/settings.h"

enum { DAY = 86400 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const char password[] = "correct horse";

static struct user
user_named(struct world *world, const char *name)
{
	struct user user;

	assert_int_equal(
	    user_find(&world->store, &world->arena, text_of(name), &user),
	    STORE_OK);
	return user;
}

static struct browser
owner(struct world *world, const char *name)
{
	struct browser browser = browser_member(world, name);

	assert_int_equal(user_set_role(&world->store, &world->arena,
			     user_named(world, name).id, ROLE_OWNER),
	    STORE_OK);
	assert_status(browser_get(&browser, "/about"), 200);
	return browser;
}

/* Members and visitors can neither see nor use any of it. */
static void
pages_are_for_moderators_only(void **state)
{
	static const char *const pages[] = { "/moderation", "/moderation/rings",
		"/moderation/hosts", "/u/eve/suspend", "/groups/redis" };
	static const char *const actions[] = { "/articles/1/remove",
		"/articles/1/restore", "/articles/1/dismiss",
		"/articles/1/void", "/u/eve/suspend", "/u/eve/void",
		"/u/eve/vouch", "/u/eve/role", "/moderation/hosts",
		"/groups/redis" };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser nobody = browser_open(world);

	world_member(world, "eve");
	world_group(world, "redis");
	world_post(world, 2, "A", "http://a.example/", "redis");
	for (size_t i = 0; i < COUNT(pages); i++) {
		assert_status(browser_get(&ann, pages[i]), 403);
		assert_status(browser_get(&nobody, pages[i]), 303);
		assert_true(
		    text_starts(nobody.answer.location, TEXT("/login")));
	}
	assert_status(browser_get(&ann, "/about"), 200);
	for (size_t i = 0; i < COUNT(actions); i++)
		assert_status(browser_post(&ann, actions[i],
				  FIELDS("days", "0", "wanted", "void",
				      "member", "eve", "role", "owner", "do",
				      "delete", "host", "a.example")),
		    403);
	assert_int_equal(user_named(world, "eve").suspended, 0);
	assert_int_equal(user_named(world, "eve").role, ROLE_MEMBER);
	assert_int_equal(world_article(world, 1, 0).post.removed, 0);
	assert_status(browser_get(&ann, "/u/eve"), 200);
	assert_lacks(&ann, "/u/eve/suspend");
}

/* On posts of their own, and of those with a higher role, moderators void no votes and open no
 * threads; they may close threads of their own. */
static void
posts_of_moderators_are_for_others(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser own = owner(world, "own");
	uint64_t bob = world_member(world, "bob");
	const struct {
		uint64_t article;
		struct browser *browser;
		int voids, closes, opens, moves;
	} cases[] = {
		{ world_post(world, user_named(world, "mod").id, "M",
		      "http://m.example/", ""),
		    &mod, 403, 303, 403, 303 },
		{ world_post(world, user_named(world, "own").id, "O",
		      "http://o.example/", ""),
		    &mod, 403, 403, 403, 403 },
		{ world_post(world, user_named(world, "mod").id, "N",
		      "http://n.example/", ""),
		    &own, 303, 303, 303, 303 },
	};

	world_group(world, "redis");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct browser *browser = cases[i].browser;
		const char *path = fixture_string(
		    &world->arena, "/articles/%d", (int)cases[i].article);
		const char *thread =
		    fixture_string(&world->arena, "%s/thread", path);

		world_vote(world, cases[i].article, bob, VOTE_DOWN);
		assert_status(browser_get(browser, path), 200);
		assert_status(
		    browser_post(browser,
			fixture_string(&world->arena, "%s/void", path),
			FIELDS("member", "bob", "wanted", "void")),
		    cases[i].voids);
		assert_int_equal(
		    world_article(world, cases[i].article, 0).post.down,
		    cases[i].voids == 403);
		assert_status(
		    browser_post(browser, thread, FIELDS("wanted", "closed")),
		    cases[i].closes);
		assert_status(
		    browser_post(browser, thread, FIELDS("wanted", "open")),
		    cases[i].opens);
		assert_status(
		    browser_post(browser,
			fixture_string(&world->arena, "%s/groups", path),
			FIELDS("add", "redis")),
		    cases[i].moves);
	}
}

/* Moderators may act on members, owners also on moderators, nobody on themselves or their
 * peers. */
static void
rights_depend_on_both_roles(void **state)
{
	static const struct {
		const char *moderator, *member;
		bool may;
	} cases[] = { { "mod", "ann", true }, { "mod", "max", false },
		{ "mod", "own", false }, { "mod", "mod", false },
		{ "own", "ann", true }, { "own", "mod", true },
		{ "own", "own", false }, { "own", "other", false } };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser own = owner(world, "own");
	uint64_t article;

	browser_moderator(world, "max");
	owner(world, "other");
	article =
	    world_post(world, world_member(world, "ann"), "A", "http://a/", "");
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct browser *browser =
		    *cases[i].moderator == 'm' ? &mod : &own;
		const char *path = fixture_string(
		    &world->arena, "/u/%s/suspend", cases[i].member);
		uint64_t id = user_named(world, cases[i].member).id;
		bool votes = id != user_named(world, "ann").id;

		if (votes)
			world_vote(world, article, id, VOTE_UP);
		assert_status(browser_get(browser, path), 200);
		assert_status(browser_post(browser,
				  fixture_string(&world->arena, "/u/%s/void",
				      cases[i].member),
				  FIELDS("wanted", "void")),
		    cases[i].may ? 303 : 403);
		assert_status(
		    browser_post(browser,
			fixture_string(
			    &world->arena, "/articles/%d/void", (int)article),
			FIELDS("wanted", "count", "member", cases[i].member)),
		    !cases[i].may ? 403
			: votes	  ? 303
				  : 422);
		if (votes)
			assert_int_equal(
			    world_article(world, article, id).post.vote,
			    VOTE_UP);
		assert_status(browser_post(browser, path, FIELDS("days", "1")),
		    cases[i].may ? 303 : 403);
		assert_int_equal(
		    user_named(world, cases[i].member).suspended != 0,
		    cases[i].may);
		if (cases[i].may)
			assert_status(
			    browser_post(browser, path, FIELDS("days", "")),
			    303);
		assert_int_equal(
		    user_named(world, cases[i].member).suspended, 0);
	}
	assert_status(browser_post(&own, "/u/nobody/suspend", NULL), 404);
}

static void
only_owners_set_roles(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser own = owner(world, "own");

	world_member(world, "ann");
	assert_status(
	    browser_post(&mod, "/u/ann/role", FIELDS("role", "moderator")),
	    403);
	assert_status(
	    browser_post(&mod, "/u/mod/role", FIELDS("role", "owner")), 403);
	assert_status(
	    browser_post(&own, "/u/own/role", FIELDS("role", "member")), 403);
	assert_status(
	    browser_post(&own, "/u/ann/role", FIELDS("role", "king")), 400);
	assert_status(
	    browser_post(&own, "/u/none/role", FIELDS("role", "owner")), 404);
	assert_status(
	    browser_post(&own, "/u/ann/role", FIELDS("role", "moderator")),
	    303);
	assert_int_equal(user_named(world, "ann").role, ROLE_MODERATOR);
	assert_status(browser_get(&own, "/members"), 200);
	assert_holds(
	    &own, "/u/ann\"><bdi>ann</bdi></a> <span class=\"hint\">Moderator");
	/* The log-in is too long ago. */
	world_move_clock(world, 900);
	assert_status(browser_get(&own, "/u/ann/suspend"), 200);
	assert_holds(&own, "name=\"password\"");
	assert_status(
	    browser_post(&own, "/u/ann/role", FIELDS("role", "member")), 403);
	assert_int_equal(user_named(world, "ann").role, ROLE_MODERATOR);
}

/* Logged in with a password, which this page asks for. */
static struct browser
owner_with_password(struct world *world, const char *name)
{
	struct browser browser = browser_open(world);
	struct user user = { .name = text_of(name),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, user.id, ROLE_OWNER),
	    STORE_OK);
	assert_status(browser_get(&browser, "/login"), 200);
	assert_status(browser_post(&browser, "/login",
			  FIELDS("username", name, "password", password)),
	    303);
	return browser;
}

static void
last_owner_hands_the_site_over(void **state)
{
	struct world *world = *state;
	struct browser own = owner(world, "own");

	world_member(world, "ann");
	assert_status(browser_get(&own, "/u/own/suspend"), 200);
	assert_holds(&own, "make another member an owner first");
	for (int i = 0; i < 2; i++) {
		assert_status(
		    browser_post(&own, "/u/own/role",
			FIELDS("role", i == 0 ? "member" : "moderator")),
		    403);
		assert_holds(&own, "You’re the last owner");
	}
	assert_int_equal(user_named(world, "own").role, ROLE_OWNER);
	assert_status(
	    browser_post(&own, "/u/ann/role", FIELDS("role", "owner")), 303);
	assert_status(
	    browser_post(&own, "/u/own/role", FIELDS("role", "member")), 303);
	assert_status(browser_follow(&own), 200);
	assert_int_equal(user_named(world, "own").role, ROLE_MEMBER);
	assert_int_equal(user_named(world, "ann").role, ROLE_OWNER);
	assert_status(browser_get(&own, "/settings/site"), 403);
}

/* Of "http://localhost/link/recover.1.SECRET" on the page, what follows the host. */
static const char *
link_on(const struct browser *browser)
{
	struct text rest = browser->answer.body, line;
	size_t at = text_find(rest, 0, TEXT("/link/recover."));

	assert_true(at != SIZE_MAX);
	rest = text_slice(rest, at, rest.size);
	assert_true(text_cut(&rest, '<', &line));
	return text_string(&browser->world->arena, line);
}

static void
owner_makes_a_recovery_link(void **state)
{
	struct world *world = *state;
	struct browser own = owner_with_password(world, "own");
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);
	const char *link;

	owner(world, "other");
	assert_status(browser_get(&own, "/u/ann/suspend"), 200);
	assert_holds(&own, "Forgotten password");
	/* The password again, however lately it was given. */
	assert_status(browser_post(&own, "/u/ann/recover", NULL), 403);
	assert_status(browser_post(&own, "/u/ann/recover",
			  FIELDS("password", "a wrong one")),
	    403);
	assert_int_equal(world_log(world, "").count, 0);
	assert_status(
	    browser_post(&own, "/u/ann/recover", FIELDS("password", password)),
	    200);
	assert_int_equal(own.answer.cache, CACHE_NEVER);
	link = link_on(&own);
	assert_int_equal(browser_count(&own, link), 1);
	assert_text(world_log(world, "").actions[0].what, "recovery-link");
	assert_true(text_find(world_snapshot(world), 0,
			text_slice(text_of(link), 16, 64)) == SIZE_MAX);
	/* The member is told. */
	assert_status(browser_get(&ann, "/settings"), 200);
	assert_holds(&ann, "last made a link to recover your account");
	assert_status(browser_get(&reader, link), 200);
	assert_holds(&reader, "For the account of <bdi>ann</bdi>.");
	/* Never of owners, and by owners alone. */
	assert_status(browser_get(&own, "/u/other/suspend"), 200);
	assert_lacks(&own, "Forgotten password");
	assert_status(browser_post(&own, "/u/other/recover",
			  FIELDS("password", password)),
	    403);
	assert_status(
	    browser_post(&own, "/u/own/recover", FIELDS("password", password)),
	    403);
	assert_status(browser_get(&mod, "/u/ann/suspend"), 200);
	assert_lacks(&mod, "Forgotten password");
	assert_status(
	    browser_post(&mod, "/u/ann/recover", FIELDS("password", password)),
	    403);
	assert_int_equal(world_log(world, "").count, 1);
}

static struct browser
registered(struct world *world, const char *name)
{
	struct browser browser = browser_open(world);
	struct user user = { .name = text_of(name),
		.password_hash =
		    crypto_password_hash(&world->arena, text_of(password)) };

	assert_int_equal(
	    user_create(&world->store, &world->arena, &user), STORE_OK);
	return browser;
}

static enum http_status
log_in(struct browser *browser, const char *name)
{
	browser_get(browser, "/login");
	return browser_post(
	    browser, "/login", FIELDS("username", name, "password", password));
}

/* A suspension ends the sessions, is shown with its reason after logging in with the
 * right password, and expires. */
static void
suspended_member_cannot_log_in_until_it_ends(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod"), bob;

	world_stop_clock(world, NOON);
	bob = registered(world, "bob");
	assert_status(log_in(&bob, "bob"), 303);
	assert_status(browser_get(&mod, "/u/bob/suspend"), 200);
	assert_status(browser_post(&mod, "/u/bob/suspend",
			  FIELDS("days", "2", "reason", "<b>Too</b> loud")),
	    303);
	assert_text(mod.answer.location, "/u/bob");
	assert_status(browser_get(&bob, "/settings"), 303);
	assert_true(text_starts(bob.answer.location, TEXT("/login")));
	assert_status(log_in(&bob, "bob"), 403);
	assert_holds(&bob, "You’re suspended");
	assert_holds(&bob, "&lt;b&gt;Too&lt;/b&gt; loud");
	/* Only with the right password. */
	browser_get(&bob, "/login");
	assert_status(
	    browser_post(&bob, "/login",
		FIELDS("username", "bob", "password", "something else")),
	    422);
	assert_lacks(&bob, "loud");
	assert_status(browser_get(&mod, "/u/bob/suspend"), 200);
	assert_holds(&mod, "Suspended until");
	world_stop_clock(world, NOON + 2 * DAY);
	assert_status(log_in(&bob, "bob"), 303);
	assert_status(browser_get(&bob, "/settings"), 200);
	assert_status(browser_get(&mod, "/log?member=bob"), 200);
	assert_holds(&mod, "<b>suspended</b>");
}

static void
invalid_days_and_reasons_are_refused(void **state)
{
	static const char *const days[] = { "-1", "3651", "1e3", "x",
		"99999999999999999999", "1 2" };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	char reason[300];

	world_member(world, "bob");
	memset(reason, 'r', sizeof(reason) - 1);
	reason[sizeof(reason) - 1] = '\0';
	assert_status(browser_get(&mod, "/u/bob/suspend"), 200);
	for (size_t i = 0; i < COUNT(days); i++) {
		assert_status(browser_post(&mod, "/u/bob/suspend",
				  FIELDS("days", days[i], "reason", "kept")),
		    422);
		assert_holds(&mod, "value=\"kept\"");
	}
	assert_status(browser_post(&mod, "/u/bob/suspend",
			  FIELDS("days", "1", "reason", reason)),
	    422);
	assert_status(
	    browser_post(&mod, "/u/bob/vouch", FIELDS("reason", reason)), 422);
	assert_status(browser_post(&mod, "/u/bob/void",
			  FIELDS("wanted", "void", "reason", "a\x1b[31mb")),
	    422);
	assert_status(browser_post(&mod, "/u/bob/suspend",
			  FIELDS("days", "1", "reason",
			      "a\xe2\x80\xae"
			      "b")),
	    422);
	assert_int_equal(user_named(world, "bob").suspended, 0);
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "No entries yet");
}

/* The time from which a new member can vote. */
static void
set_voting(struct world *world, const char *voting)
{
	struct settings settings = settings_default();

	settings.voting = text_of(voting);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

static void
new_members_wait_before_voting(void **state)
{
	struct world *world = *state;
	struct browser old, new, mod;
	uint64_t article;

	world_stop_clock(world, NOON);
	old = browser_member(world, "old");
	mod = browser_moderator(world, "mod");
	article = world_post(
	    world, world_member(world, "ann"), "A", "http://a.example/", "");
	world_stop_clock(world, NOON + 10);
	set_voting(world, RULE_VOTING_HOUR);
	new = browser_member(world, "new");
	/* Existing members and moderators do not wait. */
	assert_status(browser_get(&old, "/"), 200);
	assert_status(
	    browser_post(&old, "/articles/1/vote", FIELDS("vote", "up")), 303);
	assert_status(browser_get(&mod, "/"), 200);
	assert_status(
	    browser_post(&mod, "/articles/1/vote", FIELDS("vote", "up")), 303);
	assert_status(browser_get(&new, "/"), 200);
	assert_lacks(&new, "name=\"up\"");
	assert_status(
	    browser_post(&new, "/articles/1/vote", FIELDS("vote", "up")), 403);
	assert_holds(&new, "You can’t vote yet");
	/* They cannot flag either, so the page does not offer that instead. */
	assert_lacks(&new, "flag");
	assert_status(browser_post(&new, "/vote", FIELDS("up", "1")), 403);
	assert_status(browser_get(&new, "/vote?up=1"), 403);
	assert_int_equal(world_article(world, article, 0).post.up, 3);
	world_stop_clock(world, NOON + 10 + 3599);
	assert_status(
	    browser_post(&new, "/articles/1/vote", FIELDS("vote", "up")), 403);
	world_stop_clock(world, NOON + 10 + 3600);
	assert_status(browser_get(&new, "/"), 200);
	assert_status(
	    browser_post(&new, "/articles/1/vote", FIELDS("vote", "up")), 303);
	/* Members who register later wait until a moderator vouches for them. */
	set_voting(world, RULE_VOTING_VOUCHED);
	new = browser_member(world, "newer");
	world_move_clock(world, 3 * DAY);
	assert_status(browser_get(&new, "/"), 200);
	assert_status(
	    browser_post(&new, "/articles/1/vote", FIELDS("vote", "up")), 403);
	assert_status(browser_get(&mod, "/u/newer/suspend"), 200);
	assert_status(browser_post(&mod, "/u/newer/vouch", NULL), 303);
	assert_status(
	    browser_post(&new, "/articles/1/vote", FIELDS("vote", "up")), 303);
}

static void
moderators_find_members_by_name(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");

	world_member(world, "Eve-2");
	assert_status(browser_get(&mod, "/moderation"), 200);
	assert_holds(&mod, "name=\"member\"");
	assert_status(browser_get(&mod, "/members"), 200);
	assert_holds(&mod, "name=\"member\"");
	assert_status(browser_get(&mod, "/members?member=eve-2"), 303);
	assert_text(mod.answer.location, "/u/Eve-2");
	assert_status(browser_get(&mod, "/members?member=+EVE-2+"), 303);
	assert_text(mod.answer.location, "/u/Eve-2");
	/* What was typed is kept. */
	assert_status(browser_get(&mod, "/members?member=ev%26"), 404);
	assert_holds(&mod, "There’s no member called “<bdi>ev&amp;</bdi>”");
	assert_holds(&mod, "value=\"ev&amp;\"");
	assert_status(browser_get(&mod, "/members?member=eve"), 404);
	assert_holds(&mod, "value=\"eve\"");
	/* Others have the list. */
	assert_status(browser_get(&ann, "/members"), 200);
	assert_lacks(&ann, "name=\"member\"");
	assert_status(browser_get(&ann, "/members?member=eve"), 303);
	assert_text(ann.answer.location, "/members");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(moderators_find_members_by_name),
		world_test(pages_are_for_moderators_only),
		world_test(posts_of_moderators_are_for_others),
		world_test(rights_depend_on_both_roles),
		world_test(only_owners_set_roles),
		world_test(last_owner_hands_the_site_over),
		world_test(owner_makes_a_recovery_link),
		world_test(suspended_member_cannot_log_in_until_it_ends),
		world_test(invalid_days_and_reasons_are_refused),
		world_test(new_members_wait_before_voting),
	};

	crypto_start();
	return world_run("members", tests);
}

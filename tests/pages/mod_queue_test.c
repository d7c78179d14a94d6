/* The queue, actions of moderators on articles, and flags. */
#include <string.h>

#include "../support/browser.h"
#include "../support/invariants.h"
#include "lists/mod_queue.h"
#include "store/user.h"

enum { DAY = 86400 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* An article by member 1, ann; with members 2, bob, and 3, mod, a day later. */
struct scene {
	struct world *world;
	struct browser ann, bob, mod;
	uint64_t article;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.bob = browser_member(world, "bob");
	scene.mod = browser_moderator(world, "mod");
	world_stop_clock(world, NOON + DAY);
	scene.article =
	    world_post(world, 1, "A title", "http://a.example/", "");
	return scene;
}

static const char *
path(const struct scene *scene, const char *what)
{
	return fixture_string(&scene->world->arena, "/articles/%d%s%s",
	    (int)scene->article, *what != '\0' ? "/" : "", what);
}

static enum http_status
flag(const struct scene *scene, struct browser *browser, const char *reason)
{
	return browser_post(
	    browser, path(scene, "flag"), FIELDS("reason", reason));
}

static size_t
queued(const struct scene *scene)
{
	struct mod_queue_page queue;

	assert_int_equal(mod_queue_read(&scene->world->store,
			     &scene->world->arena, 1, NULL, &queue),
	    STORE_OK);
	return queue.count;
}

static void
members_flag_articles(void **state)
{
	static const char *const none[] = { "", "first", "boring", "SPAM" };
	struct scene scene = begin(*state);
	struct browser young;

	world_stop_clock(scene.world, NOON + DAY + 1);
	young = browser_member(scene.world, "young");
	assert_status(browser_get(&scene.bob, path(&scene, "")), 200);
	assert_holds(&scene.bob, "value=\"off-topic\"");
	for (size_t i = 0; i < COUNT(none); i++)
		assert_status(flag(&scene, &scene.bob, none[i]), 400);
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(browser_get(&scene.bob, path(&scene, "")), 200);
	assert_holds(&scene.bob, "You flagged this: <b>Spam</b>");
	assert_lacks(&scene.bob, "value=\"off-topic\"");
	assert_int_equal(queued(&scene), 1);
	/* Nobody else sees it, not even its author. */
	assert_status(browser_get(&scene.ann, path(&scene, "")), 200);
	assert_lacks(&scene.ann, "spam");
	assert_status(flag(&scene, &scene.ann, "spam"), 403);
	assert_holds(&scene.ann, "You can’t flag your own article");
	assert_status(flag(&scene, &young, "spam"), 403);
	assert_holds(&young, "You can’t flag yet");
	world_stop_clock(scene.world, NOON + 2 * DAY + 1);
	assert_status(flag(&scene, &young, "unkind"), 303);
	assert_status(flag(&scene, &young, "none"), 303);
	assert_status(flag(&scene, &scene.bob, "none"), 303);
	assert_int_equal(queued(&scene), 0);
	assert_status(browser_post(&scene.bob, "/articles/999/flag",
			  FIELDS("reason", "spam")),
	    404);
}

static void
flags_are_limited(void **state)
{
	struct scene scene = begin(*state);

	scene.world->store.rules.limits[LIMIT_FLAG] = 2;
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(flag(&scene, &scene.bob, "none"), 303);
	assert_status(flag(&scene, &scene.bob, "spam"), 429);
	assert_int_equal(queued(&scene), 0);
}

static void
queue_is_emptied(void **state)
{
	struct scene scene = begin(*state);
	struct browser *mod = &scene.mod;

	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(browser_get(mod, "/moderation"), 200);
	assert_holds(mod, "A title");
	assert_holds(mod, "/u/bob");
	assert_status(browser_post(mod, path(&scene, "dismiss"),
			  FIELDS("reason", "It is fine", "return_to",
			      "/moderation?page=1")),
	    303);
	assert_text(mod->answer.location, "/moderation?page=1");
	assert_status(browser_get(mod, "/moderation"), 200);
	assert_lacks(mod, "A title");
	/* An empty page redirects to the first. */
	assert_status(browser_get(mod, "/moderation?page=7"), 303);
	assert_text(mod->answer.location, "/moderation");
	assert_status(browser_get(&scene.ann, path(&scene, "")), 200);
	assert_holds(&scene.ann,
	    "A moderator reviewed this article: <bdi>It is fine</bdi>");
	assert_status(browser_get(&scene.bob, path(&scene, "")), 200);
	assert_lacks(&scene.bob, "It is fine");
}

/* Only to addresses of this site. */
static void
actions_never_return_to_another_site(void **state)
{
	static const char *const elsewhere[] = { "http://evil.example/",
		"//evil.example/", "/\\evil.example", "evil", "" };
	struct scene scene = begin(*state);

	for (size_t i = 0; i < COUNT(elsewhere); i++) {
		assert_status(browser_post(&scene.mod, path(&scene, "remove"),
				  FIELDS("return_to", elsewhere[i])),
		    303);
		assert_text(scene.mod.answer.location, path(&scene, ""));
		assert_status(browser_post(&scene.mod, path(&scene, "restore"),
				  FIELDS("return_to", elsewhere[i])),
		    303);
		assert_text(scene.mod.answer.location, path(&scene, ""));
	}
}

static void
reasons_are_validated(void **state)
{
	static const char *const bad[] = { "a\x01"
					   "b",
		"a\xe2\x80\xae"
		"b" };
	static const char *const actions[] = { "remove", "restore", "dismiss",
		"void" };
	struct scene scene = begin(*state);
	char large[202];

	memset(large, 'x', sizeof(large) - 1);
	large[sizeof(large) - 1] = '\0';
	for (size_t i = 0; i < COUNT(actions); i++) {
		for (size_t j = 0; j < COUNT(bad); j++)
			assert_status(
			    browser_post(&scene.mod, path(&scene, actions[i]),
				FIELDS("reason", bad[j], "wanted", "void",
				    "member", "bob")),
			    422);
		assert_status(browser_post(&scene.mod, path(&scene, actions[i]),
				  FIELDS("reason", large, "wanted", "void",
				      "member", "bob")),
		    422);
	}
	assert_int_equal(
	    world_article(scene.world, scene.article, 0).post.removed, 0);
	large[200] = '\0';
	assert_status(browser_post(&scene.mod, path(&scene, "remove"),
			  FIELDS("reason", large)),
	    303);
}

static void
votes_of_a_named_member_are_voided(void **state)
{
	struct scene scene = begin(*state);
	struct browser *mod = &scene.mod;

	world_vote(scene.world, scene.article, 2, VOTE_UP);
	assert_status(browser_post(mod, path(&scene, "void"),
			  FIELDS("wanted", "void", "member", "nobody")),
	    422);
	assert_status(browser_post(mod, path(&scene, "void"),
			  FIELDS("wanted", "void", "member", "ann")),
	    422);
	assert_status(browser_post(mod, path(&scene, "void"),
			  FIELDS("wanted", "forget", "member", "bob")),
	    400);
	assert_status(browser_post(mod, path(&scene, "void"),
			  FIELDS("wanted", "void", "member", " BOB ", "reason",
			      "A ring")),
	    303);
	assert_int_equal(
	    world_article(scene.world, scene.article, 0).post.up, 1);
	assert_status(browser_get(&scene.bob, path(&scene, "")), 200);
	assert_status(browser_post(&scene.bob, path(&scene, "vote"),
			  FIELDS("vote", "up")),
	    403);
	assert_holds(&scene.bob, "Your vote was voided");
	assert_status(
	    browser_post(mod, "/u/bob/void", FIELDS("wanted", "count")), 303);
	world_contain(scene.world);
	assert_int_equal(
	    world_article(scene.world, scene.article, 0).post.up, 2);
	assert_status(browser_post(mod, "/u/bob/void", NULL), 400);
	invariants_check(scene.world);
}

static enum http_status
submit(struct browser *browser, const char *url)
{
	browser_get(browser, "/submit");
	return browser_post(
	    browser, "/submit", FIELDS("title", "First", "url", url));
}

/* Articles of members who registered less than thirty days ago, and for whom nobody has
 * vouched. */
/* The link of a removed article can be posted again, even after a mistake in the form,
 * which does not mention the removed article. */
static void
removed_links_can_be_posted_again(void **state)
{
	struct scene scene = begin(*state);
	const char *link = text_string(&scene.world->arena,
	    world_article(scene.world, scene.article, 0).url);
	uint64_t again;

	assert_status(browser_post(&scene.mod, path(&scene, "remove"),
			  FIELDS("reason", "junk")),
	    303);
	assert_status(browser_get(&scene.bob, "/submit"), 200);
	assert_status(browser_post(&scene.bob, "/submit",
			  FIELDS("title", "", "url", link)),
	    422);
	assert_lacks(&scene.bob, "A title");
	assert_lacks(&scene.bob, path(&scene, ""));
	assert_status(submit(&scene.bob, link), 303);
	again = browser_article(&scene.bob);
	assert_int_not_equal(again, scene.article);
	assert_int_equal(world_article(scene.world, again, 0).post.removed, 0);
	/* Now the link belongs to the new article, and the first author is led
	 * there. */
	assert_status(submit(&scene.ann, link), 303);
	assert_int_equal(browser_article(&scene.ann), again);
	invariants_check(scene.world);
}

/* Nor on posts and actions of members with a higher role. */
static void
moderators_cannot_act_on_themselves_or_owners(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *mod = &scene.mod;
	struct browser owner = browser_moderator(world, "owner");
	uint64_t own;

	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 4, ROLE_OWNER),
	    STORE_OK);
	assert_status(browser_get(&owner, "/about"), 200);
	/* An article by an owner. */
	own = world_post(world, 4, "Owner's", "http://a.example/o", "");
	assert_status(
	    browser_post(mod,
		fixture_string(&world->arena, "/articles/%d/remove", (int)own),
		FIELDS("reason", "no")),
	    403);
	assert_holds(mod, "Another moderator has to decide this");
	/* An article removed by an owner. */
	assert_status(
	    browser_post(&owner, path(&scene, "remove"), FIELDS("reason", "")),
	    303);
	assert_status(
	    browser_post(mod, path(&scene, "restore"), FIELDS("reason", "")),
	    403);
	assert_status(
	    browser_post(&owner, path(&scene, "restore"), FIELDS("reason", "")),
	    303);
	/* Flags on their own article. */
	own = world_post(world, 3, "Mod's", "http://a.example/m", "");
	assert_int_equal(flag_set(&world->store, &world->arena, article_id(own),
			     2, FLAG_SPAM),
	    STORE_OK);
	assert_status(
	    browser_post(mod,
		fixture_string(&world->arena, "/articles/%d/dismiss", (int)own),
		FIELDS("reason", "fine")),
	    403);
	assert_int_equal(queued(&scene), 1);
	/* Unless there is no other moderator. */
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 4, ROLE_MEMBER),
	    STORE_OK);
	assert_status(
	    browser_post(mod,
		fixture_string(&world->arena, "/articles/%d/dismiss", (int)own),
		FIELDS("reason", "fine")),
	    303);
	assert_int_equal(queued(&scene), 0);
	assert_status(browser_get(mod, "/log"), 200);
	assert_holds(mod, "because nobody else could");
}

/* The cached text was different. */
static void
edited_article_can_be_flagged_again(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(browser_post(&scene.mod, path(&scene, "dismiss"),
			  FIELDS("reason", "fine")),
	    303);
	assert_status(flag(&scene, &scene.bob, "unkind"), 303);
	assert_int_equal(queued(&scene), 0);
	assert_int_equal(
	    article_edit(&world->store, &world->arena,
		&(struct article){ .post.id = article_id(scene.article),
		    .title = TEXT("Another title"),
		    .text = TEXT("Other") }),
	    STORE_OK);
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_int_equal(queued(&scene), 1);
}

/* Dismissed flags expire after a month; open ones stay. */
static void
dismissed_flags_expire(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text key = key_flags(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(browser_post(&scene.mod, path(&scene, "dismiss"),
			  FIELDS("reason", "fine")),
	    303);
	world_stop_clock(world, NOON + 21 * DAY);
	assert_int_equal(world_command(world, TEXT("EXISTS"), key).number, 1);
	assert_int_equal(flag_set(&world->store, &world->arena,
			     article_id(scene.article), 77, FLAG_SPAM),
	    STORE_OK);
	world_stop_clock(world, NOON + 41 * DAY);
	assert_int_equal(queued(&scene), 1);
	assert_int_equal(world_command(world, TEXT("HLEN"), key).number, 2);
	assert_int_equal(flag_dismiss(&world->store, &world->arena,
			     article_id(scene.article),
			     &(struct mod_action){
				 .what = mod_action_words[MOD_DISMISSED] }),
	    STORE_OK);
	world_stop_clock(world, NOON + 72 * DAY);
	assert_int_equal(world_command(world, TEXT("EXISTS"), key).number, 0);
}

static void
flags_of_removed_posts_expire(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text key = key_flags(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	world_remove(world, scene.article);
	world_stop_clock(world, NOON + 20 * DAY);
	assert_int_equal(world_command(world, TEXT("EXISTS"), key).number, 1);
	world_stop_clock(world, NOON + 40 * DAY);
	assert_int_equal(world_command(world, TEXT("EXISTS"), key).number, 0);
}

static void
other_moderators_see_who_looks_at_a_post(void **state)
{
	struct scene scene = begin(*state);
	struct browser other = browser_moderator(scene.world, "other");
	struct browser *const browsers[] = { &scene.mod, &other };

	/* Nobody is named for what does not wait. */
	assert_status(browser_get(&scene.mod, path(&scene, "")), 200);
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	assert_status(browser_get(&other, "/moderation"), 200);
	assert_lacks(&other, "is looking at this");
	for (size_t i = 0; i < COUNT(browsers); i++) {
		assert_status(browser_get(browsers[i], path(&scene, "")), 200);
		assert_status(browser_get(&scene.mod, "/moderation"), 200);
		assert_lacks(&scene.mod, "is looking at this");
		assert_status(browser_get(&other, "/moderation"), 200);
		assert_holds(&other, "<bdi>mod</bdi> is looking at this");
	}
	assert_holds(&other, path(&scene, ""));
	assert_status(browser_get(&other, path(&scene, "")), 200);
	assert_holds(&other, "<bdi>mod</bdi> is looking at this");
	assert_status(browser_get(&scene.bob, path(&scene, "")), 200);
	assert_lacks(&scene.bob, "is looking at this");
	assert_in_range(
	    world_command(scene.world, TEXT("TTL"), TEXT("looking:1")).number,
	    1, 300);
	invariants_check(scene.world);
}

static void
bar_has_the_length_of_the_queue(void **state)
{
	struct scene scene = begin(*state);
	struct queue_length cached = { .at = 0 };

	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_lacks(&scene.mod, "to review");
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(&scene.mod, "/"), 200);
		assert_holds(&scene.mod, "Moderation <b>1<span");
		assert_status(browser_get(&scene.bob, "/"), 200);
		assert_lacks(&scene.bob, "to review");
		scene.mod.app.queue = &cached;
	}
	/* It is not read again in the same second, unless the moderator acts. */
	assert_status(browser_post(&scene.bob, path(&scene, "flag"),
			  FIELDS("reason", "none")),
	    303);
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_holds(&scene.mod, "to review");
	world_stop_clock(scene.world, NOON + DAY + 1);
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_lacks(&scene.mod, "to review");
	assert_status(flag(&scene, &scene.bob, "spam"), 303);
	world_stop_clock(scene.world, NOON + DAY + 2);
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_holds(&scene.mod, "to review");
	assert_status(
	    browser_post(&scene.mod, path(&scene, "dismiss"), NULL), 303);
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_lacks(&scene.mod, "to review");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(members_flag_articles),
		world_test(flags_are_limited),
		world_test(queue_is_emptied),
		world_test(actions_never_return_to_another_site),
		world_test(reasons_are_validated),
		world_test(votes_of_a_named_member_are_voided),
		world_test(removed_links_can_be_posted_again),
		world_test(moderators_cannot_act_on_themselves_or_owners),
		world_test(edited_article_can_be_flagged_again),
		world_test(dismissed_flags_expire),
		world_test(flags_of_removed_posts_expire),
		world_test(other_moderators_see_who_looks_at_a_post),
		world_test(bar_has_the_length_of_the_queue),
	};

	return world_run("moderation pages", tests);
}

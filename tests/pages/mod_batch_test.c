/* Decisions of moderators on several posts at once. */
#include <string.h>

#include "../support/browser.h"
#include "../support/invariants.h"
#include "lists/mod_queue.h"
#include "store/relay.h"

enum { HOUR = 3600, DAY = 86400, ARTICLES = 4 };

/* Articles 1 to 4 by ann, and her comment on the first; bob has flagged all of it. */
struct scene {
	struct world *world;
	struct browser ann, bob, mod, other;
};

static void
flag(struct scene *scene, const char *post)
{
	assert_status(
	    browser_post(&scene->bob,
		fixture_string(&scene->world->arena, "/articles/%s/flag", post),
		FIELDS("reason", "spam")),
	    303);
}

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.bob = browser_member(world, "bob");
	scene.mod = browser_moderator(world, "mod");
	scene.other = browser_moderator(world, "other");
	world_stop_clock(world, NOON + 2 * DAY);
	for (int i = 1; i <= ARTICLES; i++) {
		assert_int_equal(
		    world_post(world, 1,
			fixture_string(&world->arena, "Title %d", i),
			fixture_string(&world->arena, "http://a.example/%d", i),
			""),
		    i);
		flag(&scene, fixture_string(&world->arena, "%d", i));
	}
	assert_status(browser_post(&scene.ann, "/articles/1/comments",
			  FIELDS("text", "Cheap watches")),
	    303);
	flag(&scene, "1/comments/1");
	return scene;
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

static bool
is_removed(const struct scene *scene, uint64_t article)
{
	return world_article(scene->world, article, 0).post.removed != 0;
}

static size_t
logged(struct browser *browser, const char *kind)
{
	assert_status(
	    browser_get(browser,
		fixture_string(&browser->world->arena, "/log?kind=%s", kind)),
	    200);
	return browser_count(browser, "<time");
}

static const char *
shown(struct scene *scene, const char *target)
{
	assert_status(browser_get(&scene->mod, target), 200);
	return fixture_string(&scene->world->arena, "%.*s",
	    TEXT_ARGS(browser_field(&scene->mod, "shown")));
}

static void
selected_posts_are_removed_and_kept(void **state)
{
	struct scene scene = begin(*state);
	const char *at = shown(&scene, "/moderation");

	assert_holds(&scene.mod, "name=\"post-1\"");
	assert_holds(&scene.mod, "name=\"post-1.1\"");
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts",
		FIELDS("shown", at, "do", "remove", "post-1.1", "on", "post-2",
		    "on", "post-3", "on", "because", "Spam", "reason",
		    "watches", "return_to", "/moderation?page=2")),
	    303);
	assert_text(scene.mod.answer.location, "/moderation?page=2");
	assert_false(is_removed(&scene, 1));
	assert_true(is_removed(&scene, 2));
	assert_true(is_removed(&scene, 3));
	assert_int_equal(queued(&scene), 2);
	assert_status(browser_get(&scene.ann, "/articles/2"), 410);
	assert_holds(&scene.ann, "Spam: watches");
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "keep", "post-1", "on",
			      "post-4", "on")),
	    303);
	assert_int_equal(queued(&scene), 0);
	assert_int_equal(logged(&scene.mod, "removed"), 1);
	assert_holds(&scene.mod, "removed 2 articles and 1 comment");
	assert_int_equal(logged(&scene.mod, "dismissed"), 1);
	assert_holds(&scene.mod, "reviewed and kept 2 articles");
	invariants_check(scene.world);
}

/* Where the details of the newest entry are. */
static const char *
details(struct browser *browser)
{
	const char *page, *start;

	assert_status(browser_get(browser, "/log"), 200);
	page = fixture_string(
	    &browser->world->arena, "%.*s", TEXT_ARGS(browser->answer.body));
	start = strstr(page, "href=\"/log/");
	assert_non_null(start);
	return fixture_string(&browser->world->arena, "%.*s",
	    (int)strcspn(start + 6, "\""), start + 6);
}

/* Which posts it was about is for moderators alone; their authors are told. */
static void
a_decision_is_one_entry_with_details_for_moderators(void **state)
{
	struct scene scene = begin(*state);
	struct relay *relay = relay_new(&scene.world->store, TEXT("test"));
	const char *at = shown(&scene, "/moderation"), *page;

	assert_status(
	    browser_post(&scene.mod, "/moderation/posts",
		FIELDS("shown", at, "do", "remove", "post-1.1", "on", "post-2",
		    "on", "post-3", "on", "reason", "watches")),
	    303);
	page = details(&scene.mod);
	assert_status(browser_get(&scene.mod, page), 200);
	assert_holds(&scene.mod, "removed 2 articles and 1 comment");
	assert_holds(&scene.mod, "<q><bdi>Title 2</bdi></q>");
	assert_holds(&scene.mod, "<q><bdi>Title 3</bdi></q>");
	assert_holds(&scene.mod, "comment 1 on");
	assert_status(browser_get(&scene.bob, page), 403);
	assert_status(browser_get(&scene.bob, "/log"), 200);
	assert_int_equal(browser_count(&scene.bob, "<time"), 1);
	assert_lacks(&scene.bob, "href=\"/log/");
	assert_lacks(&scene.bob, "Title 2");
	assert_status(browser_get(&scene.bob, "/log?member=ann"), 200);
	assert_lacks(&scene.bob, "Title 2");
	assert_status(browser_get(&scene.mod, "/log?member=ann"), 200);
	assert_holds(&scene.mod, "Title 2");
	assert_status(browser_get(&scene.bob, "/log.atom"), 200);
	assert_holds(&scene.bob, "removed 2 articles and 1 comment");
	assert_lacks(&scene.bob, "Title 2");
	while (relay_step(relay) == 0)
		continue;
	relay_free(relay);
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Your comment was removed");
	assert_int_equal(
	    browser_count(&scene.ann, "Your article was removed"), 2);
	assert_status(browser_get(&scene.mod, "/articles/2"), 410);
	assert_holds(&scene.mod, "watches");
	assert_holds(&scene.mod, "/articles/2/restore");
	assert_status(browser_get(&scene.mod, "/log/1000"), 404);
	invariants_check(scene.world);
}

static void
one_button_decides_on_one_post(void **state)
{
	struct scene scene = begin(*state);
	const char *at = shown(&scene, "/moderation");

	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "remove", "2", "post-3", "on")),
	    303);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "keep", "1.1")),
	    303);
	assert_true(is_removed(&scene, 2));
	assert_false(is_removed(&scene, 3));
	assert_int_equal(queued(&scene), 3);
}

static void
what_others_changed_since_is_named_and_stays(void **state)
{
	struct scene scene = begin(*state);
	const char *at = shown(&scene, "/moderation");

	world_stop_clock(scene.world, NOON + 2 * DAY + HOUR);
	assert_status(
	    browser_post(&scene.other, "/articles/1/dismiss", NULL), 303);
	assert_status(
	    browser_post(&scene.other, "/articles/2/remove", NULL), 303);
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/edit",
			  FIELDS("text", "Dear watches")),
	    303);
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts",
		FIELDS("shown", at, "do", "remove", "post-1", "on", "post-2",
		    "on", "post-1.1", "on", "post-4", "on", "post-99", "on",
		    "reason", "A wave", "return_to", "/new")),
	    409);
	assert_holds(&scene.mod, "Removed: 1 post.");
	assert_holds(&scene.mod, "decided to keep this");
	assert_holds(&scene.mod, "has removed this already");
	assert_holds(&scene.mod, "edited this after you saw it");
	assert_holds(&scene.mod, "can’t be found");
	assert_holds(&scene.mod, "value=\"A wave\"");
	assert_holds(&scene.mod, "name=\"post-1\"");
	assert_lacks(&scene.mod, "name=\"post-2\"");
	assert_holds(&scene.mod, "name=\"post-1.1\"");
	assert_lacks(&scene.mod, "name=\"post-4\"");
	assert_false(is_removed(&scene, 1));
	assert_true(is_removed(&scene, 4));
	assert_int_equal(logged(&scene.mod, "removed"), 2);
	assert_holds(&scene.mod, "removed 1 article");
	/* Who has seen that may decide again. */
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts",
		FIELDS("shown",
		    fixture_string(
			&scene.world->arena, "%d", NOON + 2 * DAY + HOUR),
		    "do", "remove", "post-1", "on", "post-1.1", "on")),
	    303);
	assert_true(is_removed(&scene, 1));
	assert_int_equal(logged(&scene.mod, "removed"), 3);
	invariants_check(scene.world);
}

static void
posts_of_moderators_are_left_to_others(void **state)
{
	struct scene scene = begin(*state);
	const char *at = shown(&scene, "/new");
	const char *own;

	own = fixture_string(&scene.world->arena, "post-%d",
	    (int)world_post(scene.world, 3, "Own", "http://a.example/own", ""));
	assert_status(browser_get(&scene.mod, "/new"), 200);
	assert_holds(&scene.mod, "name=\"post-4\"");
	assert_lacks(&scene.mod, own);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "remove", own, "on")),
	    409);
	assert_holds(&scene.mod, "Another moderator has to decide this");
}

static void
moderators_select_in_lists_and_vote_there(void **state)
{
	static const char *const lists[] = { "/new", "/u/ann",
		"/from/a.example" };
	struct scene scene = begin(*state);

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		assert_status(browser_get(&scene.mod, lists[i]), 200);
		assert_holds(&scene.mod, "action=\"/moderation/posts\"");
		assert_holds(&scene.mod, "name=\"post-4\"");
		assert_status(browser_get(&scene.bob, lists[i]), 200);
		assert_lacks(&scene.bob, "/moderation/posts");
		assert_lacks(&scene.bob, "name=\"post-4\"");
	}
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_lacks(&scene.mod, "name=\"post-4\"");
	assert_status(browser_get(&scene.mod, "/new"), 200);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("up", "4", "return_to", "/new")),
	    303);
	assert_text(scene.mod.answer.location, "/new#article-4");
	assert_int_equal(world_article(scene.world, 4, 0).post.up, 2);
	scene.world->store.rules.limits[LIMIT_VOTE] = 1;
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts", FIELDS("none", "4")),
	    303);
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts", FIELDS("up", "4")),
	    429);
}

static void
bad_decisions_change_nothing(void **state)
{
	struct scene scene = begin(*state);
	const char *at = shown(&scene, "/moderation");
	char large[202];

	memset(large, 'x', sizeof(large) - 1);
	large[sizeof(large) - 1] = '\0';
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "keep")),
	    422);
	assert_holds(&scene.mod, "Nothing is selected");
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "burn", "post-1", "on")),
	    400);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "keep", "post-x", "on")),
	    400);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("do", "keep", "post-1", "on")),
	    400);
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "remove", "post-1", "on",
			      "reason", large)),
	    422);
	assert_holds(&scene.mod, "name=\"post-1\"");
	assert_status(browser_post(&scene.bob, "/moderation/posts",
			  FIELDS("shown", at, "do", "remove", "post-1", "on")),
	    403);
	assert_false(is_removed(&scene, 1));
	assert_int_equal(queued(&scene), 5);
}

/* What was carried out before a fault stays and is logged; the form has the rest, to be sent
 * again. */
static void
rest_is_decided_after_a_fault(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	const char *at = shown(&scene, "/moderation");
	const struct buckets *buckets = &world->store.buckets;
	struct text post = key_post(&world->arena, buckets, article_id(2));
	struct text list = key_time(
	    &world->arena, buckets, key_bucket_of(buckets, 2), TEXT("damaged"));

	/* In a group whose list is no list. */
	world_command(
	    world, TEXT("HSET"), post, TEXT("groups"), TEXT("damaged"));
	world_command(world, TEXT("SET"), list, TEXT("x"));
	assert_status(
	    browser_post(&scene.mod, "/moderation/posts",
		FIELDS("shown", at, "do", "remove", "post-1", "on", "post-2",
		    "on", "post-3", "on", "because", "Spam")),
	    503);
	assert_true(is_removed(&scene, 1));
	assert_false(is_removed(&scene, 3));
	assert_lacks(&scene.mod, "name=\"post-1\"");
	assert_holds(&scene.mod, "name=\"post-2\"");
	assert_holds(&scene.mod, "name=\"post-3\"");
	assert_int_equal(logged(&scene.mod, "removed"), 1);
	/* The damaged one is for the check. */
	assert_status(browser_post(&scene.mod, "/moderation/posts",
			  FIELDS("shown", at, "do", "remove", "post-3", "on",
			      "because", "Spam")),
	    303);
	assert_true(is_removed(&scene, 3));
	assert_int_equal(logged(&scene.mod, "removed"), 2);
	assert_int_equal(browser_count(&scene.mod, "removed 1 article"), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(rest_is_decided_after_a_fault),
		world_test(selected_posts_are_removed_and_kept),
		world_test(a_decision_is_one_entry_with_details_for_moderators),
		world_test(one_button_decides_on_one_post),
		world_test(what_others_changed_since_is_named_and_stays),
		world_test(posts_of_moderators_are_left_to_others),
		world_test(moderators_select_in_lists_and_vote_there),
		world_test(bad_decisions_change_nothing),
	};

	return world_run("decisions on several posts", tests);
}

/* The inbox: new, unread and muted notices. */
#include <inttypes.h>
#include <stdlib.h>

#include "../support/browser.h"
#include "base/cache.h"
#include "store/inbox.h"
#include "store/relay.h"
#include "store/settings.h"

/* Article 1 by ann, bob, and a relay. */
struct scene {
	struct world *world;
	struct browser ann, bob, eve;
	struct relay *relay;
};

static struct scene
begin(struct world *world)
{
	struct browser_scene scene = browser_scene(world);

	return (struct scene){ .world = world,
		.ann = scene.ann,
		.bob = scene.bob,
		.relay = relay_new(&world->store, TEXT("test")) };
}

static void
say(struct scene *scene, struct browser *browser, const char *parent,
    const char *text)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	assert_status(browser_post(browser, "/articles/1/comments",
			  FIELDS("text", text, "parent", parent)),
	    303);
	while (relay_step(scene->relay) == 0)
		;
}

static void
notices_are_unread_until_marked(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;

	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(
	    ann, "Nothing here yet. Replies and mentions will appear here.");
	assert_holds(ann, "<a class=\"inbox\" href=\"/inbox\">Inbox</a>");
	say(&scene, &scene.bob, "0", "To the article.");
	assert_status(browser_get(ann, "/"), 200);
	assert_holds(
	    ann, "Inbox <b>1<span class=\"unseen\"> unread</span></b>");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "Comment on your article");
	assert_holds(ann, "To the article.");
	assert_holds(ann, "<div class=\"notice unread\"");
	assert_holds(ann, "name=\"until\" value=\"1\"");
	/* Notices that arrive meanwhile stay unread. */
	say(&scene, &scene.bob, "0", "One more, @ann.");
	assert_status(
	    browser_post(ann, "/inbox/read", FIELDS("until", "1")), 303);
	assert_text(ann->answer.location, "/inbox");
	assert_status(browser_follow(ann), 200);
	assert_int_equal(browser_count(ann, "<div class=\"notice unread\""), 1);
	assert_int_equal(browser_count(ann, "<div class=\"notice\""), 1);
	assert_status(
	    browser_post(ann, "/inbox/read", FIELDS("until", "2")), 303);
	assert_status(browser_follow(ann), 200);
	assert_lacks(ann, "Mark all as read");
	assert_lacks(ann, "notice unread");
	assert_status(browser_post(ann, "/inbox/read", NULL), 400);
	relay_free(scene.relay);
}

static size_t
count_unread(struct browser *browser)
{
	assert_status(browser_get(browser, "/inbox"), 200);
	return browser_count(browser, "<div class=\"notice unread\"");
}

static void
following_a_notice_reads_it(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;

	for (int i = 0; i < 3; i++)
		say(&scene, &scene.bob, "0",
		    fixture_string(&scene.world->arena, "Word %d.", i));
	assert_int_equal(count_unread(ann), 3);
	assert_holds(ann, "<a href=\"/inbox/2\">Comment on your article</a>");
	/* Neither is it read by a browser ahead, nor by HEAD, nor by others. */
	ann->is_prefetch = true;
	assert_status(browser_get(ann, "/inbox/2"), 303);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_status(browser_get(ann, "/articles/1/comments/2"), 200);
	ann->is_prefetch = false;
	assert_status(browser_send(ann, HTTP_HEAD, "/inbox/2", TEXT("")), 303);
	assert_status(
	    browser_send(ann, HTTP_HEAD, "/articles/1", TEXT("")), 200);
	assert_status(browser_get(&scene.bob, "/inbox/2"), 404);
	assert_int_equal(count_unread(ann), 3);
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(ann, "/inbox/2"), 303);
		assert_text(ann->answer.location, "/articles/1/comments/2");
		assert_status(browser_get(ann, "/"), 200);
		assert_holds(ann, "Inbox <b>2<span");
	}
	assert_int_equal(count_unread(ann), 2);
	assert_int_equal(world_user(scene.world, 1).read, 0);
	assert_int_equal(world_user(scene.world, 1).read_ahead, 1);
	/* What came before a mark is read with it, and what was read after it stays so. */
	assert_status(browser_get(ann, "/inbox/3"), 303);
	assert_status(
	    browser_post(ann, "/inbox/read", FIELDS("until", "1")), 303);
	assert_int_equal(count_unread(ann), 0);
	assert_lacks(ann, "Mark all as read");
	assert_int_equal(world_user(scene.world, 1).read, 3);
	assert_int_equal(world_user(scene.world, 1).read_ahead, 0);
	assert_status(browser_get(ann, "/inbox/4"), 404);
	assert_status(browser_get(ann, "/inbox/x"), 404);
	relay_free(scene.relay);
}

static void
opening_a_thread_reads_its_notices(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann, *bob = &scene.bob;

	world_post(scene.world, 1, "Second", "", "Text.");
	say(&scene, bob, "0", "One.");
	say(&scene, bob, "1", "Two, @ann.");
	say(&scene, bob, "0", "Three.");
	assert_status(browser_post(bob, "/articles/2/comments",
			  FIELDS("text", "Elsewhere.", "parent", "0")),
	    303);
	while (relay_step(scene.relay) == 0)
		;
	assert_int_equal(count_unread(ann), 4);
	/* The page of a comment has it and its replies. */
	assert_status(browser_get(ann, "/articles/1/comments/1"), 200);
	assert_int_equal(count_unread(ann), 2);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(count_unread(ann), 1);
	assert_holds(ann, "Inbox <b>1<span");
	assert_status(browser_get(ann, "/articles/2"), 200);
	assert_int_equal(count_unread(ann), 0);
	assert_int_equal(world_user(scene.world, 1).read, 4);
	relay_free(scene.relay);
}

static bool
has_called_functions(struct world *world)
{
	return world_info(world, "commandstats", "cmdstat_fcall") > 0;
}

/* Who has other notices to read is asked for once an article, and again when a notice came. */
static void
a_page_is_read_once_until_a_notice_comes(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *ann = &scene.ann;

	ann->app.read_cache = world->cache;
	world_post(world, 1, "Second", "", "Text.");
	world_post(world, 1, "Third", "", "Text.");
	say(&scene, &scene.bob, "0", "One.");
	say(&scene, &scene.bob, "0", "Two.");
	assert_status(browser_get(ann, "/articles/1/comments/1"), 200);
	for (int i = 0; i < 2; i++) {
		world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
		assert_status(browser_get(ann, "/articles/1/comments/1"), 200);
		assert_status(browser_get(ann, "/articles/3"), 200);
		assert_false(has_called_functions(world));
	}
	assert_int_equal(count_unread(ann), 1);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(count_unread(ann), 0);
	say(&scene, &scene.bob, "1", "Three, @ann.");
	assert_int_equal(count_unread(ann), 1);
	assert_status(browser_get(ann, "/articles/1/comments/1"), 200);
	assert_int_equal(count_unread(ann), 0);
	relay_free(scene.relay);
}

/* A comment with so many replies that the last one is on its second page. */
static void
each_page_of_a_comment_reads_its_own_notices(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *ann = &scene.ann;
	uint64_t last = 0;

	ann->app.read_cache = world->cache;
	world_comment(world, article_id(1), 2, "Root.");
	for (int i = 0; i < 205; i++)
		last = world_comment(world, (struct post_id){ 1, 1 }, 1,
		    fixture_string(&world->arena, "Reply %d.", i));
	world_comment(world, (struct post_id){ 1, last }, 2, "To ann.");
	while (relay_step(scene.relay) == 0)
		;
	assert_int_equal(count_unread(ann), 2);
	assert_status(browser_get(ann, "/articles/1/comments/1"), 200);
	assert_lacks(ann, "To ann.");
	assert_int_equal(count_unread(ann), 1);
	assert_status(browser_get(ann, "/articles/1/comments/1?page=2"), 200);
	assert_holds(ann, "To ann.");
	assert_int_equal(count_unread(ann), 0);
	relay_free(scene.relay);
}

/* What is read is told to Redis in a hint, which may be lost: another minute sends it again. */
static void
notices_are_read_later_when_a_hint_was_lost(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *ann = &scene.ann;

	ann->app.read_cache = world->cache;
	say(&scene, &scene.bob, "0", "One.");
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(count_unread(ann), 0);
	world_command(
	    world, TEXT("HDEL"), key_user(&world->arena, 1), TEXT("read"));
	world_command(world, TEXT("EVAL"),
	    TEXT(
		"redis.call('ZADD', KEYS[1], 1, redis.call('ZRANGE', KEYS[1], 0, 0)[1])"),
	    TEXT("1"), key_inbox(&world->arena, 1));
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(count_unread(ann), 1);
	world_move_clock(world, 60);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(count_unread(ann), 0);
	relay_free(scene.relay);
}

static void
readers_who_have_read_all_pay_nothing(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	say(&scene, &scene.bob, "0", "One.");
	for (int i = 0; i < 2; i++) {
		world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
		assert_status(browser_get(&scene.ann, "/articles/1"), 200);
		assert_int_equal(has_called_functions(world), i == 0);
	}
	relay_free(scene.relay);
}

static void
answering_a_notice_reads_it(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;

	say(&scene, &scene.bob, "0", "One.");
	say(&scene, &scene.bob, "0", "Two.");
	assert_status(browser_get(ann, "/articles/1/reply?parent=1"), 200);
	assert_int_equal(count_unread(ann), 2);
	assert_status(browser_post(ann, "/articles/1/comments",
			  FIELDS("text", "Thanks.", "parent", "1")),
	    303);
	assert_int_equal(count_unread(ann), 1);
	relay_free(scene.relay);
}

static void
notices_that_lead_nowhere_have_a_button(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	struct browser *bob = &scene.bob;

	assert_status(
	    browser_post(bob, "/articles/1/vote", FIELDS("vote", "up")), 303);
	assert_status(browser_post(&mod, "/u/bob/void",
			  FIELDS("wanted", "void", "reason", "A ring.")),
	    303);
	while (relay_step(scene.relay) == 0)
		;
	assert_int_equal(count_unread(bob), 1);
	assert_holds(bob, "Your votes were cancelled");
	assert_status(
	    browser_post(bob, "/inbox/read", FIELDS("number", "1")), 303);
	assert_int_equal(count_unread(bob), 0);
	assert_lacks(bob, "Mark as read");
	relay_free(scene.relay);
}

static void
threads_are_muted_in_the_row_of_actions(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;

	say(&scene, &scene.bob, "0", "One.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "name=\"mute\" value=\"1.1\"");
	assert_status(browser_post(ann, "/vote",
			  FIELDS("mute", "1.1", "return_to", "/inbox")),
	    303);
	assert_text(ann->answer.location, "/inbox");
	assert_status(browser_follow(ann), 200);
	assert_holds(ann, "aria-label=\"Unmute First\"");
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_lacks(ann, "name=\"mute\"");
	assert_status(browser_post(ann, "/vote", FIELDS("mute", "9.1")), 404);
	assert_status(browser_get(ann, "/vote?mute=1.1"), 200);
	assert_holds(ann, "name=\"mute\" value=\"1.1\"");
	relay_free(scene.relay);
}

static void
replies_and_mentions_notify(void **state)
{
	struct scene scene = begin(*state);
	struct browser eve = browser_member(scene.world, "eve");

	say(&scene, &scene.bob, "0", "One.");
	say(&scene, &eve, "1", "To bob, and @ann.");
	assert_status(browser_get(&scene.bob, "/inbox"), 200);
	assert_holds(&scene.bob, "Reply to your comment");
	assert_holds(&scene.bob, "To bob, and");
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Mentions you");
	/* Nobody is notified of their own comments. */
	assert_status(browser_get(&eve, "/inbox"), 200);
	assert_holds(
	    &eve, "Nothing here yet. Replies and mentions will appear here.");
	relay_free(scene.relay);
}

static void
muted_threads_and_hidden_members_do_not_notify(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;

	say(&scene, &scene.bob, "0", "One.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_status(browser_post(ann, "/u/bob/hide",
			  FIELDS("state", "on", "return_to", "/inbox")),
	    303);
	say(&scene, &scene.bob, "0", "Two.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_lacks(ann, "Two.");
	assert_status(browser_post(ann, "/u/bob/hide",
			  FIELDS("state", "off", "return_to", "/inbox")),
	    303);
	assert_status(browser_post(ann, "/articles/1/mute",
			  FIELDS("wanted", "muted", "return_to", "/inbox")),
	    303);
	say(&scene, &scene.bob, "0", "Three.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_lacks(ann, "Three.");
	assert_holds(ann, "aria-label=\"Unmute First\"");
	assert_status(
	    browser_post(ann, "/articles/1/mute", FIELDS("wanted", "heard")),
	    303);
	say(&scene, &scene.bob, "0", "Four.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "Four.");
	assert_lacks(ann, "Unmute");
	assert_status(
	    browser_post(ann, "/articles/1/mute", FIELDS("wanted", "loud")),
	    400);
	assert_status(
	    browser_post(ann, "/articles/9/mute", FIELDS("wanted", "muted")),
	    404);
	relay_free(scene.relay);
}

static void
notices_of_removed_posts_say_so(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *ann = &scene.ann;

	say(&scene, &scene.bob, "0", "One.");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "Removed by a moderator");
	assert_lacks(ann, "One.");
	/* The notice is still unread, so the page does not say that there is
	 * nothing. */
	world_remove(world, 1);
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "1 comment is hidden: its article was removed.");
	assert_holds(ann, "Mark all as read");
	assert_lacks(ann, "Removed by a moderator");
	relay_free(scene.relay);
}

static void
inboxes_have_pages_and_need_a_login(void **state)
{
	struct scene scene = begin(*state);
	struct arena *arena = &scene.world->arena;
	struct browser reader = browser_open(scene.world);
	struct browser *ann = &scene.ann;

	for (int i = 0; i < 30; i++)
		say(&scene, &scene.bob, "0",
		    fixture_string(arena, "Word %d.", i));
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_int_equal(browser_count(ann, "<div class=\"notice"), 25);
	assert_status(browser_get(ann, "/inbox?page=2"), 200);
	assert_int_equal(browser_count(ann, "<div class=\"notice"), 5);
	assert_holds(ann, "Word 0.");
	assert_status(browser_get(ann, "/inbox?page=3"), 404);
	assert_holds(ann, "only 2 pages");
	assert_status(browser_get(&reader, "/inbox"), 303);
	assert_text(reader.answer.location, "/login?return_to=%2Finbox");
	relay_free(scene.relay);
}

static void
deliver(struct scene *scene)
{
	while (relay_step(scene->relay) == 0)
		;
}

static void
authors_are_told_what_moderators_did(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;
	struct browser mod = browser_moderator(scene.world, "mod");

	say(&scene, &scene.bob, "0", "One.");
	assert_status(browser_post(&mod, "/articles/1/remove",
			  FIELDS("reason", "It is an advertisement.")),
	    303);
	deliver(&scene);
	assert_status(browser_get(ann, "/"), 200);
	assert_holds(ann, "Inbox <b>2<span");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "Your article was removed");
	assert_holds(ann, "<bdi>First</bdi></a>");
	assert_holds(ann, "It is an advertisement.");
	assert_holds(ann, "by <a href=\"/u/mod\"><bdi>mod</bdi></a>");
	assert_status(browser_post(&mod, "/articles/1/restore",
			  FIELDS("reason", "It is none.")),
	    303);
	assert_status(browser_post(&mod, "/articles/1/comments/1/remove",
			  FIELDS("reason", "It says nothing.")),
	    303);
	assert_status(
	    browser_post(&scene.bob, "/articles/1/vote", FIELDS("vote", "up")),
	    303);
	assert_status(browser_post(&mod, "/articles/1/void",
			  FIELDS("member", "bob", "wanted", "void")),
	    303);
	deliver(&scene);
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_int_equal(browser_count(ann, "<div class=\"notice"), 3);
	assert_holds(ann, "Your article was restored");
	assert_status(browser_get(&scene.bob, "/inbox"), 200);
	assert_holds(&scene.bob, "Your comment was removed");
	assert_holds(&scene.bob, "Your vote was cancelled");
	assert_status(browser_get(&scene.bob, "/inbox/1"), 303);
	assert_text(scene.bob.answer.location, "/articles/1/comments/1");
	assert_status(browser_get(&scene.bob, "/inbox"), 200);
	assert_lacks(&scene.bob, "Your article");
	relay_free(scene.relay);
}

/* An article that its author has withdrawn is named to its author alone. */
static void
withdrawn_articles_are_named_to_nobody_else(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann, *bob = &scene.bob;
	struct browser mod = browser_moderator(scene.world, "mod");

	world_group(scene.world, "ropes");
	say(&scene, bob, "0", "One.");
	assert_status(browser_post(&mod, "/articles/1/comments/1/remove",
			  FIELDS("reason", "It says nothing.")),
	    303);
	assert_status(browser_post(&mod, "/articles/1/groups",
			  FIELDS("add", "ropes", "reason", "It fits.")),
	    303);
	deliver(&scene);
	assert_status(browser_get(bob, "/inbox"), 200);
	assert_holds(bob, "<bdi>First</bdi></a>");
	assert_status(browser_post(ann, "/articles/1/withdraw", NULL), 303);
	assert_status(browser_get(bob, "/inbox"), 200);
	assert_holds(bob, "Your comment was removed");
	assert_holds(bob, "<bdi>/articles/1/comments/1</bdi></a>");
	assert_lacks(bob, "First");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_holds(ann, "Your article was moved to other groups");
	assert_holds(ann, "<bdi>First</bdi></a>");
	relay_free(scene.relay);
}

static void
authors_are_not_told_who_did_it_unless_owners_publish_it(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");

	struct settings settings = settings_default();

	settings.log_names = TEXT(RULE_LOG_UNNAMED);
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	assert_status(
	    browser_post(&mod, "/articles/1/remove", FIELDS("reason", "Spam.")),
	    303);
	deliver(&scene);
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Your article was removed");
	assert_lacks(&scene.ann, "/u/mod");
	relay_free(scene.relay);
}

static void
moderators_are_not_told_what_they_did_themselves(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	uint64_t id = world_post(scene.world, 3, "Mine", "", "");

	assert_status(browser_post(&mod,
			  fixture_string(&scene.world->arena,
			      "/articles/%" PRIu64 "/remove", id),
			  FIELDS("reason", "Mine.")),
	    303);
	deliver(&scene);
	assert_status(browser_get(&mod, "/inbox"), 200);
	assert_holds(&mod, "Nothing here yet.");
	relay_free(scene.relay);
}

static void
authors_are_told_that_their_article_was_moved(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");

	world_groups(scene.world, TEXT("knots ropes"));
	/* An author who moves it is not told, and nothing is logged. */
	assert_status(browser_post(&scene.ann, "/articles/1/groups",
			  FIELDS("add", "knots")),
	    303);
	deliver(&scene);
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Nothing here yet.");
	assert_int_equal(world_log(scene.world, "moved").count, 0);
	for (int i = 0; i < 2; i++)
		assert_status(browser_post(&mod, "/articles/1/groups",
				  FIELDS("add", "ropes", "remove", "knots",
				      "reason", "No knots in it.")),
		    303);
	deliver(&scene);
	assert_int_equal(world_log(scene.world, "moved").count, 1);
	assert_text(world_log(scene.world, "moved").actions[0].into, "ropes");
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Your article was moved to other groups");
	assert_holds(&scene.ann, "No knots in it.");
	assert_status(
	    browser_post(&mod, "/articles/1/groups", FIELDS("remove", "ropes")),
	    303);
	assert_status(browser_get(&mod, "/log?kind=moved"), 200);
	assert_holds(&mod, "<b>to no group</b>");
	relay_free(scene.relay);
}

static void
founders_are_told_that_their_group_was_renamed(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");

	assert_status(browser_post(&scene.ann, "/groups",
			  FIELDS("name", "knots", "title", "Knots")),
	    303);
	assert_status(
	    browser_post(&mod, "/groups/knots",
		FIELDS("do", "name", "name", "ropes", "reason", "Wider.")),
	    303);
	deliver(&scene);
	assert_status(browser_get(&scene.ann, "/inbox"), 200);
	assert_holds(&scene.ann, "Your group was renamed");
	assert_holds(&scene.ann, "Wider.");
	assert_status(browser_get(&scene.ann, "/inbox/1"), 303);
	assert_text(scene.ann.answer.location, "/g/ropes");
	relay_free(scene.relay);
}

/* Anything that is seen in the inbox, and in lists of comments, may happen. */
static void
happen(struct scene *scene, unsigned *seed, int number)
{
	static const char *const votes[] = { "up", "down", "none" };
	struct store *store = &scene->world->store;
	struct arena *arena = &scene->world->arena;
	struct post_id id = { 1, (uint64_t)rand_r(seed) % 12 + 1 };
	const char *post = fixture_string(arena, "1.%d", (int)id.comment);
	struct browser *voter =
	    rand_r(seed) % 2 == 0 ? &scene->ann : &scene->eve;
	const char *parent =
	    fixture_string(arena, "%d", rand_r(seed) % (number / 4 + 1));
	const char *path = fixture_string(
	    arena, "/inbox/%d", rand_r(seed) % (number / 2 + 1) + 1);
	enum store_result ignored = STORE_OK;

	switch (rand_r(seed) % 8) {
	case 0:
	case 1:
		browser_post(&scene->bob, "/articles/1/comments",
		    FIELDS("text", fixture_string(arena, "No. %d", number),
			"parent", parent));
		break;
	case 2:
		browser_post(
		    voter, "/vote", FIELDS(votes[rand_r(seed) % 3], post));
		break;
	case 3:
		ignored = comment_edit(
		    store, arena, id, text_number(arena, number), TEXT(""));
		break;
	case 4:
		ignored = post_remove(store, arena, id, &world_removal);
		break;
	case 5:
		ignored =
		    post_restore(store, arena, id, TEXT(""), &world_restoring);
		break;
	case 6:
		browser_get(&scene->ann, path);
		break;
	default:
		browser_post(&scene->ann, "/vote", FIELDS("save", post));
	}
	(void)ignored;
	while (relay_step(scene->relay) == 0)
		;
	world_move_clock(scene->world, rand_r(seed) % 400);
}

/* Requests the pages with caches that both readers share, and without. */
static void
compare_pages(struct browser *reader, const struct app *caches)
{
	static const char *const paths[] = { "/inbox", "/comments",
		"/u/bob/comments" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct browser plain = *reader;

		plain.app.read_cache = NULL;
		assert_status(browser_get(&plain, paths[i]), 200);
		reader->app.body_cache = caches->body_cache;
		reader->app.piece_cache = caches->piece_cache;
		for (int turn = 0; turn < 4; turn++) {
			reader->takes_gzip = turn < 2;
			assert_status(browser_get(reader, paths[i]), 200);
			assert_same(browser_body(reader), browser_body(&plain));
		}
		reader->app.body_cache = reader->app.piece_cache = NULL;
	}
}

static void
cached_pages_equal_uncached_ones(void **state)
{
	const struct app caches = { .body_cache = cache_new(64, 8192),
		.piece_cache = cache_new(64, 65536) };
	struct scene scene = begin(*state);
	unsigned seed = 17;

	scene.eve = browser_member(scene.world, "eve");
	scene.ann.app.read_cache = scene.eve.app.read_cache =
	    scene.world->cache;
	for (int i = 0; i < 160; i++) {
		happen(&scene, &seed, i);
		compare_pages(&scene.ann, &caches);
		compare_pages(&scene.eve, &caches);
	}
	assert_true(browser_count(&scene.eve, "<article class=\"comment") > 5);
	cache_free(caches.body_cache);
	cache_free(caches.piece_cache);
	relay_free(scene.relay);
}

/* Members who see the same comments are served the same pieces, but for their own votes. */
static void
votes_are_shown_to_who_cast_them(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;
	struct browser eve = browser_member(scene.world, "eve");
	struct cache *pieces = cache_new(64, 65536);

	say(&scene, &scene.bob, "0", "From bob.");
	assert_status(browser_post(ann, "/vote", FIELDS("up", "1.1")), 303);
	ann->app.piece_cache = eve.app.piece_cache = pieces;
	for (int turn = 0; turn < 2; turn++) {
		assert_status(browser_get(ann, "/comments"), 200);
		assert_holds(ann, "data-vote=\"up\"");
		assert_status(browser_get(&eve, "/comments"), 200);
		assert_holds(&eve, "data-vote=\"none\"");
	}
	ann->app.piece_cache = eve.app.piece_cache = NULL;
	cache_free(pieces);
	relay_free(scene.relay);
}

/* The comments on one page are in one form, unless another notice is between them. */
static void
authors_are_hidden_from_the_inbox(void **state)
{
	struct scene scene = begin(*state);
	struct browser *ann = &scene.ann;
	struct browser eve = browser_member(scene.world, "eve");

	say(&scene, &scene.bob, "0", "From bob.");
	say(&scene, &eve, "0", "From eve.");
	assert_status(browser_get(ann, "/inbox"), 200);
	assert_int_equal(browser_count(ann, "action=\"/vote\""), 1);
	assert_holds(
	    ann, "name=\"hide_author\" value=\"1.1\">Hide <bdi>bob</bdi><");
	/* After logging in, the page asks. */
	assert_status(
	    browser_get(ann, "/vote?hide_author=1.1&return_to=%2Finbox"), 200);
	assert_holds(ann, "<h1>Hide <bdi>bob</bdi></h1>");
	assert_holds(ann, "name=\"hide_author\" value=\"1.1\"");
	assert_status(browser_post(ann, "/vote",
			  FIELDS("hide_author", "1.1", "return_to", "/inbox")),
	    303);
	assert_text(ann->answer.location, "/inbox");
	assert_status(browser_follow(ann), 200);
	assert_lacks(ann, "From bob.");
	assert_holds(ann, "From eve.");
	assert_holds(ann, "1 is hidden from you.");
	/* An article has a button of its own, and nobody hides themselves. */
	assert_status(
	    browser_post(ann, "/vote", FIELDS("hide_author", "1")), 400);
	assert_status(
	    browser_post(ann, "/vote", FIELDS("hide_author", "1.9")), 404);
	assert_status(
	    browser_post(&eve, "/vote", FIELDS("hide_author", "1.2")), 409);
	/* A removed comment names its author to nobody, nor does one of a removed article. */
	assert_status(browser_post(&eve, "/articles/1/comments/2/delete",
			  FIELDS("text", "")),
	    303);
	assert_status(
	    browser_post(ann, "/vote", FIELDS("hide_author", "1.2")), 410);
	world_remove(scene.world, 1);
	assert_status(
	    browser_post(&eve, "/vote", FIELDS("hide_author", "1.1")), 410);
	assert_status(browser_get(ann, "/hidden"), 200);
	assert_lacks(ann, "/u/eve");
	relay_free(scene.relay);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(notices_are_unread_until_marked),
		world_test(following_a_notice_reads_it),
		world_test(opening_a_thread_reads_its_notices),
		world_test(a_page_is_read_once_until_a_notice_comes),
		world_test(each_page_of_a_comment_reads_its_own_notices),
		world_test(notices_are_read_later_when_a_hint_was_lost),
		world_test(readers_who_have_read_all_pay_nothing),
		world_test(answering_a_notice_reads_it),
		world_test(notices_that_lead_nowhere_have_a_button),
		world_test(threads_are_muted_in_the_row_of_actions),
		world_test(replies_and_mentions_notify),
		world_test(muted_threads_and_hidden_members_do_not_notify),
		world_test(notices_of_removed_posts_say_so),
		world_test(inboxes_have_pages_and_need_a_login),
		world_test(authors_are_told_what_moderators_did),
		world_test(withdrawn_articles_are_named_to_nobody_else),
		world_test(
		    authors_are_not_told_who_did_it_unless_owners_publish_it),
		world_test(moderators_are_not_told_what_they_did_themselves),
		world_test(authors_are_told_that_their_article_was_moved),
		world_test(founders_are_told_that_their_group_was_renamed),
		world_test(authors_are_hidden_from_the_inbox),
		world_test(cached_pages_equal_uncached_ones),
		world_test(votes_are_shown_to_who_cast_them),
	};

	return world_run("notices", tests);
}

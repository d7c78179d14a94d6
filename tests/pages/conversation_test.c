/* Comments: reading a thread, replying, previewing, editing, deleting, voting. */
#include <stdlib.h>
#include <string.h>

#include "../support/browser.h"
#include "base/cache.h"
#include "store/comment.h"
#include "store/vote.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Posts a comment and follows the redirect; parent "0" is the article. */
static void
say(struct browser *browser, const char *parent, const char *text,
    const char *path)
{
	assert_status(browser_post(browser, "/articles/1/comments",
			  FIELDS("text", text, "parent", parent)),
	    303);
	assert_text(browser->answer.location, path);
	assert_status(browser_follow(browser), 200);
}

static struct comment
comment_of(const struct browser_scene *scene, uint64_t number)
{
	struct comment comment;
	int64_t now;

	assert_int_equal(comment_get(&scene->world->store, &scene->world->arena,
			     (struct post_id){ 1, number }, 0, &comment, &now),
	    STORE_OK);
	return comment;
}

static void
members_read_and_reply(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser reader = browser_open(scene.world);

	assert_status(browser_get(&scene.bob, "/articles/1"), 200);
	assert_holds(&scene.bob, "No comments yet");
	say(&scene.bob, "0", "One *word*.", "/articles/1?comment=1#comment-1");
	assert_holds(&scene.bob, "<em>word</em>");
	say(&scene.ann, "1", "Two.", "/articles/1?comment=2#comment-2");
	/* With the text that it replies to. */
	assert_holds(&scene.ann, "id=\"comment-1\"");
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, ">2 comments</h2>");
	assert_holds(&reader,
	    "id=\"comment-2\" data-comment=\"2\" data-parent=\"1\" "
	    "data-points=\"1\" data-vote=\"none\"");
	assert_holds(&reader,
	    "<a class=\"by\" href=\"/u/ann\"><bdi>ann</bdi></a> · <span "
	    "class=\"badge\" title=\"posted the article\">");
	assert_holds(&reader,
	    "<summary aria-label=\"Comment by bob, 1 reply\"></summary>");
	/* A heading, one level below that of the comment that it answers. */
	assert_holds(&reader,
	    "<h3 class=\"meta\"><a class=\"by\" href=\"/u/bob\"><bdi>bob</bdi></a> · "
	    "<span class=\"points\"><bdi>1</bdi> point</span> · 1 reply · ");
	assert_holds(&reader,
	    "<h4 class=\"meta\"><a class=\"by\" href=\"/u/ann\"><bdi>ann</bdi></a>");
	assert_holds(&reader, "aria-label=\"Upvote: comment 1 by bob\"");
	assert_holds(&reader,
	    "<span class=\"unseen\"> · in reply to <bdi>bob</bdi></span>");
	assert_holds(&reader, "Log in</a> to comment.");
	/* Start and end tags match. */
	assert_int_equal(browser_count(&reader, "<article class=\"comment"),
	    browser_count(&reader, "</details></article>"));
}

/* Comments below level eight are not indented further, and link to their parent. */
static void
deep_threads_are_flattened(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct arena *arena = &scene.world->arena;
	struct browser reader = browser_open(scene.world);

	for (int i = 0; i < 12; i++)
		say(&scene.bob, fixture_string(arena, "%d", i),
		    fixture_string(arena, "Number %d", i + 1),
		    fixture_string(arena, "/articles/1?comment=%d#comment-%d",
			i + 1, i + 1));
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_int_equal(
	    browser_count(&reader, "<article class=\"comment\""), 9);
	assert_int_equal(
	    browser_count(&reader, "<article class=\"comment flat\""), 3);
	assert_holds(
	    &reader, "in reply to <a href=\"#comment-11\"><bdi>bob</bdi></a>");
	assert_int_equal(browser_count(&reader, "</details></article>"), 12);
	/* A comment's page has its ancestors. */
	assert_status(browser_get(&reader, "/articles/1/comments/12"), 200);
	assert_holds(&reader, "comment flat root\" id=\"comment-12\"");
	assert_holds(&reader, "id=\"comment-1\"");
	assert_int_equal(browser_count(&reader, "<article class=\"comment"),
	    browser_count(&reader, "</details></article>"));
}

static void
orders_and_folds_are_in_the_address(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser reader = browser_open(scene.world);
	static const char *const bad[] = { "/articles/1?order=top",
		"/articles/1?fold=x", "/articles/1?fold=2.1",
		"/articles/1?fold=1.1", "/articles/1?fold=0",
		"/articles/1?fold=1.", "/articles/1?page=0" };

	say(&scene.bob, "0", "One", "/articles/1?comment=1#comment-1");
	say(&scene.bob, "0", "Two", "/articles/1?comment=2#comment-2");
	say(&scene.bob, "0", "Three", "/articles/1?comment=3#comment-3");
	assert_status(browser_get(&reader, "/articles/1?order=new"), 200);
	assert_holds(
	    &reader, "href=\"/articles/1?order=new&amp;fold=2#comment-2\"");
	assert_status(
	    browser_get(&reader, "/articles/1?order=new&fold=2"), 200);
	assert_holds(&reader,
	    "href=\"/articles/1?order=new#comment-2\" "
	    "rel=\"nofollow\">Unfold</a>");
	assert_holds(
	    &reader, "href=\"/articles/1?order=new&amp;fold=1.2#comment-1\"");
	assert_holds(
	    &reader, "href=\"/articles/1?order=new&amp;fold=2.3#comment-3\"");
	assert_int_equal(browser_count(&reader, "<details open>"), 2);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_status(browser_get(&reader, bad[i]), 400);
	assert_status(browser_get(&reader, "/articles/1?page=2"), 404);
	assert_holds(&reader, "only one page");
}

/* To the page that has the comment, in the order in which the thread was read. */
static void
answers_lead_back_to_the_thread(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *ann = &scene.ann;

	say(&scene.bob, "0", "One", "/articles/1?comment=1#comment-1");
	assert_holds(&scene.bob, ">1 comment</h2>");
	assert_status(browser_get(ann, "/articles/1?order=new"), 200);
	assert_holds(ann, "href=\"/articles/1/reply?parent=1&amp;order=new\"");
	assert_holds(ann, "name=\"order\" value=\"new\"");
	assert_status(
	    browser_get(ann, "/articles/1/reply?parent=1&order=new"), 200);
	assert_holds(ann, "name=\"order\" value=\"new\"");
	assert_status(browser_post(ann, "/articles/1/comments",
			  FIELDS("text", "Two", "parent", "1", "order", "new")),
	    303);
	assert_text(
	    ann->answer.location, "/articles/1?order=new&comment=2#comment-2");
	assert_status(browser_follow(ann), 200);
	assert_holds(ann, "id=\"comment-2\"");
	/* One's own is not new. */
	assert_lacks(ann, ">new</span>");
	assert_holds(ann, "name=\"order\" value=\"new\"");
	/* Not what is no order, or the usual one. */
	assert_status(browser_get(ann, "/articles/1/reply?order=x"), 200);
	assert_lacks(ann, "name=\"order\"");
	assert_status(browser_post(ann, "/articles/1/comments",
			  FIELDS("text", "Three", "order", "best")),
	    303);
	assert_text(ann->answer.location, "/articles/1?comment=3#comment-3");
}

static void
comments_are_voted_on(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	say(&scene.bob, "0", "One", "/articles/1?comment=1#comment-1");
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_holds(&scene.ann, "name=\"up\" value=\"1.1\"");
	assert_status(browser_post(&scene.ann, "/vote",
			  FIELDS("up", "1.1", "return_to", "/articles/1")),
	    303);
	assert_text(scene.ann.answer.location, "/articles/1#comment-1");
	assert_status(browser_follow(&scene.ann), 200);
	assert_holds(&scene.ann, "data-points=\"2\" data-vote=\"up\"");
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/vote",
			  FIELDS("vote", "down", "return_to", "/articles/1")),
	    303);
	assert_status(browser_follow(&scene.ann), 200);
	assert_holds(&scene.ann, "data-points=\"0\" data-vote=\"down\"");
	assert_status(browser_post(&scene.ann, "/vote",
			  FIELDS("none", "1.1", "return_to", "/articles/1")),
	    303);
	assert_status(browser_follow(&scene.ann), 200);
	assert_holds(&scene.ann,
	    "data-comment=\"1\" data-parent=\"0\" "
	    "data-points=\"1\" data-vote=\"none\"");
	/* Not on one's own comment, nor on one that does not exist. */
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("up", "1.1")), 403);
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("up", "1.9")), 404);
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("up", "1.0")), 400);
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("up", "1.1.1")), 400);
}

/* A visitor's arrows link to the log-in page, which leads to a confirmation. */
static void
visitors_vote_after_logging_in(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser reader = browser_open(scene.world);

	say(&scene.bob, "0", "One", "/articles/1?comment=1#comment-1");
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "return_to=%2Farticles%2F1&amp;up=1.1\"");
	assert_status(
	    browser_get(&scene.ann, "/vote?up=1.1&return_to=%2Farticles%2F1"),
	    200);
	assert_holds(&scene.ann,
	    "Vote on <bdi>bob</bdi>’s comment on “<bdi>First</bdi>”");
}

static void
preview_changes_nothing(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	assert_status(browser_get(&scene.bob, "/articles/1/reply"), 200);
	assert_status(
	    browser_post(&scene.bob, "/articles/1/comments",
		FIELDS("text", "A **bold** <b>word</b>", "preview", "1")),
	    200);
	assert_holds(&scene.bob, "<strong>bold</strong>");
	assert_holds(&scene.bob, "&lt;b&gt;word&lt;/b&gt;");
	assert_holds(
	    &scene.bob, "A **bold** &lt;b&gt;word&lt;/b&gt;</textarea>");
	assert_int_equal(world_article(scene.world, 1, 0).comments, 0);
}

static void
comment_sent_twice_is_posted_once(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	say(&scene.bob, "0", "Once", "/articles/1?comment=1#comment-1");
	say(&scene.bob, "0", " Once\r\n", "/articles/1?comment=1#comment-1");
	assert_int_equal(world_article(scene.world, 1, 0).comments, 1);
}

static void
refused_forms_preserve_their_text(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;
	struct arena *arena = &scene.world->arena;
	char *longer = arena_bytes(arena, 10002);

	memset(longer, 'x', 10001);
	longer[10001] = '\0';
	assert_status(browser_get(bob, "/articles/1"), 200);
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", "")), 422);
	assert_holds(bob, "Write something.");
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", " \xc2\xa0 \xe2\x80\x8b ")),
	    422);
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", longer)),
	    422);
	assert_holds(bob, "xxxx</textarea>");
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "a \xe2\x80\xae b")),
	    422);
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "> > > > > > > > > > > > > > > deep")),
	    422);
	assert_holds(bob, "nested too deeply");
	assert_holds(bob, "deep</textarea>");
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "kept", "parent", "9")),
	    404);
	assert_holds(bob, "kept</textarea>");
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "kept", "parent", "x")),
	    400);
	assert_status(
	    browser_post(bob, "/articles/9/comments", FIELDS("text", "kept")),
	    404);
	assert_holds(bob, "kept</textarea>");
	assert_int_equal(world_article(scene.world, 1, 0).comments, 0);
}

static void
closed_and_removed_posts_say_so(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *bob = &scene.bob;

	say(bob, "0", "One", "/articles/1?comment=1#comment-1");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "kept", "parent", "1")),
	    410);
	assert_holds(bob, "kept</textarea>");
	assert_holds(bob, "This comment was deleted");
	assert_status(browser_get(bob, "/articles/1/reply?parent=1"), 410);
	assert_status(
	    browser_post(&scene.ann, "/vote", FIELDS("up", "1.1")), 410);
	assert_holds(&scene.ann, "This comment was deleted");
	assert_int_equal(article_set_thread(&world->store, &world->arena, 1,
			     ARTICLE_THREAD_CLOSED, &world_removal),
	    STORE_OK);
	assert_status(browser_get(bob, "/articles/1"), 200);
	assert_holds(bob, "A moderator closed this thread.");
	assert_lacks(bob, "action=\"/articles/1/comments\"");
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", "kept")),
	    409);
	assert_holds(bob, "This thread has closed");
	assert_holds(bob, "kept</textarea>");
	world_remove(world, 1);
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", "kept")),
	    410);
	assert_holds(bob, "kept</textarea>");
	assert_lacks(bob, "First");
}

/* An ended session does not lose the text. */
static void
typed_text_survives_the_session(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;

	assert_status(browser_get(bob, "/articles/1"), 200);
	browser_set_cookie(bob, TEXT("tally"), TEXT(""));
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", "kept")),
	    401);
	assert_holds(bob, "kept</textarea>");
}

static void
authors_edit_and_delete(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;

	say(bob, "0", "One", "/articles/1?comment=1#comment-1");
	say(&scene.ann, "1", "Two", "/articles/1?comment=2#comment-2");
	assert_status(browser_get(bob, "/articles/1/comments/1/edit"), 200);
	assert_holds(bob, "One</textarea>");
	assert_status(browser_post(bob, "/articles/1/comments/1/edit",
			  FIELDS("text", "*Uno*", "preview", "1")),
	    200);
	assert_holds(bob, "<em>Uno</em>");
	assert_text(comment_of(&scene, 1).text, "One");
	assert_status(browser_post(bob, "/articles/1/comments/1/edit",
			  FIELDS("text", "Uno")),
	    303);
	assert_status(browser_follow(bob), 200);
	assert_holds(bob, "<p dir=\"auto\">Uno</p>");
	assert_lacks(bob, ">edited ");
	world_move_clock(scene.world, RULE_COMMENT_GRACE);
	assert_status(browser_post(bob, "/articles/1/comments/1/edit",
			  FIELDS("text", "Ein")),
	    303);
	assert_status(browser_follow(bob), 200);
	assert_holds(bob, ">edited just now");
	/* Comments of others cannot be edited. */
	assert_status(
	    browser_get(&scene.ann, "/articles/1/comments/1/edit"), 403);
	assert_status(
	    browser_post(&scene.ann, "/articles/1/comments/1/delete", NULL),
	    404);
	assert_status(browser_get(bob, "/articles/1/comments/1"), 200);
	assert_status(
	    browser_post(bob, "/articles/1/comments/1/delete", NULL), 303);
	/* It becomes a stub, since it has a reply. */
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_holds(&scene.ann, "Deleted by its author");
	assert_holds(&scene.ann, ">1 comment</h2>");
	assert_lacks(&scene.ann, "Ein");
	assert_status(browser_get(&scene.ann, "/articles/1/comments/1"), 410);
	assert_status(browser_get(bob, "/articles/1/comments/1/edit"), 410);
}

/* Forms on a page that was opened before. */
static void
comment_that_is_gone_is_no_article(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;
	struct browser mod = browser_moderator(scene.world, "mod");

	say(bob, "0", "One", "/articles/1?comment=1#comment-1");
	say(bob, "0", "Two", "/articles/1?comment=2#comment-2");
	assert_status(
	    browser_post(bob, "/articles/1/comments/1/delete", NULL), 303);
	assert_status(browser_post(&mod, "/articles/1/comments/1/flag",
			  FIELDS("reason", "spam")),
	    410);
	assert_holds(&mod, "This comment was deleted");
	assert_status(
	    browser_post(&mod, "/articles/1/comments/1/dismiss", NULL), 410);
	assert_holds(&mod, "This comment was deleted");
	assert_status(
	    browser_post(&mod, "/articles/1/comments/1/restore", NULL), 403);
	assert_holds(&mod, "This comment can’t be restored");
	assert_status(
	    browser_post(&mod, "/articles/1/comments/2/remove", NULL), 303);
	assert_status(
	    browser_post(bob, "/articles/1/comments/2/delete", NULL), 410);
	assert_holds(bob, "This comment was deleted");
}

static void
moderators_void_votes(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	const char *path = "/articles/1/comments/1";

	say(&scene.bob, "0", "Well.", "/articles/1?comment=1#comment-1");
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/vote",
			  FIELDS("vote", "up")),
	    303);
	assert_status(browser_get(&scene.ann, path), 200);
	assert_lacks(&scene.ann, "Void a vote");
	assert_status(browser_get(&mod, path), 200);
	assert_holds(&mod, "Void a vote");
	assert_holds(&mod, "data-points=\"2\"");
	assert_status(browser_post(&mod, "/articles/1/comments/1/void",
			  FIELDS("member", "ann", "wanted", "void", "reason",
			      "Friends.")),
	    303);
	assert_status(browser_get(&mod, path), 200);
	assert_holds(&mod, "data-points=\"1\"");
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/vote",
			  FIELDS("vote", "up")),
	    403);
	/* One member has not voted, and the author's own vote stays. */
	assert_status(browser_post(&mod, "/articles/1/comments/1/void",
			  FIELDS("member", "nobody", "wanted", "void")),
	    422);
	assert_status(browser_post(&mod, "/articles/1/comments/1/void",
			  FIELDS("member", "bob", "wanted", "void")),
	    422);
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/void",
			  FIELDS("member", "mod", "wanted", "void")),
	    403);
	/* Which vote it was is for moderators alone. */
	assert_status(browser_get(&scene.ann, "/log"), 200);
	assert_holds(&scene.ann, "voided 1 vote of");
	assert_lacks(&scene.ann, "comment 1");
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "voided the vote of");
	assert_holds(&mod, "comment 1");
}

static void
moderators_remove_and_restore(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	struct browser reader = browser_open(scene.world);

	say(&scene.bob, "0", "Rude.", "/articles/1?comment=1#comment-1");
	assert_status(browser_get(&mod, "/articles/1/comments/1"), 200);
	assert_status(browser_post(&mod, "/articles/1/comments/1/remove",
			  FIELDS("reason", "Be kind.")),
	    303);
	assert_status(browser_get(&reader, "/articles/1/comments/1"), 410);
	assert_lacks(&reader, "Rude.");
	assert_status(browser_get(&scene.bob, "/articles/1/comments/1"), 410);
	assert_holds(&scene.bob, "Be kind.");
	assert_holds(&scene.bob, "Rude.");
	assert_status(browser_get(&mod, "/articles/1/comments/1"), 410);
	assert_holds(&mod, "Rude.");
	assert_status(
	    browser_post(&mod, "/articles/1/comments/1/restore", NULL), 303);
	assert_status(browser_get(&reader, "/articles/1/comments/1"), 200);
	assert_holds(&reader, "Rude.");
	/* They close and reopen the thread, too. */
	assert_status(browser_get(&mod, "/articles/1"), 200);
	assert_status(browser_post(&mod, "/articles/1/thread",
			  FIELDS("wanted", "closed", "reason", "Enough.")),
	    303);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "A moderator closed this thread.");
	assert_status(
	    browser_post(&mod, "/articles/1/thread", FIELDS("wanted", "open")),
	    303);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "Log in</a> to comment.");
	assert_status(
	    browser_post(&mod, "/articles/1/thread", FIELDS("wanted", "ajar")),
	    400);
	assert_status(browser_post(&scene.bob, "/articles/1/thread",
			  FIELDS("wanted", "closed")),
	    403);
}

/* Its author may have deleted what is answered, or a moderator removed it. */
static void
answers_to_removed_comments_say_which(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser reader = browser_open(world);

	world_comment(world, article_id(1), 2, "One.");
	world_comment(world, (struct post_id){ 1, 1 }, 1, "Two.");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "a removed comment");
	assert_status(browser_get(&scene.bob, "/articles/1"), 200);
	world_comment(world, article_id(1), 2, "Three.");
	world_comment(world, (struct post_id){ 1, 3 }, 1, "Four.");
	assert_status(
	    browser_post(&scene.bob, "/articles/1/comments/3/delete", NULL),
	    303);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "a deleted comment");
}

static void
names_of_members_become_links(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	world_group(scene.world, "redis");
	say(&scene.bob, "0", "@ANN and @nobody read /g/redis, not /g/nothing",
	    "/articles/1?comment=1#comment-1");
	assert_holds(&scene.bob, "<a href=\"/u/");
	assert_holds(&scene.bob,
	    ">@ANN</a> and @nobody read <a "
	    "href=\"/g/redis\">/g/redis</a>, not "
	    "/g/nothing");
	assert_text(comment_of(&scene, 1).links, "@ANN /g/redis");
}

/* A comment of -5 points is folded, and opens with a click. */
static void
disliked_comments_are_folded(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser reader = browser_open(world);

	say(&scene.bob, "0", "One", "/articles/1?comment=1#comment-1");
	for (int i = 0; i < 6; i++) {
		uint64_t member = world_member(
		    world, fixture_string(&world->arena, "m%d", i));

		assert_status(browser_get(&reader, "/articles/1"), 200);
		assert_holds(&reader,
		    "<details open>\n<summary "
		    "aria-label=\"Comment by bob\">");
		assert_int_equal(
		    world_cast(&world->store, &world->arena,
			(struct post_id){ 1, 1 }, member, VOTE_DOWN),
		    STORE_OK);
	}
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "data-points=\"-5\"");
	assert_holds(&reader,
	    "<details>\n<summary "
	    "aria-label=\"Comment by bob\">");
	assert_holds(&reader, "One");
}

static void
comments_are_rate_limited(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;

	scene.world->store.rules.limits[LIMIT_COMMENT] = 3;
	say(bob, "0", "One", "/articles/1?comment=1#comment-1");
	/* A preview counts as a comment, since it costs as much. */
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "Two", "preview", "1")),
	    200);
	say(bob, "0", "Two", "/articles/1?comment=2#comment-2");
	assert_status(
	    browser_post(bob, "/articles/1/comments", FIELDS("text", "Three")),
	    429);
	assert_int_equal(bob->answer.retry_after, 3600);
	assert_holds(bob, "Three</textarea>");
	assert_status(browser_post(bob, "/articles/1/comments",
			  FIELDS("text", "Four", "preview", "1")),
	    429);
	assert_holds(bob, "Four</textarea>");
}

static void
previews_of_edits_count_as_edits(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;
	const char *edit = "/articles/1/comments/1/edit";

	scene.world->store.rules.limits[LIMIT_EDIT] = 2;
	say(bob, "0", "One", "/articles/1?comment=1#comment-1");
	assert_status(
	    browser_post(bob, edit, FIELDS("text", "1", "preview", "1")), 200);
	assert_status(browser_post(bob, edit, FIELDS("text", "1")), 303);
	assert_status(
	    browser_post(bob, edit, FIELDS("text", "1", "preview", "1")), 429);
}

/* Pages are the same with and without the worker's caches, whatever happens in
 * between. */
static void
cached_pages_equal_uncached_ones(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct arena *arena = &world->arena;
	struct browser *ann = &scene.ann;
	struct browser plain;
	unsigned seed = 11;

	ann->app.html_cache = cache_new(16, 8192);
	ann->app.body_cache = cache_new(64, 8192);
	ann->app.read_cache = world->cache;
	ann->app.piece_cache = cache_new(8, 65536);
	assert_status(browser_get(&scene.bob, "/articles/1"), 200);
	for (int i = 0; i < 120; i++) {
		struct post_id id = { 1, (uint64_t)rand_r(&seed) % 12 + 1 };
		const char *parent =
		    fixture_string(arena, "%d", rand_r(&seed) % (i / 4 + 1));
		const char *order = rand_r(&seed) % 2 ? "?order=new" : "";
		uint64_t voter = (uint64_t)rand_r(&seed) % 3 + 1;
		enum store_result ignored = STORE_OK;

		switch (rand_r(&seed) % 6) {
		case 0:
		case 1:
			browser_post(&scene.bob, "/articles/1/comments",
			    FIELDS("text", fixture_string(arena, "No. %d", i),
				"parent", parent));
			break;
		case 2:
			ignored = vote_cast(&world->store, arena, id, voter,
			    VOTER_SETTLED, (enum vote)(rand_r(&seed) % 3),
			    world_now(world));
			break;
		case 3:
			ignored = comment_edit(&world->store, arena, id,
			    text_number(arena, i), TEXT(""));
			break;
		case 4:
			ignored = post_remove(
			    &world->store, arena, id, &world_removal);
			break;
		default:
			ignored = post_restore(&world->store, arena, id,
			    TEXT(""), &world_restoring);
		}
		(void)ignored;
		world_move_clock(world, rand_r(&seed) % 400);
		plain = *ann;
		plain.app.body_cache = NULL;
		plain.app.html_cache = plain.app.piece_cache = NULL;
		plain.app.read_cache = NULL;
		/* The first visit marks new comments, later ones do not. */
		browser_get(ann, "/articles/1");
		assert_status(
		    browser_get(
			ann, fixture_string(arena, "/articles/1%s", order)),
		    200);
		assert_status(
		    browser_get(
			&plain, fixture_string(arena, "/articles/1%s", order)),
		    200);
		assert_same(browser_body(ann), browser_body(&plain));
	}
	cache_free(ann->app.html_cache);
	cache_free(ann->app.body_cache);
	cache_free(ann->app.piece_cache);
}

/* How often it was read who has voted on a post. */
static int64_t
votes_read(struct world *world)
{
	return world_info(world, "commandstats", "cmdstat_smismember");
}

static void
others_leave_a_readers_votes_known(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *ann = &scene.ann;
	int64_t before;

	ann->app.read_cache = world->cache;
	for (int i = 0; i < 5; i++)
		world_comment(world, article_id(1), 2,
		    fixture_string(&world->arena, "No. %d", i));
	assert_status(browser_get(ann, "/articles/1"), 200);
	before = votes_read(world);
	/* That on the article is read each time. */
	assert_status(browser_get(ann, "/articles/1?order=new"), 200);
	assert_int_equal(votes_read(world), before + 1);
	/* One comment is new. */
	world_comment(world, article_id(1), 2, "Another");
	before = votes_read(world);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_int_equal(votes_read(world), before + 2);
	before = votes_read(world);
	assert_int_equal(
	    vote_cast(&world->store, &world->arena, (struct post_id){ 1, 3 }, 1,
		VOTER_SETTLED, VOTE_UP, world_now(world)),
	    STORE_OK);
	assert_status(browser_get(ann, "/articles/1"), 200);
	assert_true(votes_read(world) >= before + 7);
	assert_int_equal(browser_count(ann, ">You upvoted.<"), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(members_read_and_reply),
		world_test(comment_that_is_gone_is_no_article),
		world_test(deep_threads_are_flattened),
		world_test(orders_and_folds_are_in_the_address),
		world_test(answers_lead_back_to_the_thread),
		world_test(comments_are_voted_on),
		world_test(visitors_vote_after_logging_in),
		world_test(preview_changes_nothing),
		world_test(previews_of_edits_count_as_edits),
		world_test(comment_sent_twice_is_posted_once),
		world_test(refused_forms_preserve_their_text),
		world_test(closed_and_removed_posts_say_so),
		world_test(typed_text_survives_the_session),
		world_test(authors_edit_and_delete),
		world_test(moderators_void_votes),
		world_test(moderators_remove_and_restore),
		world_test(answers_to_removed_comments_say_which),
		world_test(names_of_members_become_links),
		world_test(disliked_comments_are_folded),
		world_test(comments_are_rate_limited),
		world_test(cached_pages_equal_uncached_ones),
		world_test(others_leave_a_readers_votes_known),
	};

	return world_run("conversation", tests);
}

/* Posts of newcomers that are held until moderators have kept one: who sees what of them. */
#include <string.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "../support/invariants.h"
#include "lists/mod_queue.h"
#include "store/comment.h"

enum { DAY = 86400, HOUR = 3600, ANN = 1, NEW = 3 };

/* Ann, mod and the newcomer new; article 1 is ann's. What newcomers post is held. */
struct scene {
	struct world *world;
	struct browser ann, mod, new, visitor;
	uint64_t article; /* held, new's */
};

static enum http_status
submit(struct browser *browser, const char *url)
{
	assert_status(browser_get(browser, "/submit"), 200);
	return browser_post(browser, "/submit",
	    FIELDS("title", "Secret title", "url", url, "groups", "chess"));
}

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };
	struct settings settings;

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.mod = browser_moderator(world, "mod");
	scene.new = browser_newcomer(world, "new");
	scene.visitor = browser_open(world);
	world_post(world, ANN, "First", "http://known.example/", "chess");
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.hold_first = TEXT("on");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(submit(&scene.new, "http://held.example/1"), 303);
	scene.article = browser_article(&scene.new);
	world_stop_clock(world, NOON + HOUR);
	return scene;
}

static const char *
path(const struct scene *scene, const char *what)
{
	return fixture_string(&scene->world->arena, "/articles/%d%s%s",
	    (int)scene->article, *what != '\0' ? "/" : "", what);
}

static enum http_status
judge(struct scene *scene, const char *target)
{
	assert_status(browser_get(&scene->mod, "/moderation"), 200);
	return browser_post(&scene->mod, target, FIELDS("reason", "fine"));
}

static const char *const lists[] = { "/", "/new", "/g/chess", "/u/new",
	"/from/held.example", "/interesting", "/comments", "/u/new/comments",
	"/articles?order=new", "/index.atom", "/new.atom", "/new.json",
	"/g/chess.atom", "/u/new.atom", "/comments.atom", "/articles/1",
	"/articles/1.atom", "/sitemap.xml", "/day/2023-11-14", "/log", "/inbox",
	"/saved" };

static void
assert_nowhere(struct browser *browser)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		assert_in_range(browser_get(browser, lists[i]), 200, 404);
		assert_lacks(browser, "Secret");
		assert_lacks(browser, "held.example/1");
	}
}

static void
held_article_is_nowhere(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	assert_nowhere(&scene.ann);
	assert_nowhere(&scene.visitor);
	assert_status(browser_get(&scene.ann, path(&scene, "")), 404);
	assert_status(browser_get(&scene.visitor, path(&scene, "")), 404);
	assert_status(browser_get(&scene.ann, path(&scene, "comments/1")), 404);
	assert_status(browser_get(&scene.ann, "/u/new"), 200);
	assert_holds(&scene.ann, "0 articles");
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_status(browser_post(&scene.ann, path(&scene, "vote"),
			  FIELDS("vote", "up")),
	    404);
	assert_lacks(&scene.ann, "Secret");
	assert_status(browser_post(&scene.ann, path(&scene, "save"),
			  FIELDS("state", "on")),
	    404);
	assert_status(browser_post(&scene.ann, path(&scene, "comments"),
			  FIELDS("text", "Hm")),
	    404);
	assert_int_equal(flag_set(&world->store, &world->arena,
			     article_id(scene.article), ANN, FLAG_SPAM),
	    STORE_ABSENT);
	assert_int_equal(world_command(world, TEXT("EXISTS"),
			     key_voters(&world->arena, &world->store.buckets,
				 article_id(scene.article)))
			     .number,
	    0);
	assert_int_equal(
	    world_command(world, TEXT("XLEN"),
		key_changes(&world->arena, &world->store.buckets,
		    key_bucket_of(&world->store.buckets, scene.article)))
		.number,
	    key_bucket_of(&world->store.buckets, scene.article) ==
		    key_bucket_of(&world->store.buckets, 1)
		? 1
		: 0);
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
}

static void
author_and_moderators_see_it(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.new, path(&scene, "")), 200);
	assert_holds(&scene.new, "This article isn’t shown yet");
	assert_status(browser_get(&scene.new, "/u/new"), 200);
	assert_holds(&scene.new, "Not shown yet");
	assert_holds(&scene.new, "Secret title");
	assert_status(browser_get(&scene.mod, "/u/new"), 200);
	assert_holds(&scene.mod, "Secret title");
	assert_status(browser_get(&scene.mod, path(&scene, "")), 200);
	assert_holds(&scene.mod, "Keep");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "Secret title");
	assert_holds(&scene.mod, "not shown yet");
	assert_holds(&scene.mod, "waiting for <time");
	/* It cannot be edited, nor posted twice. */
	assert_status(browser_get(&scene.new, path(&scene, "edit")), 409);
	assert_status(submit(&scene.new, "http://held.example/1"), 303);
	assert_int_equal(browser_article(&scene.new), scene.article);
}

/* Nor does what hides articles tell that there is one. */
static void
only_who_sees_it_can_hide_it(void **state)
{
	struct scene scene = begin(*state);
	struct arena *arena = &scene.world->arena;
	struct browser *const seeing[] = { &scene.mod, &scene.new };
	const char *line = path(&scene, "");

	assert_status(browser_get(&scene.ann, "/hidden"), 200);
	assert_status(browser_post(&scene.ann, "/articles/99/hide", NULL), 404);
	assert_status(
	    browser_post(&scene.ann, path(&scene, "hide"), NULL), 404);
	assert_status(
	    browser_post(&scene.ann, "/hidden", FIELDS("lines", line)), 422);
	assert_holds(&scene.ann,
	    fixture_string(arena, "Line 1, “%s”: this doesn’t exist.", line));
	for (size_t i = 0; i < sizeof(seeing) / sizeof(seeing[0]); i++) {
		assert_status(browser_get(seeing[i], "/hidden"), 200);
		assert_status(
		    browser_post(seeing[i], path(&scene, "hide"), NULL), 303);
	}
}

static void
times_begin_when_it_is_kept(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct article article;

	world_stop_clock(world, NOON + 10 * DAY);
	assert_status(judge(&scene, path(&scene, "dismiss")), 303);
	article = world_article(world, scene.article, 0);
	assert_int_equal(article.post.posted, NOON + 10 * DAY);
	assert_int_equal(article.post.closes, NOON + 17 * DAY);
	assert_int_equal(article.post.removed, 0);
	assert_int_equal(article.post.held, 0);
	assert_true(article.post.voters_known);
	assert_status(browser_get(&scene.ann, "/new"), 200);
	assert_holds(&scene.ann, "Secret title");
	assert_status(browser_get(&scene.ann, "/g/chess"), 200);
	assert_holds(&scene.ann, "Secret title");
	world_vote(world, scene.article, ANN, VOTE_UP);
	assert_int_equal(world_karma(world, NEW), 1);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "The queue is empty");
	assert_status(browser_get(&scene.visitor, "/log"), 200);
	assert_holds(&scene.visitor, path(&scene, ""));
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
	/* One was kept: what follows is shown at once. */
	assert_status(submit(&scene.new, "http://held.example/2"), 303);
	assert_int_equal(
	    world_article(world, browser_article(&scene.new), 0).post.held, 0);
	/* Keeping it again changes nothing. */
	assert_status(judge(&scene, path(&scene, "dismiss")), 303);
}

static void
link_is_claimed_for_nobody_else(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	uint64_t other;

	assert_status(browser_get(&scene.ann, "/submit"), 200);
	assert_status(browser_post(&scene.ann, "/submit",
			  FIELDS("title", "", "url", "http://held.example/1")),
	    422);
	assert_lacks(&scene.ann, "Secret");
	assert_status(submit(&scene.ann, "http://held.example/1"), 303);
	other = browser_article(&scene.ann);
	assert_int_not_equal(other, scene.article);
	assert_status(judge(&scene, path(&scene, "dismiss")), 409);
	assert_holds(&scene.mod, "This was posted by someone else");
	assert_int_not_equal(
	    world_article(world, scene.article, 0).post.held, 0);
	/* Once that is removed, it is free again. */
	world_remove(world, other);
	assert_status(judge(&scene, path(&scene, "dismiss")), 303);
	assert_int_equal(world_article(world, scene.article, 0).post.held, 0);
	commands_assert_whole(world);
}

static void
removed_ones_stay_unseen_and_may_be_restored(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	assert_status(judge(&scene, path(&scene, "remove")), 303);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "The queue is empty");
	assert_status(browser_get(&scene.ann, path(&scene, "")), 404);
	assert_status(browser_get(&scene.new, path(&scene, "")), 410);
	assert_holds(&scene.new, "A moderator removed this article");
	commands_assert_whole(world);
	world_stop_clock(world, NOON + 2 * HOUR);
	assert_status(judge(&scene, path(&scene, "restore")), 303);
	assert_int_equal(world_article(world, scene.article, 0).post.posted,
	    NOON + 2 * HOUR);
	world_vote(world, scene.article, ANN, VOTE_UP);
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
}

static void
authors_withdraw_them(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.new, path(&scene, "")), 200);
	assert_status(
	    browser_post(&scene.new, path(&scene, "withdraw"), NULL), 303);
	assert_status(browser_get(&scene.new, path(&scene, "")), 410);
	assert_holds(&scene.new, "You withdrew this article");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "The queue is empty");
	commands_assert_whole(scene.world);
}

/* How many comments members are to be notified of. */
static int64_t
outbox(const struct scene *scene)
{
	const struct buckets *buckets = &scene->world->store.buckets;

	return world_command(scene->world, TEXT("XLEN"),
	    key_outbox(
		&scene->world->arena, buckets, key_bucket_of(buckets, 1)))
	    .number;
}

static void
held_comments_are_nowhere_until_kept(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct post_id id = { .article = 1, .comment = 1 };
	struct comment comment;
	int64_t now;

	assert_status(browser_get(&scene.new, "/articles/1"), 200);
	assert_status(browser_post(&scene.new, "/articles/1/comments",
			  FIELDS("text", "Secret comment, @mod")),
	    303);
	assert_text(
	    scene.new.answer.location, "/articles/1/comments/1#comment-1");
	/* Sent twice it is there once. */
	assert_status(browser_post(&scene.new, "/articles/1/comments",
			  FIELDS("text", "Secret comment, @mod")),
	    303);
	assert_text(
	    scene.new.answer.location, "/articles/1/comments/1#comment-1");
	assert_nowhere(&scene.ann);
	assert_nowhere(&scene.visitor);
	assert_status(browser_get(&scene.ann, "/articles/1/comments/1"), 404);
	assert_status(browser_get(&scene.ann, "/"), 200);
	assert_holds(&scene.ann, "Comment");
	assert_int_equal(world_article(world, 1, 0).comments, 0);
	assert_int_equal(world_article(world, 1, 0).commented, 0);
	assert_int_equal(outbox(&scene), 0);
	assert_status(browser_get(&scene.new, "/articles/1/comments/1"), 200);
	assert_holds(&scene.new, "Secret comment");
	assert_status(browser_get(&scene.mod, "/articles/1/comments/1"), 200);
	assert_holds(&scene.mod, "Secret comment");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "Secret comment");
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
	/* Others' comments get the numbers behind it. */
	assert_int_equal(
	    world_comment(world, article_id(1), ANN, "An answer"), 2);
	world_stop_clock(world, NOON + 2 * HOUR);
	assert_status(judge(&scene, "/articles/1/comments/1/dismiss"), 303);
	assert_int_equal(
	    comment_get(&world->store, &world->arena, id, 0, &comment, &now),
	    STORE_OK);
	assert_int_equal(comment.post.posted, NOON + 2 * HOUR);
	assert_int_equal(comment.post.held, 0);
	assert_int_equal(comment.parent, 0);
	assert_int_equal(comment.post.up, 1);
	assert_true(comment.post.voters_known);
	assert_int_equal(world_article(world, 1, 0).comments, 2);
	assert_int_equal(world_article(world, 1, 0).commented, 2);
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_holds(&scene.ann, "Secret comment");
	assert_status(browser_get(&scene.ann, "/comments"), 200);
	assert_holds(&scene.ann, "Secret comment");
	assert_int_equal(outbox(&scene), 1);
	assert_int_equal(
	    world_cast(&world->store, &world->arena, id, ANN, VOTE_UP),
	    STORE_OK);
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
}

static void
held_comments_are_removed_and_deleted(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	for (int i = 1; i <= 2; i++) {
		assert_status(browser_get(&scene.new, "/articles/1"), 200);
		assert_status(
		    browser_post(&scene.new, "/articles/1/comments",
			FIELDS("text",
			    fixture_string(&world->arena, "Secret %d", i))),
		    303);
	}
	assert_status(judge(&scene, "/articles/1/comments/1/remove"), 303);
	assert_status(browser_get(&scene.new, "/articles/1/comments/2"), 200);
	assert_status(
	    browser_post(&scene.new, "/articles/1/comments/2/delete", NULL),
	    303);
	assert_int_equal(world_article(world, 1, 0).comments, 0);
	assert_nowhere(&scene.ann);
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
	assert_status(judge(&scene, "/articles/1/comments/1/restore"), 303);
	assert_int_equal(world_article(world, 1, 0).comments, 1);
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_holds(&scene.ann, "Secret 1");
	commands_assert_whole(world);
	assert_true(invariants_check(world) > 0);
}

static void
dumps_have_them(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text dump;

	assert_status(browser_get(&scene.new, "/articles/1"), 200);
	assert_status(browser_post(&scene.new, "/articles/1/comments",
			  FIELDS("text", "Secret comment")),
	    303);
	dump = commands_dump(world).out;
	assert_true(text_find(dump, 0, TEXT("Secret title")) != SIZE_MAX);
	assert_true(text_find(dump, 0, TEXT("Secret comment")) != SIZE_MAX);
	/* Whatever the number of buckets there. */
	assert_same(commands_dump_again(world, NOON + HOUR, dump, 3), dump);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(held_article_is_nowhere),
		world_test(author_and_moderators_see_it),
		world_test(only_who_sees_it_can_hide_it),
		world_test(times_begin_when_it_is_kept),
		world_test(link_is_claimed_for_nobody_else),
		world_test(removed_ones_stay_unseen_and_may_be_restored),
		world_test(authors_withdraw_them),
		world_test(held_comments_are_nowhere_until_kept),
		world_test(held_comments_are_removed_and_deleted),
		world_test(dumps_have_them),
	};

	return world_run("held posts", tests);
}

/* Entity tags: which pages have one, and what makes a page another one. */
#include <stdlib.h>

#include "../support/browser.h"
#include "pages/etag.h"
#include "store/close_account.h"
#include "store/comment.h"
#include "store/settings.h"

enum { DAY = 86400 };

#define PAGE	     "/articles/1"
#define COMMENT_PAGE "/articles/1/comments/1"

/* Article 1 by ann with a comment by bob, and article 2, whose bucket is the same. */
struct scene {
	struct world *world;
	struct browser reader;
};

/* An article in the bucket of the first one. */
static uint64_t
post_neighbour(struct world *world)
{
	uint64_t id;

	do
		id = world_post(world, 1, "Later",
		    text_string(&world->arena,
			text_format(&world->arena, "http://b.example/%lld",
			    (long long)world_now(world))),
		    "");
	while (key_bucket_of(&world->store.buckets, id) !=
	    key_bucket_of(&world->store.buckets, 1));
	return id;
}

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	scene.reader = browser_open(world);
	scene.reader.app.etags = etags_new(&world->arena);
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", "news"), 1);
	world_comment(world, article_id(1), 2, "Words.");
	return scene;
}

/* The same when votes and comments are final. */
static struct scene
begin_final(struct world *world)
{
	struct scene scene = begin(world);

	world_move_clock(world, 37 * DAY);
	return scene;
}

/* Reads the page, and keeps it as nginx does. */
static void
keep(struct browser *reader, const char *target)
{
	reader->if_none_match = TEXT("");
	assert_status(browser_get(reader, target), 200);
	assert_int_equal(reader->answer.cache, CACHE_ONE_SECOND);
	assert_true(reader->answer.etag.size > 0);
	reader->if_none_match = reader->answer.etag;
}

static int64_t
articles_read(struct world *world)
{
	return world_info(world, "commandstats", "cmdstat_getrange");
}

static void
assert_kept(struct browser *reader, const char *target)
{
	assert_status(browser_get(reader, target), 304);
	assert_int_equal(reader->answer.body.size, 0);
	assert_int_equal(reader->answer.cache, CACHE_ONE_SECOND);
	assert_int_equal(
	    text_find(reader->head, 0, TEXT("Content-Length")), SIZE_MAX);
}

/* The page is shown again, under another tag. */
static void
assert_renewed(struct browser *reader, const char *target)
{
	struct text before = reader->if_none_match;

	assert_status(browser_get(reader, target), 200);
	assert_false(text_equal(reader->answer.etag, before));
	keep(reader, target);
}

static void
only_final_pages_have_one(void **state)
{
	static const struct {
		int64_t seconds;
		bool is_final;
	} moments[] = { { 0, false }, { 7 * DAY, false }, { 30 * DAY, false },
		{ 37 * DAY - 1, false }, { 37 * DAY, true },
		{ 400 * DAY, true } };
	struct scene scene = begin(*state);
	int64_t moved = 0;

	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		world_move_clock(scene.world, moments[i].seconds - moved);
		moved = moments[i].seconds;
		assert_status(browser_get(&scene.reader, PAGE), 200);
		assert_int_equal(
		    scene.reader.answer.etag.size > 0, moments[i].is_final);
		assert_int_equal(scene.reader.answer.cache,
		    moments[i].is_final ? CACHE_ONE_SECOND : CACHE_NEVER);
		assert_status(browser_get(&scene.reader, COMMENT_PAGE), 200);
		assert_int_equal(
		    scene.reader.answer.etag.size > 0, moments[i].is_final);
	}
	assert_status(browser_get(&scene.reader, PAGE "?fold=1"), 200);
	assert_int_equal(scene.reader.answer.etag.size, 0);
	assert_status(browser_get(&scene.reader, PAGE "?page=2"), 404);
	assert_int_equal(scene.reader.answer.cache, CACHE_NEVER);
}

/* A thread that moderators close is final a week later, since comments take votes. */
static void
closed_threads_are_final_earlier(void **state)
{
	struct scene scene = begin(*state);

	assert_int_equal(
	    article_set_thread(&scene.world->store, &scene.world->arena, 1,
		ARTICLE_THREAD_CLOSED, &world_removal),
	    STORE_OK);
	world_move_clock(scene.world, 7 * DAY - 1);
	assert_status(browser_get(&scene.reader, PAGE), 200);
	assert_int_equal(scene.reader.answer.etag.size, 0);
	world_move_clock(scene.world, 1);
	keep(&scene.reader, PAGE);
	assert_int_equal(
	    article_set_thread(&scene.world->store, &scene.world->arena, 1,
		ARTICLE_THREAD_OPEN, &world_restoring),
	    STORE_OK);
	assert_status(browser_get(&scene.reader, PAGE), 200);
	assert_int_equal(scene.reader.answer.cache, CACHE_NEVER);
}

static void
nothing_is_read_while_nothing_changes(void **state)
{
	static const char *const targets[] = { PAGE, COMMENT_PAGE,
		PAGE "?order=new" };
	struct scene scene = begin_final(*state);
	int64_t before;

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		keep(&scene.reader, targets[i]);
		before = articles_read(scene.world);
		assert_kept(&scene.reader, targets[i]);
		world_move_clock(scene.world, DAY);
		assert_kept(&scene.reader, targets[i]);
		assert_int_equal(articles_read(scene.world), before);
	}
}

/* Comments elsewhere do not renew the page; the article is read then. */
static void
changes_of_others_renew_nothing(void **state)
{
	struct scene scene = begin_final(*state);
	int64_t before;

	keep(&scene.reader, PAGE);
	world_comment(
	    scene.world, article_id(post_neighbour(scene.world)), 2, "Words.");
	before = articles_read(scene.world);
	assert_kept(&scene.reader, PAGE);
	assert_int_equal(articles_read(scene.world), before + 1);
}

/* What was sent a year ago is what is sent now. */
static void
final_pages_look_the_same_on_each_day(void **state)
{
	struct scene scene = begin_final(*state);
	struct text first;

	keep(&scene.reader, PAGE);
	first = scene.reader.answer.body;
	assert_lacks(&scene.reader, "days ago");
	assert_lacks(&scene.reader, "anked");
	world_move_clock(scene.world, 500 * DAY);
	keep(&scene.reader, PAGE);
	assert_true(text_equal(first, scene.reader.answer.body));
}

static void
removal_is_seen(void **state)
{
	struct scene scene = begin_final(*state);

	keep(&scene.reader, PAGE);
	world_remove(scene.world, 1);
	assert_status(browser_get(&scene.reader, PAGE), 410);
	assert_int_equal(scene.reader.answer.etag.size, 0);
	assert_status(browser_get(&scene.reader, COMMENT_PAGE), 410);
	assert_int_equal(article_restore(&scene.world->store,
			     &scene.world->arena, 1, &world_restoring),
	    STORE_OK);
	assert_kept(&scene.reader, PAGE);
}

static void
removal_of_a_comment_is_seen(void **state)
{
	struct scene scene = begin_final(*state);
	struct browser other = scene.reader;

	keep(&scene.reader, PAGE);
	keep(&other, COMMENT_PAGE);
	assert_int_equal(post_remove(&scene.world->store, &scene.world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_renewed(&scene.reader, PAGE);
	assert_status(browser_get(&other, COMMENT_PAGE), 410);
}

static void
erased_names_are_seen(void **state)
{
	struct scene scene = begin_final(*state);
	struct browser other = scene.reader;
	struct user bob = world_user(scene.world, 2);

	keep(&scene.reader, PAGE);
	keep(&other, COMMENT_PAGE);
	assert_holds(&other, "/u/bob");
	assert_int_equal(close_account(&scene.world->store, &scene.world->arena,
			     &bob, CLOSE_ACCOUNT_ERASE_NAME),
	    STORE_OK);
	assert_renewed(&scene.reader, PAGE);
	assert_lacks(&scene.reader, "/u/bob");
	assert_renewed(&other, COMMENT_PAGE);
	assert_lacks(&other, "/u/bob");
}

static void
edits_by_moderators_are_seen(void **state)
{
	struct scene scene = begin_final(*state);

	keep(&scene.reader, PAGE);
	assert_int_equal(article_set_groups(&scene.world->store,
			     &scene.world->arena, 1, TEXT(""), TEXT("news")),
	    STORE_OK);
	assert_renewed(&scene.reader, PAGE);
	assert_lacks(&scene.reader, "/g/news");
}

static void
settings_are_seen(void **state)
{
	struct scene scene = begin_final(*state);
	struct settings changed;

	keep(&scene.reader, PAGE);
	assert_int_equal(
	    settings_get(&scene.world->store, &scene.world->arena, &changed),
	    STORE_OK);
	changed.name = TEXT("Another name");
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &changed),
	    STORE_OK);
	assert_renewed(&scene.reader, PAGE);
	assert_holds(&scene.reader, "Another name");
}

/* nginx has pages of their own for who dismissed the announcement. */
static void
dismissed_announcements_make_another_page(void **state)
{
	struct scene scene = begin_final(*state);
	struct browser *reader = &scene.reader;
	struct settings changed;

	assert_int_equal(
	    settings_get(&scene.world->store, &scene.world->arena, &changed),
	    STORE_OK);
	changed.announcement = TEXT("Moves on Sunday.");
	changed.announced =
	    text_number(&scene.world->arena, world_now(scene.world));
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &changed),
	    STORE_OK);
	keep(reader, PAGE);
	assert_holds(reader, "Moves on Sunday.");
	assert_kept(reader, PAGE);
	assert_status(
	    browser_post(reader, "/dismiss",
		FIELDS("announced",
		    text_string(&scene.world->arena, changed.announced))),
	    303);
	assert_renewed(reader, PAGE);
	assert_lacks(reader, "Moves on Sunday.");
	assert_kept(reader, PAGE);
}

/* Other templates, or a Redis that may have lost data. */
static void
another_start_or_connection_renews_all(void **state)
{
	struct scene scene = begin_final(*state);
	struct etags *others = etags_new(&scene.world->arena);

	keep(&scene.reader, PAGE);
	scene.reader.app.etags = others;
	assert_renewed(&scene.reader, PAGE);
	world_command(scene.world, TEXT("CLIENT"), TEXT("KILL"), TEXT("TYPE"),
	    TEXT("normal"), TEXT("SKIPME"), TEXT("no"));
	assert_renewed(&scene.reader, PAGE);
	assert_kept(&scene.reader, PAGE);
	etags_free(others);
}

/* Forged, cut and of another page: never a 304, and no fault. */
static void
other_tags_match_nothing(void **state)
{
	static const char *const tags[] = { "\"\"", "*", ".", "\".\"", "\"0.",
		"W/\"1.2.3.4\"" };
	struct scene scene = begin_final(*state);
	struct text tag;

	keep(&scene.reader, PAGE);
	tag = scene.reader.if_none_match;
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		scene.reader.if_none_match = text_of(tags[i]);
		assert_status(browser_get(&scene.reader, PAGE), 200);
	}
	post_neighbour(scene.world);
	for (size_t size = 1; size + 34 < tag.size; size++) {
		scene.reader.if_none_match = text_slice(tag, 0, size);
		assert_status(browser_get(&scene.reader, PAGE), 200);
	}
}

static void
members_have_none(void **state)
{
	struct scene scene = begin_final(*state);
	struct browser carl = browser_member(scene.world, "carl");

	keep(&scene.reader, PAGE);
	carl.app.etags = scene.reader.app.etags;
	carl.if_none_match = scene.reader.if_none_match;
	assert_status(browser_get(&carl, PAGE), 200);
	assert_int_equal(carl.answer.etag.size, 0);
	assert_int_equal(carl.answer.cache, CACHE_NEVER);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(only_final_pages_have_one),
		world_test(closed_threads_are_final_earlier),
		world_test(nothing_is_read_while_nothing_changes),
		world_test(changes_of_others_renew_nothing),
		world_test(final_pages_look_the_same_on_each_day),
		world_test(removal_is_seen),
		world_test(removal_of_a_comment_is_seen),
		world_test(erased_names_are_seen),
		world_test(edits_by_moderators_are_seen),
		world_test(settings_are_seen),
		world_test(dismissed_announcements_make_another_page),
		world_test(another_start_or_connection_renews_all),
		world_test(other_tags_match_nothing),
		world_test(members_have_none),
	};

	return world_run("etag", tests);
}

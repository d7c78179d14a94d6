/*
 * Texts that are expensive to render: how much of them a page shows, where pages end,
 * and how long other requests wait.
 */
#include <poll.h>
#include <string.h>

#include "../support/browser.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "redis/redis.h"
#include "store/comment.h"

enum { COMMENTS = 60, LINES = 4990 };

/* 10 KB that become 105 KB of HTML: each "#" is a heading. And a number, since a text that
 * equals the last one counts as a repetition. */
static const char *
headings(struct arena *arena, int number)
{
	char *bytes = arena_bytes(arena, (size_t)2 * LINES + 1);

	for (size_t i = 0; i < LINES; i++)
		memcpy(bytes + 2 * i, "#\n", 2);
	bytes[2 * LINES] = '\0';
	return fixture_string(arena, "%sNo. %d", bytes, number);
}

/* Article 1 by ann, with long comments by bob. */
static struct browser
begin(struct world *world)
{
	struct browser ann;

	world_stop_clock(world, NOON);
	ann = browser_member(world, "ann");
	world_member(world, "bob");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", ""), 1);
	for (int i = 0; i < COMMENTS; i++) {
		world_move_clock(world, 1);
		world_comment(
		    world, article_id(1), 2, headings(&world->arena, i));
	}
	return ann;
}

/* The target of "Next"; empty on the last page. */
static struct text
next_of(struct browser *browser)
{
	struct text body = browser->answer.body;
	struct text mark = TEXT("<a rel=\"next\" href=\"");
	size_t at = text_find(body, 0, mark);
	struct text rest, href;
	struct buffer plain = buffer_in(&browser->world->arena, 100);

	if (at == SIZE_MAX)
		return TEXT("");
	rest = text_slice(body, at + mark.size, body.size);
	assert_true(text_cut(&rest, '"', &href));
	while (text_cut(&href, '&', &rest)) {
		buffer_add(&plain, rest);
		if (href.data != NULL) {
			buffer_add_char(&plain, '&');
			href = text_slice(href, strlen("amp;"), href.size);
		}
	}
	return buffer_text(&plain);
}

/* Appends the numbers of the page's comments. */
static size_t
add_numbers(const struct browser *browser, uint64_t *numbers, size_t count)
{
	struct text body = browser->answer.body;
	struct text mark = TEXT("data-comment=\"");
	size_t at = 0;

	while ((at = text_find(body, at, mark)) != SIZE_MAX) {
		struct text rest = text_slice(body, at + mark.size, 20), digits;

		assert_true(text_cut(&rest, '"', &digits));
		assert_true(count < 4 * COMMENTS);
		assert_true(text_to_u64(digits, &numbers[count++]));
		at += mark.size;
	}
	return count;
}

/* Follows "Next" to the last page: every comment is on one page, the first and last as
 * given, and no page is too large. Returns the number of pages. */
static int
walk(struct browser *browser, const char *target, uint64_t first, uint64_t last,
    size_t wanted)
{
	uint64_t numbers[4 * COMMENTS];
	size_t count = 0;
	int pages = 0;

	for (struct text next = text_of(target); next.size > 0;
	    next = next_of(browser)) {
		size_t before = count;

		assert_status(browser_get(browser,
				  text_string(&browser->world->arena, next)),
		    200);
		assert_in_range(browser->answer.body.size, 1000, 256 * 1024);
		count = add_numbers(browser, numbers, count);
		assert_true(count > before);
		pages++;
	}
	assert_int_equal(count, wanted);
	assert_int_equal(numbers[0], first);
	assert_int_equal(numbers[count - 1], last);
	for (size_t i = 1; i < count; i++)
		if (first < last)
			assert_true(numbers[i] > numbers[i - 1]);
		else
			assert_true(numbers[i] < numbers[i - 1]);
	return pages;
}

/* Twelve texts of 16 KB fill a page. */
static void
pages_end_by_bytes_and_continue(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	assert_int_equal(
	    walk(&reader, "/articles/1?order=oldest", 1, COMMENTS, COMMENTS),
	    5);
	assert_holds(&reader, "<span>Page 1, continued</span>");
	assert_holds(&reader, ">Start of page 1</a>");
	assert_int_equal(
	    walk(&ann, "/articles/1?order=new", COMMENTS, 1, COMMENTS), 5);
	assert_status(browser_get(&reader, "/articles/1?from=13"), 200);
	assert_holds(&reader, "<p class=\"note\">12 more before these</p>");
	assert_holds(&reader, "<p class=\"note\">36 more follow</p>");
	/* Pages of 25, 25 and 10, of which the first two have three parts each. */
	assert_int_equal(walk(&reader, "/comments", COMMENTS, 1, COMMENTS), 7);
	assert_int_equal(
	    walk(&ann, "/u/bob/comments", COMMENTS, 1, COMMENTS), 7);
}

static void
invalid_parts_are_refused(void **state)
{
	static const struct {
		const char *target;
		int status;
	} cases[] = { { "/articles/1?from=1", 400 },
		{ "/articles/1?from=0", 400 }, { "/articles/1?from=x", 400 },
		{ "/articles/1?from=60", 200 }, { "/articles/1?from=61", 404 },
		{ "/articles/1?from=999999999", 404 },
		{ "/articles/1?comment=1", 200 },
		{ "/articles/1?comment=0", 400 },
		{ "/articles/1?comment=x", 400 },
		/* It is not on the first part of the page. */
		{ "/articles/1?order=oldest&comment=60", 303 },
		{ "/articles/1/comments/1?from=2", 404 },
		{ "/comments?from=1", 400 }, { "/comments?from=25", 200 },
		{ "/comments?from=26", 404 }, { "/inbox?from=26", 404 },
		{ "/u/bob/comments?page=3&from=60", 200 },
		{ "/u/bob/comments?page=3&from=61", 404 } };
	struct world *world = *state;
	struct browser ann = begin(world);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_status(
		    browser_get(&ann, cases[i].target), cases[i].status);
}

/* Its ancestors come first, however long they are; its replies follow. */
static void
page_of_a_comment_ends_by_bytes(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	uint64_t root = world_comment(
	    world, (struct post_id){ 1, 1 }, 2, headings(&world->arena, 20));
	const char *target = fixture_string(
	    &world->arena, "/articles/1/comments/%d?page=1", (int)root);
	int replies = 0;

	for (int i = 0; i < 20; i++)
		world_comment(world, (struct post_id){ 1, root }, 2,
		    headings(&world->arena, i));
	assert_status(browser_get(&ann, target), 200);
	/* Its own text is complete, the others are cut. */
	assert_holds(&ann, "Show all");
	assert_int_equal(browser_count(&ann, "id=\"comment-1\""), 1);
	assert_true(browser_count(&ann, "<h3") > LINES);
	for (;;) {
		struct text next = next_of(&ann);

		replies += (int)browser_count(&ann,
		    fixture_string(
			&world->arena, "data-parent=\"%d\"", (int)root));
		assert_int_equal(browser_count(&ann, "id=\"comment-1\""), 1);
		if (next.size == 0)
			break;
		assert_status(
		    browser_get(&ann, text_string(&world->arena, next)), 200);
	}
	assert_int_equal(replies, 20);
}

/* Cut at 16 KB, after a block, on a page with others, and complete on its own page. */
static void
long_text_is_cut_at_a_block(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct text body, cut;
	size_t begins, ends;

	ann = begin(world);
	assert_status(browser_get(&ann, "/articles/1?order=oldest"), 200);
	assert_holds(&ann,
	    "<p class=\"hint\"><a href=\"/articles/1/comments/1\">Show all<span "
	    "class=\"unseen\"> of <bdi>bob</bdi>’s comment</span></a></p>");
	body = ann.answer.body;
	begins = text_find(body, 0, TEXT("<div class=\"said\">\n"));
	ends = text_find(body, begins, TEXT("\n</div>"));
	cut = text_slice(body, begins, ends - begins);
	assert_in_range(cut.size, 15 * 1024, 16 * 1024 + 40);
	assert_int_equal(
	    browser_count(&ann, "<h3"), browser_count(&ann, "</h3>"));
	assert_status(browser_get(&ann, "/articles/1/comments/1"), 200);
	assert_int_equal(browser_count(&ann, "</h3>"), LINES + 1);
	assert_holds(&ann, "No. 0");
	assert_lacks(&ann, "Show all");
	/* It is also shown above the form for replies. */
	assert_status(browser_get(&ann, "/articles/1/reply?parent=1"), 200);
	assert_holds(&ann, "Show all");
	assert_true(ann.answer.body.size < 32 * 1024);
}

static void
pages_of_inboxes_end_by_bytes(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	int pages = 0;
	size_t shown = 0;

	for (uint64_t i = 1; i <= 25; i++) {
		struct text member = text_join(&world->arena,
		    encode_post(&world->arena, (struct post_id){ 1, i }),
		    (struct text){ "\0", 1 });

		world_command(world, TEXT("ZADD"), TEXT("{u1}inbox"),
		    text_number(&world->arena, (int64_t)i), member);
	}
	for (struct text next = TEXT("/inbox"); next.size > 0;
	    next = next_of(&ann)) {
		assert_status(
		    browser_get(&ann, text_string(&world->arena, next)), 200);
		assert_in_range(ann.answer.body.size, 1000, 256 * 1024);
		shown += browser_count(&ann, "<div class=\"notice");
		pages++;
	}
	assert_int_equal(shown, 25);
	assert_int_equal(pages, 3);
}

static int64_t
time_of(struct browser *browser, enum http_method method, const char *target)
{
	int64_t before = fixture_processor_us();

	assert_status(browser_send(browser, method, target, TEXT("")), 200);
	return fixture_processor_us() - before;
}

/* Rendered texts are not rendered again, and a HEAD request renders nothing. */
static void
rendered_texts_are_cached(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	int64_t head, first, again = INT64_MAX;

	ann.app.read_cache = world->cache;
	ann.app.body_cache = cache_new_bounded(256, 300000, 16000000);
	ann.app.piece_cache = cache_new_bounded(256, 300000, 16000000);
	head = time_of(&ann, HTTP_HEAD, "/articles/1");
	first = time_of(&ann, HTTP_GET, "/articles/1");
	for (int i = 0; i < 5; i++) {
		int64_t taken = time_of(&ann, HTTP_GET, "/articles/1");

		again = taken < again ? taken : again;
	}
	assert_true(head < first / 4);
	assert_true(again < first / 2);
	cache_free(ann.app.body_cache);
	cache_free(ann.app.piece_cache);
}

/* A damaged thread whose comment has no hash, until it is repaired. */
static void
comments_that_come_back_are_shown_again(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *bob = &scene.bob;
	struct text key = key_post(
	    &world->arena, &world->store.buckets, (struct post_id){ 1, 1 });
	struct text other = text_join(&world->arena, key, TEXT(":elsewhere"));

	bob->app.piece_cache = cache_new_bounded(256, 300000, 16000000);
	world_comment(world, article_id(1), 1, "Well said.");
	world_move_clock(world, world->store.rules.vote_window + 60);
	world_command(world, TEXT("RENAME"), key, other);
	assert_status(browser_get(bob, "/articles/1"), 200);
	assert_lacks(bob, "Well said.");
	world_command(world, TEXT("RENAME"), other, key);
	assert_status(browser_get(bob, "/articles/1"), 200);
	assert_holds(bob, "Well said.");
	cache_free(bob->app.piece_cache);
}

struct viewing {
	struct browser browser;
	bool ended;
};

static void
look(void *data)
{
	struct viewing *viewing = data;

	assert_status(
	    browser_get(&viewing->browser, "/articles/1?order=oldest"), 200);
	viewing->ended = true;
}

static bool
have_ended(const struct viewing *viewings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!viewings[i].ended)
			return false;
	return true;
}

/* A worker's loop; returns how often a fiber had yielded. */
static int
look_at_once(struct redis *redis, struct viewing *viewings, size_t count)
{
	int turns = 0;

	for (size_t i = 0; i < count; i++)
		fiber_start(look, &viewings[i]);
	for (redis_flush(redis); !have_ended(viewings, count);
	    redis_flush(redis)) {
		struct pollfd poll_for = { .fd = redis_descriptor(redis),
			.events = POLLIN };
		bool waits = fiber_any_yielded();

		if (poll(&poll_for, 1, waits ? 0 : redis_timeout(redis)) == 1)
			redis_ready(redis);
		turns += waits;
		fiber_resume_yielded();
	}
	return turns;
}

/* A fiber that renders yields often, so that others continue. */
static void
rendering_yields_to_other_requests(void **state)
{
	struct world *world = *state;
	struct viewing viewing = { .browser = begin(world) };

	assert_true(look_at_once(world->store.redis, &viewing, 1) >= 3);
}

/* The processor time that so many readers take to open an uncached page at once. */
static int64_t
time_of_looking(struct world *world, struct viewing *viewings, size_t count)
{
	struct cache *bodies = cache_new_bounded(256, 300000, 16000000);
	struct cache *pieces = cache_new_bounded(256, 300000, 16000000);
	int64_t before;

	for (size_t i = 0; i < count; i++) {
		viewings[i].browser.app.read_cache = world->cache;
		viewings[i].browser.app.body_cache = bodies;
		viewings[i].browser.app.piece_cache = pieces;
		viewings[i].ended = false;
	}
	before = fixture_processor_us();
	look_at_once(world->store.redis, viewings, count);
	cache_free(bodies);
	cache_free(pieces);
	return fixture_processor_us() - before;
}

/* Each of many who open a page at once would render all of its texts. */
static void
texts_are_rendered_once_for_all(void **state)
{
	enum { READERS = 6 };
	struct world *world = *state;
	struct viewing viewings[READERS];
	int64_t one, all;

	for (int i = 0; i < READERS; i++)
		viewings[i].browser = i == 0
		    ? begin(world)
		    : browser_member(
			  world, fixture_string(&world->arena, "reader%d", i));
	one = time_of_looking(world, viewings, 1);
	all = time_of_looking(world, viewings, READERS);
	assert_true(all < 3 * one);
	for (int i = 0; i < READERS; i++)
		assert_int_equal(
		    browser_count(&viewings[i].browser, "data-comment=\""), 12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(pages_end_by_bytes_and_continue),
		world_test(invalid_parts_are_refused),
		world_test(page_of_a_comment_ends_by_bytes),
		world_test(long_text_is_cut_at_a_block),
		world_test(pages_of_inboxes_end_by_bytes),
		world_test(rendered_texts_are_cached),
		world_test(comments_that_come_back_are_shown_again),
		world_test(rendering_yields_to_other_requests),
		world_test(texts_are_rendered_once_for_all),
	};

	return world_run("large", tests);
}

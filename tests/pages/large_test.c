/*
 * Texts that cost much: what a page shows of them, where it ends and goes on, and what
 * rendering them takes from others.
 */
#include <poll.h>
#include <string.h>

#include "../support/browser.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "redis/redis.h"
#include "store/comment.h"

enum { NOON = 1700000000, COMMENTS = 60, LINES = 4990 };

/* Of 10 KB: each "#" is a heading, and all of them 105 KB. */
static struct text
headings(struct arena *arena)
{
	char *bytes = arena_bytes(arena, (size_t)2 * LINES);

	for (size_t i = 0; i < LINES; i++)
		memcpy(bytes + 2 * i, "#\n", 2);
	return (struct text){ bytes, (size_t)2 * LINES };
}

static uint64_t
say(struct world *world, uint64_t user, const char *name, uint64_t parent,
    struct text text)
{
	struct comment comment = { .post.id.article = 1,
		.post.author = { user, text_of(name) },
		.parent = (int64_t)parent,
		.text = text };
	struct comment_posting posting = { .wait = 0 };

	assert_int_equal(
	    comment_post(&world->store, &world->arena, &comment, &posting),
	    STORE_OK);
	return comment.post.id.comment;
}

/* Article 1, of ann's, to which bob says so much. */
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
		/* Each other than the one before: that would be the same again. */
		say(world, 2, "bob", 0,
		    text_join(&world->arena, headings(&world->arena),
			text_format(&world->arena, "No. %d", i)));
	}
	return ann;
}

/* Where "Next" leads; empty on the last page. */
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

/* The numbers of the page's comments, added to those before. */
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

/* Goes from a page to the next until the last: all comments come once, first and last as
 * given, and no page is large. Returns how many pages there were. */
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

/* Twelve texts of 16 KB are a page's bytes. */
static void
pages_end_by_bytes_and_go_on(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	assert_int_equal(
	    walk(&reader, "/articles/1?order=oldest", 1, COMMENTS, COMMENTS),
	    5);
	assert_holds(&reader, "<span>Page 1, continued</span>");
	assert_holds(&reader, "← Start of page 1</a>");
	assert_int_equal(
	    walk(&ann, "/articles/1?order=new", COMMENTS, 1, COMMENTS), 5);
	assert_status(browser_get(&reader, "/articles/1?from=13"), 200);
	assert_holds(&reader, "<p class=\"note\">12 more before these</p>");
	assert_holds(&reader, "<p class=\"note\">36 more follow</p>");
	/* 25 and 25 and 10, of which the first two have three parts each. */
	assert_int_equal(walk(&reader, "/comments", COMMENTS, 1, COMMENTS), 7);
	assert_int_equal(
	    walk(&ann, "/u/bob/comments", COMMENTS, 1, COMMENTS), 7);
}

static void
other_parts_are_none(void **state)
{
	static const struct {
		const char *target;
		int status;
	} cases[] = { { "/articles/1?from=1", 400 },
		{ "/articles/1?from=0", 400 }, { "/articles/1?from=x", 400 },
		{ "/articles/1?from=60", 200 }, { "/articles/1?from=61", 404 },
		{ "/articles/1?from=999999999", 404 },
		{ "/articles/1/comments/1?from=2", 404 },
		{ "/comments?from=1", 400 }, { "/comments?from=25", 200 },
		{ "/comments?from=26", 404 }, { "/inbox?from=26", 404 },
		{ "/u/bob/comments?page=3&from=10", 200 },
		{ "/u/bob/comments?page=3&from=11", 404 } };
	struct world *world = *state;
	struct browser ann = begin(world);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_status(
		    browser_get(&ann, cases[i].target), cases[i].status);
}

/* What it answers stands above, whatever that takes; what answers it follows. */
static void
the_page_of_one_ends_by_bytes(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text long_text = headings(&world->arena);
	uint64_t root = say(world, 2, "bob", 1, long_text);
	const char *target = fixture_string(
	    &world->arena, "/articles/1/comments/%d?page=1", (int)root);
	int replies = 0;

	for (int i = 0; i < 20; i++)
		say(world, 2, "bob", root,
		    text_join(&world->arena, long_text,
			text_format(&world->arena, "No. %d", i)));
	assert_status(browser_get(&ann, target), 200);
	/* All of its own text, of the others the beginning. */
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

/* Sixteen KB among others, behind a block; and all of it on its own page. */
static void
a_long_text_is_cut_at_a_block(void **state)
{
	struct world *world = *state;
	struct browser ann;
	struct text body, cut;
	size_t begins, ends;

	ann = begin(world);
	assert_status(browser_get(&ann, "/articles/1?order=oldest"), 200);
	assert_holds(&ann,
	    "<p class=\"hint\"><a href=\"/articles/1/comments/1\">Show all<span "
	    "class=\"unseen\"> of bob’s comment</span></a></p>");
	body = ann.answer.body;
	begins = text_find(body, 0, TEXT("<div class=\"said\">\n"));
	ends = text_find(body, begins, TEXT("\n</div>"));
	cut = text_slice(body, begins, ends - begins);
	assert_in_range(cut.size, 15 * 1024, 16 * 1024 + 40);
	assert_int_equal(browser_count(&ann, "<h3 dir=\"auto\">"),
	    browser_count(&ann, "</h3>"));
	assert_status(browser_get(&ann, "/articles/1/comments/1"), 200);
	assert_int_equal(browser_count(&ann, "</h3>"), LINES);
	assert_holds(&ann, "No. 0");
	assert_lacks(&ann, "Show all");
	/* It is what is answered as well. */
	assert_status(browser_get(&ann, "/articles/1/reply?parent=1"), 200);
	assert_holds(&ann, "Show all");
	assert_true(ann.answer.body.size < 32 * 1024);
}

static void
inboxes_end_by_bytes(void **state)
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

/* What was rendered is not rendered again, and nothing is for a HEAD. */
static void
rendering_is_paid_once(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	int64_t head, first, again = INT64_MAX;

	ann.app.read_cache = world->cache;
	ann.app.body_cache = cache_new_bounded(256, 300000, 16000000);
	ann.app.comment_cache = cache_new_bounded(256, 300000, 16000000);
	head = time_of(&ann, HTTP_HEAD, "/articles/1");
	first = time_of(&ann, HTTP_GET, "/articles/1");
	for (int i = 0; i < 5; i++) {
		int64_t taken = time_of(&ann, HTTP_GET, "/articles/1");

		again = taken < again ? taken : again;
	}
	assert_true(head < first / 4);
	assert_true(again < first / 2);
	cache_free(ann.app.body_cache);
	cache_free(ann.app.comment_cache);
}

struct viewing {
	struct browser *browser;
	bool ended;
};

static void
look(void *data)
{
	struct viewing *viewing = data;

	assert_status(browser_get(viewing->browser, "/articles/1"), 200);
	viewing->ended = true;
}

/* A fiber that renders stops again and again, so that others go on. */
static void
rendering_gives_way(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct viewing viewing = { .browser = &ann };
	struct redis *redis = world->store.redis;
	int turns = 0;

	fiber_start(look, &viewing);
	for (redis_flush(redis); !viewing.ended; redis_flush(redis)) {
		struct pollfd poll_for = { .fd = redis_descriptor(redis),
			.events = POLLIN };
		bool waits = fiber_any_yielded();

		if (poll(&poll_for, 1, waits ? 0 : redis_timeout(redis)) == 1)
			redis_ready(redis);
		turns += waits;
		fiber_resume_yielded();
	}
	assert_true(turns >= 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(pages_end_by_bytes_and_go_on),
		world_test(other_parts_are_none),
		world_test(the_page_of_one_ends_by_bytes),
		world_test(a_long_text_is_cut_at_a_block),
		world_test(inboxes_end_by_bytes),
		world_test(rendering_is_paid_once),
		world_test(rendering_gives_way),
	};

	return world_run("large", tests);
}

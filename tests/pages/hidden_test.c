/* Hiding: the buttons, the page that lists what is hidden, and where it is left out. */
#include <stdio.h>

#include "../support/browser.h"
#include "base/buffer.h"
#include "lists/hidden.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/keys.h"
#include "store/relay.h"

/* Articles 1 by ann in aa, 2 by bob in bb, 3 by ann about Rust from a host, and 4 by eve. */
struct scene {
	struct browser ann, bob, eve, visitor;
};

static struct scene
begin(struct world *world)
{
	struct scene scene;

	world_stop_clock(world, NOON);
	scene = (struct scene){ .ann = browser_member(world, "ann"),
		.bob = browser_member(world, "bob"),
		.eve = browser_member(world, "eve"),
		.visitor = browser_open(world) };
	world_group(world, "aa");
	world_group(world, "bb");
	world_post(world, 1, "One", "", "aa");
	world_post(world, 2, "Two", "http://two.example/", "bb");
	world_post(world, 1, "Rust is here", "http://sub.site.example/", "");
	world_post(world, 3, "Four", "", "aa bb");
	assert_status(browser_get(&scene.eve, "/"), 200);
	return scene;
}

static void
assert_list(struct browser *browser, const char *target, const char *ids)
{
	assert_status(browser_get(browser, target), 200);
	assert_text(browser_ids(browser), ids);
}

/* A field of the page's forms. */
static void
set(struct browser *browser, const char *what, const char *value)
{
	assert_status(browser_get(browser, "/hidden"), 200);
	assert_status(
	    browser_post(browser, "/hidden", FIELDS(what, value)), 303);
}

static void
hide(struct browser *browser, const char *path, const char *state)
{
	char target[80];

	snprintf(target, sizeof(target), "%s/hide", path);
	assert_status(browser_get(browser, "/hidden"), 200);
	assert_status(
	    browser_post(browser, target, FIELDS("state", state)), 303);
	assert_text(browser->answer.location, path);
}

static void
buttons_hide_and_show_again(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;
	static const struct {
		const char *page, *button, *left;
	} rows[] = {
		{ "/articles/2", "aria-label=\"Hide this article\">Hide<",
		    "4 3 1" },
		{ "/u/ann", ">Hide <bdi>ann</bdi><", "4 2" },
		{ "/g/aa", ">Hide <bdi>aa</bdi><", "4 3 2" },
		{ "/from/site.example", ">Hide <bdi>site.example</bdi><",
		    "4 2 1" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *line = rows[i].page;

		assert_status(browser_get(eve, rows[i].page), 200);
		assert_holds(eve, "/hide\"");
		assert_holds(eve, rows[i].button);
		hide(eve, line, "on");
		/* On its own page everything is there. */
		assert_status(browser_get(eve, rows[i].page), 200);
		assert_holds(eve, "value=\"off\">Show again");
		assert_list(eve, "/?order=new", rows[i].left);
		assert_list(&scene.visitor, "/?order=new", "4 3 2 1");
		assert_status(browser_get(eve, "/hidden"), 200);
		assert_holds(eve, "1 rule of 200.");
		hide(eve, line, "off");
		assert_list(eve, "/?order=new", "4 3 2 1");
	}
	assert_list(eve, "/u/ann?order=new", "3 1");
	hide(eve, "/u/ann", "on");
	assert_list(eve, "/u/ann?order=new", "3 1");
	assert_list(eve, "/g/aa", "4");
	assert_holds(eve, "1 is hidden from you.");
	assert_list(&scene.ann, "/g/aa?order=new", "4 1");
	/* Visitors and authors have no button. */
	assert_status(browser_get(&scene.visitor, "/articles/2"), 200);
	assert_lacks(&scene.visitor, "/hide\"");
	assert_status(browser_get(eve, "/articles/4"), 200);
	assert_lacks(eve, "/hide\"");
	assert_status(browser_get(eve, "/u/eve"), 200);
	assert_lacks(eve, "/hide\"");
}

static void
what_cannot_be_hidden_is_refused(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;
	static const struct {
		const char *target, *state;
		int status;
	} rows[] = {
		{ "/articles/99/hide", "on", 404 },
		{ "/articles/x/hide", "on", 404 },
		{ "/u/nobody/hide", "on", 404 },
		{ "/u/eve/hide", "on", 409 },
		{ "/g/zz/hide", "on", 404 },
		{ "/from/.../hide", "on", 404 },
		{ "/u/ann/hide", "maybe", 400 },
		{ "/g/zz/hide", "off", 303 },
		{ "/from/site.example/part/hide", "on", 303 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		browser_assert_status(browser_post(eve, rows[i].target,
					  FIELDS("state", rows[i].state)),
		    rows[i].status, rows[i].target, __LINE__);
	assert_list(eve, "/?order=new", "4 2 1");
}

/* The redirect is not the path that was sent, which nginx has decoded. */
static void
button_leads_back_to_what_it_hides(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;

	assert_status(browser_post(eve,
			  "/from/b\xc3\xbc"
			  "cher.example/hide",
			  FIELDS("state", "on")),
	    303);
	assert_text(eve->answer.location, "/from/xn--bcher-kva.example");
	assert_status(
	    browser_post(eve, "/u/ann\nX-Added: 1/hide", FIELDS("state", "on")),
	    404);
	assert_status(browser_get(eve, "/hidden"), 200);
	assert_holds(eve, "1 rule of 200.");
}

static void
words_are_hidden(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;

	set(eve, "words", "  RUST ");
	assert_list(eve, "/?order=new", "4 2 1");
	assert_status(browser_get(eve, "/hidden"), 200);
	assert_holds(eve, "<bdi>RUST</bdi>");
	assert_status(browser_post(eve, "/hidden",
			  FIELDS("words", "RUST", "state", "off")),
	    303);
	assert_list(eve, "/?order=new", "4 3 2 1");
	assert_status(
	    browser_post(eve, "/hidden", FIELDS("words", "...")), 422);
	assert_holds(eve, "Enter a word.");
	assert_holds(eve, "value=\"...\"");
	/* What one posted oneself is hidden only by itself. */
	set(eve, "words", "four");
	assert_list(eve, "/?order=new", "4 3 2 1");
}

static void
rules_are_copied_as_text(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;

	assert_status(browser_get(eve, "/hidden"), 200);
	assert_holds(eve, "You hide nothing.");
	set(eve, "lines",
	    "/articles/2\r\n\r\n@ANN\r\n /g/bb \n/from/sub.site.example\n"
	    "=some words\n/u/ann\n");
	assert_status(browser_get(eve, "/hidden"), 200);
	assert_holds(eve, "5 rules of 200.");
	assert_holds(eve,
	    "\n/articles/2\n/u/ann\n/g/bb\n/from/site.example\n=some "
	    "words\n</textarea>");
	assert_list(eve, "/?order=new", "4");
	/* Nothing is changed when a line is wrong, and what was typed is there. */
	assert_status(browser_post(eve, "/hidden",
			  FIELDS("lines",
			      "/articles/2\nnonsense\n/u/nobody\n@eve\n"
			      "/articles/99\n/g/zz\n=!\n/from/\n")),
	    422);
	assert_holds(eve, "Line 2, “nonsense”: enter the address");
	assert_holds(eve, "Line 3, “/u/nobody”: this doesn’t exist.");
	assert_holds(eve, "Line 4, “@eve”: you can’t hide yourself.");
	assert_holds(eve, "Line 5, “/articles/99”: this doesn’t exist.");
	assert_holds(eve, "Line 6, “/g/zz”: this doesn’t exist.");
	assert_holds(eve, "Line 7, “=!”");
	assert_holds(eve, "Line 8, “/from/”");
	assert_holds(eve, "\n/articles/2\nnonsense\n");
	assert_holds(eve, "5 rules of 200.");
	set(eve, "lines", "");
	assert_list(eve, "/?order=new", "4 3 2 1");
	assert_status(browser_post(eve, "/hidden", FIELDS("other", "")), 400);
}

static void
too_many_rules_are_refused(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser *eve = &scene.eve;
	struct text lines = TEXT("");

	for (int i = 0; i <= HIDDEN_MAX; i++)
		lines = text_format(
		    &world->arena, "%.*s=w%d\n", TEXT_ARGS(lines), i);
	assert_status(browser_get(eve, "/hidden"), 200);
	assert_status(browser_post(eve, "/hidden",
			  FIELDS("lines", text_string(&world->arena, lines))),
	    422);
	assert_holds(eve, "You have 201 lines; at most 200 can be saved.");
	lines = text_slice(lines, 0, lines.size - 6);
	set(eve, "lines", text_string(&world->arena, lines));
	assert_status(
	    browser_post(eve, "/hidden", FIELDS("words", "more")), 422);
	assert_holds(eve, "You’ve reached the limit.");
	assert_status(
	    browser_post(eve, "/u/ann/hide", FIELDS("state", "on")), 409);
}

static const char *
repeat_line(struct world *world, size_t count, const char *line)
{
	struct buffer lines = buffer_in(&world->arena, 1024);

	for (size_t i = 0; i < count; i++)
		buffer_add(&lines, text_of(line));
	return text_string(&world->arena, buffer_text(&lines));
}

/* Nor do they keep a worker busy: they are not parsed, and not answered one by one. */
static void
very_many_lines_are_refused_at_once(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser *eve = &scene.eve;
	int64_t asked;

	assert_status(browser_get(eve, "/hidden"), 200);
	asked = world_info(world, "commandstats", "cmdstat_exists");
	assert_status(
	    browser_post(eve, "/hidden",
		FIELDS("lines", repeat_line(world, 10000, "/g/zz\n\n"))),
	    422);
	assert_holds(eve, "You have 10000 lines; at most 200 can be saved.");
	assert_lacks(eve, "Line 1,");
	assert_int_equal(
	    world_info(world, "commandstats", "cmdstat_exists"), asked);
	/* Of what is wrong with fewer the first is named. */
	assert_status(browser_post(eve, "/hidden",
			  FIELDS("lines", repeat_line(world, 150, "x\n"))),
	    422);
	assert_holds(eve, "Line 20, “x”");
	assert_lacks(eve, "Line 21,");
	assert_status(browser_post(eve, "/hidden",
			  FIELDS("lines", repeat_line(world, 150, "/g/zz\n"))),
	    422);
	assert_holds(eve, "Line 20, “/g/zz”");
	assert_lacks(eve, "Line 21,");
	/* One rule, however often. */
	set(eve, "lines", repeat_line(world, 300, "/g/aa\n"));
	assert_status(browser_get(eve, "/hidden"), 200);
	assert_holds(eve, "1 rule of 200.");
}

/* A comment by a hidden member is a line in the thread, with its replies below, and as it is on
 * its own page; it is in no list and no inbox. */
static void
comments_are_folded_to_a_line(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser *eve = &scene.eve;
	struct relay *relay = relay_new(&world->store, TEXT("test"));

	assert_status(browser_get(&scene.ann, "/articles/4"), 200);
	assert_status(browser_post(&scene.ann, "/articles/4/comments",
			  FIELDS("text", "Said by ann.", "parent", "0")),
	    303);
	assert_status(browser_get(&scene.bob, "/articles/4"), 200);
	assert_status(browser_post(&scene.bob, "/articles/4/comments",
			  FIELDS("text", "Answered by bob.", "parent", "1")),
	    303);
	while (relay_step(relay) == 0)
		;
	relay_free(relay);
	assert_status(browser_get(eve, "/inbox"), 200);
	assert_holds(eve, "Said by ann.");
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(eve, "/articles/4"), 200);
		assert_holds(eve, "Said by ann.");
	}
	hide(eve, "/u/ann", "on");
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(eve, "/articles/4"), 200);
		assert_lacks(eve, "Said by ann.");
		assert_holds(eve, "Hidden: <a class=\"by\" href=\"/u/ann\">");
		assert_holds(eve, "Answered by bob.");
	}
	assert_status(browser_get(eve, "/articles/4/comments/1"), 200);
	assert_holds(eve, "Said by ann.");
	assert_status(browser_get(eve, "/comments"), 200);
	assert_lacks(eve, "Said by ann.");
	assert_holds(eve, "Answered by bob.");
	assert_holds(eve, "1 is hidden from you.");
	assert_status(browser_get(eve, "/u/ann/comments"), 200);
	assert_holds(eve, "Said by ann.");
	assert_status(browser_get(eve, "/inbox"), 200);
	assert_lacks(eve, "Said by ann.");
	assert_holds(eve, "1 is hidden from you.");
	assert_status(browser_get(&scene.bob, "/articles/4"), 200);
	assert_holds(&scene.bob, "Said by ann.");
}

/* A row of a list has a button, as it has one to save the article. */
static void
rows_have_a_button(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;

	assert_status(browser_get(eve, "/new"), 200);
	assert_holds(eve, "name=\"hide\" value=\"3\" aria-label=\"Hide: ");
	/* Not of one's own. */
	assert_lacks(eve, "name=\"hide\" value=\"4\"");
	assert_status(browser_post(eve, "/vote",
			  FIELDS("hide", "3", "return_to", "/new")),
	    303);
	assert_text(eve->answer.location, "/new#article-3");
	assert_list(eve, "/new", "4 2 1");
	/* Where a member finds what they keep, it is shown, and can be shown again everywhere. */
	assert_status(browser_post(eve, "/vote", FIELDS("save", "3")), 303);
	assert_status(browser_get(eve, "/saved"), 200);
	assert_holds(
	    eve, "name=\"unhide\" value=\"3\" aria-label=\"Show again: ");
	assert_status(browser_post(eve, "/vote",
			  FIELDS("unhide", "3", "return_to", "/saved")),
	    303);
	assert_list(eve, "/new", "4 3 2 1");
	assert_status(browser_get(eve, "/saved"), 200);
	assert_holds(eve, "name=\"hide\" value=\"3\"");
	/* An article's page has its own button, and visitors have none. */
	assert_status(browser_get(eve, "/articles/3"), 200);
	assert_lacks(eve, "name=\"hide\"");
	assert_status(browser_get(&scene.visitor, "/new"), 200);
	assert_lacks(&scene.visitor, "name=\"hide\"");
}

static void
button_refuses_what_cannot_be_hidden(void **state)
{
	struct scene scene = begin(*state);
	struct browser *eve = &scene.eve;

	assert_status(browser_post(eve, "/vote", FIELDS("hide", "99")), 404);
	assert_status(browser_post(eve, "/vote", FIELDS("unhide", "99")), 303);
	/* Comments are hidden with their article or their author. */
	assert_status(browser_post(eve, "/vote", FIELDS("hide", "3.1")), 400);
	assert_status(
	    browser_post(eve, "/vote", FIELDS("hide", "3", "up", "3")), 400);
	world_remove(*state, 3);
	assert_status(browser_post(eve, "/vote", FIELDS("hide", "3")), 410);
	/* After logging in, the page asks. */
	assert_status(browser_get(eve, "/vote?hide=2&return_to=%2F"), 200);
	assert_holds(eve, "<h1>Hide “<bdi>");
	assert_holds(eve, "name=\"hide\" value=\"2\"");
}

/* The next page begins where the one before ended. */
static void
pages_follow_each_other(void **state)
{
	struct world *world = *state;
	struct browser eve;

	world_stop_clock(world, NOON);
	eve = browser_member(world, "eve");
	world_member(world, "ann");
	for (int i = 1; i <= 9; i++)
		world_post(world, 2, i % 3 == 0 ? "Odd one" : "Word",
		    fixture_string(&world->arena, "http://a.b/%d", i), "");
	world->store.rules.page_size = 3;
	assert_status(browser_get(&eve, "/hidden"), 200);
	set(&eve, "words", "odd");
	assert_list(&eve, "/?order=new", "8 7 5");
	assert_holds(&eve, "href=\"/new?page=2&amp;from=6\"");
	assert_list(&eve, "/new?page=2&from=6", "4 2 1");
	assert_lacks(&eve, "rel=\"next\"");
	assert_holds(&eve, "rel=\"prev\" href=\"/new\"");
	set(&eve, "words", "word");
	assert_list(&eve, "/", "");
	assert_holds(&eve, "9 are hidden from you.");
	assert_status(browser_get(&eve, "/?page=2"), 200);
}

/* Of 30 comments by ann and 30 by bob in turn, those of bob fill the pages. */
static void
pages_of_comments_are_full(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser *eve = &scene.eve;

	for (int i = 0; i < 60; i++) {
		world_move_clock(world, 1);
		world_comment(world, article_id(2), i % 2 == 0 ? 2 : 1,
		    fixture_string(&world->arena, "Word %d.", i));
	}
	hide(eve, "/u/ann", "on");
	assert_status(browser_get(eve, "/comments"), 200);
	assert_int_equal(browser_count(eve, "<article class=\"comment"), 25);
	assert_holds(eve, "Word 10.");
	assert_lacks(eve, "Word 11.");
	assert_holds(eve, "26 are hidden from you.");
	assert_holds(eve, "href=\"/comments?page=2&amp;from=52\"");
	assert_status(browser_get(eve, "/comments?page=2&from=52"), 200);
	assert_int_equal(browser_count(eve, "<article class=\"comment"), 5);
	assert_holds(eve, "Word 0.");
	assert_holds(eve, "4 are hidden from you.");
	assert_lacks(eve, "rel=\"next\"");
	assert_holds(eve, "rel=\"prev\" href=\"/comments\"");
	assert_status(browser_get(eve, "/comments?page=2&from=9"), 404);
	assert_status(browser_get(eve, "/comments?page=2&from=61"), 404);
	assert_status(browser_get(eve, "/comments?page=2&from=999999"), 404);
	/* A member's own list is as it is. */
	assert_status(browser_get(eve, "/u/ann/comments"), 200);
	assert_int_equal(browser_count(eve, "<article class=\"comment"), 25);
	assert_holds(eve, "href=\"/u/ann/comments?page=2\"");
}

/* Entries without a comment stand for those that are hidden: both are left out. */
static void
pages_of_comments_end_after_two_thousand(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser *eve = &scene.eve;
	struct buckets *buckets = &world->store.buckets;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	world_comment(world, article_id(2), 1, "Newest.");
	for (uint64_t i = 2; i <= HIDDEN_ENTRIES_MAX + 100; i++)
		pipeline_add(&pipeline, TEXT("ZADD"),
		    key_comments(&world->arena, buckets,
			key_bucket_of(buckets, 2), TEXT("")),
		    text_number(&world->arena, NOON - (int64_t)i),
		    encode_post(&world->arena, (struct post_id){ 2, i }));
	assert_true(redis_run(&pipeline));
	hide(eve, "/u/ann", "on");
	assert_status(browser_get(eve, "/comments"), 200);
	assert_holds(eve,
	    "1 is hidden from you. So many that this page stopped looking for "
	    "more.");
	assert_holds(eve, "href=\"/comments?page=2&amp;from=2001\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(buttons_hide_and_show_again),
		world_test(what_cannot_be_hidden_is_refused),
		world_test(button_leads_back_to_what_it_hides),
		world_test(words_are_hidden),
		world_test(rules_are_copied_as_text),
		world_test(too_many_rules_are_refused),
		world_test(very_many_lines_are_refused_at_once),
		world_test(comments_are_folded_to_a_line),
		world_test(rows_have_a_button),
		world_test(button_refuses_what_cannot_be_hidden),
		world_test(pages_follow_each_other),
		world_test(pages_of_comments_are_full),
		world_test(pages_of_comments_end_after_two_thousand),
	};

	return world_run("hiding", tests);
}

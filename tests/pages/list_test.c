/* Lists: their orders and pages, combined groups, members, interesting articles. */
#include <stdio.h>
#include <string.h>

#include "../support/browser.h"
#include "lists/list.h"
#include "lists/merge.h"

enum { HOUR = 3600 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A site without articles has no days. */
static void
days_of_an_empty_site_are_its_front_page(void **state)
{
	struct browser reader = browser_open(*state);

	assert_status(browser_get(&reader, "/day"), 303);
	assert_text(reader.answer.location, "/");
}

static uint64_t
post(struct world *world, uint64_t author, const char *groups)
{
	static int number;
	char url[64];

	snprintf(url, sizeof(url), "http://a.example/%d", ++number);
	return world_post(world, author, "A title", url, groups);
}

static void
vote(struct world *world, uint64_t id, uint64_t user, enum vote wanted)
{
	assert_int_equal(world_cast(&world->store, &world->arena,
			     article_id(id), user, wanted),
	    STORE_OK);
}

/*
 * Five articles an hour apart, so in order of time 1 to 5, and by score, since an hour
 * is 8 votes, in the same order without votes. In aa: 1, 2, 3. In bb: 3, 4. In cc: 1,
 * 3, 5. Even ones are by bob.
 */
static void
begin(struct world *world)
{
	static const char *const groups[] = { "aa cc", "aa", "aa bb cc", "bb",
		"cc" };

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	world_group(world, "aa");
	world_group(world, "bb");
	world_group(world, "cc");
	for (size_t i = 0; i < COUNT(groups); i++) {
		post(world, 1 + i % 2, groups[i]);
		world_move_clock(world, HOUR);
	}
}

static void
assert_list(struct browser *browser, const char *target, const char *ids)
{
	assert_status(browser_go(browser, target), 200);
	assert_text(browser_ids(browser), ids);
}

static void
every_list_has_four_orders(void **state)
{
	static const struct {
		const char *target, *ids;
	} lists[] = {
		{ "/", "4 5 3 2 1" },
		{ "/?order=", "4 5 3 2 1" },
		{ "/?order=top", "4 5 3 2 1" },
		{ "/?order=bottom", "1 2 3 5 4" },
		{ "/?order=new", "5 4 3 2 1" },
		{ "/?order=oldest", "1 2 3 4 5" },
		{ "/g/bb", "4 3" },
		{ "/g/bb?order=bottom", "3 4" },
		{ "/g/cc?order=new", "5 3 1" },
		{ "/g/aa?order=oldest", "1 2 3" },
		{ "/u/ann", "5 3 1" },
		{ "/u/ann?order=bottom", "1 3 5" },
		{ "/u/bob?order=new", "4 2" },
		{ "/u/bob?order=oldest", "2 4" },
		{ "/g/aa+bb", "4 3 2 1" },
		{ "/g/aa+bb?match=any&order=oldest", "1 2 3 4" },
		{ "/g/bb+cc?order=new", "5 4 3 1" },
		{ "/g/aa+cc?match=all", "3 1" },
		{ "/g/aa+cc?match=all&order=bottom", "1 3" },
		{ "/g/aa+bb+cc?match=all", "3" },
		{ "/g/aa+aa+aa+aa+aa+aa+aa", "3 2 1" },
		{ "/g/aa?match=all", "3 2 1" },
	};
	struct world *world = *state;
	struct browser reader, ann;

	begin(world);
	reader = browser_open(world);
	ann = browser_member(world, "carl");
	/* Nine votes lift 4 over 5: an hour is worth 8 and a third. */
	for (int i = 0; i < 9; i++) {
		char name[8];

		snprintf(name, sizeof(name), "u%d", i);
		vote(world, 4, world_member(world, name), VOTE_UP);
	}
	for (size_t i = 0; i < COUNT(lists); i++) {
		assert_list(&reader, lists[i].target, lists[i].ids);
		assert_list(&ann, lists[i].target, lists[i].ids);
	}
}

static void
invalid_lists_are_400(void **state)
{
	static const char *const targets[] = { "/?page=0", "/?page=-1",
		"/?page=", "/?page=1.5", "/?page=01", "/?page=x", "/?page=+1",
		"/?page=99999999999999999999", "/?page=1000000000",
		"/?order=Top", "/?order=better", "/?order=top+", "/?order=%00",
		"/g/aa?page=0", "/g/aa?order=x", "/g/aa+bb?match=none",
		"/g/aa+bb?match=ALL", "/u/ann?page=0", "/u/ann?order=x",
		"/groups?page=0", "/groups?page=-1",
		"/groups?page=99999999999999999999",
		/* Five groups at most. */
		"/g/aa+bb+cc+dd+ee+ff" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	for (size_t i = 0; i < COUNT(targets); i++)
		if (browser_get(&reader, targets[i]) != HTTP_BAD_REQUEST)
			fail_msg("%s is answered", targets[i]);
}

static void
groups_that_do_not_exist_are_404(void **state)
{
	static const char *const targets[] = { "/g/dd", "/g/d", "/g/aa+dd",
		"/g/aa+dd?match=all" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	for (size_t i = 0; i < COUNT(targets); i++)
		if (browser_get(&reader, targets[i]) != HTTP_NOT_FOUND)
			fail_msg("%s is there", targets[i]);
	/* Of several groups, the missing one is named. */
	assert_status(browser_get(&reader, "/g/aa+bb+dd"), 404);
	assert_holds(&reader, "There’s no group “\u2068dd\u2069”.");
	assert_status(browser_get(&reader, "/g/a+b+c+d+e+f"), 400);
	assert_holds(&reader, "at most five groups");
}

static void
two_to_five_groups_are_combined(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	world_group(world, "xx");
	world_group(world, "yy");
	reader = browser_open(world);
	assert_list(&reader, "/g/xx+yy", "");
	assert_list(&reader, "/g/aa+bb+cc+xx+yy?order=new", "5 4 3 2 1");
	assert_holds(&reader, "<h1><bdi>aa + bb + cc + xx + yy</bdi></h1>");
	assert_list(&reader, "/g/aa+bb+cc+xx+yy?match=all", "");
	assert_holds(&reader, ">In any of them</a>");
	assert_list(&reader, "/g/xx", "");
	assert_lacks(&reader, ">In any of them</a>");
}

/* An old article that became interesting is pinned near the top, and its own page
 * states its rank in the list. */
static void
pinned_article_has_its_place(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	world->store.rules.interesting = 2;
	world->store.rules.pinned_articles = 1;
	world->store.rules.pinned_places = 2;
	world->store.rules.page_size = 3;
	reader = browser_open(world);
	assert_list(&reader, "/", "5 4 3");
	vote(world, 1, 2, VOTE_UP);
	assert_list(&reader, "/", "5 1 4");
	assert_list(&reader, "/?page=2", "3 2");
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_holds(&reader, "Ranked <b>2nd</b>");
	assert_status(browser_get(&reader, "/articles/4"), 200);
	assert_holds(&reader, "Ranked <b>3rd</b>");
	/* It is pinned in the default order only, and for a day. */
	assert_list(&reader, "/?order=bottom", "1 2 3");
	assert_list(&reader, "/g/aa", "3 2 1");
	world_move_clock(world, world->store.rules.pinned_seconds);
	assert_list(&reader, "/", "5 4 3");
}

/* Forms return to an address with only the parameters that its page reads. */
static void
votes_return_to_unusual_addresses(void **state)
{
	struct world *world = *state;
	struct browser ann;

	begin(world);
	ann = browser_member(world, "carl");
	assert_status(browser_go(&ann, "/?x=%c3\xa4&order=%6eew"), 200);
	assert_holds(&ann, "name=\"return_to\" value=\"/?order=new\"");
	assert_status(
	    browser_post(&ann, "/articles/3/vote",
		FIELDS("vote", "up", "return_to", "/?x=%c3%A4&order=new")),
	    303);
	assert_text(ann.answer.location, "/?x=%c3%A4&order=new#article-3");
}

static void
articles_have_attributes(void **state)
{
	struct world *world = *state;
	struct browser reader, ann;

	begin(world);
	reader = browser_open(world);
	ann = browser_member(world, "carl");
	vote(world, 1, 2, VOTE_UP);
	vote(world, 1, 3, VOTE_DOWN);
	assert_status(browser_get(&ann, "/"), 200);
	assert_text(browser_attribute(&ann, 1, "data-id"), "1");
	assert_text(browser_attribute(&ann, 1, "data-score"), "1700000432");
	assert_text(browser_attribute(&ann, 1, "data-points"), "1");
	assert_text(browser_attribute(&ann, 1, "data-vote"), "down");
	assert_text(browser_attribute(&ann, 1, "data-posted"), "1700000000");
	assert_holds(&ann, "action=\"/vote\"");
	assert_holds(&ann, "name=\"return_to\" value=\"/\"");
	assert_status(browser_get(&reader, "/"), 200);
	assert_text(browser_attribute(&reader, 1, "data-vote"), "none");
	assert_holds(
	    &reader, "<a class=\"group\" href=\"/g/cc\"><bdi>cc</bdi></a>");
	assert_holds(&reader, ">5 hours ago</time>");
	assert_holds(&reader, "by <a href=\"/u/bob\"><bdi>bob</bdi></a>");
}

static void
visitors_have_links_and_no_form_but_the_search(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	assert_status(browser_get(&reader, "/g/bb?order=new"), 200);
	assert_int_equal(browser_count(&reader, "<form"), 1);
	assert_holds(&reader, "action=\"/search\"");
	assert_int_equal(browser_count(&reader, "<button"), 1);
	assert_lacks(&reader, "csrf");
	assert_int_equal(
	    browser_count(&reader,
		"href=\"/login?return_to=%2Fg%2Fbb%3Forder%3Dnew&amp;"),
	    4);
}

static void
votes_in_a_list_return_to_it(void **state)
{
	struct world *world = *state;
	struct browser ann;

	begin(world);
	ann = browser_member(world, "carl");
	assert_status(browser_get(&ann, "/g/aa+bb?order=new&match=any"), 200);
	assert_holds(&ann,
	    "name=\"return_to\" "
	    "value=\"/g/aa+bb?order=new&amp;match=any\"");
	/* One form with one token for the whole list. */
	assert_int_equal(browser_count(&ann, "name=\"up\" value=\"3\""), 1);
	assert_int_equal(browser_count(&ann, "name=\"csrf\""), 2);
	assert_status(browser_post(&ann, "/articles/3/vote",
			  FIELDS("vote", "up", "return_to",
			      "/g/aa+bb?order=new&match=any")),
	    303);
	assert_status(browser_follow(&ann), 200);
	assert_text(browser_attribute(&ann, 3, "data-vote"), "up");
}

static void
pages_continue_without_gaps(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	world->store.rules.page_size = 2;
	reader = browser_open(world);
	assert_list(&reader, "/?order=new", "5 4");
	assert_list(&reader, "/new", "5 4");
	assert_holds(&reader, "rel=\"next\" href=\"/new?page=2\"");
	assert_lacks(&reader, "rel=\"prev\"");
	assert_list(&reader, "/new?page=2", "3 2");
	assert_holds(&reader, "rel=\"next\" href=\"/new?page=3\"");
	assert_holds(&reader, "rel=\"prev\" href=\"/new\"");
	assert_list(&reader, "/new?page=3", "1");
	assert_lacks(&reader, "rel=\"next\"");
	assert_holds(&reader, "rel=\"prev\" href=\"/new?page=2\"");
	assert_list(&reader, "/?page=2", "3 2");
	assert_holds(&reader, "rel=\"prev\" href=\"/\"");
	assert_list(&reader, "/g/aa+cc?match=all&order=oldest&page=1", "1 3");
	assert_list(&reader, "/g/aa+cc?match=any&order=oldest&page=1", "1 2");
	assert_holds(&reader,
	    "rel=\"next\" href=\"/g/aa+cc?order=oldest"
	    "&amp;page=2\"");
	/* The tabs preserve the other parameters, and lead to the first page. */
	assert_list(&reader, "/g/aa+bb+cc?match=all&order=new&page=1", "3");
	assert_holds(
	    &reader, "href=\"/g/aa+bb+cc?order=bottom&amp;match=all\"");
	assert_holds(&reader, "href=\"/g/aa+bb+cc?order=new\"");
	assert_int_equal(browser_count(&reader, "aria-current=\"true\""), 2);
}

static void
full_last_page_has_no_next(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	world->store.rules.page_size = 5;
	reader = browser_open(world);
	assert_list(&reader, "/", "5 4 3 2 1");
	assert_lacks(&reader, "class=\"pages\"");
}

static void
page_past_the_end_says_so(void **state)
{
	static const char *const targets[] = { "/?page=2", "/?page=2&order=new",
		"/g/aa?page=2", "/g/aa+bb?page=2", "/g/aa+bb?match=all&page=2",
		"/u/ann?page=2" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_status(browser_get(&reader, targets[i]), 404);
		assert_holds(&reader, "This list has only one page.");
		assert_holds(&reader, "Go to the last page (1)</a>");
	}
	assert_status(browser_get(&reader, "/interesting?page=2"), 404);
	assert_status(browser_get(&reader, "/?page=999999999&order=new"), 404);
	assert_holds(&reader, "href=\"/new\">Go to the last");
}

static void
empty_lists_say_so(void **state)
{
	struct world *world = *state;
	struct browser reader;

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_group(world, "aa");
	reader = browser_open(world);
	assert_list(&reader, "/", "");
	assert_holds(&reader, "<a href=\"/submit\">Submit the first one</a>");
	assert_list(&reader, "/g/aa", "");
	assert_holds(
	    &reader, "<a href=\"/submit?groups=aa\">Submit the first one</a>");
	assert_list(&reader, "/u/ann", "");
	assert_holds(&reader, "Nothing posted yet.");
	assert_list(&reader, "/interesting", "");
	assert_holds(&reader, "No interesting articles yet.");
}

/* Deep pages of merged lists are expensive, so these lists end at a page. */
static void
merged_lists_end_at_page_400(void **state)
{
	static const char said[] = "This list ends at page 400";
	static const char *const singles[] = { "/?order=new&page=401",
		"/?page=401", "/g/aa?page=401", "/u/ann?page=401" };
	struct world *world = *state;
	bool merged = world->store.buckets.count > 1;
	struct browser reader;

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_group(world, "aa");
	world_group(world, "bb");
	for (int i = 0; i < 402; i++)
		post(world, 1, "aa");
	world->store.rules.page_size = 1;
	reader = browser_open(world);

	assert_list(&reader, "/g/aa+bb?page=399", "4");
	assert_lacks(&reader, said);
	assert_list(&reader, "/g/aa+bb?page=400", "3");
	assert_holds(&reader, said);
	assert_lacks(&reader, "rel=\"next\"");
	assert_status(browser_get(&reader, "/g/aa+bb?page=401"), 404);
	assert_holds(&reader,
	    "href=\"/g/aa+bb?page=400\">Go to the last page (400)</a>");
	assert_status(browser_get(&reader, "/g/aa+bb?match=all&page=401"), 404);

	assert_list(&reader, "/?order=new&page=400", "3");
	assert_int_equal(browser_count(&reader, said), merged);
	for (size_t i = 0; i < COUNT(singles); i++) {
		if (!merged)
			assert_list(&reader, singles[i], "2");
		else
			assert_status(browser_get(&reader, singles[i]), 404);
	}
}

/* On every page, with the round trip that it takes anyway. */
static void
interesting_has_a_tab_while_there_are_any(void **state)
{
	static const char *const pages[] = { "/", "/about", "/nothing" };
	const char *tab = "<a href=\"/interesting\">Interesting</a>";
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser reader = browser_open(world);
	struct browser *browsers[] = { &ann, &reader };
	struct browser mod = browser_moderator(world, "mod");
	const uint64_t voter = world_member(world, "ben");
	uint64_t first, second;

	world->store.rules.interesting = 2;
	first = world_post(world, 1, "A", "http://a.example/", "");
	second = world_post(world, 1, "B", "http://b.example/", "");
	for (int step = 0; step < 5; step++) {
		bool is_shown = step == 1 || step == 2 || step == 4;

		for (size_t i = 0; i < 6; i++) {
			browser_get(browsers[i % 2], pages[i / 2]);
			assert_int_equal(
			    browser_count(browsers[i % 2], tab), is_shown);
		}
		if (step == 0) {
			world_vote(world, first, voter, VOTE_UP);
			world_vote(world, second, voter, VOTE_UP);
		} else if (step < 3) {
			world_remove(world, step == 1 ? first : second);
		} else if (step == 3) {
			assert_status(browser_get(&mod, "/articles/2"), 410);
			assert_status(
			    browser_post(&mod, "/articles/2/restore", NULL),
			    303);
		}
	}
}

static void
interesting_articles_are_ordered_by_their_time(void **state)
{
	struct world *world = *state;
	struct browser reader;

	world->store.rules.interesting = 2;
	begin(world);
	reader = browser_open(world);
	vote(world, 4, 1, VOTE_UP);
	world_move_clock(world, 60);
	vote(world, 1, 2, VOTE_UP);
	assert_list(&reader, "/interesting", "1 4");
	assert_lacks(&reader, "aria-label=\"Order\"");
	assert_int_equal(
	    browser_count(&reader,
		"<a class=\"badge\" href=\"/interesting\">interesting</a>"),
	    2);
	/* The time stays, even if the votes are cancelled. */
	vote(world, 4, 1, VOTE_NONE);
	assert_list(&reader, "/interesting", "1 4");
	assert_holds(&reader, "reached 2 upvotes");
}

static void
member_page_shows_the_karma(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	vote(world, 2, 1, VOTE_UP);
	vote(world, 4, 1, VOTE_UP);
	vote(world, 1, 2, VOTE_DOWN);
	vote(world, 3, 2, VOTE_DOWN);
	vote(world, 5, 2, VOTE_DOWN);
	assert_status(browser_get(&reader, "/u/bob"), 200);
	assert_holds(&reader, "<h1><bdi>bob</bdi></h1>");
	assert_holds(&reader, "<b><bdi>2</bdi></b> karma");
	assert_holds(&reader, "14 November 2023, 22:13 UTC");
	assert_lacks(&reader, "moderator");
	assert_status(browser_get(&reader, "/u/ann"), 200);
	assert_holds(&reader, "<b><bdi>-3</bdi></b> karma");
	/* Names are matched in any case, and links have the registered one. */
	assert_status(browser_get(&reader, "/u/BOB?order=top"), 301);
	assert_text(reader.answer.location, "/u/bob?order=top");
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, "<h1><bdi>bob</bdi></h1>");
	assert_holds(&reader, "href=\"/u/bob?order=new\"");
	browser_moderator(world, "mod");
	assert_status(browser_get(&reader, "/u/mod"), 200);
	assert_holds(&reader, "<b><bdi>0</bdi></b> karma");
	assert_holds(&reader, " moderator</p>");
}

static void
removed_articles_are_in_no_list(void **state)
{
	static const char *const targets[] = { "/", "/?order=bottom",
		"/?order=new", "/?order=oldest", "/g/aa", "/g/bb", "/g/cc",
		"/g/aa+bb", "/g/aa+bb?match=all", "/u/ann", "/interesting" };
	struct world *world = *state;
	struct browser mod;

	world->store.rules.interesting = 2;
	begin(world);
	mod = browser_moderator(world, "mod");
	vote(world, 3, 2, VOTE_UP);
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_status(browser_get(&mod, targets[i]), 200);
		assert_text(browser_attribute(&mod, 3, "data-id"), "3");
	}
	assert_status(browser_post(&mod, "/articles/3/remove", NULL), 303);
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_status(browser_get(&mod, targets[i]), 200);
		assert_text(browser_attribute(&mod, 3, "data-id"), "");
	}
}

/* Expensive lists are read a few at a time; cached and other lists are shown meanwhile. */
static void
expensive_lists_wait_for_each_other(void **state)
{
	static const char *const expensive[] = { "/g/aa+bb?match=all",
		"/g/aa+bb?page=51", "/g/bb+cc?match=all&page=3" };
	static const char *const others[] = { "/", "/g/aa", "/g/aa+bb",
		"/g/aa+bb?order=new", "/u/ann" };
	struct world *world = *state;
	struct browser reader, carl;
	size_t reading = 0;

	begin(world);
	world->store.rules.page_size = 20;
	reader = browser_open(world);
	carl = browser_member(world, "carl");
	reader.app.read_cache = carl.app.read_cache = read_cache_new();
	reader.app.expensive = carl.app.expensive = &reading;
	assert_list(&reader, "/g/aa+cc?match=all", "3 1");
	assert_int_equal(reading, 0);
	reading = MERGE_EXPENSIVE_MAX;
	for (size_t i = 0; i < COUNT(expensive); i++) {
		assert_status(browser_get(&reader, expensive[i]), 503);
		assert_holds(&reader, "<h1>The site is busy</h1>");
		assert_int_equal(reader.answer.retry_after, 2);
		assert_int_equal(reader.answer.cache, CACHE_NEVER);
		assert_status(browser_get(&carl, expensive[i]), 503);
	}
	for (size_t i = 0; i < COUNT(others); i++)
		if (browser_get(&reader, others[i]) == HTTP_UNAVAILABLE)
			fail_msg("%s is not answered", others[i]);
	assert_list(&reader, "/g/aa+cc?match=all", "3 1");
	assert_int_equal(reading, MERGE_EXPENSIVE_MAX);
	reading = MERGE_EXPENSIVE_MAX - 1;
	assert_list(&reader, "/g/aa+bb?match=all", "3");
	assert_int_equal(reading, MERGE_EXPENSIVE_MAX - 1);
	read_cache_free(reader.app.read_cache);
}

/* The number of pages is computed once. */
static void
number_of_pages_is_cached(void **state)
{
	struct world *world = *state;
	struct browser reader;
	size_t reading = 0;

	begin(world);
	reader = browser_open(world);
	reader.app.read_cache = read_cache_new();
	reader.app.expensive = &reading;
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(&reader, "/g/aa+bb?page=9"), 404);
		assert_holds(&reader, "This list has only one page.");
		reading = MERGE_EXPENSIVE_MAX;
	}
	assert_status(browser_get(&reader, "/g/aa+cc?page=9"), 503);
	read_cache_free(reader.app.read_cache);
}

static void
titles_state_group_order_and_page(void **state)
{
	static const struct {
		const char *target, *title;
	} rules[] = {
		{ "/", "<title>Tally</title>" },
		{ "/?order=new&page=2", "<title>New · Page 2 · Tally</title>" },
		{ "/g/aa?order=bottom", "<title>aa · Bottom · Tally</title>" },
		{ "/g/bb+aa?match=all",
		    "<title>aa + bb · In all groups · Tally</title>" },
		{ "/u/ann", "<title>ann · Tally</title>" },
		{ "/interesting", "<title>Interesting · Tally</title>" },
		{ "/g/aa?match=all", "<title>aa · Tally</title>" },
	};
	struct world *world = *state;
	struct browser reader;

	begin(world);
	world->store.rules.page_size = 2;
	reader = browser_open(world);
	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(browser_go(&reader, rules[i].target), 200);
		assert_holds(&reader, rules[i].title);
	}
}

/* The order that owners choose is at "/", and the others at addresses of their own. */
static void
owners_choose_what_the_front_page_shows_first(void **state)
{
	static const struct {
		const char *order, *canonical, *tab;
	} rules[] = {
		{ "", "/\"", "<a href=\"/\" aria-current=\"true\"><b>Top" },
		{ "hot", "/\"", "<a href=\"/\" aria-current=\"true\"><b>Hot" },
		{ "active", "/\"",
		    "<a href=\"/\" aria-current=\"true\"><b>Active" },
		{ "new", "/new\"",
		    "<a href=\"/new\" aria-current=\"true\"><b>New" },
	};
	struct world *world = *state;
	struct settings settings = settings_default();

	begin(world);
	for (size_t i = 0; i < COUNT(rules); i++) {
		struct browser reader = browser_open(world);

		settings.front_order = text_of(rules[i].order);
		assert_int_equal(
		    settings_set(&world->store, &world->arena, &settings),
		    STORE_OK);
		assert_status(browser_get(&reader, "/"), 200);
		assert_holds(&reader, rules[i].tab);
		assert_holds(&reader, "<title>Tally</title>");
		assert_holds(&reader, rules[i].canonical);
		assert_status(browser_get(&reader, "/?order=top"), 200);
		assert_holds(&reader,
		    i == 0 ? "<a href=\"/\" aria-current=\"true\"><b>Top"
			   : "<a href=\"/?order=top\" "
			     "aria-current=\"true\"><b>Top");
		assert_status(browser_get(&reader, "/g/aa"), 200);
		assert_holds(
		    &reader, "<a href=\"/g/aa\" aria-current=\"true\"><b>Top");
	}
}

/* Follows "Next" until the last page. */
static void
next_never_leads_to_an_empty_page(void **state)
{
	static const char *const lists[] = { "/", "/?order=new",
		"/?order=bottom", "/?order=hot", "/?order=active",
		"/g/aa+bb?order=hot", "/g/aa+bb?order=active&match=all",
		"/g/aa", "/g/aa+bb", "/g/aa+bb?match=all", "/u/ann",
		"/u/ann?order=oldest" };
	struct world *world = *state;

	begin(world);
	for (int size = 1; size <= 3; size++)
		for (size_t i = 0; i < COUNT(lists); i++) {
			struct browser reader = browser_open(world);
			const char *joint =
			    strchr(lists[i], '?') == NULL ? "?" : "&";
			int page = 1;

			world->store.rules.page_size = size;
			assert_status(browser_get(&reader, lists[i]), 200);
			while (browser_count(&reader, "rel=\"next\"") > 0) {
				char target[64];

				snprintf(target, sizeof(target), "%s%spage=%d",
				    lists[i], joint, ++page);
				assert_holds(&reader, "rel=\"next\"");
				assert_status(
				    browser_get(&reader, target), 200);
				assert_true(browser_ids(&reader).size > 0);
			}
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(every_list_has_four_orders),
		world_test(days_of_an_empty_site_are_its_front_page),
		world_test(invalid_lists_are_400),
		world_test(groups_that_do_not_exist_are_404),
		world_test(two_to_five_groups_are_combined),
		world_test(pinned_article_has_its_place),
		world_test(votes_return_to_unusual_addresses),
		world_test(articles_have_attributes),
		world_test(visitors_have_links_and_no_form_but_the_search),
		world_test(votes_in_a_list_return_to_it),
		world_test(pages_continue_without_gaps),
		world_test(full_last_page_has_no_next),
		world_test(page_past_the_end_says_so),
		world_test(empty_lists_say_so),
		world_test(merged_lists_end_at_page_400),
		world_test(interesting_has_a_tab_while_there_are_any),
		world_test(interesting_articles_are_ordered_by_their_time),
		world_test(member_page_shows_the_karma),
		world_test(removed_articles_are_in_no_list),
		world_test(expensive_lists_wait_for_each_other),
		world_test(number_of_pages_is_cached),
		world_test(titles_state_group_order_and_page),
		world_test(owners_choose_what_the_front_page_shows_first),
		world_test(next_never_leads_to_an_empty_page),
	};

	return world_run("lists", tests);
}

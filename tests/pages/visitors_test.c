/* What readers who are not signed in may use of a worker, and the button behind that. */
#include <signal.h>
#include <string.h>

#include "../support/browser.h"
#include "base/clock.h"
#include "pages/etag.h"
#include "pages/visitors.h"

enum { DAY = 86400, NOTHING = 0 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define BUTTON	     "<button class=\"primary\" type=\"submit\">Continue</button>"

/* The last article is open, five before it take no votes any more; a page has one. */
struct scene {
	struct world *world;
	struct browser reader;
};

static struct scene
begin(struct world *world, int64_t share)
{
	static const char *const links[] = { "http://a.example/",
		"http://b.example/", "http://c.example/", "http://d.example/",
		"http://e.example/" };
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	world->store.rules.page_size = 1;
	world_member(world, "ann");
	for (size_t i = 0; i < COUNT(links); i++)
		assert_int_equal(
		    world_post(world, 1, "Old", links[i], ""), i + 1);
	world_comment(world, article_id(1), 1, "Words.");
	world_move_clock(world, 8 * DAY);
	world_post(world, 1, "New", "http://f.example/", "");
	world_comment(world, article_id(6), 1, "Words.");
	scene.reader = browser_open(world);
	scene.reader.app.visitors = visitors_new(share);
	return scene;
}

static void
end(struct scene *scene)
{
	visitors_free(scene->reader.app.visitors);
}

/* A second reader of the same worker. */
static struct browser
another(const struct scene *scene)
{
	struct browser browser = browser_open(scene->world);

	browser.app = scene->reader.app;
	return browser;
}

static void
assert_asked(struct browser *browser, const char *target)
{
	assert_status(browser_get(browser, target), 429);
	assert_holds(browser, BUTTON);
	assert_int_equal(browser->answer.cache, CACHE_NEVER);
	assert_in_range(browser->answer.retry_after, 1, 60);
}

/* Presses the button of the page that was shown last. */
static void
press(struct browser *browser, const char *target)
{
	assert_status(
	    browser_post(browser, "/visit", FIELDS("return_to", target)), 303);
	assert_text(browser->answer.location, target);
}

static void
expensive_pages_are_asked_for(void **state)
{
	static const char *const targets[] = { "/?page=4", "/?order=new&page=5",
		"/?page=999999", "/u/ann?page=4", "/comments?page=4",
		"/comments?from=2", "/articles/1", "/articles/1?order=new",
		"/articles/1/comments/1", "/articles/6?page=2",
		"/articles/6?comment=1", "/log?kind=removed", "/log?member=ann",
		"/log?page=4", "/members?page=4", "/groups?page=4" };
	static const char *const open[] = { "/", "/?page=3",
		"/?order=oldest&page=2", "/u/ann?page=3", "/comments",
		"/articles/6", "/articles/6/comments/1", "/log", "/groups",
		"/about", "/login", "/robots.txt", "/sitemap.xml",
		"/sitemap.xml?page=1", "/healthz" };
	struct scene scene = begin(*state, NOTHING);
	struct browser member = browser_member(scene.world, "carl");

	member.app.visitors = scene.reader.app.visitors;
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_asked(&scene.reader, targets[i]);
		if (browser_get(&member, targets[i]) == HTTP_TOO_MANY_REQUESTS)
			fail_msg("a member is asked at %s", targets[i]);
	}
	for (size_t i = 0; i < COUNT(open); i++)
		assert_status(browser_get(&scene.reader, open[i]), 200);
	assert_status(
	    browser_send(&scene.reader, HTTP_HEAD, "/?page=4", TEXT("")), 429);
	end(&scene);
}

static void
nobody_is_asked_while_there_is_a_budget(void **state)
{
	struct scene scene = begin(*state, 100);

	for (int i = 0; i < 20; i++)
		assert_status(browser_get(&scene.reader, "/?page=4"), 200);
	assert_text(browser_cookie(&scene.reader, "tally-visit"), "");
	end(&scene);
}

static void
button_leads_back_for_a_day(void **state)
{
	struct scene scene = begin(*state, NOTHING);
	struct browser *reader = &scene.reader;

	assert_asked(reader, "/?order=new&page=4");
	assert_holds(reader, "value=\"/?order=new&amp;page=4\"");
	press(reader, "/?order=new&page=4");
	assert_status(browser_follow(reader), 200);
	assert_status(browser_get(reader, "/articles/1"), 200);
	world_move_clock(scene.world, DAY - 1);
	assert_status(browser_get(reader, "/articles/1"), 200);
	world_move_clock(scene.world, 1);
	assert_asked(reader, "/articles/1");
	end(&scene);
}

/* Whether a reader has pressed it cannot be known then, and nginx keeps pages for an outage. */
static void
nobody_is_asked_while_redis_is_away(void **state)
{
	static const char *const targets[] = { "/new?page=4", "/?page=4",
		"/comments?page=4", "/log?kind=removed", "/log?page=4",
		"/articles/1", "/search?q=new" };
	struct scene scene = begin(*state, NOTHING);
	struct browser *reader = &scene.reader;
	struct browser other = another(&scene);

	assert_asked(reader, "/new?page=4");
	press(reader, "/new?page=4");
	assert_status(browser_follow(reader), 200);
	kill(scene.world->redis, SIGKILL);
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_status(browser_get(reader, targets[i]), 503);
		assert_lacks(reader, BUTTON);
		assert_int_equal(reader->answer.retry_after, 2);
		assert_status(browser_get(&other, targets[i]), 503);
	}
	end(&scene);
}

static void
button_leads_nowhere_else(void **state)
{
	static const char *const elsewhere[] = { "//evil.example/",
		"http://evil.example/", "/\\evil.example", "/login", "" };
	struct scene scene = begin(*state, NOTHING);

	for (size_t i = 0; i < COUNT(elsewhere); i++) {
		assert_asked(&scene.reader, "/?page=4");
		assert_status(browser_post(&scene.reader, "/visit",
				  FIELDS("return_to", elsewhere[i])),
		    303);
		assert_text(scene.reader.answer.location, "/");
		scene.reader.cookie_count = 0;
	}
	end(&scene);
}

/* So often a page is shown until the button is. What a budget earns meanwhile is shown, too. */
static int
pages_until_asked(struct browser *browser, const char *target)
{
	int pages = 0;

	while (browser_get(browser, target) == HTTP_OK)
		pages++;
	assert_int_equal(browser->answer.status, 429);
	assert_holds(browser, BUTTON);
	return pages;
}

static void
forged_cookies_are_none(void **state)
{
	struct scene scene = begin(*state, NOTHING);
	struct browser *reader = &scene.reader;
	struct arena *arena = &scene.world->arena;
	struct text cookie, name = TEXT("tally-visit"), rest, part;

	assert_asked(reader, "/?page=4");
	press(reader, "/?page=4");
	cookie = browser_cookie(reader, "tally-visit");
	for (size_t i = 0; i < cookie.size; i++) {
		char *forged = text_string(arena, cookie);

		forged[i] = forged[i] == '1' ? '2' : '1';
		browser_set_cookie(reader, name, text_of(forged));
		assert_status(browser_get(reader, "/?page=4"), 429);
		browser_set_cookie(reader, name, text_slice(cookie, 0, i));
		assert_status(browser_get(reader, "/?page=4"), 429);
	}
	/* A later end, with the signature of the one that was given. */
	rest = cookie;
	text_cut(&rest, '.', &part);
	browser_set_cookie(reader, name,
	    text_format(arena, "%.*s.9%.*s", TEXT_ARGS(part), TEXT_ARGS(rest)));
	assert_status(browser_get(reader, "/?page=4"), 429);
	browser_set_cookie(reader, name, cookie);
	assert_status(browser_get(reader, "/?page=4"), 200);
	end(&scene);
}

/* What a cookie is good for does not grow with the number of those who have it. */
static void
shared_cookie_has_one_budget(void **state)
{
	struct scene scene = begin(*state, NOTHING);
	struct browser other = another(&scene);
	int64_t began = clock_monotonic_us();
	int pages;

	assert_asked(&scene.reader, "/?page=4");
	press(&scene.reader, "/?page=4");
	browser_set_cookie(&other, TEXT("tally-visit"),
	    browser_cookie(&scene.reader, "tally-visit"));
	other.address = TEXT("198.51.100.9");
	pages = pages_until_asked(&scene.reader, "/?page=4") +
	    pages_until_asked(&other, "/?page=4");
	/* It earns one a second. */
	assert_in_range(pages, VISITORS_PASS_SURE,
	    VISITORS_PASS_SURE + 2 + (clock_monotonic_us() - began) / 1000000);
	/* Whoever presses it again goes on. */
	press(&other, "/?page=4");
	assert_status(browser_follow(&other), 200);
	end(&scene);
}

/* With little of a budget, measured: it is spent, the cookies have another one. */
static void
budget_is_spent_by_readers(void **state)
{
	struct scene scene = begin(*state, 1);
	struct browser other = another(&scene);
	const int64_t spent_us = VISITORS_SAVED_SECONDS * 1000000 / 100;
	int64_t began = clock_monotonic_us(), earned_us;
	int first = pages_until_asked(&scene.reader, "/?page=4"), pages;

	assert_true(first > 0);
	pages_until_asked(&other, "/articles/1");
	assert_status(browser_get(&other, "/articles/6"), 200);
	press(&scene.reader, "/?page=4");
	pages = pages_until_asked(&scene.reader, "/?page=4");
	earned_us = (clock_monotonic_us() - began) / 100;
	/* The cookie earns one a second, and the budget those that it pays for, of which a
	 * page may cost half of what the first did. */
	assert_in_range(pages, VISITORS_PASS_SURE,
	    VISITORS_PASS_PAGES + 2 + earned_us / 10000 +
		2 * first * earned_us / spent_us);
	end(&scene);
}

static void
pressing_is_limited_by_network(void **state)
{
	struct scene scene = begin(*state, NOTHING);
	struct browser other = another(&scene);

	scene.world->store.rules.limits[LIMIT_VISIT] = 2;
	other.address = TEXT("198.51.100.9");
	for (int i = 0; i < 2; i++) {
		assert_asked(&scene.reader, "/?page=4");
		press(&scene.reader, "/?page=4");
		scene.reader.cookie_count = 0;
	}
	assert_asked(&scene.reader, "/?page=4");
	assert_status(browser_post(&scene.reader, "/visit",
			  FIELDS("return_to", "/?page=4")),
	    429);
	assert_lacks(&scene.reader, BUTTON);
	assert_asked(&other, "/?page=4");
	press(&other, "/?page=4");
	end(&scene);
}

/* Without its cookie the button is shown again, and says why. */
static void
button_needs_its_cookie(void **state)
{
	struct scene scene = begin(*state, NOTHING);

	assert_asked(&scene.reader, "/?page=4");
	scene.reader.cookie_count = 0;
	assert_status(browser_post(&scene.reader, "/visit",
			  FIELDS("return_to", "/?page=4")),
	    403);
	assert_holds(&scene.reader, "Allow cookies");
	assert_holds(&scene.reader, "value=\"/?page=4\"");
	press(&scene.reader, "/?page=4");
	assert_status(
	    browser_get(&scene.reader, "/visit?return_to=%2Fabout"), 200);
	press(&scene.reader, "/about");
	end(&scene);
}

/* Asking whether a page has changed costs nothing that matters. */
static void
kept_pages_are_not_asked_for(void **state)
{
	struct scene scene = begin(*state, 100);
	struct etags *etags = etags_new(&scene.world->arena);

	scene.reader.app.etags = etags;
	world_move_clock(scene.world, 40 * DAY);
	assert_status(browser_get(&scene.reader, "/articles/1"), 200);
	end(&scene);
	scene.reader.app.visitors = visitors_new(NOTHING);
	assert_asked(&scene.reader, "/articles/1");
	assert_int_equal(scene.reader.answer.etag.size, 0);
	end(&scene);
	scene.reader.app.visitors = visitors_new(100);
	assert_status(browser_get(&scene.reader, "/articles/1"), 200);
	scene.reader.if_none_match = scene.reader.answer.etag;
	end(&scene);
	scene.reader.app.visitors = visitors_new(NOTHING);
	assert_status(browser_get(&scene.reader, "/articles/1"), 304);
	end(&scene);
	etags_free(etags);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(expensive_pages_are_asked_for),
		world_test(nobody_is_asked_while_there_is_a_budget),
		world_test(button_leads_back_for_a_day),
		world_test(nobody_is_asked_while_redis_is_away),
		world_test(button_leads_nowhere_else),
		world_test(forged_cookies_are_none),
		world_test(shared_cookie_has_one_budget),
		world_test(budget_is_spent_by_readers),
		world_test(pressing_is_limited_by_network),
		world_test(button_needs_its_cookie),
		world_test(kept_pages_are_not_asked_for),
	};

	return world_run("visitors", tests);
}

/* The search page, with a process that answers as the test says. */
#include <stdio.h>
#include <string.h>

#include "../support/browser.h"
#include "../support/search_stub.h"
#include "base/cache.h"
#include "base/url.h"
#include "pages/visitors.h"
#include "search/answers.h"
#include "store/feed_key.h"
#include "store/group.h"
#include "store/group_admin.h"

/* Ann, bob, article 1 by ann, and a process at a socket in the world's folder. */
struct scene {
	struct world *world;
	struct browser ann, visitor;
	struct search_stub stub;
	struct redis *client;
};

static struct scene *
open_scene(struct world *world)
{
	struct scene *scene = arena_new(&world->arena, struct scene, 1);
	struct browser_scene browsers = browser_scene(world);
	struct text path =
	    text_format(&world->arena, "%s/search.sock", world->folder);

	search_stub_open(&scene->stub, text_string(&world->arena, path));
	scene->world = world;
	scene->client = search_client_open(&world->arena, path);
	redis_set_timeout(scene->client, 30000); /* the machine may be busy */
	scene->ann = browsers.ann;
	scene->visitor = browser_open(world);
	scene->ann.app.search = scene->visitor.app.search = scene->client;
	return scene;
}

static void
close_scene(struct scene *scene)
{
	redis_close(scene->client);
	search_stub_close(&scene->stub);
}

static uint64_t
post_text(struct world *world, uint64_t user, const char *title,
    const char *text, const char *groups)
{
	struct article article = { .title = text_of(title),
		.text = text_of(text),
		.groups = text_of(groups),
		.post.author = { user, TEXT("ann") } };

	world_groups(world, article.groups);
	world_choose_bucket(world, &article);
	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	return article.post.id.article;
}

static void
finds_articles_and_comments_in_their_order(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;
	uint64_t text;

	text = post_text(world, 1, "About a linker",
	    "It links <b>objects</b> & the linker is fast.", "");
	assert_int_equal(text, 2);
	world_comment(world, article_id(1), 2, "I wrote a *linker* myself.");
	search_stub_find(&scene->stub, "exact", 2, "1:1 2");
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_text(
	    text_of(scene->stub.asked), "SEARCH|linker|relevance|0|26|20");
	assert_holds(visitor, ">2 results<");
	assert_holds(visitor, "I wrote a <mark>linker</mark> myself.");
	assert_holds(visitor, "About a <mark>linker</mark></a>");
	assert_holds(visitor,
	    "It links &lt;b&gt;objects&lt;/b&gt; &amp; the "
	    "<mark>linker</mark> is fast.");
	assert_holds(
	    visitor, "on <a href=\"/articles/1\">“<bdi>First</bdi>”</a>");
	assert_holds(visitor, "name=\"q\" value=\"linker\"");
	assert_holds(visitor, "<meta name=\"robots\" content=\"noindex\">");
	assert_lacks(visitor, "rel=\"canonical\"");
	assert_int_equal(visitor->answer.cache, CACHE_NEVER);
	close_scene(scene);
}

static void
drops_what_is_removed_or_lacks_the_words(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;
	const char *const titles[] = { "linker two", "linker three",
		"other four", "linker five" };

	for (size_t i = 0; i < 4; i++)
		post_text(world, 1, titles[i], titles[i], "");
	world_comment(world, article_id(3), 2, "linker, too");
	world_comment(world, article_id(2), 2, "linker of two");
	world_remove(world, 2);
	search_stub_find(&scene->stub, "exact", 8, "2 3 4 5 3:1 2:1 99 99:9");
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_text(browser_ids(visitor), "3 5");
	assert_holds(visitor, ">3 results<");
	assert_holds(visitor, "data-comment=\"1\"");
	assert_lacks(visitor, "of two");
	assert_lacks(visitor, "other four");
	close_scene(scene);
}

static void
members_vote_on_what_they_find(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *ann = &scene->ann;

	assert_int_equal(
	    world_post(world, 2, "A linker", "https://b.example/", ""), 2);
	world_comment(world, article_id(1), 2, "linker");
	search_stub_find(&scene->stub, "exact", 2, "2 1:1");
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_text(
	    text_of(scene->stub.asked), "SEARCH|linker|relevance|0|26|50");
	assert_holds(ann, "name=\"up\" value=\"2\"");
	assert_holds(ann, "name=\"up\" value=\"1.1\"");
	assert_status(browser_post(ann, "/vote",
			  FIELDS("up", "2", "return_to", "/search?q=linker")),
	    303);
	assert_text(ann->answer.location, "/search?q=linker#article-2");
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_text(browser_attribute(ann, 2, "data-vote"), "up");
	close_scene(scene);
}

/* "first 2 2 2", and so on, with count twos. */
static const char *
ids_with_twos(struct world *world, const char *first, size_t count)
{
	struct text ids = text_of(first);

	for (size_t i = 0; i < count; i++)
		ids = text_join(&world->arena, ids, TEXT(" 2"));
	return text_string(&world->arena, ids);
}

/* The process answers the same to each question: here the page asks where it has to. */
static void
pages_are_full_though_results_are_hidden(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *ann = &scene->ann;

	assert_int_equal(
	    world_post(world, 2, "A linker", "https://b.example/", ""), 2);
	world_comment(world, article_id(1), 2, "linker");
	world_comment(world, article_id(1), 1, "linker");
	assert_status(browser_get(ann, "/"), 200);
	assert_status(browser_post(ann, "/vote", FIELDS("hide", "2")), 303);
	search_stub_find(
	    &scene->stub, "more", 90, ids_with_twos(world, "1:1 1:2", 24));
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_int_equal(scene->stub.searches, 2);
	assert_text(
	    text_of(scene->stub.asked), "SEARCH|linker|relevance|26|50|50");
	assert_int_equal(browser_count(ann, "<article class=\"comment"), 4);
	assert_holds(ann, "48 are hidden from you.");
	assert_lacks(ann, "stopped looking");
	assert_lacks(ann, "rel=\"next\"");
	/* The next page begins where this one has ended. */
	search_stub_find(&scene->stub, "more", 90,
	    "2 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 "
	    "1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1 1:1");
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_int_equal(scene->stub.searches, 3);
	assert_int_equal(browser_count(ann, "<article class=\"comment"), 25);
	assert_holds(ann, "href=\"/search?q=linker&amp;page=2&amp;from=27\"");
	assert_status(browser_get(ann, "/search?q=linker&page=2&from=27"), 200);
	assert_text(
	    text_of(scene->stub.asked), "SEARCH|linker|relevance|26|26|50");
	/* It asks for nothing that no page shows. */
	search_stub_find(
	    &scene->stub, "more", 900, ids_with_twos(world, "1:1", 25));
	assert_status(
	    browser_get(ann, "/search?q=linker&page=20&from=476"), 200);
	assert_int_equal(scene->stub.searches, 5);
	assert_holds(ann, "Only the first 500 results are shown.");
	assert_holds(ann, "25 are hidden from you.");
	assert_status(browser_get(ann, "/search?q=linker&from=501"), 404);
	close_scene(scene);
}

static void
says_that_search_is_away_and_keeps_the_form(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *ann = &scene->ann;
	static const struct {
		const char *answer, *words;
	} cases[] = {
		{ "-BUSY 64 wait\r\n", "Search is busy" },
		{ "-INDEX being built\r\n", "43 % done" },
		{ "-ERR what\r\n", "Search is away; everything else works." },
		{ "+OK\r\n", "Search is away" },
		{ "*3\r\n$5\r\nother\r\n:1\r\n*0\r\n", "Search is away" },
		{ "*3\r\n$5\r\nexact\r\n:1\r\n:4\r\n", "Search is away" },
		{ "*0\r\n", "Search is away" },
		{ "$-1\r\n", "Search is away" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		search_stub_answer(&scene->stub, cases[i].answer);
		assert_status(browser_get(ann, "/search?q=%22a+b%22"), 503);
		assert_holds(ann, cases[i].words);
		assert_holds(ann, "name=\"q\" value=\"&quot;a b&quot;\"");
		assert_true(ann->answer.retry_after > 0);
	}
	search_stub_find(&scene->stub, "exact", 0, "");
	assert_status(browser_get(ann, "/search?q=a+b"), 200);
	assert_holds(ann, "Nothing found.");
	close_scene(scene);
}

/* A silent process, one that sends nonsense, and none. */
static void
goes_on_without_the_process(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *ann = &scene->ann;

	search_stub_answer(&scene->stub, "");
	redis_set_timeout(scene->client, 30);
	assert_status(browser_get(ann, "/search?q=linker"), 503);
	assert_holds(ann, "Search is away");
	assert_status(browser_get(ann, "/"), 200);
	close_scene(scene);
	scene->ann.app.search = NULL;
	assert_status(browser_get(ann, "/search?q=linker"), 503);
	assert_holds(ann, "name=\"q\" value=\"linker\"");
}

static void
asks_nothing_without_words(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;
	static const char *const targets[] = { "/search",
		"/search?q=", "/search?q=++", "/search?q=%22%22+-+--" };

	for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		assert_status(browser_get(visitor, targets[i]), 200);
		assert_holds(visitor, "name=\"q\"");
		assert_lacks(visitor, "result");
	}
	assert_status(browser_get(visitor, "/search?q=-spam"), 200);
	assert_holds(visitor, "Say also what to look for");
	assert_int_equal(scene->stub.searches, 0);
	close_scene(scene);
}

static void
says_what_it_did_not_understand(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;
	char target[1024] = "/search?q=redis";

	assert_status(
	    browser_get(visitor,
		"/search?q=before%3Asoon+is%3Anothing+order%3Abest+re%2A"),
	    200);
	assert_holds(visitor, "soon\u2069” isn’t a date");
	assert_holds(visitor, "nothing\u2069” isn’t one of is:link");
	assert_holds(visitor, "best\u2069” isn’t one of order:relevance");
	assert_holds(visitor, "is too short for a *");
	assert_status(
	    browser_get(visitor, "/search?q=author%3Anobody+group%3Anone+x"),
	    200);
	assert_holds(visitor, "There’s no member “\u2068nobody\u2069”.");
	assert_holds(visitor, "There’s no group “\u2068none\u2069”.");
	for (int i = 0; i < 120; i++)
		strcat(target, "+abc");
	assert_status(browser_get(visitor, target), 200);
	assert_holds(visitor, "the rest was left out");
	close_scene(scene);
}

/* Anything is a query: no status but 200, and nothing unescaped. */
static void
rejects_no_input(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;
	static const char *const queries[] = { "%3Cscript%3E", "%00%01%7F",
		"%22%27%26%3C", "NEAR%28a+b%29+AND+NOT", "OR+OR+a+OR",
		"%E4%B8%AD%E6%96%87", "author%3A%7Bb.1%7D", "group%3A%0D%0A",
		"%2A%2A%2A+%22", "is%3A+before%3A+%40+%3A" };

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		char target[200];

		snprintf(target, sizeof(target), "/search?q=%s", queries[i]);
		assert_status(browser_go(visitor, target), 200);
		assert_lacks(visitor, "<script");
	}
	assert_status(browser_get(visitor, "/search?q=a&order=worst"), 200);
	close_scene(scene);
}

static void
resolves_names_before_it_asks(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;

	post_text(world, 1, "redis", "redis", "dbs");
	assert_status(
	    browser_get(visitor, "/search?q=author%3AAnn+group%3Adbs+redis"),
	    200);
	assert_non_null(strstr(scene->stub.asked, "|u:ann|1"));
	assert_non_null(strstr(scene->stub.asked, "|g:dbs|dbs"));
	search_stub_find(&scene->stub, "exact", 2, "1 2");
	assert_status(
	    browser_get(visitor, "/search?q=author%3Aann+group%3Adbs+redis"),
	    200);
	assert_text(browser_ids(visitor), "2");
	close_scene(scene);
}

/* Articles are filed anew one by one: until then the index has their former group. */
static void
finds_a_renamed_group_by_all_its_names(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;
	const char *const names[] = { "dbs", "databases", "data" };
	const struct mod_action action = { .by = { 1, TEXT("ann") } };

	assert_int_equal(post_text(world, 1, "redis", "redis", "dbs"), 2);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    group_rename(&world->store, &world->arena,
			text_of(names[i]), text_of(names[i + 1]), action),
		    STORE_OK);
	search_stub_find(&scene->stub, "exact", 2, "1 2");
	for (int i = 0; i < 3; i++) {
		char target[64];

		snprintf(target, sizeof(target), "/search?q=group%%3A%s+redis",
		    names[i]);
		assert_status(browser_get(visitor, target), 200);
		assert_text(browser_ids(visitor), "2");
		assert_non_null(strstr(scene->stub.asked, "|data,"));
		assert_non_null(strstr(scene->stub.asked, ",dbs"));
		assert_non_null(strstr(scene->stub.asked, ",databases"));
	}
	close_scene(scene);
}

/* Also when its voting has closed long ago, and it could be posted again. */
static void
a_link_alone_leads_to_its_article(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;
	struct arena *arena = &scene->world->arena;
	struct text link = world_article(scene->world, 1, 0).url;
	const char *target = fixture_string(
	    arena, "/search?q=%.*s", TEXT_ARGS(url_encode(arena, link)));

	post_text(scene->world, 1, "Quoted",
	    fixture_string(arena, "See %.*s.", TEXT_ARGS(link)), "");
	search_stub_find(&scene->stub, "exact", 2, "2 1");
	assert_status(browser_get(visitor, target), 303);
	assert_text(visitor->answer.location, "/articles/1");
	world_stop_clock(scene->world, NOON + 100 * 86400);
	link = text_slice(link, strlen("http://"), link.size);
	assert_status(browser_get(visitor,
			  fixture_string(arena, "/search?q=www.%.*s",
			      TEXT_ARGS(url_encode(arena, link)))),
	    303);
	/* What else the index has is not it. */
	assert_status(
	    browser_get(visitor, "/search?q=http%3A%2F%2Fc.example%2F"), 200);
	assert_text(browser_ids(visitor), "");
	world_remove(scene->world, 1);
	assert_status(browser_get(visitor, target), 200);
	assert_text(browser_ids(visitor), "2");
	close_scene(scene);
}

static void
counts_and_pages(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;
	char ids[400] = "";

	for (int i = 2; i <= 30; i++) {
		const char *title =
		    fixture_string(&world->arena, "linker %d", i);

		post_text(world, 1, title, title, "");
	}
	for (int i = 2; i <= 27; i++)
		sprintf(ids + strlen(ids), "%d ", i);
	search_stub_find(&scene->stub, "more", 1000, ids);
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_holds(visitor, "1,000+ results");
	assert_int_equal(browser_count(visitor, "<li class=\"article\""), 25);
	assert_holds(visitor, "href=\"/search?q=linker&amp;page=2\"");
	assert_status(
	    browser_get(visitor, "/search?q=linker&order=newest&page=2"), 200);
	assert_text(
	    text_of(scene->stub.asked), "SEARCH|linker|newest|25|26|20");
	assert_holds(
	    visitor, "href=\"/search?q=linker&amp;order=newest&amp;page=3\"");
	assert_status(browser_get(visitor, "/search?q=linker&page=20"), 200);
	assert_lacks(visitor, "page=21");
	assert_holds(visitor, "Only the first 500 results are shown.");
	assert_status(browser_get(visitor, "/search?q=linker&page=21"), 404);
	search_stub_find(&scene->stub, "late", 30, ids);
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_holds(visitor, "Searched for 20 ms: these are the newest");
	/* Of results that were counted, the last page is known. */
	search_stub_find(&scene->stub, "exact", 29, "");
	assert_status(browser_get(visitor, "/search?q=linker&page=3"), 404);
	assert_holds(visitor, "href=\"/search?q=linker&amp;page=2\"");
	search_stub_find(&scene->stub, "exact", 0, "");
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_holds(visitor, "Nothing found.");
	assert_status(browser_get(visitor, "/search?q=linker&page=2"), 404);
	close_scene(scene);
}

static void
searches_for_nothing_say_so(void **state)
{
	static const char *const nothing[] = { "%F0%9F%8E%89", "%28", "%2A" };
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;

	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++) {
		assert_status(browser_get(visitor,
				  fixture_string(&scene->world->arena,
				      "/search?q=%s", nothing[i])),
		    200);
		assert_holds(visitor, "at least one letter or digit");
	}
	assert_status(browser_get(visitor, "/search"), 200);
	assert_lacks(visitor, "at least one letter or digit");
	assert_int_equal(scene->stub.searches, 0);
	close_scene(scene);
}

static void
order_by_points_is_that_of_now(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;

	post_text(world, 1, "linker", "two", "");
	post_text(world, 1, "linker", "three", "");
	world_vote(world, 3, 2, VOTE_UP);
	search_stub_find(&scene->stub, "exact", 2, "2 3");
	assert_status(
	    browser_get(visitor, "/search?q=linker&order=points"), 200);
	assert_text(browser_ids(visitor), "3 2");
	assert_status(
	    browser_get(visitor, "/search?q=linker+order%3Apoints"), 200);
	assert_text(browser_ids(visitor), "3 2");
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_text(browser_ids(visitor), "2 3");
	close_scene(scene);
}

static void
searches_are_limited_by_network_and_member(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor, *ann = &scene->ann;

	world->store.rules.limits[LIMIT_SEARCH] = 2;
	world->store.rules.limits[LIMIT_MEMBER_SEARCH] = 3;
	for (int i = 0; i < 2; i++)
		assert_status(browser_get(visitor, "/search?q=a"), 200);
	assert_status(browser_get(visitor, "/search?q=a+b"), 429);
	assert_holds(visitor, "That was too many searches.");
	assert_holds(visitor, "name=\"q\" value=\"a b\"");
	assert_int_equal(visitor->answer.retry_after, 60);
	for (int i = 0; i < 3; i++)
		assert_status(browser_get(ann, "/search?q=a"), 200);
	assert_status(browser_get(ann, "/search?q=a"), 429);
	assert_int_equal(scene->stub.searches, 5);
	/* The form costs nothing. */
	assert_status(browser_get(visitor, "/search"), 200);
	world_move_clock(world, 61);
	assert_status(browser_get(visitor, "/search?q=a"), 200);
	close_scene(scene);
}

/* Programs that read everything search as little as they read old articles. */
static void
visitors_search_from_their_budget(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor, *ann = &scene->ann;
	struct visitors *visitors = visitors_new(0);

	visitor->app.visitors = ann->app.visitors = visitors;
	assert_status(browser_get(visitor, "/search?q=linker"), 429);
	assert_holds(visitor, "<h1>Continue reading</h1>");
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_int_equal(scene->stub.searches, 1);
	assert_status(browser_get(visitor, "/search"), 200);
	visitors_free(visitors);
	close_scene(scene);
}

/* Visitors who ask for the same within seconds cost one search; what they are shown is read each
 * time. */
static void
equal_searches_of_visitors_are_asked_once(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor, *ann = &scene->ann;
	struct cache *cache = cache_new(16, SEARCH_KEPT_BYTES);
	int before;

	visitor->app.search_cache = ann->app.search_cache = cache;
	post_text(world, 1, "linker", "linker", "");
	search_stub_find(&scene->stub, "exact", 1, "2");
	/* The ten seconds may end in between. */
	do {
		before = scene->stub.searches;
		assert_status(browser_get(visitor, "/search?q=linker"), 200);
		assert_status(browser_get(visitor, "/search?q=+LINKER"), 200);
	} while (scene->stub.searches == before + 2);
	assert_text(browser_ids(visitor), "2");
	before = scene->stub.searches;
	/* Without its plural, and in another order, it is another search. */
	assert_status(browser_get(visitor, "/search?q=%22linker%22"), 200);
	assert_status(
	    browser_get(visitor, "/search?q=linker&order=newest"), 200);
	assert_int_equal(scene->stub.searches, before + 2);
	before = scene->stub.searches;
	assert_status(browser_get(ann, "/search?q=linker"), 200);
	assert_int_equal(scene->stub.searches, before + 1);
	world_remove(world, 2);
	assert_status(browser_get(visitor, "/search?q=linker"), 200);
	assert_holds(visitor, "Nothing found.");
	cache_free(cache);
	close_scene(scene);
}

static void
the_field_of_a_list_searches_there(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *visitor = &scene->visitor;

	world_groups(world, TEXT("cc databases"));
	assert_status(browser_get(visitor, "/"), 200);
	assert_holds(visitor, "action=\"/search\"");
	assert_lacks(visitor, "name=\"in\"");
	assert_status(browser_get(visitor, "/g/cc+databases"), 200);
	assert_holds(visitor, "name=\"in\" value=\"group:cc+databases\"");
	assert_status(browser_get(visitor, "/u/ann"), 200);
	assert_holds(visitor, "name=\"in\" value=\"author:ann\"");
	assert_status(browser_get(visitor, "/from/a.example"), 200);
	assert_holds(visitor, "name=\"in\" value=\"domain:a.example\"");
	assert_status(browser_get(visitor, "/u/ann/comments"), 200);
	assert_holds(visitor, "name=\"in\" value=\"author:ann\"");
	assert_status(
	    browser_get(visitor, "/search?in=group%3Acc%2Bdatabases&q=a+%26+b"),
	    303);
	assert_text(visitor->answer.location,
	    "/search?q=group%3Acc%2Bdatabases+a+%26+b");
	assert_status(browser_follow(visitor), 200);
	assert_holds(visitor, "value=\"group:cc+databases a &amp; b\"");
	assert_status(browser_get(visitor, "/search?in=author%3Aann&q="), 303);
	assert_text(visitor->answer.location, "/search?q=author%3Aann");
	close_scene(scene);
}

/* A search is a private feed: of the newest first, and of what it still finds. */
static void
members_follow_a_search_as_a_feed(void **state)
{
	struct scene *scene = open_scene(*state);
	struct world *world = scene->world;
	struct browser *ann = &scene->ann, *visitor = &scene->visitor;
	struct text key;

	post_text(world, 1, "Of a linker", "linker", "");
	post_text(world, 1, "Another", "none", "");
	world_comment(world, article_id(1), 2, "My linker.");
	search_stub_find(&scene->stub, "exact", 4, "3 2 1:1 99");
	assert_status(browser_get(visitor, "/search.atom?q=linker"), 303);
	assert_status(
	    browser_get(ann, "/search.atom?q=linker+order%3Apoints"), 200);
	assert_text(text_of(scene->stub.asked),
	    "SEARCH|linker order:points|newest|0|26|50");
	assert_int_equal(browser_count(ann, "<entry>"), 2);
	assert_holds(ann, ":/articles/2</id>");
	assert_holds(ann, ":/articles/1/comments/1</id>");
	assert_holds(ann, "Search: linker order:points</title>");
	assert_holds(ann, "/search?q=linker+order%3Apoints");
	assert_int_equal(ann->answer.cache, CACHE_NEVER);
	/* By the secret of private feeds. */
	assert_int_equal(
	    feed_key_renew(&world->store, &world->arena, 1, &key), STORE_OK);
	assert_status(
	    browser_get(visitor,
		fixture_string(&world->arena, "/search.json?q=linker&key=%.*s",
		    TEXT_ARGS(key))),
	    200);
	assert_holds(visitor, "/articles/2");
	assert_int_equal(text_find(visitor->answer.body, 0, key), SIZE_MAX);
	/* What asks for nothing finds nothing; what fails says so. */
	assert_status(browser_get(ann, "/search.atom?q=-linker"), 200);
	assert_int_equal(browser_count(ann, "<entry>"), 0);
	world->store.rules.limits[LIMIT_MEMBER_SEARCH] = 1;
	search_stub_answer(&scene->stub, "-BUSY 64 wait\r\n");
	assert_status(browser_get(ann, "/search.atom?q=linker"), 503);
	assert_holds(ann, "Search is away");
	assert_status(browser_get(ann, "/search.atom?q=linker"), 429);
	close_scene(scene);
}

static void
browsers_can_add_the_site(void **state)
{
	struct scene *scene = open_scene(*state);
	struct browser *visitor = &scene->visitor;

	browser_move_site(visitor, "https://tally.example");
	assert_status(browser_get(visitor, "/"), 200);
	assert_holds(visitor, "href=\"/opensearch.xml\"");
	assert_status(browser_get(visitor, "/opensearch.xml"), 200);
	assert_int_equal(visitor->answer.type, TYPE_OPENSEARCH);
	assert_holds(visitor,
	    "template=\"https://tally.example/search?q={searchTerms}\"");
	assert_status(browser_get(visitor, "/search/help"), 200);
	assert_int_equal(browser_count(visitor, "<tr><th scope=\"row\">"), 10);
	close_scene(scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(finds_articles_and_comments_in_their_order),
		world_test(drops_what_is_removed_or_lacks_the_words),
		world_test(members_vote_on_what_they_find),
		world_test(pages_are_full_though_results_are_hidden),
		world_test(says_that_search_is_away_and_keeps_the_form),
		world_test(goes_on_without_the_process),
		world_test(asks_nothing_without_words),
		world_test(says_what_it_did_not_understand),
		world_test(rejects_no_input),
		world_test(resolves_names_before_it_asks),
		world_test(finds_a_renamed_group_by_all_its_names),
		world_test(a_link_alone_leads_to_its_article),
		world_test(counts_and_pages),
		world_test(searches_for_nothing_say_so),
		world_test(order_by_points_is_that_of_now),
		world_test(searches_are_limited_by_network_and_member),
		world_test(visitors_search_from_their_budget),
		world_test(equal_searches_of_visitors_are_asked_once),
		world_test(the_field_of_a_list_searches_there),
		world_test(members_follow_a_search_as_a_feed),
		world_test(browsers_can_add_the_site),
	};

	return world_run("search", tests);
}

/* Feeds: what is in one, its ids and times, its tag, and that any text is well-formed. */
#include "../support/browser.h"
#include "base/cache.h"
#include "base/json.h"
#include "base/utf8.h"
#include "pages/etag.h"
#include "pages/visitors.h"
#include "store/comment.h"
#include "store/settings.h"

enum { DAY = 86400 };

struct scene {
	struct world *world;
	struct browser reader;
};

/* Article 1 by ann with a comment by bob; a reader of https://a.example, whose site has
 * named its entries at once. */
static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	assert_int_equal(settings_note_authority(&world->store, &world->arena,
			     TEXT("https://a.example:8443")),
	    STORE_OK);
	scene.reader = browser_open(world);
	browser_move_site(&scene.reader, "https://a.example");
	scene.reader.app.etags = etags_new(&world->arena);
	assert_int_equal(
	    world_post(world, 1, "First", "http://b.example/x", "news"), 1);
	world_comment(world, article_id(1), 2, "Words of @ann.");
	return scene;
}

static void
entry_names_the_article_and_its_conversation(void **state)
{
	struct browser reader = begin(*state).reader;

	assert_status(browser_get(&reader, "/new.atom"), 200);
	assert_int_equal(reader.answer.type, TYPE_ATOM);
	assert_int_equal(reader.answer.cache, CACHE_ONE_SECOND);
	assert_holds(&reader, "<id>tag:a.example,2023-11-14:/new</id>");
	assert_holds(&reader, "<id>tag:a.example,2023-11-14:/articles/1</id>");
	assert_holds(&reader,
	    "<link rel=\"self\" type=\"application/atom+xml\" "
	    "href=\"https://a.example/new.atom\"/>");
	assert_holds(&reader,
	    "<link rel=\"alternate\" type=\"text/html\" "
	    "href=\"http://b.example/x");
	assert_holds(&reader,
	    "<link rel=\"replies\" type=\"text/html\" "
	    "href=\"https://a.example/articles/1#comments\" thr:count=\"1\"/>");
	assert_holds(&reader,
	    "&lt;a href=&quot;https://a.example/articles/1#comments&quot;&gt;"
	    "Comments&lt;/a&gt;");
	assert_holds(&reader, "<category term=\"news\"/>");
	assert_holds(&reader, "<updated>2023-11-14T22:13:20Z</updated>");
	assert_status(browser_get(&reader, "/new.atom?link=comments"), 200);
	assert_holds(&reader,
	    "<link rel=\"alternate\" type=\"text/html\" "
	    "href=\"https://a.example/articles/1\"/>");
	assert_holds(
	    &reader, "<link rel=\"related\" href=\"http://b.example/x");
	assert_status(browser_get(&reader, "/new.atom?link=article"), 400);
	assert_status(browser_get(&reader, "/new.atom?least=x"), 400);
	assert_status(browser_get(&reader, "/new.atom?least=-1"), 400);
	assert_status(browser_get(&reader, "/new.atom?page=2"), 301);
	assert_text(reader.answer.location, "/new.atom");
}

static void
json_says_the_same(void **state)
{
	struct browser reader = begin(*state).reader;
	struct json_reader feed, item, tally;

	assert_status(browser_get(&reader, "/new.json"), 200);
	assert_int_equal(reader.answer.type, TYPE_JSON_FEED);
	feed = json_open(&reader.world->arena, reader.answer.body);
	assert_text(json_read_text(&feed, "version"),
	    "https://jsonfeed.org/version/1.1");
	assert_text(
	    json_read_text(&feed, "feed_url"), "https://a.example/new.json");
	assert_text(
	    json_read_text(&feed, "home_page_url"), "https://a.example/new");
	assert_int_equal(json_read_count(&feed, "items"), 1);
	item = json_read_item(&feed, "items", 0);
	assert_text(json_read_text(&item, "id"),
	    "tag:a.example,2023-11-14:/articles/1");
	assert_true(text_starts(
	    json_read_text(&item, "url"), TEXT("http://b.example/x")));
	assert_text(
	    json_read_text(&item, "date_modified"), "2023-11-14T22:13:20Z");
	tally = json_read_object(&item, "_tally");
	assert_int_equal(json_read_number(&tally, "points"), 1);
	assert_int_equal(json_read_number(&tally, "comments"), 1);
	json_close(&feed);
}

/* Each list has both. */
static void
every_list_has_a_feed(void **state)
{
	static const struct {
		const char *page, *feed;
	} lists[] = { { "/", "/index" }, { "/interesting", "/interesting" },
		{ "/new", "/new" }, { "/?order=bottom", "/index" },
		{ "/g/news", "/g/news" }, { "/g/news+old", "/g/news+old" },
		{ "/u/ann", "/u/ann" }, { "/comments", "/comments" },
		{ "/u/bob/comments", "/u/bob/comments" },
		{ "/articles/1", "/articles/1" }, { "/log", "/log" } };
	struct scene scene = begin(*state);
	struct browser *reader = &scene.reader;

	world_group(scene.world, "old");
	world_remove(scene.world,
	    world_post(scene.world, 1, "Bad", "http://bad.example/", ""));
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const char *link = fixture_string(&scene.world->arena,
		    "<link rel=\"alternate\" type=\"application/atom+xml\" "
		    "title=\"Tally (Atom)\" href=\"%s.atom\">",
		    lists[i].feed);

		assert_status(browser_get(reader, lists[i].page), 200);
		assert_holds(reader, link);
		for (int f = 0; f < 2; f++) {
			assert_status(
			    browser_get(reader,
				fixture_string(&scene.world->arena, "%s%s",
				    lists[i].feed, f == 0 ? ".atom" : ".json")),
			    200);
			assert_true(reader->answer.etag.size > 0);
			assert_lacks(reader, "bad.example");
		}
	}
	assert_status(browser_get(reader, "/g/news+old?match=all"), 200);
	assert_holds(reader, "href=\"/g/news+old.atom?match=all\"");
	assert_status(browser_get(reader, "/about"), 200);
	assert_lacks(reader, "rel=\"alternate\"");
}

static void
addresses_are_those_of_pages(void **state)
{
	static const struct {
		const char *asked;
		int status;
		const char *location;
	} rules[] = { { "/g/News.atom", 301, "/g/news.atom" },
		{ "/g/old+news.json?match=all&x=1", 301,
		    "/g/old+news.json?match=all" },
		{ "/g/old+news.json?match=all", 301,
		    "/g/news+old.json?match=all" },
		{ "/u/ANN.atom", 301, "/u/ann.atom" },
		{ "/NEW.atom", 301, "/new.atom" },
		{ "/g/nowhere.atom", 404, NULL }, { "/u/eve.json", 404, NULL },
		{ "/articles/9.atom", 404, NULL }, { "/.atom", 404, NULL },
		{ "/submit.atom", 404, NULL }, { "/about.json", 404, NULL },
		{ "/new.rss", 404, NULL } };
	struct scene scene = begin(*state);

	world_group(scene.world, "old");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		assert_status(browser_get(&scene.reader, rules[i].asked),
		    rules[i].status);
		if (rules[i].location != NULL)
			assert_text(
			    scene.reader.answer.location, rules[i].location);
	}
}

/* All of two days, a page at least. */
static void
feed_has_two_days_or_a_page(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	world->store.rules.page_size = 3;
	for (int i = 0; i < 5; i++)
		world_post(world, 1, "Old",
		    fixture_string(&world->arena, "http://old.example/%d", i),
		    "");
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 6);
	world_move_clock(world, INT64_C(2) * DAY);
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 3);
	world_post(world, 1, "New", "http://new.example/", "");
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 3);
	for (int i = 0; i < 210; i++)
		world_post(world, 1, "New",
		    fixture_string(&world->arena, "http://new.example/%d", i),
		    "");
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 200);
}

static void
least_asks_for_points(void **state)
{
	struct scene scene = begin(*state);

	world_post(scene.world, 2, "Second", "http://c.example/", "");
	world_vote(scene.world, 1, 2, VOTE_UP);
	assert_status(browser_get(&scene.reader, "/new.atom?least=1"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 2);
	assert_status(browser_get(&scene.reader, "/new.atom?least=2"), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 1);
	assert_holds(&scene.reader, "<title>First</title>");
	assert_status(
	    browser_get(&scene.reader, "/comments.json?least=2"), 200);
	assert_lacks(&scene.reader, "/comments/1");
}

/* Keeps the tag as a reader does. */
static void
keep(struct browser *reader, const char *target)
{
	reader->if_none_match = TEXT("");
	assert_status(browser_get(reader, target), 200);
	assert_true(text_starts(reader->answer.etag, TEXT("W/\"")));
	reader->if_none_match = reader->answer.etag;
}

static void
assert_kept(struct browser *reader, const char *target)
{
	assert_status(browser_get(reader, target), 304);
	assert_int_equal(reader->answer.body.size, 0);
	assert_true(reader->answer.etag.size > 0);
	reader->if_none_match = reader->answer.etag;
}

static void
votes_change_nothing(void **state)
{
	struct scene scene = begin(*state);
	struct browser *reader = &scene.reader;
	struct post_id comment = { 1, 1 };
	struct text tag;

	keep(reader, "/new.json");
	assert_kept(reader, "/new.json");
	tag = reader->if_none_match;
	world_vote(scene.world, 1, 2, VOTE_UP);
	assert_kept(reader, "/new.json");
	assert_false(text_equal(tag, reader->if_none_match));
	assert_kept(reader, "/new.json");
	keep(reader, "/articles/1.atom");
	assert_int_equal(world_cast(&scene.world->store, &scene.world->arena,
			     comment, 1, VOTE_UP),
	    STORE_OK);
	assert_kept(reader, "/articles/1.atom");
}

static void
each_change_is_another_feed(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *reader = &scene.reader;
	struct article article = world_article(world, 1, 0);
	struct post_id comment = { 1, 1 };

	keep(reader, "/new.atom");
	world_move_clock(world, 60);
	article.title = TEXT("First, edited");
	assert_int_equal(
	    article_edit(&world->store, &world->arena, &article), STORE_OK);
	keep(reader, "/new.atom");
	assert_holds(reader, "<updated>2023-11-14T22:14:20Z</updated>");
	assert_int_equal(reader->answer.modified, NOON + 60);
	assert_kept(reader, "/new.atom");
	world_comment(world, article_id(1), 2, "More.");
	keep(reader, "/new.atom");
	assert_holds(reader, "thr:count=\"2\"");
	assert_holds(reader, "<published>2023-11-14T22:13:20Z</published>");
	/* An edit without a mark, too. */
	keep(reader, "/comments.atom");
	assert_int_equal(comment_edit(&world->store, &world->arena, comment,
			     TEXT("Other words."), TEXT("")),
	    STORE_OK);
	assert_status(browser_get(reader, "/comments.atom"), 200);
	assert_holds(reader, "Other words.");
	keep(reader, "/articles/1.atom");
	assert_int_equal(
	    post_delete(&world->store, &world->arena, comment, 2), STORE_OK);
	assert_status(browser_get(reader, "/articles/1.atom"), 200);
	assert_lacks(reader, "Other words.");
	keep(reader, "/new.atom");
	world_remove(world, 1);
	assert_status(browser_get(reader, "/new.atom"), 200);
	assert_lacks(reader, "<entry>");
	assert_status(browser_get(reader, "/articles/1.atom"), 410);
}

static bool
has_read(struct world *world, const char *command)
{
	return world_info(world, "commandstats", command) > 0;
}

/* A tag that the version of all posts confirms costs one command, a clock's besides. */
static void
unchanged_feed_costs_a_stamp(void **state)
{
	struct scene scene = begin(*state);

	keep(&scene.reader, "/new.atom");
	world_command(scene.world, TEXT("CONFIG"), TEXT("RESETSTAT"));
	assert_kept(&scene.reader, "/new.atom");
	assert_false(has_read(scene.world, "cmdstat_zrevrange"));
	assert_false(has_read(scene.world, "cmdstat_getrange"));
}

/* The same bytes, also for another reader, until something changes; a reader who has them
 * by an older tag is told so. */
static void
worker_caches_feeds(void **state)
{
	static const char *const feeds[] = { "/new.atom", "/new.json",
		"/new.atom?link=comments", "/comments.atom", "/articles/1.json",
		"/u/ann.atom" };
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser *reader = &scene.reader;
	struct browser eve = browser_member(world, "eve");
	struct cache *cache = cache_new(64, RESPONSE_MAX_PUBLIC);
	struct text first, tag;

	reader->app.feed_cache = eve.app.feed_cache = cache;
	for (size_t i = 0; i < sizeof(feeds) / sizeof(feeds[0]); i++) {
		assert_status(browser_get(reader, feeds[i]), 200);
		first = reader->answer.body;
		tag = reader->answer.etag;
		world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
		assert_status(browser_get(reader, feeds[i]), 200);
		assert_true(text_equal(first, reader->answer.body));
		assert_true(text_equal(tag, reader->answer.etag));
		assert_true(reader->answer.modified > 0);
		assert_int_equal(reader->answer.cache, CACHE_ONE_SECOND);
		assert_false(has_read(world, "cmdstat_zrevrange"));
		assert_status(
		    browser_send(reader, HTTP_HEAD, feeds[i], TEXT("")), 200);
		assert_int_equal(reader->answer.body.size, 0);
	}
	keep(reader, "/new.json");
	tag = reader->if_none_match;
	world_vote(world, 1, 2, VOTE_UP);
	reader->if_none_match = TEXT("");
	assert_status(browser_get(reader, "/new.json"), 200);
	assert_holds(reader, "\"points\":2");
	reader->if_none_match = tag;
	assert_kept(reader, "/new.json");
	reader->if_none_match = TEXT("");
	world_remove(world, 1);
	assert_status(browser_get(reader, "/new.json"), 200);
	assert_lacks(reader, "First");
	assert_status(browser_get(&eve, "/new.json"), 200);
	assert_int_equal(eve.answer.cache, CACHE_NEVER);
	cache_free(cache);
}

static void
foreign_tags_are_no_feed(void **state)
{
	static const char *const tags[] = { "*", "W/\"\"", "W/\"0.\"", "\"x\"",
		",,,", "W/\"", "" };
	struct scene scene = begin(*state);
	struct text own, both;

	keep(&scene.reader, "/new.atom");
	own = scene.reader.if_none_match;
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		scene.reader.if_none_match = text_of(tags[i]);
		assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	}
	both = text_format(
	    &scene.world->arena, "W/\"1.2\" , %.*s", TEXT_ARGS(own));
	scene.reader.if_none_match = both;
	assert_status(browser_get(&scene.reader, "/new.atom"), 304);
}

/* The id stays when the site moves, and there is one without an origin, too. */
static void
ids_never_change(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct settings settings;

	assert_int_equal(settings_note_authority(&world->store, &world->arena,
			     TEXT("https://z.example")),
	    STORE_OK);
	browser_move_site(&scene.reader, "https://z.example");
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.name = TEXT("Renamed");
	settings.tag_authority = TEXT("");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_holds(&scene.reader, "<title>Renamed · New</title>");
	assert_holds(
	    &scene.reader, "<id>tag:a.example,2023-11-14:/articles/1</id>");
	assert_holds(&scene.reader, "https://z.example/articles/1#comments");
	assert_true(settings_is_authority(TEXT("a.example,2023-11-14")));
	assert_false(settings_is_authority(TEXT("a.example")));
	assert_false(settings_is_authority(TEXT(",2023-11-14")));
	assert_false(settings_is_authority(TEXT("a b,2023-11-14")));
	assert_false(settings_is_authority(TEXT("a.example,2023-11-1x")));
}

/* Bytes that a form refuses, as damaged data may have them. */
static void
any_text_is_well_formed(void **state)
{
	static const char bad[] =
	    "a\x01\x1f]]>&\xed\xa0\x80\xef\xbf\xbe\xff<b>";
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct json_reader feed, item;
	struct text key =
	    key_post(&world->arena, &world->store.buckets, article_id(1));

	world_command(world, TEXT("HSET"), key, TEXT("title"),
	    (struct text){ bad, sizeof(bad) - 1 });
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_true(utf8_valid(scene.reader.answer.body));
	assert_holds(&scene.reader,
	    "<title>a\uFFFD\uFFFD]]&gt;&amp;\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"
	    "&lt;b&gt;</title>");
	assert_status(browser_get(&scene.reader, "/new.json"), 200);
	feed = json_open(&world->arena, scene.reader.answer.body);
	assert_int_equal(feed.problem.size, 0);
	item = json_read_item(&feed, "items", 0);
	assert_text(json_read_text(&item, "title"),
	    "a\uFFFD\uFFFD]]>&\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD<b>");
	json_close(&feed);
}

static void
texts_have_whole_addresses(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct article article = { .post.author = { 1, TEXT("ann") },
		.title = TEXT("A text"),
		.text = TEXT("See /x and href=\"/y\".\n\n@bob"),
		.markup = TEXT(ARTICLE_MARKDOWN),
		.links = TEXT("@bob"),
		.groups = TEXT("") };

	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	assert_status(browser_get(&scene.reader, "/u/ann.atom"), 200);
	assert_holds(&scene.reader,
	    "&lt;a href=&quot;https://a.example/u/bob&quot;&gt;@bob");
	assert_lacks(&scene.reader, "href=&quot;/");
	assert_holds(&scene.reader, "href=&amp;quot;/y&amp;quot;");
}

/* Moderators' names are for moderators, whoever asks. */
static void
log_names_nobody_unless_published(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser mod = browser_moderator(world, "mod");
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(browser_get(&mod, "/articles/1"), 200);
	assert_status(browser_post(&mod, "/articles/1/remove",
			  FIELDS("reason", "Ads <&>")),
	    303);
	assert_status(browser_get(&scene.reader, "/log.atom"), 200);
	assert_holds(
	    &scene.reader, "<title>mod removed “First” by ann</title>");
	assert_holds(&scene.reader, "Ads &amp;lt;&amp;amp;&amp;gt;");
	settings.log_names = TEXT(RULE_LOG_UNNAMED);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_status(browser_get(&mod, "/log.atom"), 200);
	assert_holds(&mod, "<title>A moderator removed “First” by ann</title>");
	assert_holds(&mod, "<author><name>A moderator</name></author>");
}

/* A feed that searches is as expensive as a page far into a list; no program could press the
 * button of such a page. */
static void
searching_feeds_are_limited(void **state)
{
	static const char *const free[] = { "/new.atom", "/index.json",
		"/g/news.atom", "/articles/1.atom", "/log.atom" };
	struct scene scene = begin(*state);
	struct browser *reader = &scene.reader;

	reader->app.visitors = visitors_new(0);
	for (size_t i = 0; i < sizeof(free) / sizeof(free[0]); i++)
		assert_status(browser_get(reader, free[i]), 200);
	assert_status(browser_get(reader, "/new.atom?least=1"), 429);
	assert_true(reader->answer.retry_after > 0);
	assert_int_equal(reader->answer.send_rate, 0);
	assert_int_equal(reader->answer.cache, CACHE_NEVER);
	assert_lacks(reader, "<form method=\"post\" action=\"/visit\"");
	/* An article that takes no votes. */
	world_move_clock(scene.world, INT64_C(8) * DAY);
	assert_status(browser_get(reader, "/articles/1.json"), 429);
	visitors_free(reader->app.visitors);
}

static void
head_has_no_body(void **state)
{
	struct scene scene = begin(*state);

	assert_status(
	    browser_send(&scene.reader, HTTP_HEAD, "/new.atom", TEXT("")), 200);
	assert_int_equal(scene.reader.answer.body.size, 0);
	assert_int_equal(scene.reader.answer.type, TYPE_ATOM);
	assert_status(
	    browser_send(&scene.reader, HTTP_HEAD, "/new.json", TEXT("")), 200);
	assert_int_equal(scene.reader.answer.body.size, 0);
}

/* Members read the same as visitors; it is not cached for others. */
static void
members_read_what_visitors_read(void **state)
{
	struct scene scene = begin(*state);
	struct browser eve = browser_member(scene.world, "eve");

	browser_move_site(&scene.reader, "http://localhost");
	assert_status(browser_get(&scene.reader, "/new.atom"), 200);
	assert_status(browser_get(&eve, "/new.atom"), 200);
	assert_int_equal(eve.answer.cache, CACHE_NEVER);
	assert_int_equal(eve.answer.etag.size, 0);
	assert_true(text_equal(eve.answer.body, scene.reader.answer.body));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(entry_names_the_article_and_its_conversation),
		world_test(json_says_the_same),
		world_test(every_list_has_a_feed),
		world_test(addresses_are_those_of_pages),
		world_test(feed_has_two_days_or_a_page),
		world_test(least_asks_for_points),
		world_test(votes_change_nothing),
		world_test(each_change_is_another_feed),
		world_test(unchanged_feed_costs_a_stamp),
		world_test(worker_caches_feeds),
		world_test(foreign_tags_are_no_feed),
		world_test(ids_never_change),
		world_test(any_text_is_well_formed),
		world_test(texts_have_whole_addresses),
		world_test(log_names_nobody_unless_published),
		world_test(members_read_what_visitors_read),
		world_test(searching_feeds_are_limited),
		world_test(head_has_no_body),
	};

	return world_run("feeds", tests);
}

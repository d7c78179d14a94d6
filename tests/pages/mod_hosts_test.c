/* Blocked hosts: every spelling of a host, in the form and in links. */
#include "../support/browser.h"
#include "base/cache.h"
#include "store/settings.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static enum http_status
refuse(struct browser *mod, const char *host)
{
	browser_get(mod, "/moderation/hosts");
	return browser_post(
	    mod, "/moderation/hosts", FIELDS("host", host, "reason", "junk"));
}

static enum http_status
take(struct browser *mod, const char *host)
{
	browser_get(mod, "/moderation/hosts");
	return browser_post(mod, "/moderation/hosts", FIELDS("take", host));
}

static enum http_status
submit(struct browser *ann, const char *url)
{
	browser_get(ann, "/submit");
	return browser_post(
	    ann, "/submit", FIELDS("title", "A title", "url", url));
}

static struct text
refused_hosts(struct world *world)
{
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	return settings.hosts;
}

/* With its subdomains, and no others; on a site without stored settings. */
static void
links_to_a_refused_host_are_refused(void **state)
{
	static const struct {
		const char *url;
		bool refused;
	} links[] = { { "http://spam.example/", true },
		{ "https://spam.example/page?x=1#y", true },
		{ "http://www.spam.example/", true },
		{ "http://a.b.spam.example/", true },
		{ "http://SPAM.Example/", true },
		{ "http://spam.example:8080/", true },
		{ "spam.example/x", true }, { "http://spam.example./", true },
		{ "http://notspam.example/", false },
		{ "http://spam.example.org/", false },
		{ "http://example/", false },
		{ "http://other.example/spam.example", false },
		{ "http://other.example/?http://spam.example/", false } };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");

	assert_status(refuse(&mod, "spam.example"), 303);
	assert_text(refused_hosts(world), "spam.example");
	for (size_t i = 0; i < COUNT(links); i++) {
		enum http_status status = submit(&ann, links[i].url);

		if ((status == HTTP_UNPROCESSABLE) != links[i].refused)
			fail_msg("%s: %d", links[i].url, (int)status);
		if (links[i].refused)
			assert_holds(&ann, "spam.example");
	}
	assert_status(take(&mod, "spam.example"), 303);
	assert_text(refused_hosts(world), "");
	assert_status(submit(&ann, "http://spam.example/"), 303);
}

/* A link in place of a host, with capitals, a port, or in another alphabet. */
static void
hosts_are_normalized(void **state)
{
	static const struct {
		const char *given, *kept, *link;
	} cases[] = {
		{ " Spam.EXAMPLE ", "spam.example", "http://spam.example/1" },
		{ "http://spam.example/path?x", "spam.example",
		    "http://spam.example/2" },
		{ "https://spam.example:8443/", "spam.example",
		    "http://spam.example/3" },
		{ "spam.example:80", "spam.example", "http://spam.example/4" },
		{ "http://spam.example./", "spam.example",
		    "http://spam.example/5" },
		{ "b\xc3\xbc"
		  "cher.example",
		    NULL, "http://xn--bcher-kva.example/6" },
		{ "xn--bcher-kva.example", NULL,
		    "http://b\xc3\xbc"
		    "cher.example/7" },
		{ "192.0.2.7", "192.0.2.7", "http://192.0.2.7:81/8" },
		{ "192.0.2.7:8080", "192.0.2.7", "http://192.0.2.7/10" },
		{ "http://[2001:db8::1]:8080/", NULL, "http://[2001:db8::1]/9" }
	};
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");

	for (size_t i = 0; i < COUNT(cases); i++) {
		enum http_status status = refuse(&mod, cases[i].given);

		if (status != HTTP_SEE_OTHER)
			fail_msg("%s: %d", cases[i].given, (int)status);
		if (cases[i].kept != NULL)
			assert_text(refused_hosts(world), cases[i].kept);
		status = submit(&ann, cases[i].link);
		if (status != HTTP_UNPROCESSABLE)
			fail_msg("%s: %d", cases[i].link, (int)status);
		/* With the button beside it. */
		assert_status(
		    take(
			&mod, text_string(&world->arena, refused_hosts(world))),
		    303);
		assert_text(refused_hosts(world), "");
	}
}

static void
invalid_hosts_are_refused(void **state)
{
	static const char *const none[] = { "", " ", "a b", "http://",
		"ftp://a.example/", "javascript:alert(1)", "http://u:p@a.b/",
		"a\x01.example", "/", "?", "." };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");

	for (size_t i = 0; i < COUNT(none); i++) {
		enum http_status status = refuse(&mod, none[i]);

		if (status != HTTP_UNPROCESSABLE)
			fail_msg("\"%s\": %d, %.*s", none[i], (int)status,
			    TEXT_ARGS(refused_hosts(world)));
	}
	assert_text(refused_hosts(world), "");
	/* A repetition changes nothing, and a host that is not blocked cannot be
	 * unblocked. */
	assert_status(refuse(&mod, "a.example"), 303);
	assert_status(refuse(&mod, "A.example"), 303);
	assert_status(take(&mod, "b.example"), 303);
	assert_text(refused_hosts(world), "a.example");
	assert_status(browser_get(&mod, "/log"), 200);
	assert_int_equal(browser_count(&mod, "<b>blocked links to</b>"), 1);
	assert_int_equal(browser_count(&mod, "<b>host-taken</b>"), 0);
}

/* Saving the settings preserves the hosts that moderators have blocked. */
static void
saving_settings_preserves_hosts(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct settings settings = settings_default();

	assert_status(refuse(&mod, "a.example"), 303);
	settings.name = TEXT("Mine");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	assert_text(refused_hosts(world), "a.example");
}

/* A browser of a worker that caches rendered texts. */
static void
keep_texts(struct browser *browser)
{
	browser->app.read_cache = browser->world->cache;
	browser->app.html_cache = cache_new(64, 65536);
	browser->app.body_cache = cache_new(64, 65536);
	browser->app.piece_cache = cache_new(64, 65536);
}

static void
forget_texts(struct browser *browser)
{
	cache_free(browser->app.html_cache);
	cache_free(browser->app.body_cache);
	cache_free(browser->app.piece_cache);
}

#define SPAM_LINK "<a href=\"http://a.spam.example/x\""
#define GOOD_LINK "<a href=\"http://other.example/\""

/* Earlier posts are shown without the link, and with it once the host is unblocked,
 * whatever is cached. */
static void
texts_contain_no_links_to_refused_hosts(void **state)
{
	static const char *const pages[] = { "/articles/1",
		"/articles/1/comments/1", "/articles/1/comments/2",
		"/articles/1/reply?parent=1", "/comments", "/u/ann/comments" };
	static const char text[] = "See http://a.spam.example/x and "
				   "[that](http://other.example/).";
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");

	keep_texts(&ann);
	browser_get(&ann, "/submit");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A title", "text", text)),
	    303);
	for (int i = 0; i < 2; i++) {
		browser_get(&ann, "/articles/1");
		assert_status(
		    browser_post(&ann, "/articles/1/comments",
			FIELDS("text", text, "parent", i == 0 ? "0" : "1")),
		    303);
	}
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < COUNT(pages); i++) {
			assert_status(browser_get(&ann, pages[i]), 200);
			assert_holds(&ann, GOOD_LINK);
			if (round == 1)
				assert_lacks(&ann, SPAM_LINK);
			else
				assert_holds(&ann, SPAM_LINK);
			assert_holds(&ann, "http://a.spam.example/x");
		}
		if (round == 0)
			assert_status(refuse(&mod, "spam.example"), 303);
		else if (round == 1)
			assert_status(take(&mod, "spam.example"), 303);
	}
	forget_texts(&ann);
}

/* A text with such a link is refused like the link itself, with the reason. */
static void
texts_with_links_to_refused_hosts_are_refused(void **state)
{
	static const struct {
		const char *text;
		bool refused;
	} texts[] = { { "http://spam.example/", true },
		{ "[a](https://A.Spam.example:81/x)", true },
		{ "![a](http://www.spam.example)", true },
		{ "[a]\n\n[a]: http://spam.example./", true },
		{ "<http://spam.example>", true },
		{ "spam.example is junk", false },
		{ "`http://spam.example/`", false },
		{ "http://notspam.example/", false } };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");
	const char *why = "Links to \u2068";

	world_post(world, 1, "First", "http://a.example/", "");
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_status(browser_post(&ann, "/articles/1/comments",
			  FIELDS("text", "A comment")),
	    303);
	assert_status(refuse(&mod, "spam.example"), 303);
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *text = texts[i].text;
		bool refused = texts[i].refused;

		browser_get(&ann, "/articles/1");
		assert_status(browser_post(&ann, "/articles/1/comments",
				  FIELDS("text", text, "preview", "1")),
		    refused ? 422 : 200);
		assert_status(browser_post(&ann, "/articles/1/comments",
				  FIELDS("text", text)),
		    refused ? 422 : 303);
		if (refused) {
			assert_holds(&ann, why);
			assert_holds(&ann, "</textarea>");
		}
		assert_status(
		    browser_get(&ann, "/articles/1/comments/1/edit"), 200);
		assert_status(browser_post(&ann, "/articles/1/comments/1/edit",
				  FIELDS("text", text)),
		    refused ? 422 : 303);
		browser_get(&ann, "/submit");
		assert_status(browser_post(&ann, "/submit",
				  FIELDS("title", "A title", "text", text)),
		    refused ? 422 : 303);
		if (refused)
			assert_holds(&ann, why);
	}
}

static const char *
location(struct browser *mod)
{
	return fixture_string(
	    &mod->world->arena, "%.*s", TEXT_ARGS(mod->answer.location));
}

/* Of the host and its subdomains alone, and what is the moderator's own stays. */
static void
articles_of_a_blocked_host_are_removed(void **state)
{
	static const struct {
		uint64_t by;
		const char *url;
		bool is_removed;
	} links[] = { { 2, "http://ads.example.com/", true },
		{ 2, "http://a.ads.example.com/", true },
		{ 2, "http://example.com/", false },
		{ 1, "http://ads.example.com/own", false } };
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	uint64_t ids[COUNT(links)];

	browser_member(world, "ann");
	browser_moderator(world, "max");
	for (size_t i = 0; i < COUNT(links); i++)
		ids[i] = world_post(
		    world, links[i].by, links[i].url, links[i].url, "");
	assert_status(
	    browser_get(&mod, "/moderation/hosts?host=ads.example.com"), 200);
	assert_holds(&mod, "Still open: 3 articles.");
	assert_status(browser_post(&mod, "/moderation/hosts",
			  FIELDS("host", "ads.example.com", "reason",
			      "spam & more", "articles", "remove")),
	    303);
	for (size_t i = 0; i < COUNT(links); i++)
		assert_int_equal(
		    world_article(world, ids[i], 0).post.removed != 0,
		    links[i].is_removed);
	assert_status(browser_go(&mod, location(&mod)), 200);
	assert_holds(&mod, "another moderator has to decide");
	assert_holds(&mod, "http://ads.example.com/own</bdi>");
	assert_lacks(&mod, "Still open");
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "spam &amp; more");
	assert_status(browser_get(&mod, "/moderation/hosts"), 200);
	assert_lacks(&mod, "Still open");
}

/* Posts on ads.example, one a second. */
static void
post_ads(struct world *world, uint64_t author, int count)
{
	static const int64_t noon = 1700000000;
	static int posted;

	for (int i = 0; i < count; i++) {
		world_stop_clock(world, noon + ++posted);
		world_post(world, author, "Ads",
		    fixture_string(
			&world->arena, "http://ads.example/%d", posted),
		    "");
	}
}

static void
remove_ads(struct browser *mod, const char *before)
{
	browser_get(mod, "/moderation/hosts");
	assert_status(browser_post(mod, "/moderation/hosts",
			  FIELDS("host", "ads.example", "reason", "spam & more",
			      "articles", "remove", "before", before)),
	    303);
}

static const char *
cursor_in(struct browser *mod)
{
	return fixture_string(&mod->world->arena, "%.*s",
	    TEXT_ARGS(browser_field(mod, "before")));
}

static size_t
open_ads(struct browser *mod)
{
	size_t count = 0;

	for (uint64_t id = 1; id <= 205; id++)
		count += world_article(mod->world, id, 0).post.removed == 0;
	return count;
}

/* So many in a request; the form is there again with the number of the rest. */
static void
articles_of_a_blocked_host_are_removed_in_steps(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");

	world_member(world, "ann");
	post_ads(world, 2, 103);
	remove_ads(&mod, "");
	assert_status(browser_go(&mod, location(&mod)), 200);
	assert_holds(&mod, "Still open: 3 articles.");
	assert_holds(&mod, "value=\"spam &amp; more\"");
	remove_ads(&mod, cursor_in(&mod));
	assert_text(mod.answer.location, "/moderation/hosts");
	assert_status(
	    browser_get(&mod, "/moderation/hosts?host=ads.example"), 200);
	assert_lacks(&mod, "Still open");
}

/* More of these than one form removes do not keep it from the others. */
static void
articles_that_others_must_decide_on_are_passed(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser max = browser_moderator(world, "max");

	world_member(world, "ann");
	post_ads(world, 3, 102);
	post_ads(world, 1, 101);
	post_ads(world, 3, 2);
	remove_ads(&mod, "");
	for (int forms = 0; forms < 2; forms++) {
		assert_status(browser_go(&mod, location(&mod)), 200);
		assert_holds(&mod, "another moderator has to decide");
		assert_holds(&mod, "Still open");
		remove_ads(&mod, cursor_in(&mod));
	}
	assert_status(browser_go(&mod, location(&mod)), 200);
	assert_lacks(&mod, "Still open");
	assert_holds(&mod, "/articles/203\"");
	assert_int_equal(open_ads(&max), 101);
	assert_status(browser_get(&max, "/log"), 200);
	assert_holds(&max, "removed 2 articles of");
	assert_holds(&max, "<bdi>ads.example</bdi>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(links_to_a_refused_host_are_refused),
		world_test(hosts_are_normalized),
		world_test(invalid_hosts_are_refused),
		world_test(saving_settings_preserves_hosts),
		world_test(articles_of_a_blocked_host_are_removed),
		world_test(articles_of_a_blocked_host_are_removed_in_steps),
		world_test(articles_that_others_must_decide_on_are_passed),
		world_test(texts_contain_no_links_to_refused_hosts),
		world_test(texts_with_links_to_refused_hosts_are_refused),
	};

	return world_run("hosts", tests);
}

/* Lists of what is from a publisher: their addresses, rows, orders, and what moderators see. */
#include "../support/browser.h"
#include "lists/posters.h"
#include "store/settings.h"

static void
share_host(struct world *world, const char *hosts)
{
	struct settings settings = settings_default();

	settings.shared_hosts = text_of(hosts);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

/* By the form, and by the settings as the worker has them. */
static void
posting_puts_it_there(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");

	share_host(world, "github.com");
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A title", "url",
			      "https://github.com/Ann/tally")),
	    303);
	assert_status(browser_get(&ann, "/from/github.com/ann"), 200);
	assert_holds(&ann, "A title");
	assert_holds(&ann, "<bdi>github.com/ann</bdi></a>");
}

static void
host_of_a_row_leads_to_its_list(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");
	struct browser visitor = browser_open(world);

	world_post(world, 1, "A", "https://blog.example.org:8080/1", "");
	world_post(world, 1, "A", "https://www.example.org/2", "");
	world_post(world, 1, "A", "https://other.example/3", "");
	assert_status(browser_get(&ann, "/?order=oldest"), 200);
	assert_holds(&ann,
	    " <a class=\"host\" href=\"/from/example.org\">"
	    "<bdi>blog.example.org:8080</bdi></a>");
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_holds(&visitor, "href=\"/from/example.org\"");
	assert_status(browser_get(&visitor, "/from/example.org"), 200);
	assert_holds(&visitor, "<title>From example.org · ");
	assert_holds(&visitor, "<h1>From <bdi>example.org</bdi></h1>");
	assert_status(
	    browser_get(&visitor, "/from/example.org?order=new"), 200);
	assert_text(browser_ids(&visitor), "2 1");
	assert_lacks(&visitor, "Posted by");
}

static void
all_orders_are_sorted(void **state)
{
	static const struct {
		const char *order, *ids;
	} rows[] = { { "", "2 4 1" }, { "?order=bottom", "1 4 2" },
		{ "?order=new", "4 2 1" }, { "?order=oldest", "1 2 4" } };
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");

	world_stop_clock(world, NOON);
	world_post(world, 1, "A", "http://example.org/1", "");
	world_post(world, 1, "B", "http://example.org/2", "");
	world_post(world, 1, "C", "http://other.example/3", "");
	world_post(world, 1, "D", "http://example.org/4", "");
	world_vote(world, 2, 50, VOTE_UP);
	world_vote(world, 1, 50, VOTE_DOWN);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *path = fixture_string(
		    &world->arena, "/from/example.org%s", rows[i].order);

		assert_status(browser_get(&ann, path), 200);
		assert_text(browser_ids(&ann), rows[i].ids);
	}
}

static void
pages_are_counted(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");

	for (int i = 0; i < 26; i++)
		world_post(world, 1, "A",
		    fixture_string(&world->arena, "http://example.org/%d", i),
		    "");
	assert_status(browser_get(&ann, "/from/example.org?order=new"), 200);
	assert_holds(&ann, "/from/example.org?order=new&amp;page=2");
	assert_status(browser_get(&ann, "/from/example.org?page=2"), 200);
	assert_status(browser_get(&ann, "/from/example.org?page=3"), 404);
	assert_holds(&ann, "/from/example.org");
}

static void
every_spelling_leads_to_one_address(void **state)
{
	static const struct {
		const char *path, *to;
	} rows[] = {
		{ "/from/www.example.org", "/from/example.org" },
		{ "/from/EXAMPLE.org", "/from/example.org" },
		{ "/from/a.b.example.org.", "/from/example.org" },
		{ "/from/example.org:8080", "/from/example.org" },
		{ "/from/example.org/", "/from/example.org" },
		{ "/from/example.org/ann", "/from/example.org" },
		{ "/from/m\xc3\xbcnchen.example",
		    "/from/xn--mnchen-3ya.example" },
		{ "/from/github.com/Ann", "/from/github.com/ann" },
		{ "/from/www.github.com/ann", "/from/github.com/ann" },
		{ "/from/gist.github.com/ann", "/from/github.com" },
		{ "/from/github.com/%ff", NULL },
		{ "/from/github.com/a/b", NULL },
		{ "/from/a b.example", NULL },
		{ "/from/", NULL },
		{ "/from/%00", NULL },
		{ "/from/a\"b", NULL },
		{ "/from/-a.example", NULL },
		{ "/from/@", NULL },
		{ "/from/ann@example.org", NULL },
		{ "/from/..", NULL },
		{ "/from", NULL },
	};
	static const char *const present[] = { "/from/example.org",
		"/from/xn--mnchen-3ya.example", "/from/github.com/ann",
		"/from/github.com/@a+b", "/from/192.0.2.1",
		"/from/[2001:db8::1]", "/from/localhost", "/from/github.io" };
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	share_host(world, "github.com");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum http_status status = browser_get(&visitor, rows[i].path);

		if (rows[i].to == NULL && status != HTTP_NOT_FOUND &&
		    status != HTTP_BAD_REQUEST)
			fail_msg("%s: %d", rows[i].path, (int)status);
		if (rows[i].to == NULL)
			continue;
		if (status != HTTP_MOVED)
			fail_msg("%s: %d", rows[i].path, (int)status);
		assert_text(visitor.answer.location, rows[i].to);
	}
	for (size_t i = 0; i < sizeof(present) / sizeof(present[0]); i++) {
		assert_status(browser_get(&visitor, present[i]), 200);
		assert_holds(
		    &visitor, "Nothing from here has been posted yet.");
	}
	assert_status(
	    browser_get(&visitor, "/from/xn--mnchen-3ya.example"), 200);
	assert_holds(&visitor, "<bdi>m\xc3\xbcnchen.example</bdi>");
}

static void
shared_host_has_lists_of_its_parts(void **state)
{
	struct world *world = *state;
	struct browser ann = browser_member(world, "ann");

	share_host(world, "github.com");
	assert_status(browser_get(&ann, "/"), 200);
	world_post(world, 1, "A", "https://github.com/Ann/tally", "");
	world_post(world, 1, "A", "https://github.com/ben", "");
	world_post(world, 1, "A", "https://github.com/", "");
	assert_status(browser_get(&ann, "/from/github.com?order=oldest"), 200);
	assert_text(browser_ids(&ann), "1 2 3");
	assert_status(browser_get(&ann, "/from/github.com?order=new"), 200);
	assert_text(browser_ids(&ann), "3 2 1");
	assert_holds(
	    &ann, "href=\"/from/github.com/ann\"><bdi>github.com/ann<");
	assert_status(browser_get(&ann, "/from/github.com/ann"), 200);
	assert_text(browser_ids(&ann), "1");
	assert_holds(&ann,
	    "Part of <a href=\"/from/github.com\"><bdi>github.com</bdi></a>");
	/* Once the host is not shared any more, its parts are one list. */
	share_host(world, "");
	assert_status(browser_get(&ann, "/from/github.com/ann"), 301);
	assert_text(ann.answer.location, "/from/github.com");
	assert_status(browser_get(&ann, "/from/github.com?order=new"), 200);
	assert_text(browser_ids(&ann), "3 2 1");
}

static void
blocked_sites_say_so(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser visitor = browser_open(world);

	world_post(world, 1, "A", "http://spam.example/1", "");
	browser_get(&mod, "/moderation/hosts");
	assert_status(browser_post(&mod, "/moderation/hosts",
			  FIELDS("host", "spam.example", "reason", "")),
	    303);
	assert_status(browser_get(&visitor, "/from/spam.example"), 200);
	assert_holds(&visitor, "Links to this site are blocked.");
	assert_lacks(&visitor, "/moderation/hosts");
	assert_text(browser_ids(&visitor), "1");
	assert_status(browser_get(&mod, "/from/spam.example"), 200);
	assert_holds(&mod, "<a href=\"/moderation/hosts\">");
	assert_status(browser_get(&visitor, "/from/ham.example"), 200);
	assert_lacks(&visitor, "are blocked");
}

static void
moderators_see_who_posts(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser ann = browser_member(world, "ann");

	world_member(world, "ben");
	for (int i = 0; i < 3; i++)
		world_post(world, i < 1 ? 2 : 3, "A",
		    fixture_string(&world->arena, "http://example.org/%d", i),
		    "");
	assert_status(browser_get(&mod, "/from/example.org"), 200);
	assert_holds(&mod,
	    "Posted by <a href=\"/u/ben\"><bdi>ben</bdi></a> (2) "
	    "<a href=\"/u/ann\"><bdi>ann</bdi></a> (1)</p>");
	assert_status(browser_get(&ann, "/from/example.org"), 200);
	assert_lacks(&ann, "Posted by");
	assert_status(browser_get(&mod, "/from/nothing.example"), 200);
	assert_lacks(&mod, "Posted by");
}

/* However many articles and members there are. */
static void
posters_are_bounded(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");

	for (int i = 0; i < POSTERS_MAX + 10; i++)
		world_member(world, fixture_string(&world->arena, "user%d", i));
	for (int i = 0; i < POSTERS_ARTICLES; i++)
		world_post(world, 2 + (uint64_t)i % (POSTERS_MAX + 10), "A",
		    fixture_string(&world->arena, "http://example.org/%d", i),
		    "");
	assert_status(browser_get(&mod, "/from/example.org"), 200);
	assert_int_equal(browser_count(&mod, "</bdi></a> ("), POSTERS_MAX);
	assert_lacks(&mod, "newest 500 articles");
	world_post(world, 2, "A", "http://example.org/more", "");
	assert_status(browser_get(&mod, "/from/example.org"), 200);
	assert_holds(&mod, "newest 500 articles");
}

static void
list_has_a_feed(void **state)
{
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	world_member(world, "ann");
	share_host(world, "github.com");
	assert_status(browser_get(&visitor, "/from/github.com/ann"), 200);
	world_post(world, 1, "A title", "http://github.com/ann", "");
	world_post(world, 1, "Another", "http://github.com/ben", "");
	assert_status(browser_get(&visitor, "/from/github.com/ann"), 200);
	assert_holds(&visitor, "/from/github.com/ann.atom");
	assert_status(browser_get(&visitor, "/from/github.com/ann.atom"), 200);
	assert_holds(&visitor, ">A title<");
	assert_lacks(&visitor, ">Another<");
	assert_status(browser_get(&visitor, "/from/github.com.json"), 200);
	assert_holds(&visitor, "\"Another\"");
	assert_status(
	    browser_get(&visitor, "/from/www.GitHub.com/ann.atom"), 301);
	assert_text(visitor.answer.location, "/from/github.com/ann.atom");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(posting_puts_it_there),
		world_test(host_of_a_row_leads_to_its_list),
		world_test(all_orders_are_sorted),
		world_test(pages_are_counted),
		world_test(every_spelling_leads_to_one_address),
		world_test(shared_host_has_lists_of_its_parts),
		world_test(blocked_sites_say_so),
		world_test(moderators_see_who_posts),
		world_test(posters_are_bounded),
		world_test(list_has_a_feed),
	};

	return world_run("publishers' lists", tests);
}

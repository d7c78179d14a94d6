/* Posting articles: what the form accepts, and how it reports mistakes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "../support/invariants.h"
#include "base/crypto.h"
#include "store/session.h"

enum { MAX_BODY = 20000 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

#define LINK "https://a.example/x"

static struct browser
begin(struct world *world)
{
	world_stop_clock(world, NOON);
	world_group(world, "redis");
	return browser_member(world, "ann");
}

/* Repeats unit count times. */
static char *
repeated(struct world *world, const char *unit, size_t count)
{
	struct buffer all = buffer_in(&world->arena, strlen(unit) * count + 1);

	for (size_t i = 0; i < count; i++)
		buffer_add(&all, text_of(unit));
	return text_string(&world->arena, buffer_text(&all));
}

static void
link_is_posted(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct article article;

	assert_status(browser_get(&ann, "/submit"), 200);
	assert_status(
	    browser_post(&ann, "/submit",
		FIELDS("title", "  A <b>title</b> & more ", "url",
		    " HTTPS://A.example/x ", "text", "", "groups", " redis ")),
	    303);
	article = world_article(world, browser_article(&ann), 1);
	assert_text(article.title, "A <b>title</b> & more");
	assert_text(article.url, LINK);
	assert_text(article.groups, "redis");
	assert_int_equal(article.post.author.id, 1);
	assert_int_equal(article.post.vote, VOTE_UP);
	assert_int_equal(article.score, NOON + 432);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann,
	    "href=\"" LINK
	    "\" rel=\"nofollow ugc\">A &lt;b&gt;title&lt;/b&gt; &amp; "
	    "more</a>");
	assert_holds(&ann, "<bdi>a.example</bdi></a>");
	assert_status(browser_get(&ann, "/g/redis"), 200);
	assert_same(browser_ids(&ann),
	    text_number(&world->arena, (int64_t)article.post.id.article));
}

static void
text_is_posted(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	uint64_t id;

	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "text",
			      "\r\nOne\r\ntwo.\r\n \r\nThree &.\r\n")),
	    303);
	id = browser_article(&ann);
	assert_text(world_article(world, id, 1).text, "One\ntwo.\n \nThree &.");
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann,
	    "<p dir=\"auto\">One\ntwo.</p>\n<p dir=\"auto\">Three &amp;.</p>");
	assert_holds(&ann,
	    fixture_string(
		&world->arena, "href=\"/articles/%d\">A</a>", (int)id));
	assert_lacks(&ann, "class=\"host\"");
}

static void
longest_input_is_accepted(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct article article;
	char *title = repeated(world, "\xc3\xa4", RULE_TITLE_MAX);
	char *text = repeated(world, "\xc3\xb6", MAX_BODY);
	char *path =
	    repeated(world, "x", RULE_LINK_MAX - strlen("http://a.example/"));
	char *url = text_string(&world->arena,
	    text_format(&world->arena, "http://a.example/%s", path));

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", title, "text", text)),
	    303);
	article = world_article(world, browser_article(&ann), 0);
	assert_text(article.title, title);
	assert_text(article.text, text);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", title, "url", url)),
	    303);
	article = world_article(world, browser_article(&ann), 0);
	assert_int_equal(article.url.size, RULE_LINK_MAX);
}

static void
sixteen_groups_at_most(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text names = TEXT("");

	for (int i = 0; i < 17; i++) {
		char name[8];

		snprintf(name, sizeof(name), "g%d", i);
		world_group(world, name);
		if (i < 16)
			names = text_format(
			    &world->arena, "%.*s %s", TEXT_ARGS(names), name);
	}
	assert_status(
	    browser_post(&ann, "/submit",
		FIELDS("title", "A", "url", LINK, "groups",
		    text_string(&world->arena,
			text_join(&world->arena, names, TEXT(" g16"))))),
	    422);
	assert_holds(&ann, "Choose at most 16 groups.");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", LINK, "groups",
			      text_string(&world->arena, names))),
	    303);
}

/* Each mistake: the input, and the message on the page. */
struct mistake {
	const char *title, *url, *text, *groups, *said;
};

static void
refuse(struct browser *ann, const struct mistake *mistake)
{
	enum http_status status = browser_post(ann, "/submit",
	    FIELDS("title", mistake->title, "url", mistake->url, "text",
		mistake->text, "groups", mistake->groups));

	if (status != HTTP_UNPROCESSABLE)
		fail_msg(
		    "answered %d instead of: %s", (int)status, mistake->said);
	assert_holds(ann, mistake->said);
	assert_holds(ann, "aria-invalid=\"true\"");
}

static void
mistakes_are_named_and_change_nothing(void **state)
{
	static const struct mistake mistakes[] = {
		{ "", LINK, "", "", "Enter a title." },
		{ "   ", LINK, "", "", "Enter a title." },
		{ "\xc2\xa0\xe3\x80\x80", LINK, "", "", "Enter a title." },
		{ "\xe2\x80\x8b\xef\xbb\xbf", LINK, "", "", "Enter a title." },
		{ "a\x01z", LINK, "", "", "which were removed" },
		{ "a\nb", LINK, "", "", "which were removed" },
		{ "a\x7f", LINK, "", "", "which were removed" },
		{ "\xe2\x80\xaegnp.exe", LINK, "", "", "which were removed" },
		{ "a\xe2\x81\xa6z", LINK, "", "", "which were removed" },
		{ "A", "", "", "", "Enter a link or some text." },
		{ "A", " ", " \r\n", "", "Enter a link or some text." },
		{ "A", "ftp://a.example/", "", "",
		    "starts with http:// or https://." },
		{ "A", "javascript:alert(1)", "", "",
		    "starts with http:// or https://." },
		{ "A", "data:text/html,x", "", "",
		    "starts with http:// or https://." },
		{ "A", "https://ann:x@a.example/", "", "",
		    "Remove the username or password" },
		{ "A", "http://", "", "", "This isn’t a link" },
		{ "A", "a/x", "", "", "This isn’t a link" },
		{ "A", "a.example/x y", "", "", "This isn’t a link" },
		{ "A", "ann@a.example", "", "", "This isn’t a link" },
		{ "A", "http://\u2603.example/", "", "", "This isn’t a link" },
		{ "A", "", "a\x01z", "", "which were removed" },
		{ "A", "", "\xe2\x80\x8b.\xe2\x80\xae", "",
		    "which were removed" },
		{ "A\U000e0041", LINK, "", "", "invisible characters" },
		{ "A", "", "a\U000e0041", "", "invisible characters" },
		{ "A", LINK, "\U000e0041", "", "invisible characters" },
		{ "A", "", "\u2800", "", "no visible characters" },
		{ "A", "", "\u200d", "", "Enter a link or some text." },
		{ "A", LINK, "", "nothing",
		    "There’s no group “\u2068nothing\u2069”." },
		{ "A", LINK, "", "redis nothing",
		    "There’s no group “\u2068nothing\u2069”." },
		{ "A", LINK, "", "r", "isn’t a group name" },
		{ "A", LINK, "", "re/dis", "isn’t a group name" },
		{ "A", LINK, "", "abcdefghijklmnopqrstuvwxyz0123456",
		    "isn’t a group name" },
	};
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world);

	for (size_t i = 0; i < COUNT(mistakes); i++)
		refuse(&ann, &mistakes[i]);
	refuse(&ann,
	    &(struct mistake){ repeated(world, "\xc3\xa4", 201), LINK, "", "",
		"Use at most 200 characters; this has 201." });
	refuse(&ann,
	    &(struct mistake){ "A", "", repeated(world, "a", 20001), "",
		"Use at most 20000 characters; this has 20001." });
	refuse(&ann,
	    &(struct mistake){ "A",
		text_string(&world->arena,
		    text_format(&world->arena, "http://a.example/%s",
			repeated(world, "x", RULE_LINK_MAX))),
		"", "", "Use at most 2000 characters" });
	/* Short enough as typed, too long as stored. */
	refuse(&ann,
	    &(struct mistake){ "A",
		text_string(&world->arena,
		    text_format(&world->arena, "http://a.example/%s",
			repeated(world, "\xc3\xa4", 400))),
		"", "", "With its special characters encoded" });
	assert_unchanged(world, before);
}

static void
all_mistakes_are_named_at_once(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "", "url", "x", "groups", "?")),
	    422);
	assert_holds(&ann, "id=\"title-problem\"");
	assert_holds(&ann, "id=\"url-problem\"");
	assert_holds(&ann, "id=\"groups-problem\"");
	assert_lacks(&ann, "id=\"text-problem\"");
	assert_int_equal(browser_count(&ann, "aria-invalid=\"true\""), 3);
}

#define TYPED \
	FIELDS("title", "A \"title\"", "url", "", "text", "<b>One\n\ntwo", \
	    "groups", "redis nothing", "more", "x")

static void
assert_typed(const struct browser *browser)
{
	assert_holds(browser, "value=\"A &quot;title&quot;\"");
	assert_holds(browser, ">\n&lt;b&gt;One\n\ntwo</textarea>");
	assert_holds(browser, "nothing\"");
}

static void
refused_form_preserves_its_input(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_post(&ann, "/submit", TYPED), 422);
	assert_typed(&ann);
	/* The browser sends the corrected form of that page. */
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "text", "B", "groups", "redis")),
	    303);
}

static void
wrong_token_loses_no_input(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_post(&ann, "/submit",
			  FIELDS("csrf", "x", "title", "A \"title\"", "text",
			      "<b>One\n\ntwo", "groups", "redis nothing")),
	    403);
	assert_typed(&ann);
	assert_holds(&ann, "role=\"alert\"");
	/* That page has the right token. */
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "text", "B")),
	    303);
}

static void
ended_session_loses_no_input(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before, cookie;

	assert_int_equal(session_end(&world->store, &world->arena,
			     browser_cookie(&ann, "tally")),
	    STORE_OK);
	before = world_snapshot(world);
	assert_status(browser_post(&ann, "/submit", TYPED), 401);
	assert_typed(&ann);
	assert_holds(&ann, "href=\"/login?return_to=%2Fsubmit\"");
	assert_unchanged(world, before);
	/* Ann logs in in another tab. The form is sent again, and accepted. */
	assert_int_equal(session_start(&world->store, &world->arena, 1,
			     TEXT(""), &world_no_factor, ann.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "text", "B")),
	    303);
}

static void
redis_outage_loses_no_input(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text token = browser_token(&ann, "/submit");

	assert_int_equal(token.size, BROWSER_TOKEN);
	kill(world->redis, SIGKILL);
	assert_status(browser_post(&ann, "/submit", TYPED), 503);
	assert_typed(&ann);
	assert_holds(&ann, "The site is temporarily unavailable");
	/* The form on that page has the right token. */
	assert_same(
	    crypto_unmask_digest(&world->arena, browser_token(&ann, "/submit")),
	    crypto_unmask_digest(&world->arena, token));
}

static void
link_can_prefill_the_form(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_get(&ann,
			  "/submit?title=A+%22title%22&url=http%3A%2F%2F"
			  "a.example%2F&groups=redis"),
	    200);
	assert_holds(&ann, "value=\"A &quot;title&quot;\"");
	assert_holds(&ann, "value=\"http://a.example/\"");
	assert_lacks(&ann, "problem");
}

static void
form_sent_twice_is_one_article(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	uint64_t first = 0;

	for (int i = 0; i < 3; i++) {
		assert_status(browser_post(&ann, "/submit",
				  FIELDS("title", "A", "text", "B")),
		    303);
		if (i == 0)
			first = browser_article(&ann);
		assert_int_equal(browser_article(&ann), first);
	}
	assert_status(browser_get(&ann, "/?order=new"), 200);
	assert_same(
	    browser_ids(&ann), text_number(&world->arena, (int64_t)first));
	assert_text(browser_attribute(&ann, first, "data-points"), "1");
}

static void
same_link_leads_to_the_first_article(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	uint64_t first;

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	first = browser_article(&ann);
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "B", "url", "HTTPS://A.Example/x")),
	    303);
	assert_int_equal(browser_article(&bob), first);
	assert_status(browser_follow(&bob), 200);
	assert_holds(&bob, ">A</a>");
	assert_text(browser_attribute(&bob, first, "data-vote"), "none");
	/* After the vote window, the link can be posted again. */
	world_move_clock(world, world->store.rules.vote_window + 1);
	assert_status(
	    browser_post(&bob, "/submit", FIELDS("title", "B", "url", LINK)),
	    303);
	assert_int_not_equal(browser_article(&bob), first);
}

static const char *
path_of(struct world *world, uint64_t id)
{
	return fixture_string(&world->arena, "/articles/%d", (int)id);
}

static void
posting_a_link_again_names_the_first_author(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	const char *said = "role=\"status\"";
	uint64_t id;

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	id = browser_article(&ann);
	assert_text(ann.answer.location, path_of(world, id));
	assert_status(browser_follow(&ann), 200);
	assert_lacks(&ann, said);
	world_move_clock(world, 3 * 3600);
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "B", "url",
			      "http://www.a.example:80/x/?utm_source=b#c")),
	    303);
	assert_text(bob.answer.location, path_of(world, id));
	assert_status(browser_follow(&bob), 200);
	assert_holds(&bob, said);
	assert_holds(&bob,
	    "This link was already posted 3 hours ago by <bdi>ann</bdi>, so "
	    "it wasn’t posted again.");
	/* The page says so once. */
	assert_status(browser_get(&bob, path_of(world, id)), 200);
	assert_lacks(&bob, said);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "C", "url", "a.example/x")),
	    303);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "You already posted this 3 hours ago.");
}

static void
posting_a_text_again_says_so(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	for (int i = 0; i < 2; i++) {
		assert_status(browser_post(&ann, "/submit",
				  FIELDS("title", "A", "text", "B")),
		    303);
		world_move_clock(world, 120);
	}
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "You already posted this 4 minutes ago.");
}

/* A removed article blocks its link for its author only. */
static void
link_of_a_removed_article_is_blocked_for_its_author(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	struct text his;
	uint64_t id;

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	id = browser_article(&ann);
	world_remove(world, id);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	assert_text(ann.answer.location, path_of(world, id));
	assert_status(browser_follow(&ann), 410);
	assert_holds(&ann, "A moderator removed this article");
	assert_status(
	    browser_post(&bob, "/submit", FIELDS("title", "B", "url", LINK)),
	    303);
	his = text_copy(&world->arena, bob.answer.location);
	assert_string_not_equal(
	    text_string(&world->arena, his), path_of(world, id));
	assert_status(browser_follow(&bob), 200);
	/* Now the link belongs to bob's article. */
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	assert_same(ann.answer.location, his);
	invariants_check(world);
}

/* So that nobody types more for an article that exists already. */
static void
refused_form_says_that_its_link_exists(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	uint64_t id;

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	id = browser_article(&ann);
	world_move_clock(world, 3 * 3600);
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "B", "url", "a.example/x#end", "text",
			      "What I think & more")),
	    422);
	assert_holds(&bob,
	    fixture_string(&world->arena,
		"role=\"alert\">This link was already <a "
		"href=\"/articles/%d\">posted 3 hours ago by <bdi>ann</bdi></a>. Your "
		"text is saved below.</p>",
		(int)id));
	assert_holds(&bob, ">\nWhat I think &amp; more</textarea>");
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "", "url", LINK)),
	    422);
	assert_holds(&ann,
	    fixture_string(&world->arena,
		"role=\"alert\">You already <a "
		"href=\"/articles/%d\">posted this link 3 hours ago</a>.</p>",
		(int)id));
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "", "url", "https://b.example/",
			      "text", "What I think")),
	    422);
	assert_lacks(&bob, "role=\"alert\">You already");
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "B", "url", "ftp://a.example/x",
			      "text", "What I think")),
	    422);
	assert_lacks(&bob, "role=\"status\"");
	world_move_clock(world, world->store.rules.vote_window);
	assert_status(browser_post(&bob, "/submit",
			  FIELDS("title", "", "url", LINK, "text", "C")),
	    422);
	assert_lacks(&bob, "role=\"status\"");
}

static void
link_may_have_a_text(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	struct text dump, page;

	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", LINK, "text",
			      "What *I* think, @bob")),
	    303);
	page = text_copy(&world->arena, ann.answer.location);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "href=\"" LINK "\"");
	assert_holds(&ann, "What <em>I</em> think, <a href=\"/u/bob\">");
	assert_status(browser_get(&bob, "/new.atom"), 200);
	assert_holds(&bob, "What &lt;em&gt;I&lt;/em&gt; think");
	/* Sent again it is the same, and with other words it is not posted again. */
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", LINK, "text",
			      "What *I* think, @bob")),
	    303);
	assert_text(ann.answer.location, text_string(&world->arena, page));
	for (int i = 0; i < 2; i++) {
		struct browser *who = i == 0 ? &ann : &bob;

		assert_status(browser_post(who, "/submit",
				  FIELDS("title", "A", "url", LINK, "text",
				      "And what more")),
		    422);
		assert_holds(who, "Your text is saved below.");
		assert_holds(who, ">\nAnd what more</textarea>");
	}
	dump = commands_dump(world).out;
	assert_true(
	    text_find(dump, 0, TEXT("\"text\":\"What *I* think")) != SIZE_MAX);
	assert_same(commands_dump_again(world, NOON, dump, 3), dump);
	invariants_check(world);
}

static void
text_of_a_link_is_edited(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	const char *edit;

	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "url", LINK)),
	    303);
	edit = fixture_string(
	    &world->arena, "%.*s/edit", TEXT_ARGS(ann.answer.location));
	world_move_clock(world, 3600);
	assert_status(browser_get(&ann, edit), 200);
	assert_holds(&ann, "<textarea");
	assert_status(
	    browser_post(&ann, edit, FIELDS("text", "Said **later**")), 303);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "Said <strong>later</strong>");
	assert_holds(&ann, "Edited <time");
	assert_status(browser_post(&ann, edit, FIELDS("text", "")), 303);
	assert_status(browser_follow(&ann), 200);
	assert_lacks(&ann, "<strong>later");
	assert_int_equal(world_article(world, 1, 0).markup.size, 0);
	invariants_check(world);
}

static void
link_without_a_scheme_is_https(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", " www.A.example/x ")),
	    303);
	assert_text(world_article(world, browser_article(&ann), 1).url,
	    "https://www.a.example/x");
}

static void
international_links_are_normalized(void **state)
{
	static const char *const spellings[] = {
		"https://xn--mnchen-3ya.example/x",
		"https://M\u00dcNCHEN.example/x",
		"https://m%C3%BCnchen\u3002example/x",
	};
	struct world *world = *state;
	struct browser ann = begin(world), bob = browser_member(world, "bob");
	uint64_t first;

	assert_status(
	    browser_post(&ann, "/submit",
		FIELDS("title", "A", "url", "https://m\u00fcnchen.example/x")),
	    303);
	first = browser_article(&ann);
	assert_text(world_article(world, first, 1).url, spellings[0]);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "href=\"https://xn--mnchen-3ya.example/x\"");
	assert_holds(&ann, "<bdi>m\u00fcnchen.example</bdi></a>");
	for (size_t i = 0; i < COUNT(spellings); i++) {
		assert_status(browser_post(&bob, "/submit",
				  FIELDS("title", "B", "url", spellings[i])),
		    303);
		assert_int_equal(browser_article(&bob), first);
	}
}

static void
form_cannot_name_another_author(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct article article;

	browser_member(world, "bob");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "text", "B", "author", "2", "id",
			      "77", "up", "1000", "posted", "1")),
	    303);
	article = world_article(world, browser_article(&ann), 0);
	assert_text(article.post.author.name, "ann");
	assert_int_equal(article.post.up, 1);
	assert_int_equal(article.post.posted, NOON);
}

static void
groups_are_ticked(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct article article;

	world_group(world, "web");
	assert_status(browser_get(&ann, "/submit?groups=Web%2Cnowhere"), 200);
	assert_holds(&ann,
	    "<input type=\"checkbox\" name=\"g-web\" checked> <bdi>web</bdi>");
	assert_holds(&ann,
	    "<input type=\"checkbox\" name=\"g-redis\"> <bdi>redis</bdi>");
	assert_holds(&ann, "value=\"nowhere\"");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", " ", "url", LINK, "g-web", "on")),
	    422);
	assert_holds(&ann, "name=\"g-web\" checked");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", LINK, "groups",
			      "Redis,web", "g-web", "on")),
	    303);
	article = world_article(world, browser_article(&ann), 0);
	assert_text(article.groups, "redis web");
}

/* Changes that others made to an article's groups meanwhile are preserved. */
static void
only_changed_ticks_are_applied(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	uint64_t id;

	world_group(world, "web");
	world_group(world, "late");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "A", "url", LINK, "groups", "redis")),
	    303);
	id = browser_article(&ann);
	assert_status(browser_follow(&ann), 200);
	assert_holds(&ann, "name=\"had\" value=\"redis\"");
	assert_int_equal(article_set_groups(&world->store, &world->arena, id,
			     TEXT("late"), TEXT("")),
	    STORE_OK);
	assert_status(
	    browser_post(&ann,
		fixture_string(&world->arena, "/articles/%d/groups", (int)id),
		FIELDS("had", "redis", "g-web", "on")),
	    303);
	assert_text(world_article(world, id, 0).groups, "late web");
}

static void
groups_are_typed_when_there_are_many(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	for (int i = 0; i < 41; i++)
		world_group(world, fixture_string(&world->arena, "g%d", i));
	assert_status(browser_get(&ann, "/submit?groups=g1"), 200);
	assert_lacks(&ann, "type=\"checkbox\"");
	assert_holds(&ann, "name=\"groups\"");
	assert_holds(&ann, "value=\"g1\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(link_is_posted),
		world_test(text_is_posted),
		world_test(longest_input_is_accepted),
		world_test(sixteen_groups_at_most),
		world_test(mistakes_are_named_and_change_nothing),
		world_test(all_mistakes_are_named_at_once),
		world_test(refused_form_preserves_its_input),
		world_test(wrong_token_loses_no_input),
		world_test(ended_session_loses_no_input),
		world_test(redis_outage_loses_no_input),
		world_test(link_can_prefill_the_form),
		world_test(form_sent_twice_is_one_article),
		world_test(same_link_leads_to_the_first_article),
		world_test(posting_a_link_again_names_the_first_author),
		world_test(posting_a_text_again_says_so),
		world_test(link_of_a_removed_article_is_blocked_for_its_author),
		world_test(refused_form_says_that_its_link_exists),
		world_test(link_may_have_a_text),
		world_test(text_of_a_link_is_edited),
		world_test(link_without_a_scheme_is_https),
		world_test(international_links_are_normalized),
		world_test(form_cannot_name_another_author),
		world_test(groups_are_ticked),
		world_test(only_changed_ticks_are_applied),
		world_test(groups_are_typed_when_there_are_many),
	};

	return world_run("submit", tests);
}

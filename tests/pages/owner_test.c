/* The settings of owners: the site's name and texts, and registration. */
#include <string.h>

#include "../support/browser.h"
#include "../support/fixture.h"
#include "base/arena.h"
#include "base/counters.h"
#include "store/invite.h"
#include "store/settings.h"
#include "store/user.h"

enum { WEEK = 7 * 86400 };

/* At NOON. */
static struct browser
open_olga(struct world *world)
{
	world_stop_clock(world, NOON);
	return browser_owner(world, "olga");
}

#define SET(...) \
	FIELDS("name", "Byways", "registration", "open", "group_creation", \
	    "members", __VA_ARGS__)

static void
decide(struct browser *owner, const char *registration, const char *groups)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(browser_post(owner, "/settings/site",
			  FIELDS("name", "Byways", "registration", registration,
			      "group_creation", groups)),
	    303);
}

/* One for the session, one for the page; the length of the queue is cached. */
static void
form_takes_two_round_trips(void **state)
{
	struct browser owner = open_olga(*state);
	struct queue_length cached = { .at = 0 };
	uint64_t before;

	owner.app.queue = &cached;
	assert_status(browser_get(&owner, "/settings/site"), 200);
	before = counters_own->counts[COUNTER_REDIS_TRIPS];
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_int_equal(counters_own->counts[COUNTER_REDIS_TRIPS] - before, 2);
}

static void
only_owners_see_and_change_settings(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser mod = browser_moderator(world, "mod");
	struct browser reader = browser_open(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&mod, "/settings/site"), 403);
	assert_status(
	    browser_post(&mod, "/settings/site", SET("tagline", "x")), 403);
	assert_status(browser_get(&reader, "/settings/site"), 303);
	assert_unchanged(world, before);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_holds(&owner, "href=\"/settings/site\"");
	assert_status(browser_get(&mod, "/settings"), 200);
	assert_lacks(&mod, "href=\"/settings/site\"");
	/* Owners have the rights of moderators. */
	world_post(world, 2, "A", "http://a.example/", "");
	assert_status(browser_post(&owner, "/articles/1/remove", NULL), 303);
}

/* A worker that had cached the old ones has read nothing in between. */
static void
changed_settings_apply_in_every_worker_at_once(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser elsewhere = browser_open(world);
	const struct settings usual = settings_default();
	static const char *const pages[] = { "/", "/about", "/groups", "/login",
		"/register", "/nothing" };

	elsewhere.app.settings = settings_cache_new(&usual);
	for (size_t i = 0; i < 6; i++) {
		browser_get(&elsewhere, pages[i]);
		assert_holds(&elsewhere, "Tally</title>");
	}
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(
	    browser_post(&owner, "/settings/site",
		SET("tagline", "Paths less <known>", "contact",
		    "post@byways.example", "about", "First.\n\nSecond.")),
	    303);
	assert_text(owner.answer.location, "/settings/site");
	assert_status(browser_follow(&owner), 200);
	assert_holds(&owner, "Settings saved.");
	assert_holds(&owner, "<title>Settings saved · Site settings · ");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "Settings saved");
	for (size_t i = 0; i < 6; i++) {
		browser_get(&elsewhere, pages[i]);
		assert_holds(&elsewhere, "Byways</title>");
		assert_lacks(&elsewhere, "Tally");
	}
	assert_status(browser_get(&elsewhere, "/"), 200);
	assert_holds(&elsewhere,
	    "<p class=\"intro\" dir=\"auto\">Paths less &lt;known&gt;");
	assert_status(browser_get(&elsewhere, "/about"), 200);
	assert_holds(&elsewhere, "href=\"mailto:post@byways.example\"");
	assert_holds(&elsewhere,
	    "<p dir=\"auto\">First.</p>\n<p dir=\"auto\">Second.</p>");
	settings_cache_free(elsewhere.app.settings);
}

static void
mistakes_change_nothing(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct text before = world_snapshot(world);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  FIELDS("name", " ", "tagline", "kept", "registration",
			      "all", "group_creation", "members")),
	    422);
	assert_holds(&owner, "Enter a name for the site.");
	assert_holds(&owner, "Choose one of these.");
	assert_holds(&owner, "value=\"kept\"");
	assert_holds(&owner, "<title>Error: Site settings");
	assert_unchanged(world, before);
}

/* Browsers cache it for a year, and the version of the settings starts at 0 after a load: the address
 * depends on the style sheet alone. */
static void
each_version_of_the_style_sheet_has_its_address(void **state)
{
	static const char red[] = "href=\"/site.css?v=925e8741be69\"";
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/site.css"), 404);
	assert_lacks(&reader, "href=\"/site.css");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body { color: red }")),
	    303);
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, red);
	assert_status(browser_get(&reader, "/site.css?v=925e8741be69"), 200);
	assert_int_equal(reader.answer.type, TYPE_CSS);
	assert_int_equal(reader.answer.cache, CACHE_ONE_YEAR);
	assert_text(reader.answer.body, "body { color: red }");
	/* Other versions are not cacheable. */
	assert_status(browser_get(&reader, "/site.css?v=2"), 200);
	assert_int_equal(reader.answer.cache, CACHE_NEVER);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body { color: tan }")),
	    303);
	assert_status(browser_get(&reader, "/about"), 200);
	assert_lacks(&reader, red);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body { color: red }")),
	    303);
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, red);
}

/* The page where an owner repairs a style sheet does not use it: it may hide
 * everything. */
static void
settings_page_omits_the_style_sheet(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(browser_post(&owner, "/settings/site",
			  SET("style", "body{display:none}")),
	    303);
	assert_status(browser_get(&owner, "/about"), 200);
	assert_holds(&owner, "href=\"/site.css");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "href=\"/site.css");
	assert_holds(&owner, "body{display:none}");
	/* Nor after a mistake. */
	assert_status(browser_post(&owner, "/settings/site",
			  FIELDS("name", "", "style", "body{display:none}")),
	    422);
	assert_lacks(&owner, "href=\"/site.css");
}

/* Sets a text of the site, and leaves the others empty. */
static void
set(struct browser *owner, const char *name, const char *value)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(
	    browser_post(owner, "/settings/site", SET(name, value)), 303);
}

static void
refuse(
    struct browser *owner, const char *name, const char *value, const char *why)
{
	assert_status(browser_get(owner, "/settings/site"), 200);
	assert_status(
	    browser_post(owner, "/settings/site", SET(name, value)), 422);
	assert_holds(owner, why);
}

/* Another worker, which had read the former number, counts a vote by the new one. */
static void
number_for_interesting_counts_from_then_on(void **state)
{
	static const char *const wrong[] = { "0", "-1", "x", "1.5",
		"10000000000" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser ben = browser_member(world, "ben");
	uint64_t before, after;

	before = world_post(world, 1, "A", "http://a.example/", "");
	after = world_post(world, 1, "B", "http://b.example/", "");
	world_vote(world, before, 2, VOTE_UP);
	assert_status(browser_get(&ben, "/"), 200);
	assert_lacks(&ben, ">Interesting</a>");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		refuse(&owner, "interesting", wrong[i], "Enter a whole number");
	set(&owner, "interesting", " 2 ");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "name=\"interesting\"");
	assert_holds(&owner, "value=\"2\"");
	assert_holds(&owner, "If you leave it empty: 200.");
	assert_status(
	    browser_post(&ben, "/vote",
		FIELDS("up", fixture_string(&world->arena, "%d", (int)after))),
	    303);
	assert_status(browser_get(&ben, "/interesting"), 200);
	assert_holds(&ben, "reached 2 upvotes");
	assert_text(
	    browser_ids(&ben), fixture_string(&world->arena, "%d", (int)after));
	assert_holds(&ben, ">Interesting</a>");
	assert_status(browser_get(&ben, "/about"), 200);
	assert_holds(&ben, "when it reaches 2 upvotes");
	set(&owner, "interesting", "");
	assert_status(browser_get(&ben, "/about"), 200);
	assert_holds(&ben, "when it reaches 200 upvotes");
}

#define HOSTILE \
	"**Bold** <script>alert(1)</script>\n\n" \
	"[a](javascript:alert(1)) [b](https://b.example/\"onclick=x) ![c](x)"

static void
texts_are_markdown_without_anything_that_runs(void **state)
{
	static const char *const names[] = { "about", "rules", "announcement" };
	static const char *const pages[] = { "/about", "/rules", "/" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);

	for (size_t i = 0; i < 3; i++) {
		set(&owner, names[i], i == 2 ? "**Bold** <script>" : HOSTILE);
		assert_status(browser_get(&reader, pages[i]), 200);
		assert_holds(&reader, "<strong>Bold</strong> &lt;script&gt;");
		assert_lacks(&reader, "<script");
		assert_lacks(&reader, "javascript:alert(1)\"");
		assert_lacks(&reader, "\"onclick");
		assert_lacks(&reader, "<img");
	}
	refuse(&owner, "rules", "x\xe2\x80\xae", "text direction");
	refuse(&owner, "about", "x\xe2\x80\xae", "text direction");
	refuse(&owner, "announcement", "x\xe2\x80\xae", "text direction");
}

static const char *
repeat(struct world *world, const char *part, size_t times)
{
	struct buffer text = buffer_in(&world->arena, 64);

	for (size_t i = 0; i < times; i++)
		buffer_add(&text, text_of(part));
	return text_string(&world->arena, buffer_text(&text));
}

static void
texts_have_limits(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	const char *full = repeat(world, "x", RULE_TEXT_MAX);
	const char *longer = repeat(world, "x", RULE_TEXT_MAX + 1);
	const char *line = repeat(world, "x", RULE_TITLE_MAX);

	set(&owner, "about", full);
	set(&owner, "rules", full);
	set(&owner, "slogan", line);
	set(&owner, "announcement", line);
	refuse(&owner, "about", longer, "at most 20000 characters");
	refuse(&owner, "rules", longer, "at most 20000 characters");
	line = repeat(world, "x", RULE_TITLE_MAX + 1);
	refuse(&owner, "slogan", line, "at most 200 characters");
	refuse(&owner, "announcement", line, "at most 200 characters");
	refuse(
	    &owner, "rules", repeat(world, "> ", 200), "too much formatting");
}

static void
rules_have_a_page_while_there_are_any(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/rules"), 404);
	assert_status(browser_get(&reader, "/register"), 200);
	assert_lacks(&reader, "href=\"/rules\"");
	set(&owner, "rules", "# Be kind\n\n1. Always.");
	assert_status(browser_get(&reader, "/rules"), 200);
	assert_holds(&reader, "Be kind</h3>");
	assert_holds(&reader, "<ol>");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_int_equal(browser_count(&reader, "href=\"/rules\""), 2);
	assert_status(browser_get(&reader, "/groups"), 200);
	assert_int_equal(browser_count(&reader, "href=\"/rules\""), 1);
	set(&owner, "rules", "");
	assert_status(browser_get(&reader, "/rules"), 404);
	assert_lacks(&reader, "href=\"/rules\"");
}

#define LINK(n) "Page " n " https://example.org/" n "\n"

static void
foot_has_links_and_a_slogan(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, "No JavaScript, just HTML.");
	set(&owner, "slogan", "Made by <hand>");
	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, ">Made by &lt;hand&gt;</bdi></span>");
	assert_lacks(&reader, "No JavaScript, just HTML.");
	set(&owner, "foot_links",
	    "\r\n  Who <we> are   Www.Example.org/a?b=1&c=\"2\" \r\n\r\n"
	    "Privacy http://example.org/p\r\n");
	assert_status(browser_get(&reader, "/nothing"), 404);
	assert_holds(&reader,
	    "<a href=\"https://www.example.org/a?b=1&amp;c=%222%22\" "
	    "dir=\"auto\">Who &lt;we&gt; are</a>\n"
	    "<a href=\"http://example.org/p\" dir=\"auto\">Privacy</a>");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner,
	    "Who &lt;we&gt; are https://www.example.org/a?b=1&amp;c=%222%22\n"
	    "Privacy http://example.org/p</textarea>");
	set(&owner, "foot_links",
	    LINK("1") LINK("2") LINK("3") LINK("4") LINK("5"));
	assert_status(browser_get(&reader, "/"), 200);
	assert_int_equal(browser_count(&reader, "https://example.org/"), 5);
	refuse(&owner, "foot_links",
	    LINK("1") LINK("2") LINK("3") LINK("4") LINK("5") LINK("6"),
	    "at most five links");
}

/* In any spelling, each once. */
static void
shared_hosts_are_hosts(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);

	set(&owner, "shared_hosts",
	    " https://www.GitHub.com/x\r\ngithub.com  m\xc3\xbcnchen.example "
	    "xn--mnchen-3ya.example\r\n");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "github.com m\xc3\xbcnchen.example</textarea>");
	assert_status(browser_get(&owner, "/from/GitHub.com/Ann"), 301);
	assert_text(owner.answer.location, "/from/github.com/ann");
	assert_status(
	    browser_get(&owner, "/from/xn--mnchen-3ya.example/a"), 200);
	refuse(&owner, "shared_hosts", "github.com -a", "isn’t a site");
	refuse(&owner, "shared_hosts",
	    "a.b b.b c.b d.b e.b f.b g.b h.b i.b j.b k.b l.b m.b n.b o.b p.b "
	    "q.b r.b s.b t.b u.b v.b w.b x.b y.b z.b a.c b.c c.c d.c e.c f.c "
	    "g.c h.c i.c j.c k.c l.c m.c n.c o.c p.c q.c r.c s.c t.c u.c v.c "
	    "w.c x.c y.c z.c a.d b.d c.d d.d e.d f.d g.d h.d i.d j.d k.d l.d "
	    "m.d n.d o.d p.d q.d r.d s.d t.d u.d v.d w.d x.d y.d z.d a.e b.e "
	    "c.e d.e e.e f.e g.e h.e i.e j.e k.e l.e m.e n.e o.e p.e q.e r.e "
	    "s.e t.e u.e v.e w.e x.e",
	    "at most 100 sites");
}

static void
foot_links_are_labels_with_links(void **state)
{
	static const char *const wrong[] = { "https://example.org/", "Imprint",
		"Imprint javascript:alert(1)", "Imprint ftp://example.org/",
		"Imprint //example.org", "Imprint http://ann:pw@example.org/",
		LINK("1") "Imprint /about", "Imprint http://" };
	struct world *world = *state;
	struct browser owner = open_olga(world);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		refuse(
		    &owner, "foot_links", wrong[i], "isn’t a name and a link");
	refuse(&owner, "foot_links",
	    "01234567890123456789012345678901234567890 https://example.org",
	    "at most 40 characters; this has 41");
	refuse(&owner, "foot_links", "a\xe2\x80\xae https://example.org",
	    "text direction");
}

/* What is announced is shown until it is dismissed, also where the page is an error. */
static void
announcement_is_shown_until_a_member_dismisses_it(void **state)
{
	static const char *const pages[] = { "/", "/about", "/nothing",
		"/settings" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser ben = browser_member(world, "ben");

	assert_status(browser_get(&ben, "/"), 200);
	assert_lacks(&ben, "action=\"/dismiss\"");
	set(&owner, "announcement", "Moved to [there](https://b.example/).");
	for (size_t i = 0; i < 4; i++) {
		browser_get(&ben, pages[i]);
		assert_holds(&ben, "<a href=\"https://b.example/\"");
		assert_holds(&ben, "action=\"/dismiss\"");
	}
	assert_status(browser_get(&ben, "/groups?page=2"), 404);
	assert_status(browser_post(&ben, "/dismiss",
			  FIELDS("announced", "1700000000", "return_to",
			      "/groups?page=2")),
	    303);
	assert_text(ben.answer.location, "/groups?page=2");
	assert_text(browser_cookie(&ben, "tally-dismissed"), "");
	for (size_t i = 0; i < 4; i++) {
		browser_get(&ben, pages[i]);
		assert_lacks(&ben, "b.example");
		assert_lacks(&ben, "action=\"/dismiss\"");
	}
	/* Others are shown it still, and the next one everybody is. */
	assert_status(browser_get(&owner, "/"), 200);
	assert_holds(&owner, "b.example");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_status(
	    browser_post(&owner, "/settings/site",
		SET("announcement", "Moved to [there](https://b.example/).",
		    "tagline", "Another")),
	    303);
	assert_status(browser_get(&ben, "/"), 200);
	assert_lacks(&ben, "b.example");
	set(&owner, "announcement", "Back.");
	assert_status(browser_get(&ben, "/"), 200);
	assert_holds(&ben, "Back.");
	set(&owner, "announcement", "");
	assert_status(browser_get(&ben, "/"), 200);
	assert_lacks(&ben, "action=\"/dismiss\"");
}

static void
announcement_is_dismissed_by_a_visitors_cookie(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world),
		       other = browser_open(world);

	set(&owner, "announcement", "Soon.");
	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, "Soon.");
	/* It is one page for all of them. */
	assert_int_equal(reader.answer.cache, CACHE_ONE_SECOND);
	assert_status(browser_send(&reader, HTTP_POST, "/dismiss",
			  TEXT("announced=1700000000&return_to=%2Fabout")),
	    303);
	assert_text(reader.answer.location, "/about");
	assert_text(browser_cookie(&reader, "tally-dismissed"), "1700000000");
	assert_status(browser_get(&reader, "/"), 200);
	assert_lacks(&reader, "Soon.");
	assert_status(browser_get(&other, "/"), 200);
	assert_holds(&other, "Soon.");
	/* As a member it is another reader. */
	assert_status(browser_get(&owner, "/"), 200);
	assert_holds(&owner, "Soon.");
	set(&owner, "announcement", "Now.");
	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, "Now.");
}

static void
dismissals_cannot_be_forged(void **state)
{
	static const char *const wrong[] = { "", "x", "-1", "1e9", "1.5",
		"99999999999999999999" };
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser ben = browser_member(world, "ben");
	struct browser reader = browser_open(world);
	struct text before;

	set(&owner, "announcement", "Soon.");
	assert_status(browser_get(&ben, "/"), 200);
	before = world_snapshot(world);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_status(browser_post(&ben, "/dismiss",
				  FIELDS("announced", wrong[i])),
		    400);
	assert_status(browser_post(&ben, "/dismiss",
			  FIELDS("announced", "1700000000", "csrf", "x")),
	    403);
	/* Another site has a visitor's form as well. */
	reader.fetch_site = TEXT("cross-site");
	assert_status(browser_send(&reader, HTTP_POST, "/dismiss",
			  TEXT("announced=1700000000")),
	    403);
	assert_unchanged(world, before);
	assert_status(browser_get(&reader, "/dismiss"), 405);
	/* None is dismissed before it is made. */
	assert_status(
	    browser_post(&ben, "/dismiss", FIELDS("announced", "9999999999")),
	    303);
	assert_text(ben.answer.location, "/");
	set(&owner, "announcement", "Later.");
	assert_status(browser_get(&ben, "/"), 200);
	assert_holds(&ben, "Later.");
	/* Nor is an older form more than it was. */
	assert_status(
	    browser_post(&ben, "/dismiss", FIELDS("announced", "1700000001")),
	    303);
	assert_status(
	    browser_post(&ben, "/dismiss", FIELDS("announced", "1")), 303);
	assert_status(browser_get(&ben, "/"), 200);
	assert_lacks(&ben, "Later.");
}

static struct text
example_png(struct world *world)
{
	return fixture_read_file(&world->arena, "static/apple-touch-icon.png");
}

static void
images_are_shown_under_their_versions(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);
	struct text png = example_png(world), address;
	const char *logo;
	size_t at;

	assert_status(browser_get(&reader, "/logo.png"), 404);
	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, "href=\"/\"><svg");
	assert_holds(&reader, "href=\"/icon.svg\"");
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_lacks(&owner, "value=\"remove\"");
	for (int i = 0; i < 2; i++)
		assert_status(
		    browser_upload(&owner, "/settings/site/logo", png), 303);
	assert_text(owner.answer.location, "/settings/site");
	assert_status(browser_follow(&owner), 200);
	assert_holds(&owner, "Settings saved.");
	assert_holds(&owner, "value=\"remove\"");
	assert_status(browser_get(&reader, "/nothing"), 404);
	assert_lacks(&reader, "href=\"/\"><svg");
	at = text_find(reader.answer.body, 0, TEXT("/logo.png?v="));
	assert_true(at != SIZE_MAX);
	address = text_slice(reader.answer.body, at, 12 + 12);
	logo = text_string(&world->arena, address);
	assert_holds(&reader, "width=\"28\" height=\"28\"");
	assert_status(browser_get(&reader, logo), 200);
	assert_int_equal(reader.answer.type, TYPE_PNG);
	assert_int_equal(reader.answer.cache, CACHE_ONE_YEAR);
	assert_same(reader.answer.body, png);
	/* Any other version is not cacheable. */
	assert_status(browser_get(&reader, "/logo.png?v=000000000000"), 200);
	assert_int_equal(reader.answer.cache, CACHE_NEVER);
	assert_status(browser_upload(&owner, "/settings/site/icon", png), 303);
	assert_status(browser_get(&reader, "/about"), 200);
	assert_lacks(&reader, "/icon.svg");
	assert_int_equal(browser_count(&reader, "href=\"/icon.png?v="), 2);
	assert_status(
	    browser_post(&owner, "/settings/site/logo", FIELDS("do", "remove")),
	    303);
	assert_status(browser_get(&reader, logo), 404);
	assert_status(browser_get(&reader, "/"), 200);
	assert_holds(&reader, "href=\"/\"><svg");
	/* The other settings are as they were. */
	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "name=\"name\" maxlength=\"40\"");
	assert_holds(&owner, "value=\"Tally\"");
}

static void
images_that_are_none_are_refused(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct text png = example_png(world), before;
	char *large = arena_zeroed(&world->arena, RULE_IMAGE_MAX + 1, 1);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	before = world_snapshot(world);
	assert_status(
	    browser_upload(&owner, "/settings/site/logo", TEXT("")), 422);
	assert_holds(&owner, "Choose a file.");
	assert_holds(&owner, "value=\"Tally\"");
	assert_int_equal(browser_count(&owner, "id=\"logo-problem\""), 1);
	assert_int_equal(browser_count(&owner, "id=\"icon-problem\""), 0);
	assert_status(browser_upload(&owner, "/settings/site/icon",
			  TEXT("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
	    422);
	assert_holds(&owner, "This isn’t a PNG image");
	assert_int_equal(browser_count(&owner, "id=\"icon-problem\""), 1);
	assert_status(browser_upload(&owner, "/settings/site/logo",
			  text_slice(png, 0, png.size - 1)),
	    422);
	assert_status(browser_upload(&owner, "/settings/site/logo",
			  text_join(&world->arena, png, TEXT("<script>"))),
	    422);
	assert_status(browser_upload(&owner, "/settings/site/logo",
			  (struct text){ large, RULE_IMAGE_MAX + 1 }),
	    422);
	assert_holds(&owner, "at most 65536 bytes; this has 65537");
	assert_status(browser_upload(&owner, "/settings/site/face", png), 404);
	assert_status(browser_post(&owner, "/settings/site/logo", NULL), 422);
	assert_unchanged(world, before);
}

static void
only_owners_upload_images(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser mod = browser_moderator(world, "mod");
	struct browser reader = browser_open(world);
	struct text png = example_png(world), before = world_snapshot(world);

	assert_status(browser_get(&mod, "/"), 200);
	assert_status(browser_upload(&mod, "/settings/site/logo", png), 403);
	assert_status(browser_upload(&reader, "/settings/site/logo", png), 303);
	assert_status(browser_get(&owner, "/settings/site"), 200);
	owner.fetch_site = TEXT("cross-site");
	assert_status(browser_upload(&owner, "/settings/site/logo", png), 403);
	owner.fetch_site = TEXT("");
	/* No other form takes files. */
	assert_status(browser_upload(&owner, "/settings/site", png), 400);
	assert_unchanged(world, before);
}

static enum http_status
join(struct browser *browser, const char *name, const char *invite)
{
	browser->cookie_count = 0;
	assert_status(browser_get(browser, "/login"), 200);
	return browser_post(browser, "/register",
	    FIELDS("username", name, "password", "correct horse", "invite",
		invite));
}

static void
registration_can_be_closed(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);
	struct user user;

	decide(&owner, "closed", "members");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_holds(&reader, "Registration is closed.");
	assert_lacks(&reader, ">Register</a>");
	assert_status(browser_get(&reader, "/login"), 200);
	assert_lacks(&reader, ">Register</a>");
	assert_status(browser_get(&reader, "/apply"), 200);
	assert_holds(&reader, "Registration is closed.");
	assert_lacks(&reader, ">Register</a>");
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, "Registration is closed.");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_lacks(&reader, "name=\"password\"");
	assert_status(join(&reader, "bob", ""), 403);
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("bob"), &user),
	    STORE_ABSENT);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_lacks(&owner, "/settings/invite");
	decide(&owner, "open", "members");
	assert_status(join(&reader, "bob", ""), 303);
}

/* The invitation codes on a member's page, in order. */
static size_t
codes_of(struct world *world, uint64_t user, struct invite *invites)
{
	size_t count;

	assert_int_equal(
	    invite_list(&world->store, &world->arena, user, invites, &count),
	    STORE_OK);
	return count;
}

static void
invitation_is_valid_once_and_for_a_week(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser reader = browser_open(world);
	struct invite invites[INVITES_MAX];
	const char *first, *second;

	decide(&owner, "invite", "members");
	assert_status(browser_get(&reader, "/register"), 200);
	assert_holds(&reader, "You need an invitation");
	assert_lacks(&reader, "name=\"password\"");
	assert_status(join(&reader, "bob", ""), 403);
	assert_status(join(&reader, "bob", "1.00"), 403);

	assert_status(browser_get(&owner, "/settings"), 200);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	world_move_clock(world, 60);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	assert_int_equal(codes_of(world, 1, invites), 2);
	first = text_string(&world->arena, invites[0].code);
	second = text_string(&world->arena, invites[1].code);
	assert_status(browser_follow(&owner), 200);
	assert_holds(&owner,
	    text_string(&world->arena,
		text_format(&world->arena,
		    ">http://localhost/register?invite=%s</a>", first)));

	reader.cookie_count = 0;
	assert_status(
	    browser_get(&reader,
		text_string(&world->arena,
		    text_format(&world->arena, "/register?invite=%s", first))),
	    200);
	assert_holds(&reader, "name=\"password\"");
	/* The invitation stays valid if the name is taken. */
	assert_status(join(&reader, "olga", first), 422);
	assert_holds(&reader, first);
	assert_status(join(&reader, "bob", first), 303);
	assert_status(join(&reader, "eve", first), 403);
	assert_status(browser_get(&reader, "/u/bob"), 200);
	assert_holds(
	    &reader, "invited by <a href=\"/u/olga\"><bdi>olga</bdi></a>");
	assert_status(browser_get(&reader, "/u/olga"), 200);
	assert_holds(&reader, "Invited: <a href=\"/u/bob\"><bdi>bob</bdi></a>");
	world_move_clock(world, WEEK - 60);
	assert_int_equal(codes_of(world, 1, invites), 1);
	world_move_clock(world, 60);
	assert_int_equal(codes_of(world, 1, invites), 0);
	assert_status(join(&reader, "eve", second), 403);
	assert_holds(&reader, "has been used or has expired");
}

static void
open_invitations_are_limited(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct invite invites[INVITES_MAX];

	assert_status(browser_get(&owner, "/settings"), 200);
	for (int i = 0; i < INVITES_MAX; i++)
		assert_status(
		    browser_post(&owner, "/settings/invite", NULL), 303);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 409);
	assert_holds(&owner, "too many open invitations");
	world_move_clock(world, WEEK);
	assert_status(browser_get(&owner, "/settings"), 200);
	assert_status(browser_post(&owner, "/settings/invite", NULL), 303);
	assert_int_equal(codes_of(world, 1, invites), 1);
}

static void
creating_groups_can_be_limited_to_moderators(void **state)
{
	struct world *world = *state;
	struct browser owner = open_olga(world);
	struct browser bob = browser_member(world, "bob");
	struct browser mod = browser_moderator(world, "mod");

	decide(&owner, "open", "moderators");
	assert_status(browser_get(&bob, "/groups"), 200);
	assert_lacks(&bob, "Create a group");
	assert_status(
	    browser_post(&bob, "/groups", FIELDS("name", "aa", "title", "A")),
	    403);
	assert_status(browser_get(&mod, "/groups"), 200);
	assert_status(
	    browser_post(&mod, "/groups", FIELDS("name", "aa", "title", "A")),
	    303);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(form_takes_two_round_trips),
		world_test(only_owners_see_and_change_settings),
		world_test(changed_settings_apply_in_every_worker_at_once),
		world_test(mistakes_change_nothing),
		world_test(each_version_of_the_style_sheet_has_its_address),
		world_test(settings_page_omits_the_style_sheet),
		world_test(number_for_interesting_counts_from_then_on),
		world_test(texts_are_markdown_without_anything_that_runs),
		world_test(texts_have_limits),
		world_test(rules_have_a_page_while_there_are_any),
		world_test(foot_has_links_and_a_slogan),
		world_test(shared_hosts_are_hosts),
		world_test(foot_links_are_labels_with_links),
		world_test(announcement_is_shown_until_a_member_dismisses_it),
		world_test(announcement_is_dismissed_by_a_visitors_cookie),
		world_test(dismissals_cannot_be_forged),
		world_test(images_are_shown_under_their_versions),
		world_test(images_that_are_none_are_refused),
		world_test(only_owners_upload_images),
		world_test(registration_can_be_closed),
		world_test(invitation_is_valid_once_and_for_a_week),
		world_test(open_invitations_are_limited),
		world_test(creating_groups_can_be_limited_to_moderators),
	};

	return world_run("the owners' settings", tests);
}

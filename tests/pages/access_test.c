/*
 * The checks before every page: roles, the origin of a POST, its CSRF token, and
 * well-formed requests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/browser.h"
#include "base/arena.h"
#include "store/account_status.h"
#include "store/group.h"
#include "store/session.h"
#include "store/settings.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A group, and an article by ann. */
static struct browser
begin(struct world *world)
{
	struct browser ann;

	world_stop_clock(world, NOON);
	ann = browser_member(world, "ann");
	world_group(world, "redis");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", ""), 1);
	return ann;
}

static const char *const posts[] = { "/submit", "/articles/1/vote",
	"/articles/1/groups", "/articles/1/remove", "/articles/1/restore",
	"/articles/99/vote", "/articles/0/vote", "/groups", "/logout",
	"/settings/password", "/settings/sessions", "/register", "/login" };

static void
every_route_answers(void **state)
{
	static const char *const open[] = { "/", "/interesting", "/g/redis",
		"/u/ann", "/articles/1", "/groups", "/about", "/sitemap.xml",
		"/robots.txt", "/healthz", "/readyz" };
	static const char *const accounts[] = { "/register", "/login" };
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	for (size_t i = 0; i < COUNT(open); i++) {
		assert_status(browser_get(&reader, open[i]), 200);
		assert_status(browser_get(&ann, open[i]), 200);
	}
	/* Members are redirected. */
	for (size_t i = 0; i < COUNT(accounts); i++) {
		assert_status(browser_get(&reader, accounts[i]), 200);
		assert_status(browser_get(&ann, accounts[i]), 303);
		assert_text(ann.answer.location, "/");
	}
	assert_status(browser_get(&ann, "/submit"), 200);
}

/* The lines of a head, except Content-Length. */
static struct text
without_length(struct arena *arena, struct text head)
{
	struct text name = TEXT("Content-Length: ");
	size_t at = text_find(head, 0, name);
	struct text rest, line;

	if (at == SIZE_MAX)
		return head;
	rest = text_slice(head, at, head.size);
	assert_true(text_cut(&rest, '\n', &line));
	return text_join(arena, text_slice(head, 0, at), rest);
}

static void
say(struct browser *browser, const char *text)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	assert_status(
	    browser_post(browser, "/articles/1/comments", FIELDS("text", text)),
	    303);
}

/* Pages are not rendered for a HEAD request, so its answer has no Content-Length. */
static void
head_is_get_without_the_body(void **state)
{
	static const char *const pages[] = { "/", "/articles/1", "/nothing",
		"/submit", "/articles/1?page=2", "/articles/1?page=x",
		"/articles/1/comments/1", "/articles/1/comments/2",
		"/articles/1/comments/3", "/comments", "/comments?page=2",
		"/u/ann", "/u/ann/comments", "/u/nobody", "/log", "/groups",
		"/g/none", "/about", "/inbox", "/moderation", "/sitemap.xml",
		"/robots.txt", "/articles/2" };
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);
	struct browser mod = browser_moderator(world, "moderator");
	struct browser *browsers[] = { &reader, &ann, &mod };
	struct arena *arena = &world->arena;
	struct text head;

	say(&ann, "One");
	world_post(world, 1, "Removed", "http://removed.example/", "");
	world_remove(world, 2);
	say(&ann, "Two");
	assert_status(
	    browser_post(&ann, "/articles/1/comments/2/delete", NULL), 303);
	for (size_t b = 0; b < COUNT(browsers); b++)
		for (size_t i = 0; i < COUNT(pages); i++) {
			struct browser *browser = browsers[b];

			browser_get(browser, pages[i]);
			head = without_length(arena, browser->head);
			browser_send(browser, HTTP_HEAD, pages[i], TEXT(""));
			if (!browser->answer.is_unrendered)
				assert_true(browser->answer.location.size > 0);
			assert_int_equal(browser->answer.body.size, 0);
			assert_same(without_length(arena, browser->head), head);
		}
	/* Other answers exist anyway. */
	browser_get(&reader, "/healthz");
	head = reader.head;
	browser_send(&reader, HTTP_HEAD, "/healthz", TEXT(""));
	assert_same(reader.head, head);
}

static void
unknown_paths_are_404(void **state)
{
	static const char *const paths[] = { "/nothing", "/articles/1/nothing",
		"/articles/1/vote/", "/u/", "/u/ann/x", "", "/index.html",
		"/articles/0", "/articles/-1", "/articles/01", "/articles/abc",
		"/articles/99", "/articles/1%00", "/articles/1000000000000",
		"/articles/99999999999999999999", "/articles/%201",
		"/g/nothing", "/g/nothing+redis", "/g/%20redis", "/g/r",
		"/u/nobody", "/u/a", "/u/%20ann", "/u/ann%00" };
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	for (size_t i = 0; i < COUNT(paths); i++) {
		if (browser_get(&reader, paths[i]) != HTTP_NOT_FOUND ||
		    browser_get(&ann, paths[i]) != HTTP_NOT_FOUND)
			fail_msg("%s is there", paths[i]);
		assert_holds(&reader, "Page not found");
	}
	assert_status(browser_post(&ann, "/nothing", NULL), 404);
	/* Members see them, too. */
	for (size_t i = 0; i < COUNT(paths); i++) {
		assert_status(browser_get(&ann, paths[i]), 404);
		assert_holds(&ann, "<a class=\"me\" href=\"/u/ann\">");
		assert_lacks(&ann, ">Register</a>");
	}
	assert_status(
	    browser_send(&ann, HTTP_OTHER_METHOD, "/nothing", TEXT("")), 404);
}

static void
other_methods_are_405(void **state)
{
	static const struct {
		enum http_method method;
		const char *path, *allow;
	} rules[] = {
		{ HTTP_POST, "/", "GET, HEAD" },
		{ HTTP_POST, "/articles/1", "GET, HEAD" },
		{ HTTP_POST, "/about", "GET, HEAD" },
		{ HTTP_GET, "/articles/1/vote", "POST" },
		{ HTTP_HEAD, "/articles/1/remove", "POST" },
		{ HTTP_GET, "/logout", "POST" },
		{ HTTP_OTHER_METHOD, "/", "GET, HEAD" },
		{ HTTP_OTHER_METHOD, "/submit", "GET, HEAD, POST" },
		{ HTTP_OTHER_METHOD, "/login", "GET, HEAD, POST" },
		{ HTTP_OTHER_METHOD, "/logout", "POST" },
	};
	struct world *world = *state;
	struct browser ann = begin(world);

	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(browser_send(&ann, rules[i].method, rules[i].path,
				  TEXT("")),
		    405);
		assert_string_equal(ann.answer.allow, rules[i].allow);
	}
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_text(browser_attribute(&ann, 1, "data-points"), "1");
}

/* Addresses that differ slightly from a route redirect to it, with the query. */
static void
addresses_redirect_to_their_canonical_form(void **state)
{
	static const struct {
		const char *asked, *moved;
	} rules[] = {
		{ "/articles", "/" },
		{ "/articles/", "/articles" },
		{ "/articles?order=new", "/?order=new" },
		{ "/articles/1/", "/articles/1" },
		{ "/Articles/1", "/articles/1" },
		{ "/g", "/groups" },
		{ "/g/", "/g" },
		{ "/g/Redis", "/g/redis" },
		{ "/g/web+Redis?order=new", "/g/redis+web?order=new" },
		{ "/g/redis+web+redis+web", "/g/redis+web" },
		{ "/g/redis+", "/g/redis" },
		{ "/?x=1", "/" },
		{ "/?order=new&x=2&page=2", "/?order=new&page=2" },
		{ "/?%6frder=%6eew", "/?order=new" },
		{ "/?order=new&", "/?order=new" },
		{ "/Submit?title=a%20b&x=y", "/submit?title=a+b" },
		{ "/articles/1?match=all&order=new", "/articles/1?order=new" },
		{ "/about?x", "/about" },
		{ "/login?x=y&return_to=%2F%7eann",
		    "/login?return_to=%2F~ann" },
		{ "/sitemap.xml?x=1&page=1", "/sitemap.xml?page=1" },
		{ "/G/redis/?order=new&page=2", "/g/redis?order=new&page=2" },
		{ "/U/ann", "/u/ann" },
		{ "/u/ANN", "/u/ann" },
		{ "/submit/", "/submit" },
		{ "/Submit", "/submit" },
		{ "/ABOUT///", "/about" },
		{ "//", "/" },
	};
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);

	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(browser_get(&reader, rules[i].asked), 301);
		assert_text(reader.answer.location, rules[i].moved);
		assert_status(browser_get(&ann, rules[i].asked), 301);
	}
	assert_status(browser_post(&ann, "/Submit", NULL), 404);
}

/* The address is in two links of each article, so a long one must not make the page
 * long. */
static void
long_query_does_not_lengthen_the_page(void **state)
{
	static const char *const paths[] = { "/", "/g/redis", "/u/ann",
		"/groups", "/articles/1", "/interesting" };
	static const char *const bad[] = { "/?order=", "/g/redis?page=",
		"/?order=new&order=", "/nothing?x=", "/interesting?page=" };
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);
	char filler[7001];

	memset(filler, '&', 7000);
	filler[7000] = '\0';
	for (size_t i = 0; i < COUNT(paths); i++) {
		const char *asked =
		    fixture_string(&world->arena, "%s?x=%s", paths[i], filler);

		assert_status(browser_get(&reader, asked), 301);
		assert_text(reader.answer.location, paths[i]);
		assert_status(browser_get(&ann, asked), 301);
		assert_int_equal(ann.answer.body.size, 0);
	}
	memset(filler, 'x', 7000);
	for (size_t i = 0; i < COUNT(bad); i++) {
		browser_get(&reader,
		    fixture_string(&world->arena, "%s%s", bad[i], filler));
		assert_true(reader.answer.status >= 400);
		assert_lacks(&reader, "xxxxxxx");
	}
}

/* nginx accepts no address longer than a request line. */
static void
too_long_addresses_are_414(void **state)
{
	static const char *const paths[] = {
		"/submit?title=", "/login?return_to=", "/U/", "/G/"
	};
	struct world *world = *state;
	struct browser reader = browser_open(world);
	char filler[5001];

	memset(filler, '!', 5000);
	filler[5000] = '\0';
	for (size_t i = 0; i < COUNT(paths); i++) {
		assert_status(browser_get(&reader,
				  fixture_string(
				      &world->arena, "%s%s", paths[i], filler)),
		    414);
		assert_holds(&reader, "<h1>This address is too long</h1>");
		assert_lacks(&reader, "!!!!");
	}
}

/* Without an origin, other host names are refused. */
static void
site_without_an_origin_answers_only_locally(void **state)
{
	static const char *const local[] = { "localhost", "localhost:8080",
		"LOCALHOST", "a.localhost", "127.0.0.1", "127.8.9.1:80",
		"localhost:65535", "[::1]", "[::1]:8080" };
	static const char *const others[] = { "tally.example", "",
		"localhost.example", "xlocalhost", "127.0.0.1.example",
		"127.0.0", "192.0.2.1", "10.0.0.1:8080", "[::2]", "[::1", "::1",
		"[::1]x", "0.0.0.0", "localhost@evil.example",
		"localhost:", "localhost:x", "localhost:80/x", "localhost:0",
		"localhost:080", "localhost:65536", "127.0.0.1:-1",
		"[::1]:", "[::1]:8a" };
	struct world *world = *state;
	struct browser ann = begin(world);

	for (size_t i = 0; i < COUNT(local); i++) {
		ann.host = text_of(local[i]);
		if (browser_get(&ann, "/") != HTTP_OK)
			fail_msg("%s is not answered", local[i]);
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		ann.host = text_of(others[i]);
		if (browser_get(&ann, "/") != HTTP_MISDIRECTED)
			fail_msg("%s is answered", others[i]);
		assert_holds(&ann, "set TALLY_ORIGIN to its address");
		assert_lacks(&ann, "Log out");
		assert_status(browser_get(&ann, "/nothing"), 421);
		assert_status(browser_post(&ann, "/logout", NULL), 421);
		assert_status(browser_get(&ann, "/healthz"), 200);
	}
	/* HTTP 1.0 does not require a Host header. */
	ann.host = (struct text){ NULL, 0 };
	assert_status(browser_get(&ann, "/"), 421);
}

/* With an origin, pages exist only there, over https. */
static void
other_hosts_redirect_to_the_origin(void **state)
{
	static const struct {
		const char *host;
		bool https;
		const char *asked, *location;
	} rules[] = {
		{ "tally.example", true, "/?order=new", "" },
		{ "tally.example:443", true, "/?order=new", "" },
		{ "TALLY.example", true, "/?order=new",
		    "https://tally.example/?order=new" },
		{ "tally.example", false, "/?order=new",
		    "https://tally.example/?order=new" },
		{ "www.tally.example", true, "/g/redis",
		    "https://tally.example/g/redis" },
		{ "tally.example.", true, "/", "https://tally.example/" },
		{ "tally.example:80", true, "/", "https://tally.example/" },
		{ "localhost", false, "/login?x=y&return_to=%2f",
		    "https://tally.example/login?return_to=%2F" },
		{ "", false, "/nothing", "https://tally.example/nothing" },
		{ "evil.example", false, "//evil.example/",
		    "https://tally.example//evil.example/" },
		{ "localhost", false, "/healthz", "" },
		{ "localhost", false, "/readyz", "" },
	};
	struct world *world = *state;
	struct browser ann = begin(world);

	browser_move_site(&ann, "https://tally.example");
	for (size_t i = 0; i < COUNT(rules); i++) {
		ann.host = text_of(rules[i].host);
		ann.https = rules[i].https;
		if (browser_get(&ann, rules[i].asked) !=
		    (rules[i].location[0] == '\0' ? HTTP_OK : HTTP_MOVED))
			fail_msg("row %zu: %d", i, (int)ann.answer.status);
		assert_text(ann.answer.location, rules[i].location);
		assert_int_equal(ann.answer.cache,
		    ann.answer.body.size > 1000 ? CACHE_ONE_SECOND
						: CACHE_NEVER);
	}
	ann.host = TEXT("tally.example");
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "ann", "password", "seen by all")),
	    421);
	assert_lacks(&ann, "seen by all");
	ann.https = true;
	assert_status(browser_get(&ann, "/login"), 200);
	assert_status(browser_post(&ann, "/login",
			  FIELDS("username", "ann", "password", "not seen")),
	    422);
	ann.host = TEXT("other.example");
	assert_status(browser_post(&ann, "/logout", NULL), 421);
}

/* Every page names its canonical address. */
static void
pages_have_a_canonical_link(void **state)
{
	static const struct {
		const char *asked, *canonical;
	} rules[] = {
		{ "/", "/" },
		{ "/?order=top&page=1&x=y", "/" },
		{ "/?order=new", "/new" },
		{ "/new?page=1&x=y", "/new" },
		{ "/g/redis?match=any", "/g/redis" },
		{ "/articles/1?x=y", "/articles/1" },
		{ "/u/ann?order=oldest", "/u/ann?order=oldest" },
		{ "/groups?page=1", "/groups" },
		{ "/about", "/about" },
	};
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	browser_move_site(&reader, "http://tally.example");
	for (size_t i = 0; i < COUNT(rules); i++) {
		char link[200];

		snprintf(link, sizeof(link),
		    "<link rel=\"canonical\" href=\"http://tally.example%s\">",
		    rules[i].canonical);
		assert_status(browser_go(&reader, rules[i].asked), 200);
		assert_holds(&reader, link);
	}
	assert_status(browser_get(&reader, "/nothing"), 404);
	assert_lacks(&reader, "canonical");
}

static void
visitors_are_redirected_to_the_login(void **state)
{
	static const struct {
		const char *path, *location;
	} rules[] = {
		{ "/submit", "/login?return_to=%2Fsubmit" },
		{ "/submit?title=a+b&url=c",
		    "/login?return_to=%2Fsubmit%3Ftitle%3Da%2Bb%26url%3Dc" },
	};
	struct world *world = *state;
	struct browser reader;
	struct text before;

	begin(world);
	reader = browser_open(world);
	before = world_snapshot(world);
	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(browser_get(&reader, rules[i].path), 303);
		assert_text(reader.answer.location, rules[i].location);
	}
	assert_status(browser_post(&reader, "/articles/1/vote",
			  FIELDS("vote", "up", "return_to", "/g/redis")),
	    303);
	assert_text(
	    reader.answer.location, "/login?return_to=%2Fg%2Fredis&up=1");
	assert_status(browser_post(&reader, "/articles/1/vote",
			  FIELDS("vote", "up", "return_to", "//b.example")),
	    303);
	assert_text(reader.answer.location, "/login?return_to=%2F&up=1");
	assert_status(browser_post(&reader, "/articles/1/remove", NULL), 303);
	assert_text(reader.answer.location, "/login?return_to=%2Farticles%2F1");
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, "You were logged out, so nothing was changed.");
	assert_status(browser_get(&reader, "/login"), 200);
	assert_lacks(&reader, "You were logged out");
	/* The typed text is shown again. */
	assert_status(
	    browser_post(&reader, "/groups", FIELDS("name", "typed")), 401);
	assert_holds(&reader, "value=\"typed\"");
	/* Nobody is logged in any more. */
	assert_status(browser_post(&reader, "/logout", NULL), 303);
	assert_text(reader.answer.location, "/");
	assert_unchanged(world, before);
}

static void
unknown_cookies_sign_nobody_in(void **state)
{
	static const char *const cookies[] = { "1", "1.", ".", "1.abc", "0.x",
		"99999999999999999999.x", "-1.x",
		"1.0000000000000000000000000000000000000000000000000000000000"
		"000000",
		"2.0000000000000000000000000000000000000000000000000000000000"
		"000000" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	for (size_t i = 0; i < COUNT(cookies); i++) {
		browser_set_cookie(&reader, TEXT("tally"), text_of(cookies[i]));
		assert_status(browser_get(&reader, "/"), 200);
		assert_holds(&reader, ">Log in</a>");
		assert_status(browser_get(&reader, "/submit"), 303);
	}
}

static void
only_moderators_can_remove_and_restore(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct browser mod = browser_moderator(world, "mod");
	struct text before = world_snapshot(world);

	assert_status(browser_post(&ann, "/articles/1/remove", NULL), 403);
	assert_status(browser_post(&ann, "/articles/1/restore", NULL), 403);
	assert_holds(&ann, "You can’t do that");
	assert_holds(&ann, "You don’t have permission");
	assert_status(
	    browser_post(&ann, "/articles/1/vote", FIELDS("csrf", "x")), 403);
	assert_holds(&ann, "This form has expired");
	assert_holds(&ann, "It was no longer valid");
	assert_unchanged(world, before);
	assert_status(browser_post(&mod, "/articles/1/remove", NULL), 303);
	assert_status(browser_post(&ann, "/articles/1/restore", NULL), 403);
	assert_status(browser_post(&mod, "/articles/1/restore", NULL), 303);
	assert_unchanged(world, before);
}

/* Each route of the table with the roles that it is for. */
struct cell {
	const char *path, *access;
	bool is_sent;
};

#define GET(path, access)		      { path, #access, false },
#define SENT(path, access)		      { path, #access, true },
#define PAGE(path, access, query, page)	      GET(path, access)
#define FEED(path, access, query, page)	      GET(path ".atom", access)
#define ACTION(path, access, limit, action)   SENT(path, access)
#define UPLOAD(path, access, limit, action)   SENT(path, access)
#define PREPARED_ACTION(path, access, ...)    SENT(path, access)
#define FORM(path, sees, sends, ...)	      GET(path, sees) SENT(path, sends)
#define PREPARED_FORM(path, sees, sends, ...) GET(path, sees) SENT(path, sends)
static const struct cell cells[] = {
#include "pages/routes.h"
};

/* With a character for each part of the path that begins with ':'. */
static const char *
cell_path_to(struct world *world, const struct cell *cell, char part)
{
	char *path = arena_bytes(&world->arena, strlen(cell->path) + 1);
	char *to = path;

	for (const char *from = cell->path; *from != '\0'; from++) {
		if (*from != ':') {
			*to++ = *from;
			continue;
		}
		*to++ = part;
		from += strcspn(from, "/.") - 1;
	}
	*to = '\0';
	return path;
}

static const char *
cell_path(struct world *world, const struct cell *cell)
{
	return cell_path_to(world, cell, '1');
}

static bool
is_for(const struct cell *cell, const char *access)
{
	return strcmp(cell->access, access) == 0;
}

/* What is sent may change something only where it is refused. */
static void
try_cell(struct browser *browser, const struct cell *cell, bool is_refused,
    const char *refusal)
{
	const char *path = cell_path(browser->world, cell);
	bool has_refusal;

	if (cell->is_sent && !is_refused)
		return;
	if (cell->is_sent)
		browser_post(browser, path, NULL);
	else
		browser_get(browser, path);
	has_refusal = browser->answer.status == HTTP_FORBIDDEN &&
	    text_find(browser->answer.body, 0, text_of(refusal)) != SIZE_MAX;
	if (has_refusal != is_refused)
		fail_msg("%s, for %s, answers %d", path, cell->access,
		    (int)browser->answer.status);
}

static void
require_factor(struct world *world)
{
	struct settings settings;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.moderator_factor = TEXT(RULE_FACTOR_REQUIRED);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

/* A moderator without a second factor has a member's rights where owners require one. */
static void
each_route_is_for_its_roles(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);
	struct browser mod = browser_moderator(world, "mod");
	struct browser owner = browser_owner(world, "olga");
	const char *role = "You don’t have permission";

	for (int required = 0; required < 2; required++) {
		struct text before;

		if (required == 1)
			require_factor(world);
		before = world_snapshot(world);
		for (size_t i = 0; i < COUNT(cells); i++) {
			const struct cell *cell = &cells[i];
			bool is_owners = is_for(cell, "OWNERS");
			bool is_moderators = is_for(cell, "MODERATORS") ||
			    is_for(cell, "GROUP_MODERATORS");

			if (!cell->is_sent && !is_for(cell, "ANYONE") &&
			    !is_for(cell, "PUBLIC") &&
			    !is_for(cell, "ANY_HOST")) {
				browser_get(&reader, cell_path(world, cell));
				assert_false(reader.answer.status == HTTP_OK);
			}
			try_cell(&mod, cell, is_moderators && required == 1,
			    "You need a second factor for this");
			if (!is_owners && !is_moderators)
				continue;
			try_cell(&ann, cell, true, role);
			try_cell(&mod, cell, is_owners, role);
			try_cell(&owner, cell, false, role);
		}
		assert_unchanged(world, before);
	}
}

/* Who asks in the matrix of SECURITY.md. A suspended member has the cookie of a session that
 * began before. */
enum asker {
	VISITOR,
	SUSPENDED,
	NEWCOMER,
	MEMBER,
	GROUP_MODERATOR,
	MODERATOR,
	OWNER,
	ASKERS
};

/* The group of the paths, with one moderator at a time. */
#define GROUP_OF_PATHS TEXT("9")

static void
set_group_moderator(struct world *world, struct text name)
{
	struct user user;

	assert_int_equal(
	    user_find(&world->store, &world->arena, name, &user), STORE_OK);
	assert_int_equal(group_set(&world->store, &world->arena, GROUP_OF_PATHS,
			     TEXT("moderators"),
			     text_format(&world->arena, "%llu %.*s",
				 (unsigned long long)user.id, TEXT_ARGS(name))),
	    STORE_OK);
}

/* Somebody new each time, since what is sent may change the account. */
static struct browser
asker_of(struct world *world, enum asker asker)
{
	static unsigned count;
	const char *name = fixture_string(&world->arena, "a%u", 1000 + count++);
	struct browser browser = browser_open(world);
	struct text text = text_of(name);
	struct user user;

	switch (asker) {
	case VISITOR:
		assert_status(browser_get(&browser, "/login"), 200);
		return browser;
	case NEWCOMER:
		return browser_newcomer(world, name);
	case MODERATOR:
		return browser_moderator(world, name);
	case OWNER:
		return browser_owner(world, name);
	default:
		browser = browser_member(world, name);
	}
	if (asker == GROUP_MODERATOR)
		set_group_moderator(world, text);
	if (asker != SUSPENDED)
		return browser;
	assert_int_equal(
	    user_find(&world->store, &world->arena, text, &user), STORE_OK);
	assert_int_equal(account_suspend(&world->store, &world->arena, &user,
			     USER_SUSPENDED_FOREVER,
			     (struct mod_action){ .reason = TEXT("Spam.") }),
	    STORE_OK);
	return browser;
}

/* What anyone may send has the token of a form for visitors. */
static void
post_as_anyone(struct browser *browser, const char *path)
{
	const char *token;

	assert_status(browser_get(browser, "/recover"), 200);
	token = text_string(
	    &browser->world->arena, browser_token(browser, "/recover"));
	browser_post(browser, path, FIELDS("csrf", token));
}

/* What a cell of the matrix says: whether somebody is let in, whatever the page answers then. The
 * paths lead to what does not exist but for the group, and forms are empty. */
static const char *
try_asker(struct world *world, const struct cell *cell, enum asker asker)
{
	const struct text forbidden = TEXT("You don’t have permission");
	struct browser browser = asker_of(world, asker);
	const char *path = cell_path_to(world, cell, '9');
	struct text body;

	if (!cell->is_sent)
		browser_get(&browser, path);
	else if (is_for(cell, "ANYONE"))
		post_as_anyone(&browser, path);
	else
		browser_post(&browser, path, NULL);
	body = browser.answer.body;
	if (text_find(body, 0, TEXT("This form has expired")) != SIZE_MAX)
		fail_msg("%s was not tried", path);
	if (browser.answer.status == HTTP_UNAUTHORIZED ||
	    text_starts(browser.answer.location, TEXT("/login?")))
		return "log in";
	return browser.answer.status == HTTP_FORBIDDEN &&
		text_find(body, 0, forbidden) != SIZE_MAX
	    ? "no"
	    : "yes";
}

/* The table of SECURITY.md. */
static struct text
written_matrix(struct world *world)
{
	struct text all = fixture_read_file(&world->arena, "SECURITY.md");
	size_t from = text_find(all, 0, TEXT("| route | visitor |"));
	size_t end;

	assert_true(from != SIZE_MAX);
	end = text_find(all, from, TEXT("\n\n"));
	assert_true(end != SIZE_MAX);
	return text_slice(all, from, end + 1 - from);
}

static struct text
tried_matrix(struct world *world)
{
	struct arena *arena = &world->arena;
	struct text matrix =
	    TEXT("| route | visitor | suspended | newcomer | member | "
		 "group moderator | moderator | owner |\n"
		 "|---|---|---|---|---|---|---|---|\n");

	for (size_t i = 0; i < COUNT(cells); i++) {
		struct text row = text_format(arena, "| `%s %s` |",
		    cells[i].is_sent ? "POST" : "GET", cells[i].path);

		for (enum asker asker = VISITOR; asker < ASKERS; asker++)
			row = text_format(arena, "%.*s %s |", TEXT_ARGS(row),
			    try_asker(world, &cells[i], asker));
		matrix = text_format(
		    arena, "%.*s%.*s\n", TEXT_ARGS(matrix), TEXT_ARGS(row));
	}
	return matrix;
}

/* If a right has changed on purpose, the table is this: it is printed. */
static void
matrix_of_roles_and_routes_is_as_written(void **state)
{
	struct world *world = *state;
	struct text written = written_matrix(world), tried;
	struct group group = { .name = GROUP_OF_PATHS, .title = TEXT("Nine") };

	begin(world);
	assert_int_equal(
	    group_create(&world->store, &world->arena, &group), STORE_OK);
	tried = tried_matrix(world);
	assert_same(tried, written);
}

/* A wrong token is 403 before anything else is checked: the request has no vote, and on
 * some routes the article does not exist. */
static void
refuse_everywhere(struct browser *browser, const char *token)
{
	struct text before = world_snapshot(browser->world);

	for (size_t i = 0; i < COUNT(posts); i++) {
		enum http_status status = browser_post(browser, posts[i],
		    FIELDS("csrf", token, "vote", "sideways"));

		if (status != HTTP_FORBIDDEN)
			fail_msg("%s answered %d to the token \"%s\"", posts[i],
			    (int)status, token);
	}
	assert_unchanged(browser->world, before);
}

static void
wrong_token_is_403_before_other_checks(void **state)
{
	struct world *world = *state;
	struct browser mod, ann = begin(world);
	char token[BROWSER_TOKEN + 1] = "";

	mod = browser_moderator(world, "mod");
	refuse_everywhere(&mod, "");
	refuse_everywhere(&mod, "wrong");
	/* The token of another member. */
	snprintf(token, sizeof(token), "%.*s",
	    TEXT_ARGS(browser_token(&ann, "/logout")));
	assert_int_equal(strlen(token), BROWSER_TOKEN);
	refuse_everywhere(&mod, token);
	/* The right one with its last digit changed, removed, and repeated. */
	snprintf(token, sizeof(token), "%.*s",
	    TEXT_ARGS(browser_token(&mod, "/logout")));
	token[BROWSER_TOKEN - 1] = token[BROWSER_TOKEN - 1] == '0' ? '1' : '0';
	refuse_everywhere(&mod, token);
	token[BROWSER_TOKEN - 1] = '\0';
	refuse_everywhere(&mod, token);
	for (size_t i = 0; i < COUNT(posts); i++)
		assert_status(
		    browser_send(&mod, HTTP_POST, posts[i], TEXT("")), 403);
}

static void
token_is_valid_for_its_session_only(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text old = browser_token(&ann, "/logout"), cookie;
	uint64_t bob = world_member(world, "bob");
	char token[BROWSER_TOKEN + 1];

	snprintf(token, sizeof(token), "%.*s", TEXT_ARGS(old));
	assert_status(browser_post(&ann, "/logout", NULL), 303);
	assert_int_equal(session_start(&world->store, &world->arena, 1,
			     TEXT(""), &world_no_factor, ann.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_status(browser_get(&ann, "/about"), 200);
	assert_int_equal(
	    world_post(world, bob, "Second", "http://b.example/", ""), 2);
	assert_status(browser_post(&ann, "/articles/2/vote",
			  FIELDS("csrf", token, "vote", "up")),
	    403);
	assert_status(
	    browser_post(&ann, "/articles/2/vote", FIELDS("vote", "up")), 303);
}

static void
token_is_valid_on_every_route(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_int_equal(world_post(world, world_member(world, "bob"), "Second",
			     "http://b.example/", ""),
	    2);
	assert_status(
	    browser_post(&ann, "/articles/2/vote", FIELDS("vote", "none")),
	    303);
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "mine", "title", "Mine")),
	    303);
	assert_status(
	    browser_post(&ann, "/articles/1/groups", FIELDS("add", "mine")),
	    303);
	assert_status(
	    browser_post(&ann, "/submit", FIELDS("title", "A", "text", "b")),
	    303);
	assert_status(browser_post(&ann, "/logout", NULL), 303);
}

static void
posts_must_come_from_the_same_origin(void **state)
{
	static const struct {
		const char *fetch_site, *origin, *site;
		int status;
	} rules[] = {
		{ "", "", "", 303 },
		{ "same-origin", "", "", 303 },
		{ "cross-site", "", "", 403 },
		{ "same-site", "http://localhost", "", 403 },
		{ "none", "", "", 403 },
		{ "", "http://localhost", "", 303 },
		{ "", "http://evil.example", "", 403 },
		{ "", "null", "", 403 },
		{ "", "http://tally.example", "http://tally.example", 303 },
		{ "", "http://other.example", "http://other.example", 303 },
		{ "", "http://tally.example", "http://other.example", 403 },
	};
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before;

	world_post(world, world_member(world, "bob"), "Second",
	    "http://b.example/", "");
	before = world_snapshot(world);
	for (size_t i = 0; i < COUNT(rules); i++) {
		enum http_status status;

		ann.fetch_site = text_of(rules[i].fetch_site);
		ann.origin = text_of(rules[i].origin);
		ann.host = TEXT("localhost");
		if (rules[i].site[0] != '\0')
			browser_move_site(&ann, rules[i].site);
		/* The current state, so nothing changes in between. */
		status = browser_post(
		    &ann, "/articles/2/vote", FIELDS("vote", "none"));
		if ((int)status != rules[i].status)
			fail_msg("row %zu answered %d", i, (int)status);
	}
	assert_unchanged(world, before);
	/* GET requests may come from any origin. */
	ann.fetch_site = TEXT("cross-site");
	ann.origin = TEXT("http://evil.example");
	assert_status(browser_get(&ann, "/submit"), 200);
}

static void
malformed_requests_are_400(void **state)
{
	static const char *const paths[] = { "/?page=1&page=2", "/?a=%",
		"/?a=%ff", "/?order=top&%6frder=top", "/%ff", "/g/%c0%80",
		"/submit?title=%ed%a0%80", "/articles/1?x&x" };
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world), token;

	for (size_t i = 0; i < COUNT(paths); i++) {
		assert_status(browser_get(&ann, paths[i]), 400);
		assert_holds(&ann, "isn’t valid");
		assert_holds(&ann, "<a class=\"me\" href=\"/u/ann\">");
	}
	/* Even if the method is wrong, too. */
	assert_status(browser_send(&ann, HTTP_POST, "/", TEXT("a=%")), 400);
	token = browser_token(&ann, "/logout");
	for (size_t i = 0; i < COUNT(posts); i++) {
		struct text good = text_format(
		    &world->arena, "csrf=%.*s&vote=up", TEXT_ARGS(token));

		assert_status(
		    browser_send(&ann, HTTP_POST, posts[i],
			text_join(&world->arena, good, TEXT("&vote=down"))),
		    400);
		assert_status(
		    browser_send(&ann, HTTP_POST, posts[i],
			text_join(&world->arena, good, TEXT("&title=%ff"))),
		    400);
		ann.content_type = TEXT("text/plain");
		assert_status(
		    browser_send(&ann, HTTP_POST, posts[i], good), 400);
		ann.content_type = TEXT("application/x-www-form-urlencoded");
	}
	assert_unchanged(world, before);
}

static void
large_bodies_are_413(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world), body;
	char *large = malloc(REQUEST_MAX_BODY + 1);

	memset(large, 'a', REQUEST_MAX_BODY + 1);
	body = (struct text){ large, REQUEST_MAX_BODY + 1 };
	for (size_t i = 0; i < COUNT(posts); i++) {
		assert_status(
		    browser_send(&ann, HTTP_POST, posts[i], body), 413);
		assert_holds(&ann, "That’s too large");
	}
	/* The largest allowed body is read, and has no token. */
	body.size--;
	assert_status(browser_send(&ann, HTTP_POST, "/submit", body), 403);
	assert_unchanged(world, before);
	free(large);
}

static void
only_lists_for_visitors_are_cacheable(void **state)
{
	static const struct {
		const char *path;
		bool kept;
	} rules[] = {
		{ "/", true },
		{ "/?order=new", true },
		{ "/interesting", true },
		{ "/g/redis", true },
		{ "/u/ann", true },
		{ "/groups", true },
		{ "/articles/1", false },
		{ "/about", false },
		{ "/login", false },
		{ "/register", false },
		{ "/healthz", false },
		{ "/readyz", false },
		{ "/nothing", false },
		{ "/g/nothing", false },
		{ "/?page=0", false },
	};
	struct world *world = *state;
	struct browser ann = begin(world);

	for (size_t i = 0; i < COUNT(rules); i++) {
		struct browser reader = browser_open(world);

		browser_get(&reader, rules[i].path);
		assert_int_equal(
		    reader.answer.cache == CACHE_ONE_SECOND, rules[i].kept);
		browser_get(&ann, rules[i].path);
		assert_int_equal(ann.answer.cache, CACHE_NEVER);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(every_route_answers),
		world_test(head_is_get_without_the_body),
		world_test(unknown_paths_are_404),
		world_test(other_methods_are_405),
		world_test(addresses_redirect_to_their_canonical_form),
		world_test(long_query_does_not_lengthen_the_page),
		world_test(too_long_addresses_are_414),
		world_test(site_without_an_origin_answers_only_locally),
		world_test(other_hosts_redirect_to_the_origin),
		world_test(pages_have_a_canonical_link),
		world_test(visitors_are_redirected_to_the_login),
		world_test(unknown_cookies_sign_nobody_in),
		world_test(only_moderators_can_remove_and_restore),
		world_test(each_route_is_for_its_roles),
		world_test(matrix_of_roles_and_routes_is_as_written),
		world_test(wrong_token_is_403_before_other_checks),
		world_test(token_is_valid_for_its_session_only),
		world_test(token_is_valid_on_every_route),
		world_test(posts_must_come_from_the_same_origin),
		world_test(malformed_requests_are_400),
		world_test(large_bodies_are_413),
		world_test(only_lists_for_visitors_are_cacheable),
	};

	return world_run("access", tests);
}

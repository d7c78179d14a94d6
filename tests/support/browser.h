/*
 * A simulated browser: it requests pages in-process, without nginx and FastCGI,
 * stores cookies, and adds the form's CSRF token to what it posts. It does not
 * follow redirects by itself.
 *
 * Each request has its own arena, which is freed before the test sees the answer,
 * so that no answer depends on it; the answer is copied into the world's arena.
 * Templates are read from the working directory.
 */
#pragma once

#include "pages/page.h"
#include "world.h"

enum { BROWSER_COOKIES = 8, BROWSER_TOKEN = 128 /* digits, with the pad */ };

struct browser {
	struct world *world;
	struct app app;
	/* Sent with each request; a test may change them. */
	struct text host, origin, fetch_site, agent, content_type, address;
	struct text if_none_match; /* as nginx sends it; or empty */
	bool https;
	bool is_prefetch; /* as a browser does ahead */
	bool takes_gzip;  /* what it gets is compared with what was rendered */
	struct pair cookies[BROWSER_COOKIES];
	size_t cookie_count;
	/* The last answer, and its head as sent to nginx. */
	struct response answer;
	struct text head;
	/* Private: the last page that had a form. */
	struct text form_page;
};

/* A browser without cookies, at http://localhost. */
struct browser browser_open(struct world *world);

/* Sets the origin of the site and of the browser. */
void browser_move_site(struct browser *browser, const char *origin);

/* Logged in as a new member, with a page open. */
struct browser browser_member(struct world *world, const char *name);
struct browser browser_moderator(struct world *world, const char *name);
struct browser browser_owner(struct world *world, const char *name);

/* The same as a member who exists. */
struct browser browser_of(struct world *world, uint64_t user);

/* The same as one who has registered, and is a newcomer (store/newcomer.h). */
struct browser browser_newcomer(struct world *world, const char *name);

/* Ann and bob, the first two members, and article 1 by ann, at NOON, at which the clock
 * is stopped. */
struct browser_scene {
	struct world *world;
	struct browser ann, bob;
};
struct browser_scene browser_scene(struct world *world);

/* target is a path, perhaps with a query, as in a link; a fragment is not sent. */
enum http_status browser_get(struct browser *browser, const char *target);

/* Follows the last answer's redirect. */
enum http_status browser_follow(struct browser *browser);

/* browser_get, following redirects. */
enum http_status browser_go(struct browser *browser, const char *target);

/* Alternating names and values, ended by NULL. */
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/*
 * Posts fields with the token of the form whose action is target, or else of any
 * form of the last page that had one. A field "csrf" replaces that token. fields
 * may be NULL.
 */
enum http_status browser_post(
    struct browser *browser, const char *target, const char *const *fields);

/* Posts a file as "file", with a token, as multipart/form-data. */
enum http_status browser_upload(
    struct browser *browser, const char *target, struct text file);

/* Any request; the body is sent unchanged. */
enum http_status browser_send(struct browser *browser, enum http_method method,
    const char *target, struct text body);

/* The answer's body with its tokens out of their masks, to be compared with others. */
struct text browser_body(const struct browser *browser);

/* The value of the page's first field of that name. */
struct text browser_field(const struct browser *browser, const char *name);

/* The token that browser_post would send. */
struct text browser_token(const struct browser *browser, const char *target);

/* Empty when the browser has no such cookie. */
struct text browser_cookie(const struct browser *browser, const char *name);
void browser_set_cookie(
    struct browser *browser, struct text name, struct text value);

/* The ids of the articles on the page, in order, separated by spaces. */
struct text browser_ids(const struct browser *browser);

/* The id of the article that the answer redirects to. */
uint64_t browser_article(const struct browser *browser);

/* An attribute of an article's element, such as "data-score". */
struct text browser_attribute(
    const struct browser *browser, uint64_t id, const char *name);

/* Counts a string in the page. */
size_t browser_count(const struct browser *browser, const char *string);

/* The status that browser_get, browser_post and the like return. */
#define assert_status(request, expected) \
	browser_assert_status((request), (expected), __FILE__, __LINE__)

/* The page contains the string, or does not. */
#define assert_holds(browser, string) \
	browser_assert_holds((browser), (string), true, __FILE__, __LINE__)
#define assert_lacks(browser, string) \
	browser_assert_holds((browser), (string), false, __FILE__, __LINE__)

void browser_assert_status(
    enum http_status status, int expected, const char *file, int line);
void browser_assert_holds(const struct browser *browser, const char *string,
    bool expected, const char *file, int line);

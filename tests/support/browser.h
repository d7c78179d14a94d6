/*
 * A made-up browser: it asks for pages in-process, without nginx and FastCGI,
 * keeps cookies, and adds the token of the form at hand to what it posts. It
 * follows no redirect by itself.
 *
 * Each request has an arena of its own, which is freed before the answer is
 * looked at; what is kept of the answer lies in the world's arena. Templates
 * are those of the working directory.
 */
#pragma once

#include "pages/page.h"
#include "world.h"

enum { BROWSER_COOKIES = 8 };

struct browser {
	struct world *world;
	struct app app;
	/* What it sends with each request; a test may change it. */
	struct text host, origin, fetch_site, agent, content_type, address;
	bool https;
	struct pair cookies[BROWSER_COOKIES];
	size_t cookie_count;
	/* The last answer, and its head as nginx gets it. */
	struct response answer;
	struct text head;
	/* Below: the browser's own. The last page that had a form. */
	struct text form_page;
};

/* A browser without cookies, at http://localhost. */
struct browser browser_open(struct world *world);

/* Gives the site an origin, and the browser goes there. */
void browser_move_site(struct browser *browser, const char *origin);

/* One in which a new member is signed in, with a page open. */
struct browser browser_member(struct world *world, const char *name);
struct browser browser_moderator(struct world *world, const char *name);

/* target is a path with or without a query, as a link has it; a fragment is
 * not sent. */
enum http_status browser_get(struct browser *browser, const char *target);

/* Goes where the last answer redirects to. */
enum http_status browser_follow(struct browser *browser);

/* browser_get, and to where that has moved. */
enum http_status browser_go(struct browser *browser, const char *target);

/* Names and values in turn, ended by NULL. */
#define FIELDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/*
 * Posts fields, with the token of the form whose action is target, or of any
 * form of the last page that had one. With a field "csrf" among them none is
 * added. fields may be NULL.
 */
enum http_status browser_post(
    struct browser *browser, const char *target, const char *const *fields);

/* Any request; the body as it is. */
enum http_status browser_send(struct browser *browser, enum http_method method,
    const char *target, struct text body);

/* The token that browser_post would send. */
struct text browser_token(const struct browser *browser, const char *target);

/* Empty when the browser has no such cookie. */
struct text browser_cookie(const struct browser *browser, const char *name);
void browser_set_cookie(
    struct browser *browser, struct text name, struct text value);

/* The ids of the articles on the page, in order, with a space between. */
struct text browser_ids(const struct browser *browser);

/* The id of the article that the answer leads to. */
uint64_t browser_article(const struct browser *browser);

/* An attribute of the element of an article, "data-score" for one. */
struct text browser_attribute(
    const struct browser *browser, uint64_t id, const char *name);

/* How often a string stands in the page. */
size_t browser_count(const struct browser *browser, const char *string);

/* browser_get, browser_post and so on, against a status. */
#define assert_status(request, expected) \
	browser_assert_status((request), (expected), __FILE__, __LINE__)

/* Whether a string stands in the page. */
#define assert_holds(browser, string) \
	browser_assert_holds((browser), (string), true, __FILE__, __LINE__)
#define assert_lacks(browser, string) \
	browser_assert_holds((browser), (string), false, __FILE__, __LINE__)

void browser_assert_status(
    enum http_status status, int expected, const char *file, int line);
void browser_assert_holds(const struct browser *browser, const char *string,
    bool expected, const char *file, int line);

/*
 * What readers who are not signed in may use of a worker.
 *
 * The pages that only a reader of everything opens in numbers have one budget: a share of
 * the worker's processor time (TALLY_VISITORS_SHARE). Once it is spent, such a page is a
 * button instead, with 429, until some of it has been earned again:
 *
 *	expensive page --budget left--> shown, its processor time is charged
 *	      |
 *	      +--spent--> 429, a button --POST /visit--> a cookie for a day, and back
 *	      |
 *	      +--spent, with that cookie--> shown, charged to a second budget of that size
 *
 * The cookie is a random name that the site has signed (pages/cookie.h). In a worker each
 * has VISITORS_PASS_PAGES pages and earns one a second; when the second budget is spent, too,
 * the first VISITORS_PASS_SURE of them. After that the button has to be pressed again,
 * which is limited by network (LIMIT_VISIT). So a cookie that is handed to a thousand
 * addresses is worth no more than at one.
 *
 * The button is sent slowly (VISITORS_BUTTON_RATE), so a program that asks again at once asks
 * once every few seconds on each of its connections.
 *
 * Expensive are pages of lists beyond VISITORS_FREE_PAGES, parts of pages, further pages of
 * threads, searches of the log, and articles that take no votes any more, with their comments; and
 * feeds of these, or that search for points: their answer has no button, but says when to come
 * back. Articles that take votes are charged and always shown. Never asked are members; pages that
 * are the same for all of them (PUBLIC in pages/routes.h), as robots.txt and the sitemap; and who
 * asks whether a page has changed (pages/etag.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "http/status.h"

struct page;
struct visitors;

enum {
	VISITORS_FREE_PAGES = 3,
	VISITORS_SAVED_SECONDS = 10, /* of a budget that is not used */
	VISITORS_PASS_PAGES = 100,
	VISITORS_PASS_SURE = 20,
	VISITORS_BUTTON_RATE = 512, /* bytes a second */
	/* Charged for a page that nginx keeps: a file, in microseconds. */
	VISITORS_KEPT_US = 200
};

/* share is in percent of the processor time of this worker; 0: nothing. */
struct visitors *visitors_new(int64_t share);
void visitors_free(struct visitors *visitors);

/* Has the page charged for the processor time that it takes from here on. */
void visitors_charge(struct page *page);

/* The same for an expensive page: HTTP_OK, or it is the button. HTTP_UNAVAILABLE while Redis is
 * away, by whose clock a cookie expires: nginx then shows a page that it has kept. */
enum http_status visitors_admit(struct page *page);

/* Charges what the page took, if it is to be charged. */
void visitors_end(struct page *page);

/* By the numbers of the query: a page that is far into a list, or a part of a page. */
bool visitors_is_deep(const struct page *page);

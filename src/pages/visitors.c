#include "pages/visitors.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache.h"
#include "base/clock.h"
#include "base/fiber.h"
#include "base/log.h"
#include "pages/cookie.h"
#include "pages/page.h"
#include "views/visit.h"

enum {
	SECOND = 1000000, /* in microseconds */
	/* Cookies whose pages are counted; one that was evicted starts with a full budget. */
	PASSES = 4096,
	PASS_BYTES = 64,
	/* Retry-After where nothing is earned. */
	NEVER_SECONDS = 60
};

/*
 * A budget is the moment, of the monotonic clock in microseconds, at which all that was
 * used has been earned. It is spent when that is more than what can be saved away.
 */
struct visitors {
	int64_t share;
	int64_t budget, pass_budget;
	struct cache *passes; /* a cookie's name -> its budget */
};

struct visitors *
visitors_new(int64_t share)
{
	struct visitors *visitors = calloc(1, sizeof(*visitors));

	if (visitors == NULL)
		log_fatal("out of memory: no budget for visitors");
	visitors->share = share;
	visitors->passes = cache_new(PASSES, PASS_BYTES);
	return visitors;
}

void
visitors_free(struct visitors *visitors)
{
	cache_free(visitors->passes);
	free(visitors);
}

static struct visitors *
visitors_of(const struct page *page)
{
	return page_is_signed_in(page) ? NULL : page->app->visitors;
}

static void
add_cost(int64_t *budget, int64_t cost, int64_t now)
{
	if (*budget < now)
		*budget = now;
	*budget += cost;
}

void
visitors_end(struct page *page)
{
	int64_t cost, share;

	if (page->budget == NULL)
		return;
	share = page->app->visitors->share;
	cost = fiber_measured_us();
	if (page->response->etag.size > 0)
		cost += VISITORS_KEPT_US;
	if (share > 0)
		add_cost(
		    page->budget, cost * 100 / share, clock_monotonic_us());
}

/* Measuring begins here, and not with the request: an article takes 4.5 system calls in place of
 * 10, and a page that is not charged none for it. */
static void
charge_to(struct page *page, int64_t *budget)
{
	if (page->budget == NULL)
		fiber_measure();
	page->budget = budget;
}

void
visitors_charge(struct page *page)
{
	struct visitors *visitors = visitors_of(page);

	if (visitors != NULL)
		charge_to(page, &visitors->budget);
}

/* How long until some of a budget is left, in microseconds. */
static int64_t
wait_for(const struct visitors *visitors, int64_t budget, int64_t now)
{
	int64_t wait = budget - now - (int64_t)VISITORS_SAVED_SECONDS * SECOND;

	if (visitors->share == 0)
		return (int64_t)NEVER_SECONDS * SECOND;
	return wait > 0 ? wait : 0;
}

/* Takes one of the pages of the request's cookie; false when it has none, or no cookie. */
static bool
take_pass(const struct page *page, struct visitors *visitors, int64_t now)
{
	struct text name = cookie_visit(page), value;
	int64_t pages = VISITORS_PASS_PAGES, budget = 0;

	if (name.size == 0)
		return false;
	if (cache_peek(visitors->passes, name, &value))
		memcpy(&budget, value.data, sizeof(budget));
	if (wait_for(visitors, visitors->pass_budget, now) > 0)
		pages = VISITORS_PASS_SURE;
	add_cost(&budget, SECOND, now);
	if (budget - now > pages * SECOND)
		return false;
	cache_put(visitors->passes, name,
	    (struct text){ (const char *)&budget, sizeof(budget) });
	return true;
}

/* Shows the button instead of the page; of a feed, only when to come back. */
static enum http_status
ask(struct page *page, int64_t wait)
{
	struct visit_model model = { .return_to = page_back(page) };

	page->response->retry_after = (int)((wait + SECOND - 1) / SECOND);
	if (page_is_feed(page))
		return page_refuse(page, REASON_FEEDS_LIMITED);
	cookie_use_form(page);
	model.csrf = page_form_token(page);
	page->response->send_rate = VISITORS_BUTTON_RATE;
	return page_show(page, HTTP_TOO_MANY_REQUESTS, &visit_view, &model);
}

enum http_status
visitors_admit(struct page *page)
{
	struct visitors *visitors = visitors_of(page);
	int64_t now, wait;

	if (visitors == NULL || page->budget != NULL)
		return HTTP_OK;
	now = clock_monotonic_us();
	wait = wait_for(visitors, visitors->budget, now);
	if (wait > 0 && page->versions == NULL)
		return page_failed(page, STORE_DOWN);
	if (wait == 0)
		charge_to(page, &visitors->budget);
	else if (take_pass(page, visitors, now))
		charge_to(page, &visitors->pass_budget);
	return page->budget != NULL ? HTTP_OK : ask(page, wait);
}

bool
visitors_is_deep(const struct page *page)
{
	return page->number > VISITORS_FREE_PAGES || page->from > 1;
}

/* Shown at its own address, and again when a POST was refused. */
enum http_status
visit_form(struct page *page, enum http_status status)
{
	struct visit_model model = { .return_to =
					 page_return_to(page, TEXT("/")) };

	if (status != HTTP_OK && status != HTTP_FORBIDDEN)
		return status;
	cookie_use_form(page);
	model.csrf = page_form_token(page);
	model.is_refused = status == HTTP_FORBIDDEN;
	return page_show(page, status, &visit_view, &model);
}

enum http_status
visit_action(struct page *page)
{
	if (page->versions == NULL)
		return page_failed(page, STORE_DOWN);
	cookie_set_visit(page);
	return page_redirect(page, page_return_to(page, TEXT("/")));
}

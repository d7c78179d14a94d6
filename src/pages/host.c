#include "pages/host.h"

#include <arpa/inet.h>

#include "base/arena.h"
#include "base/log.h"

static bool
ends_in(struct text text, struct text end)
{
	return text.size >= end.size &&
	    text_equal(text_slice(text, text.size - end.size, end.size), end);
}

/* "", or ":8080" without leading zeros. */
static bool
is_port(struct text text)
{
	uint64_t number;

	if (text.size == 0)
		return true;
	return text_starts(text, TEXT(":")) && !text_starts(text, TEXT(":0")) &&
	    text_to_u64(text_slice(text, 1, text.size), &number) &&
	    number <= UINT16_MAX;
}

/* A host without its port or an IPv6 address's brackets; empty when either is malformed,
 * since both become part of links on pages. */
static struct text
name_of(struct text host)
{
	bool is_bracketed = text_starts(host, TEXT("["));
	struct text rest = text_slice(host, is_bracketed ? 1 : 0, host.size);
	struct text name = TEXT(""), after;

	if (!is_bracketed) {
		text_cut(&rest, ':', &name);
		after = text_slice(host, name.size, host.size);
	} else {
		text_cut(&rest, ']', &name);
		after = rest.data == NULL ? TEXT("]") : rest;
	}
	return is_port(after) ? name : TEXT("");
}

/* A loopback address, or a name that is always one. */
static bool
is_of_this_machine(struct arena *arena, struct text host)
{
	struct text name = text_lower(arena, name_of(host));
	const char *string = text_string(arena, name);
	struct in6_addr six;
	unsigned char four[4];

	if (text_starts(host, TEXT("[")))
		return inet_pton(AF_INET6, string, &six) == 1 &&
		    IN6_IS_ADDR_LOOPBACK(&six);
	return text_equal(name, TEXT("localhost")) ||
	    ends_in(name, TEXT(".localhost")) ||
	    (inet_pton(AF_INET, string, four) == 1 && four[0] == 127);
}

static struct text
without_port(struct text host, struct text port)
{
	return ends_in(host, port) ? text_slice(host, 0, host.size - port.size)
				   : host;
}

/* Compares bytes: browsers send lower case, and nginx would cache each spelling. */
static bool
is_at_origin(const struct page *page)
{
	const struct request *request = page->request;
	struct text origin = page->app->origin;
	bool https = text_starts(origin, TEXT("https://"));
	struct text host = text_slice(origin, https ? 8 : 7, origin.size);
	struct text port = https ? TEXT(":443") : TEXT(":80");

	return (request->https || !https) &&
	    text_equal(
		without_port(request->host, port), without_port(host, port));
}

/* A proxy that does not send X-Forwarded-Proto redirects its readers in a loop. */
static void
log_missing_https(const struct page *page)
{
	static int64_t logged_at;

	if (text_starts(page->app->origin, TEXT("https://")) &&
	    !page->request->https)
		log_limited(&logged_at,
		    "redirected http to %.*s; a proxy in front must send "
		    "X-Forwarded-Proto: https",
		    TEXT_ARGS(page->app->origin));
}

enum http_status
host_check(struct page *page)
{
	const struct request *request = page->request;

	if (page->app->origin.size == 0)
		return is_of_this_machine(page->arena, request->host)
		    ? HTTP_OK
		    : page_refuse(page, REASON_NO_ADDRESS);
	if (is_at_origin(page))
		return HTTP_OK;
	log_missing_https(page);
	return request->method == HTTP_POST
	    ? page_refuse(page, REASON_OTHER_ADDRESS)
	    : page_move(page, page->app->origin, request->path);
}

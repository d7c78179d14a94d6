#include "http/response.h"

#include "base/arena.h"
#include "base/log.h"

void
response_set_cookie(struct response *response, struct arena *arena,
    struct text name, struct text value, int64_t seconds, bool https)
{
	struct text age = { NULL, 0 };

	if (response->cookie_count == RESPONSE_MAX_COOKIES)
		log_fatal("a response set more than %d cookies",
		    RESPONSE_MAX_COOKIES);
	if (seconds != 0)
		age = text_format(arena, "; Max-Age=%lld",
		    seconds == COOKIE_ENDED ? 0LL : (long long)seconds);
	response->cookies[response->cookie_count++] = text_format(arena,
	    "%.*s=%.*s; Path=/; HttpOnly; SameSite=Lax%.*s%s", TEXT_ARGS(name),
	    TEXT_ARGS(value), TEXT_ARGS(age), https ? "; Secure" : "");
}

static struct text
status_line(enum http_status status)
{
#define CASE(name, number, words) \
	case name: \
		return TEXT(#number " " words);
	switch (status) {
		HTTP_STATUSES(CASE)
	}
	return TEXT("500 Unknown");
}

static void
add_field(struct buffer *head, struct text name, struct text value)
{
	buffer_add(head, name);
	buffer_add(head, TEXT(": "));
	buffer_add(head, value);
	buffer_add(head, TEXT("\r\n"));
}

struct text
response_head(struct arena *arena, const struct response *response)
{
	static const struct text cache[] = {
		[CACHE_NEVER] = TEXT_INIT("private, no-store"),
		[CACHE_ONE_SECOND] = TEXT_INIT("public, max-age=1"),
		[CACHE_ONE_YEAR] =
		    TEXT_INIT("public, max-age=31536000, immutable"),
	};
	static const struct text types[] = {
		[TYPE_HTML] = TEXT_INIT("text/html; charset=utf-8"),
		[TYPE_PLAIN] = TEXT_INIT("text/plain; charset=utf-8"),
		[TYPE_CSS] = TEXT_INIT("text/css; charset=utf-8"),
		[TYPE_XML] = TEXT_INIT("application/xml; charset=utf-8"),
		[TYPE_PNG] = TEXT_INIT("image/png"),
	};
	bool is_small = response->body.size <= RESPONSE_MAX_PUBLIC;
	struct buffer head = buffer_in(arena, 512);

	add_field(&head, TEXT("Status"), status_line(response->status));
	add_field(&head, TEXT("Content-Type"), types[response->type]);
	add_field(&head, TEXT("Cache-Control"),
	    cache[is_small ? response->cache : CACHE_NEVER]);
	add_field(&head, TEXT("Vary"), TEXT("Accept-Encoding, Cookie"));
	if (response->location.size > 0)
		add_field(&head, TEXT("Location"), response->location);
	if (response->etag.size > 0 && is_small)
		add_field(&head, TEXT("ETag"), response->etag);
	if (response->allow != NULL)
		add_field(&head, TEXT("Allow"), text_of(response->allow));
	if (response->retry_after > 0)
		add_field(&head, TEXT("Retry-After"),
		    text_number(arena, response->retry_after));
	if (response->send_rate > 0)
		add_field(&head, TEXT("X-Accel-Limit-Rate"),
		    text_number(arena, response->send_rate));
	for (size_t i = 0; i < response->cookie_count; i++)
		add_field(&head, TEXT("Set-Cookie"), response->cookies[i]);
	if (!response->is_unrendered)
		add_field(&head, TEXT("Content-Length"),
		    text_number(arena, (int64_t)response->body.size));
	buffer_add(&head, TEXT("\r\n"));
	return buffer_text(&head);
}

/*
 * A response, before it is bytes. What a page does not say is the safe choice:
 * status 200, HTML, kept by nobody.
 */
#pragma once

#include "base/buffer.h"
#include "http/status.h"

/* Who may keep an answer. The only place where Cache-Control is decided: what has more
 * than RESPONSE_MAX_PUBLIC bytes is kept by nobody, whatever its page says. */
enum { RESPONSE_MAX_PUBLIC = 256 * 1024 };
enum response_cache {
	CACHE_NEVER,	  /* private, no-store */
	CACHE_ONE_SECOND, /* public: for readers who are not signed in */
	CACHE_ONE_YEAR	  /* public: its address changes with its content */
};

enum response_type { TYPE_HTML, TYPE_PLAIN, TYPE_CSS, TYPE_XML };

enum { RESPONSE_MAX_COOKIES = 5 };

struct response {
	enum http_status status;
	enum response_cache cache;
	enum response_type type;
	struct text
	    location; /* of a redirect: a local path, or one of the origin */
	const char *allow;			   /* with 405 */
	int retry_after;			   /* seconds, 0 for none */
	struct text cookies[RESPONSE_MAX_COOKIES]; /* whole Set-Cookie values */
	size_t cookie_count;
	struct text body;
	/* A page stands for the body, but was not rendered: nobody asked for more than
	 * its head. How long it is is not known, and not said (RFC 9110, 8.6). */
	bool is_unrendered;
};

/*
 * How long a cookie stays: 0 for as long as the browser runs, COOKIE_ENDED to
 * take it away, else seconds.
 */
enum { COOKIE_ENDED = -1 };

/*
 * A cookie for the whole site, HttpOnly and SameSite=Lax; under https also
 * Secure, for which its name has to begin with "__Host-".
 */
void response_set_cookie(struct response *response, struct arena *arena,
    struct text name, struct text value, int64_t seconds, bool https);

/* The header fields as CGI writes them (RFC 3875), with the empty line. */
struct text response_head(struct arena *arena, const struct response *response);

/*
 * A response and its header. The defaults, all zeros, are HTML that must not be cached;
 * the status has to be set.
 */
#pragma once

#include "base/buffer.h"
#include "base/gzip.h"
#include "http/status.h"

/* Caching, the only source of Cache-Control. A body that is sent in more than
 * RESPONSE_MAX_PUBLIC bytes is never cached. */
enum { RESPONSE_MAX_PUBLIC = 256 * 1024 };
enum response_cache {
	CACHE_NEVER,	  /* private, no-store */
	CACHE_ONE_SECOND, /* public: for clients that are not signed in */
	CACHE_ONE_YEAR	  /* public: for URLs that change with the content */
};

enum response_type {
	TYPE_HTML,
	TYPE_PLAIN,
	TYPE_CSS,
	TYPE_XML,
	TYPE_OPENSEARCH,
	TYPE_PNG,
	TYPE_ATOM,
	TYPE_JSON_FEED,
	TYPE_JSON
};

struct cache;

enum { RESPONSE_MAX_COOKIES = 5 };

/* A part of the body that is rendered apart, with its offset there; RESPONSE_NOWHERE: it is left
 * out. */
#define RESPONSE_NOWHERE SIZE_MAX
struct response_piece {
	size_t place;
	struct text html; /* or, for who accepts gzip, */
	struct gzip_piece compressed;
};

struct response {
	enum http_status status;
	enum response_cache cache;
	enum response_type type;
	/* Of a redirect: a local path, or a URL of the origin. */
	struct text location;
	struct text etag; /* with its quotes; or empty */
	/* The name of the file that it is saved as; or empty. */
	struct text download;
	int64_t modified;  /* Last-Modified, Unix seconds; 0 for none */
	const char *allow; /* with 405 */
	int retry_after;   /* seconds, 0 for none */
	struct text cookies[RESPONSE_MAX_COOKIES]; /* whole Set-Cookie values */
	size_t cookie_count;
	int send_rate; /* bytes a second at which nginx sends it; 0: any */
	struct text body;
	/* That are not in the body yet, in the order of their places. */
	struct response_piece *pieces;
	size_t piece_count;
	/* What is in the body's forms and differs each time: cut out of what is compressed once for
	 * many. */
	struct text token;
	/* The body was not rendered, since the request was a HEAD, or nothing was modified;
	 * its length is unknown and left out of the header (RFC 9110, 8.6). */
	bool is_unrendered;
	bool has_secret;    /* in the body, which is not compressed */
	bool is_compressed; /* the body, by response_compress */
};

/*
 * The lifetime of a cookie in seconds; 0 for the browser's session, COOKIE_ENDED to
 * delete it.
 */
enum { COOKIE_ENDED = -1 };

/*
 * A cookie for the whole site, HttpOnly and SameSite=Lax; under https also
 * Secure, for which its name has to begin with "__Host-".
 */
void response_set_cookie(struct response *response, struct arena *arena,
    struct text name, struct text value, int64_t seconds, bool https);

/*
 * Compresses the body for a client that accepts gzip. nginx sets up a compressor for each response:
 * with this, an article's page was answered 1.2 times as often. nginx still compresses bodies over
 * 256 KB that have no pieces.
 *
 * Responses that are cached for a year are compressed well, others quickly. Of a page with pieces
 * only the rest is compressed, in parts, and so is a page with a token once half of it was sent
 * before; parts that are sent again and again, such as the head of a page, are kept in a cache,
 * NULL for none. A secret gets the form of gzip without being compressed, so that nothing behind
 * the program compresses it.
 */
void response_compress(
    struct response *response, struct arena *arena, struct cache *parts);

/* The body as it is sent: what was rendered, with each piece where it belongs. Pieces that were
 * not placed are left out. */
struct response_body {
	struct text *parts;
	size_t count, size; /* of the parts; in bytes, of all */
};

struct response_body response_body(
    struct response *response, struct arena *arena);

/* The header fields as CGI writes them (RFC 3875), with the empty line, for a body of that size. */
struct text response_head(
    struct arena *arena, const struct response *response, size_t size);

/*
 * A request, read whole before it is handled.
 *
 * Its bytes are untrusted until request_parse succeeds; then the path, the query and the
 * form are UTF-8, and names in a query or a form with its files are unique.
 */
#pragma once

#include "http/pairs.h"
#include "http/status.h"

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OTHER_METHOD };

enum {
	REQUEST_MAX_BODY = 256 * 1024,
	/* Of path and query: nginx's limit (large_client_header_buffers) less the
	 * rest of the line. */
	REQUEST_MAX_TARGET = 8000
};

struct request {
	enum http_method method;
	struct text path;   /* normalised and decoded, "/g/redis" */
	struct text ending; /* ".atom" or ".json" of a feed: no part of path */
	struct text raw_query;	     /* without the '?' */
	struct text canonical_query; /* by request_filter_query */
	struct text body;
	bool body_too_large; /* body is empty then */
	struct text content_type, cookie, host, origin, fetch_site, agent;
	/* By nginx, of a page in its cache; or of the feed that a reader has. */
	struct text if_none_match;
	struct text address; /* of the client */
	struct text id;	     /* by nginx; empty without one */
	/* Of a public page; part of the key under which nginx caches it. */
	struct text variant;
	bool accepts_gzip; /* part of that key, too */
	bool is_prefetch;  /* by a browser, before anybody follows the link */
	bool https;

	/* By request_parse; the values of files are any bytes. */
	struct pairs query, form, files;
	bool is_multipart; /* the form was sent as one that may have files */
	struct pairs path_values; /* by the route: "id" of "/articles/:id" */
};

enum http_method http_method_of(struct text name);

/*
 * Parses the query and, of a POST, the form. HTTP_OK, HTTP_BAD_REQUEST or
 * HTTP_CONTENT_TOO_LARGE; the valid parts are set in any case.
 */
enum http_status request_parse(struct arena *arena, struct request *request);

/*
 * Sets canonical_query: the pairs of the query with known names, in their order, in
 * canonical encoding. known is a list of names separated by spaces; a trailing '*'
 * matches any suffix. False if the query as sent differs from this.
 */
bool request_filter_query(
    struct arena *arena, struct request *request, struct text known);

/* The path and the canonical query, for a link back: printable ASCII. */
struct text request_target(struct arena *arena, const struct request *request);

/* The value of the first cookie of that name; empty if there is none. */
struct text request_cookie(const struct request *request, struct text name);

enum request_origin { ORIGIN_SAME, ORIGIN_OTHER, ORIGIN_UNKNOWN };

/*
 * The origin of a POST: by Sec-Fetch-Site if it was sent, otherwise by comparing Origin
 * to site ("https://example.org") or, when site is empty, to Host.
 */
enum request_origin request_origin_of(
    const struct request *request, struct text site);

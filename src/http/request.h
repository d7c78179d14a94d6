/*
 * A request, read whole before anything looks at it.
 *
 * All of it is hostile bytes until request_parse has said otherwise: then the
 * path, the query and the form are UTF-8 and no name stands twice.
 */
#pragma once

#include "http/pairs.h"
#include "http/status.h"

enum http_method { HTTP_GET, HTTP_HEAD, HTTP_POST, HTTP_OTHER_METHOD };

enum {
	REQUEST_MAX_BODY = 256 * 1024,
	/* Of path and query: what nginx takes (large_client_header_buffers), without
	 * the rest of the line. */
	REQUEST_MAX_TARGET = 8000
};

struct request {
	enum http_method method;
	struct text path;	     /* normalised and decoded, "/g/redis" */
	struct text raw_query;	     /* without the '?' */
	struct text canonical_query; /* by request_filter_query */
	struct text body;
	bool body_too_large; /* body holds nothing then */
	struct text content_type, cookie, host, origin, fetch_site, agent;
	struct text address; /* of the reader */
	struct text id;	     /* nginx's; empty when it names none */
	bool https;

	struct pairs query, form; /* by request_parse */
	struct pairs path_values; /* by the route: "id" of "/articles/:id" */
};

enum http_method http_method_of(struct text name);

/*
 * Reads the query and, of a POST, the form. HTTP_OK, HTTP_BAD_REQUEST or
 * HTTP_CONTENT_TOO_LARGE; what could be read is there all the same.
 */
enum http_status request_parse(struct arena *arena, struct request *request);

/*
 * Sets canonical_query: of the pairs that request_parse has read those whose names are
 * known, in the order they came, in the one spelling that this site uses. known has
 * names with a space between, of which one that ends in '*' stands for all that begin
 * so. False when the query was sent otherwise.
 */
bool request_filter_query(
    struct arena *arena, struct request *request, struct text known);

/* The path, with what is known of the query, for a link back: printable ASCII. */
struct text request_target(struct arena *arena, const struct request *request);

/* The value of the first cookie of that name; empty when there is none. */
struct text request_cookie(const struct request *request, struct text name);

enum request_origin { ORIGIN_SAME, ORIGIN_OTHER, ORIGIN_UNKNOWN };

/*
 * Where a POST came from: Sec-Fetch-Site where it was sent, else Origin against
 * site ("https://example.org"), or against the Host when site is empty.
 */
enum request_origin request_origin_of(
    const struct request *request, struct text site);

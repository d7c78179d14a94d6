/*
 * URLs as people paste them: validation, canonical form, hosts. Parsed by uriparser.
 */
#pragma once

#include "base/text.h"

enum url_result {
	URL_VALID,
	URL_MALFORMED,	   /* not an absolute link, or one without a host */
	URL_OTHER_SCHEME,  /* neither http nor https */
	URL_WITH_USER_INFO /* https://name:password@host/ */
};

/*
 * Validates a link. Percent-encodes first what a browser would (spaces inside,
 * non-ASCII, '|' and the like); *encoded is the link in that form, with scheme and
 * host in lower case. An
 * international host is encoded by idn_encode, as "xn--", even if it was
 * percent-encoded. One that idn_encode refuses is URL_MALFORMED, unless it is
 * in ASCII: hosts in use break the rules, and old dumps contain percent-encoded
 * ones of any kind. These stay as they are, in lower case.
 *
 * "https://" is added to a text without spaces that begins with a host, as in
 * "www.example.com/page". The last label of such a host begins
 * with a letter and has another character.
 */
enum url_result url_check(
    struct arena *arena, struct text link, struct text *encoded);

/*
 * The canonical form of a URL_VALID link, the same for all links that a reader would call
 * the same; for comparison, not a link itself. It lacks the scheme, "www.", the scheme's
 * default port, slashes at the end of the path, a dot at the end of the host, tracking
 * parameters of the query, and the fragment, unless that begins with "/" or "!" and so
 * names a page for a script. The other parameters keep their order. Percent-encoding is
 * normalized (RFC 3986, 6.2.2). It has no spaces.
 */
struct text url_canonical(struct arena *arena, struct text link);

/*
 * The host of a URL_VALID link, and its port, for display: without a leading
 * "www.", and as idn_display decodes it.
 */
struct text url_host(struct arena *arena, struct text link);

/* The same without the port and a final dot. */
struct text url_host_name(struct arena *arena, struct text link);

/* The host of a URL_VALID link as it is linked, in ASCII and in lower case, without the port
 * and final dots. */
struct text url_ascii_host(struct arena *arena, struct text link);

/* The same without a leading "www.". */
struct text url_without_www(struct text host);

/* The first part of a link's path, unescaped: "user" of "https://example.org//user/7". Empty
 * when there is none. */
struct text url_first_part(struct arena *arena, struct text link);

enum { URL_LOCAL_MAX = 4000 }; /* bytes */

/*
 * A path on this site that a redirect may lead to: it begins with one '/', not
 * with "//" or "/\", contains only printable ASCII, and is short enough for
 * nginx to accept in a header even with every byte percent-encoded.
 */
bool url_is_local_path(struct text path);

/* Decodes all that is percent-encoded: any bytes. */
struct text url_unescape(struct arena *arena, struct text text);

/* Percent-encodes all but letters, digits and "-._~". */
struct text url_encode(struct arena *arena, struct text text);

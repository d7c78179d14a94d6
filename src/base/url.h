/*
 * Links, as people paste them. uriparser decides what is valid.
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
 * What is wrong with a link, if anything. What a browser would percent-encode
 * (spaces inside, non-ASCII, '|' and the like) is encoded first, and *encoded
 * is the link in that form, with scheme and host in lower case. An
 * international host is encoded by idn_encode, as "xn--", even if it was
 * percent-encoded. One that idn_encode refuses is URL_MALFORMED, unless it is
 * in ASCII: hosts in use break the rules, and old dumps contain percent-encoded
 * ones of any kind. These stay as they are, in lower case.
 *
 * What has no scheme and no spaces, and begins with a host as people write it, as in
 * "www.example.com/page", is a link of https. The last label of such a host begins
 * with a letter and has another character.
 */
enum url_result url_check(
    struct arena *arena, struct text link, struct text *encoded);

/*
 * What two URL_VALID links have in common that a reader would call the same: the
 * link without what does not tell where it leads. These are its scheme, "www.", the
 * port that is the scheme's own, slashes at the end of the path, the dot at the end
 * of the host, parts of the query that only track who follows it, and the place
 * inside of the page (the fragment), unless that is the address of another one: "#/"
 * and "#!" begin those that a page's script reads. The rest of the query keeps its
 * order. Escapes are as RFC 3986 (6.2.2) has them: in capitals, and only where they
 * are needed. It has no spaces, and is no link itself.
 */
struct text url_canonical(struct arena *arena, struct text link);

/*
 * The host of a URL_VALID link, and its port, for display: without a leading
 * "www.", and as idn_display decodes it.
 */
struct text url_host(struct arena *arena, struct text link);

/* The same without the port and the root's point: a host, whatever serves it. */
struct text url_host_name(struct arena *arena, struct text link);

enum { URL_LOCAL_MAX = 4000 }; /* bytes */

/*
 * A path on this site that a redirect may lead to: it begins with one '/', not
 * with "//" or "/\", contains only printable ASCII, and is short enough for
 * nginx to accept in a header even with every byte percent-encoded.
 */
bool url_is_local_path(struct text path);

/* Percent-encodes all but letters, digits and "-._~". */
struct text url_encode(struct arena *arena, struct text text);

/*
 * Links, as people paste them. uriparser decides what is valid.
 */
#pragma once

#include "base/text.h"

enum url_verdict {
	URL_GOOD,
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
 */
enum url_verdict url_check(
    struct arena *arena, struct text link, struct text *encoded);

/*
 * The host of a URL_GOOD link, and its port, for display: without a leading
 * "www.", and as idn_show decodes it.
 */
struct text url_host(struct arena *arena, struct text link);

enum { URL_LOCAL_MAX = 4000 }; /* bytes */

/*
 * A path on this site that a redirect may lead to: it begins with one '/', not
 * with "//" or "/\", contains only printable ASCII, and is short enough for
 * nginx to accept in a header even with every byte percent-encoded.
 */
bool url_is_local_path(struct text path);

/* Percent-encodes all but letters, digits and "-._~". */
struct text url_encode(struct arena *arena, struct text text);

/*
 * Decides which URLs become links, and how many in one text.
 */
#pragma once

#include "markup/hosts.h"

/*
 * The links that one text may still have; URLs beyond that are not linked. Limits the
 * time and the output for a URL that is used many times ("[a]: https://..."), and for
 * international hosts, which take libidn2 some time.
 */
struct href_budget {
	size_t links;
	size_t bytes, international_bytes; /* of URLs */
};

/* The budget for a text of so many bytes: 1,000 links with, in all, at most twice its
 * bytes and 40,000; 4,000 bytes of them for international hosts. */
struct href_budget href_budget_of(size_t size);

/* The blocked hosts, NULL for none, and the first of them that was found; or empty. */
struct href_blocked {
	const struct hosts *hosts;
	struct text first;
};

/*
 * Whether a URL becomes a link: valid for url_check, with the scheme http or https, at
 * most as long as an article's link, within the budget, and not to a blocked host. *href
 * is then its encoded form.
 */
bool href_check(struct arena *arena, struct href_budget *budget,
    struct href_blocked *blocked, struct text address, struct text *href);

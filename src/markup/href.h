/*
 * Which addresses become links, and how many of them in one text.
 */
#pragma once

#include "base/text.h"

/*
 * What more is looked at: one address can be used many times ("[a]: https://..."), and
 * those of international hosts take libidn2 some time. What is beyond that is no link.
 */
struct href_budget {
	size_t links;
	size_t bytes, international_bytes; /* of addresses */
};

/* For a text of so many bytes: 1,000 links, which have twice its bytes, but not more
 * than 40,000; 4,000 of international ones. */
struct href_budget href_budget_of(size_t size);

/*
 * Whether an address is a link: one to http or https that url_check finds good, with
 * its scheme, and not longer than an article's. *href is then its encoded form.
 */
bool href_check(struct arena *arena, struct href_budget *budget,
    struct text address, struct text *href);

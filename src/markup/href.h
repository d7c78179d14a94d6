/*
 * Which addresses become links, and how many of them in one text.
 */
#pragma once

#include "markup/hosts.h"

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

/* Hosts to which no address leads, NULL for none; and the first of them that one of a
 * text's addresses would have led to, or empty. */
struct href_blocked {
	const struct hosts *hosts;
	struct text first;
};

/*
 * Whether an address is a link: one to http or https that url_check finds good, with
 * its scheme, not longer than an article's, and not to a refused host. *href is then its
 * encoded form.
 */
bool href_check(struct arena *arena, struct href_budget *budget,
    struct href_blocked *refusal, struct text address, struct text *href);

/*
 * An article as its line in a list shows it.
 */
#pragma once

#include "store/article.h"
#include "views/view.h"

struct line_model {
	uint64_t id;
	struct text title, href, host;
	struct text author;
	int64_t score, points, posted;
	struct text age, posted_iso;
	struct text vote;  /* up, down, none */
	struct text login; /* where the arrows lead who is not signed in */
	bool is_up, is_down, open, interesting;
	struct mustache_list groups; /* struct text */
};

extern const struct mustache_type line_type;
extern const struct bare_view line_view;

/* back is where a reader who is not signed in comes back to after logging in;
 * empty for a member, who can vote. */
struct line_model line_model_of(struct arena *arena,
    const struct article *article, int64_t now, struct text back);

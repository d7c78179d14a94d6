/*
 * The newest entries of a list, for its feed: those of two days, or as many as a page has
 * if that is more, but NEWEST_MAX at most.
 */
#pragma once

#include "lists/query.h"

enum {
	NEWEST_SECONDS = 2 * 86400,
	NEWEST_MAX = 200,
	NEWEST_SEARCHED = 500 /* entries, where points are asked for */
};

/* How many of the entries that is; they are by time, the newest first. */
size_t newest_count(
    const struct entry *entries, size_t count, size_t page, int64_t now);

struct newest_articles {
	struct article *articles; /* with all fields but the viewer's */
	size_t count;
	int64_t entered; /* when the newest became one of the list; or 0 */
	bool is_partial; /* some are missing: a master is away */
};

/* No number of points is asked for. */
#define NEWEST_ANY_POINTS INT64_MIN

/* At least so many points, of articles posted until a moment: the points of later ones are
 * hidden. */
struct newest_least {
	int64_t points; /* or NEWEST_ANY_POINTS */
	int64_t until;
};

/*
 * Reads them of a list by time, with enough points: of these the newest NEWEST_SEARCHED are
 * searched. The page of the query has no meaning. STORE_LIMITED as list_read.
 */
STORE_CALL newest_articles_read(struct store *store, struct arena *arena,
    const struct list_query *query, struct newest_least least,
    struct newest_articles *newest);

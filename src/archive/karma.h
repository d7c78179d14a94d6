/*
 * Whether karma is the sum over the articles: the part of the check that needs
 * many articles at once. Within the store.
 *
 * Sums made of articles that were read one after the other differ from the
 * karma as soon as a vote comes in between. So what differs is looked at again,
 * all articles of the author in one function; that holds Redis for about a
 * microsecond an article, and only for those authors.
 */
#ifndef ARCHIVE_KARMA_H
#define ARCHIVE_KARMA_H

#include "archive/inventory.h"
#include "archive/report.h"

/* What an article adds to the karma of its author in its bucket. */
struct share {
	uint64_t bucket, author, article;
	int64_t points;
};

/*
 * Compares the shares with the karma kept, and reports what differs. The shares
 * are brought into another order; known are the articles that they come from.
 */
STORE_CALL karma_check(struct store *store, const struct inventory *known,
    struct share *shares, size_t count, const struct check_reporter *reporter,
    struct check_counts *counts);

#endif

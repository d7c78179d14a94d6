/*
 * Whether karma is the sum over the articles: the part of the check that needs
 * many articles at once.
 *
 * A sum over articles that were read one after the other differs from the karma
 * as soon as a vote comes in between. So what differs is looked at again, all of
 * the author's articles in one function call; that keeps Redis busy for about a
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
 * Compares the shares with the karma kept, and reports what differs. Sorts the
 * shares; known has the articles that they come from.
 */
STORE_CALL karma_check(struct store *store, const struct inventory *known,
    struct share *shares, size_t count, const struct check_reporter *reporter,
    struct check_counts *counts);

#endif

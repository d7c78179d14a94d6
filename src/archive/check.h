/*
 * Whether what must always be true of the data is true, over the whole site,
 * while it runs.
 *
 *	1. While who voted is known, the counts are those of the record.
 *	2. Nobody voted both ways.
 *	3. A score is posted + the worth of a vote x (up - down).
 *	4. An article that is not removed stands in the lists of its bucket, of
 *	   its groups and its author, and nowhere else; a removed one nowhere.
 *	5. It is among the interesting exactly when it became so and stands.
 *	6. Karma is the sum of up - down - 1 over what a member posted.
 *
 * Each thing is looked at in one function, as it is at one moment, in portions
 * that hold Redis for about a millisecond; so votes that come in meanwhile
 * are no breaks. What is posted after the start may be passed by.
 */
#ifndef ARCHIVE_CHECK_H
#define ARCHIVE_CHECK_H

#include "store/store.h"

struct check_counts {
	uint64_t articles, removed, interesting;
	uint64_t voters_known; /* articles of which who voted is recorded */
	uint64_t up, down;     /* votes */
	uint64_t members, groups;
	uint64_t lists, entries; /* sorted sets, and members of them */
	uint64_t karmas;	 /* of a member in a bucket */
	uint64_t breaks;
};

/* Who is told of each break, in a sentence that names the article or list. */
struct check_reporter {
	void (*report)(void *data, struct text what);
	void *data;
};

/* STORE_OK whether there are breaks or not. */
STORE_CALL check_site(struct store *store,
    const struct check_reporter *reporter, struct check_counts *counts);

#endif

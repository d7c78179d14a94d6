/*
 * What a check of the site counts, and whom it tells of what is wrong.
 */
#ifndef ARCHIVE_REPORT_H
#define ARCHIVE_REPORT_H

#include "base/text.h"

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

#endif

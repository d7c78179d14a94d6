/*
 * What a check of the site counts, and where it reports what is wrong.
 */
#ifndef ARCHIVE_REPORT_H
#define ARCHIVE_REPORT_H

#include "base/text.h"

struct check_counts {
	uint64_t articles, removed, interesting;
	uint64_t voters_known; /* articles whose voters are recorded */
	uint64_t up, down;     /* votes */
	uint64_t members, groups;
	uint64_t lists, entries; /* sorted sets, and members of them */
	uint64_t karmas;	 /* each of one member in one bucket */
	uint64_t breaks;
};

/* Called for each break, with a sentence that names the article or list. */
struct check_reporter {
	void (*report)(void *data, struct text what);
	void *data;
};

#endif

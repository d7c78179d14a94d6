/*
 * The log: what moderators did, newest first, in pages.
 *
 * Acts lie in all buckets, and so the log is a merge of them (lists/merge.h). Filters
 * are sorted sets as well: with several the merge walks one and asks the others.
 */
#pragma once

#include "store/mod_action.h"

enum { MOD_LOG_PAGE = 50, MOD_LOG_PAGES = 200 };

struct mod_log_query {
	struct text kind;	    /* a word of acts; empty: any */
	uint64_t member, moderator; /* to whom, and by whom; 0: anybody */
	uint64_t page;		    /* from 1 */
	size_t
	    *expensive; /* how many such reads are under way (lists/merge.h) */
};

struct mod_log_page {
	struct mod_action *acts;
	size_t count;
	bool more;	   /* another page follows */
	bool search_ended; /* there may be more acts of all filters */
	bool is_partial;   /* some are missing: a master is away */
	int64_t now;	   /* Unix seconds, Redis's clock */
};

/* How many pages a reader is shown at most: with more than one bucket all acts before a
 * page are read. */
uint64_t mod_log_pages(const struct store *store);

/* STORE_LIMITED when the page is expensive to read, and too many of those are being
 * read. */
STORE_CALL mod_log_read(struct store *store, struct arena *arena,
    const struct mod_log_query *query, struct mod_log_page *log);

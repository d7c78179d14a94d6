/*
 * Comments by time, the newest first: those of the site, of which a bucket lists no more
 * than its newest thousand, or all of a member's; a page at a time.
 */
#pragma once

#include "store/comment.h"

enum { COMMENTS_PAGE = 25, COMMENTS_PAGES = 400 };

struct comments_row {
	struct comment comment;	 /* with the viewer's vote */
	struct text title;	 /* of its article */
	uint64_t article_author; /* who posted that */
};

struct comments_page {
	struct comments_row *rows;
	size_t count;
	bool more;	 /* another page follows */
	bool is_partial; /* some is missing: a master is away */
	int64_t now;	 /* Unix seconds, Redis's clock */
};

struct comments_query {
	uint64_t author; /* 0: everybody's */
	uint64_t page;	 /* from 1 to COMMENTS_PAGES */
	uint64_t viewer; /* whose votes to tell; 0 for nobody's */
	size_t
	    *expensive; /* how many such reads are under way (lists/merge.h) */
};

/* STORE_LIMITED when the page is expensive to read, and too many of those are being
 * read. */
STORE_CALL comments_read(struct store *store, struct arena *arena,
    const struct comments_query *query, struct comments_page *comments);

/* The same of those given, in their order: their number is count. What is not there, or
 * whose article was removed, is left out. */
STORE_CALL comments_get(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    struct comments_page *comments);

/* How many articles and comments of a member there are to be read. */
STORE_CALL comments_count(struct store *store, struct arena *arena,
    uint64_t author, int64_t *articles, int64_t *comments);

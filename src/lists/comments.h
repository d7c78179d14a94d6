/*
 * Lists of comments by time, the newest first: of the site, for which a bucket lists no more
 * than its newest thousand, or all of a member's; a page at a time.
 *
 * What is hidden from the viewer (lists/hidden.h) is left out as in lists of articles: reading goes
 * on until the page is full, or HIDDEN_ENTRIES_MAX entries were read. Only what is shown is read
 * with its text, which costs those who hide something a round trip.
 */
#pragma once

#include "lists/hidden.h"
#include "lists/read_cache.h"
#include "store/comment.h"

enum { COMMENTS_PAGE = 25, COMMENTS_PAGES = 400 };

struct comments_row {
	struct comment comment;	      /* with the viewer's vote */
	struct comment_record record; /* as comments_find reads it */
	struct article article;	      /* the brief fields of its article */
	uint64_t entry; /* its place in the list, from 1; 0 outside of one */
};

struct comments_page {
	struct comments_row *rows;
	size_t count;
	bool more; /* another page follows */
	/* The entry with which it begins, from 1; 0: as its number says. */
	uint64_t next;
	size_t hidden; /* how many were left out */
	/* So many that reading stopped before the page was full. */
	bool hidden_ended;
	bool is_partial; /* some is missing: a master is away */
	int64_t now;	 /* Unix seconds, Redis's clock */
};

struct comments_query {
	uint64_t author; /* 0: any */
	uint64_t page;	 /* from 1 to COMMENTS_PAGES */
	/* The entry with which to begin, from 1; 0 or 1: as the page's number says. */
	uint64_t from;
	bool is_feed;	 /* those of a feed (lists/newest.h): page is 1 */
	uint64_t viewer; /* whose votes to read; 0: none */
	const struct hidden_filter *hidden; /* the viewer's */
	bool records_only; /* as comments_find reads them, with this cache */
	struct read_cache *cache;
	size_t *expensive; /* counts expensive reads (lists/merge.h) */
};

/* The first entry of the page of a number, from 1, when nothing is hidden. */
uint64_t comments_first_entry(uint64_t page);

/* A page that begins behind its end, or before its first entry, is empty. STORE_LIMITED when it
 * is expensive, and too many of those are being read. */
STORE_CALL comments_read(struct store *store, struct arena *arena,
    const struct comments_query *query, struct comments_page *comments);

/* Reads those of an article's thread for its feed, the last numbers first. */
STORE_CALL comments_read_thread(struct store *store, struct arena *arena,
    const struct article *article, int64_t now, struct comments_page *comments);

/* Reads the comments with these ids, in their order: count of them. Those that do not exist,
 * or whose article was removed, are left out. */
STORE_CALL comments_get(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    struct comments_page *comments);

/*
 * The same of a comment's record alone, without the vote: its text and its author are cached with
 * what is rendered of them (pages/comment_body.h). Articles come from the cache; the versions were
 * read before.
 */
STORE_CALL comments_find(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct versions *versions,
    const struct post_id *ids, size_t count, struct comments_page *comments);

/* Leaves out what is hidden, and counts it. */
void comments_hide(
    struct comments_page *comments, const struct hidden_filter *filter);

/* When a member's newest article or comment was posted, of the masters that answer; 0: never. */
STORE_CALL comments_newest_post(
    struct store *store, struct arena *arena, uint64_t author, int64_t *moment);

/* Counts a member's articles and comments. */
STORE_CALL comments_count(struct store *store, struct arena *arena,
    uint64_t author, int64_t *articles, int64_t *comments);

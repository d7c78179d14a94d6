/*
 * The moderation log: moderators' actions, newest first, in pages.
 *
 * Actions are in all buckets, so the log is a merge of them (lists/merge.h). Filters are
 * sorted sets as well: with several the merge searches one and asks the others.
 */
#pragma once

#include "store/mod_action.h"

enum { MOD_LOG_PAGE = 50, MOD_LOG_PAGES = 200 };

struct mod_log_query {
	struct text kind;	    /* a word of mod_action; empty: any */
	uint64_t member, moderator; /* 0: any */
	/* Its parts alone, if it isn't 0; else none of them, but those that concern member. */
	uint64_t decision;
	uint64_t page;	   /* from 1 */
	bool is_feed;	   /* those of a feed (lists/newest.h): page is 1 */
	size_t *expensive; /* counts expensive reads (lists/merge.h) */
};

struct mod_log_page {
	struct mod_action *actions;
	size_t count;
	bool more;	   /* another page follows */
	bool search_ended; /* there may be more that fit all filters */
	bool is_partial;   /* some are missing: a master is away */
	int64_t now;	   /* Unix seconds, Redis's clock */
};

/* The number of pages that can be read: with more than one bucket all actions before a page
 * are merged. */
uint64_t mod_log_pages(const struct store *store);

/* STORE_LIMITED when the page is expensive, and too many of those are being read. */
STORE_CALL mod_log_read(struct store *store, struct arena *arena,
    const struct mod_log_query *query, struct mod_log_page *log);

/* Adds the actions with these ids to a page, in their order, with the titles of the articles
 * that they are on: of one that its author has withdrawn, that was never shown or whose master
 * is away, it is empty. Actions that do not exist are left out. */
STORE_CALL mod_log_get(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct mod_log_page *log);

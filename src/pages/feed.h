/*
 * Feeds: the newest entries of a list in Atom and JSON Feed, at the address of the list with
 * ".atom" or ".json" behind it.
 *
 * A list gets its feed by a row FEED in pages/routes.h beside its PAGE, with the same
 * function: that finds out what is asked for, and then calls one of these if page_is_feed.
 * The row's access is that of the page; the entries are what visitors see, for all readers.
 *
 *	least=N		only what has at least N points
 *	link=comments	the link of an article leads to its comments
 *
 * An entry's id and time of change do not depend on votes, nor does the feed's tag:
 *
 *	W/"2f61.5.9a3c01d2.0.7d31c6a0b1f24e58"
 *	     |   as of an article (pages/etag.h); the last part is a digest of the feed
 *	     the changes of all lists and posts, of which votes are some
 *
 * Private feeds are those of pages for members: a reader has no session, and sends "key", the
 * member's secret (store/feed_key.h). Their rows in pages/routes.h have it in their query. The
 * secret is neither in the feed nor in a log, and nothing of it is cached.
 *
 * As long as the first part is the same nothing is read; as long as the others are, the
 * reader has the present feed. nginx passes the tag on (nginx/http.conf). A worker caches
 * feeds under that first part. So what leaves the two days (lists/newest.h) may stay until
 * something changes.
 */
#pragma once

#include "lists/comments.h"
#include "lists/hits.h"
#include "lists/mod_log.h"
#include "lists/query.h"
#include "pages/page.h"

/* A feed whose page has this path and query ("?match=all", or empty) and heading. */
struct feed_page {
	struct text path, query, heading;
	bool is_private; /* for members */
};

/* Of a list of articles; sets its order. */
enum http_status feed_show_articles(struct page *page,
    const struct feed_page *feed, const struct list_query *query);

/* Of a list of comments, which read() is to read. */
typedef enum store_result feed_read_comments(
    struct page *page, const void *query, struct comments_page *comments);
enum http_status feed_show_comments(struct page *page,
    const struct feed_page *feed, feed_read_comments *read, const void *query);

/* Of the viewer's inbox, which read() is to read: comments, and what is said of other notices. */
struct feed_notice {
	const struct comments_row *comment; /* or NULL, and these: */
	uint64_t number;
	struct text title, path, text;
	struct text author; /* empty: the site */
	int64_t at;
};
struct feed_notices {
	struct feed_notice *items;
	size_t count;
	bool is_partial;
};
typedef enum store_result feed_read_notices(
    struct page *page, struct feed_notices *notices);
enum http_status feed_show_inbox(struct page *page, feed_read_notices *read);

/* Of the queue of moderators. */
enum http_status feed_show_queue(struct page *page);

/* Of what a member's search found. */
enum http_status feed_show_hits(struct page *page, const struct feed_page *feed,
    const struct hit *hits, size_t count, bool is_partial);

/* Of the moderators' log. */
enum http_status feed_show_log(struct page *page, const struct feed_page *feed,
    const struct mod_log_query *query, bool is_named);

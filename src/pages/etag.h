/*
 * Entity tags, by which nginx keeps the pages of articles that are final
 * (article_is_final): each second it asks whether the page that it has is still the
 * present one (RFC 9110, 13.1.2).
 *
 *	W/"95.2i.9a3c01d25b77e4103.7d31c6a0b1f24e58f2a95c30b8d61e47"
 *	   |  |  |                 a digest of the article and, on the page of a comment,
 *	   |  |  |                 of that
 *	   |  |  the generation
 *	   |  the version of the settings, "i" while there is a tab of interesting
 *	   |  articles, and "a" on a page with an announcement
 *	   the bucket's edits (store/versions.h)
 *
 * As long as nothing was edited, posted in a thread or removed in the whole bucket, the
 * versions alone decide, and no article is read; after that the article is read, and
 * nothing is rendered.
 *
 * The generation differs after each start and reload, whose templates and rules may be
 * others; and as soon as a worker has a new connection to Redis, which may have lost data.
 *
 * Only readers who are not signed in are sent a tag, and those of private feeds.
 */
#pragma once

#include "pages/path.h"

/* Shared by the workers of a service: call it before they are forked. */
struct etags *etags_new(struct arena *arena);
void etags_free(struct etags *etags); /* may be NULL */

/* The parts of a page's tag. edits is empty when the page has none; digest, until it is matched. */
struct etag {
	struct text edits, common, digest;
};

/* Begins the tag of a page, before the article of its path is read. True if the versions
 * show that the page which nginx has is the present one: the answer is then
 * HTTP_NOT_MODIFIED. */
bool etag_begin(struct page *page, struct etag *etag);

/* The same by what was read; an article that is not final has no tag. */
bool etag_match(
    struct page *page, struct etag *etag, const struct found_post *found);

/* Adds the tag to a page that was shown, and has it cached unless it is a feed; returns its
 * status. */
enum http_status etag_send(
    struct page *page, const struct etag *etag, enum http_status status);

/*
 * The same for feeds (pages/feed.h). What follows from posts is the same
 * as long as no list and no post has changed; of anything else the content is compared.
 */
enum etag_source { ETAG_OF_POSTS, ETAG_OF_CONTENT };
bool etag_begin_feed(
    struct page *page, struct etag *etag, enum etag_source source);
bool etag_match_feed(struct page *page, struct etag *etag, struct text digest);

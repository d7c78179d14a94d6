/*
 * What newcomers (store/newcomer.h) may post: so many articles and comments a day, no links in the
 * comments of their first day but to hosts that are known here, and all of it to the moderators'
 * queue until one of their posts was kept.
 */
#pragma once

#include "pages/form.h"
#include "pages/page.h"

/* Finds whether the viewer still is a newcomer, and counts a post of one: LIMIT_NEWCOMER_POST or
 * LIMIT_NEWCOMER_COMMENT. */
enum http_status newcomers_limit(struct page *page, enum limit kind);
/* Counts it no more, when nothing was posted. */
void newcomers_refund(struct page *page, enum limit kind);

/* Whether moderators review what the viewer posts; after newcomers_limit. */
bool newcomers_are_reviewed(const struct page *page);
/* Whether that is not shown until then (store/post.h); and the same of another member. */
bool newcomers_are_held(const struct page *page);
bool newcomers_is_held(const struct page *page, const struct user *user);

/* Marks the text of a comment that has a link which the viewer may not post yet. */
STORE_CALL newcomers_check_links(struct page *page, struct input *text);

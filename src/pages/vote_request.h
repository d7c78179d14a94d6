/*
 * A vote, as forms and addresses name it: the state that is wanted, with the post as
 * its value, "up=7" for an article and "up=7.3" for its third comment, so that one form
 * serves a whole list. Under /articles/ID/vote and /articles/ID/comments/N/vote it is
 * "vote=up".
 */
#pragma once

#include "pages/page.h"
#include "store/post.h"

struct vote_request {
	struct post_id post; /* of article 0: none is named */
	enum vote vote;
};

/* HTTP_OK with *ballot set; HTTP_NOT_FOUND when the path names no post, and
 * HTTP_BAD_REQUEST when what was sent does not name one vote. */
enum http_status vote_request_read(
    const struct page *page, struct vote_request *ballot);

/* "up=7", for a query. */
struct text vote_request_query(
    struct arena *arena, const struct vote_request *ballot);

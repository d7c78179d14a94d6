/*
 * A vote as a query or the form of a list names it: "up=7", "down=7.3" or "none=7", the
 * vote that is wanted with the post as its value (article 7, its comment 3), so that one
 * form serves all rows.
 */
#pragma once

#include "http/pairs.h"
#include "http/response.h"
#include "store/post.h"

struct vote_request {
	struct post_id post; /* of article 0: none is named */
	enum vote vote;
};

/* HTTP_BAD_REQUEST, and no post in *vote, unless exactly one vote is named. */
enum http_status vote_request_parse(
    const struct pairs *sent, struct vote_request *vote);

/* "up=7", for a query. */
struct text vote_request_query(
    struct arena *arena, const struct vote_request *vote);

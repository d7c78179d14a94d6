/*
 * What a button in the form of a list asks of a post, as the form or a query names it: "up=7",
 * "down=7.3", "none=7", "save=7" or "unsave=7.3". The name is the wish, its value the post
 * (article 7, its comment 3), so that one form serves all rows and all their buttons.
 */
#pragma once

#include "http/pairs.h"
#include "http/response.h"
#include "store/post.h"

/* A state of the post for the member; the first ones are votes. */
enum post_wish {
	WISH_NO_VOTE = VOTE_NONE,
	WISH_UP = VOTE_UP,
	WISH_DOWN = VOTE_DOWN,
	WISH_SAVED,
	WISH_UNSAVED
};

struct post_request {
	struct post_id post; /* of article 0: nothing is asked */
	enum post_wish wish;
};

/* HTTP_BAD_REQUEST, and no post in *request, unless exactly one wish is named. */
enum http_status post_request_parse(
    const struct pairs *sent, struct post_request *request);

/* "up", which names the wish, and "up=7", for a query. */
struct text post_request_word(const struct post_request *request);
struct text post_request_query(
    struct arena *arena, const struct post_request *request);

/* Whether it is a vote, which is then its wish. */
bool post_request_is_vote(const struct post_request *request);

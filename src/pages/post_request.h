/*
 * What a button in the form of a list asks of a post, as the form or a query names it: "up=7",
 * "down=7.3", "none=7", "save=7", "unsave=7.3", "hide=7", "unhide=7", "hide_author=7.3" or
 * "mute=7.3". The name is the wish, its value the post (article 7, its comment 3), so that one form
 * serves all rows and all their buttons. Comments are not hidden by themselves (lists/hidden.h).
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
	WISH_UNSAVED,
	WISH_HIDDEN,
	WISH_SHOWN,
	WISH_AUTHOR_HIDDEN,
	WISH_MUTED /* the thread of the post */
};

struct post_request {
	struct post_id post; /* of article 0: nothing is asked */
	enum post_wish wish;
};

/* HTTP_BAD_REQUEST, and no post in *request, unless exactly one wish is named, of a post for
 * which there is one. */
enum http_status post_request_parse(
    const struct pairs *sent, struct post_request *request);

/* A post alone, "7" or "7.3", as format_post writes it; false when it is none. */
bool post_request_parse_post(struct text value, struct post_id *id);

/* "up", which names the wish, and "up=7", for a query. */
struct text post_request_word(const struct post_request *request);
struct text post_request_query(
    struct arena *arena, const struct post_request *request);

/* Whether it is a vote, which is then its wish; or that an article is hidden or shown again. */
bool post_request_is_vote(const struct post_request *request);
bool post_request_is_hiding(const struct post_request *request);

/*
 * The page that asks a reader who has just signed in to confirm a vote, or what else a button
 * of a list asks.
 */
#pragma once

#include "store/article.h"
#include "views/view.h"

struct vote_model {
	struct text id, path; /* of the post: "7" or "7.3", and its page */
	struct text title, return_to;
	struct text author; /* of the comment; empty: it is the article */
	/* What is asked: one of these, and whether it is one of the first three. */
	bool is_up, is_down, is_undo, is_save, is_unsave, is_hide, is_unhide,
	    is_hide_author, is_mute;
	bool is_vote;
};

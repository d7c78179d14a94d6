/*
 * Renders posts that a member keeps to themselves, such as what they saved, as rows.
 */
#pragma once

#include "pages/page.h"
#include "views/own_rows.h"

enum { OWN_ROWS_PAGE = 25 };

/* A post, and what the viewer did with it: voted, or saved it. */
struct own_post {
	struct post_id post;
	int64_t at; /* Unix seconds */
	bool is_saved;
	enum vote vote; /* as it was cast */
	bool is_voided; /* a moderator has voided that vote */
};

/*
 * Adds the rows of count posts to the model, in their order. Of a vote on a post that still
 * takes votes the record of its voters says what it is, if anything: the row is left out when
 * there is none. STORE_DOWN when nothing of it is within reach.
 */
STORE_CALL own_rows_add(struct page *page, const struct own_post *posts,
    size_t count, struct own_rows_model *model);

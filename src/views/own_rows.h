/*
 * Posts of others that a member keeps to themselves, as rows: what they saved, and what they
 * voted on. Of a post that was removed a row says no more than that.
 */
#pragma once

#include "views/article_row.h"
#include "views/pager.h"

struct own_row {
	/* One of these; both empty of a post that was removed. */
	bool is_article, is_comment;
	struct article_row_model article;
	struct mustache_html comment; /* of comment_view */
	/* Of one that was removed. */
	struct text id, anchor; /* "7.3", "comment-7-3" */
	struct text path;
	bool withdrawn; /* by its author */
	/* What the member did, and when. */
	bool saved, voted_up, voted_down, voided;
	struct text when, when_iso, when_moment;
};

struct own_rows_model {
	LIST(struct own_row) rows;
	bool is_empty, is_partial;
	struct text max; /* how many are kept: "2,000" */
	struct pager_model pager;
};

/*
 * What was left of several posts that a moderator decided on at once.
 */
#pragma once

#include "views/messages.h"
#include "views/view.h"

struct mod_batch_row {
	struct text id, path; /* "7" or "7.3", and its page */
	struct text title;    /* of the article */
	struct text said_by;  /* it is this member's comment; or empty */
	struct text why;      /* it was left; or empty */
	bool may_select;
};

struct mod_batch_model {
	bool keeps;	     /* removes, otherwise */
	struct text done;    /* "3 posts"; empty: none */
	struct text problem; /* of the reason; or empty */
	struct text reason, return_to;
	int64_t shown_at; /* Unix seconds */
	bool may_select;  /* one of these at least: */
	LIST(struct mod_batch_row) rows;
};

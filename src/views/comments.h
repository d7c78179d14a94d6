/*
 * Lists of comments, newest first: all comments, or those of a member.
 */
#pragma once

#include "views/thread.h"

struct comments_model {
	struct text name; /* whose they are; empty: everybody's */
	bool own;	  /* the viewer's */
	LIST(struct mustache_html) pieces; /* of comment_items_view */
	bool has_buttons, empty, partial;
	struct text hidden; /* how many are; or empty */
	/* So many that reading stopped before the page was full. */
	bool hidden_ended;
	struct pager_model pager;
};

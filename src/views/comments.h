/*
 * Comments in the order of time: everybody's, or a member's.
 */
#pragma once

#include "views/thread.h"

struct comments_model {
	struct text title;	    /* of the document */
	struct text name;	    /* whose they are; empty: everybody's */
	struct mustache_list items; /* struct thread_item */
	bool votable, empty, partial;
	struct pager_model pager;
};

extern const struct view comments_view;

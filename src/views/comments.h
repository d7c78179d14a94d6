/*
 * Comments in the order of time: everybody's, or a member's.
 */
#pragma once

#include "views/thread.h"

struct comments_model {
	struct text name; /* whose they are; empty: everybody's */
	LIST(struct thread_item) items;
	bool votable, empty, partial;
	struct pager_model pager;
};

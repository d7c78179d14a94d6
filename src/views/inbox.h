/*
 * A member's inbox: comments, each with the reason for the notification; and the threads that
 * are muted.
 */
#pragma once

#include "views/thread.h"

struct inbox_row {
	struct mustache_html html;
	struct text why; /* "Reply to your comment" */
	bool is_unread, has_buttons;
	uint64_t article;   /* whose thread may be muted, */
	struct text author; /* and whose posts hidden; empty: it is gone */
};

struct muted_row {
	struct text name, href; /* of the article */
	struct text action;	/* where its form leads */
};

struct inbox_model {
	LIST(struct inbox_row) items;
	LIST(struct muted_row) muted;
	bool has_muted, has_unread, empty, partial;
	struct text missing; /* how many are, and why; or empty */
	struct text hidden;  /* how many are, from the viewer; or empty */
	uint64_t until;	     /* the number of the newest */
	struct pager_model pager;
};

/*
 * A member's inbox: comments, each with the reason for the notification; moderators' actions
 * that concern the member; recovery codes that were used; and the threads that are muted.
 */
#pragma once

#include "views/thread.h"

struct inbox_row {
	struct mustache_html html;
	uint64_t number;
	struct text why; /* "Reply to your comment" */
	bool leads;	 /* to what it is about */
	bool is_unread;
	bool has_buttons, is_inert; /* of html, one of these */
	struct text author; /* whose posts may be hidden; empty: it is gone */
	bool is_action;	    /* of a moderator: these, and no html */
	struct text use;    /* of a recovery code, in a sentence; or empty */
	struct text title, href; /* of what was done to; href may be empty */
	struct text by;		 /* empty: it is not said */
	struct text reason;	 /* may be empty */
	struct text at, at_iso;
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

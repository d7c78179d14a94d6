/*
 * A member's inbox: comments, each with the reason for the notification; moderators' actions
 * that concern the member; recovery codes that were used; and the threads that are muted.
 */
#pragma once

#include "views/thread.h"

/* A notice of a comment. */
struct inbox_comment {
	struct mustache_html html;
	uint64_t number;
	struct text why; /* "Reply to your comment" */
	bool is_unread;
	/* Of the comment, whose author's posts may be hidden; author is empty: it is gone. */
	struct text id, author;
};

/* Some of them, one after the other. */
struct inbox_comments_model {
	LIST(struct inbox_comment) items;
};

/* Notices of comments, which share a form; or another notice. */
struct inbox_row {
	bool has_comments;
	LIST(struct mustache_html) pieces; /* of inbox_comments_view */
	bool is_other;			   /* the rest is of this one */
	uint64_t number;
	struct text why;
	bool leads; /* to what it is about */
	bool is_unread;
	bool is_action;	 /* of a moderator */
	struct text use; /* of a recovery code, in a sentence; or empty */
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

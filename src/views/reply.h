/*
 * The pages on which a comment is written, tried out and edited, and its own page.
 */
#pragma once

#include "views/thread.h"

/* Writing a comment, or editing one. */
struct reply_model {
	uint64_t article;
	struct text title;
	struct text parent; /* the number of what it answers; or empty */
	uint64_t number;    /* of one that is edited */
	struct mustache_html answered; /* the card of what it answers */
	struct mustache_html preview;  /* what the text looks like */
	struct form_model form;
	struct reply_form inputs;
};

extern const struct view reply_view, reply_edit_view;

/* One comment with what is above and below it. */
struct comment_page_model {
	uint64_t article, number;
	struct text title, author, document, summary;
	struct thread_model thread;
	struct mustache_html gone_text; /* for who may see what was removed */
	bool is_own, is_removed, withdrawn;
	struct text ruling, removed_by;
	bool may_edit, may_delete, may_flag, may_moderate, is_queued;
	bool is_voting;		      /* votes are still taken */
	struct text flag;	      /* what the viewer's says; or empty */
	struct mustache_list reasons; /* struct mod_queue_choice, to flag it */
	struct mustache_list flags;   /* struct mod_queue_flags_line */
};

extern const struct view comment_page_view;

/*
 * A comment's own page: the comments above it, itself, and its replies.
 */
#pragma once

#include "views/mod_queue.h"
#include "views/thread.h"

struct comment_page_model {
	uint64_t article, number;
	struct text title, author, document, summary;
	struct text posted_iso, posted_moment;
	struct thread_model thread;
	/* For who may see what was removed. */
	struct mustache_html removed_text;
	bool is_own, is_removed, withdrawn;
	bool held; /* it waits to be shown (store/post.h) */
	struct text ruling, removed_by;
	bool may_edit, may_delete, may_flag, may_moderate, is_queued;
	struct text looking; /* another moderator who looks at it; or empty */
	bool is_voting;	     /* votes are still taken */
	struct text flag;    /* what the viewer's says; or empty */
	LIST(struct flag_choice) reasons; /* to flag it */
	LIST(struct flags_row) flags;
};

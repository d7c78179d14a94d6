/*
 * The pages on which a comment is written, previewed and edited.
 */
#pragma once

#include "views/thread.h"

/* Writing a comment, or editing one. */
struct reply_model {
	uint64_t article;
	struct text title;
	struct text parent; /* the number of the comment above; or empty */
	struct text parent_author;
	struct text order; /* of the thread that it was answered in; or empty */
	uint64_t number;   /* of one that is edited */
	struct mustache_html parent_html; /* that comment */
	struct mustache_html preview;	  /* what the text looks like */
	struct form_model form;
	struct reply_form inputs;
};

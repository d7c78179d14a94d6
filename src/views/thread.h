/*
 * The thread below an article: its heading, the form for a comment, and a page of its
 * comments, nested.
 */
#pragma once

#include "views/comment.h"
#include "views/form.h"
#include "views/pager.h"

#define REPLY_INPUTS(ROW) \
	ROW(struct reply_form, text, rule_comment, RULE_COMMENT_MAX, \
	    FORM_REQUIRED)

struct reply_form {
	REPLY_INPUTS(FORM_MEMBER)
};

/* A comment, and the elements to close after it, one an item: its own, and those of the
 * comments that it is the last reply in. */
struct thread_item {
	struct mustache_html html;
	LIST(struct text) ends; /* without a meaning */
};

/* Some comments, one after the other. */
struct comment_items_model {
	LIST(struct thread_item) items;
};

struct thread_tab {
	struct text href, name;
	bool current;
};

struct thread_model {
	struct text count;	      /* "3 comments"; empty without any */
	bool has_several;	      /* the page has, or those before it */
	LIST(struct thread_tab) tabs; /* the orders */
	struct text order;	      /* of this page; empty: the usual one */
	LIST(struct mustache_html) pieces; /* of comment_items_view */
	bool has_buttons; /* the reader is a member, and there are comments */
	struct pager_model pager;
	struct text before, follow; /* how many are on other pages; or empty */
	struct text above; /* how many more the first one answers; or empty */
	bool may_reply, may_log_in;
	struct text closed; /* why nobody writes any more; or empty */
};

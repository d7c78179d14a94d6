/*
 * A comment, in a thread or a list: author, age, votes, text and links to act on it. Its
 * HTML ends with open elements: replies come inside, and the template of the thread
 * closes them (views/thread.h).
 */
#pragma once

#include "store/comment.h"
#include "views/article_row.h"

/* Levels of indentation; deeper comments are below each other. */
enum { COMMENT_LEVELS = 8 };

/* The level of a comment's heading on a page whose heading of level 2 is above it; replies have
 * the next ones, and the deepest the last. */
enum { COMMENT_HEADING = 3, COMMENT_HEADING_LAST = 6 };

/* A comment with fewer points is folded at first. */
enum { COMMENT_FOLDED_BELOW = -4 };

struct comment_model {
	struct text id;	    /* "7.3" */
	struct text anchor; /* "comment-3"; in a list "comment-7-3" */
	uint64_t number, parent;
	struct text label; /* "comment 3 by ann": what a vote is on */
	uint64_t heading;  /* the level of its head, 2 to 6 */
	struct text author, href;
	int64_t points;
	struct text age, posted_iso, posted_moment;
	struct text edited; /* when, in words; or empty */
	struct text vote, login, waits;
	bool is_up, is_down, votable;
	bool may_save, is_saved; /* by the reader */
	bool may_mute;		 /* there is a button that mutes its thread */
	struct text points_noun; /* "points" */
	bool has_score;		 /* they are shown */
	struct mustache_html text;
	struct text all_href;	    /* where there is more of it; or empty */
	bool is_cut;		    /* there is more, but nowhere */
	bool is_removed, withdrawn; /* the former in either case */
	bool is_article_author;	    /* the article is by the same author */
	bool is_new;		    /* since the reader was here last */
	struct text next_href;	    /* of one that is new: the next; or empty */
	bool is_root;		    /* what its page is about */
	bool is_open;		    /* not folded */
	bool flagged;		    /* and folded until moderators look at it */
	bool is_hidden;	     /* from the reader: a line, whose replies stay */
	struct text replies; /* "5 replies" are in it; or empty */
	bool is_flat;	     /* too deep to stand to the right */
	struct text answers; /* whose comment it answers; or empty */
	bool is_inside;	     /* the card of that one */
	struct text parent_href; /* where that is; or empty */
	struct text reply_href, edit_href, flag_href; /* or empty */
	struct text fold_href; /* folds or unfolds it; or empty */
	bool is_folded;
	struct text article_title, article_href; /* in a list; or empty */
};

/* The path of the form for a reply. */
struct text comment_reply_path(struct arena *arena, struct post_id id);

/* All that follows from the comment and its reader; without its text. */
struct comment_model comment_model_of(struct arena *arena,
    const struct post *post, int64_t now, const struct reader *reader);

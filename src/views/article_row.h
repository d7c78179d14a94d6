/*
 * An article as a row of a list.
 */
#pragma once

#include "lists/hidden.h"
#include "lists/saved_marks.h"
#include "store/article.h"
#include "views/view.h"

struct article_row_model {
	uint64_t id;
	struct text title, href, host;
	struct text label; /* the title in labels of buttons, shortened */
	struct text from;  /* the list of what is from there; or empty */
	struct text author;
	int64_t score, points, posted;
	struct text age, posted_iso, posted_moment;
	struct text vote; /* up, down, none */
	/* The query with which the arrows of a reader who is not signed in lead to the log-in
	 * page. */
	struct text login;
	bool is_up, is_down, closed, interesting;
	bool votable;		 /* by this reader, once signed in */
	struct text waits;	 /* why not yet; or empty */
	struct text comments;	 /* "3 comments"; empty without any */
	struct text fresh;	 /* "2 new" to this reader; or empty */
	struct text points_noun; /* "points" */
	bool has_score; /* score, points and what they come from are shown */
	LIST(struct text) groups;
	bool has_groups;
	bool flagged;		  /* folded until moderators look at it */
	bool may_save, is_saved;  /* by this reader */
	bool may_hide, is_hidden; /* by a rule for the article alone */
	bool may_select;	  /* with a checkbox, as a moderator */
};

/* Who reads it: a member, or with id 0 a visitor who comes back to a local path after
 * logging in. */
struct reader {
	uint64_t id;
	struct text back;
	struct text waits; /* why a new member cannot vote yet; or empty */
	bool is_scoreless; /* is shown no scores */
	bool sees_all;	   /* or all of them, whatever the age of a post */
	/* Others only of posts of that age, but their own. */
	int64_t score_seconds;
	bool mutes_threads; /* where there are buttons for that */
	/* NULL: without buttons to save and hide. */
	const struct saved_marks *saved;
	/* Where what is hidden is shown; NULL elsewhere, and for who hides nothing. */
	const struct hidden_filter *hidden;
	bool may_select; /* where a moderator decides on several at once */
};

/* Whether the reader is shown the score of a post. */
bool reader_sees_score(
    const struct reader *reader, const struct post *post, int64_t now);

/* Whether the reader has a button to save a post, and has saved it. */
bool reader_may_save(const struct reader *reader, const struct post *post);
bool reader_has_saved(const struct reader *reader, struct post_id id);

struct article_row_model article_row_model_of(struct arena *arena,
    const struct article *article, int64_t now, const struct reader *reader);

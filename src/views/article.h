/*
 * An article: the inputs of the forms in which it is written, and its own page, with its
 * text, how its score came about, and its groups.
 */
#pragma once

#include "views/article_row.h"
#include "views/form.h"
#include "views/format.h"
#include "views/front_hour.h"
#include "views/hidden.h"
#include "views/mod_queue.h"
#include "views/thread.h"

/* Of the forms to submit and to edit it (pages/submit.c, pages/edit.c). Inputs with the
 * names of fields (store/article.c) are those. */
#define ARTICLE_INPUTS(ROW) \
	ROW(struct article_form, title, rule_title, RULE_TITLE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct article_form, url, rule_link, RULE_LINK_MAX, FORM_OPTIONAL) \
	ROW(struct article_form, text, rule_body, RULE_TEXT_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct article_form, groups, rule_groups, RULE_GROUPS_LINE_MAX, \
	    FORM_OPTIONAL)

struct article_form {
	ARTICLE_INPUTS(FORM_MEMBER)
};

#define ARTICLE_GROUPS_INPUTS(ROW) \
	ROW(struct article_groups_form, add, rule_groups, \
	    RULE_GROUPS_LINE_MAX, FORM_OPTIONAL) \
	ROW(struct article_groups_form, remove, rule_groups, \
	    RULE_GROUPS_LINE_MAX, FORM_OPTIONAL) \
	ROW(struct article_groups_form, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct article_groups_form {
	ARTICLE_GROUPS_INPUTS(FORM_MEMBER)
};

/* A group that an article was taken out of, or may be. */
struct barrier_row {
	struct text group;
	bool is_out;
};

/* How a score comes about, in numbers as the language writes them. */
struct score_numbers {
	struct text posted, up, down, points, vote_score, votes, score;
};

struct article_model {
	struct article_row_model article;
	LIST(struct paragraph) paragraphs; /* of a plain text */
	struct mustache_html text;	   /* of one in Markdown */
	struct text all_href; /* where there is more of that; or empty */
	bool is_cut;	      /* there is more, but nowhere */
	int64_t up, down;
	struct score_numbers arithmetic;
	struct text closes_moment, closes_iso, closes_in;
	struct text time_left; /* as closes_in, in one unit, rounded down */
	struct text interesting_moment, interesting_iso;
	int64_t threshold;
	struct text document;	 /* the title, short */
	struct text summary;	 /* of the text; empty for a link */
	bool removed, withdrawn; /* the former in either case */
	bool held;		 /* it waits to be shown (store/post.h) */
	struct text removed_by;	 /* a moderator; may be empty */
	struct text ruling;	 /* why moderators did what they did last */
	struct text edited, edited_iso, edited_moment;
	bool is_final;	  /* article_is_final */
	bool is_voting;	  /* votes are still taken */
	bool has_buttons; /* this reader may vote, or save it */
	/* What the page knows. */
	struct text place; /* "1st" in the front order; empty: beyond places */
	int64_t places;
	struct hide_model hide;
	LIST(struct front_chart_model) chart; /* of its places, or none */
	bool may_set_groups, may_edit, may_flag, may_moderate;
	bool opens_groups;		  /* the form for them was refused */
	struct text flag;		  /* what the viewer's says; or empty */
	LIST(struct flag_choice) reasons; /* to flag it */
	LIST(struct flags_row) flags;	  /* for moderators */
	bool is_thread_closed;		  /* by moderators */
	bool shows_score, is_scoreless;	  /* to this reader */
	bool may_be_again, was_again;	  /* a second chance */
	bool asks_reason;    /* why a moderator moves it to other groups */
	bool is_queued;	     /* some of these are to be looked at */
	struct text looking; /* another moderator who does; or empty */
	struct choices_model choices;
	LIST(struct barrier_row) barriers; /* that the viewer may change */
	bool has_barriers;
	LIST(struct text) taken_out_of; /* groups; for its author */
	bool was_taken_out;
	bool is_own, is_repeated; /* the viewer's; just posted by them again */
	struct form_model form;
	struct article_groups_form inputs;
	struct thread_model thread;
	struct reply_form reply; /* the form with which its thread begins */
};

/* All but what the page knows. */
struct article_model article_model_of(struct arena *arena,
    const struct rules *rules, int64_t vote_score,
    const struct article *article, int64_t now, const struct reader *reader);

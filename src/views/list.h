/*
 * Lists of articles: the front page, the interesting ones, groups, a member's.
 *
 * A fragment, list_rows, has all that follows from the list alone: the rows, the notes
 * below them, and the links to other pages. A visitor's is cached once rendered; a
 * member's is rendered with the page, from cached pieces of rows (pages/pieces.h). Around it is what the page says about a group or a
 * member, and to its reader.
 */
#pragma once

#include "lists/list.h"
#include "store/user.h"
#include "views/hidden.h"
#include "views/pager.h"
#include "views/view.h"

/* A choice among some, as a link. */
struct list_tab {
	struct text href;
	bool current;
};

struct list_best_tab {
	struct text label, href;
	bool current;
};

/* A row that is in no order and not counted, and the articles that follow it. */
struct list_overlooked_model {
	struct mustache_html row; /* of overlooked_row_view */
	int64_t next;		  /* the place of the first of these */
	LIST(struct mustache_html) articles;
};

struct list_rows_model {
	LIST(struct mustache_html)
	articles; /* rows of article_row_view, some each */
	LIST(struct list_overlooked_model) overlooked; /* one, or none */
	bool partial;				       /* a master is away */
	bool cut_off, search_ended, empty;	       /* one of them at most */
	bool approximate;
	bool is_front, is_interesting; /* for the words when it is empty */
	bool is_publisher, is_home;
	struct text groups; /* likewise, "a+b" */
	int64_t last_page;  /* when cut off */
	struct text hidden; /* how many articles are; or empty */
	/* So many that reading stopped before the page was full. */
	bool hidden_ended;
	struct pager_model pager;
};

/* A member and the number of articles, for moderators. */
struct list_poster {
	struct text name;
	int64_t articles;
};

/* A post that waits to be shown. */
struct list_held {
	struct text href, text, since, since_iso;
	bool is_comment;
};

struct list_model {
	struct list_tab top, new, active, hot, oldest, bottom, any, all;
	bool ordered, ranked, combined; /* which of the tabs there are */
	bool has_hours;			/* the front page, of former hours */
	struct hide_model hide;		/* what the list is about */
	bool may_follow, is_followed;	/* the viewer, a single group */
	bool has_home; /* of all articles: the viewer has a list of their own */
	LIST(struct text) follows; /* of that list: the groups */
	bool follows_none;
	struct text all_href; /* where all articles are */
	LIST(struct list_best_tab) bests;
	bool is_best;
	struct text period; /* of the best: "Best of 2026" */
	/* Of a day: the ones before and after, empty for none, and the other order. */
	struct text day_before, day_after, other_order;
	bool is_by_time;
	bool is_more; /* the order is one of those that are seldom asked for */
	/* Rows as list_rows_view rendered them, or one model of them. */
	struct mustache_html cached;
	LIST(struct list_rows_model) rows;
	bool has_buttons; /* the viewer is a member, and there are articles */
	/* The viewer is a moderator who may select some of them. */
	bool may_select;
	/* Unix seconds; decisions say what they were made on. */
	int64_t shown_at;
	struct text title;	  /* of the document, after the heading */
	struct text heading;	  /* the names of groups, of a member */
	struct text names;	  /* of groups, as a query has them */
	LIST(struct text) titles; /* of groups */
	bool is_closed;		  /* a single group is */
	bool has_description, has_group_rules; /* of a single group: */
	struct mustache_html description, group_rules;
	LIST(struct text) group_moderators;
	bool has_group_moderators;
	/* Only its moderators post, and the viewer is none. */
	bool is_restricted;
	bool may_appoint; /* the viewer: its moderators */
	/* Of a publisher. */
	struct text whole, whole_href; /* the host it is part of; or empty */
	bool is_blocked;
	LIST(struct list_poster) posters; /* who posted the most of */
	int64_t posters_of;		  /* the newest articles */
	bool has_posters, has_older;	  /* than these */
	/* Of the interesting ones. */
	int64_t threshold;
	/* Of a member. */
	struct text articles, comments; /* "3 articles" */
	struct text karma;		/* empty: unknown */
	struct text since, since_iso;
	struct mustache_html about; /* by the member; or empty */
	bool moderator, owner, own, closed;
	bool may_moderate; /* the viewer */
	bool is_suspended;
	struct text suspended_until; /* empty: permanently */
	LIST(struct list_held) held; /* for the member and moderators */
	bool has_held;
	struct text invited_by;
	bool has_invited;
	LIST(struct text) invited;
};

/* All but the rows. base is the list's path. */
struct list_rows_model list_rows_of(struct arena *arena,
    const struct list_query *query, const struct list *list, struct text base);

/* The list's one address. */
struct text list_address(
    struct arena *arena, const struct list_query *query, struct text base);

/* What only a member's list shows; karma is NULL when it is not known. */
struct list_model list_model_of_member(
    struct arena *arena, const struct user *user, const int64_t *karma);

/* Adds the tabs and the document's title. */
void list_model_fill(struct list_model *model, struct arena *arena,
    const struct list_query *query, struct text base);

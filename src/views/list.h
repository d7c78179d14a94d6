/*
 * Lists of articles: the front page, the interesting ones, groups, a member's.
 */
#ifndef VIEWS_LIST_H
#define VIEWS_LIST_H

#include "lists/list.h"
#include "store/user.h"
#include "views/pager.h"
#include "views/view.h"

/* A choice among some, as a link. */
struct list_tab {
	struct text href;
	bool current;
};

struct list_model {
	struct list_tab top, new, oldest, bottom, any, all;
	bool ordered, combined;	       /* which of the tabs there are */
	struct mustache_html articles; /* of line_list_view */
	bool votable; /* whether the viewer may vote on any of them */
	bool cut_off, search_ended, empty; /* one of them at most */
	int64_t last_page;		   /* when cut off */
	struct pager_model pager;
	/* Of groups their names and titles; of a member the name. */
	struct text heading, intro;
	/* Of the interesting ones. */
	int64_t threshold;
	/* Of a member. */
	int64_t karma;
	struct text since, since_iso;
	bool moderator, own;
};

extern const struct view list_front_view, list_interesting_view,
    list_group_view, list_member_view;

/* What only a member's list shows. */
struct list_model list_model_of_member(
    struct arena *arena, const struct user *user, int64_t karma);

/* Adds what all lists show, but for the articles. base is the list's path. */
void list_model_fill(struct list_model *model, struct arena *arena,
    const struct list_query *query, const struct list *list, struct text base);

#endif

/*
 * All groups, and the form that creates one.
 */
#pragma once

#include "store/group.h"
#include "views/form.h"
#include "views/pager.h"

#define GROUPS_INPUTS(ROW) \
	ROW(struct groups_form, name, rule_group_name, RULE_GROUP_NAME_MAX, \
	    FORM_REQUIRED) \
	ROW(struct groups_form, title, rule_group_title, RULE_TITLE_MAX, \
	    FORM_REQUIRED)

struct groups_form {
	GROUPS_INPUTS(FORM_MEMBER)
};

struct group_row {
	struct text name, title, articles; /* "3 articles" */
	bool is_followed;		   /* by the viewer */
	bool is_closed;			   /* to new articles */
};

struct groups_model {
	LIST(struct group_row) groups;
	bool may_follow; /* the viewer is a member, whose form has buttons */
	bool empty;
	bool is_unread; /* Redis does not answer: the form alone is shown */
	struct pager_model pager;
	bool may_create, by_members; /* the viewer; all members */
	struct text page_number;     /* empty on the first */
	struct form_model form;
	struct groups_form inputs;
};

/* Groups, and the names of those that the viewer follows. */
struct groups_shown {
	const struct group *groups;
	size_t count;
	const struct text *followed;
	size_t followed_count;
};

/* The page of that number, without its form; more says whether another one
 * follows. */
struct groups_model groups_model_of(struct arena *arena,
    const struct groups_shown *shown, uint64_t number, bool more);

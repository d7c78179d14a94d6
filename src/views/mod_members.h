/*
 * Members: moderators and the newest; and what moderators may do with one.
 */
#pragma once

#include "store/user.h"
#include "views/form.h"
#include "views/pager.h"

/* As they were read. */
struct members {
	struct user *moderators, *newest;
	size_t moderator_count, newest_count;
	bool more; /* another page of the newest follows */
};

struct member_line {
	struct text name, since, since_iso;
	bool is_moderator, is_owner, is_closed;
};

struct members_model {
	struct mustache_list moderators, newest; /* struct member_line */
	bool has_moderators, is_first_page;
	struct pager_model pager;
};

extern const struct view members_view;
struct members_model members_model_of(
    struct arena *arena, const struct members *members, uint64_t number);

#define SUSPENSION_INPUTS(ROW) \
	ROW(struct suspension, days, rule_days, 4, FORM_REQUIRED) \
	ROW(struct suspension, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct suspension {
	SUSPENSION_INPUTS(FORM_MEMBER)
};

struct member_panel_model {
	struct text name, since, since_iso;
	bool is_suspended, is_trusted, is_closed;
	struct text until, until_iso; /* empty: for good */
	struct text suspension;	      /* why */
	/* The role; a flag of the layout says whether the reader is_moderator. */
	bool as_member, as_moderator, as_owner;
	bool may_judge, may_appoint; /* the viewer */
	bool needs_password;
	struct form_model form;
	struct suspension inputs;
};

extern const struct view member_panel_view;

/* Without what is the viewer's, and the form. */
struct member_panel_model member_panel_model_of(
    struct arena *arena, const struct user *user, int64_t now);

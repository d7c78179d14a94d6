/*
 * The page on which moderators retitle, describe and restrict a group, and those of the site
 * rename, merge, close and delete it.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define MOD_GROUPS_INPUTS(ROW) \
	ROW(struct mod_groups_form, title, rule_group_title, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct mod_groups_form, name, rule_group_name, \
	    RULE_GROUP_NAME_MAX, FORM_OPTIONAL) \
	ROW(struct mod_groups_form, description, rule_group_text, \
	    RULE_GROUP_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct mod_groups_form, rules, rule_group_text, \
	    RULE_GROUP_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct mod_groups_form, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct mod_groups_form {
	MOD_GROUPS_INPUTS(FORM_MEMBER)
};

struct mod_groups_model {
	struct text group; /* its name */
	bool is_closed;
	bool is_restricted; /* only its moderators post */
	/* The viewer: also rename, merge, close and delete it. */
	bool may_administer;
	bool is_read;		   /* the group was: all forms are shown */
	bool has_title, has_texts; /* the forms of these are shown */
	struct form_model form;
	struct mod_groups_form inputs;
};

/*
 * What moderators may do with a group.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define REGROUP_INPUTS(ROW) \
	ROW(struct regrouping, title, rule_group_title, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct regrouping, name, rule_group_name, RULE_GROUP_NAME_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct regrouping, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct regrouping {
	REGROUP_INPUTS(FORM_MEMBER)
};

struct regroup_model {
	struct text group; /* its name */
	bool is_closed;
	struct form_model form;
	struct regrouping inputs;
};

extern const struct view regroup_view;

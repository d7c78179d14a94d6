/*
 * The moderators of a group: who they are, for everyone; and the form by which owners appoint and
 * dismiss them.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define GROUP_MODERATORS_INPUTS(ROW) \
	ROW(struct group_moderators_form, name, rule_user_name, \
	    RULE_USER_NAME_MAX, FORM_REQUIRED) \
	ROW(struct group_moderators_form, reason, rule_reason, \
	    RULE_REASON_MAX, FORM_OPTIONAL)

struct group_moderators_form {
	GROUP_MODERATORS_INPUTS(FORM_MEMBER)
};

struct group_moderators_model {
	struct text group; /* its name */
	LIST(struct text) moderators;
	bool none;
	bool may_appoint, may_resign; /* the viewer */
	bool needs_password;
	struct form_model form;
	struct group_moderators_form inputs;
};

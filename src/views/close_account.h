/*
 * The form in which a member closes the account.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define LEAVE_INPUTS(ROW) \
	ROW(struct leave_inputs, password, rule_given_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct leave_inputs {
	LEAVE_INPUTS(FORM_MEMBER)
};

struct leave_model {
	struct form_model form;
	struct leave_inputs inputs;
	bool name_goes, texts_go; /* as ticked */
};

extern const struct view leave_view;

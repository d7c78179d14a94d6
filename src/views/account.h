/*
 * Registering and logging in.
 */
#pragma once

#include "views/form.h"
#include "views/view.h"

/* Both forms have the same fields, held against other rules. */
#define ACCOUNT_INPUTS(ROW, name_rule, password_rule) \
	ROW(struct account, username, name_rule, RULE_USER_NAME_MAX, \
	    FORM_REQUIRED) \
	ROW(struct account, password, password_rule, RULE_PASSWORD_MAX, \
	    FORM_REQUIRED)

struct account {
	ACCOUNT_INPUTS(FORM_MEMBER, , )
};

struct account_model {
	struct form_model form;
	struct account inputs;
	struct text return_to, return_to_encoded;
};

extern const struct view account_register_view, account_login_view;

/*
 * The form in which a member closes the account.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define CLOSE_ACCOUNT_INPUTS(ROW) \
	ROW(struct close_account_form, password, rule_given_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct close_account_form {
	CLOSE_ACCOUNT_INPUTS(FORM_MEMBER)
};

struct close_account_model {
	struct form_model form;
	struct close_account_form inputs;
	bool name_goes, texts_go; /* as ticked */
};

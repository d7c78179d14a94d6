/*
 * The form for what a member says of themselves, which their page shows.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define MEMBER_ABOUT_INPUTS(ROW) \
	ROW(struct member_about_form, text, rule_user_about, \
	    RULE_USER_ABOUT_MAX, FORM_OPTIONAL)

struct member_about_form {
	MEMBER_ABOUT_INPUTS(FORM_MEMBER)
};

struct member_about_model {
	struct mustache_html preview; /* empty: none was asked for */
	bool is_held; /* shown to others once a moderator kept a post */
	struct form_model form;
	struct member_about_form inputs;
};

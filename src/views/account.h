/*
 * Registering and logging in.
 */
#pragma once

#include "views/form.h"
#include "views/view.h"

/* Both forms have the same fields, held against other rules. */
#define ACCOUNT_INPUTS(ROW, name_rule, password_rule) \
	ROW(struct account_form, username, name_rule, RULE_USER_NAME_MAX, \
	    FORM_REQUIRED) \
	ROW(struct account_form, password, password_rule, RULE_PASSWORD_MAX, \
	    FORM_REQUIRED)

struct account_form {
	ACCOUNT_INPUTS(FORM_MEMBER, , )
};

struct account_model {
	struct form_model form;
	struct account_form inputs;
	struct text return_to;
	struct text query; /* with which each of the two leads to the other */
	/* What somebody wants to do who is not signed in. */
	struct text vote_name,
	    vote_id;	   /* a field that names a vote, or empty */
	struct text voted; /* the title of that article */
	bool submits;
	bool has_ended; /* the session in which something was asked */
	bool has_left;	/* whoever has just closed the account */
	/* Of registering. */
	struct text invite; /* the code that was sent */
	bool by_invitation; /* it has to be a good one, and is not */
	bool is_closed;
	struct text contact;
};

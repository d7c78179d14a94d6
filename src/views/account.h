/*
 * Registering and logging in.
 */
#pragma once

#include "views/form.h"
#include "views/view.h"

/* Both forms have the same fields, with different rules. */
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
	struct text query; /* of the links from each page to the other */
	/* What the reader tried to do without being signed in. */
	struct text asked_name,
	    asked_id; /* a field that asks something of a post, or empty */
	struct text asked_title;	    /* of that article */
	bool is_vote, is_saving, is_hiding; /* what is asked: one of these */
	bool submits;
	bool has_ended; /* the session that a form was sent in */
	bool is_saved;	/* the account or password, but nobody was logged in */
	bool has_left;	/* the reader has just closed the account */
	/* Of registering. */
	struct text invite;  /* the code that was sent */
	bool by_invitation;  /* a valid one is required, and is missing */
	bool by_application; /* one may also apply */
	bool is_closed;
	struct text contact;
};

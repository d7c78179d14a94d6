/*
 * Recovery of accounts: the page for a forgotten password, the form of a link that was made for
 * that, and the member's recovery codes.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define RECOVERY_INPUTS(ROW) \
	ROW(struct recovery_form, username, rule_given_name, \
	    RULE_USER_NAME_MAX, FORM_REQUIRED) \
	ROW(struct recovery_form, code, rule_given_code, RULE_CODE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct recovery_form, password, rule_password_length, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct recovery_form {
	RECOVERY_INPUTS(FORM_MEMBER)
};

struct recovery_model {
	struct form_model form;
	struct recovery_form inputs;
	struct text contact; /* of the people who run the site; or empty */
};

#define RECOVERY_LINK_INPUTS(ROW) \
	ROW(struct recovery_link_form, password, rule_password_length, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct recovery_link_form {
	RECOVERY_LINK_INPUTS(FORM_MEMBER)
};

struct recovery_link_model {
	struct form_model form;
	struct recovery_link_form inputs;
	struct text code;    /* the last part of the form's address */
	struct text account; /* whose it is */
};

struct recovery_code_row {
	struct text code;
};

/* New codes, shown this once. */
struct new_codes_model {
	LIST(struct recovery_code_row) rows;
	struct text joined; /* as the form for downloading them has them */
	struct text csrf;
};

struct recovery_codes_model {
	struct form_model form;
	LIST(struct new_codes_model) made; /* one, or none */
	int64_t left;
	bool has_codes;
	bool needs_password;
};

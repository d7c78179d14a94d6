/*
 * The second factor: the form for it at log-in, and the page on which a member turns it on and
 * off.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"
#include "views/recovery.h"

#define LOGIN_CODE_INPUTS(ROW) \
	ROW(struct login_code_form, code, rule_given_code, RULE_CODE_MAX, \
	    FORM_REQUIRED)

struct login_code_form {
	LOGIN_CODE_INPUTS(FORM_MEMBER)
};

struct login_code_model {
	struct form_model form;
	struct login_code_form inputs;
	/* What the reader came for, as on the page before (views/account.h). */
	struct text return_to, asked_name, asked_id;
};

#define SECOND_FACTOR_INPUTS(ROW) \
	ROW(struct second_factor_form, code, rule_given_code, RULE_CODE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct second_factor_form, password, rule_given_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct second_factor_form {
	SECOND_FACTOR_INPUTS(FORM_MEMBER)
};

struct second_factor_model {
	struct form_model form;
	struct second_factor_form inputs;
	bool is_on;
	bool was_turned_off; /* just now */
	bool is_required;    /* by the owners, of the viewer, who has one */
	struct text since, since_iso;
	/* While it is off: a secret to turn it on with. */
	struct text secret;	    /* as the form has it */
	struct text grouped_secret; /* to be typed: "ABCD EFGH ..." */
	struct text address;	    /* of the secret: "otpauth://totp/..." */
	struct text qr_path;	    /* of SVG */
	int64_t qr_size;
	LIST(struct new_codes_model) made; /* recovery codes; one, or none */
};

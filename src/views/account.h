/*
 * Registering, logging in, and what a member sets: another password, and which
 * sessions go on.
 */
#ifndef VIEWS_ACCOUNT_H
#define VIEWS_ACCOUNT_H

#include "store/session.h"
#include "views/form.h"

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

#define SETTINGS_INPUTS(ROW) \
	ROW(struct password_change, current, rule_given_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED) \
	ROW(struct password_change, password, rule_new_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct password_change {
	SETTINGS_INPUTS(FORM_MEMBER)
};

/* A session of the member's, with the button that ends it. */
struct session_line {
	struct text id, agent;
	struct text since, since_iso, seen, seen_iso;
	bool current;
};

struct settings_model {
	struct mustache_list sessions; /* struct session_line */
	bool several;
	bool changed; /* the password, just now */
	struct form_model form;
	struct password_change inputs;
};

extern const struct view account_register_view, account_login_view,
    account_settings_view;

/* The sessions alone. */
struct settings_model account_settings_of(struct arena *arena,
    const struct session *sessions, size_t count, int64_t now);

#endif

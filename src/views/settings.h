/*
 * A member's settings: another password, and the sessions.
 */
#pragma once

#include "store/session.h"
#include "views/form.h"
#include "views/view.h"

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

extern const struct view settings_view;

/* The sessions alone. */
struct settings_model settings_model_of(struct arena *arena,
    const struct session *sessions, size_t count, int64_t now);

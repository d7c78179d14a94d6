/*
 * Applications for registration: the form, and how moderators see them.
 */
#pragma once

#include "store/application.h"
#include "store/rules.h"
#include "views/form.h"
#include "views/view.h"

#define APPLY_INPUTS(ROW) \
	ROW(struct apply_form, username, rule_new_user_name, \
	    RULE_USER_NAME_MAX, FORM_REQUIRED) \
	ROW(struct apply_form, password, rule_password_length, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED) \
	ROW(struct apply_form, answer, rule_answer, RULE_ANSWER_MAX, \
	    FORM_REQUIRED)

struct apply_form {
	APPLY_INPUTS(FORM_MEMBER)
};

struct apply_model {
	struct form_model form;
	struct apply_form inputs;
	struct text question; /* the owners'; may be empty */
	bool is_off; /* nobody can apply here, since one of these is true: */
	bool is_closed, by_invitation, is_open;
	bool was_sent; /* just now */
};

/* Of one that waits. */
struct application_row {
	struct text name, since, since_iso;
	LIST(struct paragraph) answer;
};

/* The rows of those that wait; *waiting is their number, of which the first are shown. */
enum { APPLICATION_ROWS = 25 };
struct mustache_list application_rows(struct arena *arena,
    const struct application *applications, size_t count, int64_t now,
    size_t *waiting);

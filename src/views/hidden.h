/*
 * What a member hides, with buttons to show it again; and the button that hides what a page is
 * about.
 */
#pragma once

#include "views/form.h"

/* The button on a page: empty for who may not hide. */
struct hide_model {
	struct text href; /* of what is hidden; or empty */
	struct text name;
	bool is_hidden;
};

struct hidden_row {
	struct text name;
	struct text href; /* empty for words */
};

#define HIDDEN_INPUTS(ROW) \
	ROW(struct hidden_form, words, rule_hidden_words, RULE_HIDDEN_MAX, \
	    FORM_OPTIONAL)

struct hidden_form {
	HIDDEN_INPUTS(FORM_MEMBER)
};

struct hidden_model {
	LIST(struct hidden_row) rows;
	bool empty;
	bool is_unread;	   /* they could not be read: what was typed is shown */
	bool has_lines;	   /* the form with all of them as text */
	struct text count; /* "3 rules" */
	int64_t max;
	struct text lines; /* the rules, or what was typed in their place */
	LIST(struct text) problems; /* of that, with the number of the line */
	bool has_problems;
	struct form_model form;
	struct hidden_form inputs;
};

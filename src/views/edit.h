/*
 * The form in which an author edits an article.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"

#define EDIT_INPUTS(ROW) \
	ROW(struct edit_form, title, rule_title, RULE_TITLE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct edit_form, text, rule_body, RULE_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct edit_form, groups, rule_groups, RULE_GROUPS_LINE_MAX, \
	    FORM_OPTIONAL)

struct edit_form {
	EDIT_INPUTS(FORM_MEMBER)
};

struct edit_model {
	uint64_t id;
	struct text title;
	bool has_title;	 /* title and groups can still be changed */
	bool has_text;	 /* it is no link */
	bool is_plain;	 /* and no Markdown */
	bool may_change; /* one of these at least; it may be withdrawn */
	struct form_model form;
	struct edit_form inputs;
	struct choices_model choices;
	bool asks_names; /* of groups, to be typed */
};

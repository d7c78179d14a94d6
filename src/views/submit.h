/*
 * The form for an article.
 */
#pragma once

#include "views/article_row.h"
#include "views/form.h"
#include "views/view.h"

#define SUBMIT_INPUTS(ROW) \
	ROW(struct submit_form, title, rule_title, RULE_TITLE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct submit_form, url, rule_link, RULE_LINK_MAX, FORM_OPTIONAL) \
	ROW(struct submit_form, text, rule_body, RULE_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct submit_form, groups, rule_groups, RULE_GROUPS_LINE_MAX, \
	    FORM_OPTIONAL)

struct submit_form {
	SUBMIT_INPUTS(FORM_MEMBER)
};

struct submit_model {
	struct form_model form;
	struct submit_form inputs;
	struct choices_model choices;
	bool asks_names;	      /* of groups, to be typed */
	struct mustache_html preview; /* of the text; or empty */
	bool is_posted;		      /* the link is, as this article */
	struct article_row_model earlier;
	bool is_own; /* it is the viewer's */
};

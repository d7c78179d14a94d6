/*
 * The form in which an author edits an article.
 */
#pragma once

#include "views/article.h"

struct edit_model {
	uint64_t id;
	struct text title; /* empty: not known, or not shown */
	bool has_title;	   /* title and groups can still be changed */
	bool is_plain;	   /* the text is no Markdown */
	struct form_model form;
	struct article_form inputs;
	struct choices_model choices;
	bool asks_names; /* of groups, to be typed */
};

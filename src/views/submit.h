/*
 * The form for an article.
 */
#pragma once

#include "views/article.h"

struct submit_model {
	struct form_model form;
	struct article_form inputs;
	struct choices_model choices;
	bool asks_names;	      /* of groups, to be typed */
	struct mustache_html preview; /* of the text; or empty */
	bool is_posted;		      /* the link is, as this article */
	struct article_row_model earlier;
	bool is_own; /* it is the viewer's */
};

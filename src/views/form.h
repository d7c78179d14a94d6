/*
 * Forms, as templates show them: the inputs, each a value with its problem, and
 * what a form has besides.
 *
 * A form's inputs are a struct of its own, written as a list of rows, from which
 * come its members (FORM_MEMBER), what a template may name (FORM_SHOWN) and the
 * rules of its fields (FORM_ROW of pages/form.h):
 *
 *	#define ARTICLE_INPUTS(ROW) \
 *		ROW(struct article_form, title, rule_title, RULE_TITLE_MAX, \
 *		    FORM_REQUIRED)
 *
 * A row is the struct, the name of the member and of the field that a browser
 * sends, its rule, how many characters a browser lets be typed, and whether it
 * asks for any.
 */
#pragma once

#include "views/view.h"

struct input {
	struct text name, value;
	struct text problem; /* a sentence; empty when there is none */
	int64_t max;
	bool required;
	bool is_focused; /* the first with a problem: where the reader is led */
};

enum form_need { FORM_OPTIONAL, FORM_REQUIRED };

/* clang-format off */
#define FORM_MEMBER(of, member, rule, max, need) struct input member;
#define FORM_SHOWN(of, member, rule, max, need) \
	MUSTACHE_STRUCT(of, member, &input_type),
/* clang-format on */

struct form_model {
	struct text csrf;
	bool has_problems, has_several; /* some input has one; not one alone */
	struct text refusal, detail, advice; /* of the form as a whole */
	bool signed_out;
};

/* Groups to tick, while there are few enough to show all of them. */
struct group_choice {
	struct text name;
	bool checked;
};

struct choices_model {
	LIST(struct group_choice) groups;
	struct text had; /* which were ticked at first */
	bool none;	 /* there is no group at all */
	bool many;	 /* too many to show: their names are typed */
};

/*
 * The owners' settings of the site.
 */
#pragma once

#include "store/rules.h"
#include "views/form.h"
#include "views/language.h"

#define OWNER_INPUTS(ROW) \
	ROW(struct owner_form, name, rule_site_name, RULE_SITE_NAME_MAX, \
	    FORM_REQUIRED) \
	ROW(struct owner_form, tagline, rule_line, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, contact, rule_line, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, slogan, rule_line, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, language, rule_language, RULE_LANGUAGE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, about, rule_body, RULE_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct owner_form, rules, rule_body, RULE_TEXT_MAX, FORM_OPTIONAL) \
	ROW(struct owner_form, foot_links, rule_foot_links, RULE_TEXT_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, shared_hosts, rule_shared_hosts, RULE_TEXT_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, announcement, rule_line, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, style, rule_style, RULE_TEXT_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, registration, rule_registration, \
	    RULE_CHOICE_MAX, FORM_REQUIRED) \
	ROW(struct owner_form, group_creation, rule_group_creation, \
	    RULE_CHOICE_MAX, FORM_REQUIRED) \
	ROW(struct owner_form, interesting, rule_interesting, \
	    RULE_INTERESTING_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, votes_a_day, rule_votes_choice, \
	    RULE_CHOICE_MAX, FORM_OPTIONAL) \
	ROW(struct owner_form, votes_number, rule_votes_number, \
	    RULE_VOTES_A_DAY_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, voting, rule_voting, RULE_CHOICE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct owner_form, log_names, rule_log_names, RULE_CHOICE_MAX, \
	    FORM_REQUIRED) \
	ROW(struct owner_form, front_order, rule_front_order, RULE_CHOICE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, overlooked, rule_overlooked, RULE_CHOICE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, score_hours, rule_score_hours, \
	    RULE_SMALL_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, fold_flags, rule_fold_flags, RULE_SMALL_DIGITS, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, question, rule_line, RULE_TITLE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, hold_first, rule_hold_first, RULE_CHOICE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct owner_form, moderator_factor, rule_moderator_factor, \
	    RULE_CHOICE_MAX, FORM_OPTIONAL) \
	ROW(struct owner_form, newcomer_days, rule_newcomer_days, \
	    RULE_SMALL_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, newcomer_votes, rule_newcomer_votes, \
	    RULE_SMALL_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, newcomer_posts, rule_newcomer_posts, \
	    RULE_SMALL_DIGITS, FORM_OPTIONAL) \
	ROW(struct owner_form, newcomer_comments, rule_newcomer_posts, \
	    RULE_SMALL_DIGITS, FORM_OPTIONAL)

struct owner_form {
	OWNER_INPUTS(FORM_MEMBER)
};

/* An image and the form by which it is uploaded. */
struct image_model {
	struct text name;    /* "logo" */
	struct text version; /* empty: there is none */
	struct text problem;
};

struct owner_model {
	struct form_model form;
	struct image_model logo, icon;
	struct owner_form inputs;
	LIST(struct language_choice) languages;
	bool changed;		   /* just now */
	bool is_new_owner;	   /* likewise, the reader, by a link */
	int64_t usual_interesting; /* the configured number */
	/* The same, for newcomers. */
	int64_t usual_days, usual_votes, usual_posts, usual_comments;
	bool is_moving; /* the data, on to the layout of this release */
	int64_t moved_percent;
	/* Lists by score are built for another worth of a vote. */
	bool is_pacing;
	int64_t paced_percent, votes_now, votes_wanted; /* a day */
	/* Which of the choices are made. */
	bool is_open, by_invitation, by_application, is_closed;
	bool by_members, by_moderators;
	bool votes_at_once, votes_after_hour, votes_after_day, votes_vouched;
	bool log_is_named, log_is_unnamed;
	bool front_is_top, front_is_new, front_is_active, front_is_hot;
	bool shows_overlooked, holds_first, requires_factor;
	bool votes_5, votes_20, votes_50, votes_200, votes_other;
};

/* The choices alone. */
struct owner_model owner_model_of(const struct owner_form *inputs);

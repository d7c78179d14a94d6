/*
 * An article's own page: its text, how its score came about, and its groups.
 */
#pragma once

#include "views/form.h"
#include "views/line.h"

#define ARTICLE_INPUTS(ROW) \
	ROW(struct filing, add, rule_groups, RULE_GROUPS_LINE_MAX, \
	    FORM_OPTIONAL) \
	ROW(struct filing, remove, rule_groups, RULE_GROUPS_LINE_MAX, \
	    FORM_OPTIONAL)

struct filing {
	ARTICLE_INPUTS(FORM_MEMBER)
};

struct article_model {
	struct line_model article;
	struct mustache_list paragraphs; /* of the text */
	int64_t up, down, vote_score, votes_points;
	struct text posted_moment, closes_moment, closes_iso, closes_in;
	struct text interesting_moment, interesting_iso;
	int64_t threshold;
	bool votable, removed;
	/* What the page knows. */
	int64_t place, places; /* in the front order, if it is one of so many */
	bool is_placed;
	bool may_file, may_remove;
	struct form_model form;
	struct filing inputs;
};

extern const struct view article_view;

/* All but what the page knows; back as line_model_of takes it. */
struct article_model article_model_of(struct arena *arena,
    const struct rules *rules, const struct article *article, int64_t now,
    struct text back);

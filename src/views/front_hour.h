/*
 * A front page that was kept at a full hour; and an article's places on such pages over time.
 */
#pragma once

#include "store/front_hour.h"
#include "views/article_row.h"

struct front_hour_row {
	int64_t place; /* from 1; those of removed articles are missing */
	struct text ordinal;
	struct article_row_model article;
};

struct front_hour_model {
	struct text moment, iso;
	struct text input; /* as the form has it, "2026-11-20T14:00" */
	/* The nearest hours that are kept, "2026-11-20T13", or empty. */
	struct text before, before_moment, after, after_moment;
	bool lacks_before, lacks_after; /* the hour next to it is not kept */
	bool is_kept, is_future;
	LIST(struct front_hour_row) rows;
	struct text removed; /* "2 articles", which are not shown; or empty */
	bool is_partial;     /* a master is away */
	bool has_buttons;    /* of a member, in one form */
	struct text hidden;  /* from the viewer: a sentence; or empty */
};

/* All but what is_kept and is_partial say, and the rows. before and after are hours, 0
 * for none. */
struct front_hour_model front_hour_model_of(struct arena *arena, int64_t hour,
    int64_t before, int64_t after, int64_t now);

/* Hours in a row in which the place was the same. */
struct front_span {
	struct text hour, moment, iso; /* the first, as its page is named */
	struct text until, until_iso;  /* the last; empty: it is the first */
	struct text place;	       /* "3rd"; empty: not among the first */
	bool is_missing;	       /* the page was not kept */
};

struct front_chart_model {
	struct text line; /* the path of the graph, FRONT_CHART_WIDTH wide */
	struct text first, first_iso, last, last_iso;
	struct text best;  /* "1st" */
	struct text hours; /* "12 hours", on the front page */
	LIST(struct front_span) spans;
};

/* From the first to the last hour in which it has a place; false when it has none. */
bool front_chart_model_of(struct arena *arena,
    const struct front_places *places, struct front_chart_model *model);

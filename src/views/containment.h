/*
 * Containments: the one form with which moderators stop a flood of a member's posts and votes, its
 * confirmation, and what such acts have done.
 */
#pragma once

#include "store/containment.h"
#include "store/containment_extent.h"
#include "views/form.h"

/* A field that the confirmation sends again. */
struct containment_field {
	struct text name, value;
};

/* Posts to remove: since when, and how many there are. */
struct containment_choice {
	struct text word, label; /* "week" */
	struct text posts;	 /* "8 articles and 31 comments" */
	bool is_chosen;
};

struct containment_host_row {
	struct text name;
	struct text others; /* "3 articles of others"; empty: none */
	bool is_chosen;
};

/* A post that an act or its undo is about. */
struct containment_post_row {
	struct text path, title;
	struct text comment; /* its number; empty: the article */
};

struct containment_row {
	uint64_t act;
	/* "Suspended, removed 8 posts"; empty: nothing so far. */
	struct text did;
	struct text by, reason, at, at_iso;
	bool is_running, is_undoing, is_undone, may_undo;
	LIST(struct containment_post_row) posts, votes; /* that it changed */
	LIST(struct containment_post_row) left_posts, left_votes;
	struct text left; /* "2 posts and 1 vote": what an undo left as it is */
	bool has_left;
	bool stayed; /* the suspension was changed since, and stays */
	/* "a.example and b.example": stay blocked or not. */
	struct text left_hosts;
	bool ended_invitations; /* which stay revoked */
};

struct containment_model {
	struct text name;
	bool may_act;
	LIST(struct containment_choice) ranges;
	LIST(struct containment_host_row) hosts;
	bool has_hosts;
	struct text votes; /* "14 votes": the least; empty: none is known */
	LIST(struct containment_row) acts;
	bool has_acts, is_running;
	/* As presets, or as they were sent. */
	bool suspends, voids, ends_invitations, removes;
	struct text reason;
	bool nothing_chosen; /* in what was sent */
	struct text problem; /* of the reason; or empty */
	struct form_model form;
};

struct containment_confirm_model {
	struct text name;
	LIST(struct text) lines; /* "Remove 8 articles and 31 comments" */
	LIST(struct containment_field) fields;
	struct text reason; /* may be empty */
};

/* What is chosen on the form. */
struct containment_choices {
	bool suspends, ends_invitations, voids;
	enum containment_range range;
	bool removes;
	struct text hosts; /* words */
	struct text reason;
};

/* What an act has changed so far, and what of it is shown. */
struct containment_shown {
	const struct containment *act;
	struct containment_counts counts;
	struct containment_post *posts, *votes, *left_posts, *left_votes;
	size_t post_count, vote_count, left_post_count, left_vote_count;
	bool may_undo;
};

struct containment_row containment_row_of(
    struct arena *arena, const struct containment_shown *shown);

/* Without the acts, and without what is the viewer's. */
struct containment_model containment_model_of(struct arena *arena,
    struct text name, const struct containment_extent *extent,
    const struct containment_choices *choices);

/* Without the fields. */
struct containment_confirm_model containment_confirm_model_of(
    struct arena *arena, struct text name,
    const struct containment_extent *extent,
    const struct containment_choices *choices);

/* "day", "week" and "ever". */
extern const struct text containment_range_words[CONTAINMENT_RANGES];

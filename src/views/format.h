/*
 * Formats times, spans, texts and addresses for templates. Words are those of
 * views/messages.
 */
#pragma once

#include "store/keys.h"
#include "views/view.h"

/* "just now", "5 minutes ago", "3 days ago", then the date. */
struct text format_age(struct arena *arena, int64_t now, int64_t moment);

/* A "now" for which every age is a date. */
#define FORMAT_DATES (INT64_C(1) << 60)

/* A number that changes whenever format_age of the same moment does: for cache keys. */
int64_t format_age_step(int64_t now, int64_t moment);

/* "6 days and 3 hours": the two largest units. */
struct text format_span(struct arena *arena, int64_t seconds);

/* "15 minutes": in the largest unit, rounded up or down; a negative span counts as 0 when it is
 * rounded down, and must not be rounded up. */
struct text format_rounded_up(struct arena *arena, int64_t seconds);
struct text format_rounded_down(struct arena *arena, int64_t seconds);

/* "21 November 2026, 08:15 UTC" */
struct text format_moment(struct arena *arena, int64_t moment);

/* "2026-11-21T08:15:00Z", ISO 8601, for machines. */
struct text format_iso(struct arena *arena, int64_t moment);

/* "7", or "7.3" for the third comment of that article: as votes name them; and where it
 * has a page: "/articles/7" or "/articles/7/comments/3". */
struct text format_post(struct arena *arena, struct post_id id);
struct text format_post_path(struct arena *arena, struct post_id id);

struct paragraph {
	LIST(struct paragraph_line) lines;
};

struct paragraph_line {
	struct text text;
	bool last;
};

/* The beginning of a title, for the name of a document: cut at a word if it is long. */
struct text format_short(struct arena *arena, struct text title);

/* The same for the label of a button beside it, "Upvote: What the linker does…": shorter. */
struct text format_label(struct arena *arena, struct text title);

/* "article-7", "comment-7-3": the element of a post in a list of several articles. */
struct text format_post_anchor(struct arena *arena, struct post_id id);

/* The beginning of a text on one line. */
struct text format_summary(struct arena *arena, struct text text);

/* Plain text as a list of struct paragraph: a blank line parts two of them. */
struct mustache_list format_paragraphs(struct arena *arena, struct text text);

struct foot_link {
	struct text label, href;
};

/* The owners' links (rule_foot_links) as a list of struct foot_link. */
struct mustache_list format_foot_links(struct arena *arena, struct text links);

/* "a b" as a list of struct text. */
struct mustache_list format_names(struct arena *arena, struct text names);

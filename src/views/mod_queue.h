/*
 * The queue of posts that wait for a moderator's decision, and the flags on a post.
 */
#pragma once

#include "lists/mod_queue.h"
#include "views/apply.h"
#include "views/article_row.h"
#include "views/pager.h"

/* A reason that a member may give for a flag: its word in forms, and for people. */
struct flag_choice {
	struct text word, name;
};

struct mustache_list mod_queue_choices(struct arena *arena);

/* Flags of one kind. */
struct flags_row {
	struct text name;	 /* "broken link" */
	LIST(struct text) names; /* of the first who flagged */
	struct text count;	 /* of flags; empty when all are named */
	bool is_first;		 /* the site's own: a new member's first */
};

struct mustache_list mod_queue_flags_rows(
    struct arena *arena, const struct mod_queue_flags *flags, size_t count);

struct mod_queue_row {
	struct article_row_model article;
	LIST(struct flags_row) flags;
	bool held;		      /* it waits to be shown */
	bool folded;		      /* until it is kept */
	struct text since, since_iso; /* how long it has waited; from when */
	struct text path;	      /* of what is judged */
	struct text id;		      /* "7.3", as forms have it */
	struct text author;	      /* of what is judged */
	struct text looking; /* another moderator who has opened it; or empty */
	struct text said_by; /* it is this member's comment; or empty */
	struct text summary; /* of a text: how it begins */
};

struct mod_queue_model {
	LIST(struct application_row) applications; /* on the first page */
	struct text waiting; /* "3 applications"; empty: none waits */
	LIST(struct mod_queue_row) items;
	bool empty;
	int64_t shown_at; /* Unix seconds */
	struct pager_model pager;
};

/* base is the address of the first page. */
struct mod_queue_model mod_queue_model_of(struct arena *arena,
    const struct mod_queue_page *queue, struct text base, uint64_t number,
    const struct reader *reader);

/* The queue of a group, for its moderators: who flagged is not said. */
struct group_queue_model {
	struct text group;
	struct mod_queue_model posts;
};

struct group_queue_model mod_queue_model_of_group(struct arena *arena,
    struct mod_queue_page *queue, struct text group, uint64_t number,
    const struct reader *reader);

/*
 * The public log of moderators' actions.
 */
#pragma once

#include "lists/mod_log.h"
#include "views/pager.h"

/* Which are shown, as the address says it. */
struct mod_log_filter {
	struct text kind, member, moderator;
};

/* An entry, as a sentence: moderator, words before, object, words after. */
struct mod_log_row {
	struct text by;	 /* empty: a moderator, or a command */
	bool is_command; /* by the operator, on the command line */
	struct text before, after;
	uint64_t article;
	struct text title;	   /* of the article, shortened; or empty */
	struct text comment, path; /* a comment's number, or empty; the page */
	struct text member, subject, into, reason;
	/* Whose moderators, or articles, these are; or empty. */
	struct text group;
	struct text until, until_iso;
	struct text at, at_iso, at_moment;
	/* What is said of it. */
	bool is_on_article, is_on_vote, is_on_member, is_on_host, is_on_group;
	bool is_suspension, is_deleted;
	struct text details; /* the page that says more; or empty */
};

/* What the viewer may see of an entry: which moderator it was; and on what votes, posts and
 * members a decision was, which is for moderators alone. */
struct mod_log_rights {
	bool names, details;
};

struct mod_log_choice {
	struct text word, name; /* in addresses, and for people */
	bool chosen;
};

struct mod_log_model {
	LIST(struct mod_log_row) rows;
	LIST(struct mod_log_choice) kinds;
	struct text member, moderator;
	bool is_named; /* moderators' names are shown */
	bool is_filtered;
	bool empty, search_ended, cut_off;
	/* A name of the filter that nobody has; or empty. */
	struct text unknown;
	struct pager_model pager;
};

/* A decision and its parts. */
struct mod_log_decision_model {
	struct mod_log_row entry;
	LIST(struct mod_log_row) rows;
	bool empty;
	struct pager_model pager;
};

struct mod_log_row mod_log_row_of(struct arena *arena,
    const struct mod_action *act, int64_t now, struct mod_log_rights rights);

/* Who did it, and the same with what was done as plain text. */
struct text mod_log_actor(const struct mod_log_row *row);
struct text mod_log_title(struct arena *arena, const struct mod_log_row *row);

/* Where the parts of a decision are. */
struct text mod_log_decision_path(struct arena *arena, uint64_t decision);

/* Where its first page is. */
struct text mod_log_address(
    struct arena *arena, const struct mod_log_filter *filter);

/* Without unknown and cut_off. */
struct mod_log_model mod_log_model_of(struct arena *arena,
    const struct mod_log_page *log, const struct mod_log_filter *filter,
    uint64_t number, struct mod_log_rights rights);

/* parts are a page of the decision's. */
struct mod_log_decision_model mod_log_decision_model_of(struct arena *arena,
    const struct mod_action *decision, const struct mod_log_page *parts,
    uint64_t number);

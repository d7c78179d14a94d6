/*
 * How the site works, with the numbers in force, and the owners' rules.
 */
#pragma once

#include "store/rules.h"
#include "store/settings.h"
#include "views/view.h"

struct about_model {
	struct text vote_score, votes_a_day;
	int64_t interesting, page_size;
	int64_t promise_articles, promise_places;
	struct text vote_window, thread_window, promise_time;
	int64_t max_groups;
	int64_t fresh; /* milliseconds for which lists may be out of date */
	bool is_fresh; /* they never are */
	/* Of the site's settings. */
	bool shows_overlooked; /* lists/overlooked.h */
	/* Of newcomers; the latter two a day, empty: any number. */
	int64_t newcomer_days, newcomer_votes;
	struct text newcomer_posts, newcomer_comments;
	struct mustache_html text;
	struct text contact,
	    contact_href; /* the latter of an address or link */
	bool by_members;  /* groups are created */
	bool by_invitation, by_application, is_closed; /* registration is */
	bool votes_after_hour, votes_after_day, votes_vouched;
};

struct rules_model {
	struct mustache_html text; /* the owners' */
};

/* Without the text. fresh as versions_max_age has it. */
struct about_model about_model_of(struct arena *arena,
    const struct rules *rules, int64_t vote_score,
    const struct settings *settings, int64_t fresh);

/*
 * A member's settings, and what leads to those with pages of their own: password, second
 * factor, recovery, invitations, front page, private feeds, language, scores, sessions.
 */
#pragma once

#include "store/invite.h"
#include "store/session.h"
#include "views/form.h"
#include "views/language.h"
#include "views/view.h"

#define SETTINGS_INPUTS(ROW) \
	ROW(struct settings_form, current, rule_given_password, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED) \
	ROW(struct settings_form, password, rule_password_length, \
	    RULE_PASSWORD_MAX, FORM_REQUIRED)

struct settings_form {
	SETTINGS_INPUTS(FORM_MEMBER)
};

/* A session of the member's, with the button that ends it. */
struct session_row {
	struct text id, agent;
	struct text name;   /* "Firefox on Linux" */
	struct text number; /* "2" of several of one name, otherwise empty */
	struct text since, since_iso, seen, seen_iso, seen_moment;
	bool current;
};

struct invite_row {
	struct text code, expires, expires_iso;
};

/* A choice of the gravity of the order hot. */
struct gravity_choice {
	struct text value; /* "1.8" */
	bool current;
};

struct settings_model {
	LIST(struct session_row) sessions; /* this one first */
	LIST(struct invite_row) invites;
	LIST(struct gravity_choice) gravities;
	LIST(struct language_choice) languages;
	bool is_site_language; /* that of the site, instead of one of them */
	struct text site;      /* "https://example.org" */
	bool several;
	bool changed; /* the password, just now */
	/* Likewise: any of these choices. */
	bool saved, saved_front, saved_hot, saved_scores, saved_language;
	bool may_invite;
	bool is_owner;
	bool is_scoreless;    /* they are shown no scores */
	bool is_home;	      /* their front page is what they follow */
	bool needs_password;  /* to end a session */
	bool has_feed_key;    /* private feeds can be read */
	struct text feed_key; /* a new one, shown this once; or empty */
	int64_t codes_left;   /* of recovery */
	bool has_codes, has_factor;
	/* When a link to recover the account was last made, and when the password was last
	 * set by such a link or a code; or empty. */
	struct text link_made, link_made_iso, recovered, recovered_iso;
	struct form_model form;
	struct settings_form inputs;
};

/* The sessions and the invitations alone. */
struct settings_model settings_model_of(struct arena *arena,
    const struct session *sessions, size_t count, int64_t now,
    const struct invite *invites, size_t invite_count);

/* All gravities, of which one is the member's; empty: the usual one. */
struct mustache_list settings_gravities(
    struct arena *arena, struct text current);

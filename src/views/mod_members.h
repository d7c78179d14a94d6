/*
 * The list of members (moderators and the newest), and the page on which moderators act on
 * one.
 */
#pragma once

#include "store/user.h"
#include "views/form.h"
#include "views/pager.h"

/* As they were read. */
struct mod_members {
	struct user *moderators, *newest;
	size_t moderator_count, newest_count;
	bool more; /* another page of the newest follows */
};

struct member_row {
	struct text name, since, since_iso;
	bool is_moderator, is_owner, is_closed;
};

struct mod_members_model {
	LIST(struct member_row) moderators, newest;
	bool has_moderators, is_first_page;
	struct text unknown; /* a name that was looked for; or empty */
	struct pager_model pager;
};

/* Without unknown. */
struct mod_members_model mod_members_model_of(
    struct arena *arena, const struct mod_members *members, uint64_t number);

#define MOD_MEMBER_INPUTS(ROW) \
	ROW(struct mod_member_form, days, rule_days, 4, FORM_REQUIRED) \
	ROW(struct mod_member_form, reason, rule_reason, RULE_REASON_MAX, \
	    FORM_OPTIONAL)

struct mod_member_form {
	MOD_MEMBER_INPUTS(FORM_MEMBER)
};

#define MOD_NOTE_INPUTS(ROW) \
	ROW(struct mod_note_form, text, rule_member_note, RULE_NOTE_MAX, \
	    FORM_REQUIRED)

struct mod_note_form {
	MOD_NOTE_INPUTS(FORM_MEMBER)
};

struct mod_note_row {
	struct text text, at, at_iso;
	struct text by; /* empty: cannot be read now */
	/* Of the form that deletes it; empty: not by the viewer. */
	struct text id;
};

/* Another member who has used the same network. */
struct mod_network_row {
	struct text name;
	bool is_suspended, is_last;
};

struct mod_member_model {
	struct text name, since, since_iso;
	bool is_suspended, is_trusted, is_closed;
	struct text until, until_iso; /* empty: permanently */
	struct text suspension;	      /* why */
	struct mustache_html about;   /* by the member; or empty */
	/* The role; a flag of the layout says whether the reader is_moderator. */
	bool as_member, as_moderator, as_owner;
	bool may_act, may_appoint, may_recover; /* the viewer */
	bool is_self;
	bool has_factor;
	/* A new one to recover the account, shown this once; or empty. */
	struct text link;
	LIST(struct mod_note_row) notes;
	struct text history; /* what the log says, in a sentence; or empty */
	LIST(struct mod_network_row) networks;
	bool shares_network; /* there are some */
	bool needs_password;
	struct form_model form;
	struct mod_member_form inputs;
};

/* Without what is the viewer's, and the form. */
struct mod_member_model mod_member_model_of(
    struct arena *arena, const struct user *user, int64_t now);

/*
 * Acts: what moderators did, to what, when and why. They stand in the log, which
 * nothing is ever taken out of.
 *
 * An act on a post is noted by the function that carries it out. What is done to a
 * member, a group or a host lies in another slot than the log: such an act is noted
 * first, and then done, so that nothing is done that the log does not have.
 *
 * Each is an event as well (base/event.h), with the act's word for a name.
 */
#pragma once

#include "store/keys.h"
#include "store/schema.h"

/* A row: the act's name and its word in the log. */
#define MOD_ACTIONS(ACT) \
	ACT(REMOVED, "removed") \
	ACT(RESTORED, "restored") \
	ACT(DISMISSED, "dismissed") \
	ACT(VOIDED, "voided") \
	ACT(COUNTED, "counted") \
	ACT(SUSPENDED, "suspended") \
	ACT(READMITTED, "readmitted") \
	ACT(VOUCHED, "vouched") \
	ACT(APPOINTED, "appointed") \
	ACT(HOST_BLOCKED, "host-refused") \
	ACT(HOST_ALLOWED, "host-taken") \
	ACT(GROUP_RETITLED, "group-retitled") \
	ACT(GROUP_RENAMED, "group-renamed") \
	ACT(GROUP_MERGED, "group-merged") \
	ACT(GROUP_CLOSED, "group-closed") \
	ACT(GROUP_OPENED, "group-opened") \
	ACT(GROUP_DELETED, "group-deleted") \
	ACT(THREAD_CLOSED, "thread-closed") \
	ACT(THREAD_OPENED, "thread-opened")

#define MOD_ACTION(name, word) MOD_##name,
enum mod_action_kind { MOD_ACTIONS(MOD_ACTION) MOD_ACTION_KINDS };

/* "removed" and so on. */
extern const struct text mod_action_words[];
bool mod_action_parse(struct text word, enum mod_action_kind *kind);

#define MOD_ACTION_ALONE TEXT("alone")

struct mod_action {
	uint64_t id;
	struct text what; /* of mod_action_words */
	struct member by; /* id 0: whoever runs the site, by a command */
	int64_t at;	  /* Unix seconds; 0: now */
	uint64_t article; /* or 0 */
	uint64_t comment; /* of that article; 0: the article itself */
	struct member
	    member; /* whose it is, or to whom it was done; or nobody */
	struct text subject; /* a group, a host, a role, or of a post's
			      * MOD_ACTION_ALONE: nobody else could judge it; may be
			      * empty */
	struct text into;    /* what a group became; may be empty */
	int64_t until;	     /* the end of a suspension; 0: none, or for good */
	struct text reason;  /* may be empty */
	struct text network, request; /* for the event alone; may be empty */
};

extern const struct schema mod_action_schema;

/* Runs a function with what it takes last: how many buckets there are, and the act's
 * fields. */
STORE_CALL mod_action_run(
    struct call *call, struct store *store, const struct mod_action *act);

/* Notes it, before what it says is done in another slot. */
STORE_CALL mod_action_note(
    struct store *store, struct arena *arena, const struct mod_action *act);

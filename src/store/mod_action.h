/*
 * Moderators' actions and their log: the moderator, the subject, the time and the reason.
 * Entries are never deleted.
 *
 * An action on a post is logged by the function in Redis that carries it out. Members,
 * groups and hosts are in other slots than the log: an action on these is logged first,
 * and then carried out, so that nothing happens that the log does not have.
 *
 * Each action is an event as well (base/event.h), with the action's word for a name.
 */
#pragma once

#include "store/keys.h"
#include "store/schema.h"

/* A row: the action's name, its word in the log, and what it is done to. */
#define MOD_ACTIONS(ACTION) \
	ACTION(REMOVED, "removed", POST) \
	ACTION(RESTORED, "restored", POST) \
	ACTION(DISMISSED, "dismissed", POST) \
	ACTION(MOVED, "moved", POST) \
	ACTION(AGAIN, "again", POST) \
	ACTION(VOIDED, "voided", VOTE) \
	ACTION(COUNTED, "counted", VOTE) \
	ACTION(SUSPENDED, "suspended", MEMBER) \
	ACTION(READMITTED, "readmitted", MEMBER) \
	ACTION(VOUCHED, "vouched", MEMBER) \
	ACTION(APPOINTED, "appointed", MEMBER) \
	ACTION(RECOVERY_LINK, "recovery-link", MEMBER) \
	ACTION(ACCEPTED, "accepted", MEMBER) \
	ACTION(DECLINED, "declined", NOTHING) \
	ACTION(HOST_BLOCKED, "host-refused", HOST) \
	ACTION(HOST_ALLOWED, "host-taken", HOST) \
	ACTION(GROUP_RETITLED, "group-retitled", GROUP) \
	ACTION(GROUP_DESCRIBED, "group-described", GROUP) \
	ACTION(GROUP_RENAMED, "group-renamed", GROUP) \
	ACTION(GROUP_MERGED, "group-merged", GROUP) \
	ACTION(GROUP_CLOSED, "group-closed", GROUP) \
	ACTION(GROUP_OPENED, "group-opened", GROUP) \
	ACTION(GROUP_DELETED, "group-deleted", GROUP) \
	ACTION(GROUP_RESTRICTED, "group-restricted", GROUP) \
	ACTION(GROUP_UNRESTRICTED, "group-unrestricted", GROUP) \
	ACTION(GROUP_APPOINTED, "group-appointed", MEMBER) \
	ACTION(GROUP_DISMISSED, "group-dismissed", MEMBER) \
	ACTION(BARRED, "barred", POST) \
	ACTION(UNBARRED, "unbarred", POST) \
	ACTION(THREAD_CLOSED, "thread-closed", POST) \
	ACTION(THREAD_OPENED, "thread-opened", POST) \
	ACTION(CONTAINED, "contained", MEMBER) \
	ACTION(RELEASED, "released", MEMBER) \
	ACTION(ABOUT_EMPTIED, "about-emptied", MEMBER)

#define MOD_ACTION(name, word, target) MOD_##name,
enum mod_action_kind { MOD_ACTIONS(MOD_ACTION) MOD_ACTION_KINDS };

/* What an action is done to: a post or its thread, a vote, and so on. */
enum mod_action_target {
	MOD_ON_POST,
	MOD_ON_VOTE,
	MOD_ON_MEMBER,
	MOD_ON_HOST,
	MOD_ON_GROUP,
	MOD_ON_NOTHING /* that the log says more of */
};
enum mod_action_target mod_action_target(enum mod_action_kind kind);

/* The words in the log, and the action of a word. */
extern const struct text mod_action_words[];
bool mod_action_parse(struct text word, enum mod_action_kind *kind);

/* The subject of an action on a post when no other moderator could have decided. */
#define MOD_ACTION_ALONE TEXT("alone")
/* That of one that suspends the member as well as what else it does. */
#define MOD_ACTION_SUSPENDS TEXT("suspended")

struct mod_action {
	uint64_t id;
	struct text what; /* of mod_action_words */
	struct member by; /* the moderator; id 0: a command of the program */
	int64_t at;	  /* Unix seconds; 0: now */
	uint64_t article; /* 0: not about a post */
	uint64_t comment; /* of that article; 0: the article itself */
	/* The post's author or the member acted on; id 0: none. */
	struct member member;
	/* A group, a host, a role, of an article the group that it was taken out of or put back
	 * into, or of a post's MOD_ACTION_ALONE: nobody else could judge it; may be empty. */
	struct text subject;
	/* The group's successor or new title, or the groups of an article; may be empty. */
	struct text into;
	int64_t until; /* the end of a suspension; 0: none, or permanent */
	/* Of an act on everything of a member's (store/containment.h): how many posts it
	 * removed or restored, and votes it changed, once it is complete; and the hosts that
	 * it blocked, words. */
	int64_t articles, comments, votes;
	struct text hosts;
	/* Of a decision on several posts or members (store/mod_decision.h): how many members;
	 * and of each of its parts the decision's id. */
	int64_t members;
	uint64_t decision;
	struct text reason; /* may be empty */
	/* By mod_log_get: the article's; or empty. Not stored. */
	struct text title;
	struct text network, request; /* for the event alone; may be empty */
};

extern const struct schema mod_action_schema;

/* Runs a function that carries out an action on a post and logs it: adds its last
 * arguments, the number of buckets and the action's fields. */
STORE_CALL mod_action_run(
    struct call *call, struct store *store, const struct mod_action *action);

/* The parts of it: gives out a number of bucket 0, which holds the actions that are not on a
 * post; and runs a function that logs an action there, adding the action's fields, and logs the
 * event. STORE_TAKEN when another action has the number. */
STORE_CALL mod_action_number(
    struct store *store, struct arena *arena, uint64_t *number);
STORE_CALL mod_action_report(
    struct call *call, struct store *store, const struct mod_action *action);

/* Logs an action that is about to be carried out in another slot; mod_action_note_as sets its
 * id. */
STORE_CALL mod_action_note(
    struct store *store, struct arena *arena, const struct mod_action *action);
STORE_CALL mod_action_note_as(
    struct store *store, struct arena *arena, struct mod_action *action);

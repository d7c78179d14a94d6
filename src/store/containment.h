/*
 * Containments: what one act of a moderator does to a member and to everything of theirs, done in
 * the background and taken back as a whole.
 *
 *	start  --> record in the slot of the log (state "acting"), entry in the log, hosts blocked
 *	acting --> the member is suspended; bucket by bucket posts are removed;
 *	           bucket by bucket votes are voided        --> "done", with counts in the log
 *	undo   --> "undoing": hosts allowed; the suspension lifted, posts restored and votes
 *	           counted, where nobody has decided otherwise since     --> "undone"
 *
 * The relay does the steps (store/relay.h). Each is a few calls of functions that change one post
 * and note in the same slot that this act did, so that a step may be repeated, by any relay: the
 * record has a cursor, which is replaced only by who has read it. What an act has changed is an
 * entry of {b.n}contained or {b.n}revoked with its number for a score; whoever decides otherwise
 * makes the entry negative, and an undo leaves those (store/functions/contain.lua).
 *
 * The log has one entry for the act and one for the undo, with the number of posts and votes.
 * Which ones they are only moderators see, as long as the entries are kept.
 */
#pragma once

#include "store/mod_action.h"
#include "store/post.h"
#include "store/user.h"

enum {
	CONTAINMENT_UNDO_SECONDS = 86400, /* for which it can be taken back */
	CONTAINMENTS_MAX = 500,		  /* at once, of the site */
	CONTAINMENT_SHOWN = 100		  /* posts, and votes, that are read */
};

/* Words of the record. */
#define CONTAINMENT_VOID    TEXT("void")
#define CONTAINMENT_COUNT   TEXT("count")
#define CONTAINMENT_ACTING  TEXT("acting")
#define CONTAINMENT_DONE    TEXT("done")
#define CONTAINMENT_UNDOING TEXT("undoing")
#define CONTAINMENT_UNDONE  TEXT("undone")
/* Since when posts are removed, if all are. */
#define CONTAINMENT_FOREVER INT64_C(1)

struct containment {
	uint64_t act; /* the number of its action */
	struct member member, by;
	int64_t at; /* Unix seconds */
	/* What was chosen. */
	int64_t suspends; /* 1: permanently */
	/* Posts since that moment; CONTAINMENT_FOREVER: all; 0: none. */
	int64_t removes;
	struct text votes; /* CONTAINMENT_VOID, _COUNT, or empty */
	/* Words: to block; then those that this act blocked, but for those on which somebody has
	 * decided since. */
	struct text hosts, left_hosts;
	int64_t ends_invitations; /* 1 */
	struct text reason;	  /* may be empty */
	/* The suspension that the member had before. */
	int64_t before;
	struct text before_reason;
	/* How far it is. */
	struct text state, cursor;
	uint64_t undo;	/* the number of the action that takes it back */
	int64_t stayed; /* 1: the suspension was changed since, and stays */
	/* For which it can be taken back, once it is complete. */
	int64_t seconds;
};

extern const struct schema containment_schema;

bool containment_is(const struct containment *containment, struct text state);

/* For how long it is kept which posts and votes one has changed, since it did. */
int64_t containment_entry_seconds(const struct store *store);

/*
 * Begins a containment, with member and what was chosen, which may name hosts without rights of
 * moderators; sets act. The action has its kind and reason, and the moderator. STORE_FULL when the
 * site has CONTAINMENTS_MAX.
 */
STORE_CALL containment_start(struct store *store, struct arena *arena,
    struct containment *containment, struct mod_action action);

/* Begins to take one back. STORE_ABSENT when a day has passed; STORE_CLOSED when it is under
 * way, or was taken back. */
STORE_CALL containment_undo(struct store *store, struct arena *arena,
    const struct containment *containment, struct mod_action action);

/* Reads one, or those of a member of the last day, newest first. STORE_ABSENT. */
STORE_CALL containment_get(struct store *store, struct arena *arena,
    uint64_t act, struct containment *containment);
STORE_CALL containment_list(struct store *store, struct arena *arena,
    uint64_t member, struct containment **containments, size_t *count);

/* Gives a member who closes the account another name in those of the last day. */
STORE_CALL containment_rename_member(
    struct store *store, struct arena *arena, const struct member *member);

/* How much an act has done that is not taken back. */
struct containment_counts {
	int64_t posts, votes;
	int64_t left_posts, left_votes; /* after an undo: they stay */
};
STORE_CALL containment_count(struct store *store, struct arena *arena,
    uint64_t member, uint64_t act, struct containment_counts *counts);

/* Reads the posts that an act removed, or those on which it changed a vote, and that it has not
 * taken back; those alone that an undo has left, if it is_left. CONTAINMENT_SHOWN at most. */
enum containment_what { CONTAINMENT_POSTS, CONTAINMENT_VOTES };
struct containment_post {
	struct post_id id;
	struct text title; /* the article's; empty when it is gone */
};
STORE_CALL containment_posts(struct store *store, struct arena *arena,
    uint64_t member, uint64_t act, enum containment_what what, bool is_left,
    struct containment_post **posts, size_t *count);

/* Which containments failed, at first all 0: each is left until the moment, of
 * clock_monotonic_ms. Act 0 stands for the list of them. */
enum { CONTAINMENTS_LATE = 64 };
struct containment_faults {
	struct {
		uint64_t act;
		int64_t again_at;
	} late[CONTAINMENTS_LATE];
	size_t next;	/* the one that is replaced next */
	int64_t logged; /* when a fault was logged last */
};

/*
 * Does a step of those that are under way, of some milliseconds each. True when there is more to do
 * at once. The first that fails, as when its data cannot be reached, ends the step, and is left for
 * CONTAINMENT_RETRY_MS: what else the relay does does not wait with it. Faults are logged once a
 * minute.
 */
enum { CONTAINMENT_RETRY_MS = 5000 };
bool containment_step(struct store *store, struct arena *arena,
    struct containment_faults *faults);

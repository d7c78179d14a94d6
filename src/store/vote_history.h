/*
 * The history of a member's votes: the posts last voted on, VOTE_HISTORY_MAX of them, each with
 * the vote and the moment when it was last changed. Only the member sees it; it stays when voting
 * closes, while the record of voters does not.
 *
 * A vote and the history are in two slots, so a vote is announced here before it is cast
 * (store/vote.h): a crash in between leaves an entry without a vote, never a vote without
 * its entry. One that is then refused is withdrawn, which restores the entry that was there. A
 * post is in the history once, however often a call is sent again. Of a post that still takes
 * votes its record of voters says what the vote is.
 *
 * An announcement counts user.votes, the version of the member's cached votes, too; and the
 * newest entries are those whose votes may be under way, which workers must not cache
 * (lists/article_rows.c).
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/post.h"

enum {
	VOTE_HISTORY_MAX = 1000,
	VOTE_HISTORY_SLACK = 64, /* further ones, until they are trimmed */
	/* An entry may be of a vote under way for that many seconds: a request takes less,
	 * and clocks of two masters may differ. No more than so many are looked at. */
	VOTE_HISTORY_RECENT_SECONDS = 600,
	VOTE_HISTORY_RECENT_MAX = 16
};

/* A vote that was taken back stays as VOTE_NONE, which is not shown, until it is the oldest. */
struct vote_entry {
	struct post_id post;
	int64_t at; /* Unix seconds */
	enum vote vote;
	bool is_voided; /* by a moderator */
};

/* Encodes what is the entry's score, at and vote; and decodes an entry with its score, false
 * when it is damaged. */
int64_t vote_entry_encode(const struct vote_entry *entry);
bool vote_entry_decode(
    struct text member, const struct reply *score, struct vote_entry *entry);

struct vote_announcement {
	uint64_t user; /* 0: nothing was announced */
	struct post_id post;
	struct text is,
	    was; /* scores of the entry; was is empty: there was none */
};

/* Adds the commands that announce a vote of a member who is there, at the beginning of a pipeline;
 * and reads their replies, once they are all there. An account that is closed at this moment may be
 * left with an entry: nobody sees it, and the check reports and repairs it. */
void vote_history_announce(
    struct pipeline *pipeline, uint64_t user, const struct vote_entry *entry);
struct vote_announcement vote_history_announced(struct store *store,
    uint64_t user, const struct vote_entry *entry,
    const struct pipeline *pipeline);

/* Announces that a moderator voids the member's vote or counts it again. Nothing is announced when
 * there is no such member, or the account is closed. */
enum vote_change { CHANGE_VOID, CHANGE_COUNT };
STORE_CALL vote_history_change(struct store *store, struct arena *arena,
    uint64_t user, struct post_id post, enum vote_change change,
    struct vote_announcement *announcement);

/* Undoes an announcement, if any, as the vote was refused, unless another one followed. */
STORE_CALL vote_history_withdraw(struct store *store, struct arena *arena,
    const struct vote_announcement *announcement);

/* Reads up to count entries, newest first, after the first start; *got of *total. Damaged ones
 * are left out. */
STORE_CALL vote_history_read(struct store *store, struct arena *arena,
    uint64_t user, uint64_t start, uint64_t count, struct vote_entry **entries,
    size_t *got, uint64_t *total);

/* Erases the history; the votes stay. */
STORE_CALL vote_history_erase(
    struct store *store, struct arena *arena, uint64_t user);

/* Adds a command that reads the newest VOTE_HISTORY_RECENT_MAX entries, and reads from its reply
 * the ids of articles on which, or in whose threads, votes may be under way; returns how many
 * there are. */
void vote_history_ask_recent(struct pipeline *pipeline, uint64_t user);
size_t vote_history_read_recent(
    const struct reply *reply, int64_t now, uint64_t *articles);

/* Adds the call that loads an entry from a dump. Its reply is for call_outcome: STORE_TAKEN when
 * the history has the post, newer entries only, or the account is closed. */
void vote_history_load(
    struct pipeline *pipeline, uint64_t user, const struct vote_entry *entry);

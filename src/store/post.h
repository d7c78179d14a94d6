/*
 * Posts: the common part of articles and comments. A post is written by a member, takes
 * votes until it closes, gives its author karma, and can be removed and restored.
 *
 * struct article and struct comment begin with a struct post, and their schemas have its
 * rows: so there is one implementation of votes, removal and karma.
 *
 * When voting closes: the record of a post's voters (store/keys.h, "voters") is a key that
 * expires at post.closes, rules.vote_window after posting. A vote that comes later finds
 * no record and is refused with STORE_CLOSED in store/functions/vote.lua: no clock is
 * compared there. Pages that only show whether a post is open compare closes with
 * Redis's clock (post_is_open) and look whether the record exists (voters_known).
 *
 * Posts that are held: where owners want it, what newcomers post is shown to its author and to
 * moderators alone until these have kept it. Until then the post is as one that was removed, at the
 * same moment (post_is_waiting): in no list but the author's own of those and the moderators'
 * queue, without a record of voters, its link free for others, and a comment's record in
 * its thread has no time, so that the thread has no such comment. When it is kept, its times
 * begin (release_1 in store/functions/remove.lua). If it is removed instead, held stays.
 */
#pragma once

#include "store/encoding.h"
#include "store/mod_action.h"

/* A vote is a state, and a request names the wanted state: a repeated request changes
 * nothing. */
enum vote { VOTE_NONE, VOTE_UP, VOTE_DOWN };

struct post {
	struct post_id id;
	struct member author;
	int64_t posted, closes;	 /* Unix seconds, Redis's clock */
	int64_t edited, removed; /* Unix seconds; 0: never */
	/* When it was posted to be looked at first; 0: it has been shown, maybe at once (below). */
	int64_t held;
	/* When flags folded it, until moderators look at it; 0: it is not. */
	int64_t folded;
	int64_t kept; /* when moderators last decided that it stays; 0: never */
	/* The author: it was withdrawn; id 0: removed by a command, or by its author acting as
	 * moderator. */
	struct member removed_by;
	/* A moderator's note: the reason for the last action on the post. */
	struct text mod_note;
	int64_t up, down;
	int64_t points; /* up - down */
	enum vote vote; /* the viewer's */
	/* The record of voters has not expired; not read for lists. */
	bool voters_known;
};

/* Schema rows for the post that a struct begins with. */
#define POST_ARTICLE(noun) FIELD("id", noun, post.id.article, ID, REQUIRED, KEY)
#define POST_ARTICLE_OF(noun) \
	FIELD("article", noun, post.id.article, ID, REQUIRED, KEY)
#define POST_COMMENT(noun) FIELD("id", noun, post.id.comment, ID, REQUIRED, KEY)
#define POST_AUTHOR(noun) \
	FIELD("author", noun, post.author, MEMBER, REQUIRED, BRIEF)
#define POST_POSTED(noun, extent) \
	FIELD("posted", noun, post.posted, MOMENT, REQUIRED, extent)
#define POST_CLOSES(noun, presence) \
	FIELD("closes", noun, post.closes, MOMENT, presence, BRIEF)
#define POST_EDITED(noun) \
	FIELD("edited", noun, post.edited, MOMENT, OPTIONAL, WHOLE)
#define POST_UP(noun, extent) \
	FIELD("up", noun, post.up, COUNT, REQUIRED, extent)
#define POST_DOWN(noun, extent) \
	FIELD("down", noun, post.down, COUNT, SPARSE, extent)
#define POST_REMOVED(noun) \
	FIELD("removed", noun, post.removed, MOMENT, NULLABLE, BRIEF)
#define POST_HELD(noun) FIELD("held", noun, post.held, MOMENT, OPTIONAL, WHOLE)
#define POST_FOLDED(noun) \
	FIELD("folded", noun, post.folded, MOMENT, OPTIONAL, BRIEF)
#define POST_KEPT(noun) FIELD("kept", noun, post.kept, MOMENT, OPTIONAL, WHOLE)
#define POST_REMOVED_BY(noun) \
	FIELD("removed_by", noun, post.removed_by, MEMBER, OPTIONAL, WHOLE)
#define POST_MOD_NOTE(noun) \
	FIELD_KEPT("ruling", noun, post.mod_note, TEXT, OPTIONAL, WHOLE)

/* Parses "up", "down" or "none". */
bool vote_parse(struct text word, enum vote *vote);
extern const struct text vote_words[];

/* True before post->closes and unless removed. Voting itself depends on voters_known as
 * well: see above. */
bool post_is_open(const struct post *post, int64_t now);

/* Adds one command that reads a member's vote, and reads its reply. */
void post_ask_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user);
enum vote post_read_vote(const struct reply *reply);

/* True when the author has removed it. */
bool post_is_withdrawn(const struct post *post);

/* True of a post that waits to be shown for the first time. */
bool post_is_waiting(const struct post *post);

/* Has a new post wait. */
void post_hold(struct post *post);

/*
 * Adds to a pipeline the call that sets a member's vote; returns the index of its reply, for
 * call_outcome. STORE_CLOSED after the voting window: the record of voters has expired (see
 * above). STORE_OWN for the author, whose vote was cast with the post and stays. STORE_ABSENT,
 * STORE_REMOVED, STORE_VOIDED. STORE_OK, and no change, when the vote has that state. An upvote
 * of a member who is no newcomer counts for the author (store/newcomer.h).
 */
enum voter_kind { VOTER_NEWCOMER, VOTER_SETTLED };
size_t post_send_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user, enum voter_kind voter, enum vote wanted);

/*
 * Voids a member's vote permanently, or counts it again. Does nothing when the vote has
 * that state. STORE_ABSENT when there is no vote; STORE_OWN for the author's;
 * STORE_REMOVED, STORE_CLOSED.
 */
enum voiding { VOIDING_VOID, VOIDING_COUNT };
STORE_CALL post_void(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum voiding wanted,
    const struct mod_action *action);

/*
 * The same for an act on many votes of a member (store/containment.h): instead of an entry in the
 * log the post is noted, for so many seconds, in a list of what the act did; or taken from it, if
 * the act is undone. STORE_TAKEN when that list does not have it.
 */
struct vote_act {
	struct member member;
	enum voiding wanted;
	uint64_t act; /* its number in the log */
	bool undoes;
	int64_t seconds;
};
STORE_CALL post_void_for(struct store *store, struct arena *arena,
    struct post_id id, const struct vote_act *act);

/* Removes a post, which takes it off every list. STORE_ABSENT. Does nothing when it is
 * removed already. */
STORE_CALL post_remove(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);

/* Removal by the author, while voting is open. STORE_ABSENT also when the member is not
 * the author; STORE_REMOVED when moderators have removed it; STORE_CLOSED. */
STORE_CALL post_withdraw(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user);

/* Permanent deletion by the author: the text is erased. STORE_ABSENT also when the member
 * is not the author; STORE_REMOVED when moderators have removed it. */
STORE_CALL post_delete(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user);

/* Restores a removed post, in the groups given. STORE_ABSENT; STORE_OWN when the author
 * has withdrawn it; STORE_HELD when it was never shown. Does nothing when it is not removed. */
STORE_CALL post_restore(struct store *store, struct arena *arena,
    struct post_id id, struct text groups, const struct mod_action *action);

/* Shows a post that was held, in the groups given; of a comment, named are the ids of members
 * whom it mentions, as words. STORE_ABSENT; STORE_OWN and STORE_REMOVED as above. Does nothing
 * when it is shown. */
STORE_CALL post_release(struct store *store, struct arena *arena,
    struct post_id id, struct text groups, struct text named,
    const struct mod_action *action);

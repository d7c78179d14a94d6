/*
 * Posts: what an article and a comment have in common. Each is written by a
 * member, takes votes until it closes, gives its author karma, and can be
 * removed and restored.
 *
 * The struct of either noun begins with its post, and its schema has the rows of
 * one: so there is one vote, one removal and one karma.
 */
#pragma once

#include "store/encoding.h"
#include "store/mod_action.h"

/* A vote is a state; a request names the state that is wanted. */
enum vote { VOTE_NONE, VOTE_UP, VOTE_DOWN };

struct post {
	struct post_id id;
	struct member author;
	int64_t posted, closes;	  /* Unix seconds, Redis's clock */
	int64_t edited, removed;  /* the moment; 0 for never */
	struct member removed_by; /* its author: it was withdrawn; nobody: a
				     command did, or its author as moderator */
	struct text mod_note;	  /* why moderators did what they did last */
	int64_t up, down;
	int64_t points;	   /* up - down */
	enum vote vote;	   /* the viewer's */
	bool voters_known; /* who voted is recorded; not read for a list */
};

/* The rows of a noun that begins with a post, for its schema. */
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
#define POST_REMOVED_BY(noun) \
	FIELD("removed_by", noun, post.removed_by, MEMBER, OPTIONAL, WHOLE)
#define POST_MOD_NOTE(noun) \
	FIELD_KEPT("ruling", noun, post.mod_note, TEXT, OPTIONAL, WHOLE)

/* "up", "down" or "none", and nothing else. */
bool vote_parse(struct text word, enum vote *vote);
extern const struct text vote_words[];

/* Whether it takes votes, as far as its hash says; article_get also looks
 * whether who voted is still recorded. */
bool post_is_open(const struct post *post, int64_t now);

/* Asks for a member's vote, with one command. */
void post_ask_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user);
enum vote post_read_vote(const struct reply *reply);

/* Whether its author has removed it. */
bool post_is_withdrawn(const struct post *post);

/*
 * Brings a member's vote to the state wanted. Asking for the state that is
 * there is STORE_OK and changes nothing. STORE_OWN for the author, whose vote was
 * cast with the post and stays. STORE_ABSENT, STORE_REMOVED, STORE_CLOSED,
 * STORE_VOIDED.
 */
STORE_CALL post_vote(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum vote wanted);

/*
 * Takes a member's vote back for good, or counts it again. If it is so already,
 * nothing changes. STORE_ABSENT when there is none; STORE_OWN for the author's; STORE_REMOVED, STORE_CLOSED.
 */
enum voiding { VOIDING_VOID, VOIDING_COUNT };
STORE_CALL post_void(struct store *store, struct arena *arena,
    struct post_id id, uint64_t user, enum voiding wanted,
    const struct mod_action *act);

/* Takes it out of every list. STORE_ABSENT. If it is removed already, nothing
 * changes. */
STORE_CALL post_remove(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *act);

/* The same by its author, while it takes votes. STORE_ABSENT also when the member is
 * not its author; STORE_REMOVED when moderators have removed it; STORE_CLOSED. */
STORE_CALL post_withdraw(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user);

/* Its author takes it back for good, text and all. STORE_ABSENT also when the member is
 * not its author; STORE_REMOVED when moderators have removed it. */
STORE_CALL post_delete(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user);

/* Puts it back as it was, but for groups, which are those given. STORE_ABSENT;
 * STORE_OWN when its author has withdrawn it. If it is not removed, nothing changes. */
STORE_CALL post_restore(struct store *store, struct arena *arena,
    struct post_id id, struct text groups, const struct mod_action *act);

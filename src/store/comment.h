/*
 * Comments on articles, and replies to them.
 */
#pragma once

#include "store/article.h"

struct comment {
	struct post post;
	int64_t parent;	  /* number of the parent comment; 0: the article */
	struct text text; /* Markdown; empty once its author deleted it */
	/* Existing members and groups that the text names: "@ann /g/redis". */
	struct text links;
};

extern const struct schema comment_schema;

/* The largest values that fit into a record of the thread (store/keys.h). A thread with
 * that many comments is closed. */
enum { COMMENT_NUMBER_MAX = 0xffffff, COMMENT_VOTES_MAX = 0xffffff };
#define COMMENT_POSTED_MAX INT64_C(0xffffffff)

/* A comment's record in the index of its thread (store/keys.h). The comment's hash
 * repeats only the removal. */
enum { COMMENT_RECORD_SIZE = 16 };
struct comment_record {
	uint64_t parent;
	int64_t posted, up, down;
	int64_t closes;		 /* in layout 4; 0: see the hash */
	uint64_t edition;	 /* number of changes, votes not counted */
	bool removed, withdrawn; /* withdrawn ones are removed, too */
};

/* Decodes a record; all is 0 for a comment that was never written. */
struct comment_record comment_record_read(struct text bytes);

/* Adds the two commands that read a whole comment. comment_read reads their replies and
 * advances *reply past them; false when there is no such comment. */
void comment_ask(
    struct pipeline *pipeline, const struct store *store, struct post_id id);
bool comment_read(const struct reply **reply, struct comment *comment);

/* Adds the command that reads the record alone. */
void comment_ask_record(
    struct pipeline *pipeline, const struct store *store, struct post_id id);

/* Completes a comment that was read from its hash with the fields of its record. */
void comment_add_record(struct text bytes, struct comment *comment);

/* Reads one comment with all fields, the viewer's vote (viewer 0: none), and Redis's
 * clock. STORE_ABSENT. A removed comment is STORE_OK, with removed set. */
STORE_CALL comment_get(struct store *store, struct arena *arena,
    struct post_id id, uint64_t viewer, struct comment *comment, int64_t *now);

/* Reads many comments in one round trip. */
struct comment_wanted {
	struct post_id id;
	bool hash, vote; /* read the hash; the viewer's vote */
	/* What was read, in the arena; its article is 0 when there is none. */
	struct comment *comment;
	enum vote cast;
};
STORE_CALL comment_get_some(struct store *store, struct arena *arena,
    uint64_t viewer, struct comment_wanted *wanted, size_t count);

/* Further arguments and results of posting a comment. */
struct comment_posting {
	const uint64_t *named; /* members who are mentioned */
	size_t named_count;    /* RULE_MENTIONS_MAX at most */
	bool is_reviewed;      /* add it to the queue */
	bool is_held;	       /* and show it once it was kept */
	int64_t wait;	       /* seconds; written with STORE_LIMITED */
};

/*
 * Gives the comment its number and casts its author's vote. Reads the article of its id,
 * the parent, text, links and the author; writes the number. The same function in Redis
 * queues notifications for the parent's author and for mentioned members
 * (store/relay.h).
 *
 * STORE_TAKEN, with the number of the earlier comment, when one of the last few that the author
 * wrote anywhere is there with the same parent and text, however old it is: the form was sent
 * twice. STORE_ABSENT when there is no such article or parent, STORE_REMOVED when either was
 * removed, STORE_CLOSED when the thread is, and STORE_LIMITED when flags have put the thread into
 * slow mode (RULE_SLOW_FLAGS) and the author has to wait.
 */
STORE_CALL comment_post(struct store *store, struct arena *arena,
    struct comment *comment, struct comment_posting *posting);

/* Replaces the text; later than RULE_COMMENT_GRACE seconds after posting, the comment is
 * marked as edited. STORE_ABSENT, STORE_REMOVED; STORE_CLOSED when the thread is. */
STORE_CALL comment_edit(struct store *store, struct arena *arena,
    struct post_id id, struct text text, struct text links);

/* Shows a comment that was held, and notifies whom it concerns: as post_release. comment_restore
 * does so to one that was removed and never shown, and otherwise as post_restore. */
STORE_CALL comment_release(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);
STORE_CALL comment_restore(struct store *store, struct arena *arena,
    struct post_id id, const struct mod_action *action);

/*
 * Comments: what members say to an article, and to each other there.
 */
#pragma once

#include "store/article.h"

struct comment {
	struct post post;
	int64_t parent;	   /* the number of what it answers; 0: the article */
	struct text text;  /* Markdown; empty once its author deleted it */
	struct text links; /* whom and which groups the text names, of those
			      that there are: "@ann /g/redis" */
};

extern const struct schema comment_schema;

/* What a thread's record of one has room for (store/keys.h): then a thread is closed. */
enum { COMMENT_NUMBER_MAX = 0xffffff, COMMENT_VOTES_MAX = 0xffffff };
#define COMMENT_POSTED_MAX INT64_C(0xffffffff)

/* What a comment's record in the index of its thread says (store/keys.h): the hash has
 * none of it but for the removal, and at times for when it closes. */
enum { COMMENT_RECORD_SIZE = 16 };
struct comment_record {
	uint64_t parent;
	int64_t posted, up, down;
	int64_t closes;	  /* 0: the hash says it */
	uint64_t edition; /* how often it was changed but for its counts */
	bool removed, withdrawn; /* the former in either case */
};

/* From the bytes; of what was never written nothing is set. */
struct comment_record comment_record_read(struct text bytes);

/* Asks for one whole, with two commands; comment_read takes their replies, the next of
 * which *reply is then. False when there is none. */
void comment_ask(
    struct pipeline *pipeline, const struct store *store, struct post_id id);
bool comment_read(const struct reply **reply, struct comment *comment);

/* Adds what its record says to a comment of which the hash was read. */
void comment_add_record(struct text bytes, struct comment *comment);

/* One comment whole, with the vote of viewer (0: nobody's), and Redis's clock.
 * STORE_ABSENT. A removed one is STORE_OK, with removed set. */
STORE_CALL comment_get(struct store *store, struct arena *arena,
    struct post_id id, uint64_t viewer, struct comment *comment, int64_t *now);

/* Of many comments at once, in one round trip: what is wanted of each. */
struct comment_wanted {
	struct post_id id;
	bool hash, vote; /* all but its record; the viewer's vote */
	struct comment
	    comment; /* written; its article is 0 when it is not there */
};
STORE_CALL comment_get_some(struct store *store, struct arena *arena,
    uint64_t viewer, struct comment_wanted *wanted, size_t count);

/* What posting takes besides the comment. */
struct comment_posting {
	const uint64_t *named; /* members who are told, if it is news to them */
	size_t named_count;    /* RULE_MENTIONS_MAX at most */
	bool is_first;	       /* moderators are to look at it */
	int64_t wait;	       /* seconds; written with STORE_LIMITED */
};

/*
 * Gives the comment its number and casts its author's vote. Reads the article of its id,
 * the parent, text, links and the author; writes the number. In the same step it says
 * whom to tell: the author of what it answers, and who is named (store/relay.h).
 *
 * STORE_TAKEN, with that one's number, when the author has written the same there: a
 * form was sent twice. STORE_ABSENT when there is no such article or parent,
 * STORE_REMOVED when either was removed, STORE_CLOSED when the thread is, and
 * STORE_LIMITED when flags come fast in it and the author has to wait.
 */
STORE_CALL comment_post(struct store *store, struct arena *arena,
    struct comment *comment, struct comment_posting *posting);

/* Changes what it says; after RULE_COMMENT_GRACE seconds that is noted. STORE_ABSENT,
 * STORE_REMOVED; STORE_CLOSED when the thread is. */
STORE_CALL comment_edit(struct store *store, struct arena *arena,
    struct post_id id, struct text text, struct text links);

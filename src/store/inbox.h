/*
 * A member's inbox: notices of comments, each with its reason, of moderators' actions that
 * concern the member, and of recovery codes that were used; and the threads that the member has
 * muted.
 *
 * Notices are numbered from 1 as they arrive. user.notified is the last number, and all up to
 * user.read were read; after that some were read by themselves (user.read_ahead of them), and
 * the others are unread. An inbox stores the newest
 * INBOX_MAX. The relay fills it (store/relay.h). A notice refers to its comment, which may
 * have been removed meanwhile, or to the action in the log, which has the reason and stays.
 *
 * All keys are in the member's slot, and a call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum {
	INBOX_MAX = 500,
	/* The former limit: an inbox is cut to INBOX_MAX by its next notice. */
	INBOX_FORMER_MAX = 10000,
	INBOX_MUTES_MAX = 500
};

/* A comment on the member's article, a reply to the member's comment, or a comment that
 * names the member; what a moderator did; or that a recovery code set a new password, or stood
 * for the second factor. Stored by number in inboxes, and by word in outboxes and dumps. */
enum notice_reason {
	NOTICE_ARTICLE,
	NOTICE_REPLY,
	NOTICE_MENTION,
	NOTICE_ACTION,
	NOTICE_CODE_PASSWORD,
	NOTICE_CODE_FACTOR
};
extern const struct text notice_words[];
bool notice_parse(struct text word, enum notice_reason *why);

struct notice {
	uint64_t number; /* from 1; not stored in the entry, but as its score */
	bool is_read;	 /* by itself; with the score, as half a number more */
	struct post_id comment; /* of the first three */
	enum notice_reason reason;
	uint64_t action; /* of NOTICE_ACTION (store/mod_action.h); or 0 */
	int64_t used; /* when a recovery code was; 0: the notice is of none */
	int64_t left; /* how many were left then */
};

/* Encodes a notice as a member of the sorted set, encode_post and a byte for the reason; that of
 * a recovery code as its moment, likewise, how many are left, and the reason. And decodes it,
 * with its number from the score. False when it is damaged. */
struct text notice_encode(struct arena *arena, const struct notice *notice);
bool notice_decode(
    struct text entry, const struct reply *number, struct notice *notice);

/* Reads up to count notices, newest first, after the first start; *got of *total. Damaged
 * ones are left out. */
STORE_CALL inbox_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct notice **notices, size_t *got,
    uint64_t *total);

/* Marks all notices up to a number as read, never fewer than before. STORE_ABSENT when
 * there is no such member. */
STORE_CALL inbox_mark_read(
    struct store *store, struct arena *arena, uint64_t user, uint64_t number);

/* Reads the notice with a number. STORE_ABSENT when there is none. */
STORE_CALL inbox_find(struct store *store, struct arena *arena, uint64_t user,
    uint64_t number, struct notice *notice);

/* Marks one notice as read, by its number. STORE_ABSENT as above. */
STORE_CALL inbox_mark_notice_read(
    struct store *store, struct arena *arena, uint64_t user, uint64_t number);

/* Marks the notices of these comments of an article as read; of all, if count is 0. It is a
 * hint, which may be lost (redis_hint). */
void inbox_hint_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t article, const uint64_t *comments, size_t count);

/* Marks the notices of one comment as read. A hint as well, and cheaper than the other in an inbox
 * with many notices. */
void inbox_hint_comment_read(struct store *store, struct arena *arena,
    uint64_t user, struct post_id comment);

/*
 * Adds a command that notifies a member of a comment by author, or of an action (author 0). A
 * notice that is still stored is not added twice, and none of a comment is added when the article
 * is muted, or when it or the author is hidden (store/hidden.h).
 * The reply is for call_outcome: STORE_OK, or STORE_ABSENT when there is no such member or
 * the account is closed.
 */
void inbox_notify(struct pipeline *pipeline, uint64_t user,
    const struct notice *notice, uint64_t author);

/* A mute: no notices of comments on an article. Members who were muted before that was hiding
 * are found in data and dumps, and hidden by refreshing or loading them. */
struct mute {
	enum mute_kind { MUTE_ARTICLE, MUTE_MEMBER } kind;
	uint64_t id;
};

/* Encodes a mute as a member of the set, and decodes it; false when it is damaged. */
struct text mute_encode(struct arena *arena, struct mute mute);
bool mute_decode(struct text word, struct mute *mute);

/* Order for qsort: articles first, then by id. */
int mute_compare(const void *a, const void *b);

/* Mutes and unmutes an article's thread. Notices in the inbox stay. STORE_OK also when nothing
 * changes. STORE_FULL when there are INBOX_MUTES_MAX already; STORE_ABSENT when there is no
 * such member, or the account is closed. */
STORE_CALL inbox_mute(
    struct store *store, struct arena *arena, uint64_t user, uint64_t article);
STORE_CALL inbox_unmute(
    struct store *store, struct arena *arena, uint64_t user, uint64_t article);

/* Reads the muted articles, in the order of their ids. */
STORE_CALL inbox_mutes(struct store *store, struct arena *arena, uint64_t user,
    uint64_t **articles, size_t *count);

/* Adds a command that checks an inbox for `tally check` within the member's slot. The
 * reply is a list of up to count notices, newest first, after the first start, entries and
 * numbers in turn; and when start is 0, a list of the mutes, and then sentences that say
 * what is wrong. */
void inbox_check(
    struct pipeline *pipeline, uint64_t user, uint64_t start, uint64_t count);

/*
 * Add a notice or a muted article from a dump. The reply is for call_outcome: STORE_TAKEN when
 * it exists already, or the account is closed; STORE_FULL as above. A notice has the number
 * that it has in the dump, and is added although muted.
 */
void inbox_load(
    struct pipeline *pipeline, uint64_t user, const struct notice *notice);
void inbox_load_mute(
    struct pipeline *pipeline, uint64_t user, uint64_t article);

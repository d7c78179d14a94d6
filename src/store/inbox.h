/*
 * A member's inbox: the comments that the member was told of, and why; and what the
 * member does not want to be told of.
 *
 * An inbox counts what it gets, and what it gets has the count as its number: those
 * above the number up to which the member has read are unread (struct user). It keeps
 * the newest INBOX_MAX. What fills it is the relay (store/relay.h); that a comment was
 * removed meanwhile, or what it says, is with the comment.
 *
 * Everything lies in the member's slot, and a call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum {
	INBOX_MAX = 500,
	INBOX_FORMER_MAX = 10000, /* of one that got nothing since it was so */
	INBOX_MUTES_MAX = 500
};

/* A comment to the member's article, an answer to the member's comment, or one that
 * names the member. They stand in Redis by their numbers, and in outboxes as words. */
enum notice_reason { NOTICE_ARTICLE, NOTICE_REPLY, NOTICE_MENTION };
extern const struct text notice_words[];
bool notice_parse(struct text word, enum notice_reason *why);

struct notice {
	uint64_t number; /* from 1; set when it is read */
	struct post_id comment;
	enum notice_reason reason;
};

/* As it stands in the sorted set: the comment, and a byte that says why. And back, with
 * its number; false when it is damaged. */
struct text notice_encode(struct arena *arena, const struct notice *notice);
bool notice_decode(
    struct text entry, const struct reply *number, struct notice *notice);

/* Up to count notices, the newest first, after the first start; *got of them, of
 * *total. What is damaged is left out. */
STORE_CALL inbox_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct notice **notices, size_t *got,
    uint64_t *total);

/* The member has read all notices up to that number; what was read stays so.
 * STORE_ABSENT when there is no such member. */
STORE_CALL inbox_mark_read(
    struct store *store, struct arena *arena, uint64_t user, uint64_t number);

/*
 * Adds telling the member of a comment of author's. Done twice it is done once, as
 * long as the notice is among those that are kept; nothing is done when the article or
 * the author is muted. The reply is a call_outcome: STORE_OK, or STORE_ABSENT when
 * there is no such member or the account is closed.
 */
void inbox_notify(struct pipeline *pipeline, uint64_t user,
    const struct notice *notice, uint64_t author);

/* What a member is not told of: comments to an article, or of a member's. */
struct mute {
	enum mute_kind { MUTE_ARTICLE, MUTE_MEMBER } kind;
	uint64_t id;
};

/* As it stands in the set, and back; false when it is damaged. */
struct text mute_encode(struct arena *arena, struct mute mute);
bool mute_decode(struct text word, struct mute *mute);

/* For qsort: articles first, and then by id. */
int mute_compare(const void *a, const void *b);

/* What is in the inbox already stays. STORE_OK also when it is muted, or is not, already,
 * and of the member, who is not muted then: nobody is told of what is their own.
 * STORE_FULL when INBOX_MUTES_MAX others are; STORE_ABSENT when there is no such
 * member, or the account is closed. */
STORE_CALL inbox_mute(
    struct store *store, struct arena *arena, uint64_t user, struct mute mute);
STORE_CALL inbox_unmute(
    struct store *store, struct arena *arena, uint64_t user, struct mute mute);

/* All, articles first and then by id. */
STORE_CALL inbox_mutes(struct store *store, struct arena *arena, uint64_t user,
    struct mute **mutes, size_t *count);
STORE_CALL inbox_is_muted(struct store *store, struct arena *arena,
    uint64_t user, struct mute mute, bool *is_muted);

/* What of an inbox can be told to be wrong in the member's slot, and notices for whoever
 * looks at these: the reply is a list of up to count, the newest first, after the first
 * start, entries and numbers in turn; and, when start is 0, a list of what is muted, and
 * then sentences. */
void inbox_check(
    struct pipeline *pipeline, uint64_t user, uint64_t start, uint64_t count);

/*
 * For loading what a dump has. The reply is a call_outcome, STORE_TAKEN when it is there
 * already, or the account is closed. A notice gets the number that it has, up to which
 * the member was told then, be it muted or not; STORE_FULL as above.
 */
void inbox_load(
    struct pipeline *pipeline, uint64_t user, const struct notice *notice);
void inbox_load_mute(
    struct pipeline *pipeline, uint64_t user, struct mute mute);

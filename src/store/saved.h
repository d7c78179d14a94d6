/*
 * What a member has saved: articles and comments, by the moment of saving. It is nobody
 * else's business, and stays when a post is removed, closed or edited.
 *
 * user.saves counts the changes, by which workers cache the set (lists/saved_marks.h). All is
 * in the member's slot, and a call costs one round trip.
 */
#pragma once

#include "redis/pipeline.h"
#include "redis/reply.h"
#include "store/store.h"

enum { SAVED_MAX = 2000 };

struct saved {
	struct post_id post;
	int64_t at; /* Unix seconds */
};

/* A state, and a request names the wanted one, as with votes: "off" and "on". */
enum saving { SAVING_OFF, SAVING_ON };
bool saving_parse(struct text word, enum saving *saving);

/* Saves a post, or the reverse; that it exists is for the caller to see. STORE_OK also when
 * nothing changes. STORE_FULL when SAVED_MAX are saved; STORE_ABSENT when there is no such
 * member, or the account is closed. */
STORE_CALL saved_set(struct store *store, struct arena *arena, uint64_t user,
    struct post_id post, enum saving wanted);

/* Reads up to count, newest first, after the first start; *got of *total. Damaged ones are
 * left out. */
STORE_CALL saved_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct saved **items, size_t *got,
    uint64_t *total);

/* Reads an entry of the set with its score; false when it is damaged. */
bool saved_decode(
    struct text entry, const struct reply *score, struct saved *saved);

/* Adds the call that saves a post from a dump. Its reply is for call_outcome: STORE_TAKEN when
 * it is saved already, or the account is closed; STORE_FULL as above. */
void saved_load(
    struct pipeline *pipeline, uint64_t user, const struct saved *saved);

/*
 * Reading replies: what a reply is not comes out as nothing, 0 or empty, so
 * that a reply of another shape than expected is never read past its end.
 */
#ifndef REDIS_REPLY_H
#define REDIS_REPLY_H

#include "redis/redis.h"
#include "store/store.h"

struct text reply_text(const struct reply *reply);

/* A number of at most fifteen digits, so that sums stay within 64 bits; also
 * one that Redis keeps as text. */
int64_t reply_number(const struct reply *reply);

/* The same of a text that was part of a reply. */
int64_t reply_number_of(struct text text);

/* How many members: not below 0, and below 2^31. */
int64_t reply_members(const struct reply *reply);

/* The item at index of a list; a nil for what is not there. */
const struct reply *reply_item(const struct reply *reply, size_t index);

/*
 * What a function of ours answered first: 'ok' or the name of another result.
 * STORE_DOWN, and logged, when it is neither.
 */
enum store_result reply_result(const struct reply *reply);

/* TIME's reply in whole seconds. */
int64_t reply_seconds(const struct reply *reply);

#endif

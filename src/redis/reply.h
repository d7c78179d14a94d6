/*
 * Replies of Redis, and how they are read: what a reply is not comes out as
 * nothing, 0 or empty, so that one of another shape than expected is never read
 * past its end.
 */
#pragma once

#include "base/text.h"

enum reply_kind {
	REPLY_NIL,
	REPLY_NUMBER,
	REPLY_TEXT, /* a string or a status */
	REPLY_LIST,
	REPLY_ERROR, /* text says which; redis_run never leaves one */
	REPLY_LOST   /* there is none; nor does it leave one */
};

struct reply {
	enum reply_kind kind;
	int64_t number;
	struct text text;
	struct reply *items;
	size_t count;
};

struct text reply_text(const struct reply *reply);

/* A number of at most fifteen digits, so that sums stay within 64 bits; also
 * one that Redis keeps as text. */
int64_t reply_number(const struct reply *reply);

/* The same of a text that was part of a reply. */
int64_t reply_number_of(struct text text);

/* How many: not below 0, and below 2^31; 0 when it is anything else. */
int64_t reply_count(const struct reply *reply);

/* A cursor or an id that came as text; 0 when it is none. */
uint64_t reply_id(const struct reply *reply);

/* The item at index of a list; a nil for what is not there. */
const struct reply *reply_item(const struct reply *reply, size_t index);

/* TIME's reply in whole seconds, and in milliseconds. */
int64_t reply_seconds(const struct reply *reply);
int64_t reply_milliseconds(const struct reply *reply);

/*
 * The store: the rules of the data, and the only code that knows Redis.
 *
 * Every call may wait for Redis, and lets others run meanwhile when it is made
 * in a fiber. What changes two keys runs as one Redis function, so that nobody
 * sees half of it. Texts in results lie in the arena that the call was given.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/arena.h"
#include "base/text.h"
#include "store/rules.h"

struct redis;

struct store {
	struct redis *redis;
	struct rules rules;
	struct text secret; /* the site's, for tokens */
};

/* Each call says which of these it has. */
enum store_result {
	STORE_OK,
	STORE_ABSENT,  /* there is no such thing */
	STORE_TAKEN,   /* a name or link that somebody has already */
	STORE_REMOVED, /* the article was removed by a moderator */
	STORE_CLOSED,  /* voting on the article has ended */
	STORE_FULL,    /* the article is in as many groups as it can be */
	STORE_LIMITED, /* that was done too often for now */
	STORE_DOWN     /* Redis did not answer: nothing is known */
};

#define STORE_CALL __attribute__((warn_unused_result)) enum store_result

#endif

/*
 * The store: what exists in Redis, and what changes it.
 *
 * Every call may wait for Redis; in a fiber, others run meanwhile. What changes
 * two keys is one function in Redis, so that nobody sees half of it. Texts in
 * results are in the arena that the call was given.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"
#include "store/keys.h"
#include "store/rules.h"

struct redis;
struct versions_cache;

struct store {
	struct redis *redis;
	struct versions_cache
	    *versions; /* store/versions.h; NULL: read always */
	struct rules rules;
	struct buckets buckets; /* as the site was created with */
	struct text secret;	/* the site's, for tokens */
};

/* Each call's contract says which of these it returns. */
enum store_result {
	STORE_OK,
	STORE_ABSENT,  /* there is no such thing */
	STORE_TAKEN,   /* somebody has that name or link already */
	STORE_REMOVED, /* the article was removed by a moderator or its author */
	STORE_CLOSED,  /* voting on the article has ended */
	STORE_OWN,     /* nobody votes on what is their own */
	STORE_FULL,    /* the article is in as many groups as it can be */
	STORE_LIMITED,	  /* too often for now */
	STORE_VOIDED,	  /* a moderator has voided that member's vote */
	STORE_SUSPENDED,  /* the member is, and cannot log in */
	STORE_LAST_OWNER, /* nobody else would be an owner */
	STORE_DOWN /* Redis did not answer: it may have been done or not */
};

#define STORE_CALL __attribute__((warn_unused_result)) enum store_result

/*
 * What waits: posts for moderators, and comments for the relay (store/outbox.h).
 */
#pragma once

#include "store/store.h"

struct backlog {
	int64_t queue;	/* posts in the moderation queue */
	int64_t outbox; /* comments that members are to be notified of */
	/* For which the oldest of them waits; 0: none does. */
	int64_t oldest_ms;
};

/* Three commands a bucket. STORE_DOWN when any is not answered. */
STORE_CALL backlog_read(
    struct store *store, struct arena *arena, struct backlog *backlog);

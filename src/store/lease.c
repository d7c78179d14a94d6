#include "store/lease.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/keys.h"

enum {
	RENEW_MS = 5000,
	HOLD_MS = 20000, /* from asking for it: less than it lasts in Redis */
	LEASE_SECONDS = 30
};

/* The site's hash is read after the lease is written: a mover that has not seen the lease has
 * left its mark there (move_alone_1). One pipeline would not do: a slot that is being moved may
 * answer its commands in another order. */
STORE_CALL
lease_renew(struct store *store, struct arena *arena, struct text layout,
    bool *is_contested)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *site;
	uint64_t known;

	/* Where no writes are taken, others say so. */
	pipeline.is_quiet = true;
	pipeline_add_replicated(&pipeline, TEXT("SET"),
	    key_lease(arena, layout), TEXT("1"), TEXT("EX"),
	    text_number(arena, LEASE_SECONDS));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	site = store_read(store, arena, TEXT("HMGET"), KEY_SITE,
	    TEXT("version"), KEYS_FROM, KEYS_ALONE);
	if (site == NULL)
		return STORE_DOWN;
	*is_contested = text_to_u64(layout, &known) &&
	    reply_id(reply_item(site, 0)) > known;
	if (!*is_contested ||
	    (text_equal(reply_text(reply_item(site, 1)), layout) &&
		reply_item(site, 2)->kind == REPLY_NIL))
		return STORE_OK;
	return STORE_MISMATCH;
}

static bool
lease_is_recent(int64_t moment, int64_t now, int64_t ms)
{
	return moment != 0 && now - moment < ms;
}

static void
lease_note(struct lease *lease, int64_t asked_at, enum store_result result)
{
	static int64_t logged_at;

	lease->result = result;
	if (result == STORE_OK)
		lease->renewed_at = asked_at;
	else
		lease->failed_at = clock_monotonic_ms();
	if (result == STORE_MISMATCH)
		log_limited(&logged_at,
		    "a newer Tally has moved the data on to a layout that "
		    "this one cannot read");
}

STORE_CALL
lease_hold(struct store *store, struct arena *arena, struct lease *lease)
{
	int64_t now = clock_monotonic_ms();

	if (lease_is_recent(lease->renewed_at, now,
		lease->is_renewing ? HOLD_MS : RENEW_MS))
		return STORE_OK;
	if (!lease_is_recent(lease->failed_at, now, RENEW_MS)) {
		lease->is_renewing = true;
		lease_note(lease, now,
		    lease_renew(
			store, arena, KEYS_VERSION, &lease->is_contested));
		lease->is_renewing = false;
		now = clock_monotonic_ms();
	}
	if (lease->result == STORE_DOWN &&
	    (!lease->is_contested ||
		lease_is_recent(lease->renewed_at, now, HOLD_MS)))
		return STORE_OK;
	return lease->result;
}

#include "store/backlog.h"

#include "redis/redis.h"
#include "store/outbox.h"

enum { COMMANDS = 4 /* a bucket */ };

static void
ask_bucket(
    struct pipeline *pipeline, const struct store *store, uint64_t bucket)
{
	const struct buckets *buckets = &store->buckets;
	struct text queue = key_queue(pipeline->arena, buckets, bucket);
	struct text outbox = key_outbox(pipeline->arena, buckets, bucket);

	pipeline_add(pipeline, TEXT("ZCARD"), queue);
	pipeline_add(pipeline, TEXT("XLEN"), outbox);
	pipeline_add(pipeline, TEXT("XRANGE"), outbox, TEXT("-"), TEXT("+"),
	    TEXT("COUNT"), TEXT("1"));
	pipeline_add_time(pipeline, outbox);
}

/* How long the first of some entries waits; 0 without one. */
static int64_t
age_of_first(const struct reply *entries, int64_t now)
{
	struct outbox_id id;
	int64_t age;

	if (entries->count == 0 ||
	    !outbox_read_id(
		reply_text(reply_item(reply_item(entries, 0), 0)), &id))
		return 0;
	age = now - (int64_t)id.moment;
	return age > 0 ? age : 0;
}

STORE_CALL
backlog_read(struct store *store, struct arena *arena, struct backlog *backlog)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	*backlog = (struct backlog){ .queue = 0 };
	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_bucket(&pipeline, store, b);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *replies = &pipeline.replies[b * COMMANDS];
		int64_t age =
		    age_of_first(&replies[2], reply_milliseconds(&replies[3]));

		backlog->queue += reply_number(&replies[0]);
		backlog->outbox += reply_number(&replies[1]);
		if (age > backlog->oldest_ms)
			backlog->oldest_ms = age;
	}
	return STORE_OK;
}

#include "store/points.h"

#include "base/arena.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"

enum { POSTED_BITS = 32 };

static bool
parse_state(struct text field, int64_t *moment)
{
	struct text word;
	uint64_t id;

	return text_next_word(&field, &word) && text_to_i64(word, moment) &&
	    *moment >= 0 && text_next_word(&field, &word) &&
	    text_to_u64(word, &id) && field.size == 0;
}

bool
points_is_state(struct text field)
{
	int64_t moment;

	return parse_state(field, &moment);
}

int64_t
points_posted(int64_t score)
{
	return score & ((INT64_C(1) << POSTED_BITS) - 1);
}

int64_t
points_of_score(int64_t score)
{
	return (score - points_posted(score)) / (INT64_C(1) << POSTED_BITS);
}

STORE_CALL
points_read_placed(struct store *store, struct arena *arena, int64_t *moments,
    bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_versions(arena, &store->buckets, b), POINTS_FIELD);
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		if (!parse_state(reply_text(&pipeline.replies[b]), &moments[b]))
			moments[b] = 0;
	return STORE_OK;
}

/* Why a bucket was not placed; an empty text when it was. */
static struct text
fault_of(const struct reply *reply)
{
	if (reply->kind == REPLY_LOST)
		return TEXT("Redis does not answer");
	return reply->kind == REPLY_ERROR ? reply->text : TEXT("");
}

bool
points_step(struct store *store, struct arena *arena, int64_t *logged)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text why = TEXT("");
	bool has_more = false;

	for (uint64_t b = 0; b < store->buckets.count; b++)
		call_send_write(&pipeline, "points_1",
		    key_versions(arena, &store->buckets, b),
		    text_number(arena, POINTS_STEP));
	/* Each reply is judged by itself. */
	if (!redis_try(&pipeline))
		why = TEXT("Redis does not answer");
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *reply = &pipeline.replies[b];
		struct text fault = fault_of(reply);

		if (fault.size > 0)
			why = fault;
		else
			has_more |= reply_number(reply) >= POINTS_STEP;
	}
	if (why.size > 0)
		log_limited(logged,
		    "articles wait to be placed by points: %.*s",
		    TEXT_ARGS(why));
	return has_more;
}

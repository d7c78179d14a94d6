#include "archive/containments.h"

#include <inttypes.h>
#include <string.h>

#include "archive/check_keys.h"
#include "base/arena.h"
#include "redis/redis.h"
#include "store/containment.h"
#include "store/function_call.h"
#include "store/keys.h"

enum {
	RECORDS_BATCH = 25,
	LISTS_BATCH = 4,   /* in steps of 50 entries */
	EXPIRY_BATCH = 500 /* lists whose expiry is read at once */
};

/* The records, and the set of their numbers. */

static void
ask_record(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	struct call call =
	    call_begin(&check->step, CALL_READS, "check_containment_1",
		key_containment(
		    &check->step, &check->store->buckets, place->id.article));

	schema_add_required(&call, &containment_schema);
	call_send(&call, pipeline);
}

static void
send_repair(struct check *check, uint64_t act)
{
	struct pipeline *repairs = check_repairs(check);
	struct call call;

	if (repairs == NULL)
		return;
	call = call_begin(repairs->arena, CALL_WRITES, "repair_containment_1",
	    key_containment(repairs->arena, &check->store->buckets, act));
	call_add_number(&call, CONTAINMENT_UNDO_SECONDS);
	schema_add_required(&call, &containment_schema);
	call_send(&call, repairs);
}

static void
take_record(
    struct check *check, const struct place *place, const struct reply *reply)
{
	check_report_all(check,
	    text_format(
		&check->step, "containment %" PRIu64, place->id.article),
	    reply, 0);
	if (reply->count > 0)
		send_repair(check, place->id.article);
}

static int
compare_places(const void *a, const void *b)
{
	uint64_t one = ((const struct place *)a)->id.article;
	uint64_t other = ((const struct place *)b)->id.article;

	return (one > other) - (one < other);
}

/* Adds those that the set names to those that the scan has found. */
static enum store_result
add_listed(struct check *check)
{
	struct arena *memory = &check->memory;
	struct places *places = &check->all.places[KEYSCAN_CONTAINMENTS];
	struct text open = key_containments(memory, &check->store->buckets);
	struct buffer all = buffer_in(memory, 1024);
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	pipeline_add(&pipeline, TEXT("SMEMBERS"), open);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	buffer_add(&all,
	    (struct text){
		(char *)places->items, places->count * sizeof(struct place) });
	for (size_t i = 0; i < pipeline.replies[0].count; i++) {
		struct text name =
		    reply_text(reply_item(&pipeline.replies[0], i));
		const struct check_entry entry = { "SREM", open, name };
		struct place place = { .bucket = 0 };

		if (text_to_u64(name, &place.id.article) &&
		    key_bucket_of(&check->store->buckets, place.id.article) ==
			0) {
			buffer_add(&all,
			    (struct text){ (char *)&place, sizeof(place) });
			continue;
		}
		check_report(check,
		    text_format(memory, "%.*s: \"%.*s\" is no containment",
			TEXT_ARGS(open), TEXT_ARGS(name)));
		check_remove(check, &entry);
	}
	places->items = (struct place *)(void *)all.data;
	places->count =
	    keyscan_sort_unique(&all, sizeof(struct place), compare_places);
	return check_repair(check);
}

/* The lists of what they have changed. */

static bool
is_list_of_changes(struct text key)
{
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum key_kind kind = key_parse(key, &bucket, &id, &list);

	return kind == KEY_CONTAINED || kind == KEY_REVOKED;
}

static bool
start_list(struct check *check, size_t *next, struct check_cursor *cursor)
{
	while (*next < check->all.list_count) {
		cursor->list = check->all.lists[(*next)++];
		if (is_list_of_changes(cursor->list))
			return true;
	}
	return false;
}

static void
ask_list(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	pipeline_add(pipeline, TEXT("ZSCAN"), cursor->list,
	    text_number(&check->step, (int64_t)cursor->position));
}

/* The act that has changed a post is its score; minus it, once somebody has decided otherwise. */
static void
check_entry_of(
    struct check *check, struct text list, struct text post, struct text score)
{
	struct arena *step = &check->step;
	const struct check_entry entry = { "ZREM", list, post };
	struct place act = { .bucket = 0 };
	struct text digits = text_starts(score, TEXT("-"))
	    ? text_slice(score, 1, score.size - 1)
	    : score;
	struct text problem = text_format(step,
	    "%.*s: act %.*s, which changed %.*s, is not in the log",
	    TEXT_ARGS(list), TEXT_ARGS(digits),
	    TEXT_ARGS(key_post_name(step, decode_post(post))));

	if (!text_to_u64(digits, &act.id.article) || act.id.article == 0 ||
	    key_bucket_of(&check->store->buckets, act.id.article) != 0) {
		check_report(check, problem);
		check_remove(check, &entry);
	} else if (!keyscan_has_act(&check->all.places[KEYSCAN_ACTS], &act))
		check_expect(check,
		    key_mod_action(
			step, &check->store->buckets, act.id.article),
		    problem, &entry);
}

static bool
take_list(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	const struct reply *entries = reply_item(reply, 1);

	for (size_t i = 0; i + 1 < entries->count; i += 2)
		check_entry_of(check, cursor->list,
		    reply_text(reply_item(entries, i)),
		    reply_text(reply_item(entries, i + 1)));
	cursor->position = reply_id(reply_item(reply, 0));
	return cursor->position != 0;
}

static void
check_expiry(struct check *check, struct text list, const struct reply *left)
{
	struct pipeline *repairs = check_repairs(check);

	if (reply_number(left) != -1)
		return;
	check_report(check,
	    text_format(
		&check->step, "%.*s: it does not expire", TEXT_ARGS(list)));
	if (repairs != NULL)
		pipeline_add_replicated(repairs, TEXT("EXPIRE"), list,
		    text_number(repairs->arena,
			containment_entry_seconds(check->store)));
}

/* Which votes were voided is kept as long as that may be taken back, and no longer. */
static enum store_result
check_expiries(struct check *check)
{
	struct text lists[EXPIRY_BATCH];
	struct check_cursor cursor;
	size_t next = 0, count;

	do {
		struct pipeline pipeline =
		    pipeline_begin(check->store->redis, &check->step);

		for (count = 0;
		    count < EXPIRY_BATCH && start_list(check, &next, &cursor);
		    count++) {
			lists[count] = cursor.list;
			pipeline_add(&pipeline, TEXT("TTL"), cursor.list);
		}
		if (count > 0 && !check_run(check, &pipeline))
			return STORE_DOWN;
		for (size_t i = 0; i < count; i++)
			check_expiry(check, lists[i], &pipeline.replies[i]);
		if (check_repair(check) != STORE_OK)
			return STORE_DOWN;
		arena_reset(&check->step);
	} while (count == EXPIRY_BATCH);
	return STORE_OK;
}

STORE_CALL
containments_check(struct check *check)
{
	static const struct check_places records = { KEYSCAN_CONTAINMENTS,
		"a containment lies", RECORDS_BATCH, ask_record, take_record };
	static const struct check_scan lists = { LISTS_BATCH, start_list,
		ask_list, take_list };
	enum store_result result = add_listed(check);

	if (result == STORE_OK)
		result = check_places(check, &records);
	if (result == STORE_OK)
		result = check_expiries(check);
	return result == STORE_OK ? check_scan_all(check, &lists) : result;
}

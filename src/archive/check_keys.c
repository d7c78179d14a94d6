#include "archive/check_keys.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "archive/noun.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

enum {
	COMMANDS_BATCH = 500, /* that examine one key */
	KEYS_BATCH = 100,
	MAX_EXAMINATIONS = 3, /* of what is wrong, before it is a break */
	PAUSE_MS = 50	      /* between them: a registration takes some round
				 trips */
};

/* A break, unless the key exists. */
struct expected {
	struct text key, problem;
	struct check_entry entry; /* of no command when there is none */
};

void
check_report(struct check *check, struct text problem)
{
	for (size_t i = 0; i < problem.size; i++) {
		unsigned char c = (unsigned char)problem.data[i];

		putc(c < ' ' || c == 0x7f ? '?' : c, check->out);
	}
	putc('\n', check->out);
	check->breaks++;
}

void
check_report_all(struct check *check, struct text where,
    const struct reply *reply, size_t start)
{
	for (size_t i = start; i < reply->count; i++)
		check_report(check,
		    text_format(&check->step, "%.*s: %.*s", TEXT_ARGS(where),
			TEXT_ARGS(reply_text(reply_item(reply, i)))));
}

/* Whether Redis or one of our functions met what it could not read. */
static bool
is_damage(struct text error)
{
	return text_starts(error, TEXT("WRONGTYPE ")) ||
	    text_starts(error, TEXT("ERR user_function:"));
}

bool
check_run(struct check *check, struct pipeline *pipeline)
{
	if (!redis_run_each(pipeline))
		return false;
	for (size_t i = 0; i < pipeline->count; i++) {
		struct reply *reply = &pipeline->replies[i];

		if (reply->kind != REPLY_ERROR || !is_damage(reply->text))
			continue;
		if (!text_starts(reply->text, TEXT("WRONGTYPE ")))
			check_report(check,
			    text_format(&check->step,
				"%.*s: it cannot be examined: %.*s",
				TEXT_ARGS(pipeline_command(pipeline, i)->key),
				TEXT_ARGS(reply->text)));
		*reply = (struct reply){ .kind = REPLY_NIL };
	}
	return pipeline_accepted(pipeline, PIPELINE_LOGGED);
}

void
check_expect(struct check *check, struct text key, struct text problem,
    const struct check_entry *entry)
{
	struct expected expected = { key, problem, { .command = NULL } };

	if (entry != NULL)
		expected.entry = *entry;
	if (check->expected.size == 0)
		check->expected = buffer_in(&check->step, 1024);
	buffer_add(&check->expected,
	    (struct text){ (char *)&expected, sizeof(expected) });
}

struct pipeline *
check_repairs(struct check *check)
{
	if (!check->repairs)
		return NULL;
	if (check->pending.arena == NULL)
		check->pending =
		    pipeline_begin(check->store->redis, &check->pending_memory);
	return &check->pending;
}

void
check_remove(struct check *check, const struct check_entry *entry)
{
	struct pipeline *repairs = check_repairs(check);

	if (repairs != NULL && entry->command != NULL)
		pipeline_add_replicated(repairs, text_of(entry->command),
		    text_copy(repairs->arena, entry->list), entry->entry);
}

/* What cannot be repaired is found by the next check. */
STORE_CALL
check_repair(struct check *check)
{
	bool is_done = check->pending.arena == NULL ||
	    check->pending.count == 0 || redis_run_each(&check->pending);

	check->pending = (struct pipeline){ .arena = NULL };
	arena_reset(&check->pending_memory);
	return is_done ? STORE_OK : STORE_DOWN;
}

static size_t
count_expected(const struct check *check)
{
	return check->expected.size / sizeof(struct expected);
}

static enum store_result
end_step(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	const struct expected *expected =
	    (const struct expected *)(const void *)check->expected.data;

	for (size_t i = 0; i < count_expected(check); i++)
		pipeline_add(&pipeline, TEXT("EXISTS"), expected[i].key);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		if (reply_number(&pipeline.replies[i]) == 0) {
			check_report(check, expected[i].problem);
			check_remove(check, &expected[i].entry);
		}
	check->expected.size = 0;
	arena_reset(&check->step);
	return check_repair(check);
}

bool
check_is_at_home(
    struct check *check, const char *what, const struct place *place)
{
	uint64_t home =
	    key_bucket_of(&check->store->buckets, place->id.article);

	if (place->bucket != home)
		check_report(check,
		    text_format(&check->step,
			"%.*s: %s in bucket %" PRIu64 ", and belongs in "
			"%" PRIu64,
			TEXT_ARGS(record_post_name(&check->step, place->id)),
			what, place->bucket, home));
	return place->bucket == home;
}

/* Examines some places from *next on, and moves it past them. */
static enum store_result
check_some_places(struct check *check, const struct check_places *row,
    const struct places *places, size_t *next)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	const struct place *asked[COMMANDS_BATCH] = { NULL };

	for (; *next < places->count && pipeline.count < row->batch; ++*next) {
		const struct place *place = &places->items[*next];

		asked[pipeline.count] = place;
		if (check_is_at_home(check, row->what, place))
			row->ask(check, &pipeline, place);
	}
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		row->take(check, asked[i], &pipeline.replies[i]);
	return end_step(check);
}

STORE_CALL
check_places(struct check *check, const struct check_places *row)
{
	const struct places *places = &check->all.places[row->kind];
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < places->count && result == STORE_OK;)
		result = check_some_places(check, row, places, &next);
	return result;
}

STORE_CALL
check_orphans(struct check *check, enum keyscan_kind kind, const char *what,
    const char *problem)
{
	const struct places *places = &check->all.places[kind];
	struct arena *step = &check->step;

	for (size_t i = 0; i < places->count; i++) {
		const struct place *place = &places->items[i];

		if (!check_is_at_home(check, what, place) ||
		    keyscan_has_post(&check->all, place))
			continue;
		check_expect(check,
		    key_post(step, &check->store->buckets, place->id),
		    text_format(step, "%.*s: it does not exist, but %s",
			TEXT_ARGS(record_post_name(step, place->id)), problem),
		    NULL);
		if (count_expected(check) == COMMANDS_BATCH &&
		    end_step(check) != STORE_OK)
			return STORE_DOWN;
	}
	return end_step(check);
}

/* One more step of each; those that have ended are dropped. */
static enum store_result
step_cursors(struct check *check, const struct check_scan *scan,
    struct check_cursor *cursors, size_t *count)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	size_t left = 0;

	for (size_t i = 0; i < *count; i++)
		scan->ask(check, &pipeline, &cursors[i]);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++)
		if (scan->take(check, &cursors[i], &pipeline.replies[i]))
			cursors[left++] = cursors[i];
	*count = left;
	return end_step(check);
}

STORE_CALL
check_scan_all(struct check *check, const struct check_scan *scan)
{
	struct check_cursor cursors[CHECK_CURSORS_MAX];
	enum store_result result = STORE_OK;
	size_t next = 0, count = 0;

	while (result == STORE_OK) {
		for (; count < scan->batch; count++) {
			cursors[count] = (struct check_cursor){ .id = 0 };
			if (!scan->start(check, &next, &cursors[count]))
				break;
		}
		if (count == 0)
			break;
		result = step_cursors(check, scan, cursors, &count);
	}
	return result;
}

bool
check_start_member(
    struct check *check, size_t *next, struct check_cursor *cursor)
{
	const struct places *members = &check->all.places[KEYSCAN_MEMBERS];
	const struct places *inboxes = &check->all.places[KEYSCAN_INBOXES];

	while (*next < members->count + inboxes->count) {
		size_t i = (*next)++;
		bool is_member = i < members->count;

		cursor->id = is_member
		    ? members->items[i].id.article
		    : inboxes->items[i - members->count].id.article;
		if (is_member || !keyscan_has_member(&check->all, cursor->id))
			return true;
	}
	return false;
}

void
check_ask_steps(struct check *check, struct pipeline *pipeline,
    enum call_kind kind, const char *function, struct text key,
    uint64_t position)
{
	struct call call = call_begin(&check->step, kind, function, key);

	call_add_number(&call, (int64_t)position);
	call_send(&call, pipeline);
}

bool
check_take_steps(struct check *check, struct check_cursor *cursor,
    struct text key, const struct reply *reply)
{
	check_report_all(check, key, reply, 2);
	cursor->position = reply_id(reply_item(reply, 0));
	return cursor->position != 0;
}

static void
pause_examination(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };

	nanosleep(&pause, NULL);
}

/* Examines some keys, and those that seem wrong again. */
static enum store_result
examine_some(struct check *check, const struct text *all, size_t count,
    check_examiner *examine, check_repairer *repair)
{
	struct text keys[KEYS_BATCH], problems[KEYS_BATCH];
	size_t wrong = count;

	memcpy(keys, all, count * sizeof(*keys));
	for (int times = 0; times < MAX_EXAMINATIONS && wrong > 0; times++) {
		if (times > 0)
			pause_examination();
		count = wrong;
		wrong = 0;
		memset(problems, 0, sizeof(problems));
		if (examine(check, keys, count, problems) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < count; i++)
			if (problems[i].size > 0) {
				problems[wrong] = problems[i];
				keys[wrong++] = keys[i];
			}
	}
	for (size_t i = 0; i < wrong; i++) {
		check_report(check, problems[i]);
		if (check->repairs && repair(check, keys[i]) != STORE_OK)
			return STORE_DOWN;
	}
	return end_step(check);
}

STORE_CALL
check_examine(struct check *check, const struct text *keys, size_t count,
    check_examiner *examine, check_repairer *repair)
{
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < count && result == STORE_OK;) {
		size_t left = count - next;
		size_t some = left < KEYS_BATCH ? left : KEYS_BATCH;

		result =
		    examine_some(check, keys + next, some, examine, repair);
		next += some;
	}
	return result;
}

struct text
check_name_in_key(struct text key)
{
	struct text before;

	text_cut(&key, ':', &before);
	return key;
}

struct text
check_fields(
    struct check *check, const struct schema *schema, const struct reply *reply)
{
	struct text value = TEXT("");
	const struct field *field = reply->kind == REPLY_LIST
	    ? schema_find_damage(schema, SCHEMA_WHOLE, reply, &value)
	    : NULL;

	return field == NULL
	    ? TEXT("")
	    : text_format(&check->step, "its field \"%s\" is \"%.*s\"",
		  field->name, TEXT_ARGS(value));
}

bool
check_number(struct check *check, struct text key, const struct reply *field,
    const struct reply *value)
{
	uint64_t number;

	if (text_to_u64(reply_text(value), &number))
		return true;
	check_report(check,
	    text_format(&check->step, "%.*s: its field \"%.*s\" is \"%.*s\"",
		TEXT_ARGS(key), TEXT_ARGS(reply_text(field)),
		TEXT_ARGS(reply_text(value))));
	return false;
}

void
check_counter(struct check *check, struct text key, const struct reply *counter,
    uint64_t highest)
{
	struct pipeline *repairs = check_repairs(check);

	if (reply_number(counter) >= (int64_t)highest)
		return;
	check_report(check,
	    text_format(&check->step,
		"%.*s: it is %" PRId64 ", and %" PRIu64 " was given out",
		TEXT_ARGS(key), reply_number(counter), highest));
	if (repairs != NULL)
		call_send_write(repairs, "raise_1",
		    text_copy(repairs->arena, key),
		    text_number(repairs->arena, (int64_t)highest));
}

/* The highest number of a bucket that some places have. */
static uint64_t
highest_in(struct check *check, enum keyscan_kind kind, uint64_t bucket)
{
	const struct places *places = &check->all.places[kind];
	uint64_t highest = 0;

	for (size_t i = places->count; i-- > 0 && highest == 0;)
		if (places->items[i].bucket == bucket)
			highest = key_number_in(&check->store->buckets, bucket,
			    places->items[i].id.article);
	return highest;
}

STORE_CALL
check_counters(
    struct check *check, enum record_kind noun, enum keyscan_kind kind)
{
	const struct buckets *buckets = &check->store->buckets;
	struct arena *memory = &check->memory;
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	for (uint64_t b = 0; b < buckets->count; b++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_in_bucket(
			memory, buckets, b, nouns[noun]->counter, TEXT("")));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets->count; b++)
		check_counter(check,
		    key_in_bucket(
			memory, buckets, b, nouns[noun]->counter, TEXT("")),
		    &pipeline.replies[b], highest_in(check, kind, b));
	return STORE_OK;
}

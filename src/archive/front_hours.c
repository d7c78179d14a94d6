#include <inttypes.h>
#include <stdlib.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/noun.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/front_hour.h"

/* Neither is a field of its hash, which has many hours. */
static const struct field fields[] = {
	FIELD("hour", struct record_front, hour, TEXT, REQUIRED, KEY),
	FIELD("articles", struct record_front, articles, WORDS, REQUIRED,
	    ELSEWHERE),
};
static const struct schema front_schema = SCHEMA(struct record_front, fields);

static struct text
front_hours_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "the front page of \"%.*s\"", TEXT_ARGS(record->front.hour));
}

/* Dump. */

static enum store_result
write_hour(struct writer *writer, const struct front_hour *front)
{
	struct buffer articles = buffer_in(&writer->portion, 1024);
	struct record record = { .kind = RECORD_FRONT };

	for (size_t i = 0; i < front->count; i++) {
		if (i > 0)
			buffer_add_char(&articles, ' ');
		buffer_add_number(&articles, (int64_t)front->articles[i]);
	}
	record.front.hour = front_hour_name(&writer->portion, front->hour);
	record.front.articles = buffer_text(&articles);
	return writer_go_on(writer_record(writer, &record));
}

static int
compare_hours(const void *a, const void *b)
{
	return sort_compare((uint64_t)((const struct front_hour *)a)->hour,
	    (uint64_t)((const struct front_hour *)b)->hour);
}

/* The hours of a month in order, from the reply to HGETALL. Those that are damaged are counted
 * and left out. */
static struct front_hour *
read_hours(struct arena *arena, struct text month, const struct reply *all,
    size_t *count, size_t *damaged)
{
	struct front_hour *hours =
	    arena_new(arena, struct front_hour, all->count / 2 + 1);

	*count = *damaged = 0;
	for (size_t i = 0; i + 1 < all->count; i += 2) {
		struct front_hour *front = &hours[*count];

		if (front_hour_of(
			month, reply_text(reply_item(all, i)), &front->hour) &&
		    front_hour_decode(
			reply_text(reply_item(all, i + 1)), front))
			++*count;
		else
			++*damaged;
	}
	qsort(hours, *count, sizeof(*hours), compare_hours);
	return hours;
}

static enum store_result
write_month(struct writer *writer, struct text month)
{
	struct arena *arena = &writer->portion;
	const struct record lost = { .kind = RECORD_FRONT,
		.front.hour = month };
	struct pipeline pipeline = pipeline_begin(writer->store->redis, arena);
	const struct front_hour *hours;
	size_t count, damaged;
	enum store_result result = STORE_OK;

	pipeline_add(&pipeline, TEXT("HGETALL"),
	    key_front(arena, &writer->store->buckets, month));
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	hours =
	    read_hours(arena, month, &pipeline.replies[0], &count, &damaged);
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = write_hour(writer, &hours[i]);
	if (damaged > 0 || pipeline.replies[0].kind == REPLY_ERROR)
		result =
		    writer_go_on(writer_leave_out(writer, &lost, "is damaged"));
	arena_reset(arena);
	return result;
}

static enum store_result
front_hours_archive_write(struct writer *writer)
{
	const struct text *months;
	size_t count;
	enum store_result result =
	    front_hour_months(writer->store, &writer->memory, &months, &count);

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = write_month(writer, months[i]);
	return result;
}

/* Load. */

/* False when the line's words are no ids, too many, or one is there twice. */
static bool
read_line(const struct record_front *line, struct front_hour *front)
{
	struct text rest = line->articles, word;

	*front = (struct front_hour){ .count = 0 };
	if (!front_hour_parse(line->hour, &front->hour))
		return false;
	while (text_next_word(&rest, &word)) {
		uint64_t id;

		if (front->count == FRONT_HOUR_PLACES ||
		    !text_to_u64(word, &id) || id == 0 ||
		    id > FRONT_HOUR_ID_MAX)
			return false;
		for (size_t i = 0; i < front->count; i++)
			if (front->articles[i] == id)
				return false;
		front->articles[front->count++] = id;
	}
	return front->count > 0;
}

static void
front_hours_archive_validate(
    struct validation *validation, struct record *record)
{
	struct front_hour front;
	int64_t hour;

	if (!front_hour_parse(record->front.hour, &hour))
		validate_problem(validation,
		    TEXT("\"hour\" is no full hour like 2026-11-20T14"));
	else if (!read_line(&record->front, &front))
		validate_problem(validation,
		    text_format(validation->arena,
			"\"articles\" are not 1 to %d ids, each once",
			FRONT_HOUR_PLACES));
}

/* Articles that do not exist are not on the page any more; their place stays free. */
static enum store_result
front_hours_archive_load(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];
		struct front_hour front;
		enum store_result result;

		if (!read_line(&line->record.front, &front))
			continue;
		result = front_hour_load(batch->store, batch->arena, &front);
		if (result != STORE_OK && result != STORE_TAKEN)
			return STORE_DOWN;
		line->outcome =
		    result == STORE_OK ? BATCH_LOADED : BATCH_EXISTED;
	}
	return STORE_OK;
}

/* Check. */

/* An article of a month, and the first hour there that has it. */
struct entry {
	uint64_t article;
	int64_t hour;
};

static int
compare_entries(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	int order = sort_compare(one->article, other->article);

	return order != 0
	    ? order
	    : sort_compare((uint64_t)one->hour, (uint64_t)other->hour);
}

/* The articles of hours, each once. */
static struct entry *
list_articles(struct arena *arena, const struct front_hour *hours, size_t count,
    size_t *left)
{
	struct entry *entries =
	    arena_new(arena, struct entry, count * FRONT_HOUR_PLACES + 1);
	size_t all = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t a = 0; a < hours[i].count; a++)
			entries[all++] = (struct entry){ hours[i].articles[a],
				hours[i].hour };
	qsort(entries, all, sizeof(*entries), compare_entries);
	*left = 0;
	for (size_t i = 0; i < all; i++)
		if (*left == 0 ||
		    entries[*left - 1].article != entries[i].article)
			entries[(*left)++] = entries[i];
	return entries;
}

/* Notes the hour in an article that does not say that it was on a page; that it exists shows
 * from its title, which every article has. */
static void
check_article(
    struct check *check, const struct entry *entry, const struct reply *reply)
{
	const struct reply *title = reply_item(reply, 0);
	const struct reply *front = reply_item(reply, 1);
	struct pipeline *repairs;
	int64_t first;

	if (title->kind != REPLY_TEXT ||
	    (text_to_i64(reply_text(front), &first) && first > 0 &&
		first <= entry->hour * FRONT_HOUR_SECONDS))
		return;
	check_report(check,
	    text_format(&check->step,
		"article %" PRIu64 ": it does not say that it was on the front "
		"page at %.*s",
		entry->article,
		TEXT_ARGS(front_hour_name(&check->step, entry->hour))));
	repairs = check_repairs(check);
	if (repairs != NULL)
		front_hour_send_mark(
		    repairs, check->store, entry->article, entry->hour);
}

static enum store_result
check_articles(struct check *check, const struct entry *entries, size_t count)
{
	enum { BATCH = 100 };

	for (size_t next = 0; next < count; next += BATCH) {
		struct pipeline pipeline =
		    pipeline_begin(check->store->redis, &check->step);
		size_t end = next + BATCH < count ? next + BATCH : count;

		for (size_t i = next; i < end; i++)
			pipeline_add(&pipeline, TEXT("HMGET"),
			    key_post(&check->step, &check->store->buckets,
				article_id(entries[i].article)),
			    TEXT("title"), TEXT("front"));
		if (!check_run(check, &pipeline))
			return STORE_DOWN;
		for (size_t i = next; i < end; i++)
			check_article(
			    check, &entries[i], &pipeline.replies[i - next]);
		if (check_repair(check) != STORE_OK)
			return STORE_DOWN;
		arena_reset(&check->step);
	}
	return STORE_OK;
}

static int
compare_keys(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static void
add_key(struct buffer *keys, struct text key)
{
	buffer_add(keys, (struct text){ (char *)&key, sizeof(key) });
}

/* Reports fields that are no hours, or have no ids. */
static void
check_hours(struct check *check, struct text key, const struct reply *all)
{
	struct text month = check_name_in_key(key);

	for (size_t i = 0; i + 1 < all->count; i += 2) {
		struct text field = reply_text(reply_item(all, i));
		struct front_hour front;

		if (!front_hour_of(month, field, &front.hour) ||
		    !front_hour_decode(
			reply_text(reply_item(all, i + 1)), &front))
			check_report(check,
			    text_format(&check->step,
				"%.*s: its field \"%.*s\" is no front page",
				TEXT_ARGS(key), TEXT_ARGS(field)));
	}
}

static enum store_result
check_month(struct check *check, struct text key)
{
	struct arena memory = { 0 };
	struct pipeline pipeline = pipeline_begin(check->store->redis, &memory);
	const struct front_hour *hours;
	const struct entry *entries;
	size_t count, damaged, articles;
	enum store_result result = STORE_DOWN;

	pipeline_add(&pipeline, TEXT("HGETALL"), key);
	if (check_run(check, &pipeline)) {
		check_hours(check, key, &pipeline.replies[0]);
		hours = read_hours(&memory, check_name_in_key(key),
		    &pipeline.replies[0], &count, &damaged);
		entries = list_articles(&memory, hours, count, &articles);
		check->front_hours += count;
		result = check_articles(check, entries, articles);
	}
	arena_free(&memory);
	return result;
}

/* A month is in the index if there are pages of it, and only then. */
static enum store_result
examine_months(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);

	for (size_t i = 0; i < count; i++) {
		pipeline_add(&pipeline, TEXT("EXISTS"), keys[i]);
		pipeline_add(&pipeline, TEXT("SISMEMBER"),
		    key_front_months(step, &check->store->buckets),
		    check_name_in_key(keys[i]));
	}
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		int64_t exists = reply_number(&pipeline.replies[2 * i]);
		int64_t listed = reply_number(&pipeline.replies[2 * i + 1]);

		if (exists != listed)
			problems[i] = text_format(step,
			    exists == 1 ? "%.*s: its month is not listed"
					: "%.*s: its month is listed, and it "
					  "does not exist",
			    TEXT_ARGS(keys[i]));
	}
	return STORE_OK;
}

static enum store_result
repair_month(struct check *check, struct text key)
{
	front_hour_send_list(check_repairs(check),
	    text_copy(check_repairs(check)->arena, key),
	    text_copy(check_repairs(check)->arena, check_name_in_key(key)));
	return STORE_OK;
}

/* The keys of all months that there are, or are listed. */
static enum store_result
collect_months(struct check *check, struct buffer *keys)
{
	struct arena *memory = &check->memory;
	const struct buckets *buckets = &check->store->buckets;
	const struct keys *found = &check->all.keys[KEYSCAN_FRONTS];
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	pipeline_add(
	    &pipeline, TEXT("SMEMBERS"), key_front_months(memory, buckets));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < found->count; i++)
		add_key(keys, found->items[i]);
	for (size_t i = 0; i < pipeline.replies[0].count; i++)
		add_key(keys,
		    key_front(memory, buckets,
			reply_text(reply_item(&pipeline.replies[0], i))));
	return STORE_OK;
}

static enum store_result
front_hours_archive_check(struct check *check)
{
	const struct keys *found = &check->all.keys[KEYSCAN_FRONTS];
	struct buffer keys = buffer_in(&check->memory, 1024);
	size_t count;
	enum store_result result = collect_months(check, &keys);

	if (result != STORE_OK)
		return result;
	count = keyscan_sort_unique(&keys, sizeof(struct text), compare_keys);
	result = check_examine(check, (struct text *)(void *)keys.data, count,
	    examine_months, repair_month);
	for (size_t i = 0; i < found->count && result == STORE_OK; i++)
		result = check_month(check, found->items[i]);
	return result;
}

const struct noun front_hours_archive = {
	.kind = "front",
	.label = "front page",
	.schema = &front_schema,
	.offset = offsetof(struct record, front),
	.describe = front_hours_archive_describe,
	.write = front_hours_archive_write,
	.validate = front_hours_archive_validate,
	.load = front_hours_archive_load,
	.check = front_hours_archive_check,
};

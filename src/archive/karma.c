#include "archive/karma.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/crypto.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

enum {
	KARMAS_BATCH = 500,
	POSTS_BATCH = 250, /* they keep Redis busy for a millisecond */
	MAX_SUMS = 3	   /* of a difference, before it counts as a break */
};

/* A karma that differs from the posts. */
struct difference {
	uint64_t bucket, author;
	int64_t karma, sum;
	bool is_whole; /* the sum is of all posts */
};

/* What becomes of a sum. */
enum sum_use { SUM_COMPARE, SUM_SET };

/* Shares are by bucket, author and post. */
struct karma_scan {
	struct check *check;
	struct store *store;
	int64_t since; /* what was posted then is not known */
	struct arena *step;
	struct buffer differences; /* those of the last comparison */
};

static int
compare_shares(const void *a, const void *b)
{
	const struct share *one = a, *other = b;
	int order = sort_compare(one->bucket, other->bucket);

	if (order == 0)
		order = sort_compare(one->author, other->author);
	if (order == 0)
		order = sort_compare(one->post.article, other->post.article);
	return order != 0
	    ? order
	    : sort_compare(one->post.comment, other->post.comment);
}

/* The end of the run of shares that begins at start: one author, one bucket. */
static size_t
end_of_run(const struct karma_scan *scan, size_t start, int64_t *sum)
{
	const struct share *shares = scan->check->shares;
	size_t end = start;

	*sum = 0;
	while (end < scan->check->share_count &&
	    shares[end].bucket == shares[start].bucket &&
	    shares[end].author == shares[start].author)
		*sum += shares[end++].points;
	return end;
}

/* Where the run of an author in a bucket begins, or belongs. */
static size_t
find_run(const struct karma_scan *scan, uint64_t bucket, uint64_t author)
{
	struct share wanted = { .bucket = bucket, .author = author };
	size_t low = 0, high = scan->check->share_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_shares(&scan->check->shares[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
add_difference(struct karma_scan *scan, uint64_t bucket, uint64_t author)
{
	struct difference difference = { .bucket = bucket, .author = author };

	buffer_add(&scan->differences,
	    (struct text){ (char *)&difference, sizeof(difference) });
}

static struct difference *
differences_of(const struct karma_scan *scan)
{
	return (struct difference *)(void *)scan->differences.data;
}

static size_t
count_differences(const struct karma_scan *scan)
{
	return scan->differences.size / sizeof(struct difference);
}

/* Compares the runs from *next on with their karma; moves *next past them. */
static enum store_result
compare_runs(struct karma_scan *scan, size_t *next)
{
	struct arena *step = scan->step;
	struct pipeline pipeline = pipeline_begin(scan->store->redis, step);
	struct {
		const struct share *first;
		int64_t sum;
	} runs[KARMAS_BATCH];
	size_t count = 0;

	while (count < KARMAS_BATCH && *next < scan->check->share_count) {
		const struct share *first = &scan->check->shares[*next];

		pipeline_add(&pipeline, TEXT("HGET"),
		    key_karma(step, &scan->store->buckets, first->bucket),
		    text_number(step, (int64_t)first->author));
		runs[count].first = first;
		*next = end_of_run(scan, *next, &runs[count++].sum);
	}
	if (!check_run(scan->check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (reply_number(&pipeline.replies[i]) != runs[i].sum)
			add_difference(
			    scan, runs[i].first->bucket, runs[i].first->author);
	arena_reset(step);
	return STORE_OK;
}

static void
report_unreadable(struct karma_scan *scan, uint64_t bucket, struct text member,
    struct text points)
{
	struct pipeline *repairs = check_repairs(scan->check);

	check_report(scan->check,
	    text_format(scan->step,
		"karma in bucket %" PRIu64
		": that of member \"%.*s\" is \"%.*s\"",
		bucket, TEXT_ARGS(member), TEXT_ARGS(points)));
	if (repairs != NULL)
		pipeline_add_replicated(repairs, TEXT("HDEL"),
		    key_karma(repairs->arena, &scan->store->buckets, bucket),
		    member);
}

/* Finds karma of those who posted nothing in the bucket. */
static void
find_groundless(
    struct karma_scan *scan, uint64_t bucket, const struct reply *fields)
{
	for (size_t i = 0; i < fields->count; i += 2) {
		uint64_t author = reply_id(reply_item(fields, i));
		struct text points = reply_text(reply_item(fields, i + 1));
		int64_t number;
		bool has_run = find_run(scan, bucket, author) <
		    find_run(scan, bucket, author + 1);

		scan->check->karmas++;
		if (author == 0 || !text_to_i64(points, &number))
			report_unreadable(scan, bucket,
			    reply_text(reply_item(fields, i)), points);
		if (reply_number(reply_item(fields, i + 1)) != 0 && !has_run)
			add_difference(scan, bucket, author);
	}
}

static enum store_result
scan_bucket(struct karma_scan *scan, uint64_t bucket)
{
	struct arena *step = scan->step;
	uint64_t cursor = 0;

	do {
		struct pipeline pipeline =
		    pipeline_begin(scan->store->redis, step);

		pipeline_add(&pipeline, TEXT("HSCAN"),
		    key_karma(step, &scan->store->buckets, bucket),
		    text_number(step, (int64_t)cursor), TEXT("COUNT"),
		    TEXT("500"));
		if (!check_run(scan->check, &pipeline))
			return STORE_DOWN;
		cursor = reply_id(reply_item(&pipeline.replies[0], 0));
		find_groundless(
		    scan, bucket, reply_item(&pipeline.replies[0], 1));
		arena_reset(step);
	} while (cursor != 0);
	return STORE_OK;
}

static void
drop_known(const struct karma_scan *scan, struct places *posts)
{
	size_t left = 0;

	for (size_t i = 0; i < posts->count; i++)
		if (!keyscan_has_post(&scan->check->all, &posts->items[i]))
			posts->items[left++] = posts->items[i];
	posts->count = left;
}

/* Posts that were not known. */
static enum store_result
find_late(struct karma_scan *scan, struct keyscan *late)
{
	if (keyscan_read(scan->store, &scan->check->memory, KEYSCAN_POSTS,
		late) != STORE_OK)
		return STORE_DOWN;
	drop_known(scan, &late->places[KEYSCAN_ARTICLES]);
	drop_known(scan, &late->places[KEYSCAN_COMMENTS]);
	return STORE_OK;
}

/* The posts of an author in a bucket that are known, and after them those found late:
 * names in the step's arena. */
static size_t
list_posts(struct karma_scan *scan, const struct difference *difference,
    const struct keyscan *late, struct text **names)
{
	static const enum keyscan_kind kinds[] = { KEYSCAN_ARTICLES,
		KEYSCAN_COMMENTS };
	struct arena *step = scan->step;
	size_t start = find_run(scan, difference->bucket, difference->author);
	size_t end = find_run(scan, difference->bucket, difference->author + 1);
	size_t count = 0;

	*names = arena_new(step, struct text,
	    end - start + late->places[KEYSCAN_ARTICLES].count +
		late->places[KEYSCAN_COMMENTS].count);
	for (size_t i = start; i < end; i++)
		(*names)[count++] =
		    key_post_name(step, scan->check->shares[i].post);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < late->places[kinds[k]].count; i++) {
			const struct place *place =
			    &late->places[kinds[k]].items[i];

			if (place->bucket == difference->bucket)
				(*names)[count++] =
				    key_post_name(step, place->id);
		}
	return count;
}

static struct call
begin_sum(struct karma_scan *scan, const char *function, enum call_kind kind,
    const struct difference *difference)
{
	return call_begin(scan->step, kind, function,
	    key_karma(scan->step, &scan->store->buckets, difference->bucket));
}

static void
add_sum_arguments(struct karma_scan *scan, struct call *call,
    const struct difference *difference, struct text token)
{
	call_add(call, token);
	call_add_number(call, (int64_t)difference->author);
	call_add_number(call, scan->since);
	call_add_number(call, POSTS_BATCH);
}

/* Adds some posts to the sum of all; *is_one is false when another sum was started. */
static enum store_result
sum_some(struct karma_scan *scan, struct difference *difference,
    struct text token, const struct text *names, size_t count, int64_t calls,
    bool *is_one)
{
	struct arena *step = scan->step;
	struct pipeline pipeline = pipeline_begin(scan->store->redis, step);
	struct call call = begin_sum(scan, "karma_4", CALL_READS, difference);

	add_sum_arguments(scan, &call, difference, token);
	call_add_words(&call, names, count);
	call_send(&call, &pipeline);
	if (!check_run(scan->check, &pipeline))
		return STORE_DOWN;
	difference->karma = reply_number(reply_item(&pipeline.replies[0], 0));
	difference->sum = reply_number(reply_item(&pipeline.replies[0], 1));
	*is_one = reply_number(reply_item(&pipeline.replies[0], 2)) == calls;
	return STORE_OK;
}

/* Sets the karma to a sum that is whole but for votes cast since, in as many calls. */
static enum store_result
set_karma(struct karma_scan *scan, const struct difference *difference,
    struct text token, int64_t calls)
{
	struct call call =
	    begin_sum(scan, "set_karma_1", CALL_WRITES, difference);

	call_add_number(&call, calls);
	add_sum_arguments(scan, &call, difference, token);
	return call_run(&call, scan->store, NULL);
}

/*
 * Karma and posts at one moment: those listed, known, or posted since. The sum is made in
 * steps, and Redis updates it by the votes of meanwhile. When another sum was started,
 * this one is not whole: the difference stays. With SUM_SET, the karma is set to the sum.
 */
static enum store_result
sum_posts(struct karma_scan *scan, struct difference *difference,
    const struct keyscan *late, enum sum_use use)
{
	struct text token = crypto_random_hex(scan->step, 8), *names;
	size_t count = list_posts(scan, difference, late, &names), done = 0;
	enum store_result result;
	bool is_one = true;
	int64_t calls;

	for (calls = 1;; calls++) {
		size_t left = count - done;
		size_t some = left < POSTS_BATCH ? left : POSTS_BATCH;

		result = sum_some(scan, difference, token, names + done, some,
		    calls, &is_one);
		done += some;
		if (result != STORE_OK || !is_one || done == count)
			break;
	}
	difference->is_whole = is_one;
	if (result == STORE_OK && is_one && use == SUM_SET)
		result = set_karma(scan, difference, token, calls + 1);
	arena_reset(scan->step);
	return result == STORE_DOWN ? STORE_DOWN : STORE_OK;
}

/*
 * Sums all differences again and leaves those that still differ. What was posted
 * since the check began is searched for from the second time on: it matters only if it
 * was removed meanwhile, since what is listed is found anyway.
 */
static enum store_result
sum_again(struct karma_scan *scan, int times)
{
	struct difference *differences = differences_of(scan);
	struct keyscan late = { .list_count = 0 };
	size_t left = 0;

	if (times > 0 && find_late(scan, &late) != STORE_OK)
		return STORE_DOWN;
	if (times > 0)
		scan->since = late.began;
	for (size_t i = 0; i < count_differences(scan); i++) {
		struct difference *difference = &differences[i];

		if (sum_posts(scan, difference, &late, SUM_COMPARE) != STORE_OK)
			return STORE_DOWN;
		if (!difference->is_whole ||
		    difference->karma != difference->sum)
			differences[left++] = *difference;
	}
	scan->differences.size = left * sizeof(struct difference);
	return STORE_OK;
}

static void
report_differences(const struct karma_scan *scan)
{
	const struct difference *differences = differences_of(scan);

	for (size_t i = 0; i < count_differences(scan); i++)
		check_report(scan->check,
		    text_format(scan->step,
			"karma of member %" PRIu64 " in bucket %" PRIu64
			": it is %" PRId64 ", and the posts make %" PRId64,
			differences[i].author, differences[i].bucket,
			differences[i].karma, differences[i].sum));
}

static enum store_result
repair_differences(struct karma_scan *scan)
{
	struct difference *differences = differences_of(scan);
	struct keyscan late = { .list_count = 0 };
	enum store_result result = find_late(scan, &late);

	for (size_t i = 0; i < count_differences(scan) && result == STORE_OK;
	    i++)
		result = sum_posts(scan, &differences[i], &late, SUM_SET);
	return result;
}

STORE_CALL
karma_check(struct check *check)
{
	struct karma_scan scan = { .check = check,
		.store = check->store,
		.since = check->all.began,
		.step = &check->step,
		.differences = buffer_in(&check->memory, 1024) };
	enum store_result result = STORE_OK;

	if (check->share_count > 0)
		qsort(check->shares, check->share_count, sizeof(struct share),
		    compare_shares);
	for (size_t next = 0; next < check->share_count && result == STORE_OK;)
		result = compare_runs(&scan, &next);
	for (uint64_t b = 0;
	    b < check->store->buckets.count && result == STORE_OK; b++)
		result = scan_bucket(&scan, b);
	for (int i = 0;
	    i < MAX_SUMS && scan.differences.size > 0 && result == STORE_OK;
	    i++)
		result = sum_again(&scan, i);
	if (result == STORE_OK)
		report_differences(&scan);
	return result == STORE_OK && check->repairs && scan.differences.size > 0
	    ? repair_differences(&scan)
	    : result;
}

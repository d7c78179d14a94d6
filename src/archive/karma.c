#include "archive/karma.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/call.h"
#include "store/keys.h"

enum {
	KARMAS_AT_ONCE = 500,
	MAX_LOOKS = 3 /* at a difference, before it counts as a break */
};

/* A karma that differed when last looked at. */
struct suspect {
	uint64_t bucket, author;
	int64_t kept, sum;
};

struct audit {
	struct store *store;
	const struct inventory *known;
	struct share *shares; /* by bucket, author and article */
	size_t share_count;
	struct check_counts *counts;
	struct arena memory;
	struct arena step;
	struct buffer suspects;
};

static int
compare_shares(const void *a, const void *b)
{
	const struct share *one = a, *other = b;
	int order = sort_compare(one->bucket, other->bucket);

	if (order == 0)
		order = sort_compare(one->author, other->author);
	return order != 0 ? order : sort_compare(one->article, other->article);
}

/* The end of the run of shares that begins at start: one author, one bucket. */
static size_t
end_of_run(const struct audit *audit, size_t start, int64_t *sum)
{
	const struct share *shares = audit->shares;
	size_t end = start;

	*sum = 0;
	while (end < audit->share_count &&
	    shares[end].bucket == shares[start].bucket &&
	    shares[end].author == shares[start].author)
		*sum += shares[end++].points;
	return end;
}

/* Where the run of an author in a bucket begins, or belongs. */
static size_t
find_run(const struct audit *audit, uint64_t bucket, uint64_t author)
{
	struct share wanted = { .bucket = bucket, .author = author };
	size_t low = 0, high = audit->share_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_shares(&audit->shares[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool
has_run(const struct audit *audit, uint64_t bucket, uint64_t author)
{
	size_t start = find_run(audit, bucket, author);

	return start < audit->share_count &&
	    audit->shares[start].bucket == bucket &&
	    audit->shares[start].author == author;
}

static void
suspect(struct audit *audit, uint64_t bucket, uint64_t author)
{
	struct suspect suspect = { .bucket = bucket, .author = author };

	buffer_add(&audit->suspects,
	    (struct text){ (char *)&suspect, sizeof(suspect) });
}

/* Compares the runs from *next on with what is kept; moves *next past
 * them. */
static enum store_result
compare_some(struct audit *audit, size_t *next)
{
	struct pipeline pipeline =
	    pipeline_begin(audit->store->redis, &audit->step);
	int64_t sums[KARMAS_AT_ONCE];
	size_t starts[KARMAS_AT_ONCE], count = 0;

	while (count < KARMAS_AT_ONCE && *next < audit->share_count) {
		const struct share *first = &audit->shares[*next];

		starts[count] = *next;
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_karma(&audit->step, first->bucket),
		    text_number(&audit->step, (int64_t)first->author));
		*next = end_of_run(audit, *next, &sums[count++]);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct share *first = &audit->shares[starts[i]];

		if (reply_number(&pipeline.replies[i]) != sums[i])
			suspect(audit, first->bucket, first->author);
	}
	arena_reset(&audit->step);
	return STORE_OK;
}

static enum store_result
compare_runs(struct audit *audit)
{
	enum store_result result = STORE_OK;
	size_t next = 0;

	while (result == STORE_OK && next < audit->share_count)
		result = compare_some(audit, &next);
	return result;
}

/* Finds karma of those who posted nothing in the bucket. */
static void
find_groundless(
    struct audit *audit, uint64_t bucket, const struct reply *fields)
{
	for (size_t i = 0; i < fields->count; i += 2) {
		uint64_t author = reply_id(reply_item(fields, i));

		audit->counts->karmas++;
		if (reply_number(reply_item(fields, i + 1)) != 0 &&
		    !has_run(audit, bucket, author))
			suspect(audit, bucket, author);
	}
}

static enum store_result
walk_bucket(struct audit *audit, uint64_t bucket)
{
	uint64_t cursor = 0;

	do {
		struct pipeline pipeline =
		    pipeline_begin(audit->store->redis, &audit->step);
		const struct reply *reply;

		pipeline_add(&pipeline, TEXT("HSCAN"),
		    key_karma(&audit->step, bucket),
		    text_format(
			&audit->step, "%llu", (unsigned long long)cursor),
		    TEXT("COUNT"), TEXT("500"));
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		reply = &pipeline.replies[0];
		cursor = reply_id(reply_item(reply, 0));
		find_groundless(audit, bucket, reply_item(reply, 1));
		arena_reset(&audit->step);
	} while (cursor != 0);
	return STORE_OK;
}

static enum store_result
walk_buckets(struct audit *audit)
{
	enum store_result result = STORE_OK;

	for (uint64_t b = 0;
	    b < audit->store->rules.buckets && result == STORE_OK; b++)
		result = walk_bucket(audit, b);
	return result;
}

/* Ids of articles that were not known: late is an array of them, as bytes. */
static enum store_result
find_late(struct audit *audit, struct inventory *late)
{
	const struct inventory *known = audit->known;
	size_t kept = 0;

	if (inventory_read(audit->store, &audit->memory, INVENTORY_ARTICLES,
		late) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < late->article_count; i++)
		if (bsearch(&late->articles[i], known->articles,
			known->article_count, sizeof(struct place),
			inventory_compare_places) == NULL)
			late->articles[kept++] = late->articles[i];
	late->article_count = kept;
	return STORE_OK;
}

/* Karma and articles at one moment: those listed, known, or posted since. */
static enum store_result
look(struct audit *audit, struct suspect *suspect, const struct inventory *late)
{
	struct arena *step = &audit->step;
	struct pipeline pipeline = pipeline_begin(audit->store->redis, step);
	size_t start = find_run(audit, suspect->bucket, suspect->author);
	size_t end = find_run(audit, suspect->bucket, suspect->author + 1);
	struct call call = call_begin(
	    step, CALL_READS, "karma_2", key_karma(step, suspect->bucket));

	call_add_number(&call, (int64_t)suspect->author);
	for (size_t i = start; i < end; i++)
		call_add_number(&call, (int64_t)audit->shares[i].article);
	for (size_t i = 0; i < late->article_count; i++)
		if (late->articles[i].bucket == suspect->bucket)
			call_add_number(&call, (int64_t)late->articles[i].id);
	call_send(&call, &pipeline);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	suspect->kept = reply_number(reply_item(&pipeline.replies[0], 0));
	suspect->sum = reply_number(reply_item(&pipeline.replies[0], 1));
	arena_reset(step);
	return STORE_OK;
}

/*
 * Looks at all suspects again and leaves those that still differ. Articles posted
 * since the check began are looked for from the second time on: they matter only
 * if they were removed meanwhile, since what is listed is found anyway.
 */
static enum store_result
look_again(struct audit *audit, int times)
{
	struct suspect *suspects =
	    (struct suspect *)(void *)audit->suspects.data;
	size_t count = audit->suspects.size / sizeof(*suspects), kept = 0;
	struct inventory late = { .article_count = 0 };

	if (times > 0 && find_late(audit, &late) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (look(audit, &suspects[i], &late) != STORE_OK)
			return STORE_DOWN;
		if (suspects[i].kept != suspects[i].sum)
			suspects[kept++] = suspects[i];
	}
	audit->suspects.size = kept * sizeof(*suspects);
	return STORE_OK;
}

static void
report_suspects(struct audit *audit, const struct check_reporter *reporter)
{
	const struct suspect *suspects =
	    (const struct suspect *)(void *)audit->suspects.data;
	size_t count = audit->suspects.size / sizeof(*suspects);

	for (size_t i = 0; i < count; i++) {
		audit->counts->breaks++;
		reporter->report(reporter->data,
		    text_format(&audit->memory,
			"karma of member %llu in bucket %llu: it is %lld, and "
			"the articles make %lld",
			(unsigned long long)suspects[i].author,
			(unsigned long long)suspects[i].bucket,
			(long long)suspects[i].kept,
			(long long)suspects[i].sum));
	}
}

STORE_CALL
karma_check(struct store *store, const struct inventory *known,
    struct share *shares, size_t count, const struct check_reporter *reporter,
    struct check_counts *counts)
{
	struct audit audit = { .store = store,
		.known = known,
		.shares = shares,
		.share_count = count,
		.counts = counts };
	enum store_result result;

	audit.suspects = buffer_in(&audit.memory, 1024);
	if (count > 0)
		qsort(shares, count, sizeof(*shares), compare_shares);
	result = compare_runs(&audit);
	if (result == STORE_OK)
		result = walk_buckets(&audit);
	for (int i = 0;
	    i < MAX_LOOKS && audit.suspects.size > 0 && result == STORE_OK; i++)
		result = look_again(&audit, i);
	if (result == STORE_OK)
		report_suspects(&audit, reporter);
	arena_free(&audit.step);
	arena_free(&audit.memory);
	return result;
}

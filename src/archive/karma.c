#include "archive/karma.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/crypto.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"

enum {
	KARMAS_BATCH = 500,
	POSTS_BATCH = 250, /* Redis looks at them for a millisecond */
	MAX_LOOKS = 3	   /* at a difference, before it counts as a break */
};

struct audit {
	struct store *store;
	const struct keyscan *known;
	struct share *shares; /* by bucket, author and post */
	size_t share_count;
	uint64_t karmas;
	int64_t since; /* what was posted then is not known */
	struct arena *memory;
	struct arena step;
	struct buffer suspects; /* what differed when last looked at */
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

static void
suspect(struct audit *audit, uint64_t bucket, uint64_t author)
{
	struct suspect suspect = { .bucket = bucket, .author = author };

	buffer_add(&audit->suspects,
	    (struct text){ (char *)&suspect, sizeof(suspect) });
}

/* Compares the runs from *next on with what is kept; moves *next past them. */
static enum store_result
compare_some(struct audit *audit, size_t *next)
{
	struct arena *step = &audit->step;
	struct pipeline pipeline = pipeline_begin(audit->store->redis, step);
	const struct share *firsts[KARMAS_BATCH];
	int64_t sums[KARMAS_BATCH];
	size_t count = 0;

	while (count < KARMAS_BATCH && *next < audit->share_count) {
		const struct share *first = &audit->shares[*next];

		pipeline_add(&pipeline, TEXT("HGET"),
		    key_karma(step, &audit->store->buckets, first->bucket),
		    text_number(step, (int64_t)first->author));
		firsts[count] = first;
		*next = end_of_run(audit, *next, &sums[count++]);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (reply_number(&pipeline.replies[i]) != sums[i])
			suspect(audit, firsts[i]->bucket, firsts[i]->author);
	arena_reset(step);
	return STORE_OK;
}

/* Finds karma of those who posted nothing in the bucket. */
static void
find_groundless(
    struct audit *audit, uint64_t bucket, const struct reply *fields)
{
	for (size_t i = 0; i < fields->count; i += 2) {
		uint64_t author = reply_id(reply_item(fields, i));
		bool has_run = find_run(audit, bucket, author) <
		    find_run(audit, bucket, author + 1);

		audit->karmas++;
		if (reply_number(reply_item(fields, i + 1)) != 0 && !has_run)
			suspect(audit, bucket, author);
	}
}

static enum store_result
walk_bucket(struct audit *audit, uint64_t bucket)
{
	struct arena *step = &audit->step;
	uint64_t cursor = 0;

	do {
		struct pipeline pipeline =
		    pipeline_begin(audit->store->redis, step);

		pipeline_add(&pipeline, TEXT("HSCAN"),
		    key_karma(step, &audit->store->buckets, bucket),
		    text_number(step, (int64_t)cursor), TEXT("COUNT"),
		    TEXT("500"));
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		cursor = reply_id(reply_item(&pipeline.replies[0], 0));
		find_groundless(
		    audit, bucket, reply_item(&pipeline.replies[0], 1));
		arena_reset(step);
	} while (cursor != 0);
	return STORE_OK;
}

static void
keep_unknown(const struct audit *audit, struct places *posts)
{
	size_t kept = 0;

	for (size_t i = 0; i < posts->count; i++)
		if (!keyscan_has_post(audit->known, &posts->items[i]))
			posts->items[kept++] = posts->items[i];
	posts->count = kept;
}

/* Posts that were not known. */
static enum store_result
find_late(struct audit *audit, struct keyscan *late)
{
	if (keyscan_read(audit->store, audit->memory, KEYSCAN_POSTS, late) !=
	    STORE_OK)
		return STORE_DOWN;
	keep_unknown(audit, &late->places[KEYSCAN_ARTICLES]);
	keep_unknown(audit, &late->places[KEYSCAN_COMMENTS]);
	return STORE_OK;
}

/* The posts of a suspect that are known, and after them those found late: names in the
 * step's arena. */
static size_t
list_posts(struct audit *audit, const struct suspect *suspect,
    const struct keyscan *late, struct text **names)
{
	static const enum keyscan_kind kinds[] = { KEYSCAN_ARTICLES,
		KEYSCAN_COMMENTS };
	struct arena *step = &audit->step;
	size_t start = find_run(audit, suspect->bucket, suspect->author);
	size_t end = find_run(audit, suspect->bucket, suspect->author + 1);
	size_t count = 0;

	*names = arena_new(step, struct text,
	    end - start + late->places[KEYSCAN_ARTICLES].count +
		late->places[KEYSCAN_COMMENTS].count);
	for (size_t i = start; i < end; i++)
		(*names)[count++] = key_post_name(step, audit->shares[i].post);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < late->places[kinds[k]].count; i++) {
			const struct place *place =
			    &late->places[kinds[k]].items[i];

			if (place->bucket == suspect->bucket)
				(*names)[count++] =
				    key_post_name(step, place->id);
		}
	return count;
}

/* Adds some posts to the sum of all; false in *is_one when that was begun anew. */
static enum store_result
look_at_some(struct audit *audit, struct suspect *suspect, struct text token,
    const struct text *names, size_t count, int64_t calls, bool *is_one)
{
	struct arena *step = &audit->step;
	struct pipeline pipeline = pipeline_begin(audit->store->redis, step);
	struct call call = call_begin(step, CALL_READS, "karma_4",
	    key_karma(step, &audit->store->buckets, suspect->bucket));

	call_add(&call, token);
	call_add_number(&call, (int64_t)suspect->author);
	call_add_number(&call, audit->since);
	call_add_number(&call, POSTS_BATCH);
	call_add_words(&call, names, count);
	call_send(&call, &pipeline);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	suspect->kept = reply_number(reply_item(&pipeline.replies[0], 0));
	suspect->sum = reply_number(reply_item(&pipeline.replies[0], 1));
	*is_one = reply_number(reply_item(&pipeline.replies[0], 2)) == calls;
	return STORE_OK;
}

/*
 * Karma and posts at one moment: those listed, known, or posted since. The sum is made in
 * steps, and Redis keeps it in step with the votes of meanwhile. One that was begun
 * anew is no sum: the suspect stays one.
 */
static enum store_result
look(struct audit *audit, struct suspect *suspect, const struct keyscan *late)
{
	struct text token = crypto_random_hex(&audit->step, 8), *names;
	size_t count = list_posts(audit, suspect, late, &names), done = 0;
	enum store_result result;
	bool is_one = true;

	for (int64_t calls = 1;; calls++) {
		size_t left = count - done;
		size_t some = left < POSTS_BATCH ? left : POSTS_BATCH;

		result = look_at_some(
		    audit, suspect, token, names + done, some, calls, &is_one);
		done += some;
		if (result != STORE_OK || !is_one || done == count)
			break;
	}
	suspect->is_whole = is_one;
	arena_reset(&audit->step);
	return result;
}

static struct suspects
suspects_of(const struct audit *audit)
{
	return (
	    struct suspects){ (struct suspect *)(void *)audit->suspects.data,
		audit->suspects.size / sizeof(struct suspect) };
}

/*
 * Looks at all suspects again and leaves those that still differ. What was posted
 * since the check began is looked for from the second time on: it matters only if it
 * was removed meanwhile, since what is listed is found anyway.
 */
static enum store_result
look_again(struct audit *audit, int times)
{
	struct suspects suspects = suspects_of(audit);
	struct keyscan late = { .list_count = 0 };
	size_t kept = 0;

	if (times > 0 && find_late(audit, &late) != STORE_OK)
		return STORE_DOWN;
	if (times > 0)
		audit->since = late.began;
	for (size_t i = 0; i < suspects.count; i++) {
		struct suspect *suspect = &suspects.items[i];

		if (look(audit, suspect, &late) != STORE_OK)
			return STORE_DOWN;
		if (!suspect->is_whole || suspect->kept != suspect->sum)
			suspects.items[kept++] = *suspect;
	}
	audit->suspects.size = kept * sizeof(struct suspect);
	return STORE_OK;
}

STORE_CALL
karma_check(struct store *store, struct arena *arena,
    const struct keyscan *known, struct share *shares, size_t count,
    struct suspects *found, uint64_t *karmas)
{
	struct audit audit = { .store = store,
		.known = known,
		.shares = shares,
		.share_count = count,
		.since = known->began,
		.memory = arena,
		.suspects = buffer_in(arena, 1024) };
	enum store_result result = STORE_OK;

	if (count > 0)
		qsort(shares, count, sizeof(*shares), compare_shares);
	for (size_t next = 0; next < count && result == STORE_OK;)
		result = compare_some(&audit, &next);
	for (uint64_t b = 0; b < store->buckets.count && result == STORE_OK;
	    b++)
		result = walk_bucket(&audit, b);
	for (int i = 0;
	    i < MAX_LOOKS && audit.suspects.size > 0 && result == STORE_OK; i++)
		result = look_again(&audit, i);
	*found = suspects_of(&audit);
	*karmas = audit.karmas;
	arena_free(&audit.step);
	return result;
}

#include "archive/check.h"

#include <stdlib.h>

#include "archive/inventory.h"
#include "archive/karma.h"
#include "base/buffer.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/keys.h"

enum {
	ARTICLES_AT_ONCE = 25,
	LISTS_AT_ONCE = 4,  /* in steps of 50 entries, short ones at once */
	PLAIN_AT_ONCE = 500 /* commands that look at one key */
};

struct check {
	struct store *store;
	const struct check_reporter *reporter;
	struct check_counts *counts;
	struct inventory all;
	struct arena memory; /* lives as long as the check */
	struct arena step;   /* lives as long as one pipeline */
	struct share *shares;
	size_t share_count;
};

static void
report(struct check *check, struct text what)
{
	check->counts->breaks++;
	check->reporter->report(check->reporter->data, what);
}

/* The breaks that a function found, in its reply from start on. */
static void
report_all(struct check *check, struct text where, const struct reply *reply,
    size_t start)
{
	for (size_t i = start; i < reply->count; i++)
		report(check,
		    text_format(&check->step, "%.*s: %.*s", TEXT_ARGS(where),
			TEXT_ARGS(reply_text(reply_item(reply, i)))));
}

static struct text
name_of_article(struct check *check, uint64_t id)
{
	return text_format(
	    &check->step, "article %llu", (unsigned long long)id);
}

static uint64_t
count_at(const struct reply *reply, size_t index)
{
	return (uint64_t)reply_number(reply_item(reply, index));
}

/* What check_2 found of an article. */
static void
take_article(
    struct check *check, const struct place *place, const struct reply *reply)
{
	struct check_counts *counts = check->counts;
	struct share share = { .bucket = place->bucket,
		.author = count_at(reply, 0),
		.article = place->id,
		.points = reply_number(reply_item(reply, 1)) -
		    reply_number(reply_item(reply, 2)) - 1 };

	if (reply->count == 0)
		return;
	counts->articles++;
	counts->up += count_at(reply, 1);
	counts->down += count_at(reply, 2);
	counts->voters_known += count_at(reply, 3);
	counts->removed += count_at(reply, 4);
	counts->interesting += count_at(reply, 5);
	if (share.author != 0)
		check->shares[check->share_count++] = share;
	report_all(check, name_of_article(check, place->id), reply, 6);
}

/* Whether it is in the bucket that its id says; if not, that is a break. */
static bool
is_at_home(struct check *check, const char *what, const struct place *place)
{
	uint64_t home = place->id % check->store->rules.buckets;

	if (place->bucket == home)
		return true;
	report(check,
	    text_format(&check->step,
		"article %llu: %s in bucket %llu, and belongs in %llu",
		(unsigned long long)place->id, what,
		(unsigned long long)place->bucket, (unsigned long long)home));
	return false;
}

static enum store_result
check_some_articles(
    struct check *check, const struct place *places, size_t count)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	const struct rules *rules = &check->store->rules;
	const struct place *asked[ARTICLES_AT_ONCE] = { NULL };
	size_t asked_count = 0;
	struct call call;

	for (size_t i = 0; i < count; i++) {
		if (!is_at_home(check, "it lies", &places[i]))
			continue;
		asked[asked_count++] = &places[i];
		call = call_begin(step, CALL_READS, "check_2",
		    key_post(step, rules->buckets, article_id(places[i].id)));
		call_add_number(&call, rules->vote_score);
		schema_add_required(&call, &article_schema);
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < asked_count; i++)
		take_article(check, asked[i], &pipeline.replies[i]);
	return STORE_OK;
}

/* Those of an article posted after the inventory was taken are no break. */
static enum store_result
check_some_voters(struct check *check, const struct place *places, size_t count)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	const struct inventory *all = &check->all;
	const struct place *asked[PLAIN_AT_ONCE] = { NULL };
	size_t asked_count = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_at_home(check, "a record of voters lies", &places[i]) ||
		    bsearch(&places[i], all->articles, all->article_count,
			sizeof(places[i]), inventory_compare_places) != NULL)
			continue;
		asked[asked_count++] = &places[i];
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_post(step, check->store->rules.buckets,
			article_id(places[i].id)));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < asked_count; i++)
		if (reply_number(&pipeline.replies[i]) == 0)
			report(check,
			    text_format(step,
				"article %llu: it does not exist, and who "
				"voted on it is recorded",
				(unsigned long long)asked[i]->id));
	return STORE_OK;
}

/* Looks at all places, a few at a time. */
static enum store_result
in_steps(struct check *check, const struct place *places, size_t count,
    size_t at_once,
    enum store_result (*look)(
	struct check *check, const struct place *places, size_t count))
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count && result == STORE_OK; i += at_once) {
		result = look(check, places + i,
		    count - i < at_once ? count - i : at_once);
		arena_reset(&check->step);
	}
	return result;
}

/* How far the walk through a sorted set has come. */
struct walk {
	struct text list;
	uint64_t cursor;
	bool ended;
};

/* One more step in each list; *left says whether any has not ended. */
static enum store_result
step_lists(struct check *check, struct walk *walks, size_t count, bool *left)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	const struct reply *reply;
	struct call call;

	*left = false;
	for (size_t i = 0; i < count; i++) {
		if (walks[i].ended)
			continue;
		call = call_begin(step, CALL_READS, "belongs_1", walks[i].list);
		call_add(&call,
		    text_format(
			step, "%llu", (unsigned long long)walks[i].cursor));
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		if (walks[i].ended)
			continue;
		walks[i].cursor = reply_id(reply_item(reply, 0));
		walks[i].ended = walks[i].cursor == 0;
		*left = *left || !walks[i].ended;
		check->counts->entries += count_at(reply, 1);
		report_all(check, walks[i].list, reply++, 2);
	}
	arena_reset(step);
	return STORE_OK;
}

static enum store_result
check_lists(struct check *check)
{
	const struct inventory *all = &check->all;

	for (size_t i = 0; i < all->list_count; i += LISTS_AT_ONCE) {
		struct walk walks[LISTS_AT_ONCE] = { 0 };
		size_t count = 0;
		bool left;

		while (count < LISTS_AT_ONCE && i + count < all->list_count) {
			walks[count].list = all->lists[i + count];
			count++;
		}
		do {
			if (step_lists(check, walks, count, &left) != STORE_OK)
				return STORE_DOWN;
		} while (left);
	}
	return STORE_OK;
}

static enum store_result
count_groups(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);

	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	check->counts->groups = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

static enum store_result
check_all(struct check *check)
{
	struct inventory *all = &check->all;
	enum store_result result =
	    inventory_read(check->store, &check->memory, INVENTORY_ALL, all);

	if (result != STORE_OK)
		return result;
	check->shares =
	    arena_new(&check->memory, struct share, all->article_count);
	check->counts->members = all->member_count;
	check->counts->lists = all->list_count;
	result = count_groups(check);
	if (result == STORE_OK)
		result = in_steps(check, all->articles, all->article_count,
		    ARTICLES_AT_ONCE, check_some_articles);
	if (result == STORE_OK)
		result = in_steps(check, all->voters, all->voter_count,
		    PLAIN_AT_ONCE, check_some_voters);
	if (result == STORE_OK)
		result = check_lists(check);
	return result != STORE_OK
	    ? result
	    : karma_check(check->store, all, check->shares, check->share_count,
		  check->reporter, check->counts);
}

STORE_CALL
check_site(struct store *store, const struct check_reporter *reporter,
    struct check_counts *counts)
{
	struct check check = {
		.store = store, .reporter = reporter, .counts = counts
	};
	enum store_result result;

	*counts = (struct check_counts){ 0 };
	result = check_all(&check);
	arena_free(&check.step);
	arena_free(&check.memory);
	return result;
}

#include "archive/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/inventory.h"
#include "archive/karma.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/keys.h"

enum {
	ARTICLES_AT_ONCE = 25,
	LISTS_AT_ONCE = 4,  /* in steps of 50 entries, short ones at once */
	PLAIN_AT_ONCE = 500 /* commands that look at one key */
};

/* What check_5 answers of an article, before the breaks. */
enum { AUTHOR, UP, DOWN, VOTERS_KNOWN, REMOVED, INTERESTING, BREAKS };

struct check {
	struct store *store;
	FILE *out;
	struct inventory all;
	struct arena memory; /* lives as long as the check */
	struct arena step;   /* lives as long as one pipeline */
	struct share *shares;
	size_t share_count;
	/* For the summary. */
	uint64_t articles, totals[BREAKS], acts, groups, karmas, breaks;
	uint64_t entries; /* of all lists */
};

/* What Redis holds may be damaged in any way: no control character goes out. */
static void
report(struct check *check, struct text what)
{
	for (size_t i = 0; i < what.size; i++) {
		unsigned char c = (unsigned char)what.data[i];

		putc(c < ' ' || c == 0x7f ? '?' : c, check->out);
	}
	putc('\n', check->out);
	check->breaks++;
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

static uint64_t
count_at(const struct reply *reply, size_t index)
{
	return (uint64_t)reply_number(reply_item(reply, index));
}

static struct text
key_of(struct check *check, const struct place *place)
{
	return key_post(
	    &check->step, &check->store->buckets, article_id(place->id));
}

static void
take_article(
    struct check *check, const struct place *place, const struct reply *reply)
{
	struct share share = { .bucket = place->bucket,
		.author = count_at(reply, AUTHOR),
		.article = place->id,
		.points = reply_number(reply_item(reply, UP)) -
		    reply_number(reply_item(reply, DOWN)) - 1 };

	if (reply->count == 0)
		return;
	check->articles++;
	for (size_t i = UP; i <= DOWN; i++)
		check->totals[i] += count_at(reply, i);
	for (size_t i = VOTERS_KNOWN; i < BREAKS; i++)
		check->totals[i] += count_at(reply, i) != 0;
	if (share.author != 0)
		check->shares[check->share_count++] = share;
	report_all(check,
	    text_format(&check->step, "article %" PRIu64, place->id), reply,
	    BREAKS);
}

/* Whether it is in the bucket that its id says; if not, that is a break. */
static bool
is_at_home(struct check *check, const char *what, const struct place *place)
{
	uint64_t home = key_bucket_of(&check->store->buckets, place->id);

	if (place->bucket != home)
		report(check,
		    text_format(&check->step,
			"article %" PRIu64 ": %s in bucket %" PRIu64
			", and belongs in %" PRIu64,
			place->id, what, place->bucket, home));
	return place->bucket == home;
}

static void
ask_article(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	struct call call = call_begin(
	    &check->step, CALL_READS, "check_5", key_of(check, place));

	call_add_number(&call, check->store->rules.vote_score);
	schema_add_required(&call, &article_schema);
	call_send(&call, pipeline);
}

/* Those of an article posted after the inventory was taken are no break; of voters, and
 * of flags. */
static void
ask_article_of(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	if (!inventory_has(&check->all.articles, place))
		pipeline_add(pipeline, TEXT("EXISTS"), key_of(check, place));
}

static void
take_voters(
    struct check *check, const struct place *place, const struct reply *reply)
{
	if (reply_number(reply) == 0)
		report(check,
		    text_format(&check->step,
			"article %" PRIu64 ": it does not exist, but who "
			"voted on it is recorded",
			place->id));
}

static void
take_flags(
    struct check *check, const struct place *place, const struct reply *reply)
{
	if (reply_number(reply) == 0)
		report(check,
		    text_format(&check->step,
			"article %" PRIu64 ": it does not exist, but it was "
			"flagged",
			place->id));
}

static void
ask_act(
    struct check *check, struct pipeline *pipeline, const struct place *place)
{
	struct call call = call_begin(&check->step, CALL_READS, "check_act_1",
	    key_act(&check->step, &check->store->buckets, place->id));

	schema_add_required(&call, &act_schema);
	call_send(&call, pipeline);
}

static void
take_act(
    struct check *check, const struct place *place, const struct reply *reply)
{
	check->acts++;
	report_all(check, text_format(&check->step, "act %" PRIu64, place->id),
	    reply, 0);
}

/* How places of a kind are looked at. */
struct look {
	const char *what; /* is there, if the bucket is wrong */
	size_t at_once;
	/* Adds a command, or none. */
	void (*ask)(struct check *check, struct pipeline *pipeline,
	    const struct place *place);
	void (*take)(struct check *check, const struct place *place,
	    const struct reply *reply);
};

static const struct look look_at_article = { "it lies", ARTICLES_AT_ONCE,
	ask_article, take_article };
static const struct look look_at_voters = { "a record of voters lies",
	PLAIN_AT_ONCE, ask_article_of, take_voters };
static const struct look look_at_flags = { "flags lie", PLAIN_AT_ONCE,
	ask_article_of, take_flags };
static const struct look look_at_act = { "an act lies", ARTICLES_AT_ONCE,
	ask_act, take_act };

/* Looks at some places from *next on, and moves it past them. */
static enum store_result
check_some(struct check *check, const struct look *look,
    const struct places *places, size_t *next)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	const struct place *asked[PLAIN_AT_ONCE] = { NULL };

	for (; *next < places->count && pipeline.count < look->at_once;
	    ++*next) {
		const struct place *place = &places->items[*next];

		asked[pipeline.count] = place;
		if (is_at_home(check, look->what, place))
			look->ask(check, &pipeline, place);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		look->take(check, asked[i], &pipeline.replies[i]);
	arena_reset(&check->step);
	return STORE_OK;
}

static enum store_result
check_places(
    struct check *check, const struct look *look, const struct places *places)
{
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < places->count && result == STORE_OK;)
		result = check_some(check, look, places, &next);
	return result;
}

/* How far the walk through a sorted set has come. */
struct walk {
	struct text list;
	uint64_t cursor;
};

/* One more step in each list; those that have ended are taken out. */
static enum store_result
step_lists(struct check *check, struct walk *walks, size_t *count)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	size_t left = 0;

	for (size_t i = 0; i < *count; i++) {
		struct call call =
		    call_begin(step, CALL_READS, "belongs_1", walks[i].list);

		call_add_number(&call, (int64_t)walks[i].cursor);
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++) {
		const struct reply *reply = &pipeline.replies[i];

		check->entries += count_at(reply, 1);
		report_all(check, walks[i].list, reply, 2);
		walks[i].cursor = reply_id(reply_item(reply, 0));
		if (walks[i].cursor != 0)
			walks[left++] = walks[i];
	}
	*count = left;
	arena_reset(step);
	return STORE_OK;
}

/* Begins with another list whenever one has ended. */
static enum store_result
check_lists(struct check *check)
{
	struct walk walks[LISTS_AT_ONCE];
	enum store_result result = STORE_OK;
	size_t next = 0, count = 0;

	do {
		while (count < LISTS_AT_ONCE && next < check->all.list_count)
			walks[count++] =
			    (struct walk){ .list = check->all.lists[next++] };
		result = step_lists(check, walks, &count);
	} while (
	    (count > 0 || next < check->all.list_count) && result == STORE_OK);
	return result;
}

static enum store_result
count_groups(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);

	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	check->groups = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

static enum store_result
check_karma(struct check *check)
{
	struct suspects found;
	enum store_result result =
	    karma_check(check->store, &check->memory, &check->all,
		check->shares, check->share_count, &found, &check->karmas);

	for (size_t i = 0; i < found.count && result == STORE_OK; i++) {
		const struct suspect *suspect = &found.items[i];

		report(check,
		    text_format(&check->step,
			"karma of member %" PRIu64 " in bucket %" PRIu64
			": it is %" PRId64 ", and the articles make %" PRId64,
			suspect->author, suspect->bucket, suspect->kept,
			suspect->sum));
	}
	return result;
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
	    arena_new(&check->memory, struct share, all->articles.count);
	result = count_groups(check);
	if (result == STORE_OK)
		result = check_places(check, &look_at_article, &all->articles);
	if (result == STORE_OK)
		result = check_places(check, &look_at_voters, &all->voters);
	if (result == STORE_OK)
		result = check_places(check, &look_at_flags, &all->flags);
	if (result == STORE_OK)
		result = check_places(check, &look_at_act, &all->acts);
	if (result == STORE_OK)
		result = check_lists(check);
	return result == STORE_OK ? check_karma(check) : result;
}

static void
summarize(const struct check *check)
{
	const uint64_t *totals = check->totals;

	fprintf(check->out,
	    "%" PRIu64 " article%s: %" PRIu64 " removed, %" PRIu64
	    " interesting, %" PRIu64 " with a record of who voted\n"
	    "%" PRIu64 " vote%s: %" PRIu64 " up, %" PRIu64 " down\n"
	    "%zu member%s, %" PRIu64 " group%s, %" PRIu64 " count%s of karma\n"
	    "%" PRIu64 " act%s of moderators\n"
	    "%zu list%s with %" PRIu64 " %s\n"
	    "%" PRIu64 " break%s\n",
	    check->articles, TEXT_PLURAL(check->articles), totals[REMOVED],
	    totals[INTERESTING], totals[VOTERS_KNOWN],
	    totals[UP] + totals[DOWN], TEXT_PLURAL(totals[UP] + totals[DOWN]),
	    totals[UP], totals[DOWN], check->all.members.count,
	    TEXT_PLURAL(check->all.members.count), check->groups,
	    TEXT_PLURAL(check->groups), check->karmas,
	    TEXT_PLURAL(check->karmas), check->acts, TEXT_PLURAL(check->acts),
	    check->all.list_count, TEXT_PLURAL(check->all.list_count),
	    check->entries, check->entries == 1 ? "entry" : "entries",
	    check->breaks, TEXT_PLURAL(check->breaks));
}

int
check_command(struct store *store, FILE *out)
{
	struct check check = { .store = store, .out = out };
	enum store_result result = check_all(&check);

	arena_free(&check.step);
	arena_free(&check.memory);
	if (result != STORE_OK) {
		log_line("the check stopped before its end");
		return 1;
	}
	summarize(&check);
	if (fflush(out) != 0 || ferror(out)) {
		log_line("cannot write the result: %s", strerror(errno));
		return 1;
	}
	return check.breaks == 0 ? 0 : 1;
}

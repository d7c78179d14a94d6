#include "archive/look.h"

#include <inttypes.h>

#include "redis/redis.h"
#include "store/comment.h"

enum {
	POSTS_BATCH = 25,
	LISTS_BATCH = 4,    /* in steps of 50 entries, short ones at once */
	THREADS_BATCH = 10, /* in steps of 50 comments */
	PLAIN_AT_ONCE = 500 /* commands that look at one key */
};

/* What check_5 answers of a post, before the breaks. */
enum { AUTHOR, UP, DOWN, VOTERS_KNOWN, REMOVED, INTERESTING, BREAKS };

void
look_report(struct look *look, struct text what)
{
	for (size_t i = 0; i < what.size; i++) {
		unsigned char c = (unsigned char)what.data[i];

		putc(c < ' ' || c == 0x7f ? '?' : c, look->out);
	}
	putc('\n', look->out);
	look->breaks++;
}

/* The breaks that a function found, in its reply from start on. */
static void
report_all(struct look *look, struct text where, const struct reply *reply,
    size_t start)
{
	for (size_t i = start; i < reply->count; i++)
		look_report(look,
		    text_format(&look->step, "%.*s: %.*s", TEXT_ARGS(where),
			TEXT_ARGS(reply_text(reply_item(reply, i)))));
}

static uint64_t
count_at(const struct reply *reply, size_t index)
{
	return (uint64_t)reply_number(reply_item(reply, index));
}

/* "article 7", "comment 7:3". */
static struct text
name_of(struct look *look, const struct place *place)
{
	return text_format(&look->step, "%s %.*s",
	    place->id.comment == 0 ? "article" : "comment",
	    TEXT_ARGS(key_post_name(&look->step, place->id)));
}

static struct text
key_of(struct look *look, const struct place *place)
{
	return key_post(&look->step, &look->store->buckets, place->id);
}

static void
ask_post(
    struct look *look, struct pipeline *pipeline, const struct place *place)
{
	struct call call =
	    call_begin(&look->step, CALL_READS, "check_5", key_of(look, place));

	call_add_number(&call, look->store->rules.vote_score);
	schema_add_required(
	    &call, place->id.comment == 0 ? &article_schema : &comment_schema);
	call_send(&call, pipeline);
}

static void
take_post(
    struct look *look, const struct place *place, const struct reply *reply)
{
	struct look_totals *totals =
	    place->id.comment == 0 ? &look->articles : &look->comments;
	struct share share = { .bucket = place->bucket,
		.author = count_at(reply, AUTHOR),
		.post = place->id,
		.points = reply_number(reply_item(reply, UP)) -
		    reply_number(reply_item(reply, DOWN)) - 1 };

	if (reply->count == 0)
		return;
	totals->posts++;
	totals->up += count_at(reply, UP);
	totals->down += count_at(reply, DOWN);
	totals->voters_known += count_at(reply, VOTERS_KNOWN) != 0;
	totals->removed += count_at(reply, REMOVED) != 0;
	totals->interesting += count_at(reply, INTERESTING) != 0;
	if (share.author != 0)
		look->shares[look->share_count++] = share;
	report_all(look, name_of(look, place), reply, BREAKS);
}

/* Those of a post that appeared after the inventory was taken are no break; of voters,
 * and of flags. */
static void
ask_post_of(
    struct look *look, struct pipeline *pipeline, const struct place *place)
{
	if (!keyscan_has_post(&look->all, place))
		pipeline_add(pipeline, TEXT("EXISTS"), key_of(look, place));
}

static void
report_groundless(struct look *look, const struct place *place,
    const struct reply *reply, const char *what)
{
	if (reply_number(reply) == 0)
		look_report(look,
		    text_format(&look->step, "%.*s: it does not exist, but %s",
			TEXT_ARGS(name_of(look, place)), what));
}

static void
take_voters(
    struct look *look, const struct place *place, const struct reply *reply)
{
	report_groundless(look, place, reply, "who voted on it is recorded");
}

static void
take_flags(
    struct look *look, const struct place *place, const struct reply *reply)
{
	report_groundless(look, place, reply, "it was flagged");
}

static void
ask_act(struct look *look, struct pipeline *pipeline, const struct place *place)
{
	struct call call = call_begin(&look->step, CALL_READS, "check_act_1",
	    key_mod_action(
		&look->step, &look->store->buckets, place->id.article));

	schema_add_required(&call, &mod_action_schema);
	call_send(&call, pipeline);
}

static void
take_act(
    struct look *look, const struct place *place, const struct reply *reply)
{
	look->acts++;
	report_all(look,
	    text_format(&look->step, "act %" PRIu64, place->id.article), reply,
	    0);
}

/* How places of a kind are looked at; threads are, further below. */
struct way {
	enum keyscan_kind kind;
	const char *what; /* is there, if the bucket is wrong */
	size_t at_once;
	/* Adds a command, or none. */
	void (*ask)(struct look *look, struct pipeline *pipeline,
	    const struct place *place);
	void (*take)(struct look *look, const struct place *place,
	    const struct reply *reply);
};

static const struct way ways[] = {
	{ KEYSCAN_ARTICLES, "it lies", POSTS_BATCH, ask_post, take_post },
	{ KEYSCAN_COMMENTS, "it lies", POSTS_BATCH, ask_post, take_post },
	{ KEYSCAN_VOTERS, "a record of voters lies", PLAIN_AT_ONCE, ask_post_of,
	    take_voters },
	{ KEYSCAN_FLAGS, "flags lie", PLAIN_AT_ONCE, ask_post_of, take_flags },
	{ KEYSCAN_ACTS, "an act lies", POSTS_BATCH, ask_act, take_act },
};

/* Whether it is in the bucket that its id says; if not, that is a break. */
static bool
is_at_home(struct look *look, const char *what, const struct place *place)
{
	uint64_t home = key_bucket_of(&look->store->buckets, place->id.article);

	if (place->bucket != home)
		look_report(look,
		    text_format(&look->step,
			"%.*s: %s in bucket %" PRIu64 ", and belongs in "
			"%" PRIu64,
			TEXT_ARGS(name_of(look, place)), what, place->bucket,
			home));
	return place->bucket == home;
}

/* Looks at some places from *next on, and moves it past them. */
static enum store_result
look_at_some(struct look *look, const struct way *way,
    const struct places *places, size_t *next)
{
	struct pipeline pipeline =
	    pipeline_begin(look->store->redis, &look->step);
	const struct place *asked[PLAIN_AT_ONCE] = { NULL };

	for (; *next < places->count && pipeline.count < way->at_once;
	    ++*next) {
		const struct place *place = &places->items[*next];

		asked[pipeline.count] = place;
		if (is_at_home(look, way->what, place))
			way->ask(look, &pipeline, place);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		way->take(look, asked[i], &pipeline.replies[i]);
	arena_reset(&look->step);
	return STORE_OK;
}

static enum store_result
look_at_places(struct look *look, const struct way *way)
{
	const struct places *places = &look->all.places[way->kind];
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < places->count && result == STORE_OK;)
		result = look_at_some(look, way, places, &next);
	return result;
}

/* How far the walk through a list, or through a thread, has come. */
struct walk {
	struct text list;
	const struct place *thread; /* NULL: a list */
	uint64_t cursor;
};

/* How all of a kind are walked through. */
struct tour {
	const char *function; /* goes on from a cursor: the next one, how many
				 entries were looked at, and then the breaks */
	size_t at_once;
	/* Begins with another one, from *next on; false when there is none. */
	bool (*begin)(struct look *look, size_t *next, struct walk *walk);
};

static bool
begin_list(struct look *look, size_t *next, struct walk *walk)
{
	if (*next == look->all.list_count)
		return false;
	*walk = (struct walk){ .list = look->all.lists[(*next)++] };
	return true;
}

/* One in a wrong bucket is reported as that alone. */
static bool
begin_thread(struct look *look, size_t *next, struct walk *walk)
{
	const struct places *threads = &look->all.places[KEYSCAN_THREADS];

	while (*next < threads->count) {
		*walk = (struct walk){ .thread = &threads->items[(*next)++] };
		if (is_at_home(look, "its thread lies", walk->thread))
			return true;
	}
	return false;
}

static const struct tour lists = { "belongs_1", LISTS_BATCH, begin_list };
static const struct tour threads = { "records_1", THREADS_BATCH, begin_thread };

static struct text
key_of_walk(struct look *look, const struct walk *walk)
{
	return walk->thread == NULL
	    ? walk->list
	    : key_thread(
		  &look->step, &look->store->buckets, walk->thread->id.article);
}

static void
take_step(struct look *look, struct walk *walk, const struct reply *reply)
{
	if (walk->thread == NULL)
		look->entries += count_at(reply, 1);
	report_all(look, key_of_walk(look, walk), reply, 2);
	walk->cursor = reply_id(reply_item(reply, 0));
}

/* One more step in each; those that have ended are taken out. */
static enum store_result
step_walks(struct look *look, const struct tour *tour, struct walk *walks,
    size_t *count)
{
	struct pipeline pipeline =
	    pipeline_begin(look->store->redis, &look->step);
	size_t left = 0;

	for (size_t i = 0; i < *count; i++) {
		struct call call = call_begin(&look->step, CALL_READS,
		    tour->function, key_of_walk(look, &walks[i]));

		call_add_number(&call, (int64_t)walks[i].cursor);
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++) {
		take_step(look, &walks[i], &pipeline.replies[i]);
		if (walks[i].cursor != 0)
			walks[left++] = walks[i];
	}
	*count = left;
	arena_reset(&look->step);
	return STORE_OK;
}

/* Begins with another one whenever one has ended. */
static enum store_result
walk_all(struct look *look, const struct tour *tour)
{
	struct walk walks[THREADS_BATCH];
	enum store_result result = STORE_OK;
	size_t next = 0, count = 0;

	while (result == STORE_OK) {
		while (count < tour->at_once &&
		    tour->begin(look, &next, &walks[count]))
			count++;
		if (count == 0)
			break;
		result = step_walks(look, tour, walks, &count);
	}
	return result;
}

STORE_CALL
look_at_all(struct look *look)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0;
	    i < sizeof(ways) / sizeof(ways[0]) && result == STORE_OK; i++)
		result = look_at_places(look, &ways[i]);
	if (result == STORE_OK)
		result = walk_all(look, &lists);
	return result == STORE_OK ? walk_all(look, &threads) : result;
}

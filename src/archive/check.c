/*
 * The scan finds every key once; then each noun is examined, from what names others to
 * what is named, and last the lists.
 *
 *	keyscan --> places --> one command each -----------> breaks
 *	        --> lists, threads, inboxes --> in steps --> breaks
 *	        --> names, groups, claims --> up to 3 times --> breaks
 */
#include "archive/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/check_keys.h"
#include "archive/noun.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/move.h"
#include "store/pace.h"
#include "store/points.h"
#include "store/publisher_walk.h"
#include "store/scores.h"

enum {
	LISTS_BATCH = 4, /* in steps of 50 entries, short ones at once */
	REPAIRS_MAX = 5
};

static bool
start_list(struct check *check, size_t *next, struct check_cursor *cursor)
{
	if (*next == check->all.list_count)
		return false;
	cursor->list = check->all.lists[(*next)++];
	return true;
}

static void
ask_list(struct check *check, struct pipeline *pipeline,
    const struct check_cursor *cursor)
{
	if (check->repairs)
		check_ask_steps(check, pipeline, CALL_WRITES, "trim_1",
		    cursor->list, cursor->position);
	else
		check_ask_steps(check, pipeline, CALL_READS, "belongs_1",
		    cursor->list, cursor->position);
}

/* The reply has the number of entries in second place. */
static bool
take_list(
    struct check *check, struct check_cursor *cursor, const struct reply *reply)
{
	check->entries += (uint64_t)reply_number(reply_item(reply, 1));
	return check_take_steps(check, cursor, cursor->list, reply);
}

static const struct check_scan lists = { LISTS_BATCH, start_list, ask_list,
	take_list };

/* A key that is derived from others is written again once it is gone. */
static enum store_result
report_mistyped(struct check *check)
{
	for (size_t i = 0; i < check->all.mistyped_count; i++) {
		struct mistyped mistyped = check->all.mistyped[i];

		check_report(check,
		    text_format(&check->memory,
			"%.*s: its type is %.*s, and should be %.*s",
			TEXT_ARGS(mistyped.key), TEXT_ARGS(mistyped.type),
			TEXT_ARGS(key_type(mistyped.key))));
		if (check->repairs && key_is_derived(mistyped.key))
			pipeline_add_replicated(
			    check_repairs(check), TEXT("UNLINK"), mistyped.key);
	}
	return check_repair(check);
}

/* Starts a count of changes again, from a number that it cannot have had; the time up to which
 * the newest comments were trimmed is set again by trimming, and the states of lists by those who
 * make them (store/pace.h, store/publisher_walk.h, store/points.h). */
static void
repair_version(struct check *check, struct text key, const struct reply *field)
{
	struct pipeline *repairs = check_repairs(check);
	struct text name = reply_text(field);

	if (repairs == NULL)
		return;
	key = text_copy(repairs->arena, key);
	if (text_equal(name, TEXT("newest")) ||
	    text_equal(name, SCORES_FIELD) ||
	    text_equal(name, PUBLISHER_WALK_FIELD) ||
	    text_equal(name, POINTS_FIELD))
		pipeline_add_replicated(repairs, TEXT("HDEL"), key, name);
	else
		pipeline_add_replicated(repairs, TEXT("HSET"), key, name,
		    text_number(repairs->arena, check->all.began * 1000));
}

static bool
check_version(struct check *check, struct text key, const struct reply *name,
    const struct reply *value)
{
	struct text state = reply_text(value);
	struct scores scores;
	bool is_good;

	if (text_equal(reply_text(name), SCORES_FIELD))
		is_good = scores_parse(state, &scores);
	else if (text_equal(reply_text(name), PUBLISHER_WALK_FIELD))
		is_good = publisher_walk_is_state(state);
	else if (text_equal(reply_text(name), POINTS_FIELD))
		is_good = points_is_state(state);
	else
		return check_number(check, key, name, value);
	if (is_good)
		return true;
	check_report(check,
	    text_format(&check->memory, "%.*s: its field \"%.*s\" is \"%.*s\"",
		TEXT_ARGS(key), TEXT_ARGS(reply_text(name)),
		TEXT_ARGS(reply_text(value))));
	return false;
}

/* Functions count changes in these, and fail where a count is no number. */
static enum store_result
check_versions(struct check *check)
{
	const struct buckets *buckets = &check->store->buckets;
	struct arena *memory = &check->memory;
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	for (uint64_t b = 0; b < buckets->count; b++)
		pipeline_add(&pipeline, TEXT("HGETALL"),
		    key_versions(memory, buckets, b));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < buckets->count; b++) {
		const struct reply *all = &pipeline.replies[b];
		struct text key = key_versions(memory, buckets, b);

		for (size_t i = 0; i + 1 < all->count; i += 2)
			if (!check_version(check, key, reply_item(all, i),
				reply_item(all, i + 1)))
				repair_version(check, key, reply_item(all, i));
	}
	return check_repair(check);
}

/* Whether every article with a link is to have a publisher. */
static enum store_result
read_publisher_walk(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->memory);

	pipeline_add(&pipeline, TEXT("HGET"),
	    key_versions(&check->memory, &check->store->buckets, 0),
	    PUBLISHER_WALK_FIELD);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	check->knows_publishers =
	    publisher_walk_is_complete(reply_text(&pipeline.replies[0]));
	return STORE_OK;
}

/* Whether the data have the layout before, or are being moved on from it. */
static enum store_result
read_move(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->memory);

	pipeline_add(&pipeline, TEXT("HGET"), KEY_SITE, TEXT("version"));
	if (move_get(check->store, &check->memory, &check->move) != STORE_OK ||
	    !check_run(check, &pipeline))
		return STORE_DOWN;
	check->is_of_layout_before =
	    text_equal(reply_text(&pipeline.replies[0]), KEYS_VERSION_BEFORE);
	check->awaits_move =
	    check->is_of_layout_before || check->move.from != 0;
	return STORE_OK;
}

static enum store_result
check_all(struct check *check)
{
	const struct places *places = check->all.places;
	enum store_result result = keyscan_read(
	    check->store, &check->memory, KEYSCAN_ALL, &check->all);

	if (result == STORE_OK)
		result = read_move(check);
	if (result == STORE_OK)
		result = pace_get(check->store, &check->memory, &check->pace);
	if (result == STORE_OK)
		result = read_publisher_walk(check);
	if (result != STORE_OK)
		return result;
	if (report_mistyped(check) != STORE_OK ||
	    check_versions(check) != STORE_OK)
		return STORE_DOWN;
	check->shares = arena_new(&check->memory, struct share,
	    places[KEYSCAN_ARTICLES].count + places[KEYSCAN_COMMENTS].count);
	for (size_t i = RECORD_KINDS; i-- > 0 && result == STORE_OK;)
		if (nouns[i]->check != NULL)
			result = nouns[i]->check(check);
	return result == STORE_OK ? check_scan_all(check, &lists) : result;
}

static void
summarize_posts(const struct check *check)
{
	const struct check_totals *articles = &check->articles;
	const struct check_totals *comments = &check->comments;
	uint64_t up = articles->up + comments->up;
	uint64_t down = articles->down + comments->down;

	fprintf(check->out,
	    "%" PRIu64 " article%s: %" PRIu64 " removed, %" PRIu64
	    " interesting, %" PRIu64 " with a record of who voted\n"
	    "%" PRIu64 " comment%s: %" PRIu64 " removed, %" PRIu64
	    " with a record of who voted\n"
	    "%" PRIu64 " vote%s: %" PRIu64 " up, %" PRIu64 " down\n",
	    articles->posts, TEXT_PLURAL(articles->posts), articles->removed,
	    articles->interesting, articles->voters_known, comments->posts,
	    TEXT_PLURAL(comments->posts), comments->removed,
	    comments->voters_known, up + down, TEXT_PLURAL(up + down), up,
	    down);
}

static void
summarize_all(const struct check *check)
{
	size_t members = check->all.places[KEYSCAN_MEMBERS].count;
	size_t list_count = check->all.list_count;

	summarize_posts(check);
	if (check->is_of_layout_before)
		fprintf(check->out,
		    "The data have layout %.*s, and the next start moves them "
		    "on to %.*s: what that writes was not looked for\n",
		    TEXT_ARGS(KEYS_VERSION_BEFORE), TEXT_ARGS(KEYS_VERSION));
	if (check->move.from != 0)
		fprintf(check->out,
		    "%d %% of the data are moved on from layout %" PRId64
		    " to %.*s\n",
		    move_percent(&check->move), check->move.from,
		    TEXT_ARGS(KEYS_VERSION));
	if (pace_is_changing(&check->pace))
		fprintf(check->out,
		    "%d %% of the articles are in the lists by score for votes "
		    "of %" PRId64 " points, in place of %" PRId64 "\n",
		    pace_percent(&check->pace), check->pace.wanted,
		    check->pace.vote_score);
	if (check->cut_short > 0)
		fprintf(check->out,
		    "%" PRIu64 " registration%s or new group%s cut short\n",
		    check->cut_short, TEXT_PLURAL(check->cut_short),
		    TEXT_PLURAL(check->cut_short));
	fprintf(check->out,
	    "%zu member%s, %" PRIu64 " group%s, %" PRIu64 " count%s of karma\n"
	    "%" PRIu64 " act%s of moderators\n"
	    "%" PRIu64 " inbox%s with %" PRIu64 " notice%s, %" PRIu64
	    " mute%s\n"
	    "%" PRIu64 " saved post%s, %" PRIu64
	    " entr%s in histories of votes\n"
	    "%" PRIu64 " front page%s kept\n"
	    "%zu list%s with %" PRIu64 " %s\n"
	    "%" PRIu64 " break%s\n",
	    members, TEXT_PLURAL(members), check->groups,
	    TEXT_PLURAL(check->groups), check->karmas,
	    TEXT_PLURAL(check->karmas), check->acts, TEXT_PLURAL(check->acts),
	    check->inboxes, check->inboxes == 1 ? "" : "es", check->notices,
	    TEXT_PLURAL(check->notices), check->mutes,
	    TEXT_PLURAL(check->mutes), check->saved, TEXT_PLURAL(check->saved),
	    check->history, check->history == 1 ? "y" : "ies",
	    check->front_hours, TEXT_PLURAL(check->front_hours), list_count,
	    TEXT_PLURAL(list_count), check->entries,
	    check->entries == 1 ? "entry" : "entries", check->breaks,
	    TEXT_PLURAL(check->breaks));
}

/* Checks everything once; *breaks is the number of breaks. False, and logged, when the check
 * did not get to its end. */
static bool
check_once(
    struct store *store, FILE *out, enum check_mode mode, uint64_t *breaks)
{
	struct check check = {
		.store = store, .out = out, .repairs = mode == CHECK_REPAIR
	};
	enum store_result result = check_all(&check);

	if (result == STORE_OK)
		result = check_repair(&check);
	arena_free(&check.step);
	arena_free(&check.pending_memory);
	arena_free(&check.memory);
	*breaks = check.breaks;
	if (result != STORE_OK) {
		log_line("the check stopped before its end");
		return false;
	}
	summarize_all(&check);
	if (fflush(out) == 0 && !ferror(out))
		return true;
	log_line("cannot write the result: %s", strerror(errno));
	return false;
}

/* Repairs what is found, as long as that leaves fewer breaks: karma is summed from counts that
 * were repaired before, and what is written again is in lists from which others are. */
static bool
repair_all(struct store *store, FILE *out, uint64_t *breaks)
{
	uint64_t before = UINT64_MAX;
	bool is_done = true;

	for (int times = 0; is_done && times < REPAIRS_MAX; times++) {
		if (times > 0)
			fprintf(out, "\nRepaired; checking again.\n");
		is_done = check_once(store, out, CHECK_REPAIR, breaks);
		if (*breaks == 0 || (times > 1 && *breaks >= before))
			break;
		before = *breaks;
	}
	if (is_done && *breaks > 0)
		fprintf(out,
		    "What is left is damaged records, which nothing but a "
		    "backup has. \"tally load --keep-going FILE\"\n"
		    "adds those that are lost; then repair again. See "
		    "\"Damaged data\" in tally(7).\n");
	return is_done;
}

int
check_command(struct store *store, FILE *out, enum check_mode mode)
{
	uint64_t breaks;
	bool is_done = mode == CHECK_REPAIR
	    ? repair_all(store, out, &breaks)
	    : check_once(store, out, mode, &breaks);

	return is_done && breaks == 0 ? 0 : 1;
}

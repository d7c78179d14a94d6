#include "archive/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/look.h"
#include "archive/registry.h"
#include "base/buffer.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/inbox.h"
#include "store/keys.h"

enum {
	INBOXES_BATCH = 50,
	NOTICES_BATCH = 200 /* of an inbox */
};

/* How far the walk through an inbox has come, the newest first. */
struct walk {
	uint64_t user, start;
	struct notice last; /* the last of the step before, or all 0 */
};

/* What the inventory does not have: either it appeared since, or it is not there. */
struct doubt {
	struct text key, otherwise; /* the break */
};

struct tour {
	struct look *look;
	size_t members, orphans; /* that were begun with */
	struct walk walks[INBOXES_BATCH];
	size_t count;
	struct buffer doubts;
};

static void
report(struct look *look, uint64_t user, struct text what)
{
	look_report(look,
	    text_format(&look->step, "inbox of member %" PRIu64 ": %.*s", user,
		TEXT_ARGS(what)));
}

static void
doubt(struct tour *tour, struct text key, struct text otherwise)
{
	struct doubt doubt = { key, otherwise };

	buffer_add(
	    &tour->doubts, (struct text){ (char *)&doubt, sizeof(doubt) });
}

static void
look_for_post(
    struct tour *tour, uint64_t user, struct post_id id, const char *what)
{
	struct look *look = tour->look;
	struct arena *arena = &look->step;
	const struct buckets *buckets = &look->store->buckets;
	const struct place place = { key_bucket_of(buckets, id.article), id };

	if (!keyscan_has_post(&look->all, &place))
		doubt(tour, key_post(arena, buckets, id),
		    text_format(arena,
			"inbox of member %" PRIu64
			": %s %.*s, which does not exist",
			user, what, TEXT_ARGS(key_post_name(arena, id))));
}

/* Once more is seen what moved down as something came in. */
static void
take_notice(struct tour *tour, struct walk *walk, const struct notice *notice)
{
	struct look *look = tour->look;
	bool is_again = notice->comment.article == walk->last.comment.article &&
	    notice->comment.comment == walk->last.comment.comment;

	if (notice->number == walk->last.number && !is_again)
		report(look, walk->user,
		    text_format(&look->step, "two have number %" PRIu64,
			notice->number));
	look_for_post(tour, walk->user, notice->comment, "it has comment");
	walk->last = *notice;
	look->notices++;
}

static void
take_entries(struct tour *tour, struct walk *walk, const struct reply *entries)
{
	struct look *look = tour->look;

	for (size_t i = 0; i + 1 < entries->count; i += 2) {
		const struct reply *number = reply_item(entries, i + 1);
		struct notice notice;

		if (notice_decode(
			reply_text(reply_item(entries, i)), number, &notice))
			take_notice(tour, walk, &notice);
		else
			report(look, walk->user,
			    text_format(&look->step,
				"what has number %.*s is no notice",
				TEXT_ARGS(reply_text(number))));
	}
}

static void
take_mute(struct tour *tour, uint64_t user, struct text word)
{
	struct look *look = tour->look;
	struct mute mute;

	look->mutes++;
	if (!mute_decode(word, &mute) ||
	    !text_equal(mute_encode(&look->step, mute), word))
		report(look, user,
		    text_format(&look->step,
			"what is muted as \"%.*s\" is nothing",
			TEXT_ARGS(word)));
	else if (mute.kind == MUTE_ARTICLE)
		look_for_post(
		    tour, user, article_id(mute.id), "it mutes article");
	else if (mute.id == user)
		report(look, user, TEXT("its own member is muted"));
	else if (!keyscan_has_member(&look->all, mute.id))
		doubt(tour, key_user(&look->step, mute.id),
		    text_format(&look->step,
			"inbox of member %" PRIu64 ": it mutes member %" PRIu64
			", which does not exist",
			user, mute.id));
}

/* Moves the walk on; false at its end. */
static bool
take_step(struct tour *tour, struct walk *walk, const struct reply *reply)
{
	const struct reply *entries = reply_item(reply, 0);
	const struct reply *muted = reply_item(reply, 1);

	if (walk->start == 0)
		tour->look->inboxes += entries->count > 0;
	take_entries(tour, walk, entries);
	for (size_t i = 0; i < muted->count; i++)
		take_mute(tour, walk->user, reply_text(reply_item(muted, i)));
	for (size_t i = 2; i < reply->count; i++)
		report(
		    tour->look, walk->user, reply_text(reply_item(reply, i)));
	walk->start += NOTICES_BATCH;
	return entries->count / 2 >= NOTICES_BATCH;
}

static enum store_result
settle_doubts(struct tour *tour)
{
	struct look *look = tour->look;
	struct pipeline pipeline =
	    pipeline_begin(look->store->redis, &look->step);
	const struct doubt *doubts =
	    (const struct doubt *)(const void *)tour->doubts.data;

	for (size_t i = 0; i < tour->doubts.size / sizeof(*doubts); i++)
		pipeline_add(&pipeline, TEXT("EXISTS"), doubts[i].key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		if (reply_number(&pipeline.replies[i]) == 0)
			look_report(look, doubts[i].otherwise);
	return STORE_OK;
}

static enum store_result
step_inboxes(struct tour *tour)
{
	struct arena *arena = &tour->look->step;
	struct pipeline pipeline =
	    pipeline_begin(tour->look->store->redis, arena);
	enum store_result result;
	size_t left = 0;

	for (size_t i = 0; i < tour->count; i++)
		inbox_check(&pipeline, tour->walks[i].user,
		    tour->walks[i].start, NOTICES_BATCH);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	tour->doubts = buffer_in(arena, 1024);
	for (size_t i = 0; i < tour->count; i++)
		if (take_step(tour, &tour->walks[i], &pipeline.replies[i]))
			tour->walks[left++] = tour->walks[i];
	tour->count = left;
	result = settle_doubts(tour);
	arena_reset(arena);
	return result;
}

/* Begins with another member, or with what is left of nobody; false when there is none. */
static bool
begin_inbox(struct tour *tour)
{
	const struct keyscan *all = &tour->look->all;
	const struct places *members = &all->places[KEYSCAN_MEMBERS];
	const struct places *inboxes = &all->places[KEYSCAN_INBOXES];
	struct walk walk = { .start = 0 };

	while (tour->members == members->count &&
	    tour->orphans < inboxes->count &&
	    keyscan_has_member(all, inboxes->items[tour->orphans].id.article))
		tour->orphans++;
	if (tour->members < members->count)
		walk.user = members->items[tour->members++].id.article;
	else if (tour->orphans < inboxes->count)
		walk.user = inboxes->items[tour->orphans++].id.article;
	else
		return false;
	tour->walks[tour->count++] = walk;
	return true;
}

static enum store_result
check_inboxes(struct look *look)
{
	struct tour *tour = arena_new(&look->memory, struct tour, 1);
	enum store_result result = STORE_OK;

	tour->look = look;
	while (result == STORE_OK) {
		while (tour->count < INBOXES_BATCH && begin_inbox(tour))
			continue;
		if (tour->count == 0)
			break;
		result = step_inboxes(tour);
	}
	return result;
}

static enum store_result
count_groups(struct look *look, uint64_t *groups)
{
	struct pipeline pipeline =
	    pipeline_begin(look->store->redis, &look->step);

	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*groups = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

static enum store_result
check_karma(struct look *look, uint64_t *karmas)
{
	struct suspects found;
	enum store_result result = karma_check(look->store, &look->memory,
	    &look->all, look->shares, look->share_count, &found, karmas);

	for (size_t i = 0; i < found.count && result == STORE_OK; i++) {
		const struct suspect *suspect = &found.items[i];

		look_report(look,
		    text_format(&look->step,
			"karma of member %" PRIu64 " in bucket %" PRIu64
			": it is %" PRId64 ", and the posts make %" PRId64,
			suspect->author, suspect->bucket, suspect->kept,
			suspect->sum));
	}
	return result;
}

static enum store_result
check_all(struct look *look, uint64_t *groups, uint64_t *karmas)
{
	const struct places *places = look->all.places;
	enum store_result result =
	    keyscan_read(look->store, &look->memory, KEYSCAN_ALL, &look->all);

	if (result != STORE_OK)
		return result;
	look->shares = arena_new(&look->memory, struct share,
	    places[KEYSCAN_ARTICLES].count + places[KEYSCAN_COMMENTS].count);
	result = count_groups(look, groups);
	if (result == STORE_OK)
		result = look_at_all(look);
	if (result == STORE_OK)
		result = check_inboxes(look);
	if (result == STORE_OK)
		result = registry_check(look);
	return result == STORE_OK ? check_karma(look, karmas) : result;
}

static void
summarize_posts(const struct look *look)
{
	const struct look_totals *articles = &look->articles;
	const struct look_totals *comments = &look->comments;
	uint64_t up = articles->up + comments->up;
	uint64_t down = articles->down + comments->down;

	fprintf(look->out,
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
summarize(const struct look *look, uint64_t groups, uint64_t karmas)
{
	size_t members = look->all.places[KEYSCAN_MEMBERS].count;
	size_t lists = look->all.list_count;

	summarize_posts(look);
	if (look->cut_short > 0)
		fprintf(look->out,
		    "%" PRIu64 " registration%s or new group%s cut short\n",
		    look->cut_short, TEXT_PLURAL(look->cut_short),
		    TEXT_PLURAL(look->cut_short));
	fprintf(look->out,
	    "%zu member%s, %" PRIu64 " group%s, %" PRIu64 " count%s of karma\n"
	    "%" PRIu64 " act%s of moderators\n"
	    "%" PRIu64 " inbox%s with %" PRIu64 " notice%s, %" PRIu64
	    " mute%s\n"
	    "%zu list%s with %" PRIu64 " %s\n"
	    "%" PRIu64 " break%s\n",
	    members, TEXT_PLURAL(members), groups, TEXT_PLURAL(groups), karmas,
	    TEXT_PLURAL(karmas), look->acts, TEXT_PLURAL(look->acts),
	    look->inboxes, look->inboxes == 1 ? "" : "es", look->notices,
	    TEXT_PLURAL(look->notices), look->mutes, TEXT_PLURAL(look->mutes),
	    lists, TEXT_PLURAL(lists), look->entries,
	    look->entries == 1 ? "entry" : "entries", look->breaks,
	    TEXT_PLURAL(look->breaks));
}

int
check_command(struct store *store, FILE *out)
{
	struct look look = { .store = store, .out = out };
	uint64_t groups, karmas;
	enum store_result result = check_all(&look, &groups, &karmas);

	arena_free(&look.step);
	arena_free(&look.memory);
	if (result != STORE_OK) {
		log_line("the check stopped before its end");
		return 1;
	}
	summarize(&look, groups, karmas);
	if (fflush(out) != 0 || ferror(out)) {
		log_line("cannot write the result: %s", strerror(errno));
		return 1;
	}
	return look.breaks == 0 ? 0 : 1;
}

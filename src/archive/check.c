#include "archive/check.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "archive/look.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/keys.h"

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
	enum store_result result = inventory_read(
	    look->store, &look->memory, INVENTORY_ALL, &look->all);

	if (result != STORE_OK)
		return result;
	look->shares = arena_new(&look->memory, struct share,
	    places[INVENTORY_ARTICLES].count +
		places[INVENTORY_COMMENTS].count);
	result = count_groups(look, groups);
	if (result == STORE_OK)
		result = look_at_all(look);
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
	size_t members = look->all.places[INVENTORY_MEMBERS].count;
	size_t lists = look->all.list_count;

	summarize_posts(look);
	fprintf(look->out,
	    "%zu member%s, %" PRIu64 " group%s, %" PRIu64 " count%s of karma\n"
	    "%" PRIu64 " act%s of moderators\n"
	    "%zu list%s with %" PRIu64 " %s\n"
	    "%" PRIu64 " break%s\n",
	    members, TEXT_PLURAL(members), groups, TEXT_PLURAL(groups), karmas,
	    TEXT_PLURAL(karmas), look->acts, TEXT_PLURAL(look->acts), lists,
	    TEXT_PLURAL(lists), look->entries,
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

#include "moderation/voiding.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/site.h"
#include "store/user.h"

enum { AT_ONCE = 500 };

/* Before the vote changes, as if the member were about to vote: what workers keep of
 * the member's votes is then another version. */
static enum store_result
announce(
    struct store *store, struct arena *arena, uint64_t member, uint64_t article)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct pipeline after = pipeline_begin(store->redis, arena);

	user_announce(&pipeline, member, article);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	user_cut_voted(&after, member, &pipeline.replies[pipeline.count - 1]);
	return redis_run(&after) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
voiding_one(struct store *store, struct arena *arena, uint64_t article,
    const struct member *member, enum voiding wanted, struct act act)
{
	enum store_result result = announce(store, arena, member->id, article);

	act.what = act_words[wanted == VOIDING_VOID ? ACT_VOIDED : ACT_COUNTED];
	act.article = article;
	act.member = *member;
	return result == STORE_OK ? post_void(store, arena, article_id(article),
					member->id, wanted, &act)
				  : result;
}

/* What is being done, to whose votes. */
struct sweep {
	struct store *store;
	struct arena *arena;
	const struct member *member;
	enum voiding wanted;
	const struct act *act;
	uint64_t *changed;
};

/* Of some articles those with a vote that is to change. */
static enum store_result
change_some(const struct sweep *sweep, const uint64_t *ids, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(sweep->store->redis, sweep->arena);
	uint64_t voter = sweep->member->id;

	if (sweep->wanted == VOIDING_COUNT)
		voter += KEY_VOID;
	for (size_t i = 0; i < count; i++)
		post_ask_vote(
		    &pipeline, sweep->store, article_id(ids[i]), voter);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		enum store_result result;

		if (post_read_vote(&pipeline.replies[i]) == VOTE_NONE)
			continue;
		result = voiding_one(sweep->store, sweep->arena, ids[i],
		    sweep->member, sweep->wanted, *sweep->act);
		if (result == STORE_DOWN)
			return result;
		*sweep->changed += result == STORE_OK;
	}
	return STORE_OK;
}

/* Those of a bucket that were posted since, some at a time. */
static enum store_result
sweep_bucket(const struct sweep *sweep, uint64_t bucket, int64_t since)
{
	struct arena *arena = sweep->arena;
	struct text key =
	    key_time(arena, &sweep->store->buckets, bucket, TEXT(""));
	uint64_t ids[AT_ONCE];
	size_t count = AT_ONCE;
	enum store_result result = STORE_OK;

	for (int64_t start = 0; count == AT_ONCE && result == STORE_OK;
	    start += AT_ONCE) {
		struct pipeline pipeline =
		    pipeline_begin(sweep->store->redis, arena);
		const struct reply *members;

		pipeline_add(&pipeline, TEXT("ZRANGE"), key,
		    text_number(arena, since), TEXT("+inf"), TEXT("BYSCORE"),
		    TEXT("LIMIT"), text_number(arena, start),
		    text_number(arena, AT_ONCE));
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		members = &pipeline.replies[0];
		count = members->count < AT_ONCE ? members->count : AT_ONCE;
		for (size_t i = 0; i < count; i++)
			ids[i] =
			    key_member_id(reply_text(reply_item(members, i)));
		result = change_some(sweep, ids, count);
	}
	return result;
}

STORE_CALL
voiding_all(struct store *store, struct arena *arena,
    const struct member *member, enum voiding wanted, struct act act,
    uint64_t *changed)
{
	const struct sweep sweep = { store, arena, member, wanted, &act,
		changed };
	enum store_result result;
	int64_t now;

	*changed = 0;
	result = site_time(store, arena, &now);
	for (uint64_t b = 0; b < store->buckets.count && result == STORE_OK;
	    b++)
		result =
		    sweep_bucket(&sweep, b, now - store->rules.vote_window);
	return result;
}

#include "store/vote.h"

#include "base/arena.h"
#include "base/counters.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/vote_history.h"

STORE_CALL
vote_cast(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum voter_kind voter, enum vote wanted, int64_t now)
{
	const struct vote_entry entry = {
		.post = id, .at = now, .vote = wanted
	};
	struct pipeline announced = pipeline_begin(store->redis, arena), apart;
	struct pipeline *voted = &announced;
	struct vote_announcement announcement;
	enum store_result result;
	size_t reply;

	vote_history_announce(&announced, user, &entry);
	if (redis_is_cluster(store->redis)) {
		/* Another master could count the vote first. */
		if (!redis_run(&announced))
			return STORE_DOWN;
		apart = pipeline_begin(store->redis, arena);
		voted = &apart;
	}
	reply = post_send_vote(voted, store, id, user, voter, wanted);
	if (!redis_run(voted))
		return STORE_DOWN;
	announcement = vote_history_announced(store, user, &entry, &announced);
	result = call_outcome(&voted->replies[reply]);
	if (result == STORE_OK)
		counters_add(COUNTER_VOTES, 1);
	else if (result != STORE_DOWN &&
	    vote_history_withdraw(store, arena, &announcement) != STORE_OK)
		return STORE_DOWN;
	return result;
}

#include "store/mod_action.h"

#include "base/event.h"
#include "redis/redis.h"

#define ACT_WORD(name, word) [ACT_##name] = TEXT_INIT(word),
const struct text act_words[] = { ACTS(ACT_WORD) };

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("id", struct act, id, ID, REQUIRED, KEY),
	FIELD("what", struct act, what, TEXT, REQUIRED, WHOLE),
	FIELD("by", struct act, by, MEMBER, OPTIONAL, WHOLE),
	FIELD("at", struct act, at, MOMENT, REQUIRED, WHOLE),
	FIELD("article", struct act, article, ID, OPTIONAL, WHOLE),
	FIELD("comment", struct act, comment, ID, OPTIONAL, WHOLE),
	FIELD("member", struct act, member, MEMBER, OPTIONAL, WHOLE),
	FIELD("subject", struct act, subject, TEXT, OPTIONAL, WHOLE),
	FIELD("into", struct act, into, TEXT, OPTIONAL, WHOLE),
	FIELD("until", struct act, until, MOMENT, OPTIONAL, WHOLE),
	FIELD("reason", struct act, reason, TEXT, OPTIONAL, WHOLE),
};
const struct schema act_schema = SCHEMA(struct act, fields);

bool
act_parse(struct text word, enum act_kind *kind)
{
	size_t index;

	if (!text_index(word, act_words, ACT_KINDS, &index))
		return false;
	*kind = (enum act_kind)index;
	return true;
}

static enum store_result
run(struct call *call, struct store *store, const struct act *act)
{
	enum store_result result;

	schema_add(call, &act_schema, act);
	result = call_run(call, store, NULL);
	if (result == STORE_OK)
		event_log(&(struct event){ .name = act->what,
		    .member = act->by.id,
		    .network = act->network,
		    .request = act->request,
		    .subject = act->member.id,
		    .article = act->article });
	return result;
}

STORE_CALL
act_run(struct call *call, struct store *store, const struct act *act)
{
	call_add_number(call, (int64_t)store->buckets.count);
	return run(call, store, act);
}

/* A number that nobody uses is no fault: one may be given out twice over. */
static enum store_result
note_under_next(struct store *store, struct arena *arena, const struct act *act)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct call call;
	uint64_t number;

	pipeline_protect(
	    &pipeline, TEXT("INCR"), key_acts(arena, &store->buckets, 0));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	number = (uint64_t)reply_number(&pipeline.replies[0]);
	call = call_begin(arena, CALL_WRITES, "act_2",
	    key_act(arena, &store->buckets, number * store->buckets.count));
	return run(&call, store, act);
}

/* Those that are about no article are all in bucket 0. A counter that is behind goes on
 * until it comes to a number that is free. */
STORE_CALL
act_note(struct store *store, struct arena *arena, const struct act *act)
{
	enum store_result result;

	do
		result = note_under_next(store, arena, act);
	while (result == STORE_TAKEN);
	return result;
}

#include "store/mod_action.h"

#include "base/event.h"
#include "redis/redis.h"

#define MOD_WORD(name, word, target) [MOD_##name] = TEXT_INIT(word),
const struct text mod_action_words[] = { MOD_ACTIONS(MOD_WORD) };

enum mod_action_target
mod_action_target(enum mod_action_kind kind)
{
#define MOD_TARGET(name, word, target) [MOD_##name] = MOD_ON_##target,
	static const enum mod_action_target targets[] = { MOD_ACTIONS(
	    MOD_TARGET) };

	return targets[kind];
}

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("id", struct mod_action, id, ID, REQUIRED, KEY),
	FIELD("what", struct mod_action, what, TEXT, REQUIRED, WHOLE),
	FIELD("by", struct mod_action, by, MEMBER, OPTIONAL, WHOLE),
	FIELD("at", struct mod_action, at, MOMENT, REQUIRED, WHOLE),
	FIELD("article", struct mod_action, article, ID, OPTIONAL, WHOLE),
	FIELD("comment", struct mod_action, comment, ID, OPTIONAL, WHOLE),
	FIELD("member", struct mod_action, member, MEMBER, OPTIONAL, WHOLE),
	FIELD("subject", struct mod_action, subject, TEXT, OPTIONAL, WHOLE),
	FIELD("into", struct mod_action, into, TEXT, OPTIONAL, WHOLE),
	FIELD("until", struct mod_action, until, MOMENT, OPTIONAL, WHOLE),
	FIELD("articles", struct mod_action, articles, COUNT, OPTIONAL, WHOLE),
	FIELD("comments", struct mod_action, comments, COUNT, OPTIONAL, WHOLE),
	FIELD("votes", struct mod_action, votes, COUNT, OPTIONAL, WHOLE),
	FIELD("hosts", struct mod_action, hosts, WORDS, OPTIONAL, WHOLE),
	FIELD("members", struct mod_action, members, COUNT, OPTIONAL, WHOLE),
	FIELD("decision", struct mod_action, decision, ID, OPTIONAL, WHOLE),
	FIELD("reason", struct mod_action, reason, TEXT, OPTIONAL, WHOLE),
};
const struct schema mod_action_schema = SCHEMA(struct mod_action, fields);

bool
mod_action_parse(struct text word, enum mod_action_kind *kind)
{
	size_t index;

	if (!text_index(word, mod_action_words, MOD_ACTION_KINDS, &index))
		return false;
	*kind = (enum mod_action_kind)index;
	return true;
}

STORE_CALL
mod_action_report(
    struct call *call, struct store *store, const struct mod_action *action)
{
	enum store_result result;

	schema_add(call, &mod_action_schema, action);
	result = call_run(call, store, NULL);
	if (result == STORE_OK)
		event_log(&(struct event){ .name = action->what,
		    .member = action->by.id,
		    .network = action->network,
		    .request = action->request,
		    .subject = action->member.id,
		    .article = action->article });
	return result;
}

STORE_CALL
mod_action_run(
    struct call *call, struct store *store, const struct mod_action *action)
{
	call_add_number(call, (int64_t)store->buckets.count);
	return mod_action_report(call, store, action);
}

/* Numbers may be left unused: the increment may have been sent twice. */
STORE_CALL
mod_action_number(struct store *store, struct arena *arena, uint64_t *number)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add_replicated(&pipeline, TEXT("INCR"),
	    key_mod_action_counter(arena, &store->buckets, 0));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*number =
	    (uint64_t)reply_number(&pipeline.replies[0]) * store->buckets.count;
	return STORE_OK;
}

static enum store_result
log_under_next(struct store *store, struct arena *arena,
    const struct mod_action *action, uint64_t *id)
{
	struct call call;
	uint64_t number;

	if (mod_action_number(store, arena, &number) != STORE_OK)
		return STORE_DOWN;
	*id = number;
	call = call_begin(arena, CALL_WRITES, "act_2",
	    key_mod_action(arena, &store->buckets, number));
	return mod_action_report(&call, store, action);
}

/* A counter that is behind skips the numbers in use. */
STORE_CALL
mod_action_note_as(
    struct store *store, struct arena *arena, struct mod_action *action)
{
	const struct mod_action logged = *action;
	enum store_result result;

	do
		result = log_under_next(store, arena, &logged, &action->id);
	while (result == STORE_TAKEN);
	return result;
}

STORE_CALL
mod_action_note(
    struct store *store, struct arena *arena, const struct mod_action *action)
{
	struct mod_action logged = *action;

	return mod_action_note_as(store, arena, &logged);
}

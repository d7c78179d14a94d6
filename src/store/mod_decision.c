#include "store/mod_decision.h"

#include "redis/redis.h"

STORE_CALL
mod_decision_add(struct store *store, struct arena *arena,
    struct mod_decision *decision, struct mod_action *part)
{
	enum store_result result = decision->entry.id != 0
	    ? STORE_OK
	    : mod_action_note_as(store, arena, &decision->entry);

	part->decision = decision->entry.id;
	return result;
}

STORE_CALL
mod_decision_count(struct store *store, struct arena *arena,
    struct mod_decision *decision, const struct mod_action *part)
{
	struct mod_action *entry = &decision->entry;

	entry->comments += part->comment != 0;
	entry->articles += part->article != 0 && part->comment == 0;
	entry->members += part->article == 0;
	return store_write(store, arena, TEXT("HSET"),
	    key_mod_action(arena, &store->buckets, entry->id), TEXT("articles"),
	    text_number(arena, entry->articles), TEXT("comments"),
	    text_number(arena, entry->comments), TEXT("members"),
	    text_number(arena, entry->members));
}

void
mod_decision_send_counts(struct pipeline *pipeline, const struct store *store,
    uint64_t decision, int64_t articles, int64_t comments)
{
	struct arena *arena = pipeline->arena;

	pipeline_add_replicated(pipeline, TEXT("HSET"),
	    key_mod_action(arena, &store->buckets, decision), TEXT("articles"),
	    text_number(arena, articles), TEXT("comments"),
	    text_number(arena, comments));
}

bool
mod_decision_is(const struct mod_action *action)
{
	enum mod_action_kind kind;

	if (action->article != 0 || action->member.id != 0 ||
	    !mod_action_parse(action->what, &kind))
		return false;
	return kind == MOD_REMOVED || kind == MOD_DISMISSED ||
	    kind == MOD_VOIDED || kind == MOD_SUSPENDED;
}

#include "store/follows.h"

#include <stdlib.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"

STORE_CALL
follows_add(
    struct store *store, struct arena *arena, uint64_t user, struct text group)
{
	return call_write(store, arena, "follow_1", key_user(arena, user),
	    group, text_number(arena, FOLLOWS_MAX));
}

STORE_CALL
follows_remove(
    struct store *store, struct arena *arena, uint64_t user, struct text group)
{
	return call_write(
	    store, arena, "unfollow_1", key_user(arena, user), group);
}

void
follows_ask(struct pipeline *pipeline, uint64_t user)
{
	pipeline_add(
	    pipeline, TEXT("SMEMBERS"), key_follows(pipeline->arena, user));
}

static int
compare_names(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

void
follows_read(struct arena *arena, const struct reply *reply,
    struct text **groups, size_t *count)
{
	*groups = arena_new(arena, struct text, reply->count);
	*count = reply->count;
	for (size_t i = 0; i < *count; i++)
		(*groups)[i] = reply_text(reply_item(reply, i));
	if (*count > 0)
		qsort(*groups, *count, sizeof(**groups), compare_names);
}

STORE_CALL
follows_get(struct store *store, struct arena *arena, uint64_t user,
    struct text **groups, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	follows_ask(&pipeline, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	follows_read(arena, &pipeline.replies[0], groups, count);
	return STORE_OK;
}

STORE_CALL
follows_rename(struct store *store, struct arena *arena, uint64_t user,
    struct text group, struct text into)
{
	return call_write(store, arena, "rename_followed_1",
	    key_user(arena, user), group, into);
}

void
follows_load(struct pipeline *pipeline, uint64_t user, struct text group)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_follow_1", key_user(arena, user), group,
	    text_number(arena, FOLLOWS_MAX));
}

void
follows_check(struct pipeline *pipeline, uint64_t user)
{
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_READS, "check_follows_1", key_user(arena, user));

	call_add_number(&call, FOLLOWS_MAX);
	call_send(&call, pipeline);
}

#include "store/group.h"

#include "redis/redis.h"
#include "store/keys.h"

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("name", struct group, name, TEXT, REQUIRED, KEY),
	FIELD("title", struct group, title, TEXT, REQUIRED, WHOLE),
	FIELD("by", struct group, by, MEMBER, OPTIONAL, WHOLE),
	FIELD("created", struct group, created, MOMENT, REQUIRED, WHOLE),
};
const struct schema group_schema = SCHEMA(struct group, fields);

static void
ask(struct pipeline *pipeline, struct text name)
{
	schema_ask(pipeline, &group_schema, SCHEMA_WHOLE,
	    key_group(pipeline->arena, name));
}

static bool
read_group(const struct reply *reply, struct text name, struct group *group)
{
	*group = (struct group){ .name = name };
	return schema_read(&group_schema, SCHEMA_WHOLE, reply, group);
}

STORE_CALL
group_get(struct store *store, struct arena *arena, struct text name,
    struct group *group)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	ask(&pipeline, name);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return read_group(&pipeline.replies[0], name, group) ? STORE_OK
							     : STORE_ABSENT;
}

STORE_CALL
group_unknown(struct store *store, struct arena *arena, struct text names,
    struct text *unknown)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text rest = names, name;

	*unknown = (struct text){ NULL, 0 };
	while (text_word(&rest, &name))
		pipeline_add(&pipeline, TEXT("EXISTS"), key_group(arena, name));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; unknown->size == 0 && text_word(&names, &name); i++)
		if (reply_number(&pipeline.replies[i]) != 1)
			*unknown = name;
	return STORE_OK;
}

STORE_CALL
group_names(struct store *store, struct arena *arena, uint64_t max,
    struct text **names, size_t *count, uint64_t *total)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	pipeline_add(&pipeline, TEXT("ZRANGE"), KEY_GROUPS, TEXT("0"),
	    text_number(arena, (int64_t)max));
	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = &pipeline.replies[0];
	*total = (uint64_t)reply_number(&pipeline.replies[1]);
	*count = reply->count <= max ? reply->count : 0;
	*names = arena_new(arena, struct text, *count);
	for (size_t i = 0; i < *count; i++)
		(*names)[i] = reply_text(reply_item(reply, i));
	return STORE_OK;
}

STORE_CALL
group_create(
    struct store *store, struct arena *arena, const struct group *group)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct call call = call_begin(
	    arena, CALL_WRITES, "group_2", key_group(arena, group->name));

	schema_add(&call, &group_schema, group);
	call_send(&call, &pipeline);
	/* Also of one that exists: a crash may have come in between. */
	pipeline_protect(
	    &pipeline, TEXT("ZADD"), KEY_GROUPS, TEXT("0"), group->name);
	return redis_run(&pipeline) ? call_outcome(&pipeline.replies[0])
				    : STORE_DOWN;
}

/* Asks for the details of names and how many articles each has. */
static enum store_result
read_details(struct store *store, struct arena *arena, struct group *groups,
    size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t each = 1 + (size_t)store->buckets.count;

	for (size_t i = 0; i < count; i++) {
		ask(&pipeline, groups[i].name);
		for (uint64_t b = 0; b < store->buckets.count; b++)
			pipeline_add(&pipeline, TEXT("ZCARD"),
			    key_time(
				arena, &store->buckets, b, groups[i].name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct reply *replies = &pipeline.replies[i * each];

		read_group(&replies[0], groups[i].name, &groups[i]);
		for (size_t b = 1; b < each; b++)
			groups[i].articles +=
			    (uint64_t)reply_number(&replies[b]);
	}
	return STORE_OK;
}

STORE_CALL
group_list(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *names = NULL;

	pipeline_add(&pipeline, TEXT("ZRANGE"), KEY_GROUPS,
	    text_number(arena, (int64_t)start),
	    text_number(arena, (int64_t)(start + count) - 1));
	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	names = &pipeline.replies[0];
	*total = (uint64_t)reply_number(&pipeline.replies[1]);
	*got = names->count < count ? names->count : count;
	*groups = arena_new(arena, struct group, *got);
	for (size_t i = 0; i < *got; i++)
		(*groups)[i].name = reply_text(reply_item(names, i));
	return read_details(store, arena, *groups, *got);
}

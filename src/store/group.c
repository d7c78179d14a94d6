#include "store/group.h"

#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/rules.h"
#include "store/versions.h"

enum { FORMER_STEPS = 8 };

/* In the order of a dump's line. */
static const struct field fields[] = {
	FIELD("name", struct group, name, TEXT, REQUIRED, KEY),
	FIELD("title", struct group, title, TEXT, REQUIRED, BRIEF),
	FIELD("by", struct group, by, MEMBER, OPTIONAL, BRIEF),
	FIELD("created", struct group, created, MOMENT, REQUIRED, WHOLE),
	FIELD("closed", struct group, closed, MOMENT, OPTIONAL, BRIEF),
	FIELD("into", struct group, into, TEXT, OPTIONAL, BRIEF),
	FIELD("moderators", struct group, moderators, WORDS, OPTIONAL, BRIEF),
	FIELD("restricted", struct group, restricted, MOMENT, OPTIONAL, BRIEF),
	FIELD("description", struct group, description, TEXT, OPTIONAL, WHOLE),
	FIELD("rules", struct group, rules, TEXT, OPTIONAL, WHOLE),
};
const struct schema group_schema = SCHEMA(struct group, fields);

bool
group_next_moderator(struct text *rest, struct member *moderator)
{
	struct text number;

	*moderator = (struct member){ .id = 0 };
	return text_next_word(rest, &number) &&
	    text_next_word(rest, &moderator->name) &&
	    text_to_u64(number, &moderator->id);
}

bool
group_has_moderator(const struct group *group, uint64_t user)
{
	struct text rest = group->moderators;
	struct member moderator;

	while (user != 0 && group_next_moderator(&rest, &moderator))
		if (moderator.id == user)
			return true;
	return false;
}

static void
ask_group(
    struct pipeline *pipeline, enum schema_extent extent, struct text name)
{
	schema_ask(
	    pipeline, &group_schema, extent, key_group(pipeline->arena, name));
}

static bool
read_group(const struct reply *reply, enum schema_extent extent,
    struct text name, struct group *group)
{
	*group = (struct group){ .name = name };
	return schema_read(&group_schema, extent, reply, group);
}

STORE_CALL
group_get(struct store *store, struct arena *arena, struct text name,
    struct group *group)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	ask_group(&pipeline, SCHEMA_WHOLE, name);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return read_group(&pipeline.replies[0], SCHEMA_WHOLE, name, group)
	    ? STORE_OK
	    : STORE_ABSENT;
}

size_t
group_ask_names(struct pipeline *pipeline, struct text names)
{
	size_t first = pipeline->count;
	struct text name;

	while (pipeline->count - first < RULE_GROUPS_MAX &&
	    text_next_word(&names, &name))
		ask_group(pipeline, SCHEMA_BRIEF, name);
	return first;
}

/* The group of the next of the names, which reply i is about; false when there is no name left. One
 * that does not exist has no title. */
static bool
next_group(const struct pipeline *pipeline, size_t i, struct text *names,
    struct group *group)
{
	struct text name;

	if (i >= pipeline->count || !text_next_word(names, &name))
		return false;
	(void)read_group(&pipeline->replies[i], SCHEMA_BRIEF, name, group);
	return true;
}

/* Reads the groups of names into an array, as many as there are names. */
static enum store_result
read_groups(struct store *store, struct arena *arena, struct text names,
    struct group groups[RULE_GROUPS_MAX], size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	group_ask_names(&pipeline, names);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*count = 0;
	while (next_group(&pipeline, *count, &names, &groups[*count]))
		++*count;
	return STORE_OK;
}

bool
group_names_stand(
    const struct pipeline *pipeline, size_t first, struct text names)
{
	struct group group;

	for (size_t i = first; next_group(pipeline, i, &names, &group); i++)
		if (group.title.size == 0 || group.closed == GROUP_DELETING ||
		    group.into.size > 0)
			return false;
	return true;
}

static enum group_refusal
group_refuses(const struct group *group, uint64_t poster)
{
	if (group->title.size == 0 || group->into.size > 0)
		return GROUP_UNKNOWN;
	if (group->closed != 0)
		return GROUP_CLOSED;
	return group->restricted != 0 && poster != GROUP_ANY_POSTER &&
		!group_has_moderator(group, poster)
	    ? GROUP_RESTRICTED
	    : GROUP_USABLE;
}

enum group_refusal
group_read_unusable(const struct pipeline *pipeline, size_t first,
    struct text names, uint64_t poster, struct text *name)
{
	enum group_refusal why = GROUP_USABLE;
	struct group group;

	*name = (struct text){ NULL, 0 };
	for (size_t i = first;
	    why == GROUP_USABLE && next_group(pipeline, i, &names, &group);
	    i++) {
		why = group_refuses(&group, poster);
		if (why != GROUP_USABLE)
			*name = group.name;
	}
	return why;
}

STORE_CALL
group_find_unusable(struct store *store, struct arena *arena, struct text names,
    uint64_t poster, struct text *name, enum group_refusal *why)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	group_ask_names(&pipeline, names);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*why = group_read_unusable(&pipeline, 0, names, poster, name);
	return STORE_OK;
}

/* Adds a name unless it is there. */
static struct text
add_name(struct arena *arena, struct text names, struct text name)
{
	return text_has_word(names, name) ? names
					  : text_add_word(arena, names, name);
}

/* Names that redirect still after FORMER_STEPS redirect in a circle. */
STORE_CALL
group_resolve_names(struct store *store, struct arena *arena, struct text names,
    struct text *existing)
{
	struct group groups[RULE_GROUPS_MAX];
	bool redirects = true;
	size_t count;

	*existing = names;
	for (int step = 0; step < FORMER_STEPS && redirects; step++) {
		if (read_groups(store, arena, *existing, groups, &count) !=
		    STORE_OK)
			return STORE_DOWN;
		*existing = TEXT("");
		redirects = false;
		for (size_t i = 0; i < count; i++) {
			bool is_former = groups[i].into.size > 0;

			if (groups[i].title.size == 0 ||
			    groups[i].closed == GROUP_DELETING)
				continue;
			redirects |= is_former;
			*existing = add_name(arena, *existing,
			    is_former ? groups[i].into : groups[i].name);
		}
	}
	if (redirects)
		*existing = TEXT("");
	return STORE_OK;
}

/* The names of groups, of a former one its successor's. */
static struct text
current_names(
    struct arena *arena, const struct group *groups, size_t count, bool *moved)
{
	struct buffer names = buffer_in(arena, RULE_GROUPS_LINE_MAX);

	*moved = false;
	for (size_t i = 0; i < count; i++) {
		bool is_former = groups[i].into.size > 0;

		*moved |= is_former;
		buffer_add(&names, i > 0 ? TEXT(" ") : TEXT(""));
		buffer_add(&names, is_former ? groups[i].into : groups[i].name);
	}
	return buffer_text(&names);
}

STORE_CALL
group_get_current(struct store *store, struct arena *arena, struct text names,
    struct group groups[], size_t *count)
{
	bool moved = true;

	for (int step = 0; step < FORMER_STEPS && moved; step++) {
		if (read_groups(store, arena, names, groups, count) != STORE_OK)
			return STORE_DOWN;
		names = current_names(arena, groups, *count, &moved);
	}
	for (size_t i = 0; i < *count; i++)
		if (groups[i].into.size > 0 ||
		    groups[i].closed == GROUP_DELETING)
			groups[i].title = TEXT("");
	return STORE_OK;
}

STORE_CALL
group_find_former(struct store *store, struct arena *arena,
    const struct text *names, size_t count, bool *is_former)
{
	struct text *words = arena_new(arena, struct text, count + 2);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	if (count == 0)
		return STORE_OK;
	words[0] = TEXT("ZMSCORE");
	words[1] = KEY_FORMER;
	for (size_t i = 0; i < count; i++)
		words[2 + i] = names[i];
	pipeline_add_words(
	    &pipeline, UNREPLICATED, PIPELINE_KEY, words, count + 2);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		is_former[i] =
		    reply_item(&pipeline.replies[0], i)->kind != REPLY_NIL;
	return STORE_OK;
}

STORE_CALL
group_find_closed(struct store *store, struct arena *arena,
    const struct text *names, size_t count, bool *is_closed)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HEXISTS"),
		    key_group(arena, names[i]), TEXT("closed"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		is_closed[i] = reply_number(&pipeline.replies[i]) == 1;
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
group_create_record(
    struct store *store, struct arena *arena, const struct group *group)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "group_2", key_group(arena, group->name));

	schema_add(&call, &group_schema, group);
	return call_run(&call, store, NULL);
}

STORE_CALL
group_create(
    struct store *store, struct arena *arena, const struct group *group)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct group there = *group;
	enum store_result result = group_create_record(store, arena, group);

	/* Adds an existing group to the list, too: a crash may have come in between. */
	if (result == STORE_TAKEN &&
	    group_get(store, arena, group->name, &there) != STORE_OK)
		return STORE_DOWN;
	if (result != STORE_OK && result != STORE_TAKEN)
		return result;
	pipeline_add_replicated(&pipeline, TEXT("ZADD"),
	    there.into.size > 0 ? KEY_FORMER : KEY_GROUPS, TEXT("0"),
	    group->name);
	return redis_run(&pipeline) ? result : STORE_DOWN;
}

static enum store_result
read_details(struct store *store, struct arena *arena, struct group *groups,
    size_t count, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		ask_group(&pipeline, SCHEMA_BRIEF, groups[i].name);
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_group(&pipeline.replies[i], SCHEMA_BRIEF, groups[i].name,
		    &groups[i]);
	return STORE_OK;
}

/* Counts the articles of each group in one bucket, by a command for each. */
static enum store_result
count_each(struct store *store, struct arena *arena, uint64_t bucket,
    struct group *groups, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("ZCARD"),
		    key_time(arena, &store->buckets, bucket, groups[i].name));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		groups[i].articles +=
		    (uint64_t)reply_number(&pipeline.replies[i]);
	return STORE_OK;
}

/* Counts the articles of each group: by one command for each bucket, except for buckets
 * whose slot is being moved. */
static enum store_result
count_articles(struct store *store, struct arena *arena, struct group *groups,
    size_t count, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (uint64_t b = 0; b < store->buckets.count; b++) {
		struct call call = call_begin(arena, CALL_READS, "sizes_1",
		    key_time(arena, &store->buckets, b, TEXT("")));

		for (size_t i = 0; i < count; i++)
			call_add(&call, groups[i].name);
		call_send(&call, &pipeline);
	}
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *sizes = &pipeline.replies[b];

		if (sizes->kind != REPLY_LOST && sizes->count != count &&
		    count_each(store, arena, b, groups, count) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < sizes->count && i < count; i++)
			groups[i].articles +=
			    (uint64_t)reply_number(reply_item(sizes, i));
	}
	return STORE_OK;
}

STORE_CALL
group_set(struct store *store, struct arena *arena, struct text name,
    struct text field, struct text value)
{
	return call_write(
	    store, arena, "regroup_1", key_group(arena, name), field, value);
}

void
group_send_field(struct pipeline *pipeline, struct text name, struct text field,
    struct text value)
{
	call_send_write(pipeline, "regroup_1", key_group(pipeline->arena, name),
	    field, value);
}

STORE_CALL
group_list(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total)
{
	return group_list_reachable(
	    store, arena, start, count, groups, got, total, NULL);
}

STORE_CALL
group_list_reachable(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct group **groups, size_t *got, uint64_t *total,
    bool *is_partial)
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
	if (*got == 0)
		return STORE_OK;
	return read_details(store, arena, *groups, *got, is_partial) == STORE_OK
	    ? count_articles(store, arena, *groups, *got, is_partial)
	    : STORE_DOWN;
}

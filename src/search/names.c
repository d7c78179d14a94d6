#include "search/names.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/group.h"

enum {
	FORMER_MAX = 100,  /* groups that are looked through */
	NAMES_BYTES = 800, /* of one group: a request is bounded */
	FOLLOWED_MAX = 8   /* redirects of one */
};

/* "ann" of "u:ann". */
static struct text
name_of(const struct query_name *name)
{
	return text_slice(name->key, 2, name->key.size);
}

static bool
names_group(const struct query_name *name)
{
	return text_starts(name->key, TEXT("g:"));
}

/* Whether it could be one: what a reader types may be anything. */
static bool
is_possible(struct arena *arena, const struct query_name *name)
{
	struct text text = name_of(name), formed = text;
	struct problem problem = names_group(name)
	    ? rule_group_name(arena, &formed)
	    : rule_user_name(arena, &formed);

	return problem.kind == PROBLEM_NONE && formed.size == text.size;
}

static void
ask_group(struct pipeline *pipeline, struct text name)
{
	schema_ask(pipeline, &group_schema, SCHEMA_WHOLE,
	    key_group(pipeline->arena, name));
}

static void
ask_name(struct pipeline *pipeline, const struct query_name *name)
{
	if (names_group(name))
		ask_group(pipeline, name_of(name));
	else
		pipeline_add(pipeline, TEXT("GET"),
		    key_user_name(pipeline->arena, name_of(name)));
}

static void
read_name(const struct reply *reply, struct query_name *name)
{
	struct group group = { .closed = 0 };

	if (!names_group(name))
		name->value = reply_text(reply);
	else if (schema_read(&group_schema, SCHEMA_WHOLE, reply, &group))
		name->value = group.into.size > 0 ? group.into : name_of(name);
}

/* The former groups, of which each redirects. */
struct former {
	struct group groups[FORMER_MAX];
	size_t count;
};

/* Follows redirects to the group that articles are filed in now. */
static struct text
last_name(const struct former *former, struct text name)
{
	for (int step = 0; step < FOLLOWED_MAX; step++) {
		size_t i = 0;

		while (i < former->count &&
		    !text_equal(former->groups[i].name, name))
			i++;
		if (i == former->count)
			break;
		name = former->groups[i].into;
	}
	return name;
}

/* Adds the former names of the group to its present one. */
static struct text
all_names(struct arena *arena, const struct former *former, struct text name)
{
	struct text last = last_name(former, name), all = last;

	for (size_t i = 0; i < former->count; i++) {
		struct text other = former->groups[i].name;

		if (all.size + other.size < NAMES_BYTES &&
		    text_equal(last_name(former, other), last))
			all = text_format(arena, "%.*s,%.*s", TEXT_ARGS(all),
			    TEXT_ARGS(other));
	}
	return all;
}

static enum store_result
read_former(struct store *store, struct arena *arena, const struct reply *list,
    struct former *former)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < list->count; i++)
		ask_group(&pipeline, reply_text(reply_item(list, i)));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	former->count = 0;
	for (size_t i = 0; i < list->count && i < FORMER_MAX; i++) {
		struct group *group = &former->groups[former->count];

		*group =
		    (struct group){ .name = reply_text(reply_item(list, i)) };
		if (schema_read(&group_schema, SCHEMA_WHOLE,
			&pipeline.replies[i], group) &&
		    group->into.size > 0)
			former->count++;
	}
	return STORE_OK;
}

/* Replaces the names of groups by all that these have had; list has the former ones. */
static enum store_result
add_former_names(struct store *store, struct arena *arena,
    const struct reply *list, struct query_names *names)
{
	struct former *former = arena_new(arena, struct former, 1);

	if (read_former(store, arena, list, former) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < names->count; i++) {
		struct query_name *name = &names->items[i];

		if (names_group(name) && name->value.size > 0)
			name->value = all_names(arena, former, name->value);
	}
	return STORE_OK;
}

STORE_CALL
search_names_resolve(
    struct store *store, struct arena *arena, struct query_names *names)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;
	bool has_groups = false;

	for (size_t i = 0; i < names->count; i++) {
		if (!is_possible(arena, &names->items[i]))
			continue;
		ask_name(&pipeline, &names->items[i]);
		has_groups |= names_group(&names->items[i]);
	}
	if (has_groups)
		pipeline_add(&pipeline, TEXT("ZRANGE"), KEY_FORMER, TEXT("0"),
		    text_number(arena, FORMER_MAX - 1));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < names->count; i++)
		if (is_possible(arena, &names->items[i]))
			read_name(reply++, &names->items[i]);
	return has_groups ? add_former_names(store, arena, reply, names)
			  : STORE_OK;
}

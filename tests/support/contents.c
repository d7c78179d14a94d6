#include "contents.h"

#include <fnmatch.h>
#include <stdlib.h>

static const struct reply nil = { .kind = REPLY_NIL };

static int
compare(const void *a, const void *b)
{
	const struct reply *one = a, *other = b;

	return text_compare(one->text, other->text);
}

static void
sort(struct reply *list, size_t width)
{
	if (list->count > 0)
		qsort(list->items, list->count / width,
		    width * sizeof(*list->items), compare);
}

static const struct reply *
find(const struct reply *list, size_t width, struct text text)
{
	const struct reply wanted = { .text = text };

	return list->count == 0
	    ? NULL
	    : bsearch(&wanted, list->items, list->count / width,
		  width * sizeof(*list->items), compare);
}

static void
add_read(struct pipeline *pipeline, struct text key, struct text type)
{
	if (text_equal(type, TEXT("string")))
		pipeline_add(pipeline, TEXT("GET"), key);
	else if (text_equal(type, TEXT("hash")))
		pipeline_add(pipeline, TEXT("HGETALL"), key);
	else if (text_equal(type, TEXT("set")))
		pipeline_add(pipeline, TEXT("SMEMBERS"), key);
	else if (text_equal(type, TEXT("zset")))
		pipeline_add(pipeline, TEXT("ZRANGE"), key, TEXT("0"),
		    TEXT("-1"), TEXT("WITHSCORES"));
	else
		pipeline_add(pipeline, TEXT("TYPE"), key);
	pipeline_add(pipeline, TEXT("PEXPIRETIME"), key);
}

static struct reply
read_keys(struct world *world, struct arena *arena)
{
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);

	pipeline_add(&pipeline, TEXT("KEYS"), TEXT("*"));
	assert_true(redis_run(&pipeline));
	sort(&pipeline.replies[0], 1);
	return pipeline.replies[0];
}

/* Of all keys, one after the other. */
static struct reply *
read_types(struct world *world, struct arena *arena, const struct reply *keys)
{
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);

	for (size_t i = 0; i < keys->count; i++)
		pipeline_add(&pipeline, TEXT("TYPE"), keys->items[i].text);
	assert_true(redis_run(&pipeline));
	return pipeline.replies;
}

struct contents
contents_read(struct world *world)
{
	struct contents contents = { .arena = { 0 } };
	struct arena *arena = &contents.arena;
	struct reply keys = read_keys(world, arena);
	struct reply *types = read_types(world, arena, &keys);
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);

	for (size_t i = 0; i < keys.count; i++)
		add_read(&pipeline, keys.items[i].text, types[i].text);
	assert_true(redis_run(&pipeline));
	contents.all = arena_new(arena, struct content, keys.count);
	for (size_t i = 0; i < keys.count; i++) {
		struct text key = keys.items[i].text, type = types[i].text;
		struct content content = { key, text_string(arena, key), type,
			pipeline.replies[2 * i],
			pipeline.replies[2 * i + 1].number };

		if (text_equal(type, TEXT("set")))
			sort(&content.value, 1);
		if (text_equal(type, TEXT("zset")))
			sort(&content.value, 2);
		/* What expired since the keys were listed is not there. */
		if (!text_equal(type, TEXT("none")) &&
		    content.value.kind != REPLY_NIL)
			contents.all[contents.count++] = content;
	}
	return contents;
}

void
contents_free(struct contents *contents)
{
	arena_free(&contents->arena);
}

static int
compare_keys(const void *a, const void *b)
{
	const struct content *one = a, *other = b;

	return text_compare(one->key, other->key);
}

const struct content *
contents_find(const struct contents *contents, struct text key)
{
	const struct content wanted = { .key = key };

	return contents->count == 0
	    ? NULL
	    : bsearch(&wanted, contents->all, contents->count,
		  sizeof(*contents->all), compare_keys);
}

const struct reply *
contents_value(
    const struct contents *contents, struct text key, const char *type)
{
	const struct content *content = contents_find(contents, key);

	if (content == NULL)
		return &nil;
	if (!text_equal(content->type, text_of(type)))
		fail_msg("%s is a %.*s, not a %s", content->name,
		    TEXT_ARGS(content->type), type);
	return &content->value;
}

const struct reply *
contents_score(
    const struct contents *contents, struct text key, struct text member)
{
	const struct reply *found =
	    find(contents_value(contents, key, "zset"), 2, member);

	return found == NULL ? &nil : found + 1;
}

bool
contents_is_member(
    const struct contents *contents, struct text key, struct text member)
{
	return find(contents_value(contents, key, "set"), 1, member) != NULL;
}

const struct content *
contents_next(const struct contents *contents, const char *pattern, size_t *at)
{
	while (*at < contents->count) {
		const struct content *content = &contents->all[(*at)++];

		if (fnmatch(pattern, content->name, 0) == 0)
			return content;
	}
	return NULL;
}

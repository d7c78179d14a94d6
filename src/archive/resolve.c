#include "archive/resolve.h"

#include <string.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/keys.h"

static bool
is_refused(const struct import *import)
{
	return import->refusal.size > 0;
}

static void
refuse(struct arena *arena, struct import *import, const char *what,
    struct text name)
{
	import->refusal =
	    text_format(arena, "%s \"%.*s\"", what, TEXT_ARGS(name));
}

/* Whose a record is: an article's author, or the creator of a group. */
static struct member *
owner_of(struct record *record)
{
	return record->kind == RECORD_GROUP ? &record->group.by
					    : &record->article.post.author;
}

/* Ids of owners, and their names as registered, whatever case was given. */
static enum store_result
resolve_owners(struct names *names, struct arena *arena, struct import *imports,
    size_t count)
{
	struct text *owners = arena_new(arena, struct text, count);
	struct text *registered = arena_new(arena, struct text, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		owners[i] = owner_of(&imports[i].record)->name;
	if (names_find(names, arena, owners, count, ids) != STORE_OK ||
	    names_of(names, arena, ids, count, registered) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		if (is_refused(&imports[i]))
			continue;
		/* A group may have no creator. */
		if (imports[i].record.kind == RECORD_GROUP &&
		    owners[i].size == 0)
			continue;
		if (registered[i].size == 0)
			refuse(arena, &imports[i], "there is no member",
			    owners[i]);
		else
			*owner_of(&imports[i].record) =
			    (struct member){ ids[i], registered[i] };
	}
	return STORE_OK;
}

static void
refuse_unknown(
    struct arena *arena, struct import *import, const struct voters *voters)
{
	for (size_t i = 0; i < voters->count && !is_refused(import); i++)
		if (voters->ids[i] == 0)
			refuse(arena, import, "there is no member",
			    voters->names[i]);
}

/* A vote has one state: nobody is named twice, be it in both lists or in
 * one. */
static void
refuse_twice(struct arena *arena, struct import *import)
{
	const struct record *record = &import->record;
	size_t count = record->up.count + record->down.count;
	uint64_t *ids = arena_new(arena, uint64_t, count);

	memcpy(ids, record->up.ids, record->up.count * sizeof(*ids));
	memcpy(ids + record->up.count, record->down.ids,
	    record->down.count * sizeof(*ids));
	sort_ids(ids, count);
	for (size_t i = 1; i < count; i++)
		if (ids[i] == ids[i - 1])
			import->refusal = TEXT("a voter is named twice");
}

static enum store_result
resolve_voters(struct names *names, struct arena *arena, struct import *import)
{
	struct voters *both[] = { &import->record.up, &import->record.down };

	for (int i = 0; i < 2; i++) {
		both[i]->ids = arena_new(arena, uint64_t, both[i]->count);
		if (names_find(names, arena, both[i]->names, both[i]->count,
			both[i]->ids) != STORE_OK)
			return STORE_DOWN;
		refuse_unknown(arena, import, both[i]);
	}
	if (!is_refused(import))
		refuse_twice(arena, import);
	return STORE_OK;
}

/* Every group of every article is asked for in one round trip. */
static enum store_result
resolve_groups(struct store *store, struct arena *arena, struct import *imports,
    size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text rest, name;
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		rest = imports[i].record.article.groups;
		while (text_word(&rest, &name))
			pipeline_add(
			    &pipeline, TEXT("EXISTS"), key_group(arena, name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		rest = imports[i].record.article.groups;
		while (text_word(&rest, &name))
			if (reply_number(&pipeline.replies[answer++]) == 0 &&
			    !is_refused(&imports[i]))
				refuse(arena, &imports[i], "there is no group",
				    name);
	}
	return STORE_OK;
}

static enum store_result
resolve_articles(struct store *store, struct names *names, struct arena *arena,
    struct import *imports, size_t count)
{
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count && result == STORE_OK; i++)
		if (!is_refused(&imports[i]))
			result = resolve_voters(names, arena, &imports[i]);
	return result != STORE_OK
	    ? result
	    : resolve_groups(store, arena, imports, count);
}

STORE_CALL
resolve_records(struct store *store, struct names *names, struct arena *arena,
    enum record_kind kind, struct import *imports, size_t count)
{
	if (kind == RECORD_USER)
		return STORE_OK;
	if (resolve_owners(names, arena, imports, count) != STORE_OK)
		return STORE_DOWN;
	return kind == RECORD_ARTICLE
	    ? resolve_articles(store, names, arena, imports, count)
	    : STORE_OK;
}

#include "store/hidden.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"

/* What begins an entry; that of an article begins with a digit. */
static const struct text beginnings[] = {
	[HIDDEN_ARTICLE] = TEXT_INIT(""),
	[HIDDEN_MEMBER] = TEXT_INIT("@"),
	[HIDDEN_GROUP] = TEXT_INIT("g/"),
	[HIDDEN_PUBLISHER] = TEXT_INIT("/"),
	[HIDDEN_WORDS] = TEXT_INIT("="),
};

static bool
has_id(enum hidden_kind kind)
{
	return kind == HIDDEN_ARTICLE || kind == HIDDEN_MEMBER;
}

struct text
hidden_encode(struct arena *arena, const struct hidden_rule *what)
{
	return text_join(arena, beginnings[what->kind],
	    has_id(what->kind) ? text_number(arena, (int64_t)what->id)
			       : what->name);
}

bool
hidden_decode(struct text entry, struct hidden_rule *what)
{
	enum hidden_kind kind = HIDDEN_WORDS;

	while (kind > HIDDEN_ARTICLE && !text_starts(entry, beginnings[kind]))
		kind--;
	*what = (struct hidden_rule){ .kind = kind,
		.name = text_slice(entry, beginnings[kind].size, entry.size) };
	if (!has_id(kind))
		return what->name.size > 0;
	return text_to_u64(what->name, &what->id) && what->id != 0;
}

int
hidden_compare(const void *a, const void *b)
{
	const struct hidden_rule *one = a, *other = b;

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	return has_id(one->kind) ? sort_compare(one->id, other->id)
				 : text_compare(one->name, other->name);
}

STORE_CALL
hidden_add(struct store *store, struct arena *arena, uint64_t user,
    const struct hidden_rule *what)
{
	return call_write(store, arena, "hide_1", key_user(arena, user),
	    hidden_encode(arena, what), text_number(arena, HIDDEN_MAX));
}

STORE_CALL
hidden_remove(struct store *store, struct arena *arena, uint64_t user,
    const struct hidden_rule *what)
{
	return call_write(store, arena, "unhide_1", key_user(arena, user),
	    hidden_encode(arena, what));
}

STORE_CALL
hidden_replace(struct store *store, struct arena *arena, uint64_t user,
    const struct hidden_rule *rules, size_t count)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "set_hidden_1", key_user(arena, user));

	call_add_number(&call, HIDDEN_MAX);
	for (size_t i = 0; i < count; i++)
		call_add(&call, hidden_encode(arena, &rules[i]));
	return call_run(&call, store, NULL);
}

void
hidden_ask(struct pipeline *pipeline, uint64_t user)
{
	pipeline_add(pipeline, TEXT("ZRANGE"),
	    key_hidden(pipeline->arena, user), TEXT("0"),
	    text_number(pipeline->arena, HIDDEN_FORMER_MAX - 1),
	    TEXT("WITHSCORES"));
}

void
hidden_read(struct arena *arena, const struct reply *reply,
    struct hidden_rule **rules, size_t *count)
{
	*rules = arena_new(arena, struct hidden_rule, reply->count / 2);
	*count = 0;
	for (size_t i = 0; i + 1 < reply->count; i += 2) {
		struct hidden_rule *what = &(*rules)[*count];

		if (!hidden_decode(reply_text(reply_item(reply, i)), what))
			continue;
		what->at = reply_number(reply_item(reply, i + 1));
		++*count;
	}
	if (*count > 0)
		qsort(*rules, *count, sizeof(**rules), hidden_compare);
}

STORE_CALL
hidden_get(struct store *store, struct arena *arena, uint64_t user,
    struct hidden_rule **rules, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	hidden_ask(&pipeline, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	hidden_read(arena, &pipeline.replies[0], rules, count);
	return STORE_OK;
}

/* The key of what a rule names; empty when that needs none. */
static struct text
key_of_named(const struct store *store, struct arena *arena,
    const struct hidden_rule *what)
{
	switch (what->kind) {
	case HIDDEN_ARTICLE:
		return key_post(arena, &store->buckets,
		    (struct post_id){ .article = what->id });
	case HIDDEN_MEMBER:
		return key_user(arena, what->id);
	case HIDDEN_GROUP:
		return key_group(arena, what->name);
	default:
		return TEXT("");
	}
}

/* Asks for what a rule names; false for what needs no key. */
static bool
ask_for_named(struct pipeline *pipeline, const struct store *store,
    const struct hidden_rule *what)
{
	struct text key = key_of_named(store, pipeline->arena, what);

	if (key.size == 0)
		return false;
	if (what->kind == HIDDEN_ARTICLE)
		pipeline_add(
		    pipeline, TEXT("HMGET"), key, TEXT("posted"), TEXT("held"));
	else
		pipeline_add(pipeline, TEXT("EXISTS"), key);
	return true;
}

STORE_CALL
hidden_find(struct store *store, struct arena *arena,
    const struct hidden_rule *rules, size_t count, bool *exists, bool *held)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++)
		exists[i] = !ask_for_named(&pipeline, store, &rules[i]);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		held[i] = false;
		if (exists[i])
			continue;
		exists[i] = rules[i].kind == HIDDEN_ARTICLE
		    ? reply_text(reply_item(reply, 0)).size > 0
		    : reply_number(reply) == 1;
		held[i] = rules[i].kind == HIDDEN_ARTICLE &&
		    reply_text(reply_item(reply, 1)).size > 0;
		reply++;
	}
	return STORE_OK;
}

STORE_CALL
hidden_rename(struct store *store, struct arena *arena, uint64_t user,
    struct text group, struct text into)
{
	const struct hidden_rule before = { .kind = HIDDEN_GROUP,
		.name = group };
	const struct hidden_rule after = { .kind = HIDDEN_GROUP, .name = into };

	return call_write(store, arena, "rename_hidden_1",
	    key_user(arena, user), hidden_encode(arena, &before),
	    hidden_encode(arena, &after));
}

void
hidden_load(
    struct pipeline *pipeline, uint64_t user, const struct hidden_rule *what)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_hidden_1", key_user(arena, user),
	    hidden_encode(arena, what), text_number(arena, what->at),
	    text_number(arena, HIDDEN_FORMER_MAX));
}

void
hidden_check(struct pipeline *pipeline, uint64_t user)
{
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_READS, "check_hidden_1", key_user(arena, user));

	call_add_number(&call, HIDDEN_FORMER_MAX);
	call_send(&call, pipeline);
}

#include "archive/import.h"

#include <string.h>

#include "redis/reply.h"
#include "store/fields.h"
#include "store/keys.h"

static bool
is_refused(const struct import *import)
{
	return import->refusal.size > 0;
}

static bool
came_before(const struct import *imports, size_t index, struct arena *arena)
{
	struct text name = text_lower(arena, imports[index].record.user.name);

	for (size_t i = 0; i < index; i++)
		if (imports[i].fate == IMPORT_LOADED &&
		    !is_refused(&imports[i]) &&
		    text_equal(
			name, text_lower(arena, imports[i].record.user.name)))
			return true;
	return false;
}

/* Says who is new; returns how many are. */
static uint64_t
find_new_users(struct arena *arena, struct import *imports, size_t count,
    const uint64_t *ids)
{
	uint64_t fresh = 0;

	for (size_t i = 0; i < count; i++) {
		if (is_refused(&imports[i]))
			continue;
		imports[i].fate = ids[i] != 0 || came_before(imports, i, arena)
		    ? IMPORT_THERE
		    : IMPORT_LOADED;
		fresh += imports[i].fate == IMPORT_LOADED;
	}
	return fresh;
}

static bool
is_written(const struct import *import)
{
	return !is_refused(import) && import->fate == IMPORT_LOADED;
}

/* As user_create does it: the member first, the claim of the name second. */
static void
add_user(struct pipeline *pipeline, const struct user *user)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("HSET"), key_user(arena, user->id),
	    TEXT("name"), user->name, TEXT("password"), user->password_hash,
	    TEXT("role"), role_word(user->role), TEXT("created"),
	    text_number(arena, user->created));
	pipeline_add(pipeline, TEXT("SETNX"), key_user_name(arena, user->name),
	    text_number(arena, (int64_t)user->id));
}

/* Somebody may have registered the name meanwhile. */
static enum store_result
drop_unclaimed(struct store *store, struct arena *arena, struct import *imports,
    size_t count, const struct pipeline *written)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < count; i++) {
		if (!is_written(&imports[i]))
			continue;
		if (reply_number(&written->replies[answer + 1]) == 0) {
			imports[i].fate = IMPORT_THERE;
			pipeline_add(&pipeline, TEXT("DEL"),
			    key_user(arena, imports[i].record.user.id));
		}
		answer += 2;
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/* The ids are given out in the order of the records. */
static enum store_result
write_users(struct store *store, struct names *names, struct arena *arena,
    struct import *imports, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text *wanted = arena_new(arena, struct text, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);
	uint64_t fresh, id;

	for (size_t i = 0; i < count; i++)
		wanted[i] = imports[i].record.user.name;
	if (names_find(names, arena, wanted, count, ids) != STORE_OK)
		return STORE_DOWN;
	fresh = find_new_users(arena, imports, count, ids);
	if (fresh == 0)
		return STORE_OK;
	pipeline_add(&pipeline, TEXT("INCRBY"), key_users(),
	    text_number(arena, (int64_t)fresh));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	id = (uint64_t)reply_number(&pipeline.replies[0]) - fresh;
	pipeline = pipeline_begin(store->redis, arena);
	for (size_t i = 0; i < count; i++) {
		if (!is_written(&imports[i]))
			continue;
		imports[i].record.user.id = ++id;
		add_user(&pipeline, &imports[i].record.user);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return drop_unclaimed(store, arena, imports, count, &pipeline);
}

static enum store_result
write_groups(struct store *store, struct arena *arena, struct import *imports,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enum store_result result;

		if (is_refused(&imports[i]))
			continue;
		result = group_create(store, arena, &imports[i].record.group);
		if (result == STORE_DOWN)
			return result;
		imports[i].fate =
		    result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
	}
	return STORE_OK;
}

static struct text
number_or_empty(struct arena *arena, int64_t number)
{
	return number == 0 ? TEXT("") : text_number(arena, number);
}

static size_t
add_ids(struct arena *arena, struct text *words, const struct voters *voters)
{
	for (size_t i = 0; i < voters->count; i++)
		words[i] = text_number(arena, (int64_t)voters->ids[i]);
	return voters->count;
}

static void
add_article(struct pipeline *pipeline, const struct store *store,
    const struct record *record)
{
	const struct article *article = &record->article;
	struct arena *arena = pipeline->arena;
	const struct text first[] = { TEXT("FCALL"), TEXT("load_1"), TEXT("1"),
		key_article(arena, store->rules.buckets, article->id),
		article->title, article->url, article->text,
		fields_join_author(
		    arena, article->author, article->author_name),
		text_number(arena, article->posted),
		text_number(arena, article->closes),
		text_number(arena, article->up),
		text_number(arena, article->down), article->groups,
		number_or_empty(arena, article->interesting),
		number_or_empty(arena, article->removed),
		text_number(arena, store->rules.vote_score),
		text_number(arena, article->recorded),
		text_number(arena, (int64_t)record->up.count) };
	size_t count = sizeof(first) / sizeof(first[0]);
	struct text *words = arena_new(
	    arena, struct text, count + record->up.count + record->down.count);

	memcpy(words, first, sizeof(first));
	count += add_ids(arena, words + count, &record->up);
	count += add_ids(arena, words + count, &record->down);
	pipeline_add_words(pipeline, words, count);
}

/* Keeps the link from being posted again, as posting itself does. */
static void
add_claim(struct pipeline *pipeline, const struct article *article)
{
	struct arena *arena = pipeline->arena;
	struct text link = article->url;

	if (link.size > 0 && rule_link(arena, &link).size > 0)
		return;
	pipeline_add(pipeline, TEXT("SET"),
	    key_link(arena,
		rule_claim(arena, article->author, article->title, link,
		    article->text)),
	    text_number(arena, (int64_t)article->id), TEXT("NX"), TEXT("EXAT"),
	    text_number(arena, article->closes));
}

/*
 * Claims follow the articles. A crash in between leaves articles without; when
 * the load is run again it finds these very articles there, and claims for
 * them.
 */
static enum store_result
write_claims(struct store *store, struct arena *arena, struct import *imports,
    size_t count, const struct reply *written, int64_t now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++) {
		const struct article *article = &imports[i].record.article;
		enum store_result result;
		bool is_same;

		if (is_refused(&imports[i]))
			continue;
		result = reply_result(written);
		is_same = reply_number(reply_item(written, 1)) == 1;
		written++;
		if (result == STORE_DOWN)
			return result;
		imports[i].fate =
		    result == STORE_TAKEN ? IMPORT_THERE : IMPORT_LOADED;
		if (article->closes > now && (result == STORE_OK || is_same))
			add_claim(&pipeline, article);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/*
 * The counter comes first: from then on nobody who posts is given an id that is
 * about to be written.
 */
static enum store_result
write_articles(struct store *store, struct arena *arena, struct import *imports,
    size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t highest = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_refused(&imports[i]) &&
		    imports[i].record.article.id > highest)
			highest = imports[i].record.article.id;
	pipeline_add(&pipeline, TEXT("TIME"));
	pipeline_add(&pipeline, TEXT("FCALL"), TEXT("raise_1"), TEXT("1"),
	    key_articles(), text_number(arena, (int64_t)highest));
	for (size_t i = 0; i < count; i++)
		if (!is_refused(&imports[i]))
			add_article(&pipeline, store, &imports[i].record);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	return write_claims(store, arena, imports, count, &pipeline.replies[2],
	    reply_seconds(&pipeline.replies[0]));
}

STORE_CALL
import_write(struct store *store, struct names *names, struct arena *arena,
    enum record_kind kind, struct import *imports, size_t count)
{
	switch (kind) {
	case RECORD_USER:
		return write_users(store, names, arena, imports, count);
	case RECORD_GROUP:
		return write_groups(store, arena, imports, count);
	case RECORD_ARTICLE:
		return write_articles(store, arena, imports, count);
	case RECORD_KINDS:
		break;
	}
	return STORE_OK;
}

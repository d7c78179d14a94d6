#include "archive/export.h"

#include <stdlib.h>

#include "redis/reply.h"
#include "store/fields.h"
#include "store/keys.h"

/* What dump_1 answers. */
enum {
	TITLE,
	URL,
	BODY,
	AUTHOR,
	POSTED,
	CLOSES,
	UP,
	DOWN,
	GROUPS,
	INTERESTING,
	REMOVED,
	RECORDED,
	VOTED_UP,
	VOTED_DOWN
};

STORE_CALL
export_last_user(struct store *store, struct arena *arena, uint64_t *last)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("GET"), key_users());
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*last = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

/* Takes the names away from those who did not get them. */
static enum store_result
keep_claimed(struct names *names, struct arena *arena, struct record *records,
    size_t count)
{
	struct text *wanted = arena_new(arena, struct text, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		wanted[i] = records[i].user.name;
	if (names_find(names, arena, wanted, count, ids) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (ids[i] != records[i].user.id)
			records[i].user.name = (struct text){ NULL, 0 };
	return STORE_OK;
}

STORE_CALL
export_users(struct store *store, struct names *names, struct arena *arena,
    uint64_t first, size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_user(arena, first + i), TEXT("name"), TEXT("password"),
		    TEXT("role"), TEXT("created"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct reply *hash = &pipeline.replies[i];
		struct user *user = &records[i].user;

		records[i] = (struct record){ .kind = RECORD_USER };
		user->id = first + i;
		user->name = reply_text(reply_item(hash, 0));
		user->password_hash = reply_text(reply_item(hash, 1));
		role_parse(reply_text(reply_item(hash, 2)), &user->role);
		user->created = reply_number(reply_item(hash, 3));
	}
	return keep_claimed(names, arena, records, count);
}

STORE_CALL
export_group_names(struct store *store, struct arena *arena, struct text behind,
    size_t count, struct text *found, size_t *got)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *members;

	pipeline_add(&pipeline, TEXT("ZRANGE"), key_groups(),
	    behind.size == 0 ? TEXT("-") : text_join(arena, TEXT("("), behind),
	    TEXT("+"), TEXT("BYLEX"), TEXT("LIMIT"), TEXT("0"),
	    text_number(arena, (int64_t)count));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	members = &pipeline.replies[0];
	*got = members->count < count ? members->count : count;
	for (size_t i = 0; i < *got; i++)
		found[i] = reply_text(reply_item(members, i));
	return STORE_OK;
}

static void
read_article(const struct reply *values, struct article *article)
{
	article->title = reply_text(reply_item(values, TITLE));
	article->url = reply_text(reply_item(values, URL));
	article->text = reply_text(reply_item(values, BODY));
	fields_split_author(reply_text(reply_item(values, AUTHOR)),
	    &article->author, &article->author_name);
	article->posted = reply_number(reply_item(values, POSTED));
	article->closes = reply_number(reply_item(values, CLOSES));
	article->up = reply_number(reply_item(values, UP));
	article->down = reply_number(reply_item(values, DOWN));
	article->groups = reply_text(reply_item(values, GROUPS));
	article->interesting = reply_number(reply_item(values, INTERESTING));
	article->removed = reply_number(reply_item(values, REMOVED));
	article->recorded = reply_number(reply_item(values, RECORDED)) == 1;
}

static int
compare_ids(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

/* The members of a set but for the 0, which is nobody. */
static enum store_result
read_voters(struct names *names, struct arena *arena, const struct reply *set,
    struct voters *voters)
{
	voters->ids = arena_new(arena, uint64_t, set->count);
	voters->names = arena_new(arena, struct text, set->count);
	for (size_t i = 0; i < set->count; i++) {
		uint64_t id = 0;

		text_to_u64(reply_text(reply_item(set, i)), &id);
		if (id != 0)
			voters->ids[voters->count++] = id;
	}
	if (voters->count > 1)
		qsort(
		    voters->ids, voters->count, sizeof(uint64_t), compare_ids);
	return names_of(
	    names, arena, voters->ids, voters->count, voters->names);
}

static enum store_result
read_record(struct names *names, struct arena *arena,
    const struct reply *values, uint64_t id, struct record *record)
{
	enum store_result result;

	*record = (struct record){ .kind = RECORD_ARTICLE };
	if (values->count == 0)
		return STORE_OK;
	record->article.id = id;
	read_article(values, &record->article);
	if (!record->article.recorded)
		return STORE_OK;
	result = read_voters(
	    names, arena, reply_item(values, VOTED_UP), &record->up);
	return result != STORE_OK
	    ? result
	    : read_voters(
		  names, arena, reply_item(values, VOTED_DOWN), &record->down);
}

STORE_CALL
export_articles(struct store *store, struct names *names, struct arena *arena,
    const uint64_t *ids, size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("FCALL_RO"), TEXT("dump_1"),
		    TEXT("1"),
		    key_article(arena, store->rules.buckets, ids[i]));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = read_record(
		    names, arena, &pipeline.replies[i], ids[i], &records[i]);
	return result;
}

#include "archive/export.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/keys.h"

/* What dump_4 answers. */
enum { HASH, VOTERS, FLAGS_GIVEN, COMMENT_RECORD };

STORE_CALL
export_last_user(struct store *store, struct arena *arena, uint64_t *last)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("GET"), KEY_USERS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*last = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

/*
 * The name that leads to a member to whom the name in the hash does not lead: an account
 * that is being closed has the next one already, and gives up the former before the
 * hash says so. Empty when there is none.
 */
static enum store_result
find_other_name(struct store *store, struct arena *arena, struct user *user)
{
	struct text names[USER_CLOSED_NAMES];
	uint64_t ids[USER_CLOSED_NAMES];

	for (int i = 0; i < USER_CLOSED_NAMES; i++)
		names[i] = user_closed_name(arena, user->id, i + 1);
	user->name = (struct text){ NULL, 0 };
	if (user_find_ids(store, arena, names, USER_CLOSED_NAMES, ids) !=
	    STORE_OK)
		return STORE_DOWN;
	for (int i = USER_CLOSED_NAMES - 1; i >= 0; i--)
		if (ids[i] == user->id)
			user->name = names[i];
	return STORE_OK;
}

static enum store_result
check_names(struct store *store, struct arena *arena, struct record *records,
    size_t count)
{
	struct text *names = arena_new(arena, struct text, count);
	uint64_t *ids = arena_new(arena, uint64_t, count);

	for (size_t i = 0; i < count; i++)
		names[i] = records[i].user.name;
	if (user_find_ids(store, arena, names, count, ids) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (names[i].size > 0 && ids[i] != records[i].user.id &&
		    find_other_name(store, arena, &records[i].user) != STORE_OK)
			return STORE_DOWN;
	return STORE_OK;
}

STORE_CALL
export_users(struct store *store, struct arena *arena, uint64_t first,
    size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE,
		    key_user(arena, first + i));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		records[i] = (struct record){ .kind = RECORD_USER,
			.user.id = first + i };
		schema_read(&user_schema, SCHEMA_WHOLE, &pipeline.replies[i],
		    &records[i].user);
	}
	return check_names(store, arena, records, count);
}

STORE_CALL
export_group_names(struct store *store, struct arena *arena, struct text list,
    struct text after, size_t count, struct text *found, size_t *got)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *members;

	pipeline_add(&pipeline, TEXT("ZRANGE"), list,
	    after.size == 0 ? TEXT("-") : text_join(arena, TEXT("("), after),
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

/* Whose a number in the record is, if it is of that kind; 0 when it is not. */
static uint64_t
voter_of(int64_t number, enum voters_kind kind)
{
	bool is_down = kind == VOTERS_DOWN || kind == VOTERS_VOIDED_DOWN;
	bool is_voided = kind >= VOTERS_VOIDED_UP;
	int64_t id = is_down ? -number : number;

	if (is_voided)
		id -= KEY_VOID_OFFSET;
	return id > 0 && id < KEY_VOID_OFFSET ? (uint64_t)id : 0;
}

/* Those of the record of one kind; the 0 is nobody. */
static void
read_voters(struct arena *arena, const struct reply *set, enum voters_kind kind,
    struct voters *voters)
{
	size_t count = 0;

	voters->ids = arena_new(arena, uint64_t, set->count);
	for (size_t i = 0; i < set->count; i++) {
		uint64_t id = voter_of(reply_number(reply_item(set, i)), kind);

		if (id != 0)
			voters->ids[count++] = id;
	}
	sort_ids(voters->ids, count);
	voters->names =
	    (struct json_names){ arena_new(arena, struct text, count), count };
}

static int
compare_flags(const void *a, const void *b)
{
	const struct flagged *one = a, *other = b;

	return sort_compare(one->user, other->user);
}

static void
read_flags(
    struct arena *arena, const struct reply *reply, struct record *record)
{
	struct flagged *flags;
	size_t count = flag_read_all(arena, reply, &flags);

	if (count > 0)
		qsort(flags, count, sizeof(*flags), compare_flags);
	record->flags = arena_new(arena, struct record_flag, count);
	record->flag_count = count;
	for (size_t i = 0; i < count; i++)
		record->flags[i].flagged = flags[i];
}

static void
read_post(struct arena *arena, const struct reply *answer, struct post_id id,
    struct record *record)
{
	const struct reply *voters = reply_item(answer, VOTERS);
	struct post *post = record_post(record);

	if (!schema_read(record_schema(record->kind), SCHEMA_WHOLE,
		reply_item(answer, HASH), record_noun(record)))
		return;
	if (record->kind == RECORD_COMMENT)
		comment_add_record(
		    reply_text(reply_item(answer, COMMENT_RECORD)),
		    &record->comment);
	post->id = id;
	post->voters_known = voters->count > 0;
	for (enum voters_kind i = VOTERS_UP; i < VOTERS_KINDS; i++)
		read_voters(arena, voters, i, &record->voters[i]);
	read_flags(arena, reply_item(answer, FLAGS_GIVEN), record);
}

STORE_CALL
export_acts(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(
			arena, &store->buckets, places[i].id.article));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		records[i] = (struct record){ .kind = RECORD_ACT };
		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&pipeline.replies[i], &records[i].act))
			records[i].act.id = places[i].id.article;
	}
	return STORE_OK;
}

STORE_CALL
export_posts(struct store *store, struct arena *arena,
    const struct place *places, size_t count, struct record *records)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++) {
		struct call call = call_begin(arena, CALL_READS, "dump_4",
		    key_post(arena, &store->buckets, places[i].id));

		records[i] = (struct record){ .kind = places[i].id.comment == 0
			    ? RECORD_ARTICLE
			    : RECORD_COMMENT };
		schema_add_names(&call, record_schema(records[i].kind));
		call_send(&call, &pipeline);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_post(
		    arena, &pipeline.replies[i], places[i].id, &records[i]);
	return STORE_OK;
}

STORE_CALL
export_inbox_sizes(struct store *store, struct arena *arena, uint64_t first,
    size_t count, size_t *notices)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(
		    &pipeline, TEXT("ZCARD"), key_inbox(arena, first + i));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		notices[i] = (size_t)reply_count(&pipeline.replies[i]);
		if (notices[i] > INBOX_MAX)
			notices[i] = INBOX_MAX;
	}
	return STORE_OK;
}

static void
read_inbox(
    struct arena *arena, const struct reply *reply, struct export_inbox *inbox)
{
	inbox->count = reply->count / 2;
	inbox->notices = arena_new(arena, struct notice, inbox->count);
	for (size_t i = 0; i < inbox->count; i++)
		if (!notice_decode(reply_text(reply_item(reply, 2 * i)),
			reply_item(reply, 2 * i + 1), &inbox->notices[i]))
			inbox->notices[i] = (struct notice){ .number = 0 };
}

STORE_CALL
export_inboxes(struct store *store, struct arena *arena,
    struct export_inbox *inboxes, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("ZRANGE"),
		    key_inbox(arena, inboxes[i].user),
		    text_number(arena, -INBOX_MAX), TEXT("-1"),
		    TEXT("WITHSCORES"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_inbox(arena, &pipeline.replies[i], &inboxes[i]);
	return STORE_OK;
}

static void
read_muted(
    struct arena *arena, const struct reply *reply, struct export_mutes *muted)
{
	muted->count = reply->count;
	muted->mutes = arena_new(arena, struct mute, reply->count);
	for (size_t i = 0; i < reply->count; i++)
		if (!mute_decode(
			reply_text(reply_item(reply, i)), &muted->mutes[i]))
			muted->mutes[i] = (struct mute){ .id = 0 };
	if (muted->count > 0)
		qsort(muted->mutes, muted->count, sizeof(struct mute),
		    mute_compare);
}

STORE_CALL
export_mutes(struct store *store, struct arena *arena,
    struct export_mutes *muted, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("SMEMBERS"),
		    key_muted(arena, muted[i].user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		read_muted(arena, &pipeline.replies[i], &muted[i]);
	return STORE_OK;
}

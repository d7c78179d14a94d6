#include "store/close_account.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/group.h"
#include "store/mod_action.h"

enum { BATCH = 200 };

#define ERASED TEXT("(deleted)")

/* The member who leaves, and the name from now on. */
struct leaver {
	struct store *store;
	struct arena *arena;
	const struct user *user;
	struct member now;
	bool erases;
};

typedef enum store_result visitor(
    const struct leaver *leaver, const struct post_id *ids, size_t count);

/* Adds the ids of a sorted set, all before the first visit, which may change the set. */
static enum store_result
add_ids(const struct leaver *leaver, struct text key, struct buffer *ids)
{
	struct arena *arena = leaver->arena;
	size_t got = BATCH;

	for (int64_t start = 0; got == BATCH; start += BATCH) {
		struct pipeline pipeline =
		    pipeline_begin(leaver->store->redis, arena);

		pipeline_add(&pipeline, TEXT("ZRANGE"), key,
		    text_number(arena, start),
		    text_number(arena, start + BATCH - 1));
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		got = pipeline.replies[0].count;
		for (size_t i = 0; i < got; i++) {
			struct post_id id = decode_post(
			    reply_text(reply_item(&pipeline.replies[0], i)));

			buffer_add(
			    ids, (struct text){ (char *)&id, sizeof(id) });
		}
	}
	return STORE_OK;
}

/* Visits all posts, or actions, of a list in every bucket, in batches. */
static enum store_result
walk(const struct leaver *leaver,
    struct text (*key)(struct arena *arena, const struct buckets *buckets,
	uint64_t bucket, struct text list),
    struct text list, visitor *visit)
{
	const struct buckets *buckets = &leaver->store->buckets;
	struct buffer found = buffer_in(leaver->arena, 1024);
	enum store_result result = STORE_OK;
	const struct post_id *ids;
	size_t left;

	for (uint64_t b = 0; b < buckets->count && result == STORE_OK; b++)
		result = add_ids(
		    leaver, key(leaver->arena, buckets, b, list), &found);
	ids = (const struct post_id *)(const void *)found.data;
	left = found.size / sizeof(*ids);
	while (left > 0 && result == STORE_OK) {
		size_t count = left < BATCH ? left : BATCH;

		result = visit(leaver, ids, count);
		ids += count;
		left -= count;
	}
	return result;
}

static struct text
field_of(struct arena *arena, const struct member *member)
{
	return text_format(arena, "%llu %.*s", (unsigned long long)member->id,
	    TEXT_ARGS(member->name));
}

static void
disown(
    const struct leaver *leaver, struct pipeline *pipeline, struct post_id id)
{
	struct arena *arena = leaver->arena;
	struct call call = call_begin(arena, CALL_WRITES, "disown_1",
	    key_post(arena, &leaver->store->buckets, id));

	call_add(&call, field_of(arena, &leaver->now),
	    leaver->erases ? ERASED : TEXT(""));
	call_send(&call, pipeline);
}

static enum store_result
disown_all(const struct leaver *leaver, const struct post_id *ids, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(leaver->store->redis, leaver->arena);

	for (size_t i = 0; i < count; i++)
		disown(leaver, &pipeline, ids[i]);
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/* Renames the leaver in an action; and in a post that the leaver removed by it. */
static void
rename_in(const struct leaver *leaver, struct pipeline *pipeline,
    const struct mod_action *act)
{
	struct arena *arena = leaver->arena;
	const struct buckets *buckets = &leaver->store->buckets;
	struct text name = field_of(arena, &leaver->now);
	bool is_removal =
	    text_equal(act->what, mod_action_words[MOD_REMOVED]) &&
	    act->article != 0;

	if (act->by.id == leaver->now.id)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_mod_action(arena, buckets, act->id), TEXT("by"), name);
	if (act->member.id == leaver->now.id)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_mod_action(arena, buckets, act->id), TEXT("member"),
		    name);
	if (is_removal && act->by.id == leaver->now.id)
		disown(leaver, pipeline,
		    (struct post_id){ act->article, act->comment });
}

static enum store_result
rename_in_log(
    const struct leaver *leaver, const struct post_id *ids, size_t count)
{
	struct arena *arena = leaver->arena;
	struct pipeline asked = pipeline_begin(leaver->store->redis, arena);
	struct pipeline pipeline = pipeline_begin(leaver->store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&asked, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(
			arena, &leaver->store->buckets, ids[i].article));
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		struct mod_action act = { .id = ids[i].article };

		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&asked.replies[i], &act))
			rename_in(leaver, &pipeline, &act);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
rename_in_groups(const struct leaver *leaver)
{
	struct store *store = leaver->store;
	struct arena *arena = leaver->arena;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct group *groups;
	uint64_t total = 1;
	size_t got;

	for (uint64_t start = 0; start < total; start += BATCH) {
		if (group_list(store, arena, start, BATCH, &groups, &got,
			&total) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < got; i++)
			if (groups[i].by.id == leaver->now.id)
				group_send_field(&pipeline, groups[i].name,
				    TEXT("by"), field_of(arena, &leaver->now));
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/* The list of names that the inviter invited, with the leaver's new name. */
static struct text
names_with(const struct leaver *leaver, struct text invited)
{
	struct text name, names = TEXT("");

	while (text_next_word(&invited, &name)) {
		if (text_equal(name, leaver->user->name))
			name = leaver->now.name;
		names =
		    text_format(leaver->arena, "%.*s%s%.*s", TEXT_ARGS(names),
			names.size > 0 ? " " : "", TEXT_ARGS(name));
	}
	return names;
}

static enum store_result
rename_at_inviter(const struct leaver *leaver, struct pipeline *pipeline)
{
	struct text name = leaver->user->invited_by;
	struct user inviter;
	enum store_result result = name.size == 0
	    ? STORE_ABSENT
	    : user_find(leaver->store, leaver->arena, name, &inviter);

	if (result == STORE_OK && inviter.invited.size > 0)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_user(leaver->arena, inviter.id), TEXT("invited"),
		    names_with(leaver, inviter.invited));
	return result == STORE_DOWN ? result : STORE_OK;
}

/* Invited members have their inviter's name, and the inviter has theirs. */
static enum store_result
rename_in_invitations(const struct leaver *leaver)
{
	struct store *store = leaver->store;
	struct arena *arena = leaver->arena;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text rest = leaver->user->invited, name;
	struct user guest;

	while (text_next_word(&rest, &name)) {
		enum store_result result =
		    user_find(store, arena, name, &guest);

		if (result == STORE_DOWN)
			return result;
		if (result == STORE_OK)
			pipeline_add_replicated(&pipeline, TEXT("HSET"),
			    key_user(arena, guest.id), TEXT("invited_by"),
			    leaver->now.name);
	}
	if (rename_at_inviter(leaver, &pipeline) != STORE_OK)
		return STORE_DOWN;
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

/*
 * Claims the name of a closed account, first of all, so that the member is found by it when
 * closing is interrupted. A member loaded from a dump may have such a name: then a number
 * is added.
 */
static enum store_result
claim_name(struct leaver *leaver)
{
	struct arena *arena = leaver->arena;
	struct user renamed = { .id = leaver->now.id };

	for (int i = 1; i <= USER_CLOSED_NAMES; i++) {
		struct pipeline pipeline =
		    pipeline_begin(leaver->store->redis, arena);

		renamed.name = user_closed_name(arena, renamed.id, i);
		user_send_claim(&pipeline, &renamed);
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		if (user_has_name(&renamed, &pipeline.replies[0])) {
			leaver->now.name = renamed.name;
			return STORE_OK;
		}
	}
	return STORE_DOWN;
}

/* Releases the former name, last, so that an interrupted closing finds it when it is run
 * again. If another member has it by now, it stays theirs. */
static enum store_result
rename_member(const struct leaver *leaver)
{
	struct arena *arena = leaver->arena;
	struct text former = leaver->user->name;
	struct pipeline pipeline = pipeline_begin(leaver->store->redis, arena);
	struct call call = call_begin(
	    arena, CALL_WRITES, "unname_1", key_user_name(arena, former));
	enum store_result result = STORE_OK;

	call_add_number(&call, (int64_t)leaver->now.id);
	if (!text_equal(former, leaver->now.name))
		result = call_run(&call, leaver->store, NULL);
	pipeline_add_replicated(&pipeline, TEXT("HSET"),
	    key_user(arena, leaver->now.id), TEXT("name"), leaver->now.name);
	pipeline_add_replicated(&pipeline, TEXT("HDEL"),
	    key_user(arena, leaver->now.id), TEXT("invited"),
	    TEXT("invited_by"));
	return result != STORE_OK || redis_run(&pipeline) ? result : STORE_DOWN;
}

static enum store_result
rename_everywhere(const struct leaver *leaver)
{
	struct arena *arena = leaver->arena;
	uint64_t id = leaver->now.id;
	enum store_result result =
	    walk(leaver, key_log, key_log_of_member(arena, id), rename_in_log);

	if (result == STORE_OK)
		result = walk(leaver, key_log, key_log_of_moderator(arena, id),
		    rename_in_log);
	if (result == STORE_OK)
		result = rename_in_groups(leaver);
	return result == STORE_OK ? rename_in_invitations(leaver) : result;
}

static enum store_result
write_closed(const struct leaver *leaver)
{
	struct arena *arena = leaver->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "close_1", key_user(arena, leaver->now.id));
	struct pipeline pipeline = pipeline_begin(leaver->store->redis, arena);
	enum store_result result = call_run(&call, leaver->store, NULL);

	pipeline_add_replicated(&pipeline, TEXT("SREM"), KEY_MODERATORS,
	    text_number(arena, (int64_t)leaver->now.id));
	pipeline_add_replicated(&pipeline, TEXT("SREM"), KEY_OWNERS,
	    text_number(arena, (int64_t)leaver->now.id));
	return result != STORE_OK || redis_run(&pipeline) ? result : STORE_DOWN;
}

/* The member's own hash: whatever of it the schema does not keep. */
static enum store_result
erase_user_texts(const struct leaver *leaver)
{
	struct text key = key_user(leaver->arena, leaver->now.id);
	struct pipeline asked =
	    pipeline_begin(leaver->store->redis, leaver->arena);
	struct pipeline pipeline =
	    pipeline_begin(leaver->store->redis, leaver->arena);

	pipeline_add(&asked, TEXT("HKEYS"), key);
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < asked.replies[0].count; i++) {
		struct text name = reply_text(reply_item(&asked.replies[0], i));

		if (!schema_keeps(&user_schema, name))
			pipeline_add_replicated(
			    &pipeline, TEXT("HDEL"), key, name);
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
disown_listed(const struct leaver *leaver, struct text list)
{
	enum store_result result = walk(leaver, key_time, list, disown_all);

	return result == STORE_OK ? walk(leaver, key_comments, list, disown_all)
				  : result;
}

/* Removed posts first: those that are withdrawn here join that list. */
static enum store_result
disown_everything(const struct leaver *leaver, struct text list)
{
	enum store_result result = walk(leaver, key_removed, list, disown_all);

	return result == STORE_OK ? disown_listed(leaver, list) : result;
}

/* The long part comes before the account is closed, so that a member can repeat a closing
 * that was interrupted. */
STORE_CALL
close_account(struct store *store, struct arena *arena, const struct user *user,
    unsigned goes)
{
	struct leaver leaver = { .store = store,
		.arena = arena,
		.user = user,
		.now = { user->id, user->name },
		.erases = (goes & CLOSE_ACCOUNT_ERASE_TEXTS) != 0 };
	bool renames = (goes & CLOSE_ACCOUNT_ERASE_NAME) != 0;
	bool disowns = renames || leaver.erases;
	struct text list = key_list_of_author(arena, user->id);
	struct user there;
	enum store_result result = user_get(store, arena, user->id, &there);

	if (result == STORE_OK && renames)
		result = claim_name(&leaver);
	if (result == STORE_OK && disowns)
		result = disown_everything(&leaver, list);
	if (result == STORE_OK && renames)
		result = rename_everywhere(&leaver);
	if (result == STORE_OK)
		result = write_closed(&leaver);
	if (result == STORE_OK && leaver.erases)
		result = erase_user_texts(&leaver);
	/* Posts of the meantime. */
	if (result == STORE_OK && disowns)
		result = disown_listed(&leaver, list);
	return result == STORE_OK && renames ? rename_member(&leaver) : result;
}

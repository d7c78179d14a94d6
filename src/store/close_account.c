#include "store/close_account.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/containment.h"
#include "store/group.h"
#include "store/group_admin.h"
#include "store/mod_action.h"
#include "store/network.h"

enum { BATCH = 200 };

#define ERASED TEXT("(deleted)")

/* An account that is being closed. */
struct closing {
	struct store *store;
	struct arena *arena;
	const struct user *user; /* as it was before */
	struct member member;	 /* with the name from now on */
	bool erases_texts;
};

typedef enum store_result batch_update(
    const struct closing *closing, const struct post_id *ids, size_t count);

/* Adds the ids of a sorted set; all before the first update, which may change the set. */
static enum store_result
add_ids(const struct closing *closing, struct text key, struct buffer *ids)
{
	struct arena *arena = closing->arena;
	size_t got = BATCH;

	for (int64_t start = 0; got == BATCH; start += BATCH) {
		struct pipeline pipeline =
		    pipeline_begin(closing->store->redis, arena);

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

/* Updates all posts, or actions, of a list in every bucket, in batches. */
static enum store_result
update_list(const struct closing *closing, enum key_kind kind, struct text list,
    batch_update *update)
{
	const struct buckets *buckets = &closing->store->buckets;
	struct buffer found = buffer_in(closing->arena, 1024);
	enum store_result result = STORE_OK;
	const struct post_id *ids;
	size_t left;

	for (uint64_t b = 0; b < buckets->count && result == STORE_OK; b++)
		result = add_ids(closing,
		    key_in_bucket(closing->arena, buckets, b, kind, list),
		    &found);
	ids = (const struct post_id *)(const void *)found.data;
	left = found.size / sizeof(*ids);
	while (left > 0 && result == STORE_OK) {
		size_t count = left < BATCH ? left : BATCH;

		result = update(closing, ids, count);
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
    const struct closing *closing, struct pipeline *pipeline, struct post_id id)
{
	struct arena *arena = closing->arena;

	call_send_write(pipeline, "disown_1",
	    key_post(arena, &closing->store->buckets, id),
	    field_of(arena, &closing->member),
	    closing->erases_texts ? ERASED : TEXT(""));
}

static enum store_result
disown_all(
    const struct closing *closing, const struct post_id *ids, size_t count)
{
	struct pipeline pipeline =
	    pipeline_begin(closing->store->redis, closing->arena);

	for (size_t i = 0; i < count; i++)
		disown(closing, &pipeline, ids[i]);
	return store_run(&pipeline);
}

/* Renames the member in an action; and in the post that the member removed by it. */
static void
rename_in(const struct closing *closing, struct pipeline *pipeline,
    const struct mod_action *action)
{
	struct arena *arena = closing->arena;
	const struct buckets *buckets = &closing->store->buckets;
	struct text name = field_of(arena, &closing->member);
	bool is_removal =
	    text_equal(action->what, mod_action_words[MOD_REMOVED]) &&
	    action->article != 0;

	if (action->by.id == closing->member.id)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_mod_action(arena, buckets, action->id), TEXT("by"),
		    name);
	if (action->member.id == closing->member.id)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_mod_action(arena, buckets, action->id), TEXT("member"),
		    name);
	if (is_removal && action->by.id == closing->member.id)
		disown(closing, pipeline,
		    (struct post_id){ action->article, action->comment });
}

/* Posts that the member removed by an act on everything of another one's have no entry in the
 * log. */
static enum store_result
rename_in_contained(
    const struct closing *closing, const struct mod_action *action)
{
	if (action->by.id != closing->member.id || action->member.id == 0 ||
	    !text_equal(action->what, mod_action_words[MOD_CONTAINED]))
		return STORE_OK;
	return update_list(closing, KEY_REMOVED,
	    key_list_of_author(closing->arena, action->member.id), disown_all);
}

static enum store_result
rename_in_log(
    const struct closing *closing, const struct post_id *ids, size_t count)
{
	struct arena *arena = closing->arena;
	struct pipeline asked = pipeline_begin(closing->store->redis, arena);
	struct pipeline pipeline = pipeline_begin(closing->store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&asked, &mod_action_schema, SCHEMA_WHOLE,
		    key_mod_action(
			arena, &closing->store->buckets, ids[i].article));
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		struct mod_action action = { .id = ids[i].article };

		if (schema_read(&mod_action_schema, SCHEMA_WHOLE,
			&asked.replies[i], &action)) {
			rename_in(closing, &pipeline, &action);
			if (rename_in_contained(closing, &action) != STORE_OK)
				return STORE_DOWN;
		}
	}
	return store_run(&pipeline);
}

static enum store_result
rename_in_groups(const struct closing *closing)
{
	struct store *store = closing->store;
	struct arena *arena = closing->arena;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct group *groups;
	uint64_t total = 1;
	size_t got;

	for (uint64_t start = 0; start < total; start += BATCH) {
		if (group_list(store, arena, start, BATCH, &groups, &got,
			&total) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < got; i++)
			if (groups[i].by.id == closing->member.id)
				group_send_field(&pipeline, groups[i].name,
				    TEXT("by"),
				    field_of(arena, &closing->member));
	}
	return store_run(&pipeline);
}

/* The list of names that the inviter invited, with the member's new name. */
static struct text
names_with(const struct closing *closing, struct text invited)
{
	struct text name, names = TEXT("");

	while (text_next_word(&invited, &name)) {
		if (text_equal(name, closing->user->name))
			name = closing->member.name;
		names =
		    text_format(closing->arena, "%.*s%s%.*s", TEXT_ARGS(names),
			names.size > 0 ? " " : "", TEXT_ARGS(name));
	}
	return names;
}

static enum store_result
rename_at_inviter(const struct closing *closing, struct pipeline *pipeline)
{
	struct text name = closing->user->invited_by;
	struct user inviter;
	enum store_result result = name.size == 0
	    ? STORE_ABSENT
	    : user_find(closing->store, closing->arena, name, &inviter);

	if (result == STORE_OK && inviter.invited.size > 0)
		pipeline_add_replicated(pipeline, TEXT("HSET"),
		    key_user(closing->arena, inviter.id), TEXT("invited"),
		    names_with(closing, inviter.invited));
	return result == STORE_DOWN ? result : STORE_OK;
}

/* Invited members have their inviter's name, and the inviter has theirs. */
static enum store_result
rename_in_invitations(const struct closing *closing)
{
	struct store *store = closing->store;
	struct arena *arena = closing->arena;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text rest = closing->user->invited, name;
	struct user guest;

	while (text_next_word(&rest, &name)) {
		enum store_result result =
		    user_find(store, arena, name, &guest);

		if (result == STORE_DOWN)
			return result;
		if (result == STORE_OK)
			pipeline_add_replicated(&pipeline, TEXT("HSET"),
			    key_user(arena, guest.id), TEXT("invited_by"),
			    closing->member.name);
	}
	if (rename_at_inviter(closing, &pipeline) != STORE_OK)
		return STORE_DOWN;
	return store_run(&pipeline);
}

/*
 * Claims the name of a closed account, first of all, so that the member is found by it when
 * closing is interrupted. A member loaded from a dump may have such a name: then a number
 * is added.
 */
static enum store_result
claim_name(struct closing *closing)
{
	struct arena *arena = closing->arena;
	struct user renamed = { .id = closing->member.id };

	for (int i = 1; i <= USER_CLOSED_NAMES; i++) {
		struct pipeline pipeline =
		    pipeline_begin(closing->store->redis, arena);

		renamed.name = user_closed_name(arena, renamed.id, i);
		user_send_claim(&pipeline, &renamed);
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		if (user_has_name(&renamed, &pipeline.replies[0])) {
			closing->member.name = renamed.name;
			return STORE_OK;
		}
	}
	return STORE_DOWN;
}

/* Releases the former name, last, so that an interrupted closing finds it when it is run
 * again. If another member has it by now, it stays theirs. */
static enum store_result
rename_member(const struct closing *closing)
{
	struct arena *arena = closing->arena;
	struct text former = closing->user->name;
	struct pipeline pipeline = pipeline_begin(closing->store->redis, arena);
	enum store_result result = STORE_OK;

	if (!text_equal(former, closing->member.name))
		result = call_write(closing->store, arena, "unname_1",
		    key_user_name(arena, former),
		    text_number(arena, (int64_t)closing->member.id));
	pipeline_add_replicated(&pipeline, TEXT("HSET"),
	    key_user(arena, closing->member.id), TEXT("name"),
	    closing->member.name);
	pipeline_add_replicated(&pipeline, TEXT("HDEL"),
	    key_user(arena, closing->member.id), TEXT("invited"),
	    TEXT("invited_by"));
	return result == STORE_OK ? store_run(&pipeline) : result;
}

static enum store_result
rename_everywhere(const struct closing *closing)
{
	struct arena *arena = closing->arena;
	uint64_t id = closing->member.id;
	/* First, since they may still be removing posts. */
	enum store_result result =
	    containment_rename_member(closing->store, arena, &closing->member);

	if (result == STORE_OK)
		result = update_list(closing, KEY_LOG,
		    key_log_of_member(arena, id), rename_in_log);
	if (result == STORE_OK)
		result = update_list(closing, KEY_LOG,
		    key_log_of_moderator(arena, id), rename_in_log);
	if (result == STORE_OK)
		result = update_list(closing, KEY_LOG,
		    key_log_of_parts_by(arena, id), rename_in_log);
	if (result == STORE_OK)
		result = rename_in_groups(closing);
	return result == STORE_OK ? rename_in_invitations(closing) : result;
}

static enum store_result
write_closed(const struct closing *closing)
{
	struct arena *arena = closing->arena;
	struct pipeline pipeline = pipeline_begin(closing->store->redis, arena);
	enum store_result result = call_write(closing->store, arena, "close_1",
	    key_user(arena, closing->member.id));

	pipeline_add_replicated(&pipeline, TEXT("SREM"), KEY_MODERATORS,
	    text_number(arena, (int64_t)closing->member.id));
	pipeline_add_replicated(&pipeline, TEXT("SREM"), KEY_OWNERS,
	    text_number(arena, (int64_t)closing->member.id));
	pipeline_add_replicated(&pipeline, TEXT("HDEL"),
	    key_user(arena, closing->member.id), USER_FEED_KEY);
	return result == STORE_OK ? store_run(&pipeline) : result;
}

/* Deletes all fields of the member's hash but those that the schema keeps. */
static enum store_result
erase_user_texts(const struct closing *closing)
{
	struct text key = key_user(closing->arena, closing->member.id);
	struct pipeline asked =
	    pipeline_begin(closing->store->redis, closing->arena);
	struct pipeline pipeline =
	    pipeline_begin(closing->store->redis, closing->arena);

	pipeline_add(&asked, TEXT("HKEYS"), key);
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < asked.replies[0].count; i++) {
		struct text name = reply_text(reply_item(&asked.replies[0], i));

		if (!schema_keeps(&user_schema, name))
			pipeline_add_replicated(
			    &pipeline, TEXT("HDEL"), key, name);
	}
	return store_run(&pipeline);
}

static enum store_result
disown_listed(const struct closing *closing, struct text list)
{
	enum store_result result =
	    update_list(closing, KEY_TIME, list, disown_all);

	return result == STORE_OK
	    ? update_list(closing, KEY_COMMENTS, list, disown_all)
	    : result;
}

/* Removed posts first: those that are withdrawn here join that list. */
static enum store_result
disown_everything(const struct closing *closing, struct text list)
{
	enum store_result result =
	    update_list(closing, KEY_REMOVED, list, disown_all);

	return result == STORE_OK ? disown_listed(closing, list) : result;
}

/* The long part comes before the account is closed, so that a member can repeat a closing
 * that was interrupted. */
STORE_CALL
close_account(struct store *store, struct arena *arena, const struct user *user,
    unsigned erased)
{
	struct closing closing = { .store = store,
		.arena = arena,
		.user = user,
		.member = { user->id, user->name },
		.erases_texts = (erased & CLOSE_ACCOUNT_ERASE_TEXTS) != 0 };
	bool renames = (erased & CLOSE_ACCOUNT_ERASE_NAME) != 0;
	bool disowns = renames || closing.erases_texts;
	struct text list = key_list_of_author(arena, user->id);
	struct user there;
	enum store_result result = user_get(store, arena, user->id, &there);

	if (result == STORE_OK && renames)
		result = claim_name(&closing);
	if (result == STORE_OK && disowns)
		result = disown_everything(&closing, list);
	if (result == STORE_OK && renames)
		result = rename_everywhere(&closing);
	if (result == STORE_OK)
		result = group_forget_moderator(store, arena, user->id);
	if (result == STORE_OK)
		result = network_forget(store, arena, user->id);
	if (result == STORE_OK)
		result = write_closed(&closing);
	if (result == STORE_OK && closing.erases_texts)
		result = erase_user_texts(&closing);
	/* Again, for posts that were written, held or removed meanwhile. */
	if (result == STORE_OK && disowns)
		result = disown_listed(&closing, list);
	if (result == STORE_OK && disowns)
		result = update_list(&closing, KEY_REMOVED, list, disown_all);
	return result == STORE_OK && renames ? rename_member(&closing) : result;
}

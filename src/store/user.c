#include "store/user.h"

#include "base/crypto.h"
#include "redis/reply.h"
#include "store/keys.h"

static const struct text role_words[] = {
	[ROLE_MEMBER] = TEXT_INIT("member"),
	[ROLE_MODERATOR] = TEXT_INIT("moderator"),
};

bool
role_parse(struct text word, enum role *role)
{
	for (enum role i = ROLE_MEMBER; i <= ROLE_MODERATOR; i++) {
		if (text_equal(word, role_words[i])) {
			*role = i;
			return true;
		}
	}
	return false;
}

struct text
role_word(enum role role)
{
	return role_words[role];
}

static void
ask(struct pipeline *pipeline, uint64_t id)
{
	pipeline_add(pipeline, TEXT("HMGET"), key_user(pipeline->arena, id),
	    TEXT("name"), TEXT("password"), TEXT("role"), TEXT("created"));
}

static enum store_result
read_user(const struct reply *reply, uint64_t id, struct user *user)
{
	*user = (struct user){ .id = id,
		.name = reply_text(reply_item(reply, 0)),
		.password_hash = reply_text(reply_item(reply, 1)),
		.created = reply_number(reply_item(reply, 3)) };
	role_parse(reply_text(reply_item(reply, 2)), &user->role);
	return user->name.size > 0 ? STORE_OK : STORE_ABSENT;
}

STORE_CALL
user_get(
    struct store *store, struct arena *arena, uint64_t id, struct user *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	ask(&pipeline, id);
	return redis_run(&pipeline) ? read_user(&pipeline.replies[0], id, user)
				    : STORE_DOWN;
}

STORE_CALL
user_find(struct store *store, struct arena *arena, struct text name,
    struct user *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t id;

	pipeline_add(&pipeline, TEXT("GET"), key_user_name(arena, name));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (!text_to_u64(reply_text(&pipeline.replies[0]), &id))
		return STORE_ABSENT;
	return user_get(store, arena, id, user);
}

/*
 * The member is written first and the name claimed second, so a name never
 * leads to nobody; an id that lost its name to another is taken back.
 */
STORE_CALL
user_create(struct store *store, struct arena *arena, struct user *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key;
	size_t claim;

	pipeline_add(&pipeline, TEXT("INCR"), key_users());
	pipeline_add(&pipeline, TEXT("TIME"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	user->id = (uint64_t)reply_number(&pipeline.replies[0]);
	if (user->created == 0)
		user->created = reply_seconds(&pipeline.replies[1]);
	key = key_user(arena, user->id);

	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("HSET"), key, TEXT("name"), user->name,
	    TEXT("password"), user->password_hash, TEXT("role"),
	    role_word(user->role), TEXT("created"),
	    text_number(arena, user->created));
	claim = pipeline_add(&pipeline, TEXT("SETNX"),
	    key_user_name(arena, user->name),
	    text_number(arena, (int64_t)user->id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (reply_number(&pipeline.replies[claim]) == 1)
		return STORE_OK;

	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("DEL"), key);
	return redis_run(&pipeline) ? STORE_TAKEN : STORE_DOWN;
}

STORE_CALL
user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("HSET"), key_user(arena, id), TEXT("role"),
	    role_word(role));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
user_set_password(struct store *store, struct arena *arena, uint64_t id,
    struct text old_hash, struct text new_hash)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum store_result result;

	pipeline_add(&pipeline, TEXT("FCALL"), TEXT("password_1"), TEXT("1"),
	    key_user(arena, id), old_hash, new_hash);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	result = reply_result(&pipeline.replies[0]);
	if (result != STORE_OK)
		return result;
	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("DEL"), key_sessions(arena, id));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
user_karma(
    struct store *store, struct arena *arena, uint64_t id, int64_t *karma)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text user = text_number(arena, (int64_t)id);

	for (uint64_t b = 0; b < store->rules.buckets; b++)
		pipeline_add(
		    &pipeline, TEXT("HGET"), key_karma(arena, b), user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*karma = 0;
	for (size_t i = 0; i < pipeline.count; i++)
		*karma += reply_number(&pipeline.replies[i]);
	return STORE_OK;
}

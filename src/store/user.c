#include "store/user.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/versions.h"

enum {
	OWNER_CLAIM_SECONDS = 60 /* for giving the member the role */
};

/* In the order of a dump's line. A session's look-up reads the whole hash (schema_ask), which takes
 * Redis a third of the instructions that a search for each name took. */
static const struct field fields[] = {
	FIELD_KEPT("name", struct user, name, TEXT, REQUIRED, WHOLE),
	FIELD("created", struct user, created, MOMENT, REQUIRED, WHOLE),
	FIELD("role", struct user, role, ROLE, REQUIRED, WHOLE),
	FIELD_KEPT(
	    "password", struct user, password_hash, TEXT, REQUIRED, WHOLE),
	FIELD("trusted", struct user, trusted, MOMENT, OPTIONAL, WHOLE),
	FIELD("newcomer", struct user, newcomer, MOMENT, OPTIONAL, WHOLE),
	FIELD("kept", struct user, kept, MOMENT, OPTIONAL, WHOLE),
	FIELD("backing", struct user, backing, COUNT, OPTIONAL, WHOLE),
	FIELD("suspended", struct user, suspended, MOMENT, OPTIONAL, WHOLE),
	FIELD_KEPT(
	    "suspension", struct user, suspension, TEXT, OPTIONAL, WHOLE),
	FIELD("closed", struct user, closed, MOMENT, OPTIONAL, WHOLE),
	FIELD_KEPT(
	    "invited_by", struct user, invited_by, TEXT, OPTIONAL, WHOLE),
	FIELD_KEPT("invited", struct user, invited, WORDS, OPTIONAL, WHOLE),
	FIELD("told", struct user, notified, COUNT, OPTIONAL, WHOLE),
	FIELD("read", struct user, read, COUNT, OPTIONAL, WHOLE),
	FIELD("read_ahead", struct user, read_ahead, COUNT, OPTIONAL, WHOLE),
	FIELD("feed_key", struct user, feed_key, TEXT, OPTIONAL, WHOLE),
	FIELD("dismissed", struct user, dismissed, MOMENT, OPTIONAL, WHOLE),
	FIELD("gravity", struct user, gravity, TEXT, OPTIONAL, WHOLE),
	FIELD("language", struct user, language, TEXT, OPTIONAL, WHOLE),
	FIELD("about", struct user, about, TEXT, OPTIONAL, WHOLE),
	FIELD("scoreless", struct user, scoreless, COUNT, OPTIONAL, WHOLE),
	FIELD("home", struct user, home, COUNT, OPTIONAL, WHOLE),
	FIELD("moderates", struct user, moderates, MOMENT, OPTIONAL, WHOLE),
	/* A dump restores the second factor, as it does the password. */
	FIELD("factor", struct user, factor, TEXT, OPTIONAL, WHOLE),
	FIELD("factor_on", struct user, factor_on, MOMENT, OPTIONAL, WHOLE),
	/* Versions of cached data, which mean nothing on another site. */
	FIELD("votes", struct user, votes, COUNT, NOT_DUMPED, WHOLE),
	FIELD("visits", struct user, visits, COUNT, NOT_DUMPED, WHOLE),
	FIELD("hidden", struct user, hidden, COUNT, NOT_DUMPED, WHOLE),
	FIELD("follows", struct user, follows, COUNT, NOT_DUMPED, WHOLE),
	FIELD("saves", struct user, saves, COUNT, NOT_DUMPED, WHOLE),
	/* About codes and links of this site, which no other accepts. */
	FIELD(
	    "factor_used", struct user, factor_used, COUNT, NOT_DUMPED, WHOLE),
	FIELD("recovery_made", struct user, recovery_made, MOMENT, NOT_DUMPED,
	    WHOLE),
	FIELD("recovered", struct user, recovered, MOMENT, NOT_DUMPED, WHOLE),
	/* About cookies of this site, which no other accepts. */
	FIELD("distrusted", struct user, distrusted, MOMENT, NOT_DUMPED, WHOLE),
};
const struct schema user_schema = SCHEMA(struct user, fields);

int64_t
user_unread(const struct user *user)
{
	int64_t unread = user->notified - user->read - user->read_ahead;

	return unread > 0 ? unread : 0;
}

STORE_CALL
user_get(
    struct store *store, struct arena *arena, uint64_t id, struct user *user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE, key_user(arena, id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*user = (struct user){ .id = id };
	schema_read(&user_schema, SCHEMA_WHOLE, &pipeline.replies[0], user);
	return user->name.size > 0 ? STORE_OK : STORE_ABSENT;
}

STORE_CALL
user_find(struct store *store, struct arena *arena, struct text name,
    struct user *user)
{
	const struct reply *found =
	    store_read(store, arena, TEXT("GET"), key_user_name(arena, name));
	uint64_t id;

	if (found == NULL)
		return STORE_DOWN;
	if (!text_to_u64(reply_text(found), &id))
		return STORE_ABSENT;
	return user_get(store, arena, id, user);
}

STORE_CALL
user_find_ids(struct store *store, struct arena *arena,
    const struct text *names, size_t count, uint64_t *ids)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		pipeline_add(
		    &pipeline, TEXT("GET"), key_user_name(arena, names[i]));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		ids[i] = reply_id(&pipeline.replies[i]);
	return STORE_OK;
}

void
user_send_moderates(struct pipeline *pipeline, uint64_t id, int64_t at)
{
	pipeline_add_replicated(pipeline, TEXT("HSET"),
	    key_user(pipeline->arena, id), USER_MODERATES,
	    text_number(pipeline->arena, at));
}

void
user_send_role(struct pipeline *pipeline, uint64_t id, enum role role)
{
	pipeline_add_replicated(pipeline,
	    role >= ROLE_MODERATOR ? TEXT("SADD") : TEXT("SREM"),
	    KEY_MODERATORS, text_number(pipeline->arena, (int64_t)id));
	pipeline_add_replicated(pipeline,
	    role == ROLE_OWNER ? TEXT("SADD") : TEXT("SREM"), KEY_OWNERS,
	    text_number(pipeline->arena, (int64_t)id));
}

void
user_send(struct pipeline *pipeline, const struct user *user)
{
	struct arena *arena = pipeline->arena;
	struct text words[2 + 2 * SCHEMA_MAX] = { TEXT("HSET"),
		key_user(arena, user->id) };

	pipeline_add_words(pipeline, REPLICATED, PIPELINE_KEY, words,
	    2 + schema_words(arena, &user_schema, user, words + 2));
}

void
user_send_claim(struct pipeline *pipeline, const struct user *user)
{
	struct arena *arena = pipeline->arena;

	pipeline_add_replicated(pipeline, TEXT("SET"),
	    key_user_name(arena, user->name),
	    text_number(arena, (int64_t)user->id), TEXT("NX"), TEXT("GET"));
}

/* The claim may have been sent twice. */
bool
user_has_name(const struct user *user, const struct reply *claim)
{
	return claim->kind == REPLY_NIL || reply_id(claim) == user->id;
}

/* Allocates an unused id: a counter that is behind skips those in use. */
static enum store_result
next_id(struct store *store, struct arena *arena, uint64_t *id, int64_t *now)
{
	bool is_taken = true;

	while (is_taken) {
		struct pipeline pipeline = pipeline_begin(store->redis, arena);
		const struct reply *exists;

		pipeline_add_replicated(&pipeline, TEXT("INCR"), KEY_USERS);
		pipeline_add_time(&pipeline, KEY_USERS);
		if (!redis_run(&pipeline))
			return STORE_DOWN;
		*id = (uint64_t)reply_number(&pipeline.replies[0]);
		*now = reply_seconds(&pipeline.replies[1]);
		exists = store_read(
		    store, arena, TEXT("EXISTS"), key_user(arena, *id));
		if (exists == NULL)
			return STORE_DOWN;
		is_taken = reply_number(exists) == 1;
	}
	return STORE_OK;
}

/* When another member has claimed the name, the new member is deleted. */
STORE_CALL
user_create(struct store *store, struct arena *arena, struct user *user)
{
	struct pipeline pipeline;
	int64_t now;

	if (next_id(store, arena, &user->id, &now) != STORE_OK)
		return STORE_DOWN;
	if (user->created == 0)
		user->created = now;
	if (user->invited_by.size > 0)
		user->trusted = user->created;
	if (user->newcomer != 0)
		user->newcomer = user->created;

	pipeline = pipeline_begin(store->redis, arena);
	user_send(&pipeline, user);
	if (user->role != ROLE_MEMBER)
		user_send_role(&pipeline, user->id, user->role);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	pipeline = pipeline_begin(store->redis, arena);
	user_send_claim(&pipeline, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (user_has_name(user, &pipeline.replies[0]))
		return STORE_OK;
	return store_write(store, arena, TEXT("DEL"),
		   key_user(arena, user->id)) == STORE_OK
	    ? STORE_TAKEN
	    : STORE_DOWN;
}

struct text
user_closed_name(struct arena *arena, uint64_t id, int number)
{
	unsigned long long digits = id;

	return number == 1
	    ? text_format(arena, RULE_CLOSED_NAME "%llu", digits)
	    : text_format(arena, RULE_CLOSED_NAME "%llu-%d", digits, number);
}

STORE_CALL
user_get_all(struct store *store, struct arena *arena, const uint64_t *ids,
    size_t count, struct user **users, size_t *got)
{
	return user_get_reachable(store, arena, ids, count, users, got, NULL);
}

STORE_CALL
user_get_reachable(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct user **users, size_t *got,
    bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	for (size_t i = 0; i < count; i++)
		schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE,
		    key_user(arena, ids[i]));
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	*users = arena_new(arena, struct user, count);
	*got = 0;
	for (size_t i = 0; i < count; i++) {
		struct user *user = &(*users)[*got];

		user->id = ids[i];
		*got += schema_read(
		    &user_schema, SCHEMA_WHOLE, &pipeline.replies[i], user);
	}
	return STORE_OK;
}

STORE_CALL
user_newest(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct user **users, size_t *got, bool *more,
    bool *is_partial)
{
	const struct reply *newest =
	    store_read(store, arena, TEXT("GET"), KEY_USERS);
	uint64_t *ids = arena_new(arena, uint64_t, count), last;
	size_t wanted = 0;

	if (newest == NULL)
		return STORE_DOWN;
	last = (uint64_t)reply_number(newest);
	last = last > start ? last - start : 0;
	*more = last > count;
	for (; wanted < count && last > 0; last--)
		ids[wanted++] = last;
	return user_get_reachable(
	    store, arena, ids, wanted, users, got, is_partial);
}

bool
user_is_suspended_forever(const struct user *user)
{
	return user->suspended == USER_SUSPENDED_FOREVER;
}

STORE_CALL
user_moderators(
    struct store *store, struct arena *arena, uint64_t **ids, size_t *count)
{
	const struct reply *members =
	    store_read(store, arena, TEXT("SMEMBERS"), KEY_MODERATORS);

	if (members == NULL)
		return STORE_DOWN;
	*ids = arena_new(arena, uint64_t, members->count);
	*count = 0;
	for (size_t i = 0; i < members->count; i++) {
		uint64_t id = reply_id(reply_item(members, i));

		if (id != 0)
			(*ids)[(*count)++] = id;
	}
	return STORE_OK;
}

/* Adds the moderators among some members to the index. */
static enum store_result
index_members(
    struct store *store, struct arena *arena, uint64_t first, uint64_t count)
{
	struct pipeline asked = pipeline_begin(store->redis, arena);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	enum role role;

	for (uint64_t i = 0; i < count; i++)
		pipeline_add(&asked, TEXT("HGET"), key_user(arena, first + i),
		    TEXT("role"));
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (uint64_t i = 0; i < count; i++)
		if (role_parse(reply_text(&asked.replies[i]), &role) &&
		    role >= ROLE_MODERATOR)
			user_send_role(&pipeline, first + i, role);
	return store_run(&pipeline);
}

/* Marks the index as complete with id 0: without moderators there would be no set. */
static enum store_result
mark_indexed(struct store *store, struct arena *arena)
{
	return store_write(
	    store, arena, TEXT("SADD"), KEY_MODERATORS, TEXT("0"));
}

STORE_CALL
user_index_moderators(struct store *store)
{
	enum { BATCH = 1000 };
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);
	enum store_result result = STORE_OK;
	bool is_listed;
	uint64_t last;

	pipeline_add(&pipeline, TEXT("EXISTS"), KEY_MODERATORS);
	pipeline_add(&pipeline, TEXT("GET"), KEY_USERS);
	if (!redis_run(&pipeline)) {
		arena_free(&arena);
		return STORE_DOWN;
	}
	is_listed = reply_number(&pipeline.replies[0]) == 1;
	last = (uint64_t)reply_number(&pipeline.replies[1]);
	for (uint64_t first = 1;
	    !is_listed && first <= last && result == STORE_OK; first += BATCH) {
		arena_reset(&arena);
		result = index_members(store, &arena, first,
		    last - first < BATCH ? last - first + 1 : BATCH);
	}
	if (result == STORE_OK && !is_listed)
		result = mark_indexed(store, &arena);
	arena_free(&arena);
	return result;
}

STORE_CALL
user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add_replicated(&pipeline, TEXT("HSET"), key_user(arena, id),
	    TEXT("role"), role_words[role]);
	user_send_role(&pipeline, id, role);
	return store_run(&pipeline);
}

STORE_CALL
user_owners(
    struct store *store, struct arena *arena, uint64_t **ids, size_t *count)
{
	struct user *users;
	size_t got;

	if (user_moderators(store, arena, ids, &got) != STORE_OK ||
	    user_get_all(store, arena, *ids, got, &users, &got) != STORE_OK)
		return STORE_DOWN;
	*count = 0;
	for (size_t i = 0; i < got; i++)
		if (users[i].role == ROLE_OWNER)
			(*ids)[(*count)++] = users[i].id;
	return STORE_OK;
}

/* Adds the owners, and runs the call. */
static enum store_result
run_with_owners(struct call *call, struct store *store)
{
	uint64_t *ids;
	size_t count;

	if (user_owners(store, call->arena, &ids, &count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		call_add_number(call, (int64_t)ids[i]);
	return call_run(call, store, NULL);
}

STORE_CALL
user_step_down(struct store *store, struct arena *arena, uint64_t id)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "step_down_1", KEY_OWNERS);

	call_add_number(&call, (int64_t)id);
	return run_with_owners(&call, store);
}

STORE_CALL
user_claim_owner(
    struct store *store, struct arena *arena, uint64_t id, struct text digest)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "claim_owner_1", KEY_OWNERS);

	call_add(&call, text_number(arena, (int64_t)id), digest,
	    text_number(arena, OWNER_CLAIM_SECONDS));
	return run_with_owners(&call, store);
}

STORE_CALL
user_end_owner_claim(struct store *store, struct arena *arena)
{
	return store_write(store, arena, TEXT("DEL"), KEY_OWNER_CLAIM);
}

STORE_CALL
user_set_password(struct store *store, struct arena *arena, uint64_t id,
    struct text old_hash, struct text new_hash)
{
	return call_write(store, arena, "password_2", key_user(arena, id),
	    old_hash, new_hash);
}

/* A field that is 1, or not there. */
static enum store_result
set_switch(struct store *store, struct arena *arena, uint64_t id,
    struct text field, bool is_on)
{
	struct text key = key_user(arena, id);

	return is_on
	    ? store_write(store, arena, TEXT("HSET"), key, field, TEXT("1"))
	    : store_write(store, arena, TEXT("HDEL"), key, field);
}

STORE_CALL
user_set_home(
    struct store *store, struct arena *arena, uint64_t id, bool is_home)
{
	return set_switch(store, arena, id, USER_HOME, is_home);
}

STORE_CALL
user_set_scoreless(
    struct store *store, struct arena *arena, uint64_t id, bool is_scoreless)
{
	return set_switch(store, arena, id, USER_SCORELESS, is_scoreless);
}

STORE_CALL
user_dismiss_announcement(
    struct store *store, struct arena *arena, uint64_t id, int64_t announced)
{
	return store_write(store, arena, TEXT("HSET"), key_user(arena, id),
	    TEXT("dismissed"), text_number(arena, announced));
}

/* The usual one needs no field. */
STORE_CALL
user_set_gravity(
    struct store *store, struct arena *arena, uint64_t id, struct text gravity)
{
	struct text key = key_user(arena, id);

	if (rule_gravity_of(gravity) == RULE_GRAVITY_USUAL)
		return store_write(
		    store, arena, TEXT("HDEL"), key, USER_GRAVITY);
	return store_write(
	    store, arena, TEXT("HSET"), key, USER_GRAVITY, gravity);
}

STORE_CALL
user_set_language(
    struct store *store, struct arena *arena, uint64_t id, struct text language)
{
	struct text key = key_user(arena, id);

	if (language.size == 0)
		return store_write(
		    store, arena, TEXT("HDEL"), key, USER_LANGUAGE);
	return store_write(
	    store, arena, TEXT("HSET"), key, USER_LANGUAGE, language);
}

STORE_CALL
user_set_about(
    struct store *store, struct arena *arena, uint64_t id, struct text about)
{
	return call_write(store, arena, "about_1", key_user(arena, id), about);
}

STORE_CALL
user_distrust_browsers(struct store *store, struct arena *arena, uint64_t id)
{
	struct text key = key_user(arena, id);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t now;

	pipeline_add_time(&pipeline, key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	now = reply_seconds(&pipeline.replies[0]);
	return store_write(store, arena, TEXT("HSET"), key, TEXT("distrusted"),
	    text_number(arena, now));
}

STORE_CALL
user_karma(struct store *store, struct arena *arena, uint64_t id,
    int64_t *karma, bool *is_known)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text user = text_number(arena, (int64_t)id);
	bool is_partial = false;

	for (uint64_t b = 0; b < store->buckets.count; b++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_karma(arena, &store->buckets, b), user);
	if (store_run_partial(store, &pipeline, &is_partial) != STORE_OK)
		return STORE_DOWN;
	*is_known = !is_partial;
	*karma = 0;
	for (size_t i = 0; i < pipeline.count; i++)
		*karma += reply_number(&pipeline.replies[i]);
	return STORE_OK;
}

#include "archive/members.h"

#include <inttypes.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/karma.h"
#include "archive/noun.h"
#include "archive/recovery.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/crypto.h"
#include "base/totp.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/keys.h"
#include "store/newcomer.h"
#include "store/refresh.h"
#include "store/user.h"

enum { USERS_BATCH = 200 };

static struct text
members_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "member \"%.*s\"", TEXT_ARGS(record->user.name));
}

static struct text
members_archive_key(struct arena *arena, const struct record *record)
{
	return record->user.name.size == 0
	    ? TEXT("")
	    : references_member_key(arena, record->user.name);
}

static void
members_archive_references(struct references *references, struct record *record)
{
	struct text invited = record->user.invited, name;

	references_member_name(references, record->user.invited_by);
	while (text_next_word(&invited, &name))
		references_member_name(references, name);
}

/* Dump. */

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

/* Replaces names that do not lead to their members. */
static enum store_result
correct_names(struct store *store, struct arena *arena, struct record *records,
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
members_archive_read(struct store *store, struct arena *arena, uint64_t first,
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
	return correct_names(store, arena, records, count);
}

/* The name in a member's line; empty while there is no line. */
static struct text *
name_written(const struct writer *writer, uint64_t user)
{
	return &((struct text *)(void *)writer->users.data)[user - 1];
}

/* Writes a member, if there is one; all up to last_user have a place. */
static enum store_result
write_member(struct writer *writer, struct record *record)
{
	struct text name = record->user.name;
	enum store_result result = name.size > 0 ? STORE_OK : STORE_ABSENT;

	/* Of others nobody will ask. */
	if (!newcomer_is(&record->user))
		record->user.backing = 0;
	else if (result == STORE_OK)
		result = newcomer_backing(
		    writer->store, &writer->portion, &record->user, 1);
	if (result == STORE_OK)
		result = writer_record(writer, record);
	if (result == STORE_OK)
		*name_written(writer, record->user.id) =
		    text_copy(&writer->memory, name);
	return result;
}

/* Writes count members after last_user. */
static enum store_result
write_members(struct writer *writer, size_t count)
{
	static const struct text none = { NULL, 0 };
	struct record records[USERS_BATCH];
	struct arena step = { 0 };
	enum store_result result = members_archive_read(
	    writer->store, &step, writer->last_user + 1, count, records);

	for (size_t i = 0; i < count; i++)
		buffer_add(&writer->users,
		    (struct text){ (const char *)&none, sizeof(none) });
	writer->last_user += count;
	for (size_t i = 0; i < count && result == STORE_OK; i++)
		result = writer_go_on(write_member(writer, &records[i]));
	arena_free(&step);
	return result;
}

/* Writes all members who are not written yet. */
static enum store_result
members_archive_write(struct writer *writer)
{
	struct pipeline pipeline =
	    pipeline_begin(writer->store->redis, &writer->portion);
	enum store_result result = STORE_OK;
	uint64_t last;

	pipeline_add(&pipeline, TEXT("GET"), KEY_USERS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	last = (uint64_t)reply_number(&pipeline.replies[0]);
	while (result == STORE_OK && writer->last_user < last) {
		uint64_t left = last - writer->last_user;

		result = write_members(
		    writer, left < USERS_BATCH ? left : USERS_BATCH);
	}
	return result;
}

STORE_CALL
members_archive_need(struct writer *writer, struct member *member)
{
	uint64_t id = member->id;
	struct record record;
	enum store_result result = STORE_OK;

	if (id > writer->last_user && members_archive_write(writer) != STORE_OK)
		return STORE_DOWN;
	if (id == 0 || id > writer->last_user)
		return STORE_ABSENT;
	/* The id may have been given out before the name was claimed. */
	if (name_written(writer, id)->size == 0) {
		result = members_archive_read(
		    writer->store, &writer->portion, id, 1, &record);
		if (result == STORE_OK)
			result = write_member(writer, &record);
	}
	member->name = *name_written(writer, id);
	return result;
}

static enum store_result
need_reference(void *data, const struct reference *reference)
{
	struct member *member = reference->member;
	bool is_nobody =
	    member == NULL || (reference->may_be_nobody && member->id == 0);

	return is_nobody ? STORE_OK : members_archive_need(data, member);
}

STORE_CALL
members_archive_write_naming(struct writer *writer, struct record *record)
{
	enum store_result result =
	    references_visit(record, need_reference, writer);

	if (result == STORE_ABSENT)
		return writer_leave_out(
		    writer, record, "names a member who does not exist");
	return result == STORE_OK ? writer_record(writer, record) : result;
}

STORE_CALL
members_archive_write_of(struct writer *writer, members_archive_writer *write)
{
	enum store_result result = STORE_OK;

	for (uint64_t first = 1;
	    first <= writer->last_user && result == STORE_OK;
	    first += MEMBERS_ARCHIVE_BATCH) {
		uint64_t left = writer->last_user - first + 1;

		result = write(writer, first,
		    left < MEMBERS_ARCHIVE_BATCH ? left
						 : MEMBERS_ARCHIVE_BATCH);
	}
	return result;
}

/* Load. */

static void
members_archive_validate(struct validation *validation, struct record *record)
{
	const struct user *user = &record->user;

	if (user->password_hash.size > 0 &&
	    !crypto_password_hash_valid(user->password_hash))
		validate_problem(validation,
		    TEXT("\"password\" is neither empty nor a hash of "
			 "argon2id with m up to 65536, t and p up to 4"));
	validate_name(validation, "name", user->name, rule_user_name);
	validate_value(validation, "suspension", user->suspension, rule_reason);
	if (user->invited_by.size > 0)
		validate_name(
		    validation, "invited_by", user->invited_by, rule_user_name);
	validate_names(validation, "invited", user->invited, rule_user_name);
	if (user->read > user->notified)
		validate_problem(
		    validation, TEXT("\"read\" is above \"told\""));
	else if (user->read_ahead > user->notified - user->read)
		validate_problem(validation,
		    TEXT("\"read\" and \"read_ahead\" are above \"told\""));
	validate_max(validation, "home", user->home, 1);
	if (user->feed_key.size > 0 && !crypto_is_digest_hex(user->feed_key))
		validate_problem(validation, TEXT("\"feed_key\" is no digest"));
	if (user->factor.size > 0 && !totp_is_secret(user->factor))
		validate_problem(validation,
		    TEXT("\"factor\" is no secret of 32 characters in base32"));
	if ((user->factor.size > 0) != (user->factor_on != 0))
		validate_problem(validation,
		    TEXT("\"factor\" and \"factor_on\" are not both set"));
	validate_value(validation, "about", user->about, rule_user_about);
	validate_value(validation, "language", user->language, rule_language);
	if (user->gravity.size > 0)
		validate_value(
		    validation, "gravity", user->gravity, rule_gravity);
}

/* Two lines of a batch may have one name. */
static void
refuse_namesakes(struct batch *batch)
{
	for (size_t i = 1; i < batch->count; i++) {
		const struct user *user = &batch->lines[i]->record.user;
		struct text name = text_lower(batch->arena, user->name);

		for (size_t j = 0; j < i; j++) {
			const struct user *other =
			    &batch->lines[j]->record.user;

			if (batch->lines[j]->refusal.size == 0 &&
			    other->created != user->created &&
			    text_equal(
				text_lower(batch->arena, other->name), name))
				batch_refuse_other(batch, batch->lines[i]);
		}
	}
}

/* Members of the same name and moment are the same. */
static enum store_result
members_archive_resolve(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct member found[BATCH_MAX], *members[BATCH_MAX];

	for (size_t i = 0; i < batch->count; i++) {
		found[i] =
		    (struct member){ .name =
					 batch->lines[i]->record.user.name };
		members[i] = &found[i];
	}
	if (name_cache_find_ids(
		batch->names, batch->arena, members, batch->count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_user(batch->arena, found[i].id), TEXT("created"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < batch->count; i++)
		if (found[i].id != 0)
			batch_compare(batch, batch->lines[i],
			    reply_number(&pipeline.replies[i]) ==
				batch->lines[i]->record.user.created);
	refuse_namesakes(batch);
	return STORE_OK;
}

static bool
is_of_batch(const struct batch *batch, uint64_t user)
{
	for (size_t i = 0; i < batch->count; i++)
		if (batch->lines[i]->record.user.id == user)
			return true;
	return false;
}

/* The name may be twice in the batch, or have been registered meanwhile. */
static enum store_result
drop_unclaimed(struct batch *batch, const struct reply *claim)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];

		if (line->outcome != BATCH_LOADED)
			continue;
		if (!user_has_name(&line->record.user, claim)) {
			line->outcome = BATCH_EXISTED;
			pipeline_add_replicated(&pipeline, TEXT("DEL"),
			    key_user(batch->arena, line->record.user.id));
			user_send_role(
			    &pipeline, line->record.user.id, ROLE_MEMBER);
			if (!is_of_batch(batch, reply_id(claim)))
				batch_refuse_other(batch, line);
		}
		claim++;
	}
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static enum store_result
claim_names(struct batch *batch)
{
	struct pipeline pipeline =
	    pipeline_begin(batch->store->redis, batch->arena);

	for (size_t i = 0; i < batch->count; i++)
		if (batch->lines[i]->outcome == BATCH_LOADED)
			user_send_claim(
			    &pipeline, &batch->lines[i]->record.user);
	return redis_run(&pipeline) ? drop_unclaimed(batch, pipeline.replies)
				    : STORE_DOWN;
}

/* The ids are given out in the order of the lines. */
static enum store_result
members_archive_load(struct batch *batch)
{
	struct redis *redis = batch->store->redis;
	struct pipeline pipeline = pipeline_begin(redis, batch->arena);
	uint64_t fresh = 0, id;

	for (size_t i = 0; i < batch->count; i++)
		fresh += batch->lines[i]->outcome == BATCH_LOADED;
	if (fresh == 0)
		return STORE_OK;
	pipeline_add_replicated(&pipeline, TEXT("INCRBY"), KEY_USERS,
	    text_number(batch->arena, (int64_t)fresh));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	id = (uint64_t)reply_number(&pipeline.replies[0]) - fresh;
	pipeline = pipeline_begin(redis, batch->arena);
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->lines[i]->outcome != BATCH_LOADED)
			continue;
		batch->lines[i]->record.user.id = ++id;
		user_send(&pipeline, &batch->lines[i]->record.user);
		refresh_send_member(&pipeline, &batch->lines[i]->record.user);
	}
	return redis_run(&pipeline) ? claim_names(batch) : STORE_DOWN;
}

/* Check. */

/* An account that is being closed has its next name first. */
static bool
is_closed_name(struct arena *arena, struct text name, uint64_t id)
{
	for (int i = 1; i <= USER_CLOSED_NAMES; i++)
		if (text_equal(name, user_closed_name(arena, id, i)))
			return true;
	return false;
}

/* A name leads to the member who has it. */
static enum store_result
examine_names(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct arena *step = &check->step;
	struct pipeline ids = pipeline_begin(check->store->redis, step);
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&ids, TEXT("GET"), keys[i]);
	if (!check_run(check, &ids))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_user(step, reply_id(&ids.replies[i])), TEXT("name"));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = reply_id(&ids.replies[i]);
		struct text name = reply_text(&pipeline.replies[i]);
		struct text wanted = check_name_in_key(keys[i]);

		if (ids.replies[i].kind != REPLY_NIL &&
		    !text_equal(text_lower(step, name), wanted) &&
		    (name.size == 0 || !is_closed_name(step, wanted, id)))
			problems[i] = text_format(step,
			    "name \"%.*s\": it leads to member %" PRIu64
			    ", who is called \"%.*s\"",
			    TEXT_ARGS(wanted), id, TEXT_ARGS(name));
	}
	return STORE_OK;
}

static bool
has_done_anything(const struct check *check, const struct user *user)
{
	for (size_t i = 0; i < check->share_count; i++)
		if (check->shares[i].author == user->id)
			return true;
	return user->votes > 0 || user->visits > 0 || user->notified > 0;
}

/* The name of a member leads to the member. */
static enum store_result
examine_name_of(
    struct check *check, const struct user *user, struct text *problem)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	const struct reply *ids;

	pipeline_add(&pipeline, TEXT("GET"), key_user_name(step, user->name));
	for (int i = 1; i <= USER_CLOSED_NAMES; i++)
		pipeline_add(&pipeline, TEXT("GET"),
		    key_user_name(step, user_closed_name(step, user->id, i)));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	ids = pipeline.replies;
	for (int i = 0; i <= USER_CLOSED_NAMES; i++)
		if (reply_id(&ids[i]) == user->id)
			return STORE_OK;
	*problem = text_format(step,
	    "member %" PRIu64 ": its name \"%.*s\" leads to %s", user->id,
	    TEXT_ARGS(user->name),
	    reply_id(&ids[0]) == 0 ? "nobody" : "another member");
	return STORE_OK;
}

/* The difference between a member's role and the sets of moderators and owners; empty
 * when they agree. The set of owners has all of them once it has 0 (store/keys.h). */
static struct text
role_problem(struct arena *arena, const struct user *user, bool is_moderator,
    const struct reply *owners)
{
	bool has_all = reply_number(reply_item(owners, 0)) == 1;
	bool is_owner = reply_number(reply_item(owners, 1)) == 1;
	const char *set = NULL;
	bool is_listed = is_moderator;

	if ((user->role >= ROLE_MODERATOR) != is_moderator) {
		set = "moderators";
	} else if (user->role == ROLE_OWNER ? has_all && !is_owner : is_owner) {
		set = "owners";
		is_listed = is_owner;
	}
	return set == NULL
	    ? TEXT("")
	    : text_format(arena,
		  "member %" PRIu64 ": the role is %.*s, and it is "
		  "%s among the %s",
		  user->id, TEXT_ARGS(role_words[user->role]),
		  is_listed ? "listed" : "not listed", set);
}

/* replies: the hash, and membership in the sets of moderators and owners. */
static enum store_result
examine_member(struct check *check, uint64_t id, const struct reply *replies,
    struct text *problem)
{
	struct user user = { .id = 0 };
	bool is_listed = reply_number(&replies[1]) == 1;
	enum store_result result;
	struct text damage;

	if (!schema_read(&user_schema, SCHEMA_WHOLE, &replies[0], &user))
		return STORE_OK;
	user.id = id;
	result = examine_name_of(check, &user, problem);
	if (problem->size == 0)
		*problem =
		    role_problem(&check->step, &user, is_listed, &replies[2]);
	if (problem->size > 0 && user.role == ROLE_MEMBER && !is_listed &&
	    !has_done_anything(check, &user)) {
		*problem = TEXT("");
		check->cut_short++;
	}
	damage = check_fields(check, &user_schema, &replies[0]);
	if (damage.size > 0)
		*problem = text_format(&check->step, "member %" PRIu64 ": %.*s",
		    id, TEXT_ARGS(damage));
	return result;
}

static enum store_result
examine_members(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	enum store_result result = STORE_OK;
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum { QUESTIONS = 3 };

	for (size_t i = 0; i < count; i++) {
		key_parse(keys[i], &bucket, &id, &list);
		schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE, keys[i]);
		pipeline_add(&pipeline, TEXT("SISMEMBER"), KEY_MODERATORS,
		    text_number(step, (int64_t)id.article));
		pipeline_add(&pipeline, TEXT("SMISMEMBER"), KEY_OWNERS,
		    TEXT("0"), text_number(step, (int64_t)id.article));
	}
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		key_parse(keys[i], &bucket, &id, &list);
		result = examine_member(check, id.article,
		    &pipeline.replies[QUESTIONS * i], &problems[i]);
	}
	return result;
}

/* Deletes a name that leads to nobody, or to a member to whom another name leads. It stays if
 * it is the member's only one: then the name in the member's hash is damaged. */
static enum store_result
repair_name(struct check *check, struct text key)
{
	struct arena *step = &check->step;
	struct pipeline pipeline = pipeline_begin(check->store->redis, step);
	struct user user = { .id = 0 };
	enum store_result result;
	uint64_t id, leads_to = 0;

	pipeline_add(&pipeline, TEXT("GET"), key);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	id = reply_id(&pipeline.replies[0]);
	result = user_get(check->store, step, id, &user);
	if (result == STORE_DOWN)
		return result;
	if (result == STORE_OK &&
	    user_find_ids(check->store, step, &user.name, 1, &leads_to) !=
		STORE_OK)
		return STORE_DOWN;
	if (result == STORE_ABSENT || leads_to == id)
		call_send_write(check_repairs(check), "unname_1",
		    text_copy(check_repairs(check)->arena, key),
		    reply_text(&pipeline.replies[0]));
	else
		buffer_add(
		    &check->misnamed, (struct text){ (char *)&id, sizeof(id) });
	return STORE_OK;
}

static bool
is_misnamed(const struct check *check, uint64_t user)
{
	const uint64_t *ids =
	    (const uint64_t *)(const void *)check->misnamed.data;

	for (size_t i = 0; i < check->misnamed.size / sizeof(*ids); i++)
		if (ids[i] == user)
			return true;
	return false;
}

static enum store_result
repair_member(struct check *check, struct text key)
{
	enum store_result result;
	struct text list;
	struct post_id id;
	uint64_t bucket;

	key_parse(key, &bucket, &id, &list);
	result = refresh_member(check->store, &check->step, id.article);
	if (result == STORE_OK && !is_misnamed(check, id.article))
		result = refresh_name(check->store, &check->step, id.article);
	return result == STORE_DOWN ? result : STORE_OK;
}

static enum store_result
check_members(struct check *check)
{
	const struct places *members = &check->all.places[KEYSCAN_MEMBERS];
	struct text *keys =
	    arena_new(&check->memory, struct text, members->count);

	for (size_t i = 0; i < members->count; i++)
		keys[i] =
		    key_user(&check->memory, members->items[i].id.article);
	return check_examine(
	    check, keys, members->count, examine_members, repair_member);
}

/* Each of the moderators, or of the owners, is a member. */
static enum store_result
check_those_with_a_role(struct check *check, struct text key)
{
	struct arena *memory = &check->memory;
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);

	pipeline_add(&pipeline, TEXT("SMEMBERS"), key);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.replies[0].count; i++) {
		const struct reply *item = reply_item(&pipeline.replies[0], i);
		struct text word = reply_text(item);

		if (text_equal(word, TEXT("0")) ||
		    keyscan_has_member(&check->all, reply_id(item)))
			continue;
		check_report(check,
		    text_format(memory,
			"member %.*s is among the %.*s, and does not exist",
			TEXT_ARGS(word), TEXT_ARGS(key)));
		check_remove(check, &(struct check_entry){ "SREM", key, word });
	}
	return check_repair(check);
}

/* No id is still to be given out: it would be written over. */
static enum store_result
check_last_user(struct check *check)
{
	const struct places *members = &check->all.places[KEYSCAN_MEMBERS];
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->memory);

	pipeline_add(&pipeline, TEXT("GET"), KEY_USERS);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	if (members->count > 0)
		check_counter(check, KEY_USERS, &pipeline.replies[0],
		    members->items[members->count - 1].id.article);
	return STORE_OK;
}

/* A member without a name who never did anything was cut short at registration, by a
 * kill: that does no harm, and is only counted. */
static enum store_result
members_archive_check(struct check *check)
{
	const struct keys *names = &check->all.keys[KEYSCAN_NAMES];
	enum store_result result = check_last_user(check);

	check->misnamed = buffer_in(&check->memory, 64);
	if (result == STORE_OK)
		result = check_examine(check, names->items, names->count,
		    examine_names, repair_name);
	if (result == STORE_OK)
		result = check_members(check);
	if (result == STORE_OK)
		result = check_those_with_a_role(check, KEY_MODERATORS);
	if (result == STORE_OK)
		result = check_those_with_a_role(check, KEY_OWNERS);
	if (result == STORE_OK)
		result = recovery_archive_check(check);
	return result == STORE_OK ? karma_check(check) : result;
}

const struct noun members_archive = {
	.kind = "user",
	.label = "member",
	.schema = &user_schema,
	.offset = offsetof(struct record, user),
	.describe = members_archive_describe,
	.key = members_archive_key,
	.references = members_archive_references,
	.write = members_archive_write,
	.validate = members_archive_validate,
	.resolve = members_archive_resolve,
	.load = members_archive_load,
	.check = members_archive_check,
};

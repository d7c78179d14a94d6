#include "archive/groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "archive/batch.h"
#include "archive/check_keys.h"
#include "archive/members.h"
#include "archive/noun.h"
#include "archive/references.h"
#include "archive/validate.h"
#include "archive/writer.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/refresh.h"
#include "store/user.h"

enum {
	GROUPS_BATCH = 200,
	GROUP_STEPS_MAX = 100 /* from a group to what it became */
};

static struct text
groups_archive_describe(struct arena *arena, const struct record *record)
{
	return text_format(
	    arena, "group \"%.*s\"", TEXT_ARGS(record->group.name));
}

static struct text
groups_archive_key(struct arena *arena, const struct record *record)
{
	return record->group.name.size == 0
	    ? TEXT("")
	    : references_group_key(arena, record->group.name);
}

static void
groups_archive_references(struct references *references, struct record *record)
{
	struct text moderators = record->group.moderators, name;

	references_member_or_nobody(references, &record->group.by);
	while (text_next_word(&moderators, &name))
		references_member_name(references, name);
	references_group(references, record->group.into, REFERENCE_ANYWHERE);
}

/* Dump. */

STORE_CALL
groups_archive_read_names(struct store *store, struct arena *arena,
    struct text list, struct text after, size_t count, struct text *found,
    size_t *got)
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

static int
compare_groups(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

static bool
is_written(const struct writer *writer, struct text name)
{
	return bsearch(&name, writer->groups.data,
		   writer->groups.size / sizeof(name), sizeof(name),
		   compare_groups) != NULL;
}

static void
note_written(struct writer *writer, struct text name)
{
	struct text *groups, copy = text_copy(&writer->memory, name);
	size_t before = writer->groups.size / sizeof(copy);

	buffer_add(
	    &writer->groups, (struct text){ (char *)&copy, sizeof(copy) });
	groups = (struct text *)(void *)writer->groups.data;
	/* Only those that appear during the dump are out of order. */
	if (before > 0 && text_compare(groups[before - 1], copy) > 0)
		qsort(groups, before + 1, sizeof(copy), compare_groups);
}

/* In a line the moderators are names. Those who do not exist are left out. */
static enum store_result
name_moderators(struct writer *writer, struct group *group)
{
	struct text rest = group->moderators;
	struct buffer names = buffer_in(&writer->portion, rest.size + 1);
	struct member moderator;

	while (group_next_moderator(&rest, &moderator)) {
		enum store_result result =
		    members_archive_need(writer, &moderator);

		if (result == STORE_DOWN)
			return result;
		if (result == STORE_ABSENT) {
			log_line("group %.*s names a moderator who does not "
				 "exist",
			    TEXT_ARGS(group->name));
			writer->incomplete = true;
			continue;
		}
		buffer_add(&names, names.size > 0 ? TEXT(" ") : TEXT(""));
		buffer_add(&names, moderator.name);
	}
	group->moderators = buffer_text(&names);
	return STORE_OK;
}

/* A creator who does not exist is left out of the line. */
static enum store_result
write_group(struct writer *writer, struct record *record)
{
	struct group *group = &record->group;
	enum store_result result = name_moderators(writer, group);

	if (result == STORE_OK && group->by.id != 0)
		result = members_archive_need(writer, &group->by);

	if (result == STORE_DOWN)
		return result;
	if (result == STORE_ABSENT) {
		log_line("group %.*s names a creator who does not exist",
		    TEXT_ARGS(group->name));
		group->by = (struct member){ .id = 0 };
		writer->incomplete = true;
	}
	return writer_go_on(members_archive_write_naming(writer, record));
}

STORE_CALL
groups_archive_need(struct writer *writer, struct text name)
{
	struct record record = { .kind = RECORD_GROUP };
	enum store_result result;

	if (is_written(writer, name))
		return STORE_OK;
	result =
	    group_get(writer->store, &writer->portion, name, &record.group);
	if (result != STORE_OK)
		return result;
	result = write_group(writer, &record);
	note_written(writer, name);
	return result;
}

/* Writes the groups of a list. */
static enum store_result
write_groups(struct writer *writer, struct text list)
{
	struct arena names = { 0 };
	struct text found[GROUPS_BATCH], after = { "", 0 };
	enum store_result result;
	size_t got = 0;

	do {
		result = groups_archive_read_names(writer->store, &names, list,
		    after, GROUPS_BATCH, found, &got);
		for (size_t i = 0; i < got && result != STORE_DOWN; i++) {
			result = groups_archive_need(writer, found[i]);
			after = found[i];
			arena_reset(&writer->portion);
		}
	} while (result != STORE_DOWN && got == GROUPS_BATCH);
	arena_free(&names);
	return writer_go_on(result);
}

static enum store_result
groups_archive_write(struct writer *writer)
{
	enum store_result result = write_groups(writer, KEY_GROUPS);

	return result == STORE_OK ? write_groups(writer, KEY_FORMER) : result;
}

/* Load. */

static size_t
count_words(struct text words)
{
	struct text word;
	size_t count = 0;

	while (text_next_word(&words, &word))
		count++;
	return count;
}

static void
groups_archive_validate(struct validation *validation, struct record *record)
{
	const struct group *group = &record->group;

	validate_name(validation, "name", group->name, rule_group_name);
	validate_title(validation, group->title, rule_group_title);
	validate_value(
	    validation, "description", group->description, rule_group_text);
	validate_value(validation, "rules", group->rules, rule_group_text);
	validate_names(
	    validation, "moderators", group->moderators, rule_user_name);
	if (count_words(group->moderators) > RULE_GROUP_MODERATORS_MAX)
		validate_problem(validation,
		    TEXT("\"moderators\" has more than a group has"));
	if (group->into.size > 0)
		validate_name(validation, "into", group->into, rule_group_name);
}

/* The group that a group became, in the site or by a line before it; empty for none. */
static enum store_result
find_next(struct batch *batch, const struct batch_line *line, struct text name,
    struct text *into)
{
	struct group group = { .created = 0 };
	enum store_result result;

	for (size_t i = 0; batch->lines[i] != line; i++)
		if (batch->lines[i]->refusal.size == 0 &&
		    text_equal(batch->lines[i]->record.group.name, name)) {
			*into = batch->lines[i]->record.group.into;
			return STORE_OK;
		}
	result = group_get(batch->store, batch->arena, name, &group);
	*into = group.into;
	return result == STORE_DOWN ? result : STORE_OK;
}

/* Refuses a new group that would lead back to itself. */
static enum store_result
refuse_circle(struct batch *batch, struct batch_line *line)
{
	const struct group *group = &line->record.group;
	struct text name = group->into;

	for (int i = 0; name.size > 0 && i < GROUP_STEPS_MAX; i++) {
		if (text_equal(name, group->name))
			break;
		if (find_next(batch, line, name, &name) != STORE_OK)
			return STORE_DOWN;
	}
	if (name.size > 0)
		line->refusal = text_format(batch->arena,
		    "\"into\" leads from \"%.*s\" in a circle",
		    TEXT_ARGS(group->name));
	return STORE_OK;
}

static struct member *
creator(struct record *record)
{
	return &record->group.by;
}

/* Finds the moderators that a line names, each once. */
static enum store_result
find_moderators(struct batch *batch, struct batch_line *line)
{
	struct text rest = line->record.group.moderators, found = TEXT("");
	struct member moderator;

	while (text_next_word(&rest, &moderator.name)) {
		moderator.id = 0;
		if (batch_find_member(batch, line, &moderator) != STORE_OK)
			return STORE_DOWN;
		if (group_has_moderator(
			&(struct group){ .moderators = found }, moderator.id))
			continue;
		found = text_format(batch->arena, "%.*s%s%" PRIu64 " %.*s",
		    TEXT_ARGS(found), found.size > 0 ? " " : "", moderator.id,
		    TEXT_ARGS(moderator.name));
	}
	line->record.moderators = found;
	return STORE_OK;
}

/* Groups of the same name and moment are the same. */
static enum store_result
groups_archive_resolve(struct batch *batch)
{
	enum store_result result =
	    batch_find_owners(batch, creator, BATCH_OR_NOBODY);

	for (size_t i = 0; i < batch->count && result == STORE_OK; i++) {
		struct batch_line *line = batch->lines[i];
		struct group present;

		result = group_get(batch->store, batch->arena,
		    line->record.group.name, &present);
		if (result == STORE_OK)
			batch_compare(batch, line,
			    present.created == line->record.group.created);
		else if (result == STORE_ABSENT)
			result = refuse_circle(batch, line);
		if (result != STORE_DOWN)
			result = find_moderators(batch, line);
	}
	return result;
}

/* Notes for the moderators of a group that they are, where their own lines did not say it. */
static enum store_result
note_moderators(struct batch *batch, const struct group *group)
{
	struct pipeline noted =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct pipeline notes =
	    pipeline_begin(batch->store->redis, batch->arena);
	struct text rest = group->moderators;
	struct member moderator;

	while (group_next_moderator(&rest, &moderator))
		pipeline_add(&noted, TEXT("HEXISTS"),
		    key_user(batch->arena, moderator.id), USER_MODERATES);
	if (noted.count == 0)
		return STORE_OK;
	if (!redis_run(&noted))
		return STORE_DOWN;
	rest = group->moderators;
	for (size_t i = 0; group_next_moderator(&rest, &moderator); i++)
		if (reply_number(&noted.replies[i]) == 0)
			user_send_moderates(
			    &notes, moderator.id, group->created);
	return notes.count == 0 || redis_run(&notes) ? STORE_OK : STORE_DOWN;
}

static enum store_result
groups_archive_load(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct batch_line *line = batch->lines[i];
		bool is_known = line->outcome == BATCH_EXISTED;
		struct group *group = &line->record.group;
		enum store_result result;

		group->moderators = line->record.moderators;
		if (note_moderators(batch, group) != STORE_OK)
			return STORE_DOWN;
		result = group_create_record(batch->store, batch->arena, group);

		/* One that exists may not be listed. */
		if (result == STORE_DOWN ||
		    refresh_group(batch->store, batch->arena, group->name) ==
			STORE_DOWN)
			return STORE_DOWN;
		if (result == STORE_TAKEN)
			line->outcome = BATCH_EXISTED;
		if (result == STORE_TAKEN && !is_known)
			batch_refuse_other(batch, line);
	}
	return STORE_OK;
}

/* Check. */

/* A group that is being deleted is in no list, and closed since it was created. */
static bool
is_listed_rightly(const struct group *group, bool is_group, bool is_former)
{
	if (group->into.size > 0)
		return is_former && !is_group;
	return !is_former && (is_group || group->closed == group->created);
}

/* The name of the group whose list of articles a key is; empty for another list. */
static struct text
group_of_list(struct text key)
{
	struct text list;
	struct post_id id;
	uint64_t bucket;

	if (key_parse(key, &bucket, &id, &list) == KEY_TIME &&
	    key_list_is_of_group(list))
		return list;
	return TEXT("");
}

static bool
had_articles(const struct check *check, struct text name)
{
	for (size_t i = 0; i < check->all.list_count; i++)
		if (text_equal(group_of_list(check->all.lists[i]), name))
			return true;
	return false;
}

static enum store_result
find_articles(struct check *check, struct text name, bool *has_articles)
{
	const struct buckets *buckets = &check->store->buckets;
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);

	for (uint64_t b = 0; b < buckets->count; b++)
		pipeline_add(&pipeline, TEXT("EXISTS"),
		    key_time(&check->step, buckets, b, name));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	*has_articles = false;
	for (uint64_t b = 0; b < buckets->count; b++)
		*has_articles |= reply_number(&pipeline.replies[b]) == 1;
	return STORE_OK;
}

/* The lists are in order of name only while all scores are 0. */
static bool
is_out_of_order(const struct reply *score)
{
	return score->kind != REPLY_NIL &&
	    !text_equal(reply_text(score), TEXT("0"));
}

/* replies: the group exists; its hash; its places in the lists of groups and of former
 * ones. */
static enum store_result
examine_group(struct check *check, struct text name,
    const struct reply *replies, struct text *problem)
{
	struct group group = { .created = 0 };
	bool is_group = replies[2].kind != REPLY_NIL;
	bool is_former = replies[3].kind != REPLY_NIL;
	bool is_named = is_group || is_former;
	bool is_whole =
	    schema_read(&group_schema, SCHEMA_WHOLE, &replies[1], &group);
	const char *why = NULL;
	struct text damage;

	if (reply_number(&replies[0]) == 0) {
		if (!is_named &&
		    find_articles(check, name, &is_named) != STORE_OK)
			return STORE_DOWN;
		if (is_named)
			why = "is listed or has articles, and does not exist";
	} else if (!is_whole || group.title.size == 0 || group.created == 0) {
		why = "is only half there";
	} else if (!is_listed_rightly(&group, is_group, is_former)) {
		why = "is not in the list of groups where it belongs";
	} else if (is_out_of_order(&replies[2]) ||
	    is_out_of_order(&replies[3])) {
		why = "is in a list with another score than 0";
	}
	if (why != NULL && is_whole && group.into.size == 0 && !is_former &&
	    !had_articles(check, name)) {
		why = NULL;
		check->cut_short++;
	}
	damage = is_whole ? check_fields(check, &group_schema, &replies[1])
			  : TEXT("");
	if (why != NULL)
		*problem = text_format(&check->step, "group \"%.*s\": it %s",
		    TEXT_ARGS(name), why);
	else if (damage.size > 0)
		*problem = text_format(&check->step, "group \"%.*s\": %.*s",
		    TEXT_ARGS(name), TEXT_ARGS(damage));
	return STORE_OK;
}

#define MODERATOR_UNMARKED "has no note of it"

/* What is wrong with a moderator, by the name, the closing and the note of the member; NULL when
 * nothing is. */
static const char *
moderator_problem(const struct member *moderator, const struct reply *reply)
{
	struct text name = reply_text(reply_item(reply, 0));

	if (name.size == 0)
		return "does not exist";
	if (reply_item(reply, 1)->kind != REPLY_NIL)
		return "has closed the account";
	if (reply_item(reply, 2)->kind == REPLY_NIL)
		return MODERATOR_UNMARKED;
	return text_equal(name, moderator->name) ? NULL : "has another name";
}

/* Finds the first moderator of a group with a problem, if it has none yet. */
static enum store_result
examine_moderators(
    struct check *check, const struct group *group, struct text *problem)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	struct text rest = group->moderators;
	struct member moderator;

	if (rest.size == 0 || problem->size > 0)
		return STORE_OK;
	while (group_next_moderator(&rest, &moderator))
		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_user(&check->step, moderator.id), TEXT("name"),
		    TEXT("closed"), USER_MODERATES);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	rest = group->moderators;
	for (size_t i = 0; group_next_moderator(&rest, &moderator); i++) {
		const char *why =
		    moderator_problem(&moderator, &pipeline.replies[i]);

		if (why != NULL && problem->size == 0)
			*problem = text_format(&check->step,
			    "group \"%.*s\": its moderator %.*s %s",
			    TEXT_ARGS(group->name), TEXT_ARGS(moderator.name),
			    why);
	}
	if (problem->size == 0 &&
	    (rest.size > 0 || pipeline.count > RULE_GROUP_MODERATORS_MAX))
		*problem = text_format(&check->step,
		    "group \"%.*s\": its moderators are \"%.*s\"",
		    TEXT_ARGS(group->name), TEXT_ARGS(group->moderators));
	return STORE_OK;
}

static enum store_result
examine_groups(struct check *check, const struct text *keys, size_t count,
    struct text *problems)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);
	enum store_result result = STORE_OK;
	enum { QUESTIONS = 4 };

	for (size_t i = 0; i < count; i++) {
		struct text name = check_name_in_key(keys[i]);

		pipeline_add(&pipeline, TEXT("EXISTS"), keys[i]);
		schema_ask(&pipeline, &group_schema, SCHEMA_WHOLE, keys[i]);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_GROUPS, name);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_FORMER, name);
	}
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		const struct reply *replies = &pipeline.replies[QUESTIONS * i];
		struct group group = { .created = 0 };

		group.name = check_name_in_key(keys[i]);
		result =
		    examine_group(check, group.name, replies, &problems[i]);
		if (result == STORE_OK &&
		    schema_read(
			&group_schema, SCHEMA_WHOLE, &replies[1], &group))
			result =
			    examine_moderators(check, &group, &problems[i]);
	}
	return result;
}

static void
repair_moderator(struct pipeline *repairs, struct text key,
    const struct group *group, uint64_t moderator, const char *problem)
{
	if (problem != NULL && strcmp(problem, MODERATOR_UNMARKED) == 0)
		user_send_moderates(repairs, moderator, group->created);
	else if (problem != NULL)
		call_send_write(repairs, "group_dismiss_1",
		    text_copy(repairs->arena, key),
		    text_number(repairs->arena, (int64_t)moderator));
}

/* Takes those off the moderators who have a problem, or notes that they are. */
static enum store_result
repair_moderators(struct check *check, struct text key)
{
	struct pipeline *repairs = check_repairs(check);
	struct group group;
	struct member moderator;
	enum store_result result = group_get(
	    check->store, &check->step, check_name_in_key(key), &group);

	while (result == STORE_OK &&
	    group_next_moderator(&group.moderators, &moderator)) {
		struct pipeline pipeline =
		    pipeline_begin(check->store->redis, &check->step);

		pipeline_add(&pipeline, TEXT("HMGET"),
		    key_user(&check->step, moderator.id), TEXT("name"),
		    TEXT("closed"), USER_MODERATES);
		if (!check_run(check, &pipeline))
			return STORE_DOWN;
		repair_moderator(repairs, key, &group, moderator.id,
		    moderator_problem(&moderator, &pipeline.replies[0]));
	}
	return result == STORE_DOWN ? result : STORE_OK;
}

/* What is half there, or is named by articles, stays as it is. */
static enum store_result
repair_group(struct check *check, struct text key)
{
	enum store_result result =
	    refresh_group(check->store, &check->step, check_name_in_key(key));

	return result == STORE_DOWN ? result : repair_moderators(check, key);
}

static void
add_group_key(struct arena *memory, struct buffer *keys, struct text name)
{
	struct text key = key_group(memory, name);

	buffer_add(keys, (struct text){ (char *)&key, sizeof(key) });
}

/* The keys of all groups: those that were found, those of the lists of articles, of
 * which each bucket has some, and those of the lists of groups. Sorted, each once. */
static enum store_result
collect_keys(struct check *check, struct buffer *keys)
{
	struct arena *memory = &check->memory;
	const struct keys *found = &check->all.keys[KEYSCAN_GROUPS];
	struct pipeline pipeline = pipeline_begin(check->store->redis, memory);
	struct text list;

	pipeline_add(
	    &pipeline, TEXT("ZRANGE"), KEY_GROUPS, TEXT("0"), TEXT("-1"));
	pipeline_add(
	    &pipeline, TEXT("ZRANGE"), KEY_FORMER, TEXT("0"), TEXT("-1"));
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < found->count; i++)
		add_group_key(memory, keys, check_name_in_key(found->items[i]));
	for (size_t r = 0; r < 2; r++)
		for (size_t i = 0; i < pipeline.replies[r].count; i++)
			add_group_key(memory, keys,
			    reply_text(reply_item(&pipeline.replies[r], i)));
	for (size_t i = 0; i < check->all.list_count; i++) {
		list = group_of_list(check->all.lists[i]);
		if (list.size > 0)
			add_group_key(memory, keys, list);
	}
	return STORE_OK;
}

static enum store_result
count_groups(struct check *check)
{
	struct pipeline pipeline =
	    pipeline_begin(check->store->redis, &check->step);

	pipeline_add(&pipeline, TEXT("ZCARD"), KEY_GROUPS);
	if (!check_run(check, &pipeline))
		return STORE_DOWN;
	check->groups = (uint64_t)reply_number(&pipeline.replies[0]);
	return STORE_OK;
}

/* A group that is listed nowhere and has no articles was cut short as it was made, by a
 * kill: it does no harm, and is only counted. */
static enum store_result
groups_archive_check(struct check *check)
{
	struct buffer keys = buffer_in(&check->memory, 1024);

	if (count_groups(check) != STORE_OK ||
	    collect_keys(check, &keys) != STORE_OK)
		return STORE_DOWN;
	return check_examine(check, (struct text *)(void *)keys.data,
	    keyscan_sort_unique(&keys, sizeof(struct text), compare_groups),
	    examine_groups, repair_group);
}

const struct noun groups_archive = {
	.kind = "group",
	.label = "group",
	.schema = &group_schema,
	.offset = offsetof(struct record, group),
	.describe = groups_archive_describe,
	.key = groups_archive_key,
	.references = groups_archive_references,
	.write = groups_archive_write,
	.validate = groups_archive_validate,
	.resolve = groups_archive_resolve,
	.load = groups_archive_load,
	.check = groups_archive_check,
};

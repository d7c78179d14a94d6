#include "store/group_admin.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/site.h"
#include "store/user.h"

enum { BATCH = 100 };

/* Reads a group; STORE_ABSENT also when it was renamed or merged. */
static enum store_result
find_current(struct store *store, struct arena *arena, struct text name,
    struct group *group)
{
	enum store_result result = group_get(store, arena, name, group);

	return result == STORE_OK && group->into.size > 0 ? STORE_ABSENT
							  : result;
}

static enum store_result
log_action(struct store *store, struct arena *arena, enum mod_action_kind what,
    struct text name, struct mod_action *action)
{
	action->what = mod_action_words[what];
	action->subject = name;
	return mod_action_note(store, arena, action);
}

/* Logs a change of a group's field, and then makes it. */
static enum store_result
set_field(struct store *store, struct arena *arena, enum mod_action_kind what,
    struct text name, struct mod_action *action, struct text field,
    struct text value)
{
	enum store_result result = log_action(store, arena, what, name, action);

	return result == STORE_OK ? group_set(store, arena, name, field, value)
				  : result;
}

STORE_CALL
group_retitle(struct store *store, struct arena *arena, struct text name,
    struct text title, struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK || text_equal(group.title, title))
		return result;
	action.into = title;
	return set_field(store, arena, MOD_GROUP_RETITLED, name, &action,
	    TEXT("title"), title);
}

STORE_CALL
group_describe(struct store *store, struct arena *arena, struct text name,
    struct text description, struct text rules, struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK ||
	    (text_equal(group.description, description) &&
		text_equal(group.rules, rules)))
		return result;
	result = log_action(store, arena, MOD_GROUP_DESCRIBED, name, &action);
	return result == STORE_OK
	    ? call_write(store, arena, "regroup_1", key_group(arena, name),
		  TEXT("description"), description, TEXT("rules"), rules)
	    : result;
}

STORE_CALL
group_restrict(struct store *store, struct arena *arena, struct text name,
    struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);
	int64_t now;

	if (result != STORE_OK || group.restricted != 0)
		return result;
	result = site_time(store, arena, &now);
	return result == STORE_OK
	    ? set_field(store, arena, MOD_GROUP_RESTRICTED, name, &action,
		  TEXT("restricted"), text_number(arena, now))
	    : result;
}

STORE_CALL
group_unrestrict(struct store *store, struct arena *arena, struct text name,
    struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK || group.restricted == 0)
		return result;
	return set_field(store, arena, MOD_GROUP_UNRESTRICTED, name, &action,
	    TEXT("restricted"), TEXT(""));
}

static size_t
count_moderators(const struct group *group)
{
	struct text rest = group->moderators;
	struct member moderator;
	size_t count = 0;

	while (group_next_moderator(&rest, &moderator))
		count++;
	return count;
}

/* Before the group has the moderator: a page looks for groups only if it is noted. */
static enum store_result
note_appointment(struct store *store, struct arena *arena, uint64_t user)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t now;

	if (site_time(store, arena, &now) != STORE_OK)
		return STORE_DOWN;
	user_send_moderates(&pipeline, user, now);
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

STORE_CALL
group_appoint(struct store *store, struct arena *arena, struct text name,
    struct member moderator, struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK || group_has_moderator(&group, moderator.id))
		return result;
	if (count_moderators(&group) >= RULE_GROUP_MODERATORS_MAX)
		return STORE_FULL;
	action.member = moderator;
	result = log_action(store, arena, MOD_GROUP_APPOINTED, name, &action);
	if (result == STORE_OK)
		result = note_appointment(store, arena, moderator.id);
	return result == STORE_OK
	    ? call_write(store, arena, "group_appoint_1",
		  key_group(arena, name),
		  text_number(arena, (int64_t)moderator.id), moderator.name,
		  text_number(arena, RULE_GROUP_MODERATORS_MAX))
	    : result;
}

static enum store_result
dismiss(
    struct store *store, struct arena *arena, struct text name, uint64_t user)
{
	return call_write(store, arena, "group_dismiss_1",
	    key_group(arena, name), text_number(arena, (int64_t)user));
}

STORE_CALL
group_dismiss(struct store *store, struct arena *arena, struct text name,
    struct member moderator, struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK || !group_has_moderator(&group, moderator.id))
		return result;
	action.member = moderator;
	result = log_action(store, arena, MOD_GROUP_DISMISSED, name, &action);
	return result == STORE_OK ? dismiss(store, arena, name, moderator.id)
				  : result;
}

STORE_CALL
group_forget_moderator(struct store *store, struct arena *arena, uint64_t user)
{
	struct group *groups;
	uint64_t total = 1;
	size_t got;

	for (uint64_t start = 0; start < total; start += BATCH) {
		enum store_result result = group_list(
		    store, arena, start, BATCH, &groups, &got, &total);

		for (size_t i = 0; i < got && result == STORE_OK; i++)
			if (group_has_moderator(&groups[i], user))
				result =
				    dismiss(store, arena, groups[i].name, user);
		if (result != STORE_OK)
			return result;
	}
	return STORE_OK;
}

STORE_CALL
group_close(struct store *store, struct arena *arena, struct text name,
    struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);
	int64_t now;

	if (result != STORE_OK || group.closed != 0)
		return result;
	result = site_time(store, arena, &now);
	return result == STORE_OK
	    ? set_field(store, arena, MOD_GROUP_CLOSED, name, &action,
		  TEXT("closed"), text_number(arena, now))
	    : result;
}

STORE_CALL
group_open(struct store *store, struct arena *arena, struct text name,
    struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result != STORE_OK || group.closed == 0)
		return result;
	if (group.closed == GROUP_DELETING)
		return STORE_ABSENT;
	return set_field(store, arena, MOD_GROUP_OPENED, name, &action,
	    TEXT("closed"), TEXT(""));
}

/* Moves some articles of a list to another group, or to none. *first is the first of
 * them, or 0. */
static enum store_result
move_batch(struct store *store, struct arena *step, struct text key,
    struct text name, struct text into, uint64_t *first)
{
	struct pipeline asked = pipeline_begin(store->redis, step);
	struct pipeline pipeline = pipeline_begin(store->redis, step);
	const struct reply *members;

	pipeline_add(&asked, TEXT("ZRANGE"), key, TEXT("0"),
	    text_number(step, BATCH - 1));
	if (!redis_run(&asked))
		return STORE_DOWN;
	members = &asked.replies[0];
	*first = decode_post_number(reply_text(reply_item(members, 0)));
	for (size_t i = 0; i < members->count; i++)
		article_send_groups(&pipeline, store,
		    decode_post_number(reply_text(reply_item(members, i))),
		    into, name);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < pipeline.count; i++)
		if (call_outcome(&pipeline.replies[i]) == STORE_DOWN)
			return STORE_DOWN;
	return STORE_OK;
}

/* Moves all articles of a bucket. Stops at one that stays in the list although moved: its
 * own record does not have the group. */
static enum store_result
move_bucket(struct store *store, struct arena *arena, uint64_t bucket,
    struct text name, struct text into)
{
	struct text key = key_time(arena, &store->buckets, bucket, name);
	struct arena step = { 0 };
	uint64_t first = 0, before;
	enum store_result result;

	do {
		before = first;
		result = move_batch(store, &step, key, name, into, &first);
		if (first != 0 && first == before)
			result = STORE_DOWN;
		arena_reset(&step);
	} while (first != 0 && result == STORE_OK);
	arena_free(&step);
	return result;
}

static enum store_result
move_articles(struct store *store, struct arena *arena, struct text name,
    struct text into)
{
	enum store_result result = STORE_OK;

	for (uint64_t b = 0; b < store->buckets.count && result == STORE_OK;
	    b++)
		result = move_bucket(store, arena, b, name, into);
	return result;
}

/* Sets a field that makes the group accept no articles, and takes it off the list of
 * groups. */
static enum store_result
unlist_group(struct store *store, struct arena *arena, struct text name,
    struct text field, struct text value)
{
	enum store_result result = group_set(store, arena, name, field, value);

	return result == STORE_OK
	    ? store_write(store, arena, TEXT("ZREM"), KEY_GROUPS, name)
	    : result;
}

/* Moves the articles to the successor, which may itself have been renamed or merged in the
 * meantime, and then erases the founder and the moderators: the former group only redirects. */
static enum store_result
move_to_successor(struct store *store, struct arena *arena, struct text name,
    struct text into)
{
	struct text now = into;
	enum store_result result = move_articles(store, arena, name, into);

	if (result == STORE_OK)
		result = group_resolve_names(store, arena, into, &now);
	if (result == STORE_OK && !text_equal(now, into))
		result = move_articles(store, arena, into, now);
	return result == STORE_OK
	    ? call_write(store, arena, "regroup_1", key_group(arena, name),
		  TEXT("by"), TEXT(""), TEXT("moderators"), TEXT(""))
	    : result;
}

static bool
is_successor(const struct group *group, struct text into)
{
	return text_equal(group->into, into);
}

/* Redirects the group to its successor. A repeated call does not log again. */
static enum store_result
redirect_group(struct store *store, struct arena *arena,
    enum mod_action_kind what, const struct group *group, struct text into,
    struct mod_action *action)
{
	enum store_result result = STORE_OK;

	action->into = into;
	action->member = group->by;
	if (!is_successor(group, into))
		result = log_action(store, arena, what, group->name, action);
	if (result == STORE_OK)
		result =
		    unlist_group(store, arena, group->name, TEXT("into"), into);
	return result == STORE_OK ? store_write(store, arena, TEXT("ZADD"),
					KEY_FORMER, TEXT("0"), group->name)
				  : result;
}

/* Gives a group its former name back. */
static enum store_result
restore_name(
    struct store *store, struct arena *arena, const struct group *renamed)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct call call = call_begin(
	    arena, CALL_WRITES, "regroup_1", key_group(arena, renamed->name));
	enum store_result result;

	call_add(&call, TEXT("title"), renamed->title, TEXT("into"), TEXT(""),
	    TEXT("closed"),
	    renamed->closed != 0 ? text_number(arena, renamed->closed)
				 : TEXT(""),
	    TEXT("restricted"),
	    renamed->restricted != 0 ? text_number(arena, renamed->restricted)
				     : TEXT(""),
	    TEXT("moderators"), renamed->moderators, TEXT("description"),
	    renamed->description, TEXT("rules"), renamed->rules);
	if (renamed->by.id != 0)
		call_add(&call, TEXT("by"),
		    text_format(arena, "%llu %.*s",
			(unsigned long long)renamed->by.id,
			TEXT_ARGS(renamed->by.name)));
	result = call_run(&call, store, NULL);
	pipeline_add_replicated(
	    &pipeline, TEXT("ZADD"), KEY_GROUPS, TEXT("0"), renamed->name);
	pipeline_add_replicated(
	    &pipeline, TEXT("ZREM"), KEY_FORMER, renamed->name);
	return result == STORE_OK ? store_run(&pipeline) : result;
}

/* The former name redirects before the new group exists, so that a repeated call recognizes
 * and resumes an unfinished one. */
STORE_CALL
group_rename(struct store *store, struct arena *arena, struct text name,
    struct text into, struct mod_action action)
{
	struct group group, there = { .created = 0 };
	enum store_result result = group_get(store, arena, name, &group), found;

	if (result != STORE_OK)
		return result;
	if (group.into.size > 0 && !is_successor(&group, into))
		return STORE_ABSENT;
	found = group_get(store, arena, into, &there);
	if (found == STORE_OK && !is_successor(&group, into) &&
	    !is_successor(&there, name))
		return STORE_TAKEN;
	if (found != STORE_DOWN)
		result = redirect_group(
		    store, arena, MOD_GROUP_RENAMED, &group, into, &action);
	if (found == STORE_DOWN || result != STORE_OK)
		return found == STORE_DOWN ? found : result;
	group.name = into;
	group.into = TEXT("");
	result = is_successor(&there, name)
	    ? restore_name(store, arena, &group)
	    : group_create(store, arena, &group);
	return result == STORE_DOWN
	    ? result
	    : move_to_successor(store, arena, name, into);
}

STORE_CALL
group_merge(struct store *store, struct arena *arena, struct text name,
    struct text into, struct mod_action action)
{
	struct group group, other;
	enum store_result result = group_get(store, arena, name, &group);

	if (result == STORE_OK)
		result = find_current(store, arena, into, &other);
	if (result == STORE_OK &&
	    ((group.into.size > 0 && !is_successor(&group, into)) ||
		text_equal(name, into)))
		result = STORE_ABSENT;
	if (result == STORE_OK)
		result = redirect_group(
		    store, arena, MOD_GROUP_MERGED, &group, into, &action);
	return result == STORE_OK ? move_to_successor(store, arena, name, into)
				  : result;
}

STORE_CALL
group_delete(struct store *store, struct arena *arena, struct text name,
    struct mod_action action)
{
	struct group group;
	enum store_result result = find_current(store, arena, name, &group);

	if (result == STORE_OK)
		result =
		    log_action(store, arena, MOD_GROUP_DELETED, name, &action);
	if (result == STORE_OK)
		result = unlist_group(store, arena, name, TEXT("closed"),
		    text_number(arena, GROUP_DELETING));
	if (result == STORE_OK)
		result = move_articles(store, arena, name, TEXT(""));
	return result == STORE_OK
	    ? store_write(store, arena, TEXT("DEL"), key_group(arena, name))
	    : result;
}

#include "archive/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "redis/redis.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/user.h"

enum {
	KEYS_BATCH = 100,
	MAX_LOOKS = 3, /* at what is wrong, before it is a break */
	PAUSE_MS = 50  /* between them: a registration takes some round trips */
};

/* What is wrong with what some keys have, as sentences; empty where nothing is. */
typedef enum store_result examine(struct look *look, const struct text *keys,
    size_t count, struct text *faults);

static void
wait_a_moment(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };

	nanosleep(&pause, NULL);
}

/* Looks at some keys, and at those that seem wrong again. */
static enum store_result
examine_some(
    struct look *look, const struct text *all, size_t count, examine *fault_of)
{
	struct text keys[KEYS_BATCH], faults[KEYS_BATCH];
	size_t wrong = count;

	memcpy(keys, all, count * sizeof(*keys));
	for (int times = 0; times < MAX_LOOKS && wrong > 0; times++) {
		if (times > 0)
			wait_a_moment();
		count = wrong;
		wrong = 0;
		memset(faults, 0, sizeof(faults));
		if (fault_of(look, keys, count, faults) != STORE_OK)
			return STORE_DOWN;
		for (size_t i = 0; i < count; i++)
			if (faults[i].size > 0) {
				faults[wrong] = faults[i];
				keys[wrong++] = keys[i];
			}
	}
	for (size_t i = 0; i < wrong; i++)
		look_report(look, faults[i]);
	arena_reset(&look->step);
	return STORE_OK;
}

static enum store_result
examine_all(
    struct look *look, const struct text *keys, size_t count, examine *fault_of)
{
	enum store_result result = STORE_OK;

	for (size_t next = 0; next < count && result == STORE_OK;) {
		size_t left = count - next;
		size_t some = left < KEYS_BATCH ? left : KEYS_BATCH;

		result = examine_some(look, keys + next, some, fault_of);
		next += some;
	}
	return result;
}

/* What is behind the first colon of a key. */
static struct text
after_colon(struct text key)
{
	struct text before;

	text_cut(&key, ':', &before);
	return key;
}

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
examine_names(struct look *look, const struct text *keys, size_t count,
    struct text *faults)
{
	struct arena *step = &look->step;
	struct pipeline asked = pipeline_begin(look->store->redis, step);
	struct pipeline pipeline = pipeline_begin(look->store->redis, step);

	for (size_t i = 0; i < count; i++)
		pipeline_add(&asked, TEXT("GET"), keys[i]);
	if (!redis_run(&asked))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_user(step, reply_id(&asked.replies[i])), TEXT("name"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		uint64_t id = reply_id(&asked.replies[i]);
		struct text name = reply_text(&pipeline.replies[i]);
		struct text wanted = after_colon(keys[i]);

		if (asked.replies[i].kind != REPLY_NIL &&
		    !text_equal(text_lower(step, name), wanted) &&
		    (name.size == 0 || !is_closed_name(step, wanted, id)))
			faults[i] = text_format(step,
			    "name \"%.*s\": it leads to member %" PRIu64
			    ", who is called \"%.*s\"",
			    TEXT_ARGS(wanted), id, TEXT_ARGS(name));
	}
	return STORE_OK;
}

static bool
has_done_anything(const struct look *look, const struct user *user)
{
	for (size_t i = 0; i < look->share_count; i++)
		if (look->shares[i].author == user->id)
			return true;
	return user->votes > 0 || user->visits > 0 || user->notified > 0;
}

/* The name of a member leads to the member. */
static enum store_result
examine_name_of(struct look *look, const struct user *user, struct text *fault)
{
	struct arena *step = &look->step;
	struct text names[1 + USER_CLOSED_NAMES] = { user->name };
	uint64_t ids[1 + USER_CLOSED_NAMES];

	for (int i = 1; i <= USER_CLOSED_NAMES; i++)
		names[i] = user_closed_name(step, user->id, i);
	if (user_find_ids(look->store, step, names, 1 + USER_CLOSED_NAMES,
		ids) != STORE_OK)
		return STORE_DOWN;
	for (int i = 0; i <= USER_CLOSED_NAMES; i++)
		if (ids[i] == user->id)
			return STORE_OK;
	*fault = text_format(step,
	    "member %" PRIu64 ": its name \"%.*s\" leads to %s", user->id,
	    TEXT_ARGS(user->name), ids[0] == 0 ? "nobody" : "another member");
	return STORE_OK;
}

/* What a member's role and the sets of moderators and owners say differently; empty when
 * they agree. The set of owners has all of them once it has 0 (store/keys.h). */
static struct text
fault_of_role(struct arena *arena, const struct user *user, bool is_moderator,
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

static enum store_result
examine_members(struct look *look, const struct text *keys, size_t count,
    struct text *faults)
{
	struct arena *step = &look->step;
	struct pipeline pipeline = pipeline_begin(look->store->redis, step);
	enum store_result result = STORE_OK;
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum { ASKED = 3 };

	for (size_t i = 0; i < count; i++) {
		key_parse(keys[i], &bucket, &id, &list);
		schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE, keys[i]);
		pipeline_add(&pipeline, TEXT("SISMEMBER"), KEY_MODERATORS,
		    text_number(step, (int64_t)id.article));
		pipeline_add(&pipeline, TEXT("SMISMEMBER"), KEY_OWNERS,
		    TEXT("0"), text_number(step, (int64_t)id.article));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count && result == STORE_OK; i++) {
		struct user user = { .id = 0 };
		const struct reply *replies = &pipeline.replies[ASKED * i];
		bool is_listed = reply_number(&replies[1]) == 1;

		key_parse(keys[i], &bucket, &id, &list);
		if (!schema_read(
			&user_schema, SCHEMA_WHOLE, &replies[0], &user))
			continue;
		user.id = id.article;
		result = examine_name_of(look, &user, &faults[i]);
		if (faults[i].size == 0)
			faults[i] =
			    fault_of_role(step, &user, is_listed, &replies[2]);
		if (faults[i].size > 0 && user.role == ROLE_MEMBER &&
		    !is_listed && !has_done_anything(look, &user)) {
			faults[i] = TEXT("");
			look->cut_short++;
		}
	}
	return result;
}

/* Whoever is listed as a moderator is a member. */
static enum store_result
check_moderators(struct look *look)
{
	struct arena *memory = &look->memory;
	struct text *keys;
	uint64_t *ids;
	size_t count, lost = 0;

	if (user_moderators(look->store, memory, &ids, &count) != STORE_OK)
		return STORE_DOWN;
	keys = arena_new(memory, struct text, count);
	for (size_t i = 0; i < count; i++)
		if (!keyscan_has_member(&look->all, ids[i]))
			keys[lost++] = key_user(memory, ids[i]);
	for (size_t i = 0; i < lost; i++)
		look_report(look,
		    text_format(&look->step,
			"%.*s is among the moderators, and does not exist",
			TEXT_ARGS(keys[i])));
	return STORE_OK;
}

static enum store_result
check_members(struct look *look)
{
	const struct places *members = &look->all.places[KEYSCAN_MEMBERS];
	struct text *keys =
	    arena_new(&look->memory, struct text, members->count);

	for (size_t i = 0; i < members->count; i++)
		keys[i] = key_user(&look->memory, members->items[i].id.article);
	return examine_all(look, keys, members->count, examine_members);
}

/* A group that is being deleted is in no list, and closed since it was created. */
static bool
is_listed_rightly(const struct group *group, bool is_group, bool is_former)
{
	if (group->into.size > 0)
		return is_former && !is_group;
	return is_group || group->closed == group->created;
}

static bool
has_articles(const struct look *look, struct text name)
{
	struct text list;
	struct post_id id;
	uint64_t bucket;

	for (size_t i = 0; i < look->all.list_count; i++)
		if (key_parse(look->all.lists[i], &bucket, &id, &list) ==
			KEY_TIME &&
		    text_equal(list, name))
			return true;
	return false;
}

static enum store_result
examine_groups(struct look *look, const struct text *keys, size_t count,
    struct text *faults)
{
	struct arena *step = &look->step;
	struct pipeline pipeline = pipeline_begin(look->store->redis, step);

	for (size_t i = 0; i < count; i++) {
		struct text name = after_colon(keys[i]);

		pipeline_add(&pipeline, TEXT("EXISTS"), keys[i]);
		schema_ask(&pipeline, &group_schema, SCHEMA_WHOLE, keys[i]);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_GROUPS, name);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_FORMER, name);
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct reply *answers = &pipeline.replies[4 * i];
		struct text name = after_colon(keys[i]);
		struct group group = { .created = 0 };
		const char *why = NULL;
		bool is_group = answers[2].kind != REPLY_NIL;
		bool is_former = answers[3].kind != REPLY_NIL;
		bool is_whole = schema_read(
		    &group_schema, SCHEMA_WHOLE, &answers[1], &group);

		if (reply_number(&answers[0]) == 0)
			why = "is listed or has articles, and does not exist";
		else if (!is_whole || group.title.size == 0 ||
		    group.created == 0)
			why = "is only half there";
		else if (!is_listed_rightly(&group, is_group, is_former))
			why = "is not in the list of groups where it belongs";
		if (why != NULL && is_whole && group.into.size == 0 &&
		    !is_former && !has_articles(look, name)) {
			why = NULL;
			look->cut_short++;
		}
		if (why != NULL)
			faults[i] = text_format(step, "group \"%.*s\": it %s",
			    TEXT_ARGS(name), why);
	}
	return STORE_OK;
}

/* Groups that a list names, or into which articles are filed, but which were not found:
 * they are gone, or new. */
static enum store_result
examine_named(struct look *look, const struct text *keys, size_t count,
    struct text *faults)
{
	struct arena *step = &look->step;
	struct pipeline pipeline = pipeline_begin(look->store->redis, step);
	uint64_t buckets = look->store->buckets.count;
	size_t each = 3 + buckets;

	for (size_t i = 0; i < count; i++) {
		struct text name = after_colon(keys[i]);

		pipeline_add(&pipeline, TEXT("EXISTS"), keys[i]);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_GROUPS, name);
		pipeline_add(&pipeline, TEXT("ZSCORE"), KEY_FORMER, name);
		for (uint64_t b = 0; b < buckets; b++)
			pipeline_add(&pipeline, TEXT("EXISTS"),
			    key_time(step, &look->store->buckets, b, name));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		const struct reply *answers = &pipeline.replies[each * i];
		bool is_named = answers[1].kind != REPLY_NIL ||
		    answers[2].kind != REPLY_NIL;

		for (uint64_t b = 0; b < buckets; b++)
			is_named |= reply_number(&answers[3 + b]) == 1;
		if (reply_number(&answers[0]) == 0 && is_named)
			faults[i] = text_format(step,
			    "group \"%.*s\": it is listed or has articles, "
			    "and does not exist",
			    TEXT_ARGS(after_colon(keys[i])));
	}
	return STORE_OK;
}

static int
compare_keys(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* Each once. */
static size_t
sort_keys(struct text *keys, size_t count)
{
	size_t kept = 0;

	if (count > 0)
		qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || !text_equal(keys[i], keys[kept - 1]))
			keys[kept++] = keys[i];
	return kept;
}

/* The groups of the lists of articles, each bucket has some; and those of the lists of
 * groups. */
static enum store_result
check_named_groups(struct look *look)
{
	struct arena *memory = &look->memory;
	struct pipeline pipeline = pipeline_begin(look->store->redis, memory);
	struct buffer keys = buffer_in(memory, 1024);
	struct text key, list;
	struct post_id id;
	uint64_t bucket;

	pipeline_add(
	    &pipeline, TEXT("ZRANGE"), KEY_GROUPS, TEXT("0"), TEXT("-1"));
	pipeline_add(
	    &pipeline, TEXT("ZRANGE"), KEY_FORMER, TEXT("0"), TEXT("-1"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t r = 0; r < 2; r++)
		for (size_t i = 0; i < pipeline.replies[r].count; i++) {
			key = key_group(memory,
			    reply_text(reply_item(&pipeline.replies[r], i)));
			buffer_add(
			    &keys, (struct text){ (char *)&key, sizeof(key) });
		}
	for (size_t i = 0; i < look->all.list_count; i++)
		if (key_parse(look->all.lists[i], &bucket, &id, &list) ==
			KEY_TIME &&
		    list.size > 0 && list.data[0] != '@') {
			key = key_group(memory, list);
			buffer_add(
			    &keys, (struct text){ (char *)&key, sizeof(key) });
		}
	return examine_all(look, (struct text *)(void *)keys.data,
	    sort_keys(
		(struct text *)(void *)keys.data, keys.size / sizeof(key)),
	    examine_named);
}

/* Reads "7 1700000000", the article and until when; false when it is something else. */
static bool
read_claim(struct text claim, uint64_t *article, int64_t *closes)
{
	struct text word;

	return text_next_word(&claim, &word) && text_to_u64(word, article) &&
	    text_next_word(&claim, &word) && text_to_i64(word, closes);
}

/* What it claims for exists, until it is over. */
static enum store_result
examine_claim(
    struct look *look, struct text key, struct text claim, struct text *fault)
{
	struct arena *step = &look->step;
	const struct buckets *buckets = &look->store->buckets;
	struct pipeline pipeline = pipeline_begin(look->store->redis, step);
	struct place place = { .bucket = 0 };
	int64_t closes;

	if (!read_claim(claim, &place.id.article, &closes)) {
		*fault = text_format(step, "%.*s: \"%.*s\" is no claim",
		    TEXT_ARGS(key), TEXT_ARGS(claim));
		return STORE_OK;
	}
	place.bucket = key_bucket_of(buckets, place.id.article);
	if (closes <= look->all.began || keyscan_has_post(&look->all, &place))
		return STORE_OK;
	pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_post(step, buckets, place.id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (reply_number(&pipeline.replies[0]) == 0)
		*fault = text_format(step,
		    "%.*s: a link is claimed for article %" PRIu64
		    ", which does not exist",
		    TEXT_ARGS(key), place.id.article);
	return STORE_OK;
}

static enum store_result
examine_claims(struct look *look, const struct text *keys, size_t count,
    struct text *faults)
{
	struct pipeline pipeline =
	    pipeline_begin(look->store->redis, &look->step);
	enum store_result result = STORE_OK;

	for (size_t i = 0; i < count; i++)
		pipeline_add(&pipeline, TEXT("HVALS"), keys[i]);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0;
		    c < pipeline.replies[i].count && result == STORE_OK; c++)
			result = examine_claim(look, keys[i],
			    reply_text(reply_item(&pipeline.replies[i], c)),
			    &faults[i]);
	return result;
}

static void
check_counter(struct look *look, struct text key, const struct reply *counter,
    uint64_t highest)
{
	if ((uint64_t)reply_number(counter) < highest)
		look_report(look,
		    text_format(&look->step,
			"%.*s: it is %" PRId64 ", and %" PRIu64
			" was given out",
			TEXT_ARGS(key), reply_number(counter), highest));
}

/* The highest number of a bucket that some places have. */
static uint64_t
highest_in(struct look *look, enum keyscan_kind kind, uint64_t bucket)
{
	const struct places *places = &look->all.places[kind];
	uint64_t highest = 0;

	for (size_t i = places->count; i-- > 0 && highest == 0;)
		if (places->items[i].bucket == bucket)
			highest = key_number_in(&look->store->buckets, bucket,
			    places->items[i].id.article);
	return highest;
}

/* Nothing has a number that is still to be given out: it would be written over. */
static enum store_result
check_counters(struct look *look)
{
	const struct buckets *buckets = &look->store->buckets;
	const struct places *members = &look->all.places[KEYSCAN_MEMBERS];
	struct arena *memory = &look->memory;
	struct pipeline pipeline = pipeline_begin(look->store->redis, memory);

	pipeline_add(&pipeline, TEXT("GET"), KEY_USERS);
	for (uint64_t b = 0; b < buckets->count; b++) {
		pipeline_add(&pipeline, TEXT("GET"),
		    key_article_counter(memory, buckets, b));
		pipeline_add(&pipeline, TEXT("GET"),
		    key_mod_action_counter(memory, buckets, b));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (members->count > 0)
		check_counter(look, KEY_USERS, &pipeline.replies[0],
		    members->items[members->count - 1].id.article);
	for (uint64_t b = 0; b < buckets->count; b++) {
		const struct reply *counters = &pipeline.replies[1 + 2 * b];

		check_counter(look, key_article_counter(memory, buckets, b),
		    &counters[0], highest_in(look, KEYSCAN_ARTICLES, b));
		check_counter(look, key_mod_action_counter(memory, buckets, b),
		    &counters[1], highest_in(look, KEYSCAN_ACTS, b));
	}
	return STORE_OK;
}

STORE_CALL
registry_check(struct look *look)
{
	static const struct {
		enum keyscan_key kind;
		examine *examine;
	} rows[] = {
		{ KEYSCAN_NAMES, examine_names },
		{ KEYSCAN_GROUPS, examine_groups },
		{ KEYSCAN_CLAIMS, examine_claims },
	};
	enum store_result result = check_counters(look);

	for (size_t i = 0;
	    i < sizeof(rows) / sizeof(rows[0]) && result == STORE_OK; i++)
		result = examine_all(look, look->all.keys[rows[i].kind].items,
		    look->all.keys[rows[i].kind].count, rows[i].examine);
	if (result == STORE_OK)
		result = check_members(look);
	if (result == STORE_OK)
		result = check_named_groups(look);
	return result == STORE_OK ? check_moderators(look) : result;
}

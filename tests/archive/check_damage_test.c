/*
 * The check of a site that is damaged: every key of a small site, every field of its hashes
 * and every member of its sets is damaged in several ways, one at a time. The check runs to
 * its end each time, and reports what matters.
 */
#include <fnmatch.h>

#include "../support/commands.h"
#include "base/buffer.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/containment.h"
#include "store/flag.h"
#include "store/front_hour.h"
#include "store/hidden.h"
#include "store/image.h"
#include "store/keys.h"
#include "store/member_note.h"
#include "store/mod_decision.h"
#include "store/publisher_walk.h"

#define NOON_TEXT "1700000000"
/* More digits than any number has, and than fit into 64 bits. */
#define HUGE "99999999999999999999999"

#define DIGEST \
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

enum { ANN = 1, BOB, EVE, DAN };

static void
remove_post(struct world *world, struct post_id id, struct member author)
{
	const struct mod_action removal = { .what = TEXT("removed"),
		.by = { EVE, TEXT("eve") },
		.article = id.article,
		.comment = id.comment,
		.member = author,
		.reason = TEXT("Spam") };

	assert_int_equal(
	    post_remove(&world->store, &world->arena, id, &removal), STORE_OK);
}

/* Article 1 is in a group and interesting, and bob voted on it and flagged it; of its
 * comments 2 is deleted and 3 is removed, as article 2 is. */
static void
fill_posts(struct world *world)
{
	struct store *store = &world->store;
	struct arena *arena = &world->arena;

	world_post(world, ANN, "A", "http://a.b/1", "go");
	world_post(world, ANN, "B", "http://a.b/2", "");
	store->rules.interesting = 2;
	world_vote(world, 1, BOB, VOTE_UP);
	world_comment(world, article_id(1), BOB, "One");
	world_comment(world, article_id(1), BOB, "Two");
	world_comment(world, (struct post_id){ 1, 1 }, BOB, "Three");
	world_comment(world, (struct post_id){ 1, 1 }, ANN, "Four");
	assert_int_equal(
	    world_cast(store, arena, (struct post_id){ 1, 1 }, ANN, VOTE_DOWN),
	    STORE_OK);
	assert_int_equal(
	    post_delete(store, arena, (struct post_id){ 1, 2 }, BOB), STORE_OK);
	remove_post(world, (struct post_id){ 1, 3 },
	    (struct member){ BOB, TEXT("bob") });
	remove_post(world, article_id(2), (struct member){ ANN, TEXT("ann") });
	assert_int_equal(
	    flag_set(store, arena, article_id(1), BOB, FLAG_SPAM), STORE_OK);
}

/* Ann has two notices, and muted an article and a member. */
static void
fill_inbox(struct world *world)
{
	struct store *store = &world->store;
	struct pipeline pipeline = pipeline_begin(store->redis, &world->arena);

	for (uint64_t i = 1; i < 3; i++) {
		const struct notice notice = { .comment = { 1, i } };

		inbox_notify(&pipeline, ANN, &notice, 2);
	}
	assert_true(redis_run(&pipeline));
	assert_int_equal(
	    inbox_mark_read(store, &world->arena, ANN, 1), STORE_OK);
	assert_int_equal(inbox_mute(store, &world->arena, ANN, 1), STORE_OK);
	assert_int_equal(
	    hidden_add(store, &world->arena, ANN,
		&(struct hidden_rule){ .kind = HIDDEN_MEMBER, .id = BOB }),
	    STORE_OK);
	assert_int_equal(member_note_add(store, &world->arena, ANN,
			     &(struct member_note){
				 .by = BOB, .text = TEXT("Knows ropes.") }),
	    STORE_OK);
}

static void
set_optional_fields(struct world *world)
{
	const struct buckets *buckets = &world->store.buckets;
	const struct post_id ids[] = { { 1, 0 }, { 1, 1 } };
	const struct front_hour front = { NOON / FRONT_HOUR_SECONDS, { 1, 2 },
		2 };

	for (size_t i = 0; i < 2; i++)
		world_command(world, TEXT("HSET"),
		    key_post(&world->arena, buckets, ids[i]), TEXT("text"),
		    TEXT("Some text"), TEXT("edited"), TEXT(NOON_TEXT),
		    TEXT("links"), TEXT("@ann"), TEXT("ruling"), TEXT("Fine"));
	world_command(world, TEXT("HSET"),
	    key_post(&world->arena, buckets, ids[0]), TEXT("thread_closed"),
	    TEXT(NOON_TEXT), TEXT("reserved"), TEXT("4"));
	world_command(world, TEXT("HSET"),
	    key_versions(&world->arena, buckets, 0), PUBLISHER_WALK_FIELD,
	    TEXT("1700000000 0123456789abcdef"));
	world_command(world, TEXT("HSET"), key_settings(&world->arena, buckets),
	    TEXT("name"), TEXT("Site"));
	assert_int_equal(
	    front_hour_load(&world->store, &world->arena, &front), STORE_OK);
	assert_int_equal(image_set(&world->store, &world->arena, IMAGE_LOGO,
			     fixture_read_file(
				 &world->arena, "static/apple-touch-icon.png")),
	    STORE_OK);
}

/* What no function above writes. */
static void
fill_rest(struct world *world)
{
	static const char *const commands[][8] = {
		{ "HSET", "{u1}user", "trusted", NOON_TEXT, "suspended",
		    NOON_TEXT, "suspension", "Spam" },
		{ "HSET", "{u1}user", "invited_by", "eve", "invited", "bob",
		    "distrusted", NOON_TEXT },
		{ "HSET", "{u3}user", "role", "owner", "visits", "1" },
		{ "SADD", "moderators", "0", "3" },
		{ "SADD", "owners", "0", "3" },
		{ "HSET", "group:go", "by", "1 ann" },
		{ "HSET", "group:weiqi", "title", "Weiqi", "created", NOON_TEXT,
		    "closed", NOON_TEXT },
		{ "HSET", "group:weiqi", "into", "go" },
		{ "ZADD", "former", "0", "weiqi" },
		{ "HSET", "{u1}sessions", "secret",
		    NOON_TEXT " " NOON_TEXT " Firefox" },
		{ "HSET", "{u1}invites", "secret", NOON_TEXT },
		{ "HSET", "{u1}seen", "1", "4" },
		{ "HSET", "{u1}user", "factor",
		    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "factor_on", NOON_TEXT,
		    "factor_used", "56666666" },
		{ "SADD", "{u1}codes", DIGEST },
		{ "SET", "{u2}link", DIGEST, "EX", "86400" },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct text words[8];
		size_t count = 0;

		while (count < 8 && commands[i][count] != NULL) {
			words[count] = text_of(commands[i][count]);
			count++;
		}
		world_command_words(world, words, count);
	}
	set_optional_fields(world);
}

/* Eve decided on article 4 with others. */
static void
decide_with_others(struct world *world, struct member dan)
{
	struct mod_action removal = { .what = mod_action_words[MOD_REMOVED],
		.by = { EVE, TEXT("eve") },
		.reason = TEXT("Spam") };
	struct mod_decision decision = { .entry = removal };

	removal.article = 4;
	removal.member = dan;
	assert_int_equal(
	    mod_decision_add(&world->store, &world->arena, &decision, &removal),
	    STORE_OK);
	assert_int_equal(
	    post_remove(&world->store, &world->arena, article_id(4), &removal),
	    STORE_OK);
	assert_int_equal(mod_decision_count(
			     &world->store, &world->arena, &decision, &removal),
	    STORE_OK);
}

/* Then she contained dan: article 3, and his vote on article 1. */
static void
fill_containment(struct world *world)
{
	struct member dan = { world_member(world, "dan"), TEXT("dan") };
	struct containment containment = { .member = dan,
		.suspends = 1,
		.removes = CONTAINMENT_FOREVER,
		.votes = CONTAINMENT_VOID };

	world_post(world, DAN, "C", "http://a.b/3", "");
	world_post(world, DAN, "D", "http://a.b/4", "");
	world_vote(world, 1, DAN, VOTE_UP);
	decide_with_others(world, dan);
	assert_int_equal(
	    containment_start(&world->store, &world->arena, &containment,
		(struct mod_action){ .by = { EVE, TEXT("eve") },
		    .what = mod_action_words[MOD_CONTAINED],
		    .reason = TEXT("Spam") }),
	    STORE_OK);
	world_contain(world);
}

static int
set_up(void **state)
{
	struct world *world;

	world_setup(state);
	world = *state;
	world_stop_clock(world, NOON);
	world_member(world, "ann");
	world_member(world, "bob");
	world_member(world, "eve");
	world_group(world, "go");
	fill_posts(world);
	fill_inbox(world);
	fill_rest(world);
	fill_containment(world);
	commands_assert_whole(world);
	return 0;
}

/* The ways in which a value is damaged. */
enum damage { GONE, EMPTY, WORD, LARGE, NEGATIVE, HALF, OTHER_TYPE, DAMAGES };

static const char *const damage_names[] = { [GONE] = "gone",
	[EMPTY] = "empty",
	[WORD] = "word",
	[LARGE] = "large",
	[NEGATIVE] = "negative",
	[HALF] = "half",
	[OTHER_TYPE] = "of another type" };

/* Damage that no invariant excludes: keys and fields as patterns, and the damages. */
#define ONE(damage) (1U << (damage))
#define CHANGED	    (ONE(WORD) | ONE(LARGE) | ONE(NEGATIVE) | ONE(HALF))
#define ANY	    (ONE(GONE) | ONE(EMPTY) | CHANGED)
#define NO_NUMBER   (ONE(GONE) | ONE(HALF))
static const struct harmless {
	const char *key, *field;
	unsigned damages;
} harmless[] = {
	/* Each start reads it, and reports what is damaged. */
	{ "site", "*", ANY },
	/* Any text is one, and some are optional. */
	{ "group:*", "title", CHANGED },
	{ "group:*", "into", ANY },
	{ "{*}act:*", "reason", ANY },
	{ "{*}article:*", "title", CHANGED | ONE(EMPTY) },
	{ "{*}article:*", "url", ANY },
	{ "{*}article:*", "text", ANY },
	{ "{*}article:*", "links", ANY },
	{ "{*}article:*", "ruling", ANY },
	{ "{*}comment:*", "text", ANY },
	{ "{*}comment:*", "links", ANY },
	{ "{*}comment:*", "ruling", ANY },
	{ "{*}settings", "*", ANY },
	{ "{*}user", "password", CHANGED | ONE(EMPTY) },
	{ "{*}user", "suspension", ANY },
	{ "{*}user", "invited*", ANY },
	/* Half of a number is one, and half of "1 ann" has the id. */
	{ "group:*", "created", ONE(HALF) },
	{ "group:*", "by", NO_NUMBER },
	{ "group:*", "closed", NO_NUMBER },
	{ "{*}act:*", "by", ONE(HALF) },
	{ "{*}act:*", "article", ONE(GONE) },
	{ "{*}act:*", "comment", ONE(GONE) },
	{ "{*}act:*", "member", ONE(HALF) },
	/* Counts that the log shows, as far as they are known. */
	{ "{*}act:*", "articles", ONE(GONE) },
	{ "{*}act:*", "comments", ONE(GONE) },
	{ "{*}act:*", "members", ONE(GONE) },
	{ "{*}act:*", "votes", ONE(GONE) },
	{ "{*}article:*", "author", ONE(HALF) },
	{ "{*}article:*", "edited", NO_NUMBER },
	/* An earlier moment does no harm. */
	{ "{*}article:*", "front", ONE(HALF) },
	{ "{*}article:*", "reserved", ONE(GONE) },
	{ "{*}article:*", "removed", ONE(HALF) },
	{ "{*}article:*", "removed_by", NO_NUMBER },
	{ "{*}article:*", "thread_closed", NO_NUMBER },
	{ "{*}claims:*", "*", NO_NUMBER },
	{ "{*}comment:*", "author", ONE(HALF) },
	{ "{*}comment:*", "edited", NO_NUMBER },
	{ "{*}comment:*", "removed", ONE(HALF) },
	{ "{*}comment:*", "removed_by", NO_NUMBER },
	{ "{*}containment:*", "at", NO_NUMBER },
	{ "{*}containment:*", "by", NO_NUMBER },
	{ "{*}containment:*", "member", ONE(HALF) },
	{ "{*}containment:*", "suspends", ONE(GONE) },
	{ "{*}containment:*", "removes", ONE(GONE) },
	{ "{*}containment:*", "votes", ONE(GONE) | ONE(EMPTY) },
	{ "{*}containment:*", "seconds", ONE(GONE) | ONE(HALF) },
	/* Then it begins again. */
	{ "{*}containment:*", "cursor", ANY },
	{ "{*}containment:*", "reason", ANY },
	{ "{*}user", "created", ONE(HALF) },
	{ "{*}user", "distrusted", NO_NUMBER },
	{ "{*}user", "factor_on", ONE(HALF) },
	{ "{*}user", "factor_used", NO_NUMBER },
	{ "{*}user", "read", ONE(GONE) },
	{ "{*}user", "suspended", NO_NUMBER },
	{ "{*}user", "trusted", NO_NUMBER },
	{ "{*}user", "visits", ONE(GONE) },
	{ "{*}user", "votes", ONE(GONE) },
	/* Counts that begin again, and what expires or may be missing. */
	{ "moderators", "0", ONE(GONE) },
	{ "owners", "0", ONE(GONE) },
	{ "owners", "", ONE(GONE) },
	{ "{*}claims:*", "", ONE(GONE) },
	{ "{*}flaggers:*", "*", ANY },
	/* Half of the ids are ids. */
	{ "{*}front:*", "*", NO_NUMBER },
	{ "{*}image:*", "", ONE(GONE) },
	{ "{*}inbox", "*", ONE(GONE) },
	{ "{*}muted", "*", ONE(GONE) },
	{ "{*}hidden", "*", ONE(GONE) },
	/* Half of a note is one. */
	{ "{*}notes", "*", ONE(GONE) | ONE(HALF) },
	{ "{*}votes", "*", ONE(GONE) },
	{ "{*}codes", "*", ONE(GONE) },
	{ "{*}link", "", ONE(GONE) },
	{ "{*}outbox", "", ONE(GONE) },
	{ "{*}changes", "", ONE(GONE) },
	{ "{*}versions", "*", NO_NUMBER },
	{ "{*}voters:*", "", ONE(GONE) },
	/* What is not there is not taken back. */
	{ "{*}voters:*", "1000000000004", ONE(GONE) },
	{ "{*}contained:*", "*", ONE(GONE) },
	{ "{*}revoked:*", "*", ONE(GONE) },
	/* Act 1 is one. */
	{ "{0.0}contained:*", "*", ONE(NEGATIVE) },
	{ "{0.0}revoked:*", "*", ONE(NEGATIVE) },
	/* Of a member alone, and read with care. */
	{ "{*}invites", "*", ANY },
	{ "{*}seen", "*", ANY },
	{ "{*}sessions", "*", ANY },

};

static bool
is_harmless(
    struct world *world, struct text key, struct text field, enum damage damage)
{
	const char *name = text_string(&world->arena, key);
	const char *part = text_string(&world->arena, field);

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if ((harmless[i].damages & 1U << damage) != 0 &&
		    fnmatch(harmless[i].key, name, 0) == 0 &&
		    fnmatch(harmless[i].field, part, 0) == 0)
			return true;
	return false;
}

static struct text
damaged(struct text value, enum damage damage)
{
	switch (damage) {
	case WORD:
		return TEXT("x");
	case LARGE:
		return TEXT(HUGE);
	case NEGATIVE:
		return TEXT("-1");
	case HALF:
		return text_slice(value, 0, value.size / 2);
	default:
		return TEXT("");
	}
}

/* A key, or a field or member of it, with its value, while it is damaged. */
struct patient {
	struct world *world;
	struct text key, field, value;
	struct buffer *missed; /* what the check did not bear or report */
};

static void
check_patient(const struct patient *patient, enum damage damage)
{
	struct world *world = patient->world;
	struct outcome outcome = commands_check(world);
	bool ends = text_find(outcome.out, 0, TEXT(" break")) != SIZE_MAX &&
	    outcome.errors.size == 0;
	bool is_clear =
	    text_find(outcome.out, 0, TEXT("cannot be examined")) == SIZE_MAX;
	bool is_reported = outcome.status != 0 ||
	    is_harmless(world, patient->key, patient->field, damage);
	struct text what;

	if (ends && is_clear && is_reported)
		return;
	what = text_format(&world->arena, "%.*s %.*s, %s: %s\n%.*s%.*s",
	    TEXT_ARGS(patient->key), TEXT_ARGS(patient->field),
	    damage_names[damage],
	    !ends	    ? "stopped"
		: !is_clear ? "is not clear"
			    : "is not reported",
	    TEXT_ARGS(outcome.errors),
	    TEXT_ARGS(!is_clear ? outcome.out : TEXT("")));
	buffer_add(patient->missed, what);
}

/* Half of a short value, or -1, may be what was there. */
static bool
is_changed(const struct patient *patient, struct text before)
{
	struct reply now =
	    world_command(patient->world, TEXT("DUMP"), patient->key);

	return !text_equal(reply_text(&now), before);
}

/* Damages a part of a key in all ways, with a function that makes one damage; the key is
 * restored each time. */
static void
damage_all(const struct patient *patient, enum damage last,
    void (*make)(const struct patient *patient, enum damage damage))
{
	struct world *world = patient->world;
	struct text before =
	    world_command(world, TEXT("DUMP"), patient->key).text;
	int64_t expires =
	    world_command(world, TEXT("PTTL"), patient->key).number;

	for (enum damage damage = GONE; damage <= last; damage++) {
		make(patient, damage);
		if (is_changed(patient, before))
			check_patient(patient, damage);
		world_command(world, TEXT("RESTORE"), patient->key,
		    text_number(&world->arena, expires > 0 ? expires : 0),
		    before, TEXT("REPLACE"));
	}
}

static void
damage_field(const struct patient *patient, enum damage damage)
{
	struct world *world = patient->world;

	if (damage == GONE)
		world_command(
		    world, TEXT("HDEL"), patient->key, patient->field);
	else
		world_command(world, TEXT("HSET"), patient->key, patient->field,
		    damaged(patient->value, damage));
}

static void
damage_member(const struct patient *patient, enum damage damage)
{
	struct world *world = patient->world;

	world_command(world, TEXT("SREM"), patient->key, patient->field);
	if (damage != GONE)
		world_command(world, TEXT("SADD"), patient->key,
		    damaged(patient->field, damage));
}

static void
damage_entry(const struct patient *patient, enum damage damage)
{
	struct world *world = patient->world;

	world_command(world, TEXT("ZREM"), patient->key, patient->field);
	if (damage != GONE)
		world_command(world, TEXT("ZADD"), patient->key, patient->value,
		    damaged(patient->field, damage));
}

static void
damage_score(const struct patient *patient, enum damage damage)
{
	static const char *const scores[] = { [GONE] = "inf",
		[EMPTY] = "-inf",
		[WORD] = "0.5",
		[LARGE] = "1e300",
		[NEGATIVE] = "-1",
		[HALF] = "1e17" };

	world_command(patient->world, TEXT("ZADD"), patient->key,
	    text_of(scores[damage]), patient->field);
}

static void
damage_key(const struct patient *patient, enum damage damage)
{
	struct world *world = patient->world;
	bool is_string = patient->value.data != NULL;

	world_command(world, TEXT("DEL"), patient->key);
	if (damage == OTHER_TYPE && is_string)
		world_command(world, TEXT("RPUSH"), patient->key, TEXT("word"));
	else if (damage != GONE)
		world_command(world, TEXT("SET"), patient->key,
		    damaged(patient->value, damage));
}

static struct buffer
begin_missed(struct world *world)
{
	return buffer_in(&world->arena, 4096);
}

static void
assert_nothing_missed(struct buffer *missed)
{
	if (missed->size > 0) {
		fwrite(missed->data, 1, missed->size, stderr);
		fail_msg("some damage stops the check or is not reported");
	}
}

/* Calls a function with each key of a type. */
static void
visit_keys(struct world *world, const char *type, struct buffer *missed,
    void (*visit)(struct patient *patient))
{
	struct text keys = world_keys(world, "*"), key;

	while (text_next_word(&keys, &key)) {
		struct patient patient = {
			.world = world, .key = key, .missed = missed
		};

		if (text_equal(world_command(world, TEXT("TYPE"), key).text,
			text_of(type)))
			visit(&patient);
	}
}

static void
damage_fields(struct patient *patient)
{
	struct reply pairs =
	    world_command(patient->world, TEXT("HGETALL"), patient->key);

	for (size_t i = 0; i + 1 < pairs.count; i += 2) {
		patient->field = reply_text(reply_item(&pairs, i));
		patient->value = reply_text(reply_item(&pairs, i + 1));
		damage_all(patient, HALF, damage_field);
	}
}

static void
damage_members(struct patient *patient)
{
	struct reply members =
	    world_command(patient->world, TEXT("SMEMBERS"), patient->key);

	for (size_t i = 0; i < members.count; i++) {
		patient->field = reply_text(reply_item(&members, i));
		damage_all(patient, HALF, damage_member);
	}
}

static void
damage_entries(struct patient *patient)
{
	struct reply entries = world_command(patient->world, TEXT("ZRANGE"),
	    patient->key, TEXT("0"), TEXT("-1"), TEXT("WITHSCORES"));

	for (size_t i = 0; i + 1 < entries.count; i += 2) {
		patient->field = reply_text(reply_item(&entries, i));
		patient->value = reply_text(reply_item(&entries, i + 1));
		damage_all(patient, HALF, damage_entry);
		damage_all(patient, HALF, damage_score);
	}
}

static void
damage_string(struct patient *patient)
{
	patient->value =
	    world_command(patient->world, TEXT("GET"), patient->key).text;
	damage_all(patient, OTHER_TYPE, damage_key);
}

static void
change_type(struct patient *patient)
{
	damage_all(patient, OTHER_TYPE, damage_key);
}

static void
damaged_hashes_are_reported(void **state)
{
	struct buffer missed = begin_missed(*state);

	visit_keys(*state, "hash", &missed, damage_fields);
	assert_nothing_missed(&missed);
}

static void
damaged_sets_are_reported(void **state)
{
	struct buffer missed = begin_missed(*state);

	visit_keys(*state, "set", &missed, damage_members);
	visit_keys(*state, "zset", &missed, damage_entries);
	assert_nothing_missed(&missed);
}

static void
damaged_strings_are_reported(void **state)
{
	struct buffer missed = begin_missed(*state);

	visit_keys(*state, "string", &missed, damage_string);
	assert_nothing_missed(&missed);
}

static void
keys_that_are_gone_or_of_another_type_are_reported(void **state)
{
	static const char *const types[] = { "hash", "set", "zset", "list",
		"stream" };
	struct buffer missed = begin_missed(*state);

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		visit_keys(*state, types[i], &missed, change_type);
	assert_nothing_missed(&missed);
}

/* What is derived: keys and fields as patterns. */
static const struct {
	const char *key, *field;
} derived[] = {
	{ "{*}time*", "*" },
	{ "{*}score*", "*" },
	{ "{*}interesting", "*" },
	{ "{*}comments*", "*" },
	{ "{*}gone*", "*" },
	{ "{*}queue", "*" },
	{ "{*}log*", "*" },
	{ "{*}karma", "*" },
	{ "{*}versions", "*" },
	{ "{*}claims*", "*" },
	{ "{*}articles", "*" },
	{ "{*}acts", "*" },
	{ "{*}containments", "*" },
	{ "{*}article:1", "up" },
	{ "{*}article:1", "down" },
	{ "{*}article:1", "comment*" },
	{ "users", "*" },
	{ "groups", "*" },
	{ "former", "*" },
	{ "name:*", "*" },
	{ "moderators", "3" },
	{ "owners", "3" },
};

static bool
is_derived(struct world *world, struct text key, struct text field)
{
	const char *name = text_string(&world->arena, key);
	const char *part = text_string(&world->arena, field);

	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		if (fnmatch(derived[i].key, name, 0) == 0 &&
		    fnmatch(derived[i].field, part, 0) == 0)
			return true;
	return false;
}

typedef void damage_one(const struct patient *patient, enum damage damage);

/* Damages each part of a key that is derived; pairs are parts with values, or step is 1. */
static void
damage_parts(struct patient patient, struct reply parts, size_t step,
    enum damage damage, damage_one *make)
{
	for (size_t i = 0; i + step <= parts.count; i += step) {
		patient.field = reply_text(reply_item(&parts, i));
		patient.value = reply_text(reply_item(&parts, i + step - 1));
		if (is_derived(patient.world, patient.key, patient.field))
			make(&patient, damage);
	}
}

static void
damage_derived_key(
    struct world *world, struct text key, enum damage damage, bool of_scores)
{
	const struct patient patient = { .world = world, .key = key };
	struct text type = world_command(world, TEXT("TYPE"), key).text;

	if (text_equal(type, TEXT("hash")))
		damage_parts(patient,
		    world_command(world, TEXT("HGETALL"), key), 2, damage,
		    damage_field);
	else if (text_equal(type, TEXT("set")))
		damage_parts(patient,
		    world_command(world, TEXT("SMEMBERS"), key), 1, damage,
		    damage_member);
	else if (text_equal(type, TEXT("zset")))
		damage_parts(patient,
		    world_command(world, TEXT("ZRANGE"), key, TEXT("0"),
			TEXT("-1"), TEXT("WITHSCORES")),
		    2, damage, of_scores ? damage_score : damage_entry);
	else if (text_equal(type, TEXT("string")))
		damage_parts(patient, world_command(world, TEXT("MGET"), key),
		    1, damage, damage_key);
}

static void
assert_repaired(struct world *world, struct text before)
{
	struct outcome outcome = commands_repair(world);

	if (outcome.status != 0)
		fwrite(outcome.out.data, 1, outcome.out.size, stderr);
	assert_text(outcome.errors, "");
	assert_has(outcome.out, "\n0 breaks\n");
	assert_int_equal(outcome.status, 0);
	commands_assert_whole(world);
	assert_same(commands_dump(world).out, before);
}

/* Everything at once, in each way. */
static void
what_is_derived_is_repaired(void **state)
{
	struct world *world = *state;
	struct text before = commands_dump(world).out;

	for (int of_scores = 0; of_scores < 2; of_scores++)
		for (enum damage damage = GONE; damage <= HALF; damage++) {
			struct text keys = world_keys(world, "*"), key;

			while (text_next_word(&keys, &key))
				damage_derived_key(
				    world, key, damage, of_scores);
			assert_int_not_equal(commands_check(world).status, 0);
			assert_repaired(world, before);
		}
}

static void
keys_of_another_type_are_repaired(void **state)
{
	struct world *world = *state;
	struct text before = commands_dump(world).out;

	for (int is_gone = 0; is_gone < 2; is_gone++) {
		struct text keys = world_keys(world, "*"), key;
		struct patient patient = { .world = world };

		while (text_next_word(&keys, &key)) {
			patient.key = key;
			/* Counts of changes are not derived. */
			if (is_derived(world, key, TEXT("")) &&
			    text_find(key, 0, TEXT("versions")) == SIZE_MAX)
				damage_key(
				    &patient, is_gone ? GONE : OTHER_TYPE);
		}
		assert_repaired(world, before);
	}
}

/* Entries that belong elsewhere, or are of nobody and nothing, are in every list. */
static void
extra_entries_are_removed(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct text before = commands_dump(world).out;
	struct text lists = world_keys(world, "{*}*"), key;
	const struct text extra[] = { encode_post(arena, article_id(1)),
		encode_post(arena, article_id(2)),
		encode_post(arena, article_id(99)),
		encode_post(arena, (struct post_id){ 1, 1 }),
		encode_post(arena, (struct post_id){ 1, 3 }),
		encode_post(arena, (struct post_id){ 99, 1 }), TEXT("word") };

	while (text_next_word(&lists, &key))
		for (size_t i = 0; i < sizeof(extra) / sizeof(extra[0]); i++)
			if (text_equal(key_type(key), TEXT("zset")) &&
			    text_find(key, 0, TEXT("inbox")) == SIZE_MAX &&
			    text_find(key, 0, TEXT("}votes")) == SIZE_MAX)
				world_command(world, TEXT("ZADD"), key,
				    TEXT("7"), extra[i]);
	world_command(world, TEXT("ZADD"), TEXT("groups"), TEXT("0"),
	    TEXT("weiqi"), TEXT("0"), TEXT("nothing"));
	world_command(
	    world, TEXT("ZADD"), TEXT("former"), TEXT("0"), TEXT("go"));
	world_command(world, TEXT("SADD"), TEXT("moderators"), TEXT("2"),
	    TEXT("99"), TEXT("x"));
	world_command(
	    world, TEXT("SADD"), TEXT("owners"), TEXT("2"), TEXT("99"));
	world_command(world, TEXT("SET"), TEXT("name:zed"), TEXT("2"));
	world_command(world, TEXT("SET"), TEXT("name:nobody"), TEXT("99"));
	world_command(world, TEXT("HSET"),
	    key_karma(arena, &world->store.buckets, 0), TEXT("99"), TEXT("5"));
	world_command(
	    world, TEXT("ZADD"), TEXT("{u1}inbox"), TEXT("2"), TEXT("word"));
	world_command(world, TEXT("ZADD"), TEXT("{u2}votes"), TEXT("7"),
	    extra[2], TEXT("7"), extra[5], TEXT("7"), extra[6]);
	world_command(world, TEXT("ZADD"), TEXT("{u2}saved"), TEXT("7"),
	    extra[2], TEXT("7"), extra[5], TEXT("7"), extra[6]);
	world_command(world, TEXT("SADD"), TEXT("{u1}muted"), TEXT("word"),
	    TEXT("99"), TEXT("@1"), TEXT("@99"));
	world_command(world, TEXT("ZADD"), TEXT("{u1}hidden"), TEXT("5"),
	    TEXT("word"), TEXT("5"), TEXT("99"), TEXT("5"), TEXT("@1"),
	    TEXT("5"), TEXT("@99"), TEXT("0"), TEXT("g/go"));
	assert_repaired(world, before);
}

/* What can be taken back for a day is found, and forgotten after it. */
static void
containments_are_repaired(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text before = commands_dump(world).out;
	struct text open = key_containments(arena, buckets);
	struct text record = world_keys(world, "{*}containment:*");
	struct text lists = world_keys(world, "{*}*ed:@4"), list;

	world_command(world, TEXT("DEL"), open);
	assert_repaired(world, before);
	assert_int_equal(world_command(world, TEXT("SCARD"), open).number, 1);
	world_command(world, TEXT("PERSIST"), record);
	while (text_next_word(&lists, &list))
		world_command(world, TEXT("PERSIST"), list);
	assert_repaired(world, before);
	assert_int_not_equal(
	    world_command(world, TEXT("TTL"), record).number, -1);
	/* The relay forgets it, and the check does so where that does not. */
	world_stop_clock(world, NOON + 86400 + 60);
	world_command(world, TEXT("DEL"), record);
	commands_assert_whole(world);
	world_stop_clock(world, NOON + 2 * 86400);
	assert_has(commands_check(world).out,
	    "it has expired, and is among those that may be taken back\n");
	assert_repaired(world, before);
	assert_int_equal(world_command(world, TEXT("SCARD"), open).number, 0);
}

/* An act that nobody can take back is that of no record. */
static void
entries_of_no_act_are_removed(void **state)
{
	struct world *world = *state;
	struct text before = commands_dump(world).out;
	struct text lists = world_keys(world, "{*}*ed:@4"), list;

	while (text_next_word(&lists, &list)) {
		struct reply posts = world_command(
		    world, TEXT("ZRANGE"), list, TEXT("0"), TEXT("-1"));

		assert_int_equal(posts.count, 1);
		world_command(world, TEXT("ZADD"), list, TEXT("-4000"),
		    reply_text(reply_item(&posts, 0)));
	}
	assert_has(commands_check(world).out,
	    "act 4000, which changed 3, is not in the log\n");
	assert_repaired(world, before);
	assert_int_equal(world_keys(world, "{*}*ed:@4").size, 0);
}

static void
decisions_are_loaded_from_a_backup(void **state)
{
	struct world *world = *state;
	struct text backup, lists = world_keys(world, "{*}log:%*");
	struct text decision, before;
	struct outcome outcome;
	uint64_t act;

	world_command(world, TEXT("HDEL"),
	    key_post(&world->arena, &world->store.buckets, article_id(1)),
	    TEXT("text"));
	world_command(world, TEXT("DEL"),
	    key_settings(&world->arena, &world->store.buckets));
	backup = commands_dump(world).out;
	assert_true(text_next_word(&lists, &decision));
	text_cut(&decision, '%', &before);
	assert_true(text_to_u64(decision, &act));
	world_command(world, TEXT("DEL"),
	    key_mod_action(&world->arena, &world->store.buckets, act));
	outcome = commands_repair(world);
	assert_int_equal(outcome.status, 1);
	assert_has(
	    outcome.out, ": it does not exist, but others are parts of it\n");
	commands_load(world, backup, LOAD_KEEP_GOING);
	assert_repaired(world, backup);
}

/* A kill between a part of a decision and its count. */
static void
counts_of_decisions_are_repaired(void **state)
{
	struct world *world = *state;
	struct text lists = world_keys(world, "{*}log:%*"), decision, before;
	struct text dump = commands_dump(world).out, key;
	uint64_t act;

	assert_true(text_next_word(&lists, &decision));
	text_cut(&decision, '%', &before);
	assert_true(text_to_u64(decision, &act));
	key = key_mod_action(&world->arena, &world->store.buckets, act);
	world_command(world, TEXT("HSET"), key, TEXT("articles"), TEXT("0"));
	/* It may be at it. */
	assert_has(commands_check(world).out, "\n0 breaks\n");
	world_move_clock(world, 61);
	assert_has(commands_check(world).out,
	    text_string(&world->arena,
		text_format(&world->arena,
		    "act %llu: it counts 0 articles and 0 comments; its parts "
		    "are on 1 and 0\n",
		    (unsigned long long)act)));
	assert_repaired(world, dump);
}

/* The state in a comment's record, the queue, and the count of notifications. */
static void
what_no_list_shows_is_repaired(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text before = commands_dump(world).out;

	for (int number = 1; number <= 4; number++)
		world_command(world, TEXT("SETBIT"),
		    key_thread(arena, buckets, 1),
		    text_number(arena, 128 * number + 31),
		    number == 3 ? TEXT("0") : TEXT("1"));
	world_command(world, TEXT("SREM"),
	    key_voters(arena, buckets, article_id(1)), TEXT("0"));
	world_command(
	    world, TEXT("PERSIST"), key_voters(arena, buckets, article_id(1)));
	assert_repaired(world, before);
}

/* Comment 1 was edited since the backup, and voted on; comments 3 and 4 answer it. */
static void
assert_restored(struct world *world, struct text backup)
{
	struct text before = commands_dump(world).out;
	struct text thread =
	    key_thread(&world->arena, &world->store.buckets, 1);
	const struct text lost = { "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16 };
	struct outcome outcome;

	for (int is_whole = 0; is_whole < 2; is_whole++) {
		if (is_whole)
			world_command(world, TEXT("DEL"), thread);
		else
			world_command(
			    world, TEXT("SETRANGE"), thread, TEXT("16"), lost);
		assert_int_equal(commands_dump(world).status, 1);
		outcome = commands_repair(world);
		assert_int_equal(outcome.status, 1);
		assert_has(outcome.out,
		    "comment 1:1: its thread has no record of it\n");
		assert_has(outcome.out, "tally load --keep-going");
		outcome = commands_load(world, backup, LOAD_KEEP_GOING);
		assert_has(outcome.errors,
		    is_whole ? "4 comments (0 already there)"
			     : "1 comment (3 already there)");
		assert_repaired(world, before);
	}
}

static void
lost_records_are_loaded_from_a_backup(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct post_id id = { 1, 1 };
	struct text backup;

	/* What set_up added can be dumped, and not be loaded. */
	world_command(world, TEXT("HDEL"),
	    key_post(arena, &world->store.buckets, article_id(1)),
	    TEXT("text"));
	world_command(
	    world, TEXT("DEL"), key_settings(arena, &world->store.buckets));
	backup = commands_dump(world).out;
	world_command(world, TEXT("HSET"),
	    key_post(arena, &world->store.buckets, id), TEXT("text"),
	    TEXT("Edited"));
	assert_int_equal(
	    world_cast(&world->store, arena, id, EVE, VOTE_UP), STORE_OK);
	assert_int_equal(
	    flag_set(&world->store, arena, id, EVE, FLAG_SPAM), STORE_OK);
	assert_restored(world, backup);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(damaged_hashes_are_reported),
		TEST(damaged_sets_are_reported),
		TEST(damaged_strings_are_reported),
		TEST(keys_that_are_gone_or_of_another_type_are_reported),
		TEST(what_is_derived_is_repaired),
		TEST(keys_of_another_type_are_repaired),
		TEST(extra_entries_are_removed),
		TEST(containments_are_repaired),
		TEST(entries_of_no_act_are_removed),
		TEST(decisions_are_loaded_from_a_backup),
		TEST(counts_of_decisions_are_repaired),
		TEST(what_no_list_shows_is_repaired),
		TEST(lost_records_are_loaded_from_a_backup),
	};

	return world_run("check_damage", tests);
}

/* The layout of the data, in C and in functions. */
#include <string.h>
#include <time.h>

#include "../support/world.h"
#include "redis/cluster.h"
#include "store/article.h"
#include "store/keys.h"
#include "store/library.h"

/* Functions that return what the Lua side makes of their arguments. */
static const char probes[] =
    "local complete_post, split_key = import('complete_post', 'split_key')\n"
    "local encode_id, decode_id = import('encode_id', 'decode_id')\n"
    "local time_lists = import('time_lists')\n"
    "redis.register_function('probe_keys', function(keys)\n"
    "	local _, kind = split_key(keys[1])\n"
    "	local p = complete_post(keys[1], { 'author', '17 ann' }, 1)\n"
    "	return { kind, p.voters, p.karma, p.versions,\n"
    "		encode_id(p.id), decode_id(encode_id(p.id)) }\n"
    "end)\n"
    "redis.register_function('probe_key', function(_, args)\n"
    "	local key = import(args[1])\n"
    "	return key(args[2], args[3] ~= '' and args[3] or nil)\n"
    "end)\n"
    "redis.register_function('probe_lists', function(keys, args)\n"
    "	local p = complete_post(keys[1], { 'author', args[1], 'groups', args[2],\n"
    "		'scores', args[3], 'from', args[4] }, 1)\n"
    "	return { time_lists(p), p.kind.vote_keys(p) }\n"
    "end)\n";

static void
load_probes(struct world *world)
{
	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    text_join(&world->arena, text_of(library_code), text_of(probes)));
}

static void
check_keys(struct world *world, struct post_id id)
{
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t bucket = key_bucket_of(buckets, id.article);
	const struct text expected[] = { id.comment == 0 ? TEXT("article")
							 : TEXT("comment"),
		key_voters(arena, buckets, id),
		key_karma(arena, buckets, bucket),
		key_versions(arena, buckets, bucket), encode_post(arena, id),
		key_post_name(arena, id) };
	struct reply answer = world_command(world, TEXT("FCALL"),
	    TEXT("probe_keys"), TEXT("1"), key_post(arena, buckets, id));

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_same(reply_text(reply_item(&answer, i)), expected[i]);
}

static void
lua_derives_the_same_keys(void **state)
{
	struct world *world = *state;
	const uint64_t ids[] = { 1, 2, 3, 4, 7, 999, 1000000, 123456789,
		99999999999, 999999999999 };

	load_probes(world);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		check_keys(world, article_id(ids[i]));
}

static void
lua_derives_the_same_keys_of_a_comment(void **state)
{
	struct world *world = *state;
	const struct post_id ids[] = { { 7, 3 }, { 1, 1 }, { 4, 1000000 },
		{ 127, 127 }, { 128, 128 }, { 16383, 16384 },
		{ 2097151, 2097152 }, { 268435456, 0xffffff },
		{ 999999999999, 999 } };

	load_probes(world);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		check_keys(world, ids[i]);
}

static void
comment_has_its_keys_beside_its_article(void **state)
{
	struct buckets buckets = key_buckets(*state, 4);
	const struct post_id id = { 7, 3 };

	assert_text(key_post(*state, &buckets, id), "{3.3}comment:7:3");
	assert_text(key_voters(*state, &buckets, id), "{3.3}voters:7:3");
	assert_text(
	    key_post(*state, &buckets, article_id(7)), "{3.3}article:7");
}

static void
check_lists(
    const struct reply *lists, const struct text *expected, size_t count)
{
	assert_int_equal(lists->count, count);
	for (size_t i = 0; i < count; i++)
		assert_same(lists->items[i].text, expected[i]);
}

static void
lua_names_the_same_lists(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t b = key_bucket_of(buckets, 7);
	const struct text time[] = { key_time(arena, buckets, b,
					 key_list_of_author(arena, 17)),
		key_time(arena, buckets, b, TEXT("")),
		key_time(arena, buckets, b, TEXT("aa")),
		key_time(arena, buckets, b, TEXT("b-2")) };
	const struct text score[] = { key_score(arena, buckets, b, TEXT("")),
		key_score(arena, buckets, b, TEXT("aa")),
		key_score(arena, buckets, b, TEXT("b-2")),
		key_in_bucket(arena, buckets, b, KEY_SCORE2, TEXT("")),
		key_in_bucket(arena, buckets, b, KEY_SCORE2, TEXT("aa")),
		key_in_bucket(arena, buckets, b, KEY_SCORE2, TEXT("b-2")) };
	const struct text from[] = { key_time(arena, buckets, b,
					 key_list_of_publisher(
					     arena, TEXT("a.example/b"))),
		key_time(arena, buckets, b,
		    key_list_of_publisher(arena, TEXT("a.example"))),
		time[0], time[1] };
	struct reply answer;

	load_probes(world);
	answer = world_command(world, TEXT("FCALL"), TEXT("probe_lists"),
	    TEXT("1"), key_post(arena, buckets, article_id(7)), TEXT("17 ann"),
	    TEXT("aa b-2"));
	check_lists(reply_item(&answer, 0), time, 4);
	check_lists(reply_item(&answer, 1), score, 3);
	answer = world_command(world, TEXT("FCALL"), TEXT("probe_lists"),
	    TEXT("1"), key_post(arena, buckets, article_id(7)), TEXT("17 ann"),
	    TEXT("aa b-2"), TEXT("score 432 score2 864"));
	check_lists(reply_item(&answer, 1), score, 6);
	answer = world_command(world, TEXT("FCALL"), TEXT("probe_lists"),
	    TEXT("1"), key_post(arena, buckets, article_id(7)), TEXT("17 ann"),
	    TEXT(""), TEXT("score 432"), TEXT("a.example/b"));
	check_lists(reply_item(&answer, 0), from, 4);
}

/* A key of each form that functions make from the table, and those that they spell or
 * compose themselves. */
static void
lua_spells_keys_as_c_does(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	const uint64_t b = key_bucket_of(buckets, 7);
	const struct text tag = buckets->tags[b], user = key_user(arena, 17);
	const struct text author = key_list_of_author(arena, 17);
	const struct post_id id = { 7, 3 };
	/* A containment is in bucket 0. */
	const uint64_t act = 5 * buckets->count;
	const struct {
		const char *maker;
		struct text from, argument, key;
	} rows[] = {
		{ "karma_key", tag, TEXT(""), key_karma(arena, buckets, b) },
		{ "mod_action_counter_key", tag, TEXT(""),
		    key_mod_action_counter(arena, buckets, b) },
		{ "thread_key", tag, TEXT("7"), key_thread(arena, buckets, 7) },
		{ "flags_key", tag, TEXT("7:3"),
		    key_flags(arena, buckets, id) },
		{ "time_key", tag, TEXT(""),
		    key_time(arena, buckets, b, TEXT("")) },
		{ "score_key", tag, TEXT("aa"),
		    key_score(arena, buckets, b, TEXT("aa")) },
		{ "score2_key", tag, TEXT("aa"),
		    key_in_bucket(arena, buckets, b, KEY_SCORE2, TEXT("aa")) },
		{ "points_key", tag, TEXT("aa"),
		    key_in_bucket(arena, buckets, b, KEY_POINTS, TEXT("aa")) },
		{ "month_key", tag, TEXT("2026-11/aa"),
		    key_in_bucket(arena, buckets, b, KEY_MONTH,
			key_list_of_month(
			    arena, TEXT("2026-11"), TEXT("aa"))) },
		{ "month_key", tag, TEXT("2026-11"),
		    key_in_bucket(arena, buckets, b, KEY_MONTH,
			key_list_of_month(arena, TEXT("2026-11"), TEXT(""))) },
		{ "time_key", tag, TEXT("aa"),
		    key_time(arena, buckets, b, TEXT("aa")) },
		{ "image_key", buckets->tags[0], TEXT("logo"),
		    key_image(arena, buckets, TEXT("logo")) },
		{ "inbox_key", user, TEXT(""), key_inbox(arena, 17) },
		{ "read_marks_key", user, TEXT(""), key_read_marks(arena, 17) },
		{ "post_key", tag, TEXT("7"),
		    key_post(arena, buckets, article_id(7)) },
		{ "post_key", tag, TEXT("7:3"), key_post(arena, buckets, id) },
		{ "author_articles_key", tag, TEXT("17"),
		    key_time(arena, buckets, b, author) },
		{ "publisher_articles_key", tag, TEXT("a.example"),
		    key_time(arena, buckets, b,
			key_list_of_publisher(arena, TEXT("a.example"))) },
		{ "author_comments_key", tag, TEXT("17"),
		    key_comments(arena, buckets, b, author) },
		{ "author_removed_key", tag, TEXT("17"),
		    key_removed(arena, buckets, b, author) },
		{ "log_of_kind_key", tag, TEXT("removed"),
		    key_log(arena, buckets, b,
			key_log_of_kind(arena, TEXT("removed"))) },
		{ "log_of_member_key", tag, TEXT("17"),
		    key_log(arena, buckets, b, key_log_of_member(arena, 17)) },
		{ "log_of_moderator_key", tag, TEXT("17"),
		    key_log(
			arena, buckets, b, key_log_of_moderator(arena, 17)) },
		{ "log_of_decision_key", tag, TEXT("21"),
		    key_log(
			arena, buckets, b, key_log_of_decision(arena, 21)) },
		{ "log_of_parts_by_key", tag, TEXT("17"),
		    key_log(
			arena, buckets, b, key_log_of_parts_by(arena, 17)) },
		{ "containment_key", buckets->tags[0],
		    text_number(arena, (int64_t)act),
		    key_containment(arena, buckets, act) },
		{ "containments_key", buckets->tags[0], TEXT(""),
		    key_containments(arena, buckets) },
		{ "contained_key", tag, author,
		    key_in_bucket(arena, buckets, b, KEY_CONTAINED, author) },
		{ "revoked_key", tag, author,
		    key_in_bucket(arena, buckets, b, KEY_REVOKED, author) },
		{ "comment_id", TEXT("7"), TEXT("3"),
		    key_post_name(arena, id) },
		{ "owner_link_key", KEY_OWNERS, TEXT("0f"),
		    key_owner_link(arena, TEXT("0f")) },
		{ "owner_claim_key", KEY_OWNERS, TEXT(""), KEY_OWNER_CLAIM },
		{ "lease_key", KEY_SITE, TEXT("4"),
		    key_lease(arena, TEXT("4")) },
	};

	load_probes(world);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reply key = world_command(world, TEXT("FCALL"),
		    TEXT("probe_key"), TEXT("0"), text_of(rows[i].maker),
		    rows[i].from, rows[i].argument);

		assert_same(reply_text(&key), rows[i].key);
	}
}

/* Of the first and the last second of each month, and of some others. */
static void
lua_finds_the_same_months(void **state)
{
	enum { LAST = 9999 * 12 };
	struct world *world = *state;
	struct arena *arena = &world->arena;

	load_probes(world);
	for (int month = 1970 * 12; month < LAST;
	    month += month < 2110 * 12 ? 1 : 97) {
		struct tm date = { .tm_year = month / 12 - 1900,
			.tm_mon = month % 12,
			.tm_mday = 1 };
		int64_t first = timegm(&date);

		for (int64_t at = first > 0 ? first - 1 : 0; at <= first;
		    at++) {
			struct reply answer = world_command(world,
			    TEXT("FCALL"), TEXT("probe_key"), TEXT("0"),
			    TEXT("month_of"), text_number(arena, at), TEXT(""));

			assert_same(reply_text(&answer), key_month(arena, at));
		}
	}
}

/* Whatever the number of buckets, each lies in its part of the slots. */
static void
buckets_are_spread_evenly(void **state)
{
	for (uint64_t count = 1; count <= RULE_BUCKETS_MAX; count *= 4) {
		struct buckets buckets = key_buckets(*state, count);

		for (uint64_t b = 0; b < count; b++)
			assert_int_equal(
			    cluster_slot(key_karma(*state, &buckets, b)) *
				count / CLUSTER_SLOTS,
			    b);
	}
}

static void
assert_one_slot(const struct text *keys, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (cluster_slot(keys[i]) != cluster_slot(keys[0]))
			fail_msg("%.*s is in another slot than %.*s",
			    TEXT_ARGS(keys[i]), TEXT_ARGS(keys[0]));
}

/* So that one function may change them. */
static void
keys_of_an_article_are_in_one_slot(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text hash = TEXT("0123456789abcdef0123456789abcdef");
	uint64_t b = key_bucket_of_claim(buckets, hash);
	struct post_id id = article_id(b + buckets->count);
	const struct text keys[] = { key_post(arena, buckets, id),
		key_voters(arena, buckets, id),
		key_post(arena, buckets, (struct post_id){ id.article, 3 }),
		key_time(arena, buckets, b, TEXT("")),
		key_time(arena, buckets, b, TEXT("aa")),
		key_time(arena, buckets, b, key_list_of_author(arena, 17)),
		key_score(arena, buckets, b, TEXT("")),
		key_score(arena, buckets, b, TEXT("aa")),
		key_in_bucket(arena, buckets, b, KEY_SCORE2, TEXT("aa")),
		key_interesting(arena, buckets, b),
		key_karma(arena, buckets, b), key_versions(arena, buckets, b),
		key_changes(arena, buckets, b),
		key_article_counter(arena, buckets, b),
		key_claims(arena, buckets, hash) };

	assert_one_slot(keys, sizeof(keys) / sizeof(keys[0]));
}

static void
keys_of_a_member_are_in_one_slot(void **state)
{
	const struct text keys[] = { key_user(*state, 17),
		key_sessions(*state, 17) };

	assert_one_slot(keys, sizeof(keys) / sizeof(keys[0]));
}

static void
keys_of_owners_are_in_one_slot(void **state)
{
	const struct text keys[] = { KEY_OWNERS, KEY_OWNER_CLAIM,
		key_owner_link(*state, TEXT("0f")) };

	assert_one_slot(keys, sizeof(keys) / sizeof(keys[0]));
}

/* Posting and voting write the keys of keys.h, and no others. */
static void
functions_write_the_keys_of_the_layout(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text list;
	uint64_t ann, id, b;

	world->store.rules.interesting = 1;
	ann = world_member(world, "Ann");
	world_group(world, "aa");
	id = world_post(world, ann, "One", "http://a.example/", "aa");
	assert_int_equal(
	    world_cast(&world->store, arena, article_id(id), 50, VOTE_DOWN),
	    STORE_OK);
	b = key_bucket_of(buckets, id);
	list = key_list_of_author(arena, ann);
	const struct text keys[] = { key_post(arena, buckets, article_id(id)),
		key_voters(arena, buckets, article_id(id)),
		key_time(arena, buckets, b, TEXT("")),
		key_score(arena, buckets, b, TEXT("")),
		key_time(arena, buckets, b, TEXT("aa")),
		key_score(arena, buckets, b, TEXT("aa")),
		key_time(arena, buckets, b, list),
		key_time(arena, buckets, b,
		    key_list_of_publisher(arena, TEXT("a.example"))),
		key_interesting(arena, buckets, b),
		key_karma(arena, buckets, b), key_versions(arena, buckets, b),
		key_changes(arena, buckets, b),
		key_article_counter(arena, buckets, b), KEY_SITE, KEY_USERS,
		KEY_GROUPS, key_group(arena, TEXT("aa")), key_user(arena, ann),
		key_user_name(arena, TEXT("aNN")),
		key_claims(arena, buckets,
		    rule_claim(arena, ann, TEXT("One"),
			world_article(world, id, 0).url, TEXT(""))) };
	size_t count = sizeof(keys) / sizeof(keys[0]);

	for (size_t i = 0; i < count; i++)
		if (world_command(world, TEXT("EXISTS"), keys[i]).number != 1)
			fail_msg("no key %.*s", TEXT_ARGS(keys[i]));
	assert_int_equal(
	    world_command(world, TEXT("DBSIZE")).number, (int64_t)count);
}

static void
check_kind(const char *key, enum key_kind expected, uint64_t expected_bucket,
    uint64_t expected_id, const char *expected_list)
{
	uint64_t bucket = expected_bucket;
	struct post_id id;
	struct text list;

	if (key_parse(text_of(key), &bucket, &id, &list) != expected)
		fail_msg("%s is taken for another kind of key", key);
	assert_int_equal(bucket, expected_bucket);
	if (expected == KEY_OTHER)
		return;
	assert_int_equal(id.article, expected_id);
	assert_text(list, expected_list);
}

static void
each_key_has_its_kind(void **state)
{
	(void)state;
	check_kind("{0.0}article:1", KEY_ARTICLE, 0, 1, "");
	check_kind(
	    "{12.7}article:999999999999", KEY_ARTICLE, 12, 999999999999, "");
	check_kind("{3.6}voters:7", KEY_VOTERS, 3, 7, "");
	check_kind("{3.6}comment:7:3", KEY_COMMENT, 3, 7, "");
	check_kind("{3.6}voters:7:3", KEY_VOTERS, 3, 7, "");
	check_kind("{3.6}thread:7", KEY_THREAD, 3, 7, "");
	check_kind("{3.6}comments:@17", KEY_COMMENTS, 3, 0, "@17");
	check_kind("{3.6}comments", KEY_COMMENTS, 3, 0, "");
	check_kind("{3.6}outbox", KEY_OUTBOX, 3, 0, "");
	check_kind("{3.6}changes", KEY_CHANGES, 3, 0, "");
	check_kind("{0.0}containment:12", KEY_CONTAINMENT, 0, 12, "");
	check_kind("{0.0}containments", KEY_CONTAINMENTS, 0, 0, "");
	check_kind("{3.6}contained:@17", KEY_CONTAINED, 3, 0, "@17");
	check_kind("{3.6}revoked:@17", KEY_REVOKED, 3, 0, "@17");
	check_kind("{3.6}log:%12", KEY_LOG, 3, 0, "%12");
	check_kind("{3.6}log:+17", KEY_LOG, 3, 0, "+17");
	check_kind("{u17}inbox", KEY_INBOX, 0, 17, "");
	check_kind("{u17}muted", KEY_MUTED, 0, 17, "");
	check_kind("{u17}hidden", KEY_HIDDEN, 0, 17, "");
	check_kind("{u17}follows", KEY_FOLLOWS, 0, 17, "");
	check_kind("{u17}seen", KEY_READ_MARKS, 0, 17, "");
	check_kind("{3.6}articles", KEY_ARTICLE_COUNTER, 3, 0, "");
	check_kind("{3.6}time", KEY_TIME, 3, 0, "");
	check_kind("{3.6}score", KEY_SCORE, 3, 0, "");
	check_kind("{3.6}time:aa", KEY_TIME, 3, 0, "aa");
	check_kind("{3.6}score:12", KEY_SCORE, 3, 0, "12");
	check_kind("{3.6}score2", KEY_SCORE2, 3, 0, "");
	check_kind("{3.6}score2:aa", KEY_SCORE2, 3, 0, "aa");
	check_kind("{3.6}time:@17", KEY_TIME, 3, 0, "@17");
	check_kind("{3.6}interesting", KEY_INTERESTING, 3, 0, "");
	check_kind("{3.6}karma", KEY_KARMA, 3, 0, "");
	check_kind("{u17}user", KEY_USER, 0, 17, "");
	check_kind("name:ann", KEY_NAME, 0, 0, "");
	check_kind("group:redis", KEY_GROUP, 0, 0, "");
	check_kind("{3.6}claims:01", KEY_CLAIMS, 3, 0, "");
	check_kind("{3.6}act:7", KEY_MOD_ACTION, 3, 7, "");
	check_kind("{3.6}flags:7:3", KEY_FLAGS, 3, 7, "");
	check_kind("{3.6}log:=host-refused", KEY_LOG, 3, 0, "=host-refused");
	check_kind("{3.6}gone:@17", KEY_REMOVED, 3, 0, "@17");
	check_kind("{3.6}queue", KEY_QUEUE, 3, 0, "");
	check_kind("{3.6}versions", KEY_VERSIONS, 3, 0, "");
}

static void
other_keys_have_no_kind(void **state)
{
	const char *others[] = { "", "{", "{}", "{0", "{0}", "site", "users",
		"names", "{u17}", "{u17}limit:vote", "{u}user", "{ux}user",
		"limit:login:1", "groups" };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		check_kind(others[i], KEY_OTHER, 0, 0, "");
	/* The bucket is reported when the tag has one. */
	check_kind("{5.1}", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}article", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}article:", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}article:x", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}article:1:2", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}thread:1:2", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}comment:1", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}comment:1:2:3", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}articles:1", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}other:1", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}user", KEY_OTHER, 5, 0, "");
	check_kind("{5.1}karma:1", KEY_OTHER, 5, 0, "");
}

static void
built_keys_have_their_kinds(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct buckets buckets = key_buckets(arena, 4);
	struct text list = key_list_of_author(arena, 17), found;
	struct post_id id;
	uint64_t bucket;

	assert_int_equal(key_parse(key_post(arena, &buckets, article_id(7)),
			     &bucket, &id, &found),
	    KEY_ARTICLE);
	assert_int_equal(bucket, 3);
	assert_int_equal(id.article, 7);
	assert_int_equal(
	    key_parse(key_time(arena, &buckets, 3, list), &bucket, &id, &found),
	    KEY_TIME);
	assert_same(found, list);
	assert_int_equal(
	    key_parse(key_karma(arena, &buckets, 3), &bucket, &id, &found),
	    KEY_KARMA);
	assert_int_equal(
	    key_parse(key_user(arena, 17), &bucket, &id, &found), KEY_USER);
	assert_int_equal(id.article, 17);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(lua_derives_the_same_keys),
		world_test(lua_derives_the_same_keys_of_a_comment),
		fixture_arena_test(comment_has_its_keys_beside_its_article),
		world_test(lua_names_the_same_lists),
		world_test(lua_spells_keys_as_c_does),
		world_test(lua_finds_the_same_months),
		fixture_arena_test(buckets_are_spread_evenly),
		world_test(keys_of_an_article_are_in_one_slot),
		fixture_arena_test(keys_of_a_member_are_in_one_slot),
		fixture_arena_test(keys_of_owners_are_in_one_slot),
		world_test(functions_write_the_keys_of_the_layout),
		cmocka_unit_test(each_key_has_its_kind),
		cmocka_unit_test(other_keys_have_no_kind),
		world_test(built_keys_have_their_kinds),
	};

	return world_run("keys", tests);
}

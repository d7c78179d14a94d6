/* The layout of the data: functions/keys.lua held against keys.h. */
#include <string.h>

#include "../support/world.h"
#include "redis/reply.h"
#include "store/article.h"
#include "store/keys.h"

static const char functions[] =
#include "functions.inc"
    ;

/* Answer with what the Lua side makes of their arguments. */
static const char probes[] =
    "redis.register_function('probe_keys', function(keys)\n"
    "	local k = keys_of(keys[1])\n"
    "	return { k.kind, k.up, k.down, k.time, k.score, k.interesting,\n"
    "		k.karma, k.versions, k.member }\n"
    "end)\n"
    "redis.register_function('probe_lists', function(keys, args)\n"
    "	return lists_of({ author = args[1], groups = words(args[2]) })\n"
    "end)\n";

static void
load_probes(struct world *world)
{
	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    text_join(&world->arena, text_of(functions), text_of(probes)));
}

static void
check_keys(struct world *world, struct post_id id)
{
	struct arena *arena = &world->arena;
	uint64_t buckets = world->store.rules.buckets;
	uint64_t bucket = id.article % buckets;
	struct text all = TEXT("");
	const struct text expected[] = { id.comment == 0 ? TEXT("article")
							 : TEXT("comment"),
		key_up(arena, buckets, id), key_down(arena, buckets, id),
		key_time(arena, bucket, all), key_score(arena, bucket, all),
		key_interesting(arena, bucket), key_karma(arena, bucket),
		key_versions(arena, bucket), key_member(arena, id.article) };
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
		{ 999999999999, 999 } };

	load_probes(world);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		check_keys(world, ids[i]);
}

static void
comment_has_its_keys_beside_its_article(void **state)
{
	const struct post_id id = { 7, 3 };

	assert_text(key_post(*state, 4, id), "{3}comment:7:3");
	assert_text(key_up(*state, 4, id), "{3}up:7:3");
	assert_text(key_down(*state, 4, id), "{3}down:7:3");
	assert_text(key_post(*state, 4, article_id(7)), "{3}article:7");
}

static void
lua_names_the_same_lists(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct text lists[] = { TEXT_INIT(""),
		key_list_of_author(arena, 17), TEXT_INIT("aa"),
		TEXT_INIT("b-2") };
	struct reply answer;

	load_probes(world);
	answer =
	    world_command(world, TEXT("FCALL"), TEXT("probe_lists"), TEXT("1"),
		key_post(arena, 1, article_id(1)), TEXT("17"), TEXT("aa b-2"));
	assert_int_equal(answer.count, 4);
	for (size_t i = 0; i < answer.count; i++)
		assert_same(text_join(arena, key_time(arena, 3, TEXT("")),
				answer.items[i].text),
		    key_time(arena, 3, lists[i]));
}

/* What posting and voting write is found where keys.h says, and nowhere
 * else. */
static void
functions_write_the_keys_of_the_layout(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	uint64_t buckets = world->store.rules.buckets, ann, id, bucket;
	struct text list;

	world->store.rules.interesting = 1;
	ann = world_member(world, "Ann");
	world_group(world, "aa");
	id = world_post(world, ann, "One", "http://a.example/", "aa");
	world_vote(world, id, 50, VOTE_DOWN);
	bucket = id % buckets;
	list = key_list_of_author(arena, ann);
	const struct text keys[] = { key_post(arena, buckets, article_id(id)),
		key_up(arena, buckets, article_id(id)),
		key_down(arena, buckets, article_id(id)),
		key_time(arena, bucket, TEXT("")),
		key_score(arena, bucket, TEXT("")),
		key_time(arena, bucket, TEXT("aa")),
		key_score(arena, bucket, TEXT("aa")),
		key_time(arena, bucket, list), key_score(arena, bucket, list),
		key_interesting(arena, bucket), key_karma(arena, bucket),
		key_versions(arena, bucket), KEY_SITE, KEY_ARTICLES, KEY_USERS,
		KEY_GROUPS, key_group(arena, TEXT("aa")), key_user(arena, ann),
		key_user_name(arena, TEXT("aNN")),
		key_link(arena,
		    rule_claim(arena, ann, TEXT("One"),
			TEXT("http://a.example/"), TEXT(""))) };
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
	uint64_t bucket = expected_bucket, id;
	struct text list;

	if (key_kind_of(text_of(key), &bucket, &id, &list) != expected)
		fail_msg("%s is taken for another kind of key", key);
	assert_int_equal(bucket, expected_bucket);
	if (expected == KEY_OTHER)
		return;
	assert_int_equal(id, expected_id);
	assert_text(list, expected_list);
}

static void
each_key_has_its_kind(void **state)
{
	(void)state;
	check_kind("{0}article:1", KEY_ARTICLE, 0, 1, "");
	check_kind(
	    "{12}article:999999999999", KEY_ARTICLE, 12, 999999999999, "");
	check_kind("{3}up:7", KEY_UP, 3, 7, "");
	check_kind("{3}down:7", KEY_DOWN, 3, 7, "");
	check_kind("{3}time", KEY_TIME, 3, 0, "");
	check_kind("{3}score", KEY_SCORE, 3, 0, "");
	check_kind("{3}time:aa", KEY_TIME, 3, 0, "aa");
	check_kind("{3}score:12", KEY_SCORE, 3, 0, "12");
	check_kind("{3}score:@17", KEY_SCORE, 3, 0, "@17");
	check_kind("{3}interesting", KEY_INTERESTING, 3, 0, "");
	check_kind("{3}karma", KEY_KARMA, 3, 0, "");
	check_kind("user:17", KEY_USER, 0, 17, "");
}

static void
other_keys_have_no_kind(void **state)
{
	const char *others[] = { "", "{", "{}", "{0", "site", "articles",
		"users", "user:", "user:name:ann", "user:name:17",
		"link:0123456789abcdef", "sessions:1", "group:redis",
		"groups" };

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		check_kind(others[i], KEY_OTHER, 0, 0, "");
	/* The bucket is reported when the tag has one. */
	check_kind("{5}", KEY_OTHER, 5, 0, "");
	check_kind("{5}article", KEY_OTHER, 5, 0, "");
	check_kind("{5}article:", KEY_OTHER, 5, 0, "");
	check_kind("{5}article:x", KEY_OTHER, 5, 0, "");
	check_kind("{5}article:1:2", KEY_OTHER, 5, 0, "");
	check_kind("{5}other:1", KEY_OTHER, 5, 0, "");
}

static void
built_keys_have_their_kinds(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct text list = key_list_of_author(arena, 17), found;
	uint64_t bucket, id;

	assert_int_equal(key_kind_of(key_post(arena, 4, article_id(7)), &bucket,
			     &id, &found),
	    KEY_ARTICLE);
	assert_int_equal(bucket, 3);
	assert_int_equal(id, 7);
	assert_int_equal(
	    key_kind_of(key_time(arena, 3, list), &bucket, &id, &found),
	    KEY_TIME);
	assert_same(found, list);
	assert_int_equal(
	    key_kind_of(key_karma(arena, 3), &bucket, &id, &found), KEY_KARMA);
	assert_int_equal(
	    key_kind_of(key_user(arena, 17), &bucket, &id, &found), KEY_USER);
	assert_int_equal(id, 17);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(lua_derives_the_same_keys),
		world_test(lua_derives_the_same_keys_of_a_comment),
		fixture_arena_test(comment_has_its_keys_beside_its_article),
		world_test(lua_names_the_same_lists),
		world_test(functions_write_the_keys_of_the_layout),
		cmocka_unit_test(each_key_has_its_kind),
		cmocka_unit_test(other_keys_have_no_kind),
		world_test(built_keys_have_their_kinds),
	};

	return world_run("keys", tests);
}

/*
 * Lists by points: who is placed there, when, and what follows from what happens to an article
 * later. Every state is held against the invariants.
 */
#include <string.h>

#include "../support/commands.h"
#include "../support/invariants.h"
#include "store/article.h"
#include "store/group_admin.h"
#include "store/keys.h"
#include "store/points.h"
#include "store/relay.h"

enum { DAY = 86400, WEEK = 7 * DAY, VOTE = 432 };

#define MONTH TEXT("2023-11")

static struct world_scene
begin(struct world *world)
{
	return world_scene(world, "aa bb");
}

/* Places all that can be; returns the number of steps. */
static int
place(struct world *world)
{
	int64_t logged = 0;
	int steps = 1;

	while (points_step(&world->store, &world->arena, &logged))
		steps++;
	assert_int_equal(logged, 0);
	invariants_check(world);
	return steps;
}

/* The score of an article in a list by points; -1 when it is not there. */
static int64_t
score_in(struct world *world, uint64_t id, enum key_kind kind, struct text list)
{
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct reply reply = world_command(world, TEXT("ZSCORE"),
	    key_in_bucket(
		arena, buckets, key_bucket_of(buckets, id), kind, list),
	    encode_post(arena, article_id(id)));

	return reply.kind == REPLY_NIL ? -1 : reply_number(&reply);
}

static void
check_placed(struct world *world, uint64_t id, bool is_placed)
{
	struct article article = world_article(world, id, 0);
	int64_t score = is_placed
	    ? article.post.points * (INT64_C(1) << 32) + article.post.posted
	    : -1;

	assert_int_equal(score_in(world, id, KEY_POINTS, TEXT("")), score);
	assert_int_equal(score_in(world, id, KEY_POINTS, TEXT("aa")), score);
	assert_int_equal(score_in(world, id, KEY_MONTH, MONTH), score);
	assert_int_equal(
	    score_in(world, id, KEY_MONTH, TEXT("2023-11/bb")), score);
	if (is_placed) {
		assert_int_equal(points_of_score(score), article.post.points);
		assert_int_equal(points_posted(score), article.post.posted);
	}
}

static void
articles_are_placed_once_voting_has_closed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);

	world_vote(world, scene.article, scene.bob, VOTE_UP);
	place(world);
	check_placed(world, scene.article, false);
	world_move_clock(world, WEEK - 1);
	place(world);
	check_placed(world, scene.article, false);
	world_move_clock(world, 1);
	place(world);
	check_placed(world, scene.article, true);
	/* Doing so again changes nothing. */
	place(world);
	check_placed(world, scene.article, true);
	commands_assert_whole(world);
}

/* A relay does so, also where there is nothing to deliver. */
static void
relays_place_articles(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	struct relay *relay;

	world_move_clock(world, WEEK);
	relay = relay_new(&world->store, TEXT("here"));
	assert_in_range(relay_step(relay), 1, 250);
	relay_free(relay);
	check_placed(world, scene.article, true);
}

static void
points_may_be_below_0(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);

	for (uint64_t voter = 100; voter < 105; voter++)
		world_vote(world, scene.article, voter, VOTE_DOWN);
	world_move_clock(world, WEEK);
	place(world);
	check_placed(world, scene.article, true);
	assert_int_equal(points_of_score(score_in(
			     world, scene.article, KEY_POINTS, TEXT(""))),
	    -4);
}

static void
removed_articles_leave_and_restored_ones_come_back(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);

	world_move_clock(world, WEEK);
	place(world);
	world_remove(world, scene.article);
	invariants_check(world);
	assert_int_equal(
	    score_in(world, scene.article, KEY_POINTS, TEXT("")), -1);
	place(world);
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	invariants_check(world);
	check_placed(world, scene.article, true);
	commands_assert_whole(world);
}

/* One that was removed when it would have been placed is placed when it is restored. */
static void
removed_articles_are_passed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	uint64_t other = world_post(world, scene.ann, "Another", "", "aa bb");

	world_remove(world, scene.article);
	world_move_clock(world, WEEK);
	place(world);
	check_placed(world, other, true);
	/* Before the next of the bucket is placed, it is left to placing. */
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	place(world);
	check_placed(world, scene.article, true);
}

static void
groups_have_what_is_moved_to_them(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);

	world_group(world, "cc");
	world_move_clock(world, WEEK);
	place(world);
	assert_int_equal(article_set_groups(&world->store, &world->arena,
			     scene.article, TEXT("cc"), TEXT("aa")),
	    STORE_OK);
	invariants_check(world);
	assert_int_equal(
	    score_in(world, scene.article, KEY_POINTS, TEXT("aa")), -1);
	assert_in_range(score_in(world, scene.article, KEY_POINTS, TEXT("cc")),
	    1, INT64_MAX);
	assert_int_equal(group_merge(&world->store, &world->arena, TEXT("cc"),
			     TEXT("aa"), (struct mod_action){ .at = 0 }),
	    STORE_OK);
	invariants_check(world);
	check_placed(world, scene.article, true);
	assert_int_equal(group_delete(&world->store, &world->arena, TEXT("bb"),
			     (struct mod_action){ .at = 0 }),
	    STORE_OK);
	invariants_check(world);
	assert_int_equal(
	    score_in(world, scene.article, KEY_MONTH, TEXT("2023-11/bb")), -1);
	commands_assert_whole(world);
}

/* A step is bounded, also within a second. */
static void
many_are_placed_in_steps(void **state)
{
	enum { MANY = 260 };
	struct world *world = *state;
	struct world_scene scene = begin(world);
	int buckets = (int)world->store.buckets.count, steps;
	uint64_t ids[MANY];

	for (size_t i = 0; i < MANY; i++)
		ids[i] = world_post(world, scene.ann,
		    fixture_string(&world->arena, "%zu", i), "", "aa bb");
	world_move_clock(world, WEEK);
	steps = place(world);
	assert_in_range(steps, MANY / POINTS_STEP / buckets,
	    (MANY + POINTS_STEP) / POINTS_STEP + 1);
	for (size_t i = 0; i < MANY; i++)
		check_placed(world, ids[i], true);
}

/* The article that was placed last may have been removed. */
static void
placing_goes_on_after_what_was_removed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	uint64_t next;

	world_move_clock(world, WEEK);
	place(world);
	next = world_post(world, scene.ann, "Another", "", "aa bb");
	world_remove(world, scene.article);
	world_move_clock(world, WEEK);
	place(world);
	check_placed(world, next, true);
}

/* As when a dump of a site with a longer window is loaded, or the clock was set back. */
static void
open_articles_are_placed_later_though_others_were_passed(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	uint64_t early;

	world_move_clock(world, WEEK);
	place(world);
	world_move_clock(world, -2 * WEEK);
	early = world_post(world, scene.ann, "Early", "", "aa bb");
	invariants_check(world);
	world_move_clock(world, WEEK - 1);
	world_vote(world, early, scene.bob, VOTE_UP);
	place(world);
	check_placed(world, early, false);
	commands_assert_whole(world);
	world_move_clock(world, 1);
	place(world);
	check_placed(world, early, true);
	world_move_clock(world, WEEK);
	place(world);
	check_placed(world, scene.article, true);
	commands_assert_whole(world);
}

static void
loaded_articles_are_placed(void **state)
{
	struct world *world = *state, other;
	struct world_scene scene = begin(world);
	struct text dump;

	world_vote(world, scene.article, scene.bob, VOTE_UP);
	world_move_clock(world, WEEK);
	place(world);
	dump = commands_dump(world).out;
	world_open(&other, world->store.buckets.count);
	world_stop_clock(&other, NOON + WEEK);
	commands_load_all(&other, dump);
	place(&other);
	check_placed(&other, scene.article, true);
	/* What is loaded before the last one that was placed is placed at once. */
	assert_int_equal(
	    world_command(&other, TEXT("DEL"),
		key_post(&other.arena, &other.store.buckets,
		    article_id(scene.article)),
		key_karma(&other.arena, &other.store.buckets,
		    key_bucket_of(&other.store.buckets, scene.article)))
		.number,
	    2);
	commands_load_all(&other, dump);
	check_placed(&other, scene.article, true);
	commands_assert_whole(&other);
	world_close(&other);
}

/* The check finds what is missing, too much or wrong, and the repair mends it. */
static void
damage_is_found_and_repaired(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t b = key_bucket_of(buckets, scene.article);
	struct text member = encode_post(arena, article_id(scene.article));
	struct text month = key_in_bucket(arena, buckets, b, KEY_MONTH, MONTH);
	struct text points =
	    key_in_bucket(arena, buckets, b, KEY_POINTS, TEXT("aa"));
	struct text other =
	    key_in_bucket(arena, buckets, b, KEY_MONTH, TEXT("2023-12/aa"));
	struct text versions = key_versions(arena, buckets, b), snapshot;

	world_move_clock(world, WEEK);
	place(world);
	snapshot = world_snapshot(world);
	world_command(world, TEXT("ZREM"), month, member);
	commands_assert_break(world, "it is not in");
	world_command(world, TEXT("ZADD"), month, TEXT("7"), member);
	commands_assert_break(world, "it is in");
	commands_repair(world);
	commands_assert_whole(world);
	assert_unchanged(world, snapshot);
	world_command(world, TEXT("ZADD"), other, TEXT("7"), member);
	commands_assert_break(world, "does not belong there");
	world_command(world, TEXT("DEL"), points);
	commands_repair(world);
	commands_assert_whole(world);
	assert_unchanged(world, snapshot);
	world_command(
	    world, TEXT("HSET"), versions, POINTS_FIELD, TEXT("soon 7"));
	commands_assert_break(world, "its field \"placed\" is \"soon 7\"");
	commands_repair(world);
	place(world);
	commands_assert_whole(world);
	assert_unchanged(world, snapshot);
}

/* An open article that placing has passed without knowing it. */
static void
passed_open_articles_are_found_and_repaired(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text versions =
	    key_versions(arena, buckets, key_bucket_of(buckets, scene.article));

	world_command(world, TEXT("HSET"), versions, POINTS_FIELD,
	    text_format(arena, "%d 1", NOON + DAY));
	commands_assert_break(world, "it is open, and its bucket has placed");
	commands_repair(world);
	commands_assert_whole(world);
	world_move_clock(world, WEEK);
	place(world);
	check_placed(world, scene.article, true);
}

/* Such articles are passed; the check says what they are. */
static void
damaged_articles_do_not_stop_placing(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	uint64_t ids[8];

	for (size_t i = 0; i < 8; i++)
		ids[i] = world_post(world, scene.ann,
		    fixture_string(arena, "%zu", i), "", "aa bb");
	world_move_clock(world, WEEK);
	world_command(
	    world, TEXT("DEL"), key_post(arena, buckets, article_id(ids[0])));
	world_command(world, TEXT("SET"),
	    key_post(arena, buckets, article_id(ids[0])), TEXT("damage"));
	world_command(
	    world, TEXT("DEL"), key_post(arena, buckets, article_id(ids[1])));
	world_command(world, TEXT("HSET"),
	    key_post(arena, buckets, article_id(ids[2])), TEXT("up"),
	    TEXT("many"));
	for (uint64_t b = 0; b < buckets->count; b++)
		world_command(world, TEXT("ZADD"),
		    key_time(arena, buckets, b, TEXT("")), TEXT("1700000000"),
		    TEXT("no id"));
	while (points_step(&world->store, arena, &(int64_t){ 0 }))
		;
	for (size_t i = 3; i < 8; i++)
		check_placed(world, ids[i], true);
	assert_int_equal(score_in(world, ids[2], KEY_POINTS, TEXT("")), -1);
}

/* Programs read numbers of up to 15 digits. */
static void
points_beyond_the_most_count_as_that_many(void **state)
{
	struct world *world = *state;
	struct world_scene scene = begin(world);
	struct arena *arena = &world->arena;
	struct text key =
	    key_post(arena, &world->store.buckets, article_id(scene.article));
	const struct {
		const char *up, *down;
		int64_t points;
	} rows[] = { { "200000", "0", POINTS_MAX },
		{ "200001", "0", POINTS_MAX },
		{ "999999999999", "0", POINTS_MAX },
		{ "0", "200000", -POINTS_MAX },
		{ "1", "99999999", -POINTS_MAX }, { "3", "3", 0 } };

	world_move_clock(world, WEEK);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t score;

		world_command(world, TEXT("HSET"), key, TEXT("up"),
		    text_of(rows[i].up), TEXT("down"), text_of(rows[i].down));
		world_command(world, TEXT("HDEL"),
		    key_versions(arena, &world->store.buckets,
			key_bucket_of(&world->store.buckets, scene.article)),
		    POINTS_FIELD);
		points_step(&world->store, arena, &(int64_t){ 0 });
		score = score_in(world, scene.article, KEY_POINTS, TEXT(""));
		assert_int_equal(points_of_score(score), rows[i].points);
		assert_int_equal(points_posted(score), NOON);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(articles_are_placed_once_voting_has_closed),
		world_test(relays_place_articles),
		world_test(points_may_be_below_0),
		world_test(removed_articles_leave_and_restored_ones_come_back),
		world_test(removed_articles_are_passed),
		world_test(groups_have_what_is_moved_to_them),
		world_test(many_are_placed_in_steps),
		world_test(placing_goes_on_after_what_was_removed),
		world_test(
		    open_articles_are_placed_later_though_others_were_passed),
		world_test(loaded_articles_are_placed),
		world_test(damage_is_found_and_repaired),
		world_test(passed_open_articles_are_found_and_repaired),
		world_test(damaged_articles_do_not_stop_placing),
		world_test(points_beyond_the_most_count_as_that_many),
	};

	return world_run("lists by points", tests);
}

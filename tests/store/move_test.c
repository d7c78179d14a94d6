/*
 * The move of data from the layout before: comments are written as that had them, read in both
 * forms, and moved; by movers that are killed, by two at once, and past damaged posts.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "../support/invariants.h"
#include "redis/reply.h"
#include "store/comment.h"
#include "store/keys.h"
#include "store/lease.h"
#include "store/library.h"
#include "store/move.h"
#include "store/site.h"
#include "store/walk.h"

enum { DAY = 86400, ARTICLES = 50, COMMENTS = 130, MEMBERS = 45 };

/* The time of a comment in whole days goes into the state of its record, as layout 4 has it. */
static void
age_comment(struct world *world, struct post_id id)
{
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;
	struct text key = key_post(arena, buckets, id);
	struct comment comment;
	int64_t now, seconds;

	assert_int_equal(
	    comment_get(&world->store, arena, id, 0, &comment, &now), STORE_OK);
	seconds = comment.post.closes - comment.post.posted;
	if (seconds % DAY != 0 || seconds / DAY > 63)
		return;
	world_command(world, TEXT("HDEL"), key, TEXT("closes"));
	world_command(world, TEXT("BITFIELD"),
	    key_thread(arena, buckets, id.article), TEXT("SET"), TEXT("u6"),
	    text_number(arena, 128 * (int64_t)id.comment + 24),
	    text_number(arena, seconds / DAY));
}

static void
age_site(struct world *world)
{
	struct text keys = world_keys(world, "*comment:*"), key, list;
	struct post_id id;
	uint64_t bucket;

	while (text_next_word(&keys, &key))
		if (key_parse(key, &bucket, &id, &list) == KEY_COMMENT)
			age_comment(world, id);
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), TEXT("4"));
}

/* Two threads, of which one is longer than a step, among many articles without comments. */
static void
fill(struct world *world)
{
	world_stop_clock(world, NOON);
	for (int i = 0; i < MEMBERS; i++)
		world_member(world, fixture_string(&world->arena, "user%d", i));
	for (int i = 0; i < ARTICLES; i++)
		world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://a.b/%d", i),
		    i % 2 == 0 ? "go" : "");
	for (int i = 0; i < COMMENTS; i++) {
		world->store.rules.vote_window = i % 5 == 0 ? 1000 : 7 * DAY;
		world_comment(world, article_id(i % 10 == 0 ? 3 : 7),
		    1 + (uint64_t)i % MEMBERS,
		    fixture_string(&world->arena, "Comment %d", i));
	}
	assert_int_equal(post_delete(&world->store, &world->arena,
			     (struct post_id){ 7, 4 }, 5),
	    STORE_OK);
}

static int
set_up(void **state)
{
	world_setup(state);
	fill(*state);
	return 0;
}

static void
begin(struct world *world)
{
	bool began;

	assert_int_equal(
	    move_begin(&world->store, &world->arena, &began), STORE_OK);
	assert_true(began);
}

/* Steps of a mover, at most so many, which is then gone. Returns how many it took to the end;
 * 0 when it was not reached. */
static unsigned
take_steps(struct world *world, unsigned max)
{
	struct mover *mover = mover_new(&world->store);
	unsigned steps = 0;
	enum store_result result = STORE_OK;

	while (result == STORE_OK && steps < max) {
		result = mover_step(mover);
		steps++;
	}
	mover_free(mover);
	assert_int_not_equal(result, STORE_DOWN);
	return result == STORE_ABSENT ? steps : 0;
}

static void
assert_moved(struct world *world, struct text dump)
{
	struct text keys = world_keys(world, "*comment:*"), key;
	struct reply fields;

	while (text_next_word(&keys, &key))
		assert_int_equal(
		    world_command(world, TEXT("HEXISTS"), key, TEXT("closes"))
			.number,
		    1);
	keys = world_keys(world, "*thread:*");
	while (text_next_word(&keys, &key)) {
		struct text index = world_command(world, TEXT("GET"), key).text;

		for (size_t at = 16; at + 16 <= index.size; at += 16)
			assert_true((unsigned char)index.data[at + 3] < 4);
	}
	fields = world_command(world, TEXT("HKEYS"), KEY_SITE);
	assert_int_equal(fields.count, 4);
	assert_same(
	    world_command(world, TEXT("HGET"), KEY_SITE, TEXT("version")).text,
	    KEYS_VERSION);
	assert_same(commands_dump(world).out, dump);
	commands_assert_whole(world);
	invariants_check(world);
}

static void
data_are_moved(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct move move;
	bool began;

	age_site(world);
	assert_same(commands_dump(world).out, dump);
	begin(world);
	assert_int_equal(
	    move_get(&world->store, &world->arena, &move), STORE_OK);
	assert_int_equal(move.from, 4);
	assert_int_equal(move_percent(&move), 0);
	assert_true(take_steps(world, 1000) > 0);
	assert_moved(world, dump);
	assert_int_equal(
	    move_get(&world->store, &world->arena, &move), STORE_OK);
	assert_int_equal(move.from, 0);
	assert_int_equal(move_percent(&move), 100);
	assert_int_equal(
	    move_begin(&world->store, &world->arena, &began), STORE_OK);
	assert_false(began);
}

/* After each number of steps; the dump is the same at every moment. */
static void
mover_that_was_killed_goes_on(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct move move;
	int percent = 0;

	age_site(world);
	begin(world);
	/* A thread has to be finished before what comes after. */
	for (unsigned killed = 1; take_steps(world, 4 + killed % 4) == 0;
	    killed++) {
		assert_true(killed < 1000);
		assert_same(commands_dump(world).out, dump);
		assert_int_equal(
		    move_get(&world->store, &world->arena, &move), STORE_OK);
		assert_true(move_percent(&move) >= percent);
		percent = move_percent(&move);
	}
	assert_moved(world, dump);
}

static void
two_movers_do_no_harm(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct mover *movers[2] = { mover_new(&world->store),
		mover_new(&world->store) };
	enum store_result results[2] = { STORE_OK, STORE_OK };

	age_site(world);
	begin(world);
	for (unsigned i = 0; results[0] == STORE_OK || results[1] == STORE_OK;
	    i++) {
		unsigned m = i % 3 == 0;

		if (results[m] == STORE_OK)
			results[m] = mover_step(movers[m]);
		assert_int_not_equal(results[m], STORE_DOWN);
	}
	mover_free(movers[0]);
	mover_free(movers[1]);
	assert_moved(world, dump);
}

/* What changes a comment reads the form before as well, and keeps its time. */
static void
comments_are_used_before_they_are_moved(void **state)
{
	struct world *world = *state;
	struct store *store = &world->store;
	struct arena *arena = &world->arena;
	const struct post_id id = { 7, 9 }, removed = { 7, 12 };
	struct comment comment = { .post.id = id, .text = TEXT("Edited") };
	int64_t now;

	age_site(world);
	begin(world);
	assert_int_equal(world_cast(store, arena, id, 1, VOTE_UP), STORE_OK);
	assert_int_equal(
	    post_remove(store, arena, removed, &world_removal), STORE_OK);
	world_comment(world, article_id(7), 2, "Another");
	assert_int_equal(
	    comment_get(store, arena, id, 1, &comment, &now), STORE_OK);
	assert_int_equal(comment.post.closes, NOON + 7 * DAY);
	assert_int_equal(comment.post.vote, VOTE_UP);
	assert_int_equal(
	    comment_get(store, arena, removed, 1, &comment, &now), STORE_OK);
	assert_int_equal(comment.post.closes, NOON + 7 * DAY);
	assert_true(comment.post.removed != 0);
	assert_moved(world,
	    take_steps(world, 1000) > 0 ? commands_dump(world).out : TEXT(""));
	assert_int_equal(
	    comment_get(store, arena, removed, 1, &comment, &now), STORE_OK);
	assert_int_equal(comment.post.closes, NOON + 7 * DAY);
}

/* It stays as it is, and the others are moved. */
static void
damaged_posts_do_not_stop_the_move(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	const struct buckets *buckets = &world->store.buckets;

	age_site(world);
	world_command(world, TEXT("HSET"),
	    key_post(arena, buckets, article_id(5)), TEXT("up"), TEXT("x"));
	world_command(
	    world, TEXT("DEL"), key_voters(arena, buckets, article_id(5)));
	world_command(world, TEXT("HDEL"),
	    key_post(arena, buckets, (struct post_id){ 7, 2 }), TEXT("author"));
	world_command(
	    world, TEXT("HSET"), key_user(arena, 4), TEXT("told"), TEXT("x"));
	begin(world);
	assert_true(take_steps(world, 1000) > 0);
	assert_int_equal(world_command(world, TEXT("HEXISTS"),
			     key_post(arena, buckets, (struct post_id){ 7, 3 }),
			     TEXT("closes"))
			     .number,
	    1);
	assert_int_equal(
	    world_command(world, TEXT("HEXISTS"), KEY_SITE, KEYS_FROM).number,
	    0);
}

/* As while its master is away: everything else is answered. */
static void
member_out_of_reach_is_waited_for(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct mover *mover = mover_new(&world->store);

	age_site(world);
	begin(world);
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("default"),
	    TEXT("resetkeys"), TEXT("~[^{]*"), TEXT("~{[^u]*"),
	    TEXT("~{u[^4]*"));
	for (int i = 0; i < 100; i++)
		if (mover_step(mover) == STORE_ABSENT)
			fail_msg("the move ended without a member");
	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("default"),
	    TEXT("allkeys"));
	mover_free(mover);
	assert_true(take_steps(world, 1000) > 0);
	assert_moved(world, dump);
}

/* Of another layout than this program's in that the site's version says so. */
static enum store_result
renew(struct world *world, const char *layout, bool *is_contested)
{
	return lease_renew(
	    &world->store, &world->arena, text_of(layout), is_contested);
}

static void
move_waits_for_the_former_release(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct mover *mover = mover_new(&world->store);
	bool is_contested;

	age_site(world);
	assert_int_equal(renew(world, "4", &is_contested), STORE_OK);
	assert_false(is_contested);
	begin(world);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(mover_step(mover), STORE_CLOSED);
		assert_int_equal(renew(world, "4", &is_contested), STORE_OK);
		assert_true(is_contested);
	}
	world_command(world, TEXT("DEL"), key_lease(&world->arena, TEXT("4")));
	assert_int_equal(mover_step(mover), STORE_OK);
	assert_int_equal(renew(world, "4", &is_contested), STORE_MISMATCH);
	assert_int_equal(renew(world, "5", &is_contested), STORE_OK);
	assert_false(is_contested);
	mover_free(mover);
	/* What was refused does not delay it. */
	assert_true(take_steps(world, 1000) > 0);
	assert_moved(world, dump);
	assert_int_equal(renew(world, "4", &is_contested), STORE_MISMATCH);
}

static enum store_result
hold(struct world *world, struct lease *lease)
{
	return lease_hold(&world->store, &world->arena, lease);
}

/* As if milliseconds had passed. */
static void
age_lease(struct lease *lease, int64_t ms)
{
	lease->renewed_at -= ms;
	lease->failed_at = 0;
}

static void
site_fields(struct world *world, const char *version, const char *from)
{
	world_command(world, TEXT("HSET"), KEY_SITE, TEXT("version"),
	    text_of(version), KEYS_FROM, text_of(from));
}

static void
program_stops_reading_once_it_may_not(void **state)
{
	struct world *world = *state;
	struct lease lease = { 0 };
	struct text key = key_lease(&world->arena, KEYS_VERSION);

	assert_int_equal(hold(world, &lease), STORE_OK);
	assert_int_equal(world_command(world, TEXT("EXISTS"), key).number, 1);
	site_fields(world, "6", "5");
	age_lease(&lease, 6000);
	assert_int_equal(hold(world, &lease), STORE_OK);
	assert_true(lease.is_contested);
	/* It cannot be renewed. */
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("min-replicas-to-write"), TEXT("1"));
	age_lease(&lease, 6000);
	assert_int_equal(hold(world, &lease), STORE_OK);
	age_lease(&lease, 20000);
	assert_int_equal(hold(world, &lease), STORE_DOWN);
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("min-replicas-to-write"), TEXT("0"));
	age_lease(&lease, 0);
	assert_int_equal(hold(world, &lease), STORE_OK);
	world_command(world, TEXT("HSET"), KEY_SITE, KEYS_ALONE, TEXT("1"));
	age_lease(&lease, 6000);
	assert_int_equal(hold(world, &lease), STORE_MISMATCH);
	assert_int_equal(hold(world, &lease), STORE_MISMATCH);
}

/* Which a failover takes, while no release waits. */
static void
program_goes_on_without_the_master_of_the_site(void **state)
{
	struct world *world = *state;
	struct lease lease = { 0 };

	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("min-replicas-to-write"), TEXT("1"));
	assert_int_equal(hold(world, &lease), STORE_OK);
	age_lease(&lease, 60000);
	assert_int_equal(hold(world, &lease), STORE_OK);
	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("min-replicas-to-write"), TEXT("0"));
}

/* As in the next release. */
static const char expanding[] =
    "#!lua name=tally\n"
    "-- version 1000\n"
    "do\n"
    "local writes_former = true\n"
    "redis.register_function('former_1', function()\n"
    "	return writes_former and 'both' or 'one'\n"
    "end)\n"
    "end\n";

static void
functions_stop_writing_the_former_layout(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    text_of(expanding));
	assert_same(
	    world_command(world, TEXT("FCALL"), TEXT("former_1"), TEXT("0"))
		.text,
	    TEXT("both"));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(
		    library_contract(&world->store, &world->arena), STORE_OK);
		assert_same(world_command(world, TEXT("FCALL"),
				TEXT("former_1"), TEXT("0"))
				.text,
		    TEXT("one"));
	}
}

static bool
comment_and_vote(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	struct comment comment = { .post.id = { .article = 7 },
		.post.author = { 1 + number % MEMBERS, TEXT("somebody") },
		.text = text_format(arena, "Busy %u %u", number, *seed) };
	struct comment_posting posting = { .wait = 0 };
	struct post_id id = { 7, 1 + (uint64_t)rand_r(seed) % 100 };
	enum store_result result = world_cast(
	    store, arena, id, 1 + (uint64_t)rand_r(seed) % MEMBERS, number % 3);

	if (result != STORE_DOWN && number % 5 == 0)
		result = comment_post(store, arena, &comment, &posting);
	if (result != STORE_DOWN && number % 20 == 1)
		result = post_remove(store, arena, id, &world_removal);
	return result != STORE_DOWN;
}

static void
data_in_use_are_moved(void **state)
{
	struct world *world = *state;
	struct concurrent_writer busy[2];

	age_site(world);
	begin(world);
	for (unsigned i = 0; i < 2; i++)
		busy[i] = concurrent_writer_start(world, comment_and_vote, i);
	while (take_steps(world, 40) == 0)
		concurrent_writer_await(&busy[0], 3);
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&busy[i]);
	assert_moved(world, commands_dump(world).out);
}

static void
open_says(struct world *world, const char *version, const char *why)
{
	struct store other = world_connect(world);
	struct text said = TEXT("");

	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), text_of(version));
	assert_int_equal(
	    site_open(&other, &world->arena, &said), STORE_MISMATCH);
	assert_has(said, why);
	redis_close(other.redis);
}

static void
other_layouts_are_refused_with_what_to_do(void **state)
{
	struct world *world = *state;

	open_says(world, "3",
	    "layout 3, and this program opens 4 and 5: dump it with the "
	    "program that it was made with");
	open_says(world, "6", "a newer Tally has moved it on");
	/* Data that are half of layout 3 are not moved on to 5. */
	site_fields(world, "4", "3");
	open_says(world, "4", "the former Tally is still moving them on");
}

static void
steps_take_their_share_of_the_time(void **state)
{
	(void)state;
	assert_int_equal(walk_pause_ms(1000, 10), 9);
	assert_int_equal(walk_pause_ms(1000, 50), 1);
	assert_int_equal(walk_pause_ms(1000, 100), 0);
	assert_int_equal(walk_pause_ms(10, 1), 1);
	assert_int_equal(walk_pause_ms(1800000, 1), WALK_PAUSE_MS);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(data_are_moved),
		TEST(mover_that_was_killed_goes_on),
		TEST(two_movers_do_no_harm),
		TEST(comments_are_used_before_they_are_moved),
		TEST(damaged_posts_do_not_stop_the_move),
		TEST(member_out_of_reach_is_waited_for),
		TEST(move_waits_for_the_former_release),
		TEST(program_stops_reading_once_it_may_not),
		TEST(program_goes_on_without_the_master_of_the_site),
		TEST(functions_stop_writing_the_former_layout),
		TEST(data_in_use_are_moved),
		TEST(other_layouts_are_refused_with_what_to_do),
		cmocka_unit_test(steps_take_their_share_of_the_time),
	};

	return world_run("move", tests);
}

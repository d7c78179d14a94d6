/*
 * The change of what a vote is worth, while members do everything that changes a list by score:
 * by pacers that are killed, by two at once, to another worth in between, and back.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/commands.h"
#include "../support/concurrent_writer.h"
#include "../support/invariants.h"
#include "lists/list.h"
#include "redis/reply.h"
#include "store/group_admin.h"
#include "store/mod_action.h"
#include "store/pace.h"
#include "store/scores.h"
#include "store/settings.h"
#include "store/walk.h"

enum { ARTICLES = 110, MEMBERS = 20, STEPS_MAX = 1000 };

static void
fill(struct world *world)
{
	world_stop_clock(world, NOON);
	for (int i = 0; i < MEMBERS; i++)
		world_member(world, fixture_string(&world->arena, "user%d", i));
	for (uint64_t i = 1; i <= ARTICLES; i++) {
		uint64_t id = world_post(world, 1, "T",
		    fixture_string(&world->arena, "http://a.b/%d", (int)i),
		    i % 3 == 0	     ? "go lua"
			: i % 3 == 1 ? "go"
				     : "");

		for (uint64_t v = 0; v < i % 5; v++)
			world_vote(
			    world, id, 2 + v, i % 2 == 0 ? VOTE_UP : VOTE_DOWN);
	}
	world_remove(world, 5);
	world_stop_clock(world, 0);
}

static int
set_up(void **state)
{
	world_setup(state);
	fill(*state);
	return 0;
}

/* As settings_set does, which counts each change. */
static void
want(struct world *world, int64_t vote_score)
{
	world_command(world, TEXT("HSET"),
	    key_settings(&world->arena, &world->store.buckets),
	    SETTINGS_VOTE_SCORE, text_number(&world->arena, vote_score));
	world_command(world, TEXT("HINCRBY"),
	    key_versions(&world->arena, &world->store.buckets, 0),
	    TEXT("settings"), TEXT("1"));
}

static struct pace
pace_of(struct world *world)
{
	struct pace pace;

	assert_int_equal(
	    pace_get(&world->store, &world->arena, &pace), STORE_OK);
	return pace;
}

/* What a member's front page shows: articles by score, all with points that make their scores
 * by one worth of a vote, which is given. */
static int64_t
shown_worth(struct world *world)
{
	struct list_query query = {
		.kind = LIST_FRONT, .order = ORDER_TOP, .page = 1
	};
	struct list page;
	int64_t worth = 0, before = INT64_MAX;

	assert_int_equal(
	    list_read(&world->store, &world->arena, &query, &page), STORE_OK);
	assert_true(page.count > 0);
	for (size_t i = 0; i < page.count; i++) {
		const struct article *article = &page.articles[i];
		int64_t points = article->post.points;

		assert_true(article->score <= before);
		before = article->score;
		if (points == 0)
			continue;
		if (worth == 0)
			worth =
			    (article->score - article->post.posted) / points;
		assert_int_equal(
		    article->score, article->post.posted + worth * points);
	}
	return worth;
}

/* What members and moderators do, a little of each. */
static bool
do_something(
    struct store *store, struct arena *arena, unsigned number, unsigned *seed)
{
	uint64_t id = 1 + (uint64_t)rand_r(seed) % (ARTICLES - 1);
	struct article article = {
		.post.author = { 1 + number % MEMBERS, TEXT("somebody") },
		.title = TEXT("New"),
		.url = text_format(
		    arena, "http://new.example/%u/%u", number, *seed),
		.groups = TEXT("lua"),
	};
	enum store_result result = world_cast(store, arena, article_id(id),
	    2 + (uint64_t)rand_r(seed) % (MEMBERS - 2), number % 3);

	if (result != STORE_DOWN && number % 3 == 0)
		result = article_post(store, arena, &article);
	if (result != STORE_DOWN && number % 4 == 0)
		result =
		    post_remove(store, arena, article_id(id), &world_removal);
	if (result != STORE_DOWN && number % 4 == 2)
		result =
		    article_restore(store, arena, 1 + id / 2, &world_restoring);
	if (result != STORE_DOWN && number % 2 == 0)
		result = article_set_groups(store, arena, id,
		    number % 4 == 0 ? TEXT("go") : TEXT("lua"),
		    number % 4 == 0 ? TEXT("lua") : TEXT("go"));
	return result != STORE_DOWN;
}

static void
do_things(struct world *world, unsigned number)
{
	unsigned seed = number;

	assert_true(do_something(&world->store, &world->arena, number, &seed));
}

/* The change is complete: nothing is left of the former lists. */
static void
assert_paced(struct world *world, struct scale scale)
{
	const struct buckets *buckets = &world->store.buckets;
	const struct scores alone = { .read = scale };
	struct pace pace;
	struct text others =
	    world_keys(world, scale.is_second ? "{*}score" : "{*}score2");

	assert_text(others, "");
	others =
	    world_keys(world, scale.is_second ? "{*}score:*" : "{*}score2:*");
	assert_text(others, "");
	for (uint64_t b = 0; b < buckets->count; b++)
		assert_same(
		    world_command(world, TEXT("HGET"),
			key_versions(&world->arena, buckets, b), SCORES_FIELD)
			.text,
		    scores_format(&world->arena, &alone));
	assert_int_equal(shown_worth(world), scale.vote_score);
	pace = pace_of(world);
	assert_false(pace_is_changing(&pace));
	assert_int_equal(pace_percent(&pace), 100);
	assert_int_equal(pace.vote_score, scale.vote_score);
	invariants_check(world);
	commands_assert_whole(world);
}

/* Steps of a new pacer, at most so many; false when there was nothing left to do. */
static bool
take_steps(struct world *world, unsigned max)
{
	struct pacer *pacer = pacer_new(&world->store, 0);
	enum store_result result = STORE_OK;

	for (unsigned i = 0; i < max && result == STORE_OK; i++)
		result = pacer_step(pacer);
	pacer_free(pacer);
	assert_int_not_equal(result, STORE_DOWN);
	return result == STORE_OK;
}

static void
finish(struct world *world)
{
	for (unsigned i = 0; take_steps(world, 1); i++)
		assert_true(i < STEPS_MAX);
}

/* At every step the data are whole, and a page is of one worth. */
static void
worth_of_a_vote_changes_in_use(void **state)
{
	struct world *world = *state;
	struct pacer *pacer = pacer_new(&world->store, 0);
	int64_t shown = 432;
	int percent = 0;

	assert_int_equal(pacer_step(pacer), STORE_ABSENT);
	assert_int_equal(shown_worth(world), 432);
	want(world, 4320);
	for (unsigned i = 0; pacer_step(pacer) == STORE_OK; i++) {
		struct pace pace = pace_of(world);

		assert_true(i < STEPS_MAX);
		assert_true(pace_percent(&pace) >= percent);
		percent = pace_percent(&pace);
		if (pace_is_changing(&pace))
			assert_in_range(percent, 0, 99);
		assert_int_equal(shown_worth(world), pace.vote_score);
		assert_true(pace.vote_score == shown || shown == 432);
		shown = pace.vote_score;
		do_things(world, i);
		invariants_check(world);
		commands_assert_whole(world);
	}
	pacer_free(pacer);
	assert_int_equal(shown, 4320);
	assert_paced(world, (struct scale){ true, 4320 });
	/* And back, into the other names. */
	want(world, 17280);
	finish(world);
	assert_paced(world, (struct scale){ false, 17280 });
}

static void
pacers_that_were_killed_are_continued(void **state)
{
	struct world *world = *state;

	want(world, 4320);
	for (unsigned i = 0; take_steps(world, 1 + i % 3); i++) {
		assert_true(i < STEPS_MAX);
		do_things(world, i);
	}
	assert_paced(world, (struct scale){ true, 4320 });
}

static void
two_pacers_do_no_harm(void **state)
{
	struct world *world = *state;
	struct pacer *pacers[2] = { pacer_new(&world->store, 0),
		pacer_new(&world->store, 0) };
	enum store_result results[2] = { STORE_OK, STORE_OK };

	want(world, 4320);
	for (unsigned i = 0; results[0] == STORE_OK || results[1] == STORE_OK;
	    i++) {
		results[i % 3 == 0] = pacer_step(pacers[i % 3 == 0]);
		assert_int_not_equal(results[i % 3 == 0], STORE_DOWN);
		assert_true(i < STEPS_MAX);
		do_things(world, i);
	}
	pacer_free(pacers[0]);
	pacer_free(pacers[1]);
	finish(world);
	assert_paced(world, (struct scale){ true, 4320 });
}

/* After each number of steps: another worth is wanted, or the former one again. */
static void
another_worth_may_be_wanted_meanwhile(void **state)
{
	struct world *world = *state;
	int64_t before = 432, worth = 0;
	bool is_second = false;

	for (unsigned steps = 1; steps < 30; steps += 3) {
		want(world, 1000 + steps);
		take_steps(world, steps);
		worth = steps % 2 == 0 ? before : 5000 + steps;
		do_things(world, steps);
		want(world, worth);
		for (unsigned i = 0; take_steps(world, 2); i++) {
			assert_true(i < STEPS_MAX);
			do_things(world, i);
			invariants_check(world);
		}
		commands_assert_whole(world);
		assert_int_equal(shown_worth(world), worth);
		before = worth;
		is_second = world_keys(world, "{*}score2").size > 0;
	}
	assert_paced(world, (struct scale){ is_second, worth });
}

/* A worker's own idea of what a vote is worth counts for nothing once the bucket has one. */
static void
votes_count_whatever_their_worker_knows(void **state)
{
	struct world *world = *state;
	struct store stale = world_connect(world);
	uint64_t last = world->store.buckets.count - 1;
	struct text key =
	    key_versions(&world->arena, &world->store.buckets, last);
	unsigned seed = 0, count = 0;

	want(world, 4320);
	while (take_steps(world, 1)) {
		if (world_command(world, TEXT("HEXISTS"), key, SCORES_FIELD)
			.number == 1)
			stale.rules.vote_score = 1;
		assert_true(
		    do_something(&stale, &world->arena, count++, &seed));
		invariants_check(world);
	}
	assert_int_equal(stale.rules.vote_score, 1);
	assert_paced(world, (struct scale){ true, 4320 });
	redis_close(stale.redis);
}

static void
groups_are_merged_and_renamed_meanwhile(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct mod_action action = { .by = { 1, TEXT("user0") } };

	for (unsigned steps = 1; steps < 40; steps += 6) {
		struct text into = text_format(arena, "into%u", steps);

		world_groups(world, into);
		world_groups(world, TEXT("go"));
		want(world, 1000 + steps);
		take_steps(world, steps);
		for (uint64_t id = 1; id < ARTICLES; id += 7)
			assert_int_not_equal(
			    article_set_groups(&world->store, arena, id,
				TEXT("lua"), TEXT("go")),
			    STORE_DOWN);
		assert_int_not_equal(group_merge(&world->store, arena,
					 TEXT("lua"), into, action),
		    STORE_DOWN);
		invariants_check(world);
		world_groups(world, TEXT("lua"));
		finish(world);
		invariants_check(world);
		commands_assert_whole(world);
	}
}

static void
dump_is_loaded_meanwhile(void **state)
{
	struct world *world = *state;
	struct text dump = commands_dump(world).out;
	struct world other;

	for (unsigned steps = 1; steps < 24; steps += 4) {
		world_open(&other, world->store.buckets.count);
		world_stop_clock(&other, NOON);
		want(&other, 4320);
		take_steps(&other, steps % 8);
		commands_load_all(&other, dump);
		/* It says nothing of a vote's worth, which stays as it is wanted. */
		assert_int_equal(pace_of(&other).wanted, 4320);
		invariants_check(&other);
		take_steps(&other, steps);
		commands_load_all(&other, dump);
		invariants_check(&other);
		commands_assert_whole(&other);
		finish(&other);
		assert_paced(&other, (struct scale){ true, 4320 });
		world_close(&other);
	}
}

/* The worth that the owners set is one of the site's settings. */
static void
dump_has_the_worth(void **state)
{
	struct world *world = *state;
	struct world other;
	struct settings settings = settings_default();
	struct text dump;

	settings.vote_score = TEXT("4320");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	finish(world);
	dump = commands_dump(world).out;
	assert_non_null(
	    memmem(dump.data, dump.size, "\"vote_score\":\"4320\"", 19));
	world_open(&other, world->store.buckets.count);
	world_stop_clock(&other, NOON);
	commands_load_all(&other, dump);
	assert_int_equal(pace_of(&other).vote_score, 432);
	finish(&other);
	assert_paced(&other, (struct scale){ true, 4320 });
	assert_same(commands_dump(&other).out, dump);
	world_close(&other);
}

static void
damaged_articles_do_not_stop_it(void **state)
{
	struct world *world = *state;
	const struct buckets *buckets = &world->store.buckets;
	struct arena *arena = &world->arena;

	world_command(world, TEXT("HSET"),
	    key_post(arena, buckets, article_id(7)), TEXT("up"), TEXT("x"));
	world_command(
	    world, TEXT("DEL"), key_post(arena, buckets, article_id(8)));
	world_command(world, TEXT("SET"),
	    key_post(arena, buckets, article_id(8)), TEXT("x"));
	want(world, 4320);
	finish(world);
	assert_int_equal(shown_worth(world), 4320);
}

/* The check reports it, and what it removes is written again by the next pacer. */
static void
damaged_states_are_repaired(void **state)
{
	static const char said[] = "its field \"scores\" is \"score3 1 2\"";
	struct world *world = *state;
	struct text out,
	    key = key_versions(&world->arena, &world->store.buckets, 0);

	want(world, 4320);
	finish(world);
	world_command(
	    world, TEXT("HSET"), key, SCORES_FIELD, TEXT("score3 1 2"));
	out = commands_check(world).out;
	assert_non_null(memmem(out.data, out.size, said, strlen(said)));
	assert_int_equal(commands_repair(world).status, 0);
	finish(world);
	assert_int_equal(shown_worth(world), 4320);
	invariants_check(world);
	commands_assert_whole(world);
}

/* A pacer that was stopped for hours between reading and writing changes nothing. */
static void
late_states_are_refused(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct text key = key_versions(arena, &world->store.buckets, 0);
	struct text before;

	want(world, 4320);
	take_steps(world, 3);
	before = world_command(world, TEXT("HGET"), key, SCORES_FIELD).text;
	want(world, 864);
	take_steps(world, 1);
	assert_text(world_command(world, TEXT("FCALL"), TEXT("scores_1"),
			TEXT("1"), key, before, TEXT("score2 4320"))
			.text,
	    "absent");
	finish(world);
	assert_paced(world, (struct scale){ true, 864 });
}

/* Pages that were begun before the change still read the former lists. */
static void
former_lists_are_kept_while_pages_may_read_them(void **state)
{
	enum { LONG_MS = 3600 * 1000 };
	struct world *world = *state;
	struct pacer *pacer = pacer_new(&world->store, LONG_MS);
	struct text first = text_join(
	    &world->arena, world->store.buckets.tags[0], TEXT("score"));

	want(world, 4320);
	while (pacer_step(pacer) == STORE_OK)
		;
	assert_int_equal(shown_worth(world), 4320);
	do_things(world, 1);
	invariants_check(world);
	commands_assert_whole(world);
	assert_int_equal(world_command(world, TEXT("EXISTS"), first).number, 1);
	/* They are not built again for another worth before that, either. */
	want(world, 864);
	assert_int_equal(pacer_step(pacer), STORE_ABSENT);
	assert_int_equal(shown_worth(world), 4320);
	pacer_free(pacer);
	finish(world);
	assert_paced(world, (struct scale){ false, 864 });
}

static bool
has_read_counters(struct world *world)
{
	struct text stats =
	    world_command(world, TEXT("INFO"), TEXT("commandstats")).text;

	return text_find(stats, 0, TEXT("cmdstat_get:")) != SIZE_MAX;
}

/* A pacer that has nothing to do costs one command a second, however many buckets there are. */
static void
idle_pacers_read_two_fields(void **state)
{
	struct world *world = *state;
	struct pacer *pacer = pacer_new(&world->store, 0);

	assert_int_equal(pacer_step(pacer), STORE_ABSENT);
	world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
	assert_int_equal(pacer_step(pacer), STORE_ABSENT);
	assert_false(has_read_counters(world));
	want(world, 4320);
	/* Another begins, and does not end. */
	assert_true(take_steps(world, 2));
	while (pacer_step(pacer) == STORE_OK)
		;
	assert_true(has_read_counters(world));
	assert_paced(world, (struct scale){ true, 4320 });
	pacer_free(pacer);
}

static void
it_changes_under_load(void **state)
{
	struct world *world = *state;
	struct concurrent_writer busy[2];
	static const int64_t worths[] = { 4320, 864, 17280 };

	for (unsigned i = 0; i < 2; i++)
		busy[i] = concurrent_writer_start(world, do_something, i + 1);
	for (size_t i = 0; i < 3; i++) {
		want(world, worths[i]);
		while (take_steps(world, 5)) {
			concurrent_writer_await(&busy[0], 2);
			shown_worth(world);
		}
	}
	for (int i = 0; i < 2; i++)
		concurrent_writer_kill(&busy[i]);
	finish(world);
	assert_paced(world, (struct scale){ true, 17280 });
}

static void
states_are_read_as_they_are_written(void **state)
{
	static const char *const wrong[] = { "", "score", "score ", "score x",
		"score 0", "score -1", "time 432", "score 432 ",
		"score 432 score2", "score 432 score2 864",
		"score 432 score2 864 1", "score 432 score2 864 0 1",
		"score 432 score 864 1 1", "score 432 score2 864 1 x",
		"score 432 score2 864 1 1 1", "score 1000000001" };
	static const char *const good[] = { "score 1", "score2 1000000000",
		"score 432 score2 864 1700000000000 0",
		"score2 864 score 0 1 99999999999" };
	struct arena arena = { 0 };
	struct scores scores;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (scores_parse(text_of(wrong[i]), &scores))
			fail_msg("\"%s\" is read", wrong[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(scores_parse(text_of(good[i]), &scores));
		assert_text(scores_format(&arena, &scores), good[i]);
	}
	arena_free(&arena);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(worth_of_a_vote_changes_in_use),
		TEST(pacers_that_were_killed_are_continued),
		TEST(two_pacers_do_no_harm),
		TEST(another_worth_may_be_wanted_meanwhile),
		TEST(votes_count_whatever_their_worker_knows),
		TEST(groups_are_merged_and_renamed_meanwhile),
		TEST(dump_is_loaded_meanwhile),
		TEST(dump_has_the_worth),
		TEST(damaged_articles_do_not_stop_it),
		TEST(damaged_states_are_repaired),
		TEST(late_states_are_refused),
		TEST(former_lists_are_kept_while_pages_may_read_them),
		TEST(idle_pacers_read_two_fields),
		TEST(it_changes_under_load),
		cmocka_unit_test(states_are_read_as_they_are_written),
	};

	return world_run("pace", tests);
}

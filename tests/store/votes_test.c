/* Votes: the table of deltas, the window, and the time of becoming interesting. */
#include <inttypes.h>

#include "../support/invariants.h"
#include "redis/reply.h"
#include "store/article.h"
#include "store/keys.h"
#include "store/user.h"

enum { DAY = 86400, WEEK = 7 * DAY };

static enum store_result
vote(const struct world_scene *scene, uint64_t user, enum vote wanted)
{
	return world_cast(&scene->world->store, &scene->world->arena,
	    article_id(scene->article), user, wanted);
}

static int64_t
score_in(const struct world_scene *scene, struct text list)
{
	struct world *world = scene->world;
	struct arena *arena = &world->arena;
	struct reply score = world_command(world, TEXT("ZSCORE"),
	    key_score(arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, scene->article), list),
	    encode_post(arena, article_id(scene->article)));

	return reply_number(&score);
}

static void
check_score(const struct world_scene *scene, int64_t score)
{
	struct article article = world_article(scene->world, scene->article, 0);

	assert_int_equal(article.score, score);
	assert_int_equal(score_in(scene, TEXT("")), score);
	assert_int_equal(score_in(scene, TEXT("redis")), score);
}

/* sign is 1 for up, -1 for down. */
static bool
is_recorded(const struct world_scene *scene, uint64_t user, int sign)
{
	struct world *world = scene->world;

	return world_command(world, TEXT("SISMEMBER"),
		   key_voters(&world->arena, &world->store.buckets,
		       article_id(scene->article)),
		   text_number(&world->arena, sign * (int64_t)user))
		   .number == 1;
}

/* Changes bob's vote from one state to another, and checks what that adds. */
static void
check_row(struct world *world, enum vote from, enum vote to, int64_t score,
    int64_t up, int64_t down)
{
	struct world_scene scene = world_scene(world, "redis");
	struct article before, after;

	assert_int_equal(vote(&scene, scene.bob, from), STORE_OK);
	before = world_article(world, scene.article, scene.bob);
	assert_int_equal(before.post.vote, from);

	assert_int_equal(vote(&scene, scene.bob, to), STORE_OK);
	after = world_article(world, scene.article, scene.bob);
	assert_int_equal(after.post.vote, to);
	assert_int_equal(after.post.up - before.post.up, up);
	assert_int_equal(after.post.down - before.post.down, down);
	check_score(&scene, before.score + score);
	assert_int_equal(is_recorded(&scene, scene.bob, 1), to == VOTE_UP);
	assert_int_equal(is_recorded(&scene, scene.bob, -1), to == VOTE_DOWN);
	assert_true(is_recorded(&scene, scene.ann, 1));
	assert_int_equal(world_karma(scene.world, scene.ann),
	    after.post.up - after.post.down - 1);
	assert_int_equal(world_karma(scene.world, scene.bob), 0);
	invariants_check(world);
}

#define ROW(name, from, to, score, up, down) \
	static void name(void **state) \
	{ \
		check_row(*state, from, to, score, up, down); \
	}

ROW(none_to_none, VOTE_NONE, VOTE_NONE, 0, 0, 0)
ROW(none_to_up, VOTE_NONE, VOTE_UP, +432, +1, 0)
ROW(none_to_down, VOTE_NONE, VOTE_DOWN, -432, 0, +1)
ROW(up_to_none, VOTE_UP, VOTE_NONE, -432, -1, 0)
ROW(up_to_up, VOTE_UP, VOTE_UP, 0, 0, 0)
ROW(up_to_down, VOTE_UP, VOTE_DOWN, -864, -1, +1)
ROW(down_to_none, VOTE_DOWN, VOTE_NONE, +432, 0, -1)
ROW(down_to_up, VOTE_DOWN, VOTE_UP, +864, +1, -1)
ROW(down_to_down, VOTE_DOWN, VOTE_DOWN, 0, 0, 0)

static void
asking_again_changes_nothing(void **state)
{
	struct world *world = *state;
	struct world_scene scene = world_scene(world, "redis");
	struct text before;

	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	before = world_snapshot(world);
	for (int i = 0; i < 3; i++)
		assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	assert_unchanged(world, before);
}

static void
authors_own_vote_is_recorded_and_counted(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct article article =
	    world_article(scene.world, scene.article, scene.ann);

	assert_int_equal(article.post.vote, VOTE_UP);
	assert_int_equal(article.post.up, 1);
	assert_int_equal(article.post.down, 0);
	assert_true(article.post.voters_known);
	check_score(&scene, NOON + 432);
	assert_int_equal(world_karma(scene.world, scene.ann), 0);

	invariants_check(scene.world);
}

/* Whatever vote is requested, also if others have voted, or voting is closed. */
static void
authors_own_vote_stays(void **state)
{
	static const int64_t moments[] = { NOON, NOON + WEEK - 1, NOON + WEEK,
		NOON + WEEK + 1 };
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;

	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		struct text before;

		world_stop_clock(world, moments[i]);
		before = world_snapshot(world);
		for (enum vote wanted = VOTE_NONE; wanted <= VOTE_DOWN;
		    wanted++)
			assert_int_equal(
			    vote(&scene, scene.ann, wanted), STORE_OWN);
		assert_unchanged(world, before);
	}
	assert_int_equal(world_karma(world, scene.ann), -1);
	invariants_check(world);
}

/* From dumps in which an author cancelled the vote: the 0 in the record distinguishes
 * it from an expired one. */
static void
voting_goes_on_with_an_empty_record(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;
	struct arena *arena = &world->arena;

	world_command(world, TEXT("SREM"),
	    key_voters(arena, &world->store.buckets, article_id(scene.article)),
	    text_number(arena, (int64_t)scene.ann));
	world_command(world, TEXT("HSET"),
	    key_post(arena, &world->store.buckets, article_id(scene.article)),
	    TEXT("up"), TEXT("0"));
	assert_true(world_article(world, scene.article, 0).post.voters_known);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	check_score(&scene, NOON + 432);
}

static void
vote_counts_a_second_before_the_window_closes(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");

	world_stop_clock(scene.world, NOON + WEEK - 1);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	check_score(&scene, NOON + 2 * 432);
	invariants_check(scene.world);
}

static void
vote_is_refused_when_the_window_closes(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct text before;

	world_stop_clock(scene.world, NOON + WEEK);
	/* Reading it lets Redis expire the record. */
	assert_false(
	    world_article(scene.world, scene.article, 0).post.voters_known);
	before = world_snapshot(scene.world);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_CLOSED);
	assert_int_equal(vote(&scene, 78, VOTE_NONE), STORE_CLOSED);
	assert_unchanged(scene.world, before);
}

/* Redis deletes it at once or a moment later. */
static void
snapshot_leaves_out_a_key_that_expires_now(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;
	struct text before,
	    key = key_voters(&world->arena, &world->store.buckets,
		article_id(scene.article));

	world_command(world, TEXT("EXPIREAT"), key,
	    text_number(&world->arena, NOON + WEEK));
	world_stop_clock(world, NOON + WEEK);
	before = world_snapshot(world);
	world_command(world, TEXT("DEL"), key);
	assert_unchanged(world, before);
}

static void
score_and_counts_stay_after_the_window(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct article article;

	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	world_stop_clock(scene.world, NOON + WEEK + 1);
	article = world_article(scene.world, scene.article, scene.bob);
	assert_false(article.post.voters_known);
	assert_int_equal(article.post.vote, VOTE_NONE);
	assert_int_equal(article.post.up, 1);
	assert_int_equal(article.post.down, 1);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_CLOSED);
	check_score(&scene, NOON);
	invariants_check(scene.world);
}

static void
nobody_votes_twice_when_the_clock_steps_back(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");

	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	world_stop_clock(scene.world, NOON + WEEK + 1);
	/* Reading it lets Redis expire the record. */
	assert_false(
	    world_article(scene.world, scene.article, 0).post.voters_known);
	world_stop_clock(scene.world, NOON + 100);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_CLOSED);
	assert_int_equal(vote(&scene, scene.bob, VOTE_NONE), STORE_CLOSED);
	assert_int_equal(vote(&scene, scene.bob + 1, VOTE_UP), STORE_CLOSED);
	check_score(&scene, NOON + 2 * 432);
	invariants_check(scene.world);
}

static void
nobody_votes_twice_when_the_clock_steps_back_over_the_end(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;

	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	world_stop_clock(world, NOON + WEEK + 1);
	/* Reading it makes Redis delete it. */
	assert_int_equal(world_command(world, TEXT("EXISTS"),
			     key_voters(&world->arena, &world->store.buckets,
				 article_id(scene.article)))
			     .number,
	    0);
	world_stop_clock(world, NOON + 100);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_CLOSED);
	assert_int_equal(vote(&scene, scene.bob, VOTE_NONE), STORE_CLOSED);
	check_score(&scene, NOON);
}

static void
nobody_votes_twice_when_the_clock_stepped_back_before(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");

	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	world_stop_clock(scene.world, NOON - DAY);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	check_score(&scene, NOON + 2 * 432);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	check_score(&scene, NOON);
	invariants_check(scene.world);
}

static void
longer_window_does_not_open_older_articles(void **state)
{
	struct world_scene scene;
	struct world *world = *state;

	world->store.rules.vote_window = 100;
	scene = world_scene(world, "redis");
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	world->store.rules.vote_window = WEEK;
	assert_int_equal(
	    world_article(world, scene.article, 0).post.closes, NOON + 100);
	world_stop_clock(world, NOON + 100);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_CLOSED);
	world_stop_clock(world, NOON + 101);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_CLOSED);
	check_score(&scene, NOON + 2 * 432);
}

static void
shorter_window_does_not_close_older_articles(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");

	scene.world->store.rules.vote_window = 100;
	world_stop_clock(scene.world, NOON + 200);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	check_score(&scene, NOON);
	invariants_check(scene.world);
}

/* For every vote, in the last millisecond in which it is possible. */
static void
set_of_voters_expires_when_voting_closes(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;
	struct text key = key_voters(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	for (int i = 0; i < 2; i++) {
		assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
		assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
		assert_int_equal(vote(&scene, scene.bob, VOTE_NONE), STORE_OK);
		assert_int_equal(
		    world_command(world, TEXT("PEXPIRETIME"), key).number,
		    (int64_t)(NOON + WEEK) * 1000 - 1);
	}
	world_stop_clock(world, NOON + WEEK);
	assert_text(world_keys(world, "{*}voters:*"), "");
}

static void
removed_article_takes_no_vote(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct world *world = scene.world;
	struct text before;

	world_remove(world, scene.article);
	before = world_snapshot(world);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_REMOVED);
	assert_int_equal(vote(&scene, scene.ann, VOTE_NONE), STORE_REMOVED);
	assert_unchanged(world, before);
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
}

static void
unknown_article_takes_no_vote(void **state)
{
	struct world_scene scene = world_scene(*state, "redis");
	struct text before = world_snapshot(scene.world);

	scene.article = 999;
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_ABSENT);
	scene.article = 0;
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_ABSENT);
	assert_unchanged(scene.world, before);
}

static int64_t
moment_in_set(const struct world_scene *scene)
{
	struct world *world = scene->world;
	struct reply moment = world_command(world, TEXT("ZSCORE"),
	    key_interesting(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, scene->article)),
	    encode_post(&world->arena, article_id(scene->article)));

	return reply_number(&moment);
}

static void
check_moment(const struct world_scene *scene, int64_t moment)
{
	assert_int_equal(
	    world_article(scene->world, scene->article, 0).interesting, moment);
	assert_int_equal(moment_in_set(scene), moment);
}

static void
interesting_time_is_recorded_once(void **state)
{
	struct world_scene scene;
	struct world *world = *state;

	world->store.rules.interesting = 3;
	scene = world_scene(world, "redis");
	world_move_clock(world, 10);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	check_moment(&scene, 0);
	world_move_clock(world, 10);
	assert_int_equal(vote(&scene, 77, VOTE_DOWN), STORE_OK);
	check_moment(&scene, 0);
	assert_int_equal(vote(&scene, 78, VOTE_UP), STORE_OK);
	check_moment(&scene, NOON + 20);

	world_move_clock(world, 10);
	assert_int_equal(vote(&scene, 78, VOTE_NONE), STORE_OK);
	assert_int_equal(vote(&scene, scene.bob, VOTE_DOWN), STORE_OK);
	check_moment(&scene, NOON + 20);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	assert_int_equal(vote(&scene, 78, VOTE_UP), STORE_OK);
	assert_int_equal(vote(&scene, 79, VOTE_UP), STORE_OK);
	check_moment(&scene, NOON + 20);
	invariants_check(world);
}

static void
one_vote_may_be_interesting_at_posting(void **state)
{
	struct world_scene scene;
	struct world *world = *state;

	world->store.rules.interesting = 1;
	scene = world_scene(world, "redis");
	check_moment(&scene, NOON);
	world_move_clock(world, 10);
	assert_int_equal(vote(&scene, scene.bob, VOTE_UP), STORE_OK);
	check_moment(&scene, NOON);
	invariants_check(world);
}

static void
votes_have_words(void **state)
{
	enum vote read;

	(void)state;
	for (enum vote i = VOTE_NONE; i <= VOTE_DOWN; i++) {
		assert_true(vote_parse(vote_words[i], &read));
		assert_int_equal(read, i);
	}
	assert_false(vote_parse(TEXT("Up"), &read));
	assert_false(vote_parse(TEXT("up "), &read));
	assert_false(vote_parse(TEXT(""), &read));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(none_to_none),
		world_test(none_to_up),
		world_test(none_to_down),
		world_test(up_to_none),
		world_test(up_to_up),
		world_test(up_to_down),
		world_test(down_to_none),
		world_test(down_to_up),
		world_test(down_to_down),
		world_test(asking_again_changes_nothing),
		world_test(authors_own_vote_is_recorded_and_counted),
		world_test(authors_own_vote_stays),
		world_test(voting_goes_on_with_an_empty_record),
		world_test(vote_counts_a_second_before_the_window_closes),
		world_test(vote_is_refused_when_the_window_closes),
		world_test(snapshot_leaves_out_a_key_that_expires_now),
		world_test(score_and_counts_stay_after_the_window),
		world_test(nobody_votes_twice_when_the_clock_steps_back),
		world_test(
		    nobody_votes_twice_when_the_clock_steps_back_over_the_end),
		world_test(
		    nobody_votes_twice_when_the_clock_stepped_back_before),
		world_test(longer_window_does_not_open_older_articles),
		world_test(shorter_window_does_not_close_older_articles),
		world_test(set_of_voters_expires_when_voting_closes),
		world_test(removed_article_takes_no_vote),
		world_test(unknown_article_takes_no_vote),
		world_test(interesting_time_is_recorded_once),
		world_test(one_vote_may_be_interesting_at_posting),
		world_test(votes_have_words),
	};

	return world_run("votes", tests);
}

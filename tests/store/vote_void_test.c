/*
 * Voiding votes and counting them again, with all consequences, on one article and on
 * all that take votes.
 */
#include "../support/browser.h"
#include "../support/invariants.h"
#include "lists/mod_log.h"
#include "store/comment.h"
#include "store/containment.h"
#include "store/vote_void.h"

enum { DAY = 86400, WEEK = 7 * DAY, VOTE = 432 };

/* An article by ann, on which bob will vote. */
struct scene {
	struct world *world;
	struct member ann, bob, eve;
	uint64_t article;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	world_group(world, "redis");
	scene.ann = (struct member){ world_member(world, "ann"), TEXT("ann") };
	scene.bob = (struct member){ world_member(world, "bob"), TEXT("bob") };
	scene.eve = (struct member){ world_member(world, "eve"), TEXT("eve") };
	scene.article = world_post(
	    world, scene.ann.id, "A title", "http://a.example/", "redis");
	return scene;
}

static enum store_result
change(
    const struct scene *scene, const struct member *member, enum voiding wanted)
{
	return vote_void_one(&scene->world->store, &scene->world->arena,
	    article_id(scene->article), member, wanted,
	    (struct mod_action){ .by = scene->eve });
}

/* As an act on all of them, which is one entry in the log (store/containment.h). */
static uint64_t
change_all(
    const struct scene *scene, const struct member *member, enum voiding wanted)
{
	struct store *store = &scene->world->store;
	struct arena *arena = &scene->world->arena;
	struct containment act = { .member = *member,
		.votes = wanted == VOIDING_VOID ? CONTAINMENT_VOID
						: CONTAINMENT_COUNT };
	struct containment_counts counts;

	assert_int_equal(containment_start(store, arena, &act,
			     (struct mod_action){ .by = scene->eve,
				 .what = mod_action_words[wanted == VOIDING_VOID
					 ? MOD_VOIDED
					 : MOD_COUNTED] }),
	    STORE_OK);
	world_contain(scene->world);
	assert_int_equal(
	    containment_count(store, arena, member->id, act.act, &counts),
	    STORE_OK);
	return (uint64_t)counts.votes;
}

static void
check_counts(const struct scene *scene, int64_t up, int64_t down)
{
	struct article article = world_article(scene->world, scene->article, 0);

	assert_int_equal(article.post.up, up);
	assert_int_equal(article.post.down, down);
	assert_int_equal(article.score, NOON + VOTE * (up - down));
	assert_int_equal(
	    world_karma(scene->world, scene->ann.id), up - down - 1);
	invariants_check(scene->world);
}

static size_t
actions_of(const struct scene *scene, const char *kind)
{
	return world_log(scene->world, kind).count;
}

/* Voided and counted again, for a vote in either direction. */
static void
check_way(const struct scene *scene, enum vote way)
{
	bool is_up = way == VOTE_UP;
	struct world *world = scene->world;

	world_vote(world, scene->article, scene->bob.id, way);
	check_counts(scene, is_up ? 2 : 1, is_up ? 0 : 1);
	assert_int_equal(change(scene, &scene->bob, VOIDING_VOID), STORE_OK);
	check_counts(scene, 1, 0);
	assert_int_equal(
	    world_article(world, scene->article, scene->bob.id).post.vote,
	    VOTE_NONE);
	/* Nothing is logged again. */
	assert_int_equal(change(scene, &scene->bob, VOIDING_VOID), STORE_OK);
	assert_int_equal(change(scene, &scene->bob, VOIDING_COUNT), STORE_OK);
	check_counts(scene, is_up ? 2 : 1, is_up ? 0 : 1);
	assert_int_equal(change(scene, &scene->bob, VOIDING_COUNT), STORE_OK);
	assert_int_equal(
	    world_article(world, scene->article, scene->bob.id).post.vote, way);
}

static void
votes_are_voided_and_counted_again(void **state)
{
	struct scene scene = begin(*state);

	check_way(&scene, VOTE_UP);
	check_way(&scene, VOTE_DOWN);
	assert_int_equal(actions_of(&scene, "voided"), 2);
	assert_int_equal(actions_of(&scene, "counted"), 2);
}

/* Whatever vote is requested. */
static void
member_whose_vote_is_voided_cannot_vote(void **state)
{
	static const enum vote wanted[] = { VOTE_UP, VOTE_DOWN, VOTE_NONE };
	struct scene scene = begin(*state);
	struct world *world = *state;

	world_vote(world, scene.article, scene.bob.id, VOTE_DOWN);
	assert_int_equal(change(&scene, &scene.bob, VOIDING_VOID), STORE_OK);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(
		    world_cast(&world->store, &world->arena,
			article_id(scene.article), scene.bob.id, wanted[i]),
		    STORE_VOIDED);
		check_counts(&scene, 1, 0);
	}
	/* Others do. */
	world_vote(world, scene.article, scene.eve.id, VOTE_UP);
	check_counts(&scene, 2, 0);
	assert_int_equal(change(&scene, &scene.bob, VOIDING_COUNT), STORE_OK);
	world_vote(world, scene.article, scene.bob.id, VOTE_UP);
	check_counts(&scene, 3, 0);
}

/* The time stays, as it does when votes are cancelled. */
static void
interesting_article_stays_interesting(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;

	world->store.rules.interesting = 2;
	world_vote(world, scene.article, scene.bob.id, VOTE_UP);
	assert_int_equal(
	    world_article(world, scene.article, 0).interesting, NOON);
	world_stop_clock(world, NOON + 10);
	assert_int_equal(change(&scene, &scene.bob, VOIDING_VOID), STORE_OK);
	assert_int_equal(change(&scene, &scene.bob, VOIDING_COUNT), STORE_OK);
	assert_int_equal(
	    world_article(world, scene.article, 0).interesting, NOON);
	check_counts(&scene, 2, 0);
}

static void
closed_removed_and_own_posts_are_refused(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = *state;

	assert_int_equal(change(&scene, &scene.ann, VOIDING_VOID), STORE_OWN);
	assert_int_equal(
	    change(&scene, &scene.bob, VOIDING_VOID), STORE_ABSENT);
	assert_int_equal(
	    change(&scene, &scene.bob, VOIDING_COUNT), STORE_ABSENT);
	world_vote(world, scene.article, scene.bob.id, VOTE_UP);
	world_remove(world, scene.article);
	assert_int_equal(
	    change(&scene, &scene.bob, VOIDING_VOID), STORE_REMOVED);
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	world_stop_clock(world, NOON + WEEK);
	assert_int_equal(
	    change(&scene, &scene.bob, VOIDING_VOID), STORE_CLOSED);
	scene.article = 4711;
	assert_int_equal(
	    change(&scene, &scene.bob, VOIDING_VOID), STORE_ABSENT);
	assert_int_equal(actions_of(&scene, "voided"), 0);
}

/* More articles than one batch, in several buckets; one is closed, one is removed, and
 * one is by bob. */
static void
all_open_votes_of_a_member_are_voided(void **state)
{
	enum { ARTICLES = 510 };
	struct scene scene = begin(*state);
	struct world *world = *state;
	uint64_t removed, own, more[ARTICLES];

	world_vote(world, scene.article, scene.bob.id, VOTE_UP);
	world_stop_clock(world, NOON + WEEK);
	for (int i = 0; i < ARTICLES; i++) {
		more[i] = world_post(world, scene.ann.id, "A",
		    fixture_string(&world->arena, "http://b.example/%d", i),
		    "");
		world_vote(world, more[i], scene.bob.id,
		    i % 3 == 0 ? VOTE_DOWN : VOTE_UP);
		world_vote(world, more[i], scene.eve.id, VOTE_UP);
	}
	removed = world_post(world, scene.ann.id, "R", "http://r.example/", "");
	world_vote(world, removed, scene.bob.id, VOTE_UP);
	world_remove(world, removed);
	own = world_post(world, scene.bob.id, "O", "http://o.example/", "");
	assert_int_equal(
	    change_all(&scene, &scene.bob, VOIDING_VOID), ARTICLES);
	for (int i = 0; i < ARTICLES; i++) {
		struct article article = world_article(world, more[i], 0);

		assert_int_equal(article.post.up, 2);
		assert_int_equal(article.post.down, 0);
	}
	assert_int_equal(world_article(world, own, 0).post.up, 1);
	assert_int_equal(world_article(world, removed, 0).post.up, 2);
	assert_int_equal(world_article(world, scene.article, 0).post.up, 2);
	assert_int_equal(change_all(&scene, &scene.bob, VOIDING_VOID), 0);
	invariants_check(world);
	assert_int_equal(
	    change_all(&scene, &scene.bob, VOIDING_COUNT), ARTICLES);
	assert_int_equal(world_article(world, more[0], 0).post.down, 1);
	assert_int_equal(world_article(world, more[1], 0).post.up, 3);
	invariants_check(world);
}

static void
vote_on(const struct scene *scene, uint64_t comment,
    const struct member *member, enum vote vote)
{
	assert_int_equal(
	    world_cast(&scene->world->store, &scene->world->arena,
		(struct post_id){ scene->article, comment }, member->id, vote),
	    STORE_OK);
}

static int64_t
points_of(const struct scene *scene, uint64_t number)
{
	struct comment comment;
	int64_t now;

	assert_int_equal(
	    comment_get(&scene->world->store, &scene->world->arena,
		(struct post_id){ scene->article, number }, 0, &comment, &now),
	    STORE_OK);
	return comment.post.points;
}

/* The same for more comments than one batch, on an article that is closed for voting;
 * the first comment is closed as well, and the last one is by bob. */
static void
votes_on_comments_are_voided_too(void **state)
{
	enum { COMMENTS = 510, LATE = WEEK + DAY };
	struct scene scene = begin(*state);
	struct world *world = *state;
	struct post_id article = article_id(scene.article);
	uint64_t closed =
		     world_comment(world, article, scene.ann.id, "The first"),
		 more[COMMENTS], own;

	vote_on(&scene, closed, &scene.bob, VOTE_DOWN);
	world_stop_clock(world, NOON + LATE);
	for (int i = 0; i < COMMENTS; i++) {
		more[i] = world_comment(world, article, scene.ann.id,
		    fixture_string(&world->arena, "Text %d", i));
		vote_on(&scene, more[i], &scene.bob,
		    i % 3 == 0 ? VOTE_DOWN : VOTE_UP);
	}
	own = world_comment(world, article, scene.bob.id, "Bob's own");
	assert_int_equal(
	    change_all(&scene, &scene.bob, VOIDING_VOID), COMMENTS);
	for (int i = 0; i < COMMENTS; i++)
		assert_int_equal(points_of(&scene, more[i]), 1);
	assert_int_equal(points_of(&scene, closed), 0);
	assert_int_equal(points_of(&scene, own), 1);
	assert_int_equal(change_all(&scene, &scene.bob, VOIDING_VOID), 0);
	invariants_check(world);
	assert_int_equal(
	    change_all(&scene, &scene.bob, VOIDING_COUNT), COMMENTS);
	assert_int_equal(points_of(&scene, more[0]), 0);
	assert_int_equal(points_of(&scene, more[1]), 2);
	invariants_check(world);
}

/* The number of steps in which a member's votes in all buckets are voided. */
static uint64_t
sweep(const struct scene *scene, const struct member *member)
{
	struct world *world = scene->world;
	const struct vote_act act = { .member = *member,
		.wanted = VOIDING_VOID,
		.act = 1,
		.seconds = WEEK };
	uint64_t steps = 0;

	for (uint64_t b = 0; b < world->store.buckets.count; b++) {
		struct vote_cursor cursor = { .score = 0 };

		for (bool ended = false; !ended; steps++)
			assert_int_equal(
			    vote_sweep_step(&world->store, &world->arena, &act,
				NOON, b, &cursor, &ended),
			    STORE_OK);
	}
	return steps;
}

/* The articles of a bucket are one step, unless they have 20,000 comments each. */
static void
step_visits_many_articles_or_a_large_thread(void **state)
{
	enum { ARTICLES = 24, COMMENTS = 20000, SMALL = 4 };
	struct world *world = *state;
	struct scene scene = begin(world);
	uint64_t articles[ARTICLES];

	for (int i = 0; i < ARTICLES; i++) {
		world_stop_clock(world, NOON + i / 2);
		articles[i] = world_post(world, scene.ann.id,
		    fixture_string(&world->arena, "Title %d", i), "", "");
		world_vote(world, articles[i], scene.bob.id, VOTE_UP);
		world_vote(world, articles[i], scene.eve.id, VOTE_UP);
	}
	assert_int_equal(sweep(&scene, &scene.bob), world->store.buckets.count);
	for (int i = SMALL; i < ARTICLES; i++)
		world_command(world, TEXT("HSET"),
		    key_post(&world->arena, &world->store.buckets,
			article_id(articles[i])),
		    TEXT("commented"), text_number(&world->arena, COMMENTS));
	assert_in_range(
	    sweep(&scene, &scene.eve), ARTICLES - SMALL, 2 * ARTICLES);
	for (int i = 0; i < ARTICLES; i++)
		assert_int_equal(
		    world_article(world, articles[i], 0).post.up, 1);
}

/* The cached votes of a member then have another version. */
static void
voided_vote_disappears_for_its_member(void **state)
{
	struct world *world = *state;
	struct scene scene = begin(world);
	struct browser tom = browser_member(world, "tom");
	struct member member = { 4, TEXT("tom") };

	tom.app.read_cache = world->cache;
	world_vote(world, scene.article, member.id, VOTE_UP);
	/* It is some seconds old. */
	world_command(world, TEXT("DEL"), key_votes(&world->arena, member.id));
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(&tom, "/g/redis"), 200);
		assert_text(
		    browser_attribute(&tom, scene.article, "data-vote"), "up");
	}
	assert_int_equal(change(&scene, &member, VOIDING_VOID), STORE_OK);
	assert_status(browser_get(&tom, "/g/redis"), 200);
	assert_text(
	    browser_attribute(&tom, scene.article, "data-vote"), "none");
	assert_int_equal(change_all(&scene, &member, VOIDING_COUNT), 1);
	assert_status(browser_get(&tom, "/g/redis"), 200);
	assert_text(browser_attribute(&tom, scene.article, "data-vote"), "up");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(votes_are_voided_and_counted_again),
		world_test(member_whose_vote_is_voided_cannot_vote),
		world_test(interesting_article_stays_interesting),
		world_test(closed_removed_and_own_posts_are_refused),
		world_test(all_open_votes_of_a_member_are_voided),
		world_test(votes_on_comments_are_voided_too),
		world_test(step_visits_many_articles_or_a_large_thread),
		world_test(voided_vote_disappears_for_its_member),
	};

	return world_run("voiding", tests);
}

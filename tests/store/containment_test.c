/*
 * Acts on a member and on everything of theirs (store/containment.h): each step may be repeated, by
 * any relay, and what others have decided since is left.
 */
#include "store/containment.h"

#include <string.h>

#include "../support/commands.h"
#include "../support/invariants.h"
#include "../support/world.h"
#include "store/account_status.h"
#include "store/article.h"
#include "store/group_admin.h"
#include "store/settings.h"
#include "store/user.h"

enum { DAY = 86400, ARTICLES = 120, COMMENTS = 60 };

/* Articles and comments of ann, who voted on bob's; mod acts. */
struct scene {
	struct world *world;
	struct member ann, mod;
	uint64_t articles[ARTICLES], bobs;
	struct containment act;
};

static struct user
user_of(const struct scene *scene, uint64_t id)
{
	struct user user;

	assert_int_equal(
	    user_get(&scene->world->store, &scene->world->arena, id, &user),
	    STORE_OK);
	return user;
}

static struct scene
begin(struct world *world, size_t articles, size_t comments)
{
	struct scene scene = { .world = world };
	uint64_t bob;

	world_stop_clock(world, NOON);
	scene.ann = (struct member){ world_member(world, "ann"), TEXT("ann") };
	bob = world_member(world, "bob");
	scene.mod = (struct member){ world_member(world, "mod"), TEXT("mod") };
	scene.bobs =
	    world_post(world, bob, "Bob's", "https://bob.example/", "");
	world_vote(world, scene.bobs, scene.ann.id, VOTE_UP);
	for (size_t i = 0; i < articles; i++)
		scene.articles[i] = world_post(world, scene.ann.id,
		    fixture_string(&world->arena, "Article %zu", i),
		    fixture_string(&world->arena, "https://a.example/%zu", i),
		    "");
	for (size_t i = 0; i < comments; i++)
		world_comment(world, article_id(scene.bobs), scene.ann.id,
		    fixture_string(&world->arena, "Comment %zu", i));
	scene.act = (struct containment){ .member = scene.ann,
		.suspends = 1,
		.ends_invitations = 1,
		.removes = CONTAINMENT_FOREVER,
		.votes = CONTAINMENT_VOID,
		.hosts = TEXT("a.example") };
	return scene;
}

static void
start(struct scene *scene)
{
	struct user ann = user_of(scene, scene->ann.id);

	scene->act.before = ann.suspended;
	scene->act.before_reason = ann.suspension;
	assert_int_equal(containment_start(&scene->world->store,
			     &scene->world->arena, &scene->act,
			     (struct mod_action){ .by = scene->mod,
				 .what = mod_action_words[MOD_CONTAINED],
				 .reason = TEXT("Spam") }),
	    STORE_OK);
}

static void
undo(struct scene *scene)
{
	assert_int_equal(containment_undo(&scene->world->store,
			     &scene->world->arena, &scene->act,
			     (struct mod_action){ .by = scene->mod,
				 .what = mod_action_words[MOD_RELEASED] }),
	    STORE_OK);
}

static void
assert_counts(const struct scene *scene, int64_t posts, int64_t votes,
    int64_t left_posts, int64_t left_votes)
{
	struct containment_counts counts;

	assert_int_equal(
	    containment_count(&scene->world->store, &scene->world->arena,
		scene->ann.id, scene->act.act, &counts),
	    STORE_OK);
	assert_int_equal(counts.posts, posts);
	assert_int_equal(counts.votes, votes);
	assert_int_equal(counts.left_posts, left_posts);
	assert_int_equal(counts.left_votes, left_votes);
	commands_assert_whole(scene->world);
	invariants_check(scene->world);
}

/* Each step is done, forgotten and done again, as if the relay had been killed before it noted
 * it. */
static void
repeat_each_step(const struct scene *scene)
{
	struct world *world = scene->world;
	struct store *store = &world->store;
	struct containment before, after;
	struct containment_faults faults = { .next = 0 };
	bool more = true;

	for (int i = 0; more; i++) {
		assert_true(i < 1000);
		assert_int_equal(containment_get(store, &world->arena,
				     scene->act.act, &before),
		    STORE_OK);
		more = containment_step(store, &world->arena, &faults);
		assert_int_equal(containment_get(store, &world->arena,
				     scene->act.act, &after),
		    STORE_OK);
		if (!more || !text_equal(before.state, after.state))
			continue;
		world_command(world, TEXT("HSET"),
		    key_containment(
			&world->arena, &store->buckets, scene->act.act),
		    TEXT("cursor"), before.cursor);
		more = containment_step(store, &world->arena, &faults);
	}
	assert_int_equal(faults.logged, 0);
}

static void
each_step_may_be_repeated(void **state)
{
	struct scene scene = begin(*state, ARTICLES, COMMENTS);
	struct user ann;

	start(&scene);
	repeat_each_step(&scene);
	assert_counts(&scene, ARTICLES + COMMENTS, 1, 0, 0);
	assert_int_equal(world_log(scene.world, "removed").count, 0);
	undo(&scene);
	repeat_each_step(&scene);
	assert_counts(&scene, 0, 0, 0, 0);
	ann = user_of(&scene, scene.ann.id);
	assert_int_equal(ann.suspended, 0);
	assert_int_equal(
	    world_article(scene.world, scene.bobs, scene.ann.id).post.vote,
	    VOTE_UP);
	/* It is taken back once. */
	assert_int_equal(
	    containment_undo(&scene.world->store, &scene.world->arena,
		&scene.act, (struct mod_action){ .by = scene.mod }),
	    STORE_CLOSED);
}

/* Votes are closed, a post was restored and another one restored and removed again, and the
 * member was suspended otherwise: an undo leaves all of that. */
static void
later_decisions_stay(void **state)
{
	struct scene scene = begin(*state, 3, 0);
	struct store *store = &scene.world->store;
	struct arena *arena = &scene.world->arena;
	struct user ann;

	start(&scene);
	world_contain(scene.world);
	for (int i = 0; i < 2; i++)
		assert_int_equal(article_restore(store, arena,
				     scene.articles[i], &world_restoring),
		    STORE_OK);
	world_remove(scene.world, scene.articles[1]);
	ann = user_of(&scene, scene.ann.id);
	assert_int_equal(
	    account_suspend(store, arena, &ann, NOON + 30 * DAY,
		(struct mod_action){ .by = scene.mod, .reason = TEXT("Rude") }),
	    STORE_OK);
	assert_int_equal(post_void(store, arena, article_id(scene.bobs),
			     scene.ann.id, VOIDING_COUNT, &world_restoring),
	    STORE_OK);
	undo(&scene);
	world_contain(scene.world);
	assert_counts(&scene, 0, 0, 2, 1);
	assert_int_equal(
	    world_article(scene.world, scene.articles[0], 0).post.removed, 0);
	assert_int_not_equal(
	    world_article(scene.world, scene.articles[1], 0).post.removed, 0);
	assert_int_equal(
	    world_article(scene.world, scene.articles[2], 0).post.removed, 0);
	ann = user_of(&scene, scene.ann.id);
	assert_int_equal(ann.suspended, NOON + 30 * DAY);
	assert_int_equal(
	    containment_get(store, arena, scene.act.act, &scene.act), STORE_OK);
	assert_int_equal(scene.act.stayed, 1);
}

static void
votes_that_have_closed_stay_voided(void **state)
{
	struct scene scene = begin(*state, 1, 0);

	world_move_clock(
	    scene.world, (int)scene.world->store.rules.vote_window - 60);
	start(&scene);
	world_contain(scene.world);
	assert_counts(&scene, 1, 1, 0, 0);
	world_move_clock(scene.world, 120);
	undo(&scene);
	world_contain(scene.world);
	assert_counts(&scene, 0, 0, 0, 1);
}

/* A suspension from before and a host that was blocked before are as they were. */
static void
what_was_before_stays(void **state)
{
	struct scene scene = begin(*state, 1, 0);
	struct store *store = &scene.world->store;
	struct arena *arena = &scene.world->arena;
	struct user ann = user_of(&scene, scene.ann.id);
	struct settings settings;

	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    settings_set_host(store, arena,
			i == 0 ? TEXT("a.example") : TEXT("other.example"),
			HOST_BLOCKED,
			&(struct mod_action){ .by = scene.mod,
			    .what = mod_action_words[MOD_HOST_BLOCKED] }),
		    STORE_OK);
	assert_int_equal(
	    account_suspend(store, arena, &ann, NOON + DAY,
		(struct mod_action){ .by = scene.mod, .reason = TEXT("Rude") }),
	    STORE_OK);
	scene.act.hosts = TEXT("a.example b.example");
	start(&scene);
	world_contain(scene.world);
	assert_int_equal(settings_get(store, arena, &settings), STORE_OK);
	assert_text(settings.hosts, "a.example other.example b.example");
	undo(&scene);
	world_contain(scene.world);
	assert_int_equal(settings_get(store, arena, &settings), STORE_OK);
	assert_text(settings.hosts, "a.example other.example");
	ann = user_of(&scene, scene.ann.id);
	assert_int_equal(ann.suspended, NOON + DAY);
	assert_text(ann.suspension, "Rude");
}

/* How often an act's posts were asked for. */
static uint64_t
count_calls(struct world *world)
{
	struct reply stats =
	    world_command(world, TEXT("INFO"), TEXT("commandstats"));
	struct text text = reply_text(&stats);
	size_t at = text_find(text, 0, TEXT("cmdstat_zrange:calls="));
	uint64_t calls = 0;
	struct text number;

	if (at == SIZE_MAX)
		return 0;
	at += strlen("cmdstat_zrange:calls=");
	number = text_slice(text, at, text_find(text, at, TEXT(",")) - at);
	assert_true(text_to_u64(number, &calls));
	return calls;
}

/* An act whose data cannot be reached is tried once, and again only some seconds later; another one
 * meanwhile is carried out. */
static void
act_that_fails_waits(void **state)
{
	struct scene scene = begin(*state, 1, 0), other;
	struct world *world = scene.world;
	struct store *store = &world->store;
	struct containment_faults faults = { .next = 0 };
	struct text list = key_in_bucket(&world->arena, &store->buckets,
	    key_bucket_of(&store->buckets, scene.articles[0]), KEY_TIME,
	    key_list_of_author(&world->arena, scene.ann.id));
	uint64_t calls;

	start(&scene);
	other = scene;
	other.act.member =
	    (struct member){ world_member(world, "eve"), TEXT("eve") };
	start(&other);
	world_command(world, TEXT("RENAME"), list, TEXT("away"));
	world_command(world, TEXT("SET"), list, TEXT("of another type"));
	while (containment_step(store, &world->arena, &faults))
		;
	assert_int_not_equal(faults.logged, 0);
	assert_int_equal(
	    containment_get(store, &world->arena, other.act.act, &other.act),
	    STORE_OK);
	assert_true(containment_is(&other.act, CONTAINMENT_DONE));
	calls = count_calls(world);
	assert_int_not_equal(calls, 0);
	for (int i = 0; i < 10; i++)
		assert_false(containment_step(store, &world->arena, &faults));
	assert_int_equal(count_calls(world), calls);

	world_command(world, TEXT("RENAME"), TEXT("away"), list);
	faults.late[0].again_at = 0;
	while (containment_step(store, &world->arena, &faults))
		;
	assert_counts(&scene, 1, 1, 0, 0);
}

/* A day later there is nothing to take back, and no key is left for it. */
static void
record_expires(void **state)
{
	struct scene scene = begin(*state, 1, 0);
	struct store *store = &scene.world->store;
	struct arena *arena = &scene.world->arena;
	struct containment *acts;
	size_t count;

	start(&scene);
	world_contain(scene.world);
	world_command(scene.world, TEXT("DEL"),
	    key_containment(arena, &store->buckets, scene.act.act));
	assert_int_equal(containment_undo(store, arena, &scene.act,
			     (struct mod_action){ .by = scene.mod }),
	    STORE_ABSENT);
	assert_int_equal(
	    containment_list(store, arena, scene.ann.id, &acts, &count),
	    STORE_OK);
	assert_int_equal(count, 0);
	assert_int_equal(world_command(scene.world, TEXT("EXISTS"),
			     key_containments(arena, &store->buckets))
			     .number,
	    0);
}

static size_t
count_shown(const struct scene *scene)
{
	size_t count = 0;

	for (size_t i = 0; i < ARTICLES; i++)
		count += world_article(scene->world, scene->articles[i], 0)
			     .post.removed == 0;
	return count;
}

/* It is begun in the last second in which it may be, and goes on after that. */
static void
undo_is_completed_after_the_day(void **state)
{
	struct scene scene = begin(*state, ARTICLES, 0);
	struct world *world = scene.world;
	struct containment_faults faults = { .next = 0 };

	start(&scene);
	world_contain(world);
	assert_int_equal(count_shown(&scene), 0);
	world_stop_clock(world, NOON + DAY - 1);
	undo(&scene);
	assert_true(containment_step(&world->store, &world->arena, &faults));
	world_stop_clock(world, NOON + 2 * DAY);
	world_contain(world);
	assert_int_equal(count_shown(&scene), ARTICLES);
	/* The record expires a day later, and is listed no more. */
	world_stop_clock(world, NOON + 3 * DAY + 1);
	world_contain(world);
	assert_text(world_keys(world, "*containment*"), "");
	commands_assert_whole(world);
}

/* An act whose steps had to wait for a day, and one that nobody has taken back. */
static void
act_is_completed_after_the_day(void **state)
{
	struct scene scene = begin(*state, 3, 0);
	struct world *world = scene.world;

	start(&scene);
	world_stop_clock(world, NOON + 2 * DAY);
	world_contain(world);
	assert_int_equal(
	    world_article(world, scene.articles[0], 0).post.removed,
	    NOON + 2 * DAY);
	undo(&scene);
	world_contain(world);
	assert_int_equal(
	    world_article(world, scene.articles[0], 0).post.removed, 0);
	commands_assert_whole(world);
}

static void
undo_leaves_an_article_out_of_a_group_it_was_taken_out_of(void **state)
{
	struct scene scene = begin(*state, 0, 0);
	struct world *world = scene.world;
	const struct mod_action action = { .by = scene.mod };
	uint64_t id;

	world_group(world, "aa");
	world_group(world, "bb");
	id = world_post(
	    world, scene.ann.id, "Title", "https://a.example/x", "aa bb");
	assert_int_equal(article_bar(&world->store, &world->arena, id,
			     TEXT("bb"), ARTICLE_BARRED_BY_SITE, action),
	    STORE_OK);
	start(&scene);
	world_contain(world);
	assert_int_equal(group_merge(&world->store, &world->arena, TEXT("aa"),
			     TEXT("bb"), action),
	    STORE_OK);
	undo(&scene);
	world_contain(world);
	assert_int_equal(world_article(world, id, 0).post.removed, 0);
	assert_text(world_article(world, id, 0).groups, "");
	commands_assert_whole(world);
}

/* However many of the thread's last comments are removed, none is a search behind all of these. */
static void
flood_of_one_thread_is_removed_without_searches(void **state)
{
	enum { FLOOD = 500, A_REMOVAL = 4 /* reads of the thread */ };
	struct scene scene = begin(*state, 0, 0);
	struct world *world = scene.world;
	int64_t before;

	for (int i = 0; i < FLOOD; i++) {
		world_comment(world, article_id(scene.bobs), scene.ann.id,
		    fixture_string(&world->arena, "Comment %d", i));
		world_move_clock(world, 1);
	}
	start(&scene);
	before = world_info(world, "commandstats", "cmdstat_getrange");
	world_contain(world);
	assert_true(
	    world_info(world, "commandstats", "cmdstat_getrange") - before <
	    FLOOD * A_REMOVAL);
	assert_counts(&scene, FLOOD, 1, 0, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(each_step_may_be_repeated),
		world_test(later_decisions_stay),
		world_test(votes_that_have_closed_stay_voided),
		world_test(what_was_before_stays),
		world_test(act_that_fails_waits),
		world_test(flood_of_one_thread_is_removed_without_searches),
		world_test(record_expires),
		world_test(undo_is_completed_after_the_day),
		world_test(act_is_completed_after_the_day),
		world_test(
		    undo_leaves_an_article_out_of_a_group_it_was_taken_out_of),
	};

	return world_run("acts on members", tests);
}

/*
 * Flags, and the queue of posts for moderators to review.
 */
#include "../support/commands.h"
#include "../support/fixture.h"
#include "lists/mod_log.h"
#include "lists/mod_queue.h"
#include "redis/redis.h"

static const struct member mod = { 4, TEXT_INIT("mod") };

static struct world_scene
begin(struct world *world)
{
	struct world_scene scene = world_scene(world, "");

	world_member(world, "mod");
	return scene;
}

static enum store_result
flag(const struct world_scene *scene, uint64_t user, enum flag wanted)
{
	return flag_set(&scene->world->store, &scene->world->arena,
	    article_id(scene->article), user, wanted);
}

static enum store_result
dismiss(const struct world_scene *scene)
{
	const struct mod_action action = { .what =
					       mod_action_words[MOD_DISMISSED],
		.by = mod,
		.article = scene->article,
		.reason = TEXT("fine") };

	return flag_dismiss(&scene->world->store, &scene->world->arena,
	    article_id(scene->article), &action);
}

static struct mod_queue_page
queue_of(struct world *world, uint64_t page)
{
	struct mod_queue_page queue;

	assert_int_equal(
	    mod_queue_read(&world->store, &world->arena, page, NULL, &queue),
	    STORE_OK);
	return queue;
}

static void
check_site(struct world *world)
{
	struct outcome outcome = commands_check(world);

	if (outcome.status != 0)
		fail_msg("%.*s", TEXT_ARGS(outcome.out));
}

static void
check_queued(const struct world_scene *scene, size_t count)
{
	assert_int_equal(queue_of(scene->world, 1).count, count);
	check_site(scene->world);
}

static void
empty_queue_has_no_posts(void **state)
{
	struct mod_queue_page queue = queue_of(*state, 1);

	assert_int_equal(queue.count, 0);
	assert_false(queue.more);
	assert_int_equal(queue_of(*state, 1000).count, 0);
}

/* Once each; another reason replaces the first, with the same time. */
static void
member_flags_once(void **state)
{
	struct world_scene scene = begin(*state);
	struct mod_queue_page queue;

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	world_stop_clock(scene.world, NOON + 60);
	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	assert_int_equal(flag(&scene, scene.bob, FLAG_UNKIND), STORE_OK);
	assert_int_equal(flag(&scene, scene.eve, FLAG_UNKIND), STORE_OK);
	queue = queue_of(scene.world, 1);
	assert_int_equal(queue.count, 1);
	assert_int_equal(queue.items[0].article.post.id.article, scene.article);
	assert_text(queue.items[0].article.title, "A title");
	assert_int_equal(queue.items[0].since, NOON);
	assert_int_equal(queue.items[0].flag_count, 1);
	assert_int_equal(queue.items[0].flags[0].flag, FLAG_UNKIND);
	assert_int_equal(queue.items[0].flags[0].count, 2);
	assert_true(text_has_word(queue.items[0].flags[0].names, TEXT("bob")));
	assert_true(text_has_word(queue.items[0].flags[0].names, TEXT("eve")));
	assert_int_equal(
	    world_article(scene.world, scene.article, scene.bob).flag,
	    FLAG_UNKIND);
	check_site(scene.world);
}

static void
flag_after_the_clock_was_set_back_is_the_first(void **state)
{
	struct world_scene scene = begin(*state);

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	world_stop_clock(scene.world, NOON - 60);
	assert_int_equal(flag(&scene, scene.eve, FLAG_SPAM), STORE_OK);
	assert_int_equal(queue_of(scene.world, 1).items[0].since, NOON - 60);
	check_site(scene.world);
}

static void
own_unknown_and_removed_posts_cannot_be_flagged(void **state)
{
	struct world_scene scene = begin(*state);

	assert_int_equal(flag(&scene, scene.ann, FLAG_SPAM), STORE_OWN);
	assert_int_equal(flag(&scene, scene.ann, FLAG_NONE), STORE_OWN);
	check_queued(&scene, 0);
	world_remove(scene.world, scene.article);
	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_REMOVED);
	assert_int_equal(dismiss(&scene), STORE_REMOVED);
	scene.article = 4711;
	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_ABSENT);
	assert_int_equal(dismiss(&scene), STORE_ABSENT);
	check_queued(&scene, 0);
}

/* The queue is sorted by the first of the remaining flags. */
static void
flags_can_be_removed(void **state)
{
	struct world_scene scene = begin(*state);

	assert_int_equal(flag(&scene, scene.bob, FLAG_NONE), STORE_OK);
	check_queued(&scene, 0);
	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	world_stop_clock(scene.world, NOON + 60);
	assert_int_equal(flag(&scene, scene.eve, FLAG_BROKEN), STORE_OK);
	assert_int_equal(flag(&scene, scene.bob, FLAG_NONE), STORE_OK);
	check_queued(&scene, 1);
	assert_int_equal(queue_of(scene.world, 1).items[0].since, NOON + 60);
	assert_int_equal(flag(&scene, scene.eve, FLAG_NONE), STORE_OK);
	check_queued(&scene, 0);
	assert_int_equal(
	    world_article(scene.world, scene.article, scene.bob).flag,
	    FLAG_NONE);
}

/* A member whose flag was dismissed cannot flag again, with another reason or after
 * removing the flag. Other members can. */
static void
dismissed_flags_stay_dismissed(void **state)
{
	struct world_scene scene = begin(*state);

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	assert_int_equal(dismiss(&scene), STORE_OK);
	check_queued(&scene, 0);
	assert_text(
	    world_article(scene.world, scene.article, 0).post.mod_note, "fine");
	assert_int_equal(flag(&scene, scene.bob, FLAG_UNKIND), STORE_OK);
	check_queued(&scene, 0);
	assert_int_equal(flag(&scene, scene.bob, FLAG_NONE), STORE_OK);
	assert_int_equal(
	    world_article(scene.world, scene.article, scene.bob).flag,
	    FLAG_NONE);
	check_queued(&scene, 0);
	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	assert_int_equal(
	    world_article(scene.world, scene.article, scene.bob).flag,
	    FLAG_SPAM);
	check_queued(&scene, 0);
	world_stop_clock(scene.world, NOON + 60);
	assert_int_equal(flag(&scene, scene.eve, FLAG_SPAM), STORE_OK);
	check_queued(&scene, 1);
	assert_int_equal(queue_of(scene.world, 1).items[0].since, NOON + 60);
	assert_int_equal(queue_of(scene.world, 1).items[0].flags[0].count, 1);
}

/* Dismissing what is not in the queue does nothing, and nothing is noted. */
static void
dismissing_without_flags_is_not_logged(void **state)
{
	struct world_scene scene = begin(*state);

	assert_int_equal(dismiss(&scene), STORE_OK);
	assert_int_equal(world_log(scene.world, "").count, 0);
	assert_text(
	    world_article(scene.world, scene.article, 0).post.mod_note, "");
}

/* Removing dismisses the flags, and restoring does not queue the post again. */
static void
removal_dismisses_the_flags(void **state)
{
	struct world_scene scene = begin(*state);
	struct world *world = *state;

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	world_remove(world, scene.article);
	check_queued(&scene, 0);
	assert_int_equal(article_restore(&world->store, &world->arena,
			     scene.article, &world_restoring),
	    STORE_OK);
	check_queued(&scene, 0);
	assert_int_equal(flag(&scene, scene.eve, FLAG_SPAM), STORE_OK);
	check_queued(&scene, 1);
	assert_int_equal(post_withdraw(&world->store, &world->arena,
			     article_id(scene.article), scene.ann),
	    STORE_OK);
	check_queued(&scene, 0);
}

static void
first_article_of_a_new_member_is_queued(void **state)
{
	struct world_scene scene = begin(*state);
	struct world *world = *state;
	struct article article = { .title = TEXT("First"),
		.text = TEXT("Some text."),
		.is_reviewed = true,
		.post.author = { scene.bob, TEXT("bob") } };
	struct mod_queue_page queue;

	assert_int_equal(
	    article_post(&world->store, &world->arena, &article), STORE_OK);
	queue = queue_of(world, 1);
	assert_int_equal(queue.count, 1);
	assert_int_equal(queue.items[0].flag_count, 1);
	assert_int_equal(queue.items[0].flags[0].flag, FLAG_FIRST);
	assert_text(queue.items[0].flags[0].names, "");
	scene.article = article.post.id.article;
	check_site(world);
	/* A flag beside it does not move it. */
	world_stop_clock(world, NOON + 60);
	assert_int_equal(flag(&scene, scene.ann, FLAG_SPAM), STORE_OK);
	assert_int_equal(queue_of(world, 1).items[0].since, NOON);
	assert_int_equal(dismiss(&scene), STORE_OK);
	check_queued(&scene, 0);
}

/* Oldest first, and each once. */
static void
pages_continue_without_gaps(void **state)
{
	enum { MORE = 2 * MOD_QUEUE_PAGE + 3 };
	struct world_scene scene = begin(*state);
	struct world *world = *state;
	size_t seen = 0;

	for (int i = 0; i < MORE; i++) {
		scene.article = world_post(world, scene.ann, "A",
		    fixture_string(&world->arena, "http://b.example/%d", i),
		    "");
		world_stop_clock(world, NOON + MORE - i);
		assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	}
	for (uint64_t page = 1; page <= 3; page++) {
		struct mod_queue_page queue = queue_of(world, page);

		assert_int_equal(queue.count, page < 3 ? MOD_QUEUE_PAGE : 3);
		assert_int_equal(queue.more, page < 3);
		for (size_t i = 0; i < queue.count; i++)
			assert_int_equal(
			    queue.items[i].since, NOON + (int64_t)++seen);
	}
	assert_int_equal(queue_of(world, 4).count, 0);
	check_site(world);
}

/* So many members with a flag each, a second apart. */
static void
plant_flags(const struct world_scene *scene, int count)
{
	struct arena *arena = &scene->world->arena;
	struct pipeline pipeline =
	    pipeline_begin(scene->world->store.redis, arena);
	struct text key = key_flags(
	    arena, &scene->world->store.buckets, article_id(scene->article));

	for (int i = 0; i < count; i++) {
		uint64_t user = 1000 + (uint64_t)i;

		pipeline_add(&pipeline, TEXT("HSET"), key_user(arena, user),
		    TEXT("name"), text_format(arena, "m%d", i));
		pipeline_add(&pipeline, TEXT("HSET"), key,
		    text_number(arena, (int64_t)user),
		    text_format(arena, "%s %d", i % 4 == 3 ? "unkind" : "spam",
			NOON + i));
	}
	assert_true(redis_run(&pipeline));
}

/* How many commands Redis has carried out. */
static int64_t
commands(struct world *world)
{
	struct text info =
			world_command(world, TEXT("INFO"), TEXT("stats")).text,
		    line;
	int64_t count = 0;

	while (count == 0 && text_cut(&info, '\n', &line))
		if (text_starts(line, TEXT("total_commands_processed:")))
			text_to_i64(
			    text_trim(text_slice(line, 25, line.size)), &count);
	assert_true(count > 0);
	return count;
}

/* Ten thousand cost no more commands than twenty, and ten are named. */
static void
many_flags_are_counted_and_ten_named(void **state)
{
	struct world_scene scene = begin(*state);
	struct world *world = scene.world;
	struct mod_queue_flags flags[FLAG_KINDS];
	struct mod_queue_page queue;
	int64_t before, article, page;
	size_t count;

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	plant_flags(&scene, 10000);
	before = commands(world);
	assert_int_equal(mod_queue_read_flags(&world->store, &world->arena,
			     article_id(scene.article), flags, &count),
	    STORE_OK);
	article = commands(world) - before;
	queue = queue_of(world, 1);
	page = commands(world) - before - article;
	/* The flags, ten names, and INFO; the page reads the article as well. */
	assert_true(article <= 1 + MOD_QUEUE_NAMES + 1);
	assert_true(page <= 20 + MOD_QUEUE_NAMES);
	assert_int_equal(count, 2);
	assert_int_equal(queue.items[0].flag_count, 2);
	for (size_t i = 0; i < count; i++) {
		bool is_spam = flags[i].flag == FLAG_SPAM;

		assert_int_equal(flags[i].count, is_spam ? 7501 : 2500);
		/* Bob flagged at the same moment as the first, with a lower id. */
		assert_text(flags[i].names,
		    is_spam ? "bob m0 m1 m2 m4 m5 m6 m8" : "m3 m7");
		assert_int_equal(queue.items[0].flags[i].count, flags[i].count);
		assert_same(queue.items[0].flags[i].names, flags[i].names);
	}
}

/* As long as those whose flag was open at no time since the dismissal. */
static void
flags_taken_back_after_a_dismissal_expire(void **state)
{
	enum { MONTH = 30 * 86400 };
	struct world_scene scene = begin(*state);
	struct world *world = scene.world;
	struct text flags = key_flags(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	assert_int_equal(dismiss(&scene), STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("TTL"), flags).number, MONTH);
	assert_int_equal(flag(&scene, scene.eve, FLAG_SPAM), STORE_OK);
	assert_true(world_command(world, TEXT("TTL"), flags).number > MONTH);
	assert_int_equal(flag(&scene, scene.eve, FLAG_NONE), STORE_OK);
	assert_int_equal(
	    world_command(world, TEXT("TTL"), flags).number, MONTH);
	check_site(world);
}

/* While another one is open, none expires. */
static void
open_flags_outlast_those_taken_back(void **state)
{
	struct world_scene scene = begin(*state);
	struct world *world = scene.world;
	struct text flags = key_flags(
	    &world->arena, &world->store.buckets, article_id(scene.article));

	assert_int_equal(flag(&scene, scene.bob, FLAG_SPAM), STORE_OK);
	assert_int_equal(flag(&scene, scene.eve, FLAG_SPAM), STORE_OK);
	assert_int_equal(flag(&scene, scene.eve, FLAG_NONE), STORE_OK);
	assert_int_equal(world_command(world, TEXT("TTL"), flags).number, -1);
	check_site(world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(many_flags_are_counted_and_ten_named),
		world_test(empty_queue_has_no_posts),
		world_test(member_flags_once),
		world_test(flag_after_the_clock_was_set_back_is_the_first),
		world_test(own_unknown_and_removed_posts_cannot_be_flagged),
		world_test(flags_can_be_removed),
		world_test(dismissed_flags_stay_dismissed),
		world_test(dismissing_without_flags_is_not_logged),
		world_test(removal_dismisses_the_flags),
		world_test(first_article_of_a_new_member_is_queued),
		world_test(pages_continue_without_gaps),
		world_test(flags_taken_back_after_a_dismissal_expire),
		world_test(open_flags_outlast_those_taken_back),
	};

	return world_run("queue", tests);
}

/* Posts that enough flags fold until moderators have looked at them. */
#include "../support/browser.h"
#include "../support/commands.h"
#include "store/comment.h"

enum { DAY = 86400, ANN = 1 };

/* Ann posts; three members are older than a month, and one is younger. */
struct scene {
	struct world *world;
	struct browser old[3], young, mod;
};

static struct scene
begin(struct world *world)
{
	static const char *const names[] = { "ann", "bob", "eve" };
	struct scene scene = { .world = world };
	struct settings settings;

	world_stop_clock(world, NOON);
	for (size_t i = 0; i < 3; i++)
		world_member(world, names[i]);
	world_stop_clock(world, NOON + 29 * DAY);
	scene.young = browser_member(world, "young");
	scene.mod = browser_moderator(world, "mod");
	world_stop_clock(world, NOON + 31 * DAY);
	for (size_t i = 0; i < 3; i++)
		scene.old[i] = browser_of(world, i + 1);
	world_post(world, ANN, "A title", "http://a.example/", "");
	world_comment(world, article_id(1), ANN, "A comment");
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.fold_flags = TEXT("2");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	return scene;
}

static void
flag(struct browser *browser, const char *path)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	assert_status(
	    browser_post(browser, path, FIELDS("reason", "spam")), 303);
}

static void
keep(struct scene *scene, const char *path)
{
	assert_status(browser_get(&scene->mod, "/moderation"), 200);
	assert_status(
	    browser_post(&scene->mod, path, FIELDS("reason", "")), 303);
}

static void
articles_are_folded_and_kept(void **state)
{
	struct scene scene = begin(*state);
	struct browser visitor = browser_open(scene.world);

	flag(&scene.old[1], "/articles/1/flag");
	flag(&scene.old[1], "/articles/1/flag");
	flag(&scene.young, "/articles/1/flag");
	assert_status(browser_get(&visitor, "/"), 200);
	assert_lacks(&visitor, "Flagged by members");
	flag(&scene.old[2], "/articles/1/flag");
	assert_status(browser_get(&visitor, "/"), 200);
	assert_holds(&visitor, "<summary>Flagged by members");
	assert_holds(&visitor, "A title");
	commands_assert_whole(scene.world);
	keep(&scene, "/articles/1/dismiss");
	assert_status(browser_get(&visitor, "/"), 200);
	assert_lacks(&visitor, "Flagged by members");
	/* Never again. */
	flag(&scene.mod, "/articles/1/flag");
	assert_int_equal(flag_set(&scene.world->store, &scene.world->arena,
			     article_id(1), 2, FLAG_NONE),
	    STORE_OK);
	assert_int_equal(flag_fold(&scene.world->store, &scene.world->arena,
			     article_id(1), 0, NOON + 31 * DAY),
	    STORE_OK);
	assert_int_equal(world_article(scene.world, 1, 0).post.folded, 0);
	commands_assert_whole(scene.world);
}

/* What was kept is another text now. */
static void
rewritten_posts_can_be_folded(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct article article = { .post.id = article_id(1),
		.title = TEXT("Another title") };

	flag(&scene.old[1], "/articles/1/flag");
	flag(&scene.old[1], "/articles/1/comments/1/flag");
	keep(&scene, "/articles/1/dismiss");
	keep(&scene, "/articles/1/comments/1/dismiss");
	article.url = world_article(world, 1, 0).url;
	assert_int_equal(
	    article_edit(&world->store, &world->arena, &article), STORE_OK);
	flag(&scene.old[1], "/articles/1/flag");
	flag(&scene.old[2], "/articles/1/flag");
	assert_int_not_equal(world_article(world, 1, 0).post.folded, 0);
	flag(&scene.old[1], "/articles/1/comments/1/flag");
	flag(&scene.old[2], "/articles/1/comments/1/flag");
	assert_status(browser_get(&scene.old[1], "/articles/1"), 200);
	assert_lacks(&scene.old[1], ">flagged</span>");
	commands_assert_whole(world);
}

static void
comments_are_folded_and_kept(void **state)
{
	struct scene scene = begin(*state);
	struct browser visitor = browser_open(scene.world);
	struct text dump;

	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_holds(&visitor, "<details open>");
	flag(&scene.old[1], "/articles/1/comments/1/flag");
	flag(&scene.old[2], "/articles/1/comments/1/flag");
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_holds(&visitor, ">flagged</span>");
	assert_lacks(&visitor, "<details open>");
	assert_status(browser_get(&visitor, "/comments"), 200);
	assert_holds(&visitor, ">flagged</span>");
	dump = commands_dump(scene.world).out;
	assert_same(
	    commands_dump_again(scene.world, NOON + 31 * DAY, dump, 3), dump);
	keep(&scene, "/articles/1/comments/1/dismiss");
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_lacks(&visitor, ">flagged</span>");
	assert_holds(&visitor, "<details open>");
	commands_assert_whole(scene.world);
}

/* Whoever removes a post and restores it has looked at it. */
static void
restored_posts_are_not_folded(void **state)
{
	static const char *const paths[] = { "/articles/1",
		"/articles/1/comments/1" };
	struct scene scene = begin(*state);
	struct browser visitor = browser_open(scene.world);
	struct arena *arena = &scene.world->arena;

	for (size_t i = 0; i < 2; i++) {
		flag(&scene.old[1], fixture_string(arena, "%s/flag", paths[i]));
		flag(&scene.old[2], fixture_string(arena, "%s/flag", paths[i]));
		keep(&scene, fixture_string(arena, "%s/remove", paths[i]));
		keep(&scene, fixture_string(arena, "%s/restore", paths[i]));
	}
	assert_status(browser_get(&visitor, "/"), 200);
	assert_lacks(&visitor, "Flagged by members");
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_lacks(&visitor, ">flagged</span>");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_lacks(&scene.mod, "A title");
	commands_assert_whole(scene.world);
}

static void
take_back(struct browser *browser, const char *path)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	assert_status(
	    browser_post(browser, path, FIELDS("reason", "none")), 303);
}

/* They wait for moderators, whatever becomes of the flags. */
static void
folded_posts_stay_in_the_queue(void **state)
{
	static const char *const paths[] = { "/articles/1",
		"/articles/1/comments/1" };
	struct scene scene = begin(*state);
	struct browser visitor = browser_open(scene.world);
	struct arena *arena = &scene.world->arena;
	struct text dump;

	for (size_t i = 0; i < 2; i++) {
		const char *path = fixture_string(arena, "%s/flag", paths[i]);

		for (size_t m = 1; m < 3; m++)
			flag(&scene.old[m], path);
		for (size_t m = 1; m < 3; m++)
			take_back(&scene.old[m], path);
	}
	commands_assert_whole(scene.world);
	dump = commands_dump(scene.world).out;
	assert_same(
	    commands_dump_again(scene.world, NOON + 31 * DAY, dump, 3), dump);
	for (size_t i = 0; i < 2; i++) {
		assert_status(browser_get(&scene.mod, "/moderation"), 200);
		assert_holds(&scene.mod, "A title");
		assert_holds(&scene.mod, "folded, since members flagged it");
		keep(&scene, fixture_string(arena, "%s/dismiss", paths[i]));
	}
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "The queue is empty.");
	assert_status(browser_get(&visitor, "/"), 200);
	assert_lacks(&visitor, "Flagged by members");
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_lacks(&visitor, ">flagged</span>");
	commands_assert_whole(scene.world);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(articles_are_folded_and_kept),
		world_test(rewritten_posts_can_be_folded),
		world_test(comments_are_folded_and_kept),
		world_test(restored_posts_are_not_folded),
		world_test(folded_posts_stay_in_the_queue),
	};

	return world_run("folded posts", tests);
}

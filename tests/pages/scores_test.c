/* Scores that are hidden: for the first hours, and from members who want to see none. */
#include "../support/browser.h"
#include "../support/commands.h"
#include "store/comment.h"

enum { HOUR = 3600, ANN = 1, BOB = 2 };

/* Ann's article 1 and her comment, upvoted by bob; scores are hidden for six hours. */
struct scene {
	struct world *world;
	struct browser ann, bob, mod, visitor;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };
	struct settings settings;

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.bob = browser_member(world, "bob");
	scene.mod = browser_moderator(world, "mod");
	scene.visitor = browser_open(world);
	world_post(world, ANN, "A title", "http://a.example/", "");
	world_comment(world, article_id(1), ANN, "A comment");
	world_vote(world, 1, BOB, VOTE_UP);
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.score_hours = TEXT("6");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	return scene;
}

static const char *const pages[] = { "/", "/new", "/u/ann", "/articles/1",
	"/articles/1/comments/1", "/comments", "/u/ann/comments",
	"/from/a.example", "/new.json", "/u/ann.json", "/comments.json" };

/* Whether a reader is shown scores, or not, on all pages. */
static void
check_pages(struct browser *browser, bool shows)
{
	static const char *const marks[] = { "data-score=", "data-points=",
		"data-up=", "class=\"points\"", "How this score is calculated",
		"\"points\":" };

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		size_t count = 0;

		assert_status(browser_get(browser, pages[i]), 200);
		for (size_t m = 0; m < sizeof(marks) / sizeof(marks[0]); m++)
			count += browser_count(browser, marks[m]);
		if ((count > 0) != shows)
			fail_msg("%s has %zu scores", pages[i], count);
	}
}

static void
scores_are_hidden_for_hours(void **state)
{
	struct scene scene = begin(*state);

	check_pages(&scene.visitor, false);
	check_pages(&scene.bob, false);
	assert_status(browser_get(&scene.bob, "/articles/1"), 200);
	assert_holds(&scene.bob, "The score isn’t shown yet");
	/* Votes count all the same. */
	assert_holds(&scene.bob, "data-vote=\"up\"");
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_holds(&scene.ann, "data-points=\"2\"");
	assert_status(browser_get(&scene.ann, "/"), 200);
	assert_holds(&scene.ann, "data-points=\"2\"");
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_holds(&scene.mod, "data-points=\"2\"");
	assert_status(browser_get(&scene.mod, "/articles/1"), 200);
	assert_holds(&scene.mod, "data-up=\"2\"");
	/* A public feed is the same for everybody. */
	assert_status(browser_get(&scene.mod, "/new.json"), 200);
	assert_lacks(&scene.mod, "\"points\":");
	world_stop_clock(scene.world, NOON + 6 * HOUR - 1);
	check_pages(&scene.bob, false);
	check_pages(&scene.visitor, false);
	world_stop_clock(scene.world, NOON + 6 * HOUR);
	check_pages(&scene.visitor, true);
	check_pages(&scene.bob, true);
}

/* Neither a feed that asks for points nor karma tells them. */
static void
hidden_scores_are_not_found_out(void **state)
{
	static const char *const feeds[] = { "/new.atom?least=2",
		"/u/ann.atom?least=2", "/comments.atom?least=1" };
	struct scene scene = begin(*state);

	for (int is_over = 0; is_over < 2; is_over++) {
		for (size_t i = 0; i < sizeof(feeds) / sizeof(feeds[0]); i++) {
			assert_status(
			    browser_get(&scene.visitor, feeds[i]), 200);
			assert_int_equal(
			    browser_count(&scene.visitor, "<entry>"), is_over);
		}
		assert_status(browser_get(&scene.bob, "/u/ann"), 200);
		assert_int_equal(
		    browser_count(&scene.bob, "</b> karma"), is_over);
		assert_status(browser_get(&scene.ann, "/u/ann"), 200);
		assert_holds(&scene.ann, "</b> karma");
		assert_status(browser_get(&scene.mod, "/u/ann"), 200);
		assert_holds(&scene.mod, "</b> karma");
		world_stop_clock(scene.world, NOON + 6 * HOUR);
	}
}

/* Also because articles that are final are cached (pages/etag.h). */
static void
scores_are_shown_when_voting_is_over(void **state)
{
	struct scene scene = begin(*state);

	scene.world->store.rules.vote_window = 2 * HOUR;
	world_stop_clock(scene.world, NOON + 2 * HOUR - 1);
	check_pages(&scene.visitor, false);
	world_stop_clock(scene.world, NOON + 2 * HOUR);
	check_pages(&scene.visitor, true);
}

static void
members_want_to_see_no_scores(void **state)
{
	struct scene scene = begin(*state);
	struct text dump;

	world_stop_clock(scene.world, NOON + 6 * HOUR);
	assert_status(browser_get(&scene.ann, "/"), 200);
	assert_holds(&scene.ann, "data-points");
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_status(browser_post(&scene.ann, "/settings/scores",
			  FIELDS("state", "maybe")),
	    400);
	assert_status(browser_post(&scene.ann, "/settings/scores",
			  FIELDS("state", "off")),
	    303);
	assert_status(browser_get(&scene.ann, "/"), 200);
	assert_lacks(&scene.ann, "data-points");
	assert_status(browser_get(&scene.ann, "/articles/1"), 200);
	assert_lacks(&scene.ann, "data-points");
	assert_lacks(&scene.ann, "data-up");
	assert_holds(&scene.ann, "You chose to see no scores");
	assert_status(browser_get(&scene.bob, "/"), 200);
	assert_holds(&scene.bob, "data-points");
	dump = commands_dump(scene.world).out;
	assert_true(text_find(dump, 0, TEXT("\"scoreless\":1")) != SIZE_MAX);
	assert_same(
	    commands_dump_again(scene.world, NOON + 6 * HOUR, dump, 3), dump);
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_holds(&scene.ann, "You see no scores");
	assert_status(
	    browser_post(&scene.ann, "/settings/scores", FIELDS("state", "on")),
	    303);
	assert_status(browser_get(&scene.ann, "/"), 200);
	assert_holds(&scene.ann, "data-points");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(scores_are_hidden_for_hours),
		world_test(hidden_scores_are_not_found_out),
		world_test(scores_are_shown_when_voting_is_over),
		world_test(members_want_to_see_no_scores),
	};

	return world_run("hidden scores", tests);
}

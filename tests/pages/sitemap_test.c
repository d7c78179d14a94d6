/* The sitemap and robots.txt. */
#include "../support/browser.h"
#include "lists/sitemap.h"

static void
sitemap_has_all_articles_but_removed_ones(void **state)
{
	struct world *world = *state;
	struct browser robot;
	uint64_t *numbers;
	size_t count, found = 0;

	world_stop_clock(world, NOON);
	world_member(world, "ann");
	robot = browser_open(world);
	browser_move_site(&robot, "https://tally.example");
	assert_status(browser_get(&robot, "/sitemap.xml"), 200);
	assert_lacks(&robot, "<loc>");
	for (int i = 0; i < 5; i++)
		world_post(world, 1, "A",
		    fixture_string(&world->arena, "http://a.example/%d", i),
		    "");
	world_remove(world, 2);
	assert_status(browser_get(&robot, "/sitemap.xml"), 200);
	assert_int_equal(robot.answer.type, TYPE_XML);
	assert_int_equal(robot.answer.cache, CACHE_ONE_SECOND);
	assert_holds(
	    &robot, "<loc>https://tally.example/sitemap.xml?page=1</loc>");
	assert_int_equal(
	    sitemap_chunks(&world->store, &world->arena, &numbers, &count),
	    STORE_OK);
	for (size_t i = 0; i < count; i++) {
		assert_status(browser_get(&robot,
				  fixture_string(&world->arena,
				      "/sitemap.xml?page=%d", (int)numbers[i])),
		    200);
		found += browser_count(
		    &robot, "<loc>https://tally.example/articles/");
		assert_lacks(&robot, "/articles/2<");
	}
	assert_int_equal(found, 4);
	assert_status(browser_get(&robot, "/sitemap.xml?page=999"), 404);
	assert_status(browser_get(&robot, "/sitemap.xml?page=x"), 400);
}

/* The client chooses the Host then, so answers that contain it are not cached. */
static void
sitemap_without_an_origin_is_not_cached(void **state)
{
	struct world *world = *state;
	struct browser robot;

	world_member(world, "ann");
	world_post(world, 1, "A", "http://a.example/", "");
	robot = browser_open(world);
	robot.host = TEXT("localhost:1234");
	assert_status(browser_get(&robot, "/sitemap.xml"), 200);
	assert_int_equal(robot.answer.cache, CACHE_NEVER);
	assert_holds(&robot, "<loc>http://localhost:1234/sitemap.xml");
}

static void
robots_txt_excludes_forms(void **state)
{
	struct world *world = *state;
	struct browser robot = browser_open(world);

	assert_status(browser_get(&robot, "/robots.txt"), 200);
	assert_int_equal(robot.answer.type, TYPE_PLAIN);
	assert_holds(&robot, "Disallow: /*?order=\n");
	assert_holds(&robot, "Disallow: /submit\n");
	assert_lacks(&robot, "Sitemap:");
	browser_move_site(&robot, "https://tally.example");
	assert_status(browser_get(&robot, "/robots.txt"), 200);
	assert_holds(&robot, "Sitemap: https://tally.example/sitemap.xml");
	assert_status(browser_get(&robot, "/.well-known/change-password"), 303);
	assert_text(robot.answer.location, "/settings#change");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(sitemap_has_all_articles_but_removed_ones),
		world_test(sitemap_without_an_origin_is_not_cached),
		world_test(robots_txt_excludes_forms),
	};

	return world_run("sitemap", tests);
}

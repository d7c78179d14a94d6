/*
 * Front pages as they were, and the chart of an article's places.
 */
#include "../support/browser.h"
#include "store/front_hour.h"

enum { HOUR = NOON / FRONT_HOUR_SECONDS };

/* Articles 1 to 3, and their pages: 22:00 has 2 1 3, 21:00 has 1, 19:00 has 1 2. */
static struct browser_scene
open_scene(struct world *world)
{
	struct browser_scene scene = browser_scene(world);
	static const struct front_hour fronts[] = {
		{ HOUR - 3, { 1, 2 }, 2 },
		{ HOUR - 1, { 1 }, 1 },
		{ HOUR, { 2, 1, 3 }, 3 },
	};

	world_post(world, 1, "Second", "http://b.c/2", "");
	world_post(world, 2, "Third", "http://b.c/3", "");
	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++)
		assert_int_equal(
		    front_hour_load(&world->store, &world->arena, &fronts[i]),
		    STORE_OK);
	return scene;
}

static void
hours_show_their_articles_in_order(void **state)
{
	struct world *world = *state;
	struct browser_scene scene = open_scene(world);
	struct browser visitor = browser_open(world);

	assert_status(browser_get(&visitor, "/front/2023-11-14T22"), 200);
	assert_same(browser_ids(&visitor), TEXT("2 1 3"));
	assert_holds(&visitor, "14 November 2023, 22:00 UTC");
	assert_holds(
	    &visitor, "<a rel=\"prev\" href=\"/front/2023-11-14T21\">");
	assert_lacks(&visitor, "rel=\"next\"");
	assert_lacks(&visitor, "wasn’t kept");
	assert_status(browser_get(&visitor, "/front/2023-11-14T21"), 200);
	assert_same(browser_ids(&visitor), TEXT("1"));
	assert_holds(&visitor, "href=\"/front/2023-11-14T19\"");
	assert_holds(&visitor, "href=\"/front/2023-11-14T22\"");
	assert_holds(&visitor, "The hour before wasn’t kept.");
	assert_lacks(&visitor, "The hour after wasn’t kept.");
	/* As they are now: bob can vote on what is open. */
	world_vote(world, 1, 2, VOTE_UP);
	assert_status(browser_get(&scene.bob, "/front/2023-11-14T19"), 200);
	assert_same(browser_attribute(&scene.bob, 1, "data-vote"), TEXT("up"));
	assert_holds(&scene.bob, "The hour after wasn’t kept.");
	assert_holds(&scene.bob, "name=\"down\" value=\"1\"");
}

/* Their places stay free. */
static void
removed_articles_are_left_out(void **state)
{
	struct world *world = *state;
	struct browser visitor;

	open_scene(world);
	world_remove(world, 1);
	visitor = browser_open(world);
	assert_status(browser_get(&visitor, "/front/2023-11-14T22"), 200);
	assert_same(browser_ids(&visitor), TEXT("2 3"));
	assert_holds(
	    &visitor, "<li value=\"1\" class=\"article\" id=\"article-2\"");
	assert_holds(
	    &visitor, "<li value=\"3\" class=\"article\" id=\"article-3\"");
	assert_holds(&visitor, "<b>3rd</b>");
	assert_holds(&visitor, "Removed since then: 1 article.");
	assert_status(browser_get(&visitor, "/front/2023-11-14T21"), 200);
	assert_same(browser_ids(&visitor), TEXT(""));
}

static void
hours_that_are_not_kept_lead_to_the_nearest(void **state)
{
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	open_scene(world);
	assert_status(browser_get(&visitor, "/front/2023-11-14T20"), 404);
	assert_holds(
	    &visitor, "There is no front page of 14 November 2023, 20:00 UTC.");
	assert_holds(&visitor, "href=\"/front/2023-11-14T19\"");
	assert_holds(&visitor, "href=\"/front/2023-11-14T21\"");
	assert_status(browser_get(&visitor, "/front/2031-01-01T00"), 404);
	assert_holds(&visitor, "1 January 2031, 00:00 UTC is still to come.");
	assert_holds(&visitor, "href=\"/front/2023-11-14T22\"");
	assert_status(browser_get(&visitor, "/front/1999-01-01T00"), 404);
	assert_holds(&visitor, "href=\"/front/2023-11-14T19\"");
	for (const char *const *wrong =
		 (const char *const[]){ "/front/2023-11-14",
		     "/front/2023-11-31T10", "/front/x", NULL };
	    *wrong != NULL; wrong++) {
		assert_status(browser_get(&visitor, *wrong), 404);
		assert_holds(&visitor, "kept at full hours");
	}
}

static void
the_form_leads_to_an_hour(void **state)
{
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	assert_status(browser_get(&visitor, "/front"), 404);
	assert_holds(&visitor, "none was kept yet.");
	open_scene(world);
	assert_status(browser_get(&visitor, "/front"), 303);
	assert_same(visitor.answer.location, TEXT("/front/2023-11-14T22"));
	assert_status(
	    browser_get(&visitor, "/front?hour=2023-11-14T19%3A30"), 303);
	assert_same(visitor.answer.location, TEXT("/front/2023-11-14T19"));
	assert_status(browser_get(&visitor, "/front?hour=yesterday"), 400);
}

static void
articles_show_their_places(void **state)
{
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	open_scene(world);
	assert_status(browser_get(&visitor, "/articles/1"), 200);
	assert_holds(&visitor, "3 hours on the front page, best place 1st");
	assert_holds(&visitor, "<svg ");
	/* Of four hours: 1st, a gap, 1st, 2nd. */
	assert_holds(&visitor, "<path d=\"M0 1H150M300 1H450V2H600\"");
	assert_holds(&visitor, "<td>not kept</td>");
	assert_holds(&visitor, "<a href=\"/front/2023-11-14T22\">");
	assert_holds(&visitor, "<td>2nd</td>");
	assert_status(browser_get(&visitor, "/articles/2"), 200);
	assert_holds(&visitor, "<path d=\"M0 2H150M450 1H600\"");
	assert_holds(&visitor, "<td>below the 100th</td>");
	world_post(world, 2, "Fourth", "http://b.c/4", "");
	assert_status(browser_get(&visitor, "/articles/4"), 200);
	assert_lacks(&visitor, "<svg class");
	assert_lacks(&visitor, "on the front page, best place");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(hours_show_their_articles_in_order),
		world_test(removed_articles_are_left_out),
		world_test(hours_that_are_not_kept_lead_to_the_nearest),
		world_test(the_form_leads_to_an_hour),
		world_test(articles_show_their_places),
	};

	return world_run("front pages as they were", tests);
}

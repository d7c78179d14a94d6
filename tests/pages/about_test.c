/* The about page states the rules in force. */
#include "../support/browser.h"

static void
about_page_states_the_default_rules(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, "plus 432 points for each upvote");
	assert_holds(&reader, "200 votes are worth a day");
	assert_holds(&reader, "for 7 days after");
	assert_holds(&reader, "when it reaches 200 upvotes");
	assert_holds(
	    &reader, "kept in the top 100 of the front page for 1 day");
	assert_holds(&reader, "at most 50 articles");
	assert_holds(&reader, "Each page shows 25 articles.");
	assert_holds(&reader, "up to 16 <a");
}

static void
about_page_states_changed_rules(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);

	world->store.rules.vote_score = 864;
	world->store.rules.vote_window = 3 * 86400 + 3600;
	world->store.rules.interesting = 77;
	world->store.rules.pinned_articles = 11;
	world->store.rules.pinned_places = 22;
	world->store.rules.pinned_seconds = 7200;
	world->store.rules.page_size = 33;
	assert_status(browser_get(&reader, "/about"), 200);
	assert_holds(&reader, "plus 864 points for each upvote");
	assert_holds(&reader, "100 votes are worth a day");
	assert_holds(&reader, "for 3 days and 1 hour after");
	assert_holds(&reader, "when it reaches 77 upvotes");
	assert_holds(
	    &reader, "kept in the top 22 of the front page for 2 hours");
	assert_holds(&reader, "at most 11 articles");
	assert_holds(&reader, "Each page shows 33 articles.");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(about_page_states_the_default_rules),
		world_test(about_page_states_changed_rules),
	};

	return world_run("about", tests);
}

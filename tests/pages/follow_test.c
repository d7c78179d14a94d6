/* Following groups, the page that lists them, and the front page that a member chooses. */
#include <stdio.h>

#include "../support/browser.h"
#include "store/follows.h"

/* Articles 1 in aa, 2 in bb, 3 in none, 4 in aa and bb. */
static struct browser
begin(struct world *world)
{
	struct browser eve;

	world_stop_clock(world, NOON);
	eve = browser_member(world, "eve");
	world_member(world, "ann");
	world_group(world, "aa");
	world_group(world, "bb");
	world_post(world, 2, "One", "", "aa");
	world_post(world, 2, "Two", "", "bb");
	world_post(world, 2, "Three", "", "");
	world_post(world, 2, "Four", "", "aa bb");
	return eve;
}

static void
assert_list(struct browser *browser, const char *target, const char *ids)
{
	assert_status(browser_get(browser, target), 200);
	assert_text(browser_ids(browser), ids);
}

static void
follow(struct browser *browser, const char *group, const char *state)
{
	char path[40];

	snprintf(path, sizeof(path), "/g/%s/follow", group);
	assert_status(browser_get(browser, "/groups"), 200);
	assert_status(browser_post(browser, path, FIELDS("state", state)), 303);
}

static void
home_lists_what_is_followed(void **state)
{
	struct world *world = *state;
	struct browser eve = begin(world), visitor = browser_open(world);

	assert_status(browser_get(&eve, "/home"), 200);
	assert_holds(&eve, "You don’t follow any groups yet");
	assert_status(browser_get(&eve, "/home.atom"), 200);
	assert_lacks(&eve, "<entry>");
	assert_status(browser_get(&eve, "/g/aa"), 200);
	assert_holds(&eve, "Follow <bdi>aa</bdi>");
	follow(&eve, "aa", "on");
	assert_text(eve.answer.location, "/g/aa");
	assert_status(browser_follow(&eve), 200);
	assert_holds(&eve, "You follow <bdi>aa</bdi> on");
	assert_list(&eve, "/home?order=new", "4 1");
	assert_holds(&eve, "href=\"/g/aa\"");
	assert_lacks(&eve, "aria-label=\"Match\"");
	follow(&eve, "bb", "on");
	assert_list(&eve, "/home?order=oldest", "1 2 4");
	assert_list(&eve, "/home?order=hot", "4 2 1");
	follow(&eve, "aa", "off");
	assert_list(&eve, "/home?order=new", "4 2");
	assert_list(&eve, "/?order=new", "4 3 2 1");
	/* What is hidden is hidden here, too. */
	assert_status(
	    browser_post(&eve, "/g/aa/hide", FIELDS("state", "on")), 303);
	assert_list(&eve, "/home?order=new", "2");
	/* And in the feed. */
	assert_status(browser_get(&eve, "/home.atom"), 200);
	assert_holds(&eve, "Two");
	assert_lacks(&eve, "Four");
	assert_status(browser_get(&visitor, "/home"), 303);
	assert_status(browser_get(&visitor, "/g/aa"), 200);
	assert_lacks(&visitor, "Follow <bdi>aa</bdi>");
}

static void
bad_names_and_too_many_are_refused(void **state)
{
	struct world *world = *state;
	struct browser eve = begin(world);

	assert_status(browser_get(&eve, "/g/aa"), 200);
	assert_status(
	    browser_post(&eve, "/g/zz/follow", FIELDS("state", "on")), 404);
	assert_status(
	    browser_post(&eve, "/g/AA/follow", FIELDS("state", "on")), 404);
	assert_status(
	    browser_post(&eve, "/g/aa/follow", FIELDS("state", "maybe")), 400);
	for (int i = 0; i < FOLLOWS_MAX; i++)
		assert_int_equal(follows_add(&world->store, &world->arena, 1,
				     text_format(&world->arena, "g%d", i)),
		    STORE_OK);
	assert_status(
	    browser_post(&eve, "/g/aa/follow", FIELDS("state", "on")), 409);
	assert_status(
	    browser_post(&eve, "/g/g0/follow", FIELDS("state", "off")), 303);
}

static void
members_choose_their_front_page(void **state)
{
	struct world *world = *state;
	struct browser eve = begin(world), visitor = browser_open(world);

	follow(&eve, "bb", "on");
	assert_list(&eve, "/?order=new", "4 3 2 1");
	assert_holds(&eve, "href=\"/home\"");
	assert_status(browser_get(&eve, "/all"), 303);
	assert_text(eve.answer.location, "/");
	assert_status(browser_get(&eve, "/settings"), 200);
	assert_status(
	    browser_post(&eve, "/settings/front", FIELDS("state", "on")), 303);
	assert_list(&eve, "/?order=new", "4 2");
	assert_holds(&eve, "href=\"/all\"");
	assert_list(&eve, "/all?order=new", "4 3 2 1");
	assert_holds(&eve, "href=\"/home\"");
	assert_list(&visitor, "/?order=new", "4 3 2 1");
	assert_status(browser_get(&eve, "/settings"), 200);
	assert_holds(&eve, "Show all articles");
	assert_status(
	    browser_post(&eve, "/settings/front", FIELDS("state", "off")), 303);
	assert_list(&eve, "/?order=new", "4 3 2 1");
	assert_status(
	    browser_post(&eve, "/settings/front", FIELDS("state", "")), 400);
}

/* The list of groups is one form: of members with a button in each row. */
static void
list_of_groups_has_buttons(void **state)
{
	struct world *world = *state;
	struct browser eve = begin(world), visitor = browser_open(world);

	assert_status(browser_get(&eve, "/groups"), 200);
	assert_holds(&eve, "<form method=\"post\" action=\"/g\">");
	assert_holds(
	    &eve, "name=\"follow\" value=\"aa\" aria-label=\"Follow aa\"");
	assert_status(browser_post(&eve, "/g",
			  FIELDS("follow", "aa", "return_to", "/groups")),
	    303);
	assert_text(eve.answer.location, "/groups");
	assert_status(browser_follow(&eve), 200);
	assert_holds(&eve, "name=\"unfollow\" value=\"aa\"");
	assert_holds(&eve, "name=\"follow\" value=\"bb\"");
	assert_list(&eve, "/home?order=new", "4 1");
	/* What is chosen beside it does not matter. */
	assert_status(
	    browser_post(&eve, "/g", FIELDS("unfollow", "aa", "g-bb", "on")),
	    303);
	assert_text(eve.answer.location, "/g/aa");
	assert_status(browser_post(&eve, "/g",
			  FIELDS("g-aa", "on", "g-bb", "on", "match", "all")),
	    303);
	assert_text(eve.answer.location, "/g/aa+bb?match=all");
	assert_status(browser_post(&eve, "/g", FIELDS("match", "all")), 400);
	assert_status(browser_post(&eve, "/g", FIELDS("follow", "zz")), 404);
	/* Visitors have the form that leads to the list. */
	assert_status(browser_get(&visitor, "/groups"), 200);
	assert_holds(&visitor, "<form method=\"get\" action=\"/g\">");
	assert_lacks(&visitor, ">Follow<");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(home_lists_what_is_followed),
		world_test(bad_names_and_too_many_are_refused),
		world_test(members_choose_their_front_page),
		world_test(list_of_groups_has_buttons),
	};

	return world_run("following", tests);
}

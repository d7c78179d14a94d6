/*
 * The row of what was overlooked, on the front page and nowhere else.
 */
#include "../support/browser.h"
#include "../support/commands.h"
#include "lists/overlooked.h"

enum { ARTICLES = 40, DAY = 86400 };

/* Articles 1 to 40 of two members who have been there for a year; the first 25 have votes that put
 * them on the first page. */
static struct browser
open_site(struct world *world, struct browser *bob)
{
	world_stop_clock(world, NOON - 365 * (int64_t)DAY);
	world_member(world, "ann");
	world_member(world, "ben");
	for (int i = 0; i < 5; i++)
		world_member(world, fixture_string(&world->arena, "m%d", i));
	world_stop_clock(world, NOON - 3600);
	for (int i = 1; i <= ARTICLES; i++) {
		uint64_t id = world_post(world, i % 2 == 0 ? 1 : 2, "T",
		    fixture_string(&world->arena, "http://a.b/%d", i), "");

		for (uint64_t v = 0; v < 5 && i <= 25; v++)
			world_vote(world, id, 3 + v, VOTE_UP);
	}
	world_stop_clock(world, NOON);
	*bob = browser_member(world, "bob");
	return browser_owner(world, "sam");
}

static uint64_t
overlooked_on(const struct browser *browser)
{
	static const char mark[] = "data-overlooked=\"";
	struct text body = browser->answer.body, number;
	size_t at = text_find(body, 0, text_of(mark));
	uint64_t id = 0;

	if (at == SIZE_MAX)
		return 0;
	body = text_slice(body, at + sizeof(mark) - 1, body.size);
	text_cut(&body, '"', &number);
	assert_true(text_to_u64(number, &id));
	return id;
}

/* It is in addition to the 25, and has its id alone. */
static void
the_front_page_has_an_extra_row(void **state)
{
	struct world *world = *state;
	struct browser bob, owner = open_site(world, &bob);
	struct browser visitor = browser_open(world),
		       *readers[] = { &visitor, &bob, &owner };
	struct text ids;
	uint64_t id;

	assert_status(browser_get(&visitor, "/"), 200);
	ids = browser_ids(&visitor);
	id = overlooked_on(&visitor);
	assert_in_range(id, 26, ARTICLES);
	for (size_t i = 0; i < 3; i++) {
		assert_status(browser_get(readers[i], "/"), 200);
		assert_same(browser_ids(readers[i]), ids);
		assert_int_equal(browser_count(readers[i], "data-id="), 25);
		assert_int_equal(overlooked_on(readers[i]), id);
		assert_int_equal(browser_count(readers[i],
				     fixture_string(&world->arena,
					 "id=\"article-%d\"", (int)id)),
		    1);
		assert_holds(readers[i], "<b>Overlooked</b> · ");
		assert_int_equal(
		    browser_count(readers[i], "<ol class=\"articles\""), 2);
	}
	/* A vote shows at once. */
	world_vote(world, id, 3 + 5, VOTE_UP);
	assert_status(browser_get(&bob, "/"), 200);
	assert_same(browser_attribute(&bob, id, "data-vote"), TEXT("up"));
	assert_same(browser_attribute(&bob, id, "data-points"), TEXT("2"));
}

static void
other_lists_have_none(void **state)
{
	static const char *const others[] = { "/?page=2", "/?order=oldest",
		"/?order=hot", "/new", "/u/ann", "/interesting" };
	struct world *world = *state;
	struct browser bob, visitor = browser_open(world);

	open_site(world, &bob);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_status(browser_get(&visitor, others[i]), 200);
		assert_int_equal(overlooked_on(&visitor), 0);
	}
	assert_status(browser_get(&visitor, "/new.atom"), 200);
	assert_lacks(&visitor, "verlooked");
}

static void
owners_turn_it_off_and_on(void **state)
{
	struct world *world = *state;
	struct browser bob, owner = open_site(world, &bob);

	assert_status(browser_get(&owner, "/settings/site"), 200);
	assert_holds(&owner, "value=\"on\" checked");
	for (int i = 0; i < 2; i++) {
		assert_status(browser_post(&owner, "/settings/site",
				  FIELDS("name", "Tally", "registration",
				      "open", "group_creation", "members",
				      "voting", "at-once", "log_names", "named",
				      "overlooked", i == 0 ? "off" : "on")),
		    303);
		assert_status(browser_get(&bob, "/"), 200);
		assert_int_equal(overlooked_on(&bob) > 0, i == 1);
		assert_int_equal(browser_count(&bob, "data-id="), 25);
		assert_status(browser_get(&owner, "/settings/site"), 200);
	}
}

static enum http_status
show_again(struct browser *browser, uint64_t id)
{
	const char *path =
	    fixture_string(&browser->world->arena, "/articles/%d", (int)id);

	assert_status(browser_get(browser, path), 200);
	return browser_post(browser,
	    fixture_string(&browser->world->arena, "%s/again", path),
	    FIELDS("reason", "It was late"));
}

/* An old article of the second page is what everybody is shown, for two hours, and once. */
static void
moderators_give_a_second_chance(void **state)
{
	struct world *world = *state;
	struct browser bob, owner = open_site(world, &bob);
	struct browser visitor = browser_open(world);
	uint64_t young, again = world_post(world, 1, "Old", "http://c.d/", "");

	/* Behind the others, and of a newcomer, whose articles are not chosen. */
	for (uint64_t v = 0; v < 5; v++)
		world_vote(world, again, 3 + v, VOTE_DOWN);
	assert_status(show_again(&owner, again), 409);
	assert_holds(&owner, "can’t have a second chance");
	world_stop_clock(world, NOON + 12 * 3600);
	assert_status(show_again(&bob, again), 403);
	assert_status(show_again(&owner, again), 303);
	world_move_clock(world, 60);
	for (int minute = 0; minute < 119; minute++) {
		assert_status(browser_get(&visitor, "/"), 200);
		assert_int_equal(overlooked_on(&visitor), again);
		world_stop_clock(world, NOON + 12 * 3600 + 60 * (minute + 1));
	}
	world_stop_clock(world, NOON + 14 * 3600);
	assert_status(browser_get(&visitor, "/"), 200);
	assert_int_not_equal(overlooked_on(&visitor), again);
	assert_status(show_again(&owner, again), 409);
	assert_status(browser_get(&visitor, "/log"), 200);
	assert_holds(&visitor, "gave a second chance to");
	assert_holds(&visitor, "It was late");
	/* Removed ones are not shown. */
	young = world_post(world, 1, "Other", "http://c.d/2", "");
	for (uint64_t v = 0; v < 5; v++)
		world_vote(world, young, 3 + v, VOTE_DOWN);
	world_stop_clock(world, NOON + 27 * 3600);
	assert_status(show_again(&owner, young), 303);
	world_remove(world, young);
	world_move_clock(world, 60);
	assert_status(browser_get(&visitor, "/"), 200);
	assert_int_not_equal(overlooked_on(&visitor), young);
	commands_assert_whole(world);
	world_stop_clock(world, NOON + 8 * DAY);
	young = world_post(world, 1, "Third", "http://c.d/3", "");
	world_stop_clock(world, NOON + 15 * DAY);
	assert_status(show_again(&owner, young), 409);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(the_front_page_has_an_extra_row),
		world_test(other_lists_have_none),
		world_test(owners_turn_it_off_and_on),
		world_test(moderators_give_a_second_chance),
	};

	return world_run("the row of what was overlooked", tests);
}

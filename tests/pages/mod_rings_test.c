/* The page of voting rings: their members, figures and links. */
#include "../support/browser.h"

enum { NOON = 1700000000 };

static uint64_t
post(struct world *world, uint64_t author, int number)
{
	return world_post(world, author, "A title",
	    fixture_string(&world->arena, "http://a.example/%d", number), "");
}

/* Forty articles, of which eve wrote seven, and sam and pam upvote those. */
static void
plant(struct world *world)
{
	uint64_t eve = world_member(world, "eve");
	uint64_t ann = world_member(world, "ann");
	uint64_t sam = world_member(world, "sam");
	uint64_t pam = world_member(world, "pam");

	world_stop_clock(world, NOON);
	for (int i = 0; i < 33; i++)
		post(world, ann, i);
	for (int i = 0; i < 7; i++) {
		uint64_t id = post(world, eve, 100 + i);

		world_vote(world, id, sam, VOTE_UP);
		world_vote(world, id, pam, VOTE_UP);
	}
}

static void
ring_is_shown(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");

	assert_status(browser_get(&mod, "/moderation/rings"), 200);
	assert_lacks(&mod, "/u/sam");
	plant(world);
	assert_status(browser_get(&mod, "/moderation/rings"), 200);
	assert_holds(&mod, "/u/sam");
	assert_holds(&mod, "/u/pam");
	assert_holds(&mod, "/u/eve");
	assert_holds(&mod, "1.2");
	assert_holds(
	    &mod, "Figures from <time datetime=\"2023-11-14T22:13:20Z\">");
	assert_lacks(&mod, "/u/ann");
	assert_holds(&mod, ">A title</a>");
	assert_lacks(&mod, "more articles");
	/* Without their votes there is no ring. */
	assert_status(browser_post(&mod, "/u/sam/void",
			  FIELDS("wanted", "void", "reason", "A ring")),
	    303);
	world_contain(world);
	assert_status(browser_get(&mod, "/moderation/rings"), 200);
	assert_lacks(&mod, "/u/sam");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(ring_is_shown),
	};

	return world_run("rings page", tests);
}

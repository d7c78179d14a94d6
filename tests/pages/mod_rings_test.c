/* The page of voting rings: their members, figures and links. */
#include "../support/browser.h"
#include "../support/invariants.h"
#include "store/user.h"

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

/* Of all members at once, with one reason; whom the moderator may not act on is named. */
static void
one_form_acts_on_all_of_a_ring(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	struct browser nobody = browser_open(world);
	struct user user;

	plant(world);
	assert_status(browser_get(&mod, "/moderation/rings"), 200);
	assert_holds(&mod, "value=\"sam pam\"");
	assert_holds(&mod, "Cancel votes of both");
	assert_holds(&mod, "Suspend both");
	assert_status(browser_post(&mod, "/moderation/rings/members",
			  FIELDS("do", "burn", "members", "sam pam")),
	    400);
	assert_status(browser_post(&mod, "/moderation/rings/members",
			  FIELDS("do", "void", "members", "sam pam", "because",
			      "Spam", "reason", "A ring")),
	    303);
	assert_text(mod.answer.location, "/moderation/rings");
	world_contain(world);
	assert_status(browser_get(&mod, "/moderation/rings"), 200);
	assert_lacks(&mod, "/u/sam");
	assert_status(browser_get(&mod, "/log?kind=voided"), 200);
	assert_int_equal(browser_count(&mod, "Spam: A ring"), 1);
	assert_holds(&mod, "voided 14 votes of 2 members");
	assert_status(browser_get(&nobody, "/log"), 200);
	assert_holds(&nobody, "voided 14 votes of 2 members");
	assert_lacks(&nobody, "/u/sam");
	assert_status(
	    browser_post(&mod, "/moderation/rings/members",
		FIELDS("do", "suspend", "members", "sam mod nobody pam")),
	    409);
	assert_holds(&mod, "Done for 2 members, but not for: mod, nobody");
	world_contain(world);
	assert_status(browser_get(&nobody, "/log"), 200);
	assert_holds(&nobody, "suspended 2 members permanently");
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("pam"), &user),
	    STORE_OK);
	assert_true(user_is_suspended_forever(&user));
	assert_int_equal(
	    user_find(&world->store, &world->arena, TEXT("mod"), &user),
	    STORE_OK);
	assert_int_equal(user.suspended, 0);
	invariants_check(world);
}

/* More members than a ring's form names. */
static void
a_form_names_so_many_members(void **state)
{
	struct world *world = *state;
	struct browser mod = browser_moderator(world, "mod");
	char names[101 * 2 + 1];

	for (size_t i = 0; i + 1 < sizeof(names); i++)
		names[i] = i % 2 == 0 ? 'a' : ' ';
	names[sizeof(names) - 1] = '\0';
	assert_status(browser_post(&mod, "/moderation/rings/members",
			  FIELDS("do", "suspend", "members", names)),
	    422);
	assert_holds(&mod, "100 members at most");
	names[sizeof(names) - 3] = '\0';
	assert_status(browser_post(&mod, "/moderation/rings/members",
			  FIELDS("do", "suspend", "members", names)),
	    409);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(ring_is_shown),
		world_test(one_form_acts_on_all_of_a_ring),
		world_test(a_form_names_so_many_members),
	};

	return world_run("rings page", tests);
}

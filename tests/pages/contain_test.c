/*
 * Acts on a member and on everything of theirs at once: the form, its confirmation, what was done,
 * and taking it back. The steps in between, and what a killed relay leaves, are in
 * store/containment_test.
 */
#include "../support/browser.h"
#include "../support/commands.h"
#include "../support/invariants.h"
#include "store/flag.h"
#include "store/relay.h"
#include "store/user.h"

enum { LINKS = 8, PUPPETS = 5 };

/* A wave: a member who posted eight links, one of them to a host that bob links to as well, and
 * five who voted for all of them. */
struct wave {
	struct world *world;
	struct browser mod, bob;
	uint64_t links[LINKS], news; /* bob's */
};

static struct user
user_named(struct world *world, const char *name)
{
	struct user user;

	assert_int_equal(
	    user_find(&world->store, &world->arena, text_of(name), &user),
	    STORE_OK);
	return user;
}

static void
let_puppets_vote(struct wave *wave)
{
	for (int p = 0; p < PUPPETS; p++) {
		uint64_t puppet = world_member(wave->world,
		    fixture_string(&wave->world->arena, "puppet%d", p));

		for (int i = 0; i < LINKS; i++)
			world_vote(
			    wave->world, wave->links[i], puppet, VOTE_UP);
	}
}

static struct wave
begin(struct world *world)
{
	struct wave wave = { .world = world };
	struct arena *arena = &world->arena;
	uint64_t spammer;

	world_stop_clock(world, NOON);
	wave.mod = browser_moderator(world, "mod");
	wave.bob = browser_member(world, "bob");
	spammer = world_member(world, "spam");
	wave.news = world_post(world, user_named(world, "bob").id, "News",
	    "https://news.example/1", "");
	for (int i = 0; i < LINKS; i++)
		wave.links[i] = world_post(world, spammer,
		    fixture_string(arena, "Buy number %d", i),
		    fixture_string(arena, "https://%s/%d",
			i == 0 ? "news.example" : "cheap.example", i + 10),
		    "");
	/* A text is from nowhere. */
	world_post(world, user_named(world, "bob").id, "Thoughts", "", "");
	let_puppets_vote(&wave);
	world_vote(world, wave.news, spammer, VOTE_UP);
	return wave;
}

/* All of the form as it is offered. */
#define EVERYTHING \
	"suspend", "yes", "votes", "yes", "invitations", "yes", "remove", \
	    "ever", "host:cheap.example", "block", "because", "Spam", \
	    "reason", "shoes"

static void
contain(struct wave *wave)
{
	struct browser *mod = &wave->mod;

	assert_status(browser_get(mod, "/u/bob/contain"), 200);
	assert_holds(mod, "Void all votes that are still open</label>");
	assert_status(browser_get(mod, "/u/spam/contain"), 200);
	assert_holds(mod, "Everything: 8 articles and 0 comments");
	assert_holds(mod, "still open: 1 vote or more");
	assert_holds(mod, "value=\"block\" checked> <bdi>cheap.example</bdi>");
	assert_holds(mod,
	    "value=\"block\"> <bdi>news.example</bdi> (1 article by others)");
	assert_status(
	    browser_post(mod, "/u/spam/contain", FIELDS(EVERYTHING)), 200);
	assert_holds(mod, "<li>Suspend spam permanently</li>");
	assert_holds(mod, "<li>Remove 8 articles and 0 comments</li>");
	assert_holds(mod, "<li>Void 1 vote or more</li>");
	assert_holds(mod, "<li>Block links to cheap.example</li>");
	assert_holds(mod, "<bdi>Spam: shoes</bdi>");
	assert_holds(mod, "name=\"because\" value=\"Spam\"");
	assert_int_equal(user_named(wave->world, "spam").suspended, 0);
	assert_status(browser_post(mod, "/u/spam/contain",
			  FIELDS(EVERYTHING, "confirmed", "yes")),
	    303);
	assert_status(browser_follow(mod), 200);
	assert_holds(mod, "This is still being done");
	world_contain(wave->world);
	assert_status(browser_get(mod, "/u/spam/contain"), 200);
	assert_lacks(mod, "This is still being done");
}

static enum http_status
submit_link(struct browser *browser)
{
	return browser_post(browser, "/submit",
	    FIELDS("title", "A", "url", "https://cheap.example/9"));
}

static void
wave_is_gone_with_one_form(void **state)
{
	struct wave wave = begin(*state);
	struct browser *mod = &wave.mod;
	struct user spammer;

	contain(&wave);
	assert_holds(mod, "removed 8 posts");
	assert_holds(mod, "voided 1 vote");
	assert_holds(mod, "blocked cheap.example");
	assert_holds(mod, ">Buy number 0</a>");
	assert_status(browser_get(&wave.bob, "/new"), 200);
	assert_lacks(&wave.bob, "Buy number");
	assert_status(browser_get(&wave.bob, "/"), 200);
	assert_lacks(&wave.bob, "Buy number");
	assert_int_equal(world_article(wave.world, wave.news, 0).post.up, 1);
	spammer = user_named(wave.world, "spam");
	assert_true(user_is_suspended_forever(&spammer));
	assert_status(submit_link(&wave.bob), 422);
	/* One entry in the log. */
	assert_status(browser_get(&wave.bob, "/log"), 200);
	assert_holds(&wave.bob, "8 articles");
	assert_int_equal(browser_count(&wave.bob, "Spam: shoes"), 1);
	commands_assert_whole(wave.world);
	invariants_check(wave.world);
}

/* Moderates article 1 of the wave. */
static void
decide(struct wave *wave, const char *what)
{
	assert_status(browser_post(&wave->mod,
			  fixture_string(&wave->world->arena, "/articles/%d/%s",
			      (int)wave->links[1], what),
			  FIELDS("reason", "A mistake")),
	    303);
}

static void
act_is_taken_back_as_a_whole(void **state)
{
	struct wave wave = begin(*state);
	struct browser *mod = &wave.mod;
	const char *act;

	contain(&wave);
	act = text_string(&wave.world->arena, browser_field(mod, "act"));
	/* Somebody decides otherwise on one of them. */
	decide(&wave, "restore");
	decide(&wave, "remove");
	assert_status(
	    browser_post(mod, "/u/spam/contain/undo", FIELDS("act", "999999")),
	    404);
	assert_status(
	    browser_post(mod, "/u/bob/contain/undo", FIELDS("act", act)), 404);
	/* A second time changes nothing. */
	for (int i = 0; i < 2; i++) {
		assert_status(browser_post(mod, "/u/spam/contain/undo",
				  FIELDS("act", act)),
		    303);
		world_contain(wave.world);
	}
	assert_status(browser_get(mod, "/u/spam/contain"), 200);
	assert_holds(mod, "Taken back");
	assert_holds(mod, "voting has closed: 1 post.");
	assert_int_equal(user_named(wave.world, "spam").suspended, 0);
	assert_int_equal(world_article(wave.world, wave.news, 0).post.up, 2);
	assert_status(browser_get(&wave.bob, "/new"), 200);
	assert_int_equal(browser_count(&wave.bob, ">Buy number"), LINKS - 1);
	assert_status(submit_link(&wave.bob), 303);
	assert_status(browser_get(&wave.bob, "/log"), 200);
	assert_holds(&wave.bob, "took back what was done to");
	commands_assert_whole(wave.world);
	invariants_check(wave.world);
}

/* Takes the act back, of whose page mod has just read. */
static void
undo(struct wave *wave)
{
	const char *act =
	    text_string(&wave->world->arena, browser_field(&wave->mod, "act"));

	assert_status(browser_post(&wave->mod, "/u/spam/contain/undo",
			  FIELDS("act", act)),
	    303);
	world_contain(wave->world);
	assert_status(browser_get(&wave->mod, "/u/spam/contain"), 200);
	assert_holds(&wave->mod, "Taken back");
}

static void
decide_on_host(struct wave *wave, const char *what)
{
	assert_status(browser_get(&wave->mod, "/moderation/hosts"), 200);
	assert_status(browser_post(&wave->mod, "/moderation/hosts",
			  FIELDS(what, "cheap.example", "reason", "Mine")),
	    303);
}

static void
host_that_somebody_has_decided_on_since_stays(void **state)
{
	struct wave wave = begin(*state);

	contain(&wave);
	decide_on_host(&wave, "take");
	decide_on_host(&wave, "host");
	assert_status(browser_get(&wave.mod, "/u/spam/contain"), 200);
	undo(&wave);
	assert_holds(&wave.mod, "decided on links to cheap.example since");
	assert_holds(&wave.mod, "Revoked invitations stay revoked.");
	assert_status(submit_link(&wave.bob), 422);
	commands_assert_whole(wave.world);
}

/* What was flagged, and folded, waits in the queue again. */
static void
flags_are_open_again_after_an_undo(void **state)
{
	struct wave wave = begin(*state);
	struct world *world = wave.world;
	struct post_id first = article_id(wave.links[0]);

	assert_int_equal(flag_set(&world->store, &world->arena, first,
			     user_named(world, "bob").id, FLAG_SPAM),
	    STORE_OK);
	assert_status(browser_get(&wave.mod, "/moderation"), 200);
	assert_holds(&wave.mod, "Buy number 0");
	contain(&wave);
	assert_status(browser_get(&wave.mod, "/moderation"), 200);
	assert_lacks(&wave.mod, "Buy number 0");
	assert_status(browser_get(&wave.mod, "/u/spam/contain"), 200);
	undo(&wave);
	assert_status(browser_get(&wave.mod, "/moderation"), 200);
	assert_holds(&wave.mod, "Buy number 0");
	commands_assert_whole(world);
	invariants_check(world);
}

static void
member_is_told(void **state)
{
	struct wave wave = begin(*state);
	struct world *world = wave.world;
	struct browser spammer =
	    browser_of(world, user_named(world, "spam").id);
	struct relay *relay;

	assert_status(browser_get(&wave.mod, "/u/spam/contain"), 200);
	assert_status(browser_post(&wave.mod, "/u/spam/contain",
			  FIELDS("remove", "ever", "votes", "yes", "because",
			      "Spam", "reason", "", "confirmed", "yes")),
	    303);
	world_contain(world);
	relay = relay_new(&world->store, TEXT("test"));
	while (relay_step(relay) == 0)
		;
	relay_free(relay);
	assert_status(browser_get(&spammer, "/inbox"), 200);
	assert_holds(
	    &spammer, "Moderators removed 8 articles and voided 1 vote");
	assert_holds(&spammer, "Spam");
}

static void
act_of_an_owner_stays(void **state)
{
	struct wave wave = begin(*state);
	struct browser owner = browser_owner(wave.world, "olga");
	const char *act;

	assert_status(browser_get(&owner, "/u/spam/contain"), 200);
	assert_status(browser_post(&owner, "/u/spam/contain",
			  FIELDS("suspend", "yes", "confirmed", "yes")),
	    303);
	world_contain(wave.world);
	assert_status(browser_get(&wave.mod, "/u/spam/contain"), 200);
	act = text_string(&wave.world->arena, browser_field(&wave.mod, "act"));
	assert_status(
	    browser_post(&wave.mod, "/u/spam/contain/undo", FIELDS("act", act)),
	    403);
	assert_status(
	    browser_post(&owner, "/u/spam/contain/undo", FIELDS("act", act)),
	    303);
}

static void
form_says_what_is_wrong(void **state)
{
	struct wave wave = begin(*state);
	struct browser *mod = &wave.mod;

	assert_status(browser_get(mod, "/u/spam/contain"), 200);
	assert_status(
	    browser_post(mod, "/u/spam/contain", FIELDS("remove", "")), 422);
	assert_holds(mod, "Choose at least one thing to do.");
	assert_status(browser_post(mod, "/u/spam/contain",
			  FIELDS("remove", "everything")),
	    422);
	/* A host that the member has no link to is not blocked. */
	assert_status(browser_post(mod, "/u/spam/contain",
			  FIELDS("remove", "", "host:other.example", "block",
			      "confirmed", "yes")),
	    422);
	assert_status(browser_post(mod, "/u/spam/contain",
			  FIELDS("suspend", "yes", "reason", "a\x1b[31mb")),
	    422);
	assert_status(browser_post(mod, "/u/mod/contain",
			  FIELDS("suspend", "yes", "confirmed", "yes")),
	    403);
	assert_status(browser_post(mod, "/u/nobody/contain", NULL), 404);
	assert_status(
	    browser_post(mod, "/u/spam/void", FIELDS("wanted", "x")), 400);
	assert_status(browser_get(&wave.bob, "/u/spam/contain"), 403);
	assert_status(browser_get(mod, "/u/bob/contain"), 200);
	assert_holds(mod, "Everything: 2 articles and 0 comments");
}

/* What was chosen stays, and why it was refused is said. */
static void
refused_form_has_what_was_chosen(void **state)
{
	struct wave wave = begin(*state);
	struct browser *mod = &wave.mod;

	assert_status(browser_get(mod, "/u/spam/contain"), 200);
	assert_status(
	    browser_post(mod, "/u/spam/contain",
		FIELDS("remove", "", "because", "Spam", "reason", "shoes")),
	    422);
	assert_holds(mod, "value=\"Spam: shoes\"");
	assert_holds(mod, "name=\"suspend\" value=\"yes\">");
	assert_holds(mod, "name=\"votes\" value=\"yes\">");
	assert_holds(mod, "name=\"invitations\" value=\"yes\">");
	assert_holds(mod, "name=\"remove\" value=\"\" checked>");
	assert_lacks(mod, "value=\"ever\" checked");
	assert_holds(mod, "value=\"block\"> <bdi>cheap.example</bdi>");
	assert_status(browser_post(mod, "/u/spam/contain",
			  FIELDS("csrf", "stale", "votes", "yes", "remove",
			      "day", "host:news.example", "block", "reason",
			      "shoes", "confirmed", "yes")),
	    403);
	assert_holds(mod, "role=\"alert\"");
	assert_holds(mod, "value=\"shoes\"");
	assert_holds(mod, "name=\"suspend\" value=\"yes\">");
	assert_holds(mod, "name=\"votes\" value=\"yes\" checked>");
	assert_holds(mod, "value=\"day\" checked");
	assert_holds(mod, "value=\"block\" checked> <bdi>news.example</bdi>");
	assert_int_equal(user_named(wave.world, "spam").suspended, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(wave_is_gone_with_one_form),
		world_test(act_is_taken_back_as_a_whole),
		world_test(host_that_somebody_has_decided_on_since_stays),
		world_test(flags_are_open_again_after_an_undo),
		world_test(member_is_told),
		world_test(act_of_an_owner_stays),
		world_test(form_says_what_is_wrong),
		world_test(refused_form_has_what_was_chosen),
	};

	return world_run("containments", tests);
}

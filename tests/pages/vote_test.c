/* Voting: the states of a vote, the redirects, and closed articles. */

#include "../support/browser.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* An article by ann. */
static struct browser
begin(struct world *world)
{
	struct browser ann;

	world_stop_clock(world, NOON);
	ann = browser_member(world, "ann");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", ""), 1);
	return ann;
}

static void
vote(struct browser *browser, const char *state)
{
	assert_status(browser_post(browser, "/articles/1/vote",
			  FIELDS("vote", state, "return_to", "/articles/1")),
	    303);
	assert_text(browser->answer.location, "/articles/1#article-1");
	assert_status(browser_follow(browser), 200);
}

static void
assert_article(struct browser *browser, const char *points, const char *score,
    const char *state)
{
	assert_text(browser_attribute(browser, 1, "data-points"), points);
	assert_text(browser_attribute(browser, 1, "data-score"), score);
	assert_text(browser_attribute(browser, 1, "data-vote"), state);
}

static void
vote_is_cast_changed_and_cancelled(void **state)
{
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	assert_status(browser_get(&bob, "/articles/1"), 200);
	assert_article(&bob, "1", "1700000432", "none");
	vote(&bob, "up");
	assert_article(&bob, "2", "1700000864", "up");
	vote(&bob, "down");
	assert_article(&bob, "0", "1700000000", "down");
	vote(&bob, "up");
	assert_article(&bob, "2", "1700000864", "up");
	vote(&bob, "none");
	assert_article(&bob, "1", "1700000432", "none");
	vote(&bob, "down");
	assert_article(&bob, "0", "1700000000", "down");
	assert_text(browser_attribute(&bob, 1, "data-up"), "1");
	assert_text(browser_attribute(&bob, 1, "data-down"), "1");
	vote(&bob, "none");
	assert_article(&bob, "1", "1700000432", "none");
}

static void
repeated_vote_changes_nothing(void **state)
{
	static const char *const states[] = { "up", "down", "none" };
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	for (size_t i = 0; i < COUNT(states); i++) {
		struct text before;

		vote(&bob, states[i]);
		before = world_snapshot(world);
		vote(&bob, states[i]);
		vote(&bob, states[i]);
		assert_unchanged(world, before);
	}
}

/* Pressing the same arrow cancels the vote, the other one switches it. */
static void
arrows_show_the_state(void **state)
{
	static const char *const up = "name=\"up\" value=\"1\"";
	static const char *const down = "name=\"down\" value=\"1\"";
	static const char *const none = "name=\"none\" value=\"1\"";
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	assert_status(browser_get(&bob, "/"), 200);
	assert_int_equal(browser_count(&bob, up), 1);
	assert_int_equal(browser_count(&bob, down), 1);
	assert_int_equal(browser_count(&bob, none), 0);
	assert_holds(&bob, "aria-label=\"Upvote: First\">Upvote</button>");
	vote(&bob, "up");
	assert_int_equal(browser_count(&bob, none), 1);
	assert_int_equal(browser_count(&bob, down), 1);
	assert_int_equal(browser_count(&bob, up), 0);
	assert_holds(
	    &bob, "aria-label=\"Undo upvote: First\">Undo upvote</button>");
	vote(&bob, "down");
	assert_int_equal(browser_count(&bob, up), 1);
	assert_int_equal(browser_count(&bob, none), 1);
	assert_holds(&bob, ">Undo downvote</button>");
}

/* All articles of a list are in one form. */
static void
list_has_one_form_for_all_votes(void **state)
{
	static const struct {
		const char *name, *value;
		int status;
	} cases[] = { { "up", "1", 303 }, { "up", "1", 303 },
		{ "down", "1", 303 }, { "none", "1", 303 }, { "up", "x", 400 },
		{ "up", "0", 400 }, { "sideways", "1", 400 },
		{ "up", "999", 404 } };
	static const char *const left[] = { "up", "up", "down", "none", "none",
		"none", "none", "none" };
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_status(browser_get(&bob, "/?order=new"), 200);
		assert_status(browser_post(&bob, "/vote",
				  FIELDS(cases[i].name, cases[i].value,
				      "return_to", "/?order=new")),
		    cases[i].status);
		if (cases[i].status == 303)
			assert_text(
			    bob.answer.location, "/?order=new#article-1");
		assert_status(browser_get(&bob, "/"), 200);
		assert_text(browser_attribute(&bob, 1, "data-vote"), left[i]);
	}
	assert_status(
	    browser_post(&bob, "/vote", FIELDS("up", "1", "down", "1")), 400);
}

/* A visitor logs in first, and then confirms the vote with a button. */
static void
visitors_vote_after_logging_in(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	assert_status(browser_get(&reader, "/?order=new"), 200);
	assert_holds(
	    &reader, "href=\"/login?return_to=%2F%3Forder%3Dnew&amp;up=1\"");
	assert_status(
	    browser_get(&reader, "/login?return_to=%2F%3Forder%3Dnew&up=1"),
	    200);
	assert_holds(&reader, "Log in to vote on “<bdi>First</bdi>”");
	assert_status(
	    browser_get(&reader, "/register?return_to=%2F%3Forder%3Dnew&up=1"),
	    200);
	assert_holds(&reader, "Register to vote on “<bdi>First</bdi>”");
	assert_status(browser_post(&reader, "/register",
			  FIELDS("username", "bob", "password", "correct horse",
			      "up", "1", "return_to", "/?order=new")),
	    303);
	assert_text(
	    reader.answer.location, "/vote?return_to=%2F%3Forder%3Dnew&up=1");
	assert_status(browser_follow(&reader), 200);
	assert_holds(&reader, "name=\"up\" value=\"1\">Upvote</button>");
	assert_status(browser_post(&reader, "/vote",
			  FIELDS("up", "1", "return_to", "/?order=new")),
	    303);
	assert_text(reader.answer.location, "/?order=new#article-1");
	assert_status(browser_follow(&reader), 200);
	assert_text(browser_attribute(&reader, 1, "data-vote"), "up");
	/* No confirmation for a vote that exists already. */
	assert_status(browser_get(&reader, "/vote?up=1&return_to=%2F"), 303);
	assert_text(reader.answer.location, "/#article-1");
}

static void
vote_in_an_ended_session_leads_to_logging_in(void **state)
{
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	assert_status(browser_get(&bob, "/?page=1"), 200);
	bob.cookie_count = 0;
	assert_status(browser_post(&bob, "/vote",
			  FIELDS("down", "1", "return_to", "/?page=1")),
	    303);
	assert_text(
	    bob.answer.location, "/login?return_to=%2F%3Fpage%3D1&down=1");
}

static void
authors_cannot_vote_on_their_own(void **state)
{
	static const char *const states[] = { "up", "down", "none" };
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world);

	for (size_t i = 0; i < COUNT(states); i++) {
		assert_status(browser_post(&ann, "/articles/1/vote",
				  FIELDS("vote", states[i])),
		    403);
		assert_holds(&ann, "You can’t vote on your own article");
		assert_holds(&ann,
		    "Your own upvote was cast when you posted it, and "
		    "can’t be changed.");
	}
	/* There is no confirmation either. */
	assert_status(browser_get(&ann, "/vote?up=1"), 403);
	assert_status(browser_get(&ann, "/"), 200);
	assert_lacks(&ann, "name=\"up\"");
	assert_unchanged(world, before);
}

static void
invalid_votes_are_refused(void **state)
{
	static const char *const words[] = { "", "UP", "Up", "up ", " up",
		"up\n", "1", "-1", "upp", "none,up" };
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world);

	for (size_t i = 0; i < COUNT(words); i++)
		assert_status(browser_post(&ann, "/articles/1/vote",
				  FIELDS("vote", words[i])),
		    400);
	assert_status(browser_post(&ann, "/articles/1/vote", NULL), 400);
	assert_unchanged(world, before);
}

static void
vote_returns_to_where_it_was_cast(void **state)
{
	static const struct {
		const char *return_to, *location;
	} rules[] = {
		{ "/", "/#article-1" },
		{ "/?order=new&page=3", "/?order=new&page=3#article-1" },
		{ "/g/a+b?match=all", "/g/a+b?match=all#article-1" },
		{ "/u/ann#article-9", "/u/ann#article-1" },
		{ "/#a#b", "/#article-1" },
		{ "", "/articles/1#article-1" },
		{ "g/redis", "/articles/1#article-1" },
		{ "//b.example/", "/articles/1#article-1" },
		{ "/\\b.example/", "/articles/1#article-1" },
		{ "http://b.example/", "/articles/1#article-1" },
		{ "javascript:alert(1)", "/articles/1#article-1" },
		{ "/x\r\nSet-Cookie: a=b", "/articles/1#article-1" },
		{ "/x y", "/articles/1#article-1" },
		{ "/\xc3\xa4", "/articles/1#article-1" },
	};
	struct world *world = *state;
	struct browser bob;

	begin(world);
	bob = browser_member(world, "bob");
	for (size_t i = 0; i < COUNT(rules); i++) {
		assert_status(
		    browser_post(&bob, "/articles/1/vote",
			FIELDS("vote", "up", "return_to", rules[i].return_to)),
		    303);
		assert_text(bob.answer.location, rules[i].location);
	}
	assert_status(
	    browser_post(&bob, "/articles/1/vote", FIELDS("vote", "up")), 303);
	assert_text(bob.answer.location, "/articles/1#article-1");
}

static void
vote_on_an_unknown_article_is_404(void **state)
{
	static const char *const paths[] = { "/articles/2/vote",
		"/articles/0/vote", "/articles/-1/vote", "/articles/x/vote",
		"/articles/01/vote", "/articles/1 /vote",
		"/articles/99999999999999999999/vote" };
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before = world_snapshot(world);

	for (size_t i = 0; i < COUNT(paths); i++)
		assert_status(
		    browser_post(&ann, paths[i], FIELDS("vote", "up")), 404);
	assert_unchanged(world, before);
}

static void
closed_article_is_409(void **state)
{
	struct world *world = *state;
	struct browser bob;
	struct text before;

	begin(world);
	bob = browser_member(world, "bob");
	world_move_clock(world, world->store.rules.vote_window - 1);
	vote(&bob, "up");
	assert_holds(&bob, "Voting is open for another 1 second,");
	world_move_clock(world, 1);
	before = world_snapshot(world);
	assert_status(
	    browser_post(&bob, "/articles/1/vote", FIELDS("vote", "down")),
	    409);
	assert_holds(&bob, "Voting has closed");
	assert_unchanged(world, before);
	/* The pages say so instead of showing buttons. */
	assert_status(browser_get(&bob, "/articles/1"), 200);
	assert_holds(&bob, "Voting has closed.");
	assert_lacks(&bob, "name=\"vote\"");
	assert_status(browser_get(&bob, "/"), 200);
	assert_holds(&bob, "<span class=\"closed\">closed</span>");
	assert_lacks(&bob, "name=\"vote\"");
	/* Then the voters are forgotten, and the counts stay. */
	world_move_clock(world, 1);
	assert_status(browser_get(&bob, "/articles/1"), 200);
	assert_article(&bob, "2", "1700000864", "none");
}

static void
removed_article_is_410(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct browser mod = browser_moderator(world, "mod");
	struct text before;

	assert_status(browser_post(&mod, "/articles/1/remove", NULL), 303);
	before = world_snapshot(world);
	assert_status(
	    browser_post(&ann, "/articles/1/vote", FIELDS("vote", "none")),
	    410);
	assert_status(
	    browser_post(&mod, "/articles/1/vote", FIELDS("vote", "up")), 410);
	assert_unchanged(world, before);
}

static void
visitors_see_links_instead_of_buttons(void **state)
{
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_int_equal(browser_count(&reader, "<form"), 1);
	assert_holds(&reader, "action=\"/search\"");
	assert_int_equal(browser_count(&reader, "<button"), 1);
	assert_int_equal(browser_count(&reader,
			     "href=\"/login?return_to=%2Farticles%2F1&amp;"),
	    2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(vote_is_cast_changed_and_cancelled),
		world_test(repeated_vote_changes_nothing),
		world_test(arrows_show_the_state),
		world_test(list_has_one_form_for_all_votes),
		world_test(visitors_vote_after_logging_in),
		world_test(vote_in_an_ended_session_leads_to_logging_in),
		world_test(authors_cannot_vote_on_their_own),
		world_test(invalid_votes_are_refused),
		world_test(vote_returns_to_where_it_was_cast),
		world_test(vote_on_an_unknown_article_is_404),
		world_test(closed_article_is_409),
		world_test(removed_article_is_410),
		world_test(visitors_see_links_instead_of_buttons),
	};

	return world_run("votes", tests);
}

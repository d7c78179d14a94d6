/* An article's page: how it explains itself, its groups, and its removal. */

#include "../support/browser.h"
#include "store/keys.h"
#include "store/session.h"

enum { DAY = 86400 };

static struct browser
begin(struct world *world)
{
	struct browser ann;

	world_stop_clock(world, NOON);
	ann = browser_member(world, "ann");
	world_group(world, "redis");
	world_group(world, "lang");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", "redis"), 1);
	return ann;
}

static void
vote(struct world *world, uint64_t user, enum vote wanted)
{
	assert_int_equal(world_cast(&world->store, &world->arena, article_id(1),
			     user, wanted),
	    STORE_OK);
}

static void
score_is_explained(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	vote(world, world_member(world, "bob"), VOTE_UP);
	vote(world, world_member(world, "eve"), VOTE_UP);
	vote(world, world_member(world, "dan"), VOTE_DOWN);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "14 November 2023, 22:13 UTC</time>, in seconds");
	assert_holds(&ann, "<td>1,700,000,000</td>");
	assert_holds(&ann, "3 up and 1 down: <bdi>2</bdi> × 432");
	assert_holds(&ann, "<td><bdi>864</bdi></td>");
	assert_holds(&ann, "<td>1,700,000,864</td>");
	assert_text(browser_attribute(&ann, 1, "data-score"), "1700000864");
	assert_text(browser_attribute(&ann, 1, "data-up"), "3");
	assert_text(browser_attribute(&ann, 1, "data-down"), "1");
	assert_text(browser_attribute(&ann, 1, "data-points"), "2");
}

static void
votes_below_zero_are_explained(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	vote(world, world_member(world, "bob"), VOTE_DOWN);
	vote(world, world_member(world, "eve"), VOTE_DOWN);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "1 up and 2 down: <bdi>-1</bdi> × 432");
	assert_holds(&ann, "<td><bdi>-432</bdi></td>");
	assert_text(browser_attribute(&ann, 1, "data-score"), "1699999568");
}

static void
rank_is_shown(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	world_post(world, 1, "Second", "http://b.example/", "");
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "Ranked <b>2nd</b>");
	assert_status(browser_get(&ann, "/articles/2"), 200);
	assert_holds(&ann, "Ranked <b>1st</b>");
	vote(world, world_member(world, "bob"), VOTE_UP);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "Ranked <b>1st</b>");
}

static void
time_until_voting_closes_is_shown(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann,
	    "Voting is open for another 7 days, until <time "
	    "datetime=\"2023-11-21T22:13:20Z\">21 November "
	    "2023, 22:13 UTC</time>");
	world_move_clock(world, DAY + 3600 + 1);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "Voting is open for another 5 days and 22 hours");
	assert_lacks(&ann, "Voting has closed.");
	world_move_clock(world, 6 * DAY);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "Voting has closed.");
	assert_lacks(&ann, "Votes stay open");
	assert_lacks(&ann, "name=\"vote\"");
}

/* Without a record of voters, as when an article was loaded without one, voting is
 * closed: votes could count twice. */
static void
article_without_its_record_of_voters_is_closed(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	world_command(world, TEXT("DEL"),
	    key_voters(&world->arena, &world->store.buckets, article_id(1)));
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "Voting has closed.");
	assert_lacks(&ann, "name=\"vote\"");
}

static void
page_says_if_the_article_is_interesting(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "interesting</a>” at 200 upvotes");
	world->store.rules.interesting = 2;
	world_move_clock(world, 60);
	vote(world, world_member(world, "bob"), VOTE_UP);
	world_move_clock(world, 60);
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann,
	    "Interesting</a> since <time "
	    "datetime=\"2023-11-14T22:14:20Z\">");
}

static void
groups_are_changed_by_the_author(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_holds(&ann, "action=\"/articles/1/groups\"");
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("add", " lang ", "remove", "redis")),
	    303);
	assert_text(ann.answer.location, "/articles/1");
	assert_text(world_article(world, 1, 0).groups, "lang");
	assert_status(browser_get(&ann, "/g/lang"), 200);
	assert_text(browser_ids(&ann), "1");
	assert_status(browser_get(&ann, "/g/redis"), 200);
	assert_text(browser_ids(&ann), "");
	/* Repeated or empty, a change is no mistake. */
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("add", "lang", "remove", "redis")),
	    303);
	assert_status(browser_post(&ann, "/articles/1/groups", NULL), 303);
	assert_text(world_article(world, 1, 0).groups, "lang");
}

static void
groups_are_changed_by_moderators_and_nobody_else(void **state)
{
	struct world *world = *state;
	struct browser bob, mod;
	struct text before;

	begin(world);
	bob = browser_member(world, "bob");
	mod = browser_moderator(world, "mod");
	before = world_snapshot(world);
	assert_status(browser_get(&bob, "/articles/1"), 200);
	assert_lacks(&bob, "action=\"/articles/1/groups\"");
	assert_status(
	    browser_post(&bob, "/articles/1/groups", FIELDS("remove", "redis")),
	    403);
	assert_status(
	    browser_post(&bob, "/articles/1/groups", FIELDS("add", "nothing")),
	    403);
	assert_status(
	    browser_post(&bob, "/articles/2/groups", FIELDS("add", "lang")),
	    404);
	assert_unchanged(world, before);
	assert_status(
	    browser_post(&mod, "/articles/1/groups", FIELDS("add", "lang")),
	    303);
	assert_text(world_article(world, 1, 0).groups, "redis lang");
}

static void
mistakes_in_groups_are_named(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text before, names = TEXT("");

	for (int i = 0; i < 16; i++) {
		struct text name = text_format(&world->arena, "g%d", i);

		world_group(world, text_string(&world->arena, name));
		names = text_format(&world->arena, "%.*s %.*s",
		    TEXT_ARGS(names), TEXT_ARGS(name));
	}
	before = world_snapshot(world);
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("add", "lang nothing", "remove", "no-such")),
	    422);
	assert_holds(&ann, "There’s no group “\u2068nothing\u2069”.");
	assert_holds(&ann, "There’s no group “\u2068no-such\u2069”.");
	assert_holds(&ann, "There’s no group “\u2068nothing\u2069”.");
	assert_holds(&ann, "How this score is calculated");
	assert_status(
	    browser_post(&ann, "/articles/1/groups", FIELDS("add", "C++")),
	    422);
	assert_holds(&ann, "“\u2068c++\u2069” isn’t a group name");
	/* One more than allowed, with the existing one. */
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("add", text_string(&world->arena, names))),
	    422);
	assert_holds(&ann, "Choose at most 16 groups.");
	assert_unchanged(world, before);
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("add", text_string(&world->arena, names),
			      "remove", "redis")),
	    303);
}

static void
removed_article_says_so(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);
	struct browser mod = browser_moderator(world, "mod");
	struct text before = world_snapshot(world);

	assert_status(browser_get(&mod, "/articles/1"), 200);
	assert_holds(&mod, "Remove this article");
	assert_status(browser_get(&ann, "/articles/1"), 200);
	assert_lacks(&ann, "Remove this article");

	assert_status(browser_post(&mod, "/articles/1/remove",
			  FIELDS("reason", "Not about it")),
	    303);
	assert_status(browser_post(&mod, "/articles/1/remove", NULL), 303);
	assert_status(browser_get(&reader, "/articles/1"), 410);
	assert_holds(&reader, "This article was removed");
	assert_lacks(&reader, "First");
	/* The author sees the reason. */
	assert_status(browser_get(&ann, "/articles/1"), 410);
	assert_holds(
	    &ann, "A moderator removed this article: <bdi>Not about it</bdi>");
	assert_lacks(&ann, "/u/mod");
	assert_lacks(&ann, "Restore this article");
	assert_status(
	    browser_post(&ann, "/articles/1/groups", FIELDS("add", "lang")),
	    410);
	/* Moderators see the content, and can restore it. */
	assert_status(browser_follow(&mod), 410);
	assert_lacks(&mod, ">closed</span>");
	assert_holds(&mod, "First");
	assert_holds(&mod, "Restore this article");
	assert_lacks(&mod, "Remove this article");
	assert_lacks(&mod, "name=\"vote\"");
	assert_lacks(&mod, "at place");

	assert_status(browser_post(&mod, "/articles/1/restore", NULL), 303);
	assert_unchanged(world, before);
	assert_status(browser_get(&reader, "/articles/1"), 200);
	assert_status(browser_post(&mod, "/articles/9/remove", NULL), 404);
	assert_status(browser_post(&mod, "/articles/0/restore", NULL), 404);
}

static void
ticked_groups_survive_the_session(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct text cookie;

	world_group(world, "late");
	assert_int_equal(session_end(&world->store, &world->arena,
			     browser_cookie(&ann, "tally")),
	    STORE_OK);
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("had", "", "g-late", "on")),
	    401);
	assert_holds(&ann, "You’re logged out");
	assert_holds(&ann, "name=\"g-late\" checked");
	assert_int_equal(session_start(&world->store, &world->arena, 1,
			     TEXT(""), &world_no_factor, ann.agent, &cookie),
	    STORE_OK);
	browser_set_cookie(&ann, TEXT("tally"), cookie);
	assert_status(browser_post(&ann, "/articles/1/groups",
			  FIELDS("had", "", "g-late", "on")),
	    303);
	assert_text(world_article(world, 1, 0).groups, "redis late");
}

/* Its form for groups is part of the page, which a form that was refused shows again. */
static void
refused_form_does_not_show_a_removed_article(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world), reader = browser_open(world);
	struct browser mod = browser_moderator(world, "mod");

	assert_status(browser_post(&mod, "/articles/1/remove",
			  FIELDS("reason", "Not about it")),
	    303);
	assert_status(
	    browser_post(&reader, "/articles/1/groups", FIELDS("add", "lang")),
	    410);
	assert_lacks(&reader, "First");
	assert_lacks(&reader, "Not about it");
	assert_status(browser_post(&mod, "/articles/1/restore", NULL), 303);
	assert_status(browser_post(&ann, "/articles/1/withdraw", NULL), 303);
	assert_status(
	    browser_post(&reader, "/articles/1/groups", FIELDS("add", "lang")),
	    410);
	assert_lacks(&reader, "First");
}

/* Of a form that is refused, too, the reason says why, and nothing is typed again. */
static void
reason_for_other_groups_is_kept(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);
	struct browser mod = browser_moderator(world, "mod");

	(void)ann;
	assert_status(browser_post(&mod, "/articles/1/groups",
			  FIELDS("add", "nowhere", "reason", "It fits there")),
	    422);
	assert_holds(&mod, "value=\"It fits there\"");
	assert_status(browser_post(&mod, "/articles/1/groups",
			  FIELDS("add", "lang", "reason", "Un\u206Aseen")),
	    422);
	assert_holds(&mod, "id=\"reason-problem\"");
	assert_text(world_article(world, 1, 0).groups, "redis");
	assert_status(browser_post(&mod, "/articles/1/groups",
			  FIELDS("add", "lang", "reason", "It fits there")),
	    303);
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "It fits there");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(score_is_explained),
		world_test(votes_below_zero_are_explained),
		world_test(rank_is_shown),
		world_test(time_until_voting_closes_is_shown),
		world_test(article_without_its_record_of_voters_is_closed),
		world_test(page_says_if_the_article_is_interesting),
		world_test(groups_are_changed_by_the_author),
		world_test(groups_are_changed_by_moderators_and_nobody_else),
		world_test(mistakes_in_groups_are_named),
		world_test(removed_article_says_so),
		world_test(ticked_groups_survive_the_session),
		world_test(refused_form_does_not_show_a_removed_article),
		world_test(reason_for_other_groups_is_kept),
	};

	return world_run("article", tests);
}

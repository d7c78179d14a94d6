/* What a member saves, and the history of their votes: the buttons and the two pages. */
#include <string.h>

#include "../support/browser.h"
#include "archive/member_dump.h"
#include "store/comment.h"
#include "store/saved.h"
#include "store/vote_history.h"

enum { DAY = 86400, BOB = 2 };

static void
say(struct browser *browser, const char *text)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	assert_status(browser_post(browser, "/articles/1/comments",
			  FIELDS("text", text, "parent", "0")),
	    303);
}

static void
press(struct browser *browser, const char *name, const char *post)
{
	assert_status(browser_post(browser, "/vote",
			  FIELDS(name, post, "return_to", "/")),
	    303);
}

static void
articles_are_saved_in_lists(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser visitor = browser_open(scene.world);

	assert_status(browser_get(&scene.bob, "/"), 200);
	assert_holds(&scene.bob, "name=\"save\" value=\"1\"");
	press(&scene.bob, "save", "1");
	assert_text(scene.bob.answer.location, "/#article-1");
	assert_status(browser_get(&scene.bob, "/"), 200);
	assert_holds(&scene.bob, "name=\"unsave\" value=\"1\"");
	assert_status(browser_get(&scene.bob, "/saved"), 200);
	assert_holds(&scene.bob, "id=\"article-1\"");
	assert_holds(&scene.bob, "<p class=\"hint\">Saved ");
	press(&scene.bob, "unsave", "1");
	assert_status(browser_get(&scene.bob, "/saved"), 200);
	assert_holds(&scene.bob, "Nothing saved yet.");
	assert_status(browser_get(&visitor, "/"), 200);
	assert_lacks(&visitor, "<form method=\"post\" action=\"/vote\">");
	assert_lacks(&visitor, "save\"");
}

/* Their author can save them, too, and members who cannot vote yet. */
static void
comments_are_saved_wherever_they_are(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	static const char *const pages[] = { "/articles/1",
		"/articles/1/comments/1", "/comments", "/u/ann/comments" };

	say(&scene.ann, "Tall oaks.");
	assert_status(browser_post(&scene.ann, "/articles/1/comments/1/save",
			  FIELDS("state", "on")),
	    303);
	assert_text(
	    scene.ann.answer.location, "/articles/1/comments/1#comment-1");
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		assert_status(browser_get(&scene.ann, pages[i]), 200);
		assert_holds(&scene.ann, "name=\"unsave\" value=\"1.1\"");
		assert_status(browser_get(&scene.bob, pages[i]), 200);
		assert_holds(&scene.bob, "name=\"save\" value=\"1.1\"");
	}
	assert_status(browser_get(&scene.ann, "/saved"), 200);
	assert_holds(&scene.ann, "Tall oaks.");
	assert_holds(&scene.ann, "id=\"comment-1-1\"");
}

static void
removed_posts_stay_without_their_text(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;

	say(&scene.ann, "Tall oaks.");
	press(&scene.bob, "save", "1");
	press(&scene.bob, "save", "1.1");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 1 }, &world_removal),
	    STORE_OK);
	assert_status(browser_get(&scene.bob, "/saved"), 200);
	assert_lacks(&scene.bob, "Tall oaks.");
	assert_holds(&scene.bob, "Removed by a moderator");
	assert_holds(&scene.bob, "name=\"unsave\" value=\"1.1\"");
	world_remove(world, 1);
	assert_status(browser_get(&scene.bob, "/saved"), 200);
	assert_lacks(&scene.bob, "First");
	assert_int_equal(
	    browser_count(&scene.bob, "Removed by a moderator"), 2);
	/* They can be unsaved, and not saved. */
	press(&scene.bob, "unsave", "1");
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("save", "1")), 410);
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("save", "1.1")), 410);
}

static void
bad_input_is_refused(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;

	assert_status(browser_post(bob, "/articles/1/save", NULL), 400);
	assert_status(
	    browser_post(bob, "/articles/1/save", FIELDS("state", "yes")), 400);
	assert_status(
	    browser_post(bob, "/articles/9/save", FIELDS("state", "on")), 404);
	assert_status(browser_post(bob, "/articles/1/comments/9/save",
			  FIELDS("state", "on")),
	    404);
	assert_status(
	    browser_post(bob, "/vote", FIELDS("save", "1", "up", "1")), 400);
	assert_status(
	    browser_post(bob, "/articles/1/save", FIELDS("state", "off")), 303);
	assert_status(browser_get(bob, "/saved?page=2"), 404);
}

static void
full_list_says_so(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;

	for (uint64_t i = 0; i < SAVED_MAX; i++) {
		struct post_id id = { 1, i + 1 };

		assert_int_equal(
		    saved_set(&world->store, &world->arena, BOB, id, SAVING_ON),
		    STORE_OK);
	}
	assert_status(
	    browser_post(&scene.bob, "/vote", FIELDS("save", "1")), 409);
	assert_holds(&scene.bob, "You can’t save any more");
	/* Nothing is lost by saving again what is saved. */
	assert_int_equal(saved_set(&world->store, &world->arena, BOB,
			     (struct post_id){ 1, 1 }, SAVING_ON),
	    STORE_OK);
}

/* A reader whose session has ended is led back by the log-in page. */
static void
saving_goes_on_after_logging_in(void **state)
{
	struct browser_scene scene = browser_scene(*state);

	assert_status(
	    browser_get(&scene.bob, "/vote?return_to=%2F&save=1"), 200);
	assert_holds(&scene.bob, "<h1>Save “<bdi>First</bdi>”</h1>");
	assert_holds(&scene.bob, "name=\"save\" value=\"1\"");
}

static void
votes_are_listed_for_their_member(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser *bob = &scene.bob;

	say(&scene.ann, "Tall oaks.");
	press(bob, "up", "1");
	press(bob, "down", "1.1");
	assert_status(browser_get(bob, "/u/bob/votes"), 200);
	assert_holds(bob, "<p class=\"hint\">Upvoted ");
	assert_holds(bob, "<p class=\"hint\">Downvoted ");
	press(bob, "none", "1.1");
	assert_status(browser_get(bob, "/u/bob/votes"), 200);
	assert_lacks(bob, "Downvoted ");
	assert_status(browser_get(bob, "/u/BOB/votes"), 301);
	assert_status(browser_get(&scene.ann, "/u/bob/votes"), 403);
	assert_status(browser_post(&scene.ann, "/u/bob/votes", NULL), 403);
	assert_status(browser_get(&scene.ann, "/u/ann/votes"), 200);
	assert_holds(&scene.ann, "No votes here.");
	/* It stays when voting has closed, and the record of voters is gone. */
	world_stop_clock(scene.world, NOON + 8 * DAY);
	assert_status(browser_get(bob, "/u/bob/votes"), 200);
	assert_holds(bob, "<p class=\"hint\">Upvoted ");
	assert_status(browser_post(bob, "/u/bob/votes", NULL), 303);
	assert_text(bob->answer.location, "/u/bob/votes");
	assert_status(browser_follow(bob), 200);
	assert_holds(bob, "No votes here.");
}

/* "1=up@0 1.1=down@5": the history, with the seconds since NOON. */
static struct text
history(struct world *world)
{
	struct arena *arena = &world->arena;
	struct text all = TEXT("");
	struct vote_entry *entries;
	uint64_t total;
	size_t got;

	assert_int_equal(vote_history_read(&world->store, arena, BOB, 0, 10,
			     &entries, &got, &total),
	    STORE_OK);
	for (size_t i = 0; i < got; i++)
		all = text_format(arena, "%.*s%s%.*s=%.*s%s@%lld",
		    TEXT_ARGS(all), i > 0 ? " " : "",
		    TEXT_ARGS(key_post_name(arena, entries[i].post)),
		    TEXT_ARGS(vote_words[entries[i].vote]),
		    entries[i].is_voided ? "!" : "",
		    (long long)(entries[i].at - NOON));
	return all;
}

static void
refused_votes_leave_the_history_as_it_is(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *bob = &scene.bob;

	world->store.rules.limits[LIMIT_VOTE] = 1;
	press(bob, "up", "1");
	world_stop_clock(world, NOON + 60);
	assert_status(browser_post(bob, "/vote", FIELDS("down", "1")), 429);
	assert_text(history(world), "1=up@0");
	world->store.rules.limits[LIMIT_VOTE] = 0;
	assert_status(browser_post(bob, "/vote", FIELDS("up", "9")), 404);
	assert_text(history(world), "1=up@0");
	/* Too late. */
	world_stop_clock(world, NOON + 8 * DAY);
	assert_status(browser_post(bob, "/vote", FIELDS("down", "1")), 409);
	assert_text(history(world), "1=up@0");
	/* Without a session. */
	world_command(world, TEXT("DEL"), key_sessions(&world->arena, BOB));
	assert_status(browser_post(bob, "/vote", FIELDS("down", "1")), 303);
	assert_text(history(world), "1=up@0");
}

static void
voided_votes_say_so(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	struct browser *bob = &scene.bob;

	press(bob, "up", "1");
	assert_status(browser_get(&mod, "/articles/1"), 200);
	assert_status(browser_post(&mod, "/articles/1/void",
			  FIELDS("member", "bob", "wanted", "void")),
	    303);
	assert_text(history(scene.world), "1=up!@0");
	assert_status(browser_get(bob, "/u/bob/votes"), 200);
	assert_holds(bob, "A moderator voided this vote");
	assert_status(browser_post(bob, "/vote", FIELDS("down", "1")), 403);
	assert_text(history(scene.world), "1=up!@0");
	assert_status(browser_get(&mod, "/articles/1"), 200);
	assert_status(browser_post(&mod, "/articles/1/void",
			  FIELDS("member", "bob", "wanted", "count")),
	    303);
	assert_text(history(scene.world), "1=up@0");
}

/* A crash between the announcement and the vote leaves an entry without a vote. */
static void
record_of_voters_decides_while_there_is_one(void **state)
{
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	vote_history_announce(&pipeline, BOB,
	    &(struct vote_entry){
		article_id(1), world_now(world), VOTE_DOWN, false });
	assert_true(redis_run(&pipeline));
	assert_text(history(world), "1=down@0");
	assert_status(browser_get(&scene.bob, "/u/bob/votes"), 200);
	assert_holds(&scene.bob, "No votes here.");
}

/* The document of the settings' button is that of the command. */
static void
member_dump_has_what_is_ones_own(void **state)
{
	static const char *const parts[] = { "{\"member\":{\"kind\":\"user\"",
		"\"password\":\"\"", "\"saved\":[{", "\"votes\":[{",
		"\"articles\":[]", "\"text\":\"Tall oaks.\"", "\"follows\":[]",
		"\"hidden\":[]", "\"complete\":true}" };
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *bob = &scene.bob;
	char written[8192];
	FILE *out = fmemopen(written, sizeof(written), "w");

	say(bob, "Tall oaks.");
	say(bob, "Removed.");
	assert_int_equal(post_remove(&world->store, &world->arena,
			     (struct post_id){ 1, 2 }, &world_removal),
	    STORE_OK);
	press(bob, "up", "1");
	press(bob, "save", "1");
	assert_status(browser_post(bob, "/settings/export", NULL), 200);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		assert_holds(bob, parts[i]);
	assert_holds(bob, "Removed.");
	assert_lacks(bob, "voters");
	assert_has(bob->head,
	    "Content-Disposition: attachment; filename=\"bob.json\"\r\n");
	assert_has(bob->head, "Cache-Control: private, no-store\r\n");
	assert_int_equal(
	    member_dump_command(&world->store, TEXT("BOB"), out), 0);
	fclose(out);
	assert_text(bob->answer.body, written);
	assert_int_equal(
	    member_dump_command(&world->store, TEXT("zoe"), stdout), 1);
}

/* 110 texts of 40 KB are more than a download has; the newest are there. */
static void
download_ends_and_says_so(void **state)
{
	enum { TEXTS = 110, BYTES = 40000, MOST = 4 * 1024 * 1024 };
	struct browser_scene scene = browser_scene(*state);
	struct world *world = scene.world;
	struct browser *bob = &scene.bob;
	char *text = arena_bytes(&world->arena, BYTES + 1);

	for (size_t i = 0; i < BYTES; i += 4)
		memcpy(text + i, "\xf0\x9f\x8c\xb3", 4);
	text[BYTES] = '\0';
	for (int i = 0; i < TEXTS; i++) {
		world_move_clock(world, 1);
		world_comment(world, article_id(1), BOB,
		    fixture_string(&world->arena, "%d. %s", i, text));
	}
	assert_status(browser_get(bob, "/settings"), 200);
	assert_holds(bob, "up to 4 MB");
	assert_status(browser_post(bob, "/settings/export", NULL), 200);
	assert_in_range(bob->answer.body.size, MOST, MOST + 2 * BYTES);
	assert_holds(bob, "\"text\":\"109. ");
	assert_lacks(bob, "\"text\":\"0. ");
	assert_holds(bob, ",\n\"complete\":false}\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(articles_are_saved_in_lists),
		world_test(comments_are_saved_wherever_they_are),
		world_test(removed_posts_stay_without_their_text),
		world_test(bad_input_is_refused),
		world_test(full_list_says_so),
		world_test(saving_goes_on_after_logging_in),
		world_test(votes_are_listed_for_their_member),
		world_test(refused_votes_leave_the_history_as_it_is),
		world_test(voided_votes_say_so),
		world_test(record_of_voters_decides_while_there_is_one),
		world_test(member_dump_has_what_is_ones_own),
		world_test(download_ends_and_says_so),
	};

	return world_run("saved", tests);
}

/* The page of a group for moderators, and redirects of former addresses. */
#include "../support/browser.h"
#include "store/group.h"

static struct browser
begin(struct world *world)
{
	world_group(world, "redis");
	world_group(world, "chess");
	return browser_moderator(world, "mod");
}

static enum http_status
press(struct browser *mod, const char *group, const char *what,
    const char *title, const char *name)
{
	const char *path =
	    fixture_string(&mod->world->arena, "/groups/%s", group);

	browser_get(mod, path);
	return browser_post(mod, path,
	    FIELDS("do", what, "title", title, "name", name, "reason", "Why"));
}

static void
every_button_works(void **state)
{
	struct world *world = *state;
	struct browser mod = begin(world);

	assert_status(browser_get(&mod, "/groups/redis"), 200);
	assert_holds(&mod, "value=\"redis\"");
	assert_status(press(&mod, "redis", "title", "R & R", ""), 303);
	assert_text(mod.answer.location, "/g/redis");
	assert_status(browser_follow(&mod), 200);
	assert_holds(&mod, "R &amp; R");
	assert_status(press(&mod, "redis", "close", "", ""), 303);
	assert_status(browser_get(&mod, "/groups/redis"), 200);
	assert_holds(&mod, "Reopen");
	assert_status(press(&mod, "redis", "open", "", ""), 303);
	assert_status(press(&mod, "redis", "name", "", "valkey"), 303);
	assert_text(mod.answer.location, "/g/valkey");
	assert_status(browser_follow(&mod), 200);
	assert_status(browser_get(&mod, "/groups/redis"), 303);
	assert_text(mod.answer.location, "/groups/valkey");
	assert_status(press(&mod, "valkey", "merge", "", "chess"), 303);
	assert_status(press(&mod, "chess", "delete", "", ""), 303);
	assert_status(browser_get(&mod, "/groups/chess"), 404);
	assert_status(browser_get(&mod, "/log"), 200);
	assert_int_equal(browser_count(&mod, ">Why</p>"), 6);
}

static void
groups_are_described_and_keep_that_when_renamed(void **state)
{
	struct world *world = *state;
	struct browser mod = begin(world);

	assert_status(
	    browser_post(&mod, "/groups/redis",
		FIELDS("do", "texts", "description", "All of *Redis*.", "rules",
		    "- Be kind <b>", "reason", "Asked.")),
	    303);
	assert_status(browser_get(&mod, "/g/redis"), 200);
	assert_holds(&mod, "All of <em>Redis</em>.");
	assert_holds(&mod, "<summary>Rules of this group</summary>");
	assert_lacks(&mod, "kind <b>");
	assert_status(browser_get(&mod, "/g/chess+redis"), 200);
	assert_lacks(&mod, "All of");
	assert_status(press(&mod, "redis", "name", "", "valkey"), 303);
	assert_status(browser_get(&mod, "/g/valkey"), 200);
	assert_holds(&mod, "All of <em>Redis</em>.");
	assert_status(press(&mod, "valkey", "name", "", "redis"), 303);
	assert_status(browser_get(&mod, "/groups/redis"), 200);
	assert_holds(&mod, "All of *Redis*.");
	assert_int_equal(world_log(world, "group-described").count, 1);
	assert_status(
	    browser_post(&mod, "/groups/redis",
		FIELDS("do", "texts", "description", "", "rules", "")),
	    303);
	assert_status(browser_get(&mod, "/g/redis"), 200);
	assert_lacks(&mod, "Rules of this group");
}

/* The form shows the typed text, and the group is unchanged. */
static void
invalid_changes_are_refused(void **state)
{
	struct world *world = *state;
	struct browser mod = begin(world);

	assert_status(press(&mod, "redis", "name", "T", "chess"), 422);
	assert_holds(&mod, "value=\"chess\"");
	assert_lacks(&mod, "value=\"-\"");
	assert_status(press(&mod, "redis", "merge", "T", "nowhere"), 422);
	assert_status(press(&mod, "redis", "merge", "T", "redis"), 422);
	assert_status(press(&mod, "redis", "name", "T", "No Name"), 422);
	assert_status(press(&mod, "redis", "name", "T", ""), 422);
	assert_status(press(&mod, "redis", "title", "", "x"), 422);
	assert_status(press(&mod, "redis", "explode", "T", "x"), 400);
	assert_status(press(&mod, "nowhere", "close", "", ""), 404);
	assert_status(browser_get(&mod, "/log"), 200);
	assert_holds(&mod, "No entries yet");
	assert_status(browser_get(&mod, "/groups"), 200);
	assert_int_equal(browser_count(&mod, "href=\"/g/redis\""), 1);
	assert_int_equal(browser_count(&mod, "href=\"/g/chess\""), 1);
}

/* Closed and merged groups accept no articles. */
static void
closed_groups_accept_no_articles(void **state)
{
	struct world *world = *state;
	struct browser mod = begin(world), ann = browser_member(world, "ann");

	world_post(world, 2, "A", "http://a.example/", "redis");
	assert_status(press(&mod, "redis", "close", "", ""), 303);
	assert_status(browser_get(&ann, "/groups"), 200);
	assert_int_equal(browser_count(&ann, "closed to new articles"), 1);
	assert_status(browser_get(&ann, "/submit"), 200);
	assert_lacks(&ann, "name=\"g-redis\"");
	assert_holds(&ann, "name=\"g-chess\"");
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "T", "url", "http://b.example/",
			      "groups", "redis")),
	    422);
	assert_holds(&ann, "name=\"g-redis\" checked");
	assert_status(press(&mod, "chess", "name", "", "go"), 303);
	assert_status(browser_post(&ann, "/submit",
			  FIELDS("title", "T", "url", "http://b.example/",
			      "groups", "chess")),
	    422);
	/* Its articles stay in it when their authors edit them. */
	assert_status(browser_get(&ann, "/articles/1/edit"), 200);
	assert_holds(&ann, "name=\"g-redis\" checked");
	assert_status(browser_post(&ann, "/articles/1/edit",
			  FIELDS("title", "B", "groups", "redis go")),
	    303);
	assert_text(world_article(world, 1, 0).groups, "redis go");
	assert_status(browser_get(&ann, "/g/redis"), 200);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(every_button_works),
		world_test(groups_are_described_and_keep_that_when_renamed),
		world_test(invalid_changes_are_refused),
		world_test(closed_groups_accept_no_articles),
	};

	return world_run("regroup pages", tests);
}

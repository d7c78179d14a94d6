/* What members say of themselves: written in settings, shown on their page, removed by
 * moderators. */
#include "../support/browser.h"
#include "../support/commands.h"
#include "store/account_status.h"

enum { ANN = 1, HOUR = 3600 };

struct scene {
	struct world *world;
	struct browser ann, bob, mod, visitor;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.bob = browser_member(world, "bob");
	scene.mod = browser_moderator(world, "mod");
	scene.visitor = browser_open(world);
	return scene;
}

static enum http_status
write_about(struct browser *browser, const char *text)
{
	assert_status(browser_get(browser, "/settings/about"), 200);
	return browser_post(browser, "/settings/about", FIELDS("text", text));
}

static void
text_is_shown_on_the_page(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.visitor, "/u/ann"), 200);
	assert_lacks(&scene.visitor, "class=\"text\"");
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_holds(&scene.ann, "href=\"/settings/about\"");
	assert_status(write_about(&scene.ann,
			  "I am *Ann*, of [here](http://ann.example/) <b>"),
	    303);
	assert_text(scene.ann.answer.location, "/u/ann");
	assert_status(browser_get(&scene.visitor, "/u/ann"), 200);
	assert_holds(&scene.visitor, "<em>Ann</em>");
	assert_holds(&scene.visitor, "href=\"http://ann.example/\"");
	assert_holds(&scene.visitor, "nofollow");
	assert_holds(&scene.visitor, "&lt;b&gt;");
	assert_status(browser_get(&scene.ann, "/settings/about"), 200);
	assert_holds(&scene.ann, "I am *Ann*");
	/* An empty one is none. */
	assert_status(write_about(&scene.ann, " \n"), 303);
	assert_status(browser_get(&scene.visitor, "/u/ann"), 200);
	assert_lacks(&scene.visitor, "class=\"text\"");
	assert_text(world_user(scene.world, ANN).about, "");
}

static void
refused_text_is_not_lost(void **state)
{
	struct scene scene = begin(*state);
	char text[RULE_USER_ABOUT_MAX + 2] = { 0 };

	for (size_t i = 0; i < RULE_USER_ABOUT_MAX + 1; i++)
		text[i] = 'x';
	assert_status(write_about(&scene.ann, text), 422);
	assert_holds(&scene.ann, text);
	assert_text(world_user(scene.world, ANN).about, "");
	text[RULE_USER_ABOUT_MAX] = '\0';
	assert_status(write_about(&scene.ann, text), 303);
	assert_text(world_user(scene.world, ANN).about, text);
	assert_status(browser_get(&scene.ann, "/settings/about"), 200);
	assert_status(browser_post(&scene.ann, "/settings/about",
			  FIELDS("text", "*Hm*", "preview", "")),
	    200);
	assert_holds(&scene.ann, "<em>Hm</em>");
	assert_text(world_user(scene.world, ANN).about, text);
	/* A form that is out of date. */
	assert_status(browser_post(&scene.ann, "/settings/about",
			  FIELDS("text", "Typed", "csrf", "0")),
	    403);
	assert_holds(&scene.ann, "Typed");
}

static void
newcomers_link_to_known_sites(void **state)
{
	struct scene scene = begin(*state);
	struct browser new = browser_newcomer(scene.world, "new");
	struct settings settings;

	assert_status(write_about(&new, "See http://spam.example/"), 422);
	assert_holds(&new, "New members can link only to sites");
	assert_status(write_about(&new, "Hello, all"), 303);
	assert_status(browser_get(&scene.bob, "/u/new"), 200);
	assert_holds(&scene.bob, "Hello, all");
	/* Where first posts are held, so is this. */
	assert_int_equal(
	    settings_get(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	settings.hold_first = TEXT(RULE_HOLD_ON);
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	assert_status(browser_get(&scene.bob, "/u/new"), 200);
	assert_lacks(&scene.bob, "Hello, all");
	assert_status(browser_get(&scene.mod, "/u/new"), 200);
	assert_holds(&scene.mod, "Hello, all");
	assert_status(browser_get(&new, "/u/new"), 200);
	assert_holds(&new, "Hello, all");
	assert_status(browser_get(&new, "/settings/about"), 200);
	assert_holds(&new, "Others see it once");
}

static void
text_of_suspended_members_is_not_shown(void **state)
{
	struct scene scene = begin(*state);
	struct user ann;

	assert_status(write_about(&scene.ann, "Buy *this*"), 303);
	ann = world_user(scene.world, ANN);
	assert_int_equal(
	    account_suspend(&scene.world->store, &scene.world->arena, &ann,
		NOON + HOUR, (struct mod_action){ .at = 0 }),
	    STORE_OK);
	assert_status(browser_get(&scene.visitor, "/u/ann"), 200);
	assert_lacks(&scene.visitor, "Buy");
	assert_status(browser_get(&scene.mod, "/u/ann"), 200);
	assert_lacks(&scene.mod, "Buy");
	assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
	assert_holds(&scene.mod, "Buy <em>this</em>");
	world_stop_clock(scene.world, NOON + HOUR);
	assert_status(browser_get(&scene.bob, "/u/ann"), 200);
	assert_holds(&scene.bob, "Buy");
}

static void
moderators_remove_it(void **state)
{
	struct scene scene = begin(*state);
	struct browser other = browser_moderator(scene.world, "other");

	assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
	assert_lacks(&scene.mod, "/u/ann/about");
	assert_status(write_about(&scene.ann, "Buy this"), 303);
	assert_status(write_about(&other, "A colleague"), 303);
	assert_status(browser_get(&scene.bob, "/about"), 200);
	assert_status(browser_post(&scene.bob, "/u/ann/about", NULL), 403);
	assert_status(browser_get(&scene.mod, "/u/other/suspend"), 200);
	assert_holds(&scene.mod, "A colleague");
	assert_lacks(&scene.mod, "/u/other/about");
	assert_status(browser_post(&scene.mod, "/u/other/about", NULL), 403);
	for (int i = 0; i < 2; i++) {
		assert_status(browser_get(&scene.mod, "/u/ann/suspend"), 200);
		assert_status(browser_post(&scene.mod, "/u/ann/about",
				  FIELDS("reason", "An advert")),
		    303);
		assert_text(scene.mod.answer.location, "/u/ann/suspend");
	}
	assert_text(world_user(scene.world, ANN).about, "");
	assert_int_equal(world_log(scene.world, "about-emptied").count, 1);
	assert_status(browser_get(&scene.visitor, "/log"), 200);
	assert_holds(&scene.visitor, "removed the text about themselves of");
	assert_holds(&scene.visitor, "An advert");
}

static void
dumps_have_it(void **state)
{
	struct scene scene = begin(*state);
	struct text dump;

	assert_status(write_about(&scene.ann, "I am *Ann*"), 303);
	dump = commands_dump(scene.world).out;
	assert_true(
	    text_find(dump, 0, TEXT("\"about\":\"I am *Ann*\"")) != SIZE_MAX);
	assert_same(commands_dump_again(scene.world, NOON, dump, 3), dump);
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_status(browser_post(&scene.ann, "/settings/export", NULL), 200);
	assert_holds(&scene.ann, "\"about\":\"I am *Ann*\"");
	assert_int_equal(commands_check(scene.world).status, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(text_is_shown_on_the_page),
		world_test(refused_text_is_not_lost),
		world_test(newcomers_link_to_known_sites),
		world_test(text_of_suspended_members_is_not_shown),
		world_test(moderators_remove_it),
		world_test(dumps_have_it),
	};

	return world_run("member_about", tests);
}

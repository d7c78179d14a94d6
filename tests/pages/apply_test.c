/* Registration by application. */
#include <string.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "store/application.h"
#include "store/newcomer.h"

enum { DAY = 86400, NEW = 2 };

#define PASSWORD "a long way home"
#define APPLY(name, answer) \
	FIELDS("username", name, "password", PASSWORD, "answer", answer)

/* Mod, the first member; whoever wants to register applies. */
struct scene {
	struct world *world;
	struct browser mod, visitor;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };
	struct settings settings;

	world_stop_clock(world, NOON);
	scene.mod = browser_moderator(world, "mod");
	scene.visitor = browser_open(world);
	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	settings.registration = TEXT(RULE_REGISTRATION_APPLY);
	settings.question = TEXT("What do you know of trains?");
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
	return scene;
}

static enum http_status
apply(struct scene *scene, const char *name, const char *answer)
{
	assert_status(browser_get(&scene->visitor, "/apply"), 200);
	return browser_post(&scene->visitor, "/apply", APPLY(name, answer));
}

static enum http_status
log_in(struct scene *scene, const char *name, const char *password)
{
	assert_status(browser_get(&scene->visitor, "/login"), 200);
	return browser_post(&scene->visitor, "/login",
	    FIELDS("username", name, "password", password));
}

static enum http_status
decide(struct scene *scene, const char *path, const char *reason)
{
	assert_status(browser_get(&scene->mod, "/moderation"), 200);
	return browser_post(&scene->mod, path, FIELDS("reason", reason));
}

static void
application_is_accepted(void **state)
{
	struct scene scene = begin(*state);
	struct user user;

	assert_status(browser_get(&scene.visitor, "/register"), 200);
	assert_holds(&scene.visitor, "href=\"/apply\"");
	assert_status(browser_get(&scene.visitor, "/apply"), 200);
	assert_holds(&scene.visitor, "What do you know of trains?");
	assert_status(apply(&scene, "New", "They are\n\nlong."), 303);
	assert_status(browser_follow(&scene.visitor), 200);
	assert_holds(&scene.visitor, "Your application was sent");
	assert_holds(&scene.visitor, "<title>Sent · Apply · ");
	/* There is no such member yet. */
	assert_status(browser_get(&scene.visitor, "/u/New"), 404);
	assert_status(log_in(&scene, "new", PASSWORD), 403);
	assert_holds(&scene.visitor, "Your application is waiting");
	assert_status(log_in(&scene, "new", "another way"), 422);
	assert_lacks(&scene.visitor, "Your application");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_holds(&scene.mod, "1 application");
	assert_holds(&scene.mod, "<p dir=\"auto\">long.</p>");
	assert_status(decide(&scene, "/u/New/accept", ""), 303);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_lacks(&scene.mod, "1 application");
	assert_status(browser_get(&scene.visitor, "/log"), 200);
	assert_holds(&scene.visitor, "accepted the application of");
	assert_status(log_in(&scene, "new", PASSWORD), 303);
	user = world_user(scene.world, NEW);
	assert_same(user.name, TEXT("New"));
	assert_true(newcomer_is(&user));
	assert_status(decide(&scene, "/u/New/accept", ""), 404);
	commands_assert_whole(scene.world);
}

static void
application_is_declined(void **state)
{
	struct scene scene = begin(*state);

	assert_status(apply(&scene, "new", "Buy this"), 303);
	assert_status(decide(&scene, "/u/new/decline", "No adverts"), 303);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_lacks(&scene.mod, "Buy this");
	assert_status(log_in(&scene, "new", PASSWORD), 403);
	assert_holds(&scene.visitor, "Your application was declined");
	assert_holds(&scene.visitor, "No adverts");
	/* Whoever applied is no member, and is not in the log. */
	assert_status(browser_get(&scene.visitor, "/log"), 200);
	assert_holds(&scene.visitor, "declined an application");
	assert_lacks(&scene.visitor, "No adverts");
	assert_lacks(&scene.visitor, "new</a>");
	assert_status(decide(&scene, "/u/new/accept", ""), 404);
	assert_status(apply(&scene, "NEW", "Again"), 422);
	world_stop_clock(scene.world, NOON + APPLICATION_DECLINED_SECONDS);
	assert_status(log_in(&scene, "new", PASSWORD), 422);
	assert_holds(&scene.visitor, "Wrong username");
	assert_status(apply(&scene, "NEW", "Again"), 303);
	commands_assert_whole(scene.world);
}

/* Text browsers send both buttons of the form to its address. */
static void
buttons_say_what_is_decided(void **state)
{
	struct scene scene = begin(*state);

	assert_status(apply(&scene, "new", "Hello"), 303);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_status(browser_post(&scene.mod, "/u/new/accept",
			  FIELDS("do", "something", "reason", "")),
	    400);
	assert_status(browser_post(&scene.mod, "/u/new/accept",
			  FIELDS("do", "decline", "reason", "")),
	    303);
	assert_status(log_in(&scene, "new", PASSWORD), 403);
	assert_status(browser_get(&scene.mod, "/u/new"), 404);
}

static void
applications_expire_and_are_bounded(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct application application = { .password_hash = TEXT("x"),
		.answer = TEXT("y") };

	for (int i = 0; i < APPLICATIONS_MAX; i++) {
		application.name =
		    text_of(fixture_string(&world->arena, "name%d", i));
		assert_int_equal(
		    application_add(&world->store, &world->arena, &application),
		    STORE_OK);
	}
	assert_status(apply(&scene, "new", "Hello"), 503);
	assert_holds(&scene.visitor, "Too many people have applied");
	/* The same once more is the same. */
	assert_int_equal(
	    application_add(&world->store, &world->arena, &application),
	    STORE_OK);
	world_stop_clock(world, NOON + APPLICATION_SECONDS - 1);
	assert_status(apply(&scene, "new", "Hello"), 503);
	world_stop_clock(world, NOON + APPLICATION_SECONDS);
	assert_status(apply(&scene, "new", "Hello"), 303);
	assert_int_equal(
	    world_command(world, TEXT("HLEN"), KEY_APPLICATIONS).number, 1);
}

static void
one_network_applies_so_often(void **state)
{
	struct scene scene = begin(*state);

	scene.world->store.rules.limits[LIMIT_REGISTER] = 2;
	assert_status(apply(&scene, "one", "Hello"), 303);
	assert_status(apply(&scene, "two", "Hello"), 303);
	assert_status(apply(&scene, "three", "Hello"), 429);
	assert_status(apply(&scene, "mod", "Hello"), 429);
}

static void
names_of_members_are_taken(void **state)
{
	struct scene scene = begin(*state);

	assert_status(apply(&scene, "MOD", "Hello"), 422);
	assert_status(apply(&scene, "new", ""), 422);
	assert_status(apply(&scene, "new", "Hello"), 303);
	world_member(scene.world, "new");
	assert_status(decide(&scene, "/u/new/accept", ""), 409);
	assert_holds(&scene.mod, "Someone else has taken this name");
	assert_status(decide(&scene, "/u/new/decline", "Taken"), 303);
}

/* An acceptance that made a member and was then interrupted. */
static void
accepted_ones_cannot_be_declined(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct application application;
	uint64_t id;

	assert_status(apply(&scene, "new", "Hello"), 303);
	assert_int_equal(application_find(&world->store, &world->arena,
			     TEXT("new"), &application),
	    STORE_OK);
	assert_int_equal(
	    application_accept(&world->store, &world->arena, &application, &id),
	    STORE_OK);
	assert_int_equal(id, NEW);
	assert_status(decide(&scene, "/u/new/decline", "No"), 409);
	assert_holds(&scene.mod, "already accepted");
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	assert_lacks(&scene.mod, "Hello");
	assert_status(browser_get(&scene.visitor, "/log"), 200);
	assert_holds(&scene.visitor, "accepted the application of");
	assert_lacks(&scene.visitor, "declined an application");
	assert_status(log_in(&scene, "new", PASSWORD), 303);
}

static void
nobody_applies_where_anybody_may_register(void **state)
{
	struct world *world = *state;
	struct browser visitor = browser_open(world);

	assert_status(browser_get(&visitor, "/apply"), 200);
	assert_holds(&visitor, "You don’t need to apply here");
	assert_status(
	    browser_post(&visitor, "/apply", APPLY("new", "Hello")), 403);
	assert_int_equal(
	    world_command(world, TEXT("EXISTS"), KEY_APPLICATIONS).number, 0);
}

static void
registering_needs_an_invitation_otherwise(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.visitor, "/login"), 200);
	assert_status(browser_post(&scene.visitor, "/register",
			  FIELDS("username", "new", "password", PASSWORD)),
	    403);
}

/* The form is for sites where one applies; others say how one registers there. */
static void
other_sites_say_how_to_register(void **state)
{
	struct scene scene = begin(*state);
	struct settings settings;

	assert_int_equal(
	    settings_get(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	settings.registration = TEXT(RULE_REGISTRATION_INVITE);
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	assert_status(browser_get(&scene.visitor, "/apply"), 200);
	assert_holds(&scene.visitor, "You need an invitation");
	assert_lacks(&scene.visitor, "need to apply here");
	settings.registration = TEXT(RULE_REGISTRATION_OPEN);
	assert_int_equal(
	    settings_set(&scene.world->store, &scene.world->arena, &settings),
	    STORE_OK);
	assert_status(browser_get(&scene.visitor, "/apply"), 200);
	assert_holds(&scene.visitor, "You don’t need to apply here.");
	assert_holds(&scene.visitor, ">Register</a>");
}

static void
dumps_have_applications(void **state)
{
	struct scene scene = begin(*state);
	struct text dump;

	assert_status(apply(&scene, "one", "Hello\nthere"), 303);
	assert_status(apply(&scene, "two", "Hello"), 303);
	assert_status(decide(&scene, "/u/two/decline", "No"), 303);
	dump = commands_dump(scene.world).out;
	assert_true(
	    text_find(dump, 0, TEXT("\"kind\":\"application\"")) != SIZE_MAX);
	assert_same(commands_dump_again(scene.world, NOON, dump, 3), dump);
	world_command(scene.world, TEXT("HSET"), KEY_APPLICATIONS,
	    TEXT("three"), TEXT("nothing"));
	commands_assert_break(
	    scene.world, "application \"three\": it is damaged");
	assert_int_equal(commands_repair(scene.world).status, 0);
	commands_assert_whole(scene.world);
}

/* The bar and the feed of the queue have applications, too. */
static void
moderators_are_told_of_applications(void **state)
{
	struct scene scene = begin(*state);

	assert_status(apply(&scene, "vera", "All of them."), 303);
	assert_status(apply(&scene, "sam", "Nothing."), 303);
	assert_status(decide(&scene, "/u/sam/decline", "Spam"), 303);
	assert_status(browser_get(&scene.mod, "/"), 200);
	assert_holds(&scene.mod, "<b>1<span");
	assert_status(browser_get(&scene.mod, "/moderation.atom"), 200);
	assert_int_equal(browser_count(&scene.mod, "<entry>"), 1);
	assert_holds(&scene.mod, "Application of vera");
	assert_holds(&scene.mod, "All of them.");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(application_is_accepted),
		world_test(application_is_declined),
		world_test(buttons_say_what_is_decided),
		world_test(applications_expire_and_are_bounded),
		world_test(one_network_applies_so_often),
		world_test(names_of_members_are_taken),
		world_test(accepted_ones_cannot_be_declined),
		world_test(nobody_applies_where_anybody_may_register),
		world_test(registering_needs_an_invitation_otherwise),
		world_test(other_sites_say_how_to_register),
		world_test(dumps_have_applications),
		world_test(moderators_are_told_of_applications),
	};

	return world_run("applications", tests);
}

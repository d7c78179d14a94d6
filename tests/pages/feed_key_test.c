/* Private feeds: what their secret opens, and what ends it. */
#include "../support/browser.h"
#include "pages/etag.h"
#include "store/close_account.h"
#include "store/feed_key.h"
#include "store/relay.h"

enum { ANN = 1, BOB = 2 };

/* Ann and bob, with an article by ann and a comment by bob in her inbox; a reader without
 * cookies. */
struct scene {
	struct world *world;
	struct browser ann, bob, reader;
};

static struct scene
begin(struct world *world)
{
	struct browser_scene two = browser_scene(world);
	struct scene scene = { .world = world, .ann = two.ann, .bob = two.bob };
	struct relay *relay = relay_new(&world->store, TEXT("test"));

	scene.reader = browser_open(world);
	scene.reader.app.etags = etags_new(&world->arena);
	world_comment(world, article_id(1), BOB, "Words to ann.");
	while (relay_step(relay) == 0)
		;
	relay_free(relay);
	return scene;
}

/* Creates the addresses as the form does, and returns the key in them. */
static struct text
renew(struct scene *scene, struct browser *browser)
{
	const struct text mark = TEXT("/inbox.atom?key=");
	struct text body, key;
	size_t at;

	assert_status(browser_get(browser, "/settings"), 200);
	assert_status(
	    browser_post(browser, "/settings/feeds", FIELDS("do", "renew")),
	    200);
	body = browser->answer.body;
	at = text_find(body, 0, mark);
	assert_true(at != SIZE_MAX);
	body = text_slice(body, at + mark.size, body.size);
	assert_true(text_cut(&body, '"', &key));
	return text_copy(&scene->world->arena, key);
}

static enum http_status
read_feed(struct scene *scene, const char *path, struct text key)
{
	return browser_get(&scene->reader,
	    fixture_string(
		&scene->world->arena, "%s?key=%.*s", path, TEXT_ARGS(key)));
}

static void
secret_opens_feeds_alone(void **state)
{
	struct scene scene = begin(*state);
	struct text key = renew(&scene, &scene.ann), tag;

	assert_status(browser_get(&scene.reader, "/inbox.atom"), 303);
	assert_text(
	    scene.reader.answer.location, "/login?return_to=%2Finbox.atom");
	assert_status(read_feed(&scene, "/inbox.atom", key), 200);
	assert_holds(&scene.reader, "Words to ann.");
	assert_holds(&scene.reader, ":/inbox/1</id>");
	assert_int_equal(text_find(scene.reader.answer.body, 0, key), SIZE_MAX);
	assert_int_equal(scene.reader.answer.cache, CACHE_NEVER);
	assert_int_equal(scene.reader.answer.cookie_count, 0);
	tag = scene.reader.answer.etag;
	assert_true(tag.size > 0);
	scene.reader.if_none_match = tag;
	assert_status(read_feed(&scene, "/inbox.atom", key), 304);
	assert_int_equal(scene.reader.answer.cache, CACHE_NEVER);
	scene.reader.if_none_match = TEXT("");
	assert_status(read_feed(&scene, "/inbox.json", key), 200);
	assert_int_equal(text_find(scene.reader.answer.body, 0, key), SIZE_MAX);
	/* No page, whatever its address says, and no session. */
	assert_status(read_feed(&scene, "/inbox", key), 301);
	assert_text(scene.reader.answer.location, "/inbox");
	assert_status(read_feed(&scene, "/settings", key), 301);
	assert_status(read_feed(&scene, "/new.atom", key), 301);
	assert_text(scene.reader.answer.location, "/new.atom");
	browser_set_cookie(&scene.reader, TEXT("tally"), key);
	assert_status(browser_get(&scene.reader, "/inbox"), 303);
	/* Nor is a session such a secret. */
	assert_status(read_feed(&scene, "/inbox.atom",
			  browser_cookie(&scene.ann, "tally")),
	    403);
}

/* With its reason, and without who it was where the site does not say. */
static void
feeds_of_inboxes_have_what_moderators_did(void **state)
{
	struct scene scene = begin(*state);
	struct browser mod = browser_moderator(scene.world, "mod");
	struct relay *relay = relay_new(&scene.world->store, TEXT("test"));
	struct text key = renew(&scene, &scene.ann);

	assert_status(browser_post(&mod, "/articles/1/remove",
			  FIELDS("reason", "An advertisement.")),
	    303);
	while (relay_step(relay) == 0)
		;
	relay_free(relay);
	assert_status(read_feed(&scene, "/inbox.atom", key), 200);
	assert_holds(&scene.reader, "Your article was removed");
	assert_holds(&scene.reader, "An advertisement.");
	assert_holds(&scene.reader, ":/inbox/1/2</id>");
	assert_holds(&scene.reader, "/inbox/2\"");
	assert_holds(&scene.reader, "<name>mod</name>");
	assert_lacks(&scene.reader, "Comments");
	assert_status(read_feed(&scene, "/inbox.json", key), 200);
	assert_holds(&scene.reader, "Your article was removed");
	/* A feed reader reads nothing of it. */
	assert_int_equal(world_user(scene.world, 1).read, 0);
	assert_int_equal(world_user(scene.world, 1).read_ahead, 0);
}

static void
other_secrets_open_nothing(void **state)
{
	struct scene scene = begin(*state);
	struct arena *arena = &scene.world->arena;
	struct text key = renew(&scene, &scene.ann), secret = key, id;
	const struct text stored = world_user(scene.world, ANN).feed_key;
	const struct text wrong[] = { TEXT("x"), TEXT("1."), TEXT("1.x"),
		TEXT("."), text_slice(key, 0, key.size - 1),
		text_join(arena, key, TEXT("0")), stored };

	text_cut(&secret, '.', &id);
	assert_int_equal(stored.size, 64);
	assert_false(text_equal(stored, secret));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_status(read_feed(&scene, "/inbox.atom", wrong[i]), 403);
	assert_status(read_feed(&scene, "/inbox.atom",
			  text_join(arena, TEXT("2."), secret)),
	    403);
	assert_status(read_feed(&scene, "/inbox.atom",
			  text_join(arena, TEXT("01."), secret)),
	    403);
	assert_lacks(&scene.reader, "/logout");
	assert_status(read_feed(&scene, "/inbox.atom", key), 200);
}

/* A member whose session asks is read the same feed, which nobody keeps. */
static void
session_opens_it_as_well(void **state)
{
	struct scene scene = begin(*state);

	assert_status(browser_get(&scene.ann, "/inbox.atom"), 200);
	assert_holds(&scene.ann, "Words to ann.");
	assert_int_equal(scene.ann.answer.cache, CACHE_NEVER);
	assert_status(browser_get(&scene.bob, "/inbox.atom"), 200);
	assert_lacks(&scene.bob, "<entry>");
	assert_status(browser_get(&scene.bob, "/moderation.atom"), 403);
}

static void
renewing_and_ending_replace_it(void **state)
{
	struct scene scene = begin(*state);
	struct text first = renew(&scene, &scene.ann), second;

	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_holds(&scene.ann, "Replace the addresses");
	assert_lacks(&scene.ann, "?key=");
	second = renew(&scene, &scene.ann);
	assert_status(read_feed(&scene, "/inbox.atom", first), 403);
	assert_status(read_feed(&scene, "/inbox.atom", second), 200);
	assert_status(
	    browser_post(&scene.ann, "/settings/feeds", FIELDS("do", "end")),
	    303);
	assert_status(read_feed(&scene, "/inbox.atom", second), 403);
	assert_status(
	    browser_post(&scene.ann, "/settings/feeds", FIELDS("do", "x")),
	    400);
	assert_status(browser_get(&scene.ann, "/settings"), 200);
	assert_holds(&scene.ann, "Create the addresses");
}

static void
it_is_no_more_than_the_role(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser mod = browser_moderator(world, "mod");
	struct text key = renew(&scene, &mod);
	struct text anns = renew(&scene, &scene.ann);

	world_move_clock(world, 86400);
	assert_status(browser_get(&scene.bob, "/articles/1"), 200);
	assert_status(browser_post(&scene.bob, "/articles/1/flag",
			  FIELDS("reason", "off-topic")),
	    303);
	assert_status(read_feed(&scene, "/moderation.atom", key), 200);
	assert_int_equal(browser_count(&scene.reader, "<entry>"), 1);
	assert_holds(&scene.reader, "/queue/1700086400</id>");
	assert_status(read_feed(&scene, "/moderation.json", anns), 403);
	assert_lacks(&scene.reader, "/u/ann");
	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 3, ROLE_MEMBER),
	    STORE_OK);
	assert_status(read_feed(&scene, "/moderation.atom", key), 403);
	assert_status(read_feed(&scene, "/inbox.atom", key), 200);
}

static void
suspension_and_closing_end_it(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct text key = renew(&scene, &scene.ann);
	struct user user;
	int64_t now;

	world_command(world, TEXT("HSET"), key_user(&world->arena, ANN),
	    TEXT("suspended"), text_number(&world->arena, NOON + 60));
	assert_int_equal(
	    feed_key_find(&world->store, &world->arena, key, &user, &now),
	    STORE_SUSPENDED);
	assert_status(read_feed(&scene, "/inbox.atom", key), 403);
	world_move_clock(world, 61);
	assert_status(read_feed(&scene, "/inbox.atom", key), 200);
	user = world_user(world, ANN);
	assert_int_equal(close_account(&world->store, &world->arena, &user,
			     CLOSE_ACCOUNT_ERASE_NOTHING),
	    STORE_OK);
	assert_status(read_feed(&scene, "/inbox.atom", key), 403);
	assert_int_equal(world_user(world, ANN).feed_key.size, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(secret_opens_feeds_alone),
		world_test(feeds_of_inboxes_have_what_moderators_did),
		world_test(other_secrets_open_nothing),
		world_test(session_opens_it_as_well),
		world_test(renewing_and_ending_replace_it),
		world_test(it_is_no_more_than_the_role),
		world_test(suspension_and_closing_end_it),
	};

	return world_run("private feeds", tests);
}

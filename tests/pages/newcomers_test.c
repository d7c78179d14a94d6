/* Newcomers: until when members are, and what they may post. */
#include <string.h>

#include "../support/browser.h"
#include "../support/commands.h"
#include "lists/mod_queue.h"
#include "store/flag.h"
#include "store/newcomer.h"

enum { DAY = 86400, ANN = 1, NEW = 3 };

/* Ann and mod, who are no newcomers, and new, who is; article 1 is ann's, from two days before. */
struct scene {
	struct world *world;
	struct browser ann, mod, new;
};

static struct scene
begin(struct world *world)
{
	struct scene scene = { .world = world };

	world_stop_clock(world, NOON);
	scene.ann = browser_member(world, "ann");
	scene.mod = browser_moderator(world, "mod");
	world_post(world, ANN, "First", "http://known.example/", "");
	world_stop_clock(world, NOON + 2 * DAY);
	scene.new = browser_newcomer(world, "new");
	return scene;
}

static enum http_status
submit(struct browser *browser, const char *url)
{
	assert_status(browser_get(browser, "/submit"), 200);
	return browser_post(
	    browser, "/submit", FIELDS("title", "A title", "url", url));
}

static enum http_status
say(struct browser *browser, const char *text)
{
	assert_status(browser_get(browser, "/articles/1"), 200);
	return browser_post(
	    browser, "/articles/1/comments", FIELDS("text", text));
}

static size_t
queued(const struct scene *scene)
{
	struct mod_queue_page queue;

	assert_int_equal(mod_queue_read(&scene->world->store,
			     &scene->world->arena, 1, NULL, &queue),
	    STORE_OK);
	return queue.count;
}

static void
set(struct scene *scene, const char *field, const char *value)
{
	struct settings settings;
	struct world *world = scene->world;

	assert_int_equal(
	    settings_get(&world->store, &world->arena, &settings), STORE_OK);
	if (strcmp(field, "posts") == 0)
		settings.newcomer_posts = text_of(value);
	else if (strcmp(field, "days") == 0)
		settings.newcomer_days = text_of(value);
	else
		settings.newcomer_votes = text_of(value);
	assert_int_equal(
	    settings_set(&world->store, &world->arena, &settings), STORE_OK);
}

static bool
is_newcomer(const struct scene *scene, uint64_t id)
{
	struct user user = world_user(scene->world, id);

	return newcomer_is(&user);
}

static void
registering_makes_a_newcomer(void **state)
{
	struct world *world = *state;
	struct browser browser;

	world_stop_clock(world, NOON);
	browser = browser_open(world);
	assert_status(browser_get(&browser, "/register"), 200);
	assert_status(
	    browser_post(&browser, "/register",
		FIELDS("username", "ann", "password", "a long way home")),
	    303);
	assert_int_equal(world_user(world, 1).newcomer, NOON);
	/* A command, and an invitation, make none. */
	assert_int_equal(
	    world_user(world, world_member(world, "bob")).newcomer, 0);
}

static void
newcomers_post_so_much_a_day(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;

	world->store.rules.limits[LIMIT_NEWCOMER_POST] = 2;
	world->store.rules.limits[LIMIT_NEWCOMER_COMMENT] = 1;
	assert_status(submit(&scene.new, "http://a.example/1"), 303);
	assert_status(submit(&scene.new, "http://a.example/2"), 303);
	assert_status(submit(&scene.new, "http://a.example/3"), 429);
	assert_holds(&scene.new, "New members can post 2 articles a day");
	assert_holds(&scene.new, "http://a.example/3");
	assert_status(say(&scene.new, "One"), 303);
	assert_status(say(&scene.new, "Two"), 429);
	assert_holds(&scene.new, "New members can post 1 comment a day");
	for (int i = 0; i < 4; i++)
		assert_status(submit(&scene.ann,
				  fixture_string(
				      &world->arena, "http://b.example/%d", i)),
		    303);
	world_stop_clock(world, NOON + 3 * DAY + 1);
	assert_status(submit(&scene.new, "http://a.example/3"), 303);
	/* Owners set it. */
	set(&scene, "posts", "1");
	assert_status(submit(&scene.new, "http://a.example/4"), 429);
	set(&scene, "posts", "0");
	assert_status(submit(&scene.new, "http://a.example/4"), 303);
}

static void
keep(struct scene *scene, const char *path)
{
	assert_status(
	    browser_post(&scene->mod, path, FIELDS("reason", "")), 303);
}

static void
all_posts_are_reviewed_until_one_was_kept(void **state)
{
	struct scene scene = begin(*state);
	uint64_t first;

	assert_status(submit(&scene.new, "http://a.example/1"), 303);
	first = browser_article(&scene.new);
	assert_status(submit(&scene.new, "http://a.example/2"), 303);
	assert_status(say(&scene.new, "Hello"), 303);
	assert_int_equal(queued(&scene), 3);
	assert_status(submit(&scene.ann, "http://a.example/3"), 303);
	assert_int_equal(queued(&scene), 3);
	assert_status(browser_get(&scene.mod, "/moderation"), 200);
	keep(&scene,
	    fixture_string(
		&scene.world->arena, "/articles/%d/dismiss", (int)first));
	assert_int_equal(world_user(scene.world, NEW).kept, NOON + 2 * DAY);
	assert_int_equal(queued(&scene), 2);
	assert_status(submit(&scene.new, "http://a.example/4"), 303);
	assert_int_equal(queued(&scene), 2);
	/* That says nothing of others. */
	assert_int_equal(flag_set(&scene.world->store, &scene.world->arena,
			     article_id(1), NEW, FLAG_SPAM),
	    STORE_OK);
	keep(&scene, "/articles/1/dismiss");
	assert_int_equal(world_user(scene.world, ANN).kept, 0);
}

static void
links_of_the_first_day_lead_to_known_hosts(void **state)
{
	struct scene scene = begin(*state);
	const char *const good[] = { "No link",
		"[this](http://known.example/other)", "www.known.example is it",
		"Here: http://localhost/articles/1", "`http://spam.example/`" };
	const char *const bad[] = { "http://spam.example/",
		"<http://spam.example>", "![x](https://a.spam.example/)",
		"[a][b]\n\n[b]: http://spam.example",
		"http://known.example/ and http://spam.example/",
		"http://known.example.spam.example/" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_status(say(&scene.new, good[i]), 303);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_status(say(&scene.new, bad[i]), 422);
		assert_holds(&scene.new, "New members can link only to sites");
	}
	/* Nor by an edit, nor because another newcomer has just posted it. */
	assert_status(browser_post(&scene.new, "/articles/1/comments/1/edit",
			  FIELDS("text", "http://spam.example/")),
	    422);
	assert_status(submit(&scene.new, "http://spam.example/"), 303);
	assert_status(say(&scene.new, "http://spam.example/"), 422);
	assert_status(say(&scene.ann, "http://spam.example/"), 303);
	world_stop_clock(scene.world, NOON + 3 * DAY);
	assert_status(say(&scene.new, "http://other.example/"), 303);
}

static void
upvote(struct scene *scene, struct browser *browser, uint64_t article,
    const char *vote)
{
	assert_status(browser_post(browser,
			  fixture_string(&scene->world->arena,
			      "/articles/%d/vote", (int)article),
			  FIELDS("vote", vote)),
	    303);
}

static void
newcomers_settle_by_days_and_votes(void **state)
{
	struct scene scene = begin(*state);
	struct browser other = browser_newcomer(scene.world, "other");
	uint64_t article;

	set(&scene, "votes", "2");
	assert_status(submit(&scene.new, "http://a.example/1"), 303);
	article = browser_article(&scene.new);
	upvote(&scene, &scene.mod, article, "up");
	upvote(&scene, &other, article, "up");
	world_stop_clock(scene.world, NOON + 9 * DAY - 1);
	assert_status(submit(&scene.new, "http://a.example/2"), 303);
	article = browser_article(&scene.new);
	assert_true(is_newcomer(&scene, NEW));
	/* The days are over; another newcomer's vote does not count, nor one that is taken back. */
	world_stop_clock(scene.world, NOON + 9 * DAY);
	upvote(&scene, &other, article, "up");
	upvote(&scene, &scene.ann, article, "up");
	upvote(&scene, &scene.ann, article, "up");
	upvote(&scene, &scene.ann, article, "none");
	assert_status(submit(&scene.new, "http://a.example/3"), 303);
	assert_true(is_newcomer(&scene, NEW));
	upvote(&scene, &scene.ann, article, "up");
	assert_status(say(&scene.new, "Hello"), 303);
	assert_false(is_newcomer(&scene, NEW));
	/* For good. */
	upvote(&scene, &scene.ann, article, "down");
	assert_status(say(&scene.new, "Hello again"), 303);
	assert_false(is_newcomer(&scene, NEW));
}

static int64_t
backing_of_new(const struct scene *scene)
{
	struct user user = { .id = NEW };

	assert_int_equal(newcomer_backing(&scene->world->store,
			     &scene->world->arena, &user, 1),
	    STORE_OK);
	return user.backing;
}

/* Of a member who was a newcomer when voting, and is none any more. */
static void
vote_that_was_not_counted_takes_none_away(void **state)
{
	struct scene scene = begin(*state);
	struct world *world = scene.world;
	struct browser other = browser_newcomer(world, "other");
	struct world loaded;
	struct outcome dump;
	uint64_t article;

	assert_status(submit(&scene.new, "http://a.example/1"), 303);
	article = browser_article(&scene.new);
	upvote(&scene, &other, article, "up");
	assert_int_equal(backing_of_new(&scene), 0);
	assert_status(browser_get(&scene.mod, "/u/other/suspend"), 200);
	assert_status(browser_post(&scene.mod, "/u/other/vouch", NULL), 303);
	upvote(&scene, &other, article, "none");
	assert_int_equal(backing_of_new(&scene), 0);
	upvote(&scene, &scene.ann, article, "up");
	assert_int_equal(backing_of_new(&scene), 1);
	/* A count of an earlier version is below zero, and its dump is loaded. */
	world_command(world, TEXT("HSET"),
	    key_backing(&world->arena, &world->store.buckets,
		key_bucket_of(&world->store.buckets, article)),
	    text_number(&world->arena, NEW), TEXT("-1"));
	assert_int_equal(backing_of_new(&scene), 0);
	dump = commands_dump(world);
	assert_int_equal(dump.status, 0);
	world_open(&loaded, world->store.buckets.count);
	world_stop_clock(&loaded, NOON + 3 * DAY);
	commands_load_all(&loaded, dump.out);
	world_close(&loaded);
}

/* It leads to the article that is there. */
static void
form_sent_twice_counts_once(void **state)
{
	struct scene scene = begin(*state);

	scene.world->store.rules.limits[LIMIT_NEWCOMER_POST] = 2;
	for (int i = 0; i < 3; i++)
		assert_status(submit(&scene.new, "http://a.example/1"), 303);
	assert_status(submit(&scene.new, "http://a.example/2"), 303);
	assert_status(submit(&scene.new, "http://a.example/3"), 429);
	scene.world->store.rules.limits[LIMIT_NEWCOMER_COMMENT] = 2;
	for (int i = 0; i < 3; i++)
		assert_status(say(&scene.new, i < 2 ? "One" : "Two"), 303);
	assert_status(say(&scene.new, "Three"), 429);
}

static void
vouching_ends_it(void **state)
{
	struct scene scene = begin(*state);

	scene.world->store.rules.limits[LIMIT_NEWCOMER_POST] = 1;
	assert_status(submit(&scene.new, "http://a.example/1"), 303);
	assert_status(browser_get(&scene.mod, "/u/new/suspend"), 200);
	assert_status(browser_post(&scene.mod, "/u/new/vouch", NULL), 303);
	assert_status(submit(&scene.new, "http://a.example/2"), 303);
	assert_int_equal(queued(&scene), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(registering_makes_a_newcomer),
		world_test(newcomers_post_so_much_a_day),
		world_test(all_posts_are_reviewed_until_one_was_kept),
		world_test(links_of_the_first_day_lead_to_known_hosts),
		world_test(newcomers_settle_by_days_and_votes),
		world_test(vote_that_was_not_counted_takes_none_away),
		world_test(form_sent_twice_counts_once),
		world_test(vouching_ends_it),
	};

	return world_run("newcomers", tests);
}

/* Redis away: every page says so, with when to come back, and then goes on. */
#include <signal.h>
#include <time.h>

#include "../support/browser.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct browser
begin(struct world *world)
{
	struct browser ann = browser_member(world, "ann");

	world_group(world, "redis");
	assert_int_equal(
	    world_post(world, 1, "First", "http://a.example/", ""), 1);
	return ann;
}

static void
readers_get_503_where_it_is_needed(void **state)
{
	static const char *const needing[] = { "/", "/?order=new", "/?page=2",
		"/interesting", "/g/redis", "/u/ann", "/articles/1",
		"/groups" };
	static const char *const others[] = { "/about", "/login", "/register",
		"/login?up=1", "/register?down=1" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	kill(world->redis, SIGKILL);
	for (size_t i = 0; i < COUNT(needing); i++) {
		assert_status(browser_get(&reader, needing[i]), 503);
		assert_holds(&reader, "The site is temporarily unavailable");
		assert_int_equal(reader.answer.cache, CACHE_NEVER);
		assert_int_equal(reader.answer.retry_after, 2);
	}
	for (size_t i = 0; i < COUNT(others); i++)
		assert_status(browser_get(&reader, others[i]), 200);
	/* Nor does an address that has moved. */
	assert_status(browser_get(&reader, "/?x=1"), 301);
	assert_status(browser_get(&reader, "/g/web+redis"), 301);
	assert_status(browser_get(&reader, "/nothing"), 404);
	assert_status(browser_get(&reader, "/?page=0"), 400);
	assert_status(browser_get(&reader, "/submit"), 303);
}

static void
members_get_503_everywhere(void **state)
{
	static const char *const pages[] = { "/", "/interesting", "/g/redis",
		"/u/ann", "/articles/1", "/groups", "/submit", "/about",
		"/login", "/register", "/articles/0" };
	static const char *const posts[] = { "/submit", "/articles/1/vote",
		"/articles/1/groups", "/articles/1/remove",
		"/articles/1/restore", "/groups", "/logout" };
	struct world *world = *state;
	struct browser ann = begin(world);

	kill(world->redis, SIGKILL);
	for (size_t i = 0; i < COUNT(pages); i++) {
		assert_status(browser_get(&ann, pages[i]), 503);
		assert_int_equal(ann.answer.retry_after, 2);
	}
	for (size_t i = 0; i < COUNT(posts); i++)
		assert_status(
		    browser_post(&ann, posts[i], FIELDS("vote", "up")), 503);
	/* The browser stays signed in for when Redis is back. */
	assert_true(browser_cookie(&ann, "tally").size > 0);
}

/* Their pages that say so have a style. */
static void
what_is_the_same_for_everybody_needs_no_redis(void **state)
{
	static const char *const pages[] = { "/base.css", "/robots.txt" };
	struct world *world = *state;
	struct browser ann = begin(world);

	kill(world->redis, SIGKILL);
	for (size_t i = 0; i < COUNT(pages); i++)
		assert_status(browser_get(&ann, pages[i]), 200);
}

static void
logging_in_is_503(void **state)
{
	static const char *const targets[] = { "/login", "/register" };
	struct world *world = *state;
	struct browser reader;

	begin(world);
	reader = browser_open(world);
	kill(world->redis, SIGKILL);
	for (size_t i = 0; i < COUNT(targets); i++) {
		assert_status(browser_get(&reader, targets[i]), 200);
		assert_status(
		    browser_post(&reader, targets[i],
			FIELDS("username", "bob", "password", "correct horse")),
		    503);
		assert_text(browser_cookie(&reader, "tally"), "");
	}
}

static void
the_health_page_tells(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);

	assert_status(browser_get(&reader, "/healthz"), 200);
	assert_text(reader.answer.body, "ok\n");
	assert_true(reader.answer.type == TYPE_PLAIN);
	kill(world->redis, SIGKILL);
	assert_status(browser_get(&reader, "/healthz"), 503);
	assert_true(reader.answer.type == TYPE_PLAIN);
	assert_true(reader.answer.retry_after > 0);
}

/* Redis that hangs costs one wait; then pages fail at once, until it is
 * back. */
static void
it_comes_back(void **state)
{
	const struct timespec pause = { 0, 20000000 };
	struct world *world = *state;
	struct browser ann = begin(world);
	enum http_status status = HTTP_UNAVAILABLE;

	kill(world->redis, SIGSTOP);
	assert_status(browser_get(&ann, "/"), 503);
	assert_status(browser_get(&ann, "/"), 503);
	kill(world->redis, SIGCONT);
	for (int i = 0; i < 100 && status != HTTP_OK; i++) {
		nanosleep(&pause, NULL);
		status = browser_get(&ann, "/");
	}
	assert_status(status, 200);
	assert_holds(&ann, "Log out");
	assert_text(browser_ids(&ann), "1");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(readers_get_503_where_it_is_needed),
		world_test(members_get_503_everywhere),
		world_test(what_is_the_same_for_everybody_needs_no_redis),
		world_test(logging_in_is_503),
		world_test(the_health_page_tells),
		world_test(it_comes_back),
	};

	return world_run("Redis away", tests);
}

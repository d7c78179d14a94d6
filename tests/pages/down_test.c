/* Outages of Redis: every page says so, with Retry-After, and works again
 * afterwards. */
#include <signal.h>
#include <time.h>

#include "../support/browser.h"
#include "base/clock.h"
#include "store/lease.h"
#include "store/site.h"
#include "store/user.h"

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
visitors_get_503_on_pages_that_need_redis(void **state)
{
	static const char *const needing[] = { "/", "/?order=new", "/?page=2",
		"/interesting", "/g/redis", "/u/ann", "/articles/1", "/groups",
		"/best/2020", "/best/2020-11", "/best/week", "/day/2020-11-30",
		"/day", "/front/2020-11-30T12" };
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
	/* Nor does a redirect. */
	assert_status(browser_get(&reader, "/?x=1"), 301);
	assert_status(browser_get(&reader, "/g/web+redis"), 301);
	assert_status(browser_get(&reader, "/nothing"), 404);
	assert_status(browser_get(&reader, "/?page=0"), 400);
	assert_status(browser_get(&reader, "/submit"), 303);
}

static void
members_get_503_on_every_page(void **state)
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
	/* The browser is still signed in when Redis is back. */
	assert_true(browser_cookie(&ann, "tally").size > 0);
}

/* These error pages have a style sheet. */
static void
static_pages_do_not_need_redis(void **state)
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
health_check_reports_redis(void **state)
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

static void
assert_ready(struct browser *reader, enum http_status expected)
{
	assert_status(browser_get(reader, "/healthz"), 200);
	assert_status(browser_get(reader, "/readyz"), expected);
	assert_true(reader->answer.type == TYPE_PLAIN);
	assert_true((reader->answer.retry_after > 0) == (expected != HTTP_OK));
}

static void
readiness_check_reports_whether_redis_takes_writes(void **state)
{
	struct world *world = *state;
	struct browser reader = browser_open(world);
	struct text set = TEXT("SET"), config = TEXT("CONFIG"),
		    memory = TEXT("maxmemory");
	struct text versions, count;
	uint64_t id = world_post(world, world_member(world, "ann"), "One",
	    "http://one.example/", "");

	versions = key_versions(&world->arena, &world->store.buckets,
	    key_bucket_of(&world->store.buckets, id));
	count =
	    world_command(world, TEXT("HGET"), versions, TEXT("lists")).text;
	assert_ready(&reader, HTTP_OK);
	assert_text(reader.answer.body, "ok\n");
	assert_same(
	    world_command(world, TEXT("HGET"), versions, TEXT("lists")).text,
	    count);
	assert_true(count.size > 0);
	world_command(world, config, set, memory, TEXT("1"));
	assert_ready(&reader, HTTP_UNAVAILABLE);
	world_command(world, config, set, memory, TEXT("0"));
	assert_ready(&reader, HTTP_OK);
	world_command(world, TEXT("REPLICAOF"), TEXT("127.0.0.1"), TEXT("1"));
	assert_ready(&reader, HTTP_UNAVAILABLE);
	world_command(world, TEXT("REPLICAOF"), TEXT("NO"), TEXT("ONE"));
	assert_ready(&reader, HTTP_OK);
	kill(world->redis, SIGKILL);
	assert_status(browser_get(&reader, "/readyz"), 503);
	assert_true(reader.answer.retry_after > 0);
}

/* A result holds for a second of the clock, which the test sets by moving the check. */
static void
readiness_is_asked_once_a_second(void **state)
{
	struct world *world = *state;
	struct write_check check = { .asked_at = 0 };
	struct store *store = &world->store;

	assert_int_equal(
	    site_check_writes(store, &world->arena, &check), STORE_OK);
	assert_true(check.asked_at > 0);
	kill(world->redis, SIGKILL);
	check.asked_at += 1000000;
	assert_int_equal(
	    site_check_writes(store, &world->arena, &check), STORE_OK);
	check.asked_at -= 2000000;
	assert_int_equal(
	    site_check_writes(store, &world->arena, &check), STORE_DOWN);
	assert_int_equal(
	    site_check_writes(store, &world->arena, &check), STORE_DOWN);
}

static void
nothing_is_read_from_data_of_another_layout(void **state)
{
	static const char *const pages[] = { "/", "/articles/1", "/submit",
		"/about", "/sitemap.xml", "/readyz" };
	struct world *world = *state;
	struct browser ann = begin(world);
	struct lease lease = { .renewed_at = 0 };

	ann.app.lease = &lease;
	for (size_t i = 0; i < COUNT(pages); i++)
		assert_status(browser_get(&ann, pages[i]), 200);
	lease = (struct lease){ .renewed_at = 0 };
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), TEXT("1000"));
	for (size_t i = 0; i < COUNT(pages); i++)
		assert_status(browser_get(&ann, pages[i]), 503);
	assert_status(
	    browser_post(&ann, "/articles/1/vote", FIELDS("vote", "none")),
	    503);
	assert_int_equal(world_article(world, 1, 1).post.up, 1);
	assert_status(browser_get(&ann, "/healthz"), 200);
}

/* If Redis hangs, one request waits; then pages fail immediately until it is back. */
static void
pages_recover_with_redis(void **state)
{
	const struct timespec pause = { 0, 20000000 };
	struct world *world = *state;
	struct browser ann = begin(world);
	enum http_status status = HTTP_UNAVAILABLE;

	kill(world->redis, SIGSTOP);
	assert_status(browser_get(&ann, "/"), 503);
	assert_status(browser_get(&ann, "/"), 503);
	kill(world->redis, SIGCONT);
	for (int i = 0; i < 3000 && status != HTTP_OK; i++) {
		nanosleep(&pause, NULL);
		status = browser_get(&ann, "/");
	}
	assert_status(status, 200);
	assert_holds(&ann, "Log out");
	assert_text(browser_ids(&ann), "1");
}

static enum http_status
send_until_answered(
    struct browser *browser, const char *target, const char *const *fields)
{
	const struct timespec pause = { 0, 20000000 };
	enum http_status status = HTTP_UNAVAILABLE;

	for (int i = 0; i < 3000 && status == HTTP_UNAVAILABLE; i++) {
		nanosleep(&pause, NULL);
		status = browser_post(browser, target, fields);
	}
	return status;
}

/* A form is refused while Redis is away, and after its session has ended; each time it is shown
 * again with what was typed, and without inputs whose values are not known, which would delete
 * what is stored. */
struct refused_form {
	const char *target, *typed, *unknown, *const *fields;
};

static void
check_while_away(struct browser *owner, const struct refused_form *form)
{
	assert_status(browser_post(owner, form->target, NULL), 503);
	assert_lacks(owner, "<textarea");
	assert_status(browser_post(owner, form->target, form->fields), 503);
	assert_int_equal(owner->answer.retry_after, 2);
	assert_holds(owner, "The site is temporarily unavailable");
	assert_holds(owner, form->typed);
	assert_lacks(owner, form->unknown);
}

/* The form that was shown is sent once Redis is back, or after logging in again. */
static void
check_sent_again(struct browser *owner, const struct refused_form *form)
{
	struct text cookie = browser_cookie(owner, "tally");

	assert_status(
	    send_until_answered(owner, form->target, form->fields), 303);
	assert_status(browser_get(owner, form->target), 200);
	browser_set_cookie(owner, TEXT("tally"), TEXT(""));
	assert_status(browser_post(owner, form->target, form->fields), 401);
	assert_holds(owner, form->typed);
	assert_lacks(owner, form->unknown);
	browser_set_cookie(owner, TEXT("tally"), cookie);
	assert_status(browser_post(owner, form->target, form->fields), 303);
}

static void
forms_keep_what_was_typed(void **state)
{
	const struct refused_form forms[] = {
		{ "/settings/site", "value=\"Typed name\"", "Settings saved",
		    FIELDS("name", "Typed name", "registration", "open",
			"group_creation", "members", "voting", "at-once",
			"log_names", "named", "votes_a_day", "20") },
		{ "/groups/redis", "Typed text</textarea>", "name=\"title\"",
		    FIELDS("do", "texts", "description", "Typed text", "rules",
			"") },
		{ "/groups/redis", "value=\"Typed title\"", "<textarea",
		    FIELDS("do", "title", "title", "Typed title") },
		{ "/hidden", "/from/typed.example</textarea>",
		    "You hide nothing",
		    FIELDS("lines", "/from/typed.example") },
		{ "/hidden", "value=\"typed words\"", "<textarea",
		    FIELDS("words", "typed words") },
	};
	struct world *world = *state;
	struct browser owner;

	begin(world);
	owner = browser_owner(world, "olga");
	kill(world->redis, SIGSTOP);
	for (size_t i = 0; i < COUNT(forms); i++)
		check_while_away(&owner, &forms[i]);
	kill(world->redis, SIGCONT);
	for (size_t i = 0; i < COUNT(forms); i++)
		check_sent_again(&owner, &forms[i]);
}

/* A button is not shown as something that was typed. */
static void
group_to_create_is_kept(void **state)
{
	struct world *world = *state;
	struct browser ann = begin(world);

	assert_status(browser_get(&ann, "/groups"), 200);
	kill(world->redis, SIGSTOP);
	assert_status(browser_post(&ann, "/hidden",
			  FIELDS("words", "crypto", "state", "off")),
	    503);
	assert_lacks(&ann, "crypto");
	assert_status(browser_post(&ann, "/groups",
			  FIELDS("name", "lua", "title", "Typed")),
	    503);
	assert_holds(&ann, "value=\"Typed\"");
	assert_lacks(&ann, "There are no groups yet");
	kill(world->redis, SIGCONT);
	assert_status(send_until_answered(&ann, "/groups",
			  FIELDS("name", "lua", "title", "Typed")),
	    303);
}

static void
assert_pages_are_shown(struct browser *browser)
{
	static const char *const pages[] = { "/", "/?order=new", "/interesting",
		"/g/redis", "/u/ann", "/articles/1", "/articles/1?order=new",
		"/articles/1/comments/1", "/articles/1/reply?parent=0",
		"/comments", "/u/ann/comments", "/groups", "/groups/redis",
		"/inbox", "/submit", "/settings", "/settings/password",
		"/settings/close", "/settings/site", "/moderation",
		"/moderation/rings", "/moderation/hosts", "/log", "/members",
		"/u/ben/suspend", "/about", "/sitemap.xml", "/robots.txt",
		"/healthz" };

	for (size_t i = 0; i < COUNT(pages); i++)
		if (browser_get(browser, pages[i]) >= HTTP_BAD_REQUEST)
			fail_msg(
			    "%s: %d", pages[i], (int)browser->answer.status);
}

/* An owner whose last use of the session is due to be written, and an article with a
 * comment that the owner has not seen. */
static struct browser
begin_with_news(struct world *world)
{
	struct browser ann = begin(world), ben = browser_member(world, "ben");

	assert_int_equal(
	    user_set_role(&world->store, &world->arena, 1, ROLE_OWNER),
	    STORE_OK);
	browser_get(&ben, "/articles/1");
	assert_status(browser_post(&ben, "/articles/1/comments",
			  FIELDS("text", "New", "parent", "0")),
	    303);
	world_move_clock(world, 700);
	return ann;
}

/* Redis is full, or has lost its disk or its replicas. */
static void
pages_are_readable_while_writes_fail(void **state)
{
	struct world *world = *state;
	struct browser ann = begin_with_news(world);
	int64_t began = clock_monotonic_ms(), refused;

	world_command(world, TEXT("CONFIG"), TEXT("SET"),
	    TEXT("min-replicas-to-write"), TEXT("1"));
	assert_pages_are_shown(&ann);
	assert_pages_are_shown(&ann);
	/* Refused writes are not tried again for five seconds. */
	refused = world_info(world, "errorstats", "errorstat_NOREPLICAS");
	assert_in_range(
	    refused, 1, 1 + (uintmax_t)(clock_monotonic_ms() - began) / 5000);
	assert_status(browser_post(&ann, "/articles/1/comments",
			  FIELDS("text", "Mine", "parent", "0")),
	    503);
}

/* Visits are recorded, and pages wait neither for that nor for replicas. */
static void
reads_do_not_wait_for_replicas(void **state)
{
	struct world *world = *state;
	struct browser ann = begin_with_news(world);
	struct redis *redis = world->store.redis;
	struct store replicated = world_connect(world);
	struct text visits = TEXT("");

	redis_set_replicas(replicated.redis, 1);
	world->store.redis = replicated.redis;
	assert_status(browser_get(&ann, "/articles/1"), 200);
	for (int turn = 0; turn < 1000 && visits.size == 0; turn++)
		visits = world_command(
		    world, TEXT("HGET"), TEXT("{u1}user"), TEXT("visits"))
			     .text;
	assert_text(visits, "1");
	assert_int_equal(world_info(world, "commandstats", "cmdstat_wait"), 0);
	world->store.redis = redis;
	redis_close(replicated.redis);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(visitors_get_503_on_pages_that_need_redis),
		world_test(members_get_503_on_every_page),
		world_test(static_pages_do_not_need_redis),
		world_test(logging_in_is_503),
		world_test(health_check_reports_redis),
		world_test(readiness_check_reports_whether_redis_takes_writes),
		world_test(readiness_is_asked_once_a_second),
		world_test(nothing_is_read_from_data_of_another_layout),
		world_test(pages_recover_with_redis),
		world_test(forms_keep_what_was_typed),
		world_test(group_to_create_is_kept),
		world_test(pages_are_readable_while_writes_fail),
		world_test(reads_do_not_wait_for_replicas),
	};

	return world_run("Redis away", tests);
}

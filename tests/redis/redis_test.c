/* The connection: replies, fibers that share it, and outages of Redis. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../support/world.h"
#include "base/clock.h"
#include "base/fiber.h"
#include "store/article.h"
#include "store/library.h"
#include "store/site.h"

static enum store_result
ask(struct store *store)
{
	struct arena arena = { 0 };
	enum store_result result;
	int64_t now;

	result = site_time(store, &arena, &now);
	arena_free(&arena);
	return result;
}

/* Asks until Redis answers: a connection that is lost is tried again only after a
 * while. */
static void
assert_recovers(struct store *store)
{
	const struct timespec pause = { 0, 10000000 };
	int64_t deadline = clock_monotonic_ms() + 60000;

	while (ask(store) != STORE_OK) {
		assert_true(clock_monotonic_ms() < deadline);
		nanosleep(&pause, NULL);
	}
}

static void
replies_of_every_kind(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct pipeline pipeline = pipeline_begin(world->store.redis, arena);
	size_t size = 3000000;
	struct text large = { arena_zeroed(arena, size, 1), size };
	struct reply *replies;

	pipeline_add(&pipeline, TEXT("SET"), TEXT("x"), large);
	pipeline_add(&pipeline, TEXT("GET"), TEXT("x"));
	pipeline_add(&pipeline, TEXT("GET"), TEXT("none"));
	pipeline_add(&pipeline, TEXT("STRLEN"), TEXT("x"));
	pipeline_add(&pipeline, TEXT("MGET"), TEXT("none"), TEXT("empty"));
	pipeline_add(&pipeline, TEXT("SMEMBERS"), TEXT("none"));
	pipeline_add(&pipeline, TEXT("SCAN"), TEXT("0"));
	pipeline_add(&pipeline, TEXT("SET"), TEXT("empty"), TEXT(""));
	pipeline_add(&pipeline, TEXT("GET"), TEXT("empty"));
	pipeline_add(&pipeline, TEXT("ECHO"), (struct text){ "a\r\n\0b", 5 });
	assert_true(redis_run(&pipeline));
	replies = pipeline.replies;
	assert_int_equal(replies[0].kind, REPLY_TEXT);
	assert_text(replies[0].text, "OK");
	assert_true(text_equal(replies[1].text, large));
	assert_int_equal(replies[2].kind, REPLY_NIL);
	assert_int_equal(replies[3].kind, REPLY_NUMBER);
	assert_int_equal(replies[3].number, size);
	assert_int_equal(replies[4].kind, REPLY_LIST);
	assert_int_equal(replies[4].count, 2);
	assert_int_equal(replies[4].items[1].kind, REPLY_NIL);
	assert_int_equal(replies[5].kind, REPLY_LIST);
	assert_int_equal(replies[5].count, 0);
	assert_int_equal(replies[6].count, 2);
	assert_int_equal(replies[6].items[1].kind, REPLY_LIST);
	assert_int_equal(replies[8].kind, REPLY_TEXT);
	assert_int_equal(replies[8].text.size, 0);
	assert_true(
	    text_equal(replies[9].text, (struct text){ "a\r\n\0b", 5 }));
}

static void
empty_pipeline_succeeds(void **state)
{
	struct world *world = *state;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	assert_true(redis_run(&pipeline));
}

/* An error fails its whole pipeline, and the connection goes on. */
static void
error_reply_fails_its_pipeline_alone(void **state)
{
	struct world *world = *state;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	pipeline_add(&pipeline, TEXT("SET"), TEXT("x"), TEXT("1"));
	pipeline_add(&pipeline, TEXT("HGET"), TEXT("x"), TEXT("y"));
	pipeline_add(&pipeline, TEXT("GET"), TEXT("x"));
	assert_false(redis_run(&pipeline));
	assert_int_equal(ask(&world->store), STORE_OK);
	assert_text(world_command(world, TEXT("GET"), TEXT("x")).text, "1");
}

static void
unknown_function_is_an_error(void **state)
{
	struct world *world = *state;
	struct text why;

	world_command(world, TEXT("FUNCTION"), TEXT("FLUSH"));
	assert_int_equal(post_remove(&world->store, &world->arena,
			     article_id(1), &world_removal),
	    STORE_DOWN);
	assert_int_equal(
	    library_load(&world->store, &world->arena, LIBRARY_COMMAND, &why),
	    STORE_OK);
	assert_int_equal(post_remove(&world->store, &world->arena,
			     article_id(1), &world_removal),
	    STORE_ABSENT);
}

static void
addresses_have_two_forms(void **state)
{
	const char *bad[] = { "", "localhost", "localhost:", "localhost:0",
		"localhost:65536", "localhost:x", "localhost:-1",
		"unix:", ":6379", "unix:/a,unix:/b", "localhost:1,localhost:2",
		"cluster:", "cluster:unix:/a", "cluster:a:1,", "cluster:a:1,b",
		"sentinel:a:1", "sentinel:@a:1", "sentinel:main@",
		"tls:unix:/a" };
	const char *good[] = { "unix:/tmp/x", "localhost:6379", "10.0.0.1:1",
		"::1:6379", "cluster:a:1", "cluster:a:1,b:2,::1:3",
		"sentinel:main@a:1,b:2", "tls:a:1", "tls:cluster:a:1" };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_null(redis_open(text_of(bad[i]), TEXT(""), TEXT("")));
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct redis *redis =
		    redis_open(text_of(good[i]), TEXT(""), TEXT(""));

		assert_non_null(redis);
		redis_close(redis);
	}
}

static enum store_result
ask_as(struct world *world, const char *user, const char *password)
{
	struct store store = world->store;
	enum store_result result;

	store.redis =
	    redis_open(world->address, text_of(user), text_of(password));
	result = ask(&store);
	redis_close(store.redis);
	return result;
}

static void
user_and_password_are_sent(void **state)
{
	struct world *world = *state;

	world_command(world, TEXT("ACL"), TEXT("SETUSER"), TEXT("tally"),
	    TEXT("on"), TEXT(">a secret"), TEXT("~*"), TEXT("+@all"));
	assert_int_equal(ask_as(world, "tally", "a secret"), STORE_OK);
	assert_int_equal(ask_as(world, "tally", "no secret"), STORE_DOWN);
	assert_int_equal(ask_as(world, "", ""), STORE_OK);
	/* A password alone is that of the default user. */
	world_command(world, TEXT("CONFIG"), TEXT("SET"), TEXT("requirepass"),
	    TEXT("other"));
	assert_int_equal(ask_as(world, "", ""), STORE_DOWN);
	assert_int_equal(ask_as(world, "", "other"), STORE_OK);
	assert_int_equal(ask_as(world, "default", "other"), STORE_OK);
}

static void
lost_connection_is_reopened(void **state)
{
	struct world *world = *state;
	struct store store = world_connect(world);

	assert_int_equal(ask(&store), STORE_OK);
	for (int i = 0; i < 2; i++) {
		world_command(world, TEXT("CLIENT"), TEXT("KILL"), TEXT("TYPE"),
		    TEXT("normal"));
		assert_int_equal(ask(&store), STORE_OK);
	}
	redis_close(store.redis);
}

static void
missing_redis_is_down_immediately(void **state)
{
	struct world *world = *state;
	struct store store = world->store;
	int64_t start = clock_monotonic_ms();

	store.redis = redis_open(
	    TEXT("unix:/nonexistent/redis.sock"), TEXT(""), TEXT(""));
	for (int i = 0; i < 50; i++)
		assert_int_equal(ask(&store), STORE_DOWN);
	/* It would be 2 s each if they waited. */
	assert_true(clock_monotonic_ms() - start < 25000);
	redis_close(store.redis);
}

/*
 * Redis is stopped: the first call waits until its deadline, the next fails
 * at once, and when Redis goes on nobody gets the answer to another's question.
 */
static void
stopped_redis_is_down_and_recovers(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann"), id;
	int64_t start;

	id = world_post(world, ann, "One", "http://a.example/", "");
	kill(world->redis, SIGSTOP);
	start = clock_monotonic_ms();
	assert_int_equal(world_cast(&world->store, &world->arena,
			     article_id(id), 50, VOTE_UP),
	    STORE_DOWN);
	assert_true(clock_monotonic_ms() - start >= 1500);
	start = clock_monotonic_ms();
	assert_int_equal(ask(&world->store), STORE_DOWN);
	assert_true(clock_monotonic_ms() - start < 1500);
	kill(world->redis, SIGCONT);
	assert_recovers(&world->store);
	/* The vote may have been counted or not: asking again makes sure. */
	world_vote(world, id, 50, VOTE_UP);
	assert_int_equal(world_article(world, id, 50).post.up, 2);
}

/* Fibers, as a worker has them. */

enum { FIBERS = 40, ROUNDS = 5 };

struct asker {
	struct redis *redis;
	int number, right, failed;
	bool ended;
};

static void
echo_in_turns(void *data)
{
	struct asker *asker = data;
	struct arena arena = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		struct pipeline pipeline = pipeline_begin(asker->redis, &arena);
		struct text word =
		    text_format(&arena, "%d in round %d", asker->number, round);
		int times = 1 + (asker->number + round) % 4;
		bool right = true;

		for (int i = 0; i < times; i++)
			pipeline_add(&pipeline, TEXT("ECHO"), word);
		if (!redis_run(&pipeline)) {
			asker->failed++;
			continue;
		}
		for (int i = 0; i < times; i++)
			right =
			    right && text_equal(pipeline.replies[i].text, word);
		asker->right += right ? 1 : 0;
	}
	asker->ended = true;
	arena_free(&arena);
}

static bool
all_ended(const struct asker *askers)
{
	for (int i = 0; i < FIBERS; i++)
		if (!askers[i].ended)
			return false;
	return true;
}

/* A worker's loop, until all fibers have ended. */
static void
serve(struct redis *redis, const struct asker *askers)
{
	/* Sending may fail, and with it all that waited. */
	for (redis_flush(redis); !all_ended(askers); redis_flush(redis)) {
		struct pollfd poll_for = { .fd = redis_descriptor(redis),
			.events = POLLIN };

		if (poll(&poll_for, 1, redis_timeout(redis)) > 0)
			redis_ready(redis);
		else
			redis_expire(redis);
	}
}

static void
start_askers(struct asker *askers, struct redis *redis)
{
	for (int i = 0; i < FIBERS; i++) {
		askers[i] = (struct asker){ .redis = redis, .number = i };
		fiber_start(echo_in_turns, &askers[i]);
	}
}

static void
fibers_get_their_own_replies(void **state)
{
	struct world *world = *state;
	struct asker askers[FIBERS];

	start_askers(askers, world->store.redis);
	serve(world->store.redis, askers);
	for (int i = 0; i < FIBERS; i++)
		assert_int_equal(askers[i].right, ROUNDS);
}

/*
 * A worker may be busy for long, with passwords for one, before it sends and
 * before it reads. It is longer here than Redis may take for an answer, 2 s,
 * and that time is the thing under test.
 */
static void
busy_worker_does_not_time_out(void **state)
{
	const struct timespec work = { 2, 100000000 };
	struct world *world = *state;
	struct redis *redis = world->store.redis;
	struct pipeline pipeline = pipeline_begin(redis, &world->arena);

	pipeline_add(&pipeline, TEXT("PING"));
	redis_send(&pipeline);
	nanosleep(&work, NULL);
	redis_expire(redis);
	redis_flush(redis);
	redis_expire(redis);
	nanosleep(&work, NULL);
	redis_expire(redis);
	assert_true(redis_wait(&pipeline));
}

enum { LARGE = 40000, LARGE_ONES = 3, PATIENCE_MS = 100 };

/* For longer than Redis may be silent. */
static void
be_busy(void)
{
	const struct timespec work = { 0, (PATIENCE_MS + 20) * 1000000 };

	nanosleep(&work, NULL);
}

/* What was sent on other connections is answered by then: Redis writes up to 64 KB to
 * each of them in a turn. */
static void
wait_until_redis_has_answered(struct store *other)
{
	for (int turn = 0; turn < 4 + LARGE_ONES * LARGE / 65536; turn++)
		assert_int_equal(ask(other), STORE_OK);
}

/* One read takes 16 KB: what a busy worker has not read yet came in time, too. */
static void
replies_that_came_in_time_are_all_read(void **state)
{
	struct world *world = *state;
	struct store busy = world_connect(world);
	struct text large = { arena_zeroed(&world->arena, LARGE, 1), LARGE };
	struct pipeline pipelines[LARGE_ONES];

	world_command(world, TEXT("SET"), TEXT("x"), large);
	assert_int_equal(ask(&busy), STORE_OK);
	redis_set_timeout(busy.redis, PATIENCE_MS);
	for (int i = 0; i < LARGE_ONES; i++) {
		pipelines[i] = pipeline_begin(busy.redis, &world->arena);
		pipeline_add(&pipelines[i], TEXT("GET"), TEXT("x"));
		redis_send(&pipelines[i]);
	}
	redis_flush(busy.redis);
	wait_until_redis_has_answered(&world->store);
	be_busy();
	redis_expire(busy.redis);
	for (int i = 0; i < LARGE_ONES; i++) {
		assert_true(redis_wait(&pipelines[i]));
		assert_int_equal(pipelines[i].replies[0].text.size, LARGE);
	}
	redis_close(busy.redis);
}

/* A fake Redis, which replies when the test lets it. */
static int
listen_on(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, path);
	assert_int_equal(
	    bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 1), 0);
	return listener;
}

/* The time for an answer begins again with each piece of it; each one comes before that
 * time is judged, and after it. */
static void
reply_may_come_in_pieces(void **state)
{
	static const char *const pieces[] = { "+PO", "NG\r\n", "$1", "3\r",
		"\nin p", "iec", "es al", "l\r", "\n" };
	struct world *world = *state;
	const char *path =
	    fixture_path(&world->arena, world->folder, "pieces.sock");
	int listener = listen_on(path), server = -1;
	struct redis *redis = redis_open(
	    text_format(&world->arena, "unix:%s", path), TEXT(""), TEXT(""));
	struct pipeline pipeline = pipeline_begin(redis, &world->arena);

	redis_set_timeout(redis, PATIENCE_MS);
	pipeline_add(&pipeline, TEXT("GET"), TEXT("x"));
	redis_send(&pipeline);
	redis_flush(redis);
	server = accept(listener, NULL, NULL);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		assert_true(write(server, pieces[i], strlen(pieces[i])) > 0);
		be_busy();
		redis_expire(redis);
		redis_flush(redis);
		redis_ready(redis);
	}
	assert_true(redis_wait(&pipeline));
	assert_text(pipeline.replies[0].text, "in pieces all");
	redis_close(redis);
	close(server);
	close(listener);
}

/* How often Redis was sent a command since the last RESETSTAT. */
static int64_t
calls_of(struct world *world, struct text command)
{
	struct text stats =
	    world_command(world, TEXT("INFO"), TEXT("commandstats")).text;
	struct text line = text_format(
	    &world->arena, "cmdstat_%.*s:calls=", TEXT_ARGS(command));
	size_t at = text_find(stats, 0, line);
	int64_t calls = 0;

	if (at == SIZE_MAX)
		return 0;
	stats = text_slice(stats, at + line.size, SIZE_MAX);
	assert_true(text_cut(&stats, ',', &line));
	assert_true(text_to_i64(line, &calls));
	return calls;
}

enum { SHARING = 5 };

/* The same reads of requests that are served in one turn. */
static void
equal_reads_are_sent_once(void **state)
{
	struct world *world = *state;
	struct redis *redis = world->store.redis;
	struct arena arenas[SHARING] = { 0 };
	struct pipeline pipelines[SHARING];

	world_command(world, TEXT("HSET"), TEXT("h"), TEXT("a"), TEXT("1"));
	world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
	for (size_t i = 0; i < SHARING; i++) {
		pipelines[i] = pipeline_begin(redis, &arenas[i]);
		pipeline_add(&pipelines[i], TEXT("HGET"), TEXT("h"), TEXT("a"));
		/* The key of TIME says where it goes, and is not sent. */
		pipeline_add_time(
		    &pipelines[i], i % 2 == 0 ? TEXT("h") : TEXT("i"));
		pipeline_add(&pipelines[i], TEXT("HMGET"), TEXT("h"), TEXT("a"),
		    i == 3 ? TEXT("c") : TEXT("b"));
		redis_send(&pipelines[i]);
	}
	for (size_t i = 0; i < SHARING; i++) {
		const struct reply *fields = &pipelines[i].replies[2];

		assert_true(redis_wait(&pipelines[i]));
		assert_true(reply_seconds(&pipelines[i].replies[1]) > 0);
		assert_int_equal(fields->count, 2);
		assert_text(reply_item(fields, 0)->text, "1");
		assert_int_equal(reply_item(fields, 1)->kind, REPLY_NIL);
		arena_free(&arenas[i]);
	}
	assert_int_equal(calls_of(world, TEXT("time")), 1);
	assert_int_equal(calls_of(world, TEXT("hmget")), 2);
}

/* What a pipeline reads behind its own write is read after it. */
static void
reads_behind_a_write_are_not_shared(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct redis *redis = world->store.redis;
	struct pipeline first = pipeline_begin(redis, arena);
	struct pipeline second = pipeline_begin(redis, arena);

	pipeline_add(&first, TEXT("HMGET"), TEXT("h"), TEXT("a"));
	pipeline_add(&second, TEXT("HSET"), TEXT("h"), TEXT("a"), TEXT("new"));
	pipeline_add(&second, TEXT("HMGET"), TEXT("h"), TEXT("a"));
	redis_send(&first);
	redis_send(&second);
	assert_true(redis_wait(&first));
	assert_true(redis_wait(&second));
	assert_int_equal(reply_item(&first.replies[0], 0)->kind, REPLY_NIL);
	assert_text(reply_item(&second.replies[1], 0)->text, "new");
}

/* An error is an answer as well, of each. */
static void
shared_errors_fail_each_pipeline(void **state)
{
	struct world *world = *state;
	struct redis *redis = world->store.redis;
	struct pipeline pipelines[2];

	world_command(world, TEXT("SET"), TEXT("x"), TEXT("1"));
	for (size_t i = 0; i < 2; i++) {
		pipelines[i] = pipeline_begin(redis, &world->arena);
		pipeline_add(&pipelines[i], TEXT("HGETALL"), TEXT("x"));
		redis_send(&pipelines[i]);
	}
	for (size_t i = 0; i < 2; i++)
		assert_false(redis_wait(&pipelines[i]));
	assert_int_equal(ask(&world->store), STORE_OK);
}

/* Reads that were lost with their connection are sent again, and shared again. */
static void
shared_reads_survive_a_lost_connection(void **state)
{
	struct world *world = *state;
	struct store store = world_connect(world);
	struct arena arenas[SHARING] = { 0 };
	struct pipeline pipelines[SHARING];

	assert_int_equal(ask(&store), STORE_OK);
	world_command(
	    world, TEXT("CLIENT"), TEXT("KILL"), TEXT("TYPE"), TEXT("normal"));
	for (size_t i = 0; i < SHARING; i++) {
		pipelines[i] = pipeline_begin(store.redis, &arenas[i]);
		pipeline_add(&pipelines[i], TEXT("EXISTS"), TEXT("none"));
		redis_send(&pipelines[i]);
	}
	for (size_t i = 0; i < SHARING; i++) {
		assert_true(redis_wait(&pipelines[i]));
		assert_int_equal(pipelines[i].replies[0].kind, REPLY_NUMBER);
		arena_free(&arenas[i]);
	}
	redis_close(store.redis);
}

static void
fibers_continue_after_a_lost_connection(void **state)
{
	struct world *world = *state;
	struct store store = world_connect(world);
	struct asker askers[FIBERS];

	assert_int_equal(ask(&store), STORE_OK);
	world_command(
	    world, TEXT("CLIENT"), TEXT("KILL"), TEXT("TYPE"), TEXT("normal"));
	start_askers(askers, store.redis);
	serve(store.redis, askers);
	for (int i = 0; i < FIBERS; i++)
		assert_int_equal(askers[i].right, ROUNDS);
	redis_close(store.redis);
}

static void
fibers_all_fail_when_redis_is_stopped(void **state)
{
	struct world *world = *state;
	struct asker askers[FIBERS];
	int64_t start = clock_monotonic_ms();

	kill(world->redis, SIGSTOP);
	start_askers(askers, world->store.redis);
	serve(world->store.redis, askers);
	kill(world->redis, SIGCONT);
	assert_true(clock_monotonic_ms() - start >= 1500);
	for (int i = 0; i < FIBERS; i++)
		assert_int_equal(askers[i].failed, ROUNDS);
	assert_recovers(&world->store);
}

/* The connection knows nothing of buckets: once is enough. */
int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(replies_of_every_kind),
		world_test(empty_pipeline_succeeds),
		world_test(error_reply_fails_its_pipeline_alone),
		world_test(unknown_function_is_an_error),
		cmocka_unit_test(addresses_have_two_forms),
		world_test(user_and_password_are_sent),
		world_test(lost_connection_is_reopened),
		world_test(missing_redis_is_down_immediately),
		world_test(stopped_redis_is_down_and_recovers),
		world_test(fibers_get_their_own_replies),
		world_test(busy_worker_does_not_time_out),
		world_test(replies_that_came_in_time_are_all_read),
		world_test(reply_may_come_in_pieces),
		world_test(equal_reads_are_sent_once),
		world_test(reads_behind_a_write_are_not_shared),
		world_test(shared_errors_fail_each_pipeline),
		world_test(shared_reads_survive_a_lost_connection),
		world_test(fibers_continue_after_a_lost_connection),
		world_test(fibers_all_fail_when_redis_is_stopped),
	};

	return cmocka_run_group_tests_name("redis", tests, NULL, NULL);
}

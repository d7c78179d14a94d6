/*
 * A Redis with wrong replies: a call fails or leaves out what is wrong, and never
 * exceeds its buffers.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../support/world.h"
#include "archive/groups.h"
#include "base/buffer.h"
#include "redis/reply.h"
#include "store/group.h"
#include "store/keys.h"
#include "store/session.h"
#include "store/site.h"
#include "store/user.h"

enum { ANSWERS = 4 };

/* A thread that accepts one connection and sends fixed replies. */
struct impostor {
	const char *answers[ANSWERS]; /* one to each pipeline */
	int listener;
	pthread_t thread;
	struct arena arena;
	struct store store;
};

static void *
impersonate(void *data)
{
	const struct impostor *impostor = data;
	int redis = accept(impostor->listener, NULL, NULL);
	const char *answer = "+PONG\r\n";
	char command[4096];

	for (size_t i = 0; read(redis, command, sizeof(command)) > 0; i++) {
		if (answer == NULL || write(redis, answer, strlen(answer)) < 0)
			break;
		answer = i < ANSWERS ? impostor->answers[i] : NULL;
	}
	close(redis);
	return NULL;
}

static void
start(struct impostor *impostor, uint64_t buckets)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);

	impostor->listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(impostor->listener, (struct sockaddr *)&address,
			     sizeof(address)),
	    0);
	assert_int_equal(listen(impostor->listener, 1), 0);
	assert_int_equal(
	    getsockname(impostor->listener, (struct sockaddr *)&address, &size),
	    0);
	assert_int_equal(
	    pthread_create(&impostor->thread, NULL, impersonate, impostor), 0);
	impostor->store.rules = world_rules(buckets);
	impostor->store.buckets = key_buckets(&impostor->arena, buckets);
	impostor->store.secret = TEXT("secret");
	impostor->store.redis =
	    redis_open(text_format(&impostor->arena, "127.0.0.1:%d",
			   (int)ntohs(address.sin_port)),
		TEXT(""), TEXT(""));
}

static void
stop(struct impostor *impostor)
{
	redis_close(impostor->store.redis);
	pthread_join(impostor->thread, NULL);
	close(impostor->listener);
	arena_free(&impostor->arena);
}

/* Asks for one thing; false when the answer was not usable. */
static bool
ask(struct impostor *impostor, struct reply *reply)
{
	struct pipeline pipeline =
	    pipeline_begin(impostor->store.redis, &impostor->arena);

	pipeline_add(&pipeline, TEXT("GET"), TEXT("x"));
	if (!redis_run(&pipeline))
		return false;
	*reply = pipeline.replies[0];
	return true;
}

/* A length takes no memory until its items are there. */
static void
list_that_claims_too_many_items_is_refused(void **state)
{
	struct impostor impostor = { .answers = {
					 "*2000000000\r\n:1\r\nrubbish\r\n" } };
	struct reply reply;

	(void)state;
	start(&impostor, 1);
	assert_false(ask(&impostor, &reply));
	stop(&impostor);
}

/* The reply to one command is not used for the next one. */
static void
unexpected_reply_is_not_used(void **state)
{
	struct impostor impostor = { .answers = { ":1\r\n:2\r\n", ":3\r\n" } };
	struct reply reply;

	(void)state;
	start(&impostor, 1);
	assert_true(ask(&impostor, &reply));
	assert_int_equal(reply.number, 1);
	assert_false(ask(&impostor, &reply));
	stop(&impostor);
}

/* They arrived before the command was sent. */
static void
replies_before_their_command_are_not_used(void **state)
{
	struct impostor impostor = { .answers = {
					 ":8\r\n$-1\r\n*1\r\n$2\r\nok\r\n",
					 ":1\r\n", ":1\r\n" } };
	struct article article = { .title = TEXT("A title"),
		.url = TEXT("https://a.example/") };

	(void)state;
	start(&impostor, 1);
	assert_int_equal(
	    article_post(&impostor.store, &impostor.arena, &article),
	    STORE_DOWN);
	stop(&impostor);
}

/* What fewer replicas have may be lost with its master. */
static void
write_is_done_when_all_replicas_asked_for_have_it(void **state)
{
	static const struct {
		int64_t asked;
		const char *answer; /* to the write, and to its WAIT */
		bool is_done;
	} cases[] = {
		{ 1, "+OK\r\n:0\r\n", false },
		{ 1, "+OK\r\n:1\r\n", true },
		{ 2, "+OK\r\n:0\r\n", false },
		{ 2, "+OK\r\n:1\r\n", false },
		{ 2, "+OK\r\n:2\r\n", true },
		{ 2, "+OK\r\n:3\r\n", true },
		{ 3, "+OK\r\n:2\r\n", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct impostor impostor = { .answers = { cases[i].answer } };
		struct pipeline pipeline;

		start(&impostor, 1);
		redis_set_replicas(impostor.store.redis, cases[i].asked);
		pipeline =
		    pipeline_begin(impostor.store.redis, &impostor.arena);
		pipeline_add_replicated(
		    &pipeline, TEXT("SET"), TEXT("x"), TEXT("1"));
		assert_int_equal(redis_run(&pipeline), cases[i].is_done);
		stop(&impostor);
	}
}

static void
long_list_is_read_completely(void **state)
{
	enum { ITEMS = 5000 };
	struct impostor impostor = { .listener = -1 };
	struct buffer answer = buffer_in(&impostor.arena, 64);
	struct reply reply;

	(void)state;
	buffer_add(&answer, TEXT("*5000\r\n"));
	for (int64_t i = 0; i < ITEMS; i++)
		buffer_add(&answer,
		    text_format(&impostor.arena, "*1\r\n:%d\r\n", (int)i));
	impostor.answers[0] =
	    text_string(&impostor.arena, buffer_text(&answer));
	start(&impostor, 1);
	assert_true(ask(&impostor, &reply));
	assert_int_equal(reply.count, ITEMS);
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(
		    reply_number(reply_item(reply_item(&reply, i), 0)), i);
	stop(&impostor);
}

/* RESP3 was not requested: even a hiredis that reads it must not return it. */
static void
kinds_of_another_protocol_are_refused(void **state)
{
	static const char *const answers[] = { ",1.5\r\n", "#t\r\n",
		"*1\r\n,1.5\r\n", "*1\r\n#f\r\n" };
	struct reply reply;

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct impostor impostor = { .answers = { answers[i] } };

		start(&impostor, 1);
		assert_false(ask(&impostor, &reply));
		stop(&impostor);
	}
}

static void
more_groups_than_asked_for_are_left_out(void **state)
{
	static const char *const four =
	    "*4\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n";
	struct impostor impostor = { .answers = { four } };
	struct text found[4] = { 0 };
	size_t got;

	(void)state;
	start(&impostor, 1);
	assert_int_equal(
	    groups_archive_read_names(&impostor.store, &impostor.arena,
		KEY_GROUPS, TEXT(""), 2, found, &got),
	    STORE_OK);
	assert_int_equal(got, 2);
	assert_text(found[1], "b");
	assert_null(found[2].data);
	stop(&impostor);
}

static void
more_groups_in_a_list_than_asked_for_are_left_out(void **state)
{
	struct impostor impostor = {
		.answers = { "*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n:3\r\n",
		    "*3\r\n$1\r\nA\r\n$0\r\n\r\n$1\r\n1\r\n"
		    "*3\r\n$1\r\nB\r\n$0\r\n\r\n$1\r\n1\r\n",
		    "*3\r\n:4\r\n:5\r\n:6\r\n", ":4\r\n:5\r\n" }
	};
	struct group *groups;
	uint64_t total;
	size_t got;

	(void)state;
	start(&impostor, 1);
	assert_int_equal(group_list(&impostor.store, &impostor.arena, 0, 2,
			     &groups, &got, &total),
	    STORE_OK);
	assert_int_equal(got, 2);
	assert_text(groups[1].title, "B");
	stop(&impostor);
}

static void
site_without_its_settings_is_refused(void **state)
{
	static const char *const answers[] = {
		"*4\r\n$1\r\n1\r\n$-1\r\n$3\r\n432\r\n$2\r\nab\r\n",
		"*4\r\n$1\r\n1\r\n$1\r\n1\r\n$1\r\n0\r\n$2\r\nab\r\n",
		"*4\r\n$1\r\n1\r\n$1\r\n1\r\n$3\r\n432\r\n$-1\r\n",
		"*4\r\n$1\r\n1\r\n$7\r\n9999999\r\n$3\r\n432\r\n$2\r\nab\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		struct impostor impostor = { .answers = { answers[i] } };
		struct text why = { NULL, 0 };

		start(&impostor, 0);
		impostor.store.rules.vote_score = 0;
		assert_int_equal(
		    site_open(&impostor.store, &impostor.arena, &why),
		    STORE_MISMATCH);
		assert_true(why.size > 0);
		stop(&impostor);
	}
}

/* Nothing of ours is so large, and sums of such numbers would overflow. */
static void
numbers_out_of_range_are_zero(void **state)
{
	static const char *const texts[] = { "9223372036854775807",
		"-9223372036854775807", "1000000000000000", "-1000000000000000",
		"9223372036854775808" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct reply reply = { .kind = REPLY_TEXT,
			.text = text_of(texts[i]) };

		assert_int_equal(reply_number(&reply), 0);
		assert_int_equal(reply_number_of(reply.text), 0);
	}
	assert_int_equal(reply_number(&(struct reply){
			     .kind = REPLY_NUMBER, .number = INT64_MIN }),
	    0);
	assert_int_equal(
	    reply_number_of(TEXT("-999999999999999")), -999999999999999);
	assert_int_equal(
	    reply_number_of(TEXT("999999999999999")), 999999999999999);
}

static void
counts_are_not_negative_and_below_two_to_the_31(void **state)
{
	const struct reply max = { .kind = REPLY_NUMBER, .number = INT32_MAX };
	const struct reply more = { .kind = REPLY_NUMBER,
		.number = (int64_t)INT32_MAX + 1 };
	const struct reply less = { .kind = REPLY_NUMBER, .number = -1 };

	(void)state;
	assert_int_equal(reply_count(&max), INT32_MAX);
	assert_int_equal(reply_count(&more), 0);
	assert_int_equal(reply_count(&less), 0);
}

/* A session that began at the end of time would never end. */
static void
session_with_a_time_out_of_range_has_ended(void **state)
{
	static const struct text cookie =
	    TEXT_INIT("7.0123456789abcdef0123456789abcdef"
		      "0123456789abcdef0123456789abcdef");
	struct impostor impostor = {
		.answers = { "$21\r\n9000000000000000000 x\r\n"
			     "*2\r\n$3\r\nann\r\n$6\r\nmember\r\n"
			     "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n" }
	};
	struct user user;

	(void)state;
	start(&impostor, 1);
	assert_int_equal(
	    session_find(&impostor.store, &impostor.arena, cookie, &user, NULL),
	    STORE_ABSENT);
	stop(&impostor);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_that_claims_too_many_items_is_refused),
		cmocka_unit_test(unexpected_reply_is_not_used),
		cmocka_unit_test(replies_before_their_command_are_not_used),
		cmocka_unit_test(
		    write_is_done_when_all_replicas_asked_for_have_it),
		cmocka_unit_test(long_list_is_read_completely),
		cmocka_unit_test(kinds_of_another_protocol_are_refused),
		cmocka_unit_test(more_groups_than_asked_for_are_left_out),
		cmocka_unit_test(
		    more_groups_in_a_list_than_asked_for_are_left_out),
		cmocka_unit_test(site_without_its_settings_is_refused),
		cmocka_unit_test(numbers_out_of_range_are_zero),
		cmocka_unit_test(
		    counts_are_not_negative_and_below_two_to_the_31),
		cmocka_unit_test(session_with_a_time_out_of_range_has_ended),
	};

	return cmocka_run_group_tests_name("broken", tests, NULL, NULL);
}

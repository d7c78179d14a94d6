/* Calls of Redis functions: their arguments and results. */
#include "store/function_call.h"

#include "../support/world.h"
#include "redis/redis.h"

/* One returns its arguments, one replies as requested, one writes. */
static const char library[] =
    "#!lua name=calls\n"
    "redis.register_function{ function_name = 'repeat_1',\n"
    "	flags = { 'no-writes' }, callback = function(keys, args)\n"
    "	return { 'ok', keys[1], args }\n"
    "end }\n"
    "redis.register_function{ function_name = 'answer_1',\n"
    "	flags = { 'no-writes' }, callback = function(keys, args)\n"
    "	return args\n"
    "end }\n"
    "redis.register_function('number_1', function() return 1 end)\n"
    "redis.register_function('word_1', function() return 'other' end)\n"
    "redis.register_function('ok_1', function() return 'ok' end)\n"
    "redis.register_function('nothing_1', function() return false end)\n"
    "redis.register_function('set_1', function(keys, args)\n"
    "	redis.call('SET', keys[1], args[1])\n"
    "	return { 'ok' }\n"
    "end)\n";

static int
set_up(void **state)
{
	world_setup(state);
	world_command(*state, TEXT("FUNCTION"), TEXT("LOAD"), text_of(library));
	return 0;
}

static enum store_result
answer_of(struct world *world, const char *word)
{
	struct call call =
	    call_begin(&world->arena, CALL_READS, "answer_1", TEXT("key"));

	call_add(&call, text_of(word), TEXT("and more"));
	return call_run(&call, &world->store, NULL);
}

static enum store_result
run(struct world *world, enum call_kind kind, const char *function)
{
	struct call call =
	    call_begin(&world->arena, kind, function, TEXT("key"));

	call_add(&call, TEXT("value"));
	return call_run(&call, &world->store, NULL);
}

static void
key_reaches_the_function_without_arguments(void **state)
{
	struct world *world = *state;
	struct call call =
	    call_begin(&world->arena, CALL_READS, "repeat_1", TEXT("a key"));
	const struct reply *reply;

	assert_int_equal(call_run(&call, &world->store, &reply), STORE_OK);
	assert_text(reply_text(reply_item(reply, 1)), "a key");
	assert_int_equal(reply_item(reply, 2)->count, 0);
}

/* One by one, and more at once than there was room for. */
static void
any_number_of_arguments_reaches_the_function(void **state)
{
	enum { SINGLE = 30, TOGETHER = 100 };
	struct world *world = *state;
	struct arena *arena = &world->arena;
	struct call call =
	    call_begin(arena, CALL_READS, "repeat_1", TEXT("a key"));
	struct text words[TOGETHER];
	const struct reply *reply, *arguments;

	for (int64_t i = 0; i < SINGLE; i++)
		call_add_number(&call, i);
	for (int64_t i = 0; i < TOGETHER; i++)
		words[i] = text_number(arena, SINGLE + i);
	call_add_words(&call, words, TOGETHER);
	call_add_words(&call, words, 0);
	call_add(&call, TEXT(""), TEXT("a\r\n\0b"));
	assert_int_equal(call_run(&call, &world->store, &reply), STORE_OK);

	assert_text(reply_text(reply_item(reply, 1)), "a key");
	arguments = reply_item(reply, 2);
	assert_int_equal(arguments->count, SINGLE + TOGETHER + 2);
	for (size_t i = 0; i < SINGLE + TOGETHER; i++)
		assert_int_equal(reply_number(reply_item(arguments, i)), i);
	assert_text(arguments->items[SINGLE + TOGETHER].text, "");
	assert_same(
	    arguments->items[SINGLE + TOGETHER + 1].text, TEXT("a\r\n\0b"));
}

static void
each_outcome_has_its_word(void **state)
{
	static const struct {
		const char *word;
		enum store_result result;
	} outcomes[] = { { "ok", STORE_OK }, { "absent", STORE_ABSENT },
		{ "taken", STORE_TAKEN }, { "removed", STORE_REMOVED },
		{ "closed", STORE_CLOSED }, { "own", STORE_OWN },
		{ "full", STORE_FULL }, { "limited", STORE_LIMITED } };

	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		assert_int_equal(
		    answer_of(*state, outcomes[i].word), outcomes[i].result);
	/* Alone, too. */
	assert_int_equal(run(*state, CALL_WRITES, "ok_1"), STORE_OK);
}

static void
any_other_answer_is_none(void **state)
{
	static const char *const words[] = { "", "OK", "ok ", "down", "1" };
	static const char *const functions[] = { "number_1", "word_1",
		"nothing_1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(answer_of(*state, words[i]), STORE_DOWN);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		assert_int_equal(
		    run(*state, CALL_WRITES, functions[i]), STORE_DOWN);
}

static void
call_that_redis_refuses_has_no_outcome(void **state)
{
	assert_int_equal(run(*state, CALL_WRITES, "no_such_1"), STORE_DOWN);
	assert_int_equal(run(*state, CALL_READS, "no_such_1"), STORE_DOWN);
}

static void
only_a_call_that_writes_may_write(void **state)
{
	struct world *world = *state;

	assert_int_equal(run(world, CALL_READS, "set_1"), STORE_DOWN);
	assert_int_equal(
	    world_command(world, TEXT("GET"), TEXT("key")).kind, REPLY_NIL);
	assert_int_equal(run(world, CALL_WRITES, "set_1"), STORE_OK);
	assert_text(
	    world_command(world, TEXT("GET"), TEXT("key")).text, "value");
}

static void
calls_of_one_pipeline_have_an_outcome_each(void **state)
{
	struct world *world = *state;
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);
	struct call first =
	    call_begin(&world->arena, CALL_READS, "answer_1", TEXT("key"));
	struct call second =
	    call_begin(&world->arena, CALL_READS, "answer_1", TEXT("key"));

	call_add(&first, TEXT("taken"));
	call_add(&second, TEXT("absent"));
	assert_int_equal(call_send(&first, &pipeline), 0);
	pipeline_add(&pipeline, TEXT("PING"));
	assert_int_equal(call_send(&second, &pipeline), 2);
	assert_true(redis_run(&pipeline));
	assert_int_equal(call_outcome(&pipeline.replies[0]), STORE_TAKEN);
	assert_int_equal(call_outcome(&pipeline.replies[2]), STORE_ABSENT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, world_teardown)
	const struct CMUnitTest tests[] = {
		TEST(key_reaches_the_function_without_arguments),
		TEST(any_number_of_arguments_reaches_the_function),
		TEST(each_outcome_has_its_word),
		TEST(any_other_answer_is_none),
		TEST(call_that_redis_refuses_has_no_outcome),
		TEST(only_a_call_that_writes_may_write),
		TEST(calls_of_one_pipeline_have_an_outcome_each),
	};

	return cmocka_run_group_tests_name("call", tests, NULL, NULL);
}

/* The library of Redis functions, while programs of two versions run side by side. */
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "base/buffer.h"
#include "base/crypto.h"
#include "redis/redis.h"
#include "released.h"
#include "store/keys.h"
#include "store/library.h"

static const char *const calls[] = {
#define CALL(name) name,
#include "calls.inc"
#undef CALL
};

enum {
	CALLS = sizeof(calls) / sizeof(calls[0]),
	RELEASED = sizeof(released_functions) / sizeof(released_functions[0])
};

static enum store_result
load(struct world *world, enum library_use use)
{
	struct text why = TEXT("");

	return library_load(&world->store, &world->arena, use, &why);
}

static struct text
library(struct world *world)
{
	struct reply list = world_command(world, TEXT("FUNCTION"), TEXT("LIST"),
	    TEXT("LIBRARYNAME"), TEXT("tally"), TEXT("WITHCODE"));
	const struct reply *first = reply_item(&list, 0);

	for (size_t i = 0; i + 1 < first->count; i += 2)
		if (text_equal(
			reply_text(reply_item(first, i)), TEXT("library_code")))
			return reply_text(reply_item(first, i + 1));
	fail_msg("there is no library");
	return TEXT("");
}

/* Loads the current library again, with another version and one more function. */
static void
load_version(struct world *world, const char *version)
{
	const struct text mark = TEXT("\n-- version ");
	struct buffer text = buffer_in(&world->arena, 0);
	struct text old = library(world);
	const char *found = memmem(old.data, old.size, mark.data, mark.size);
	size_t before = (size_t)(found - old.data) + mark.size;
	struct text rest = text_slice(old, before, old.size), line;

	assert_non_null(found);
	text_cut(&rest, '\n', &line);
	buffer_add(&text, text_slice(old, 0, before));
	buffer_add(&text, text_of(version));
	buffer_add(&text, TEXT("\n"));
	buffer_add(&text, rest);
	if (memmem(rest.data, rest.size, "'added_1'", 9) == NULL)
		buffer_add(&text,
		    TEXT("\nredis.register_function('added_1', function() "
			 "return { 'ok' } end)\n"));
	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    buffer_text(&text));
}

static bool
has_added(struct world *world)
{
	struct text text = library(world);

	return memmem(text.data, text.size, "'added_1'", 9) != NULL;
}

static void
newer_library_stays_and_serves_older_workers(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann"),
		 bob = world_member(world, "bob");

	assert_int_equal(
	    world_post(world, ann, "First", "http://a.example/", ""), 1);
	load_version(world, "999");
	world_vote(world, 1, bob, VOTE_UP);
	assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
	assert_true(has_added(world));
	world_vote(world, 1, bob, VOTE_NONE);
}

static void
older_library_is_replaced(void **state)
{
	struct world *world = *state;
	static const char *const versions[] = { "0", "1", "not a number" };

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		load_version(world, versions[i]);
		assert_true(has_added(world));
		assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
		assert_false(has_added(world));
	}
}

/* Its own program has to make the dump. */
static void
library_of_another_layout_stays(void **state)
{
	struct world *world = *state;

	load_version(world, "1");
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), TEXT("3"));
	assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
	assert_true(has_added(world));
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), KEYS_VERSION);
	assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
	assert_false(has_added(world));
}

static const struct reply *
value_of(const struct reply *pairs, const char *name)
{
	for (size_t i = 0; i + 1 < pairs->count; i += 2)
		if (text_equal(reply_text(reply_item(pairs, i)), text_of(name)))
			return reply_item(pairs, i + 1);
	fail_msg("FUNCTION LIST has no %s", name);
	return NULL;
}

/* Fills the array with the names of all registered functions; returns their number. */
static size_t
registered(struct world *world, struct text **names)
{
	struct reply list = world_command(world, TEXT("FUNCTION"), TEXT("LIST"),
	    TEXT("LIBRARYNAME"), TEXT("tally"));
	const struct reply *all = value_of(reply_item(&list, 0), "functions");

	*names = arena_new(&world->arena, struct text, all->count);
	for (size_t i = 0; i < all->count; i++)
		(*names)[i] = text_copy(&world->arena,
		    reply_text(value_of(reply_item(all, i), "name")));
	return all->count;
}

static bool
has_name(const struct text *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(names[i], text_of(name)))
			return true;
	return false;
}

/* Otherwise programs of the last release could not run beside this one. */
static void
functions_of_the_last_release_are_registered(void **state)
{
	struct text *names;
	size_t count = registered(*state, &names);

	for (size_t i = 0; i < RELEASED; i++)
		if (!has_name(names, count, released_functions[i]))
			fail_msg("%s is gone, which programs of the last "
				 "release call",
			    released_functions[i]);
}

static bool
is_known(struct text name)
{
	for (size_t i = 0; i < CALLS; i++)
		if (text_equal(name, text_of(calls[i])))
			return true;
	for (size_t i = 0; i < RELEASED; i++)
		if (text_equal(name, text_of(released_functions[i])))
			return true;
	return false;
}

static void
registered_functions_are_those_that_programs_call(void **state)
{
	struct text *names;
	size_t count = registered(*state, &names);

	for (size_t i = 0; i < CALLS; i++)
		if (!has_name(names, count, calls[i]))
			fail_msg("%s is called and not registered", calls[i]);
	for (size_t i = 0; i < count; i++)
		if (!is_known(names[i]))
			fail_msg("nobody calls %.*s, neither today nor in the "
				 "last release",
			    TEXT_ARGS(names[i]));
}

/* Only then do programs of the last release not replace it. */
static void
library_that_has_changed_has_a_higher_version(void **state)
{
	struct world *world = *state;
	const char *version = strstr(library_code, "\n-- version ");
	bool is_released =
	    text_equal(crypto_sha256_hex(&world->arena, text_of(library_code)),
		TEXT(RELEASED_SHA256));

	assert_non_null(version);
	if (!is_released &&
	    strtol(version + strlen("\n-- version "), NULL, 10) <=
		RELEASED_VERSION)
		fail_msg("the functions have changed since version %d: raise "
			 "it in functions/keys.lua",
		    (int)RELEASED_VERSION);
}

static bool
has_loaded(struct world *world)
{
	struct text stats =
	    world_command(world, TEXT("INFO"), TEXT("commandstats")).text;

	return text_find(stats, 0, TEXT("cmdstat_function|load")) != SIZE_MAX;
}

/* Each load would append it to Redis's file again. */
static void
current_library_is_not_loaded_again(void **state)
{
	struct world *world = *state;

	assert_true(has_loaded(world));
	world_command(world, TEXT("CONFIG"), TEXT("RESETSTAT"));
	assert_int_equal(load(world, LIBRARY_COMMAND), STORE_OK);
	assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
	assert_false(has_loaded(world));
}

/* Between releases. */
static void
changes_of_the_same_version_are_loaded_only_at_a_start(void **state)
{
	struct world *world = *state;
	const char *mark = "\n-- version ";
	const char *version = strstr(library_code, mark) + strlen(mark);
	struct text own = { version, strcspn(version, "\n") };

	load_version(world, text_string(&world->arena, own));
	assert_int_equal(load(world, LIBRARY_COMMAND), STORE_OK);
	assert_true(has_added(world));
	assert_int_equal(load(world, LIBRARY_SITE_START), STORE_OK);
	assert_false(has_added(world));
}

static void
newer_library_that_lacks_a_function_is_reported(void **state)
{
	struct world *world = *state;
	struct text why = TEXT("");

	world_command(world, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    TEXT("#!lua name=tally\n-- version 999\n"
		 "redis.register_function('none_1', function() end)\n"));
	for (enum library_use use = LIBRARY_SITE_START; use <= LIBRARY_COMMAND;
	    use++) {
		assert_int_equal(
		    library_load(&world->store, &world->arena, use, &why),
		    STORE_MISMATCH);
		assert_true(text_find(why, 0, TEXT("version 999")) != SIZE_MAX);
		assert_true(text_find(why, 0, text_of(calls[0])) != SIZE_MAX);
	}
}

/* The functions with the first occurrence of a string replaced. */
static struct text
functions_with(struct arena *arena, const char *string, const char *replacement)
{
	struct text own = text_of(library_code);
	size_t at = text_find(own, 0, text_of(string));

	assert_int_not_equal(at, SIZE_MAX);
	return text_join(arena, text_slice(own, 0, at),
	    text_join(arena, text_of(replacement),
		text_slice(own, at + strlen(string), own.size)));
}

static bool
is_loaded(struct world *world, struct text library)
{
	struct pipeline pipeline =
	    pipeline_begin(world->store.redis, &world->arena);

	pipeline_add(&pipeline, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    library);
	return redis_run(&pipeline);
}

/* While it is loaded, not when a function is called. */
static void
library_with_an_unknown_import_is_refused(void **state)
{
	struct world *world = *state;
	struct arena *arena = &world->arena;

	assert_true(is_loaded(world,
	    functions_with(
		arena, "import('require_keys'", "import('require_keys'")));
	assert_false(is_loaded(world,
	    functions_with(
		arena, "import('require_keys'", "import('require_key'")));
	assert_false(is_loaded(world,
	    functions_with(arena, "= register_reader, require_keys",
		"= register_reader, require_key")));
}

/* The original library, not the instrumented one. */
static int
open_world(void **state)
{
	int failed = world_setup(state);

	assert_int_equal(load(*state, LIBRARY_SITE_START), STORE_OK);
	return failed;
}

#define library_world_test(function) \
	cmocka_unit_test_setup_teardown(function, open_world, world_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		library_world_test(
		    newer_library_stays_and_serves_older_workers),
		library_world_test(older_library_is_replaced),
		library_world_test(library_of_another_layout_stays),
		library_world_test(
		    functions_of_the_last_release_are_registered),
		library_world_test(
		    registered_functions_are_those_that_programs_call),
		library_world_test(
		    library_that_has_changed_has_a_higher_version),
		library_world_test(current_library_is_not_loaded_again),
		library_world_test(
		    changes_of_the_same_version_are_loaded_only_at_a_start),
		library_world_test(
		    newer_library_that_lacks_a_function_is_reported),
		library_world_test(library_with_an_unknown_import_is_refused),
	};

	return world_run("library", tests);
}

/* The functions in Redis, while programs of two versions run side by side. */
#include <string.h>

#include "../support/world.h"
#include "base/buffer.h"
#include "redis/reply.h"
#include "store/keys.h"
#include "store/site.h"

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

/* Loads what is there again, as another version with one function more. */
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
a_newer_library_is_left_alone_and_serves_older_workers(void **state)
{
	struct world *world = *state;
	uint64_t ann = world_member(world, "ann"),
		 bob = world_member(world, "bob");

	assert_int_equal(
	    world_post(world, ann, "First", "http://a.example/", ""), 1);
	load_version(world, "999");
	world_vote(world, 1, bob, VOTE_UP);
	assert_int_equal(site_load_functions(&world->store), STORE_OK);
	assert_true(has_added(world));
	world_vote(world, 1, bob, VOTE_NONE);
}

static void
an_older_library_is_replaced(void **state)
{
	struct world *world = *state;
	static const char *const versions[] = { "0", "1", "not a number" };

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		load_version(world, versions[i]);
		assert_true(has_added(world));
		assert_int_equal(site_load_functions(&world->store), STORE_OK);
		assert_false(has_added(world));
	}
}

/* The program that it belongs to is asked for a dump. */
static void
library_of_another_layout_stays(void **state)
{
	struct world *world = *state;

	load_version(world, "1");
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), TEXT("3"));
	assert_int_equal(site_load_functions(&world->store), STORE_OK);
	assert_true(has_added(world));
	world_command(
	    world, TEXT("HSET"), KEY_SITE, TEXT("version"), KEYS_VERSION);
	assert_int_equal(site_load_functions(&world->store), STORE_OK);
	assert_false(has_added(world));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(
		    a_newer_library_is_left_alone_and_serves_older_workers),
		world_test(an_older_library_is_replaced),
		world_test(library_of_another_layout_stays),
	};

	return world_run("library", tests);
}

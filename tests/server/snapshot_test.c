/* The reader of snapshots, on those that Redis makes. */
#include <stdlib.h>
#include <string.h>

#include "../support/world.h"
#include "server/snapshot.h"
#include "store/keys.h"

enum { MANY = 2000 }; /* more than a small value has */

static struct text
save(struct world *world)
{
	world_command(world, TEXT("SAVE"));
	return fixture_read_file(&world->arena,
	    fixture_path(&world->arena, world->folder, "dump.rdb"));
}

static unsigned
version_in(struct text snapshot)
{
	return snapshot_hash_number(snapshot, KEY_SITE, TEXT("version"));
}

static unsigned
version_of(struct world *world)
{
	return (unsigned)reply_number_of(
	    world_command(world, TEXT("HGET"), KEY_SITE, TEXT("version")).text);
}

/* Small values, and those of many entries. */
static void
add_values(struct world *world, const char *suffix, int count)
{
	static const char *const commands[][2] = { { "SADD", "set" },
		{ "SADD", "numbers" }, { "RPUSH", "list" },
		{ "ZADD", "sorted" }, { "HSET", "hash" },
		{ "XADD", "stream" } };
	struct arena *arena = &world->arena;

	for (size_t c = 0; c < sizeof(commands) / sizeof(commands[0]); c++)
		for (int i = 0; i < count; i++) {
			struct text number = text_number(arena, i + 1000);
			struct text word =
			    text_format(arena, "a word and number %d", i);
			struct text words[] = { text_of(commands[c][0]),
				text_format(
				    arena, "%s:%s", commands[c][1], suffix),
				c == 5 ? TEXT("*") : number, word, word };

			if (c == 0 || c == 2)
				words[2] = word;
			world_command_words(world, words,
			    c < 3	? 3
				: c < 5 ? 4
					: 5);
		}
	for (size_t i = 0; i < 2; i++)
		world_command(world, TEXT("XGROUP"), TEXT("CREATE"),
		    text_format(arena, "stream:%s", suffix),
		    i == 0 ? TEXT("one") : TEXT("two"), TEXT("0"));
	world_command(world, TEXT("XREADGROUP"), TEXT("GROUP"), TEXT("one"),
	    TEXT("somebody"), TEXT("COUNT"), TEXT("3"), TEXT("STREAMS"),
	    text_format(arena, "stream:%s", suffix), TEXT(">"));
}

static void
add_strings(struct world *world)
{
	struct arena *arena = &world->arena;
	char *zeros = arena_bytes(arena, 100000);

	memset(zeros, 0, 100000);
	for (size_t size = 1; size <= 100000; size *= 10)
		world_command(world, TEXT("SET"),
		    text_format(arena, "string:%zu", size),
		    (struct text){ zeros, size });
	for (int64_t number = 1; number < INT64_MAX / 16;
	    number = number * 8 + 7)
		world_command(world, TEXT("SET"), text_number(arena, number),
		    text_number(arena, number));
	world_command(world, TEXT("SET"), TEXT("expires"), TEXT("x"),
	    TEXT("EX"), TEXT("1000"));
	world_command(world, TEXT("SET"), TEXT("image"),
	    TEXT("\x10\x04site\x10......\x87version\x08\x09\x01"));
}

static void
all_kinds_of_values_are_skipped(void **state)
{
	struct world *world = *state;
	struct text snapshot;

	add_values(world, "small", 5);
	add_values(world, "large", MANY);
	add_strings(world);
	world_member(world, "ann");
	world_post(world, 1, "A", "http://a.b/", "");
	snapshot = save(world);
	assert_int_equal(version_in(snapshot), version_of(world));
	/* Nor is there anything that ends the reading. */
	world_command(world, TEXT("DEL"), KEY_SITE);
	assert_int_equal(version_in(save(world)), 0);
	for (int i = 0; i < 50; i++)
		world_command(world, TEXT("HSET"),
		    text_format(&world->arena, "other:%d", i), TEXT("version"),
		    TEXT("7"));
	world_command(
	    world, TEXT("HSET"), TEXT("site"), TEXT("version"), TEXT("8"));
	assert_int_equal(version_in(save(world)), 8);
}

/* More fields than fit into a listpack. */
static void
large_hash_is_read(void **state)
{
	struct world *world = *state;

	for (int i = 0; i < MANY; i++)
		world_command(world, TEXT("HSET"), KEY_SITE,
		    text_format(&world->arena, "moved:%d", i), TEXT("17"));
	assert_int_equal(version_in(save(world)), version_of(world));
}

static void
layout_that_is_no_number_is_none(void **state)
{
	static const char *const values[] = { "0", "128", "-1", "x", "",
		"99999999999999999999" };
	struct world *world = *state;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		world_command(world, TEXT("HSET"), KEY_SITE, TEXT("version"),
		    text_of(values[i]));
		assert_int_equal(version_in(save(world)), 0);
	}
	world_command(world, TEXT("SET"), KEY_SITE, TEXT("version"));
	assert_int_equal(version_in(save(world)), 0);
}

/* A file that ends anywhere, or has any byte changed: the reading ends, inside the file. */
static void
damaged_files_are_read_to_their_end(void **state)
{
	struct world *world = *state;
	struct text whole;
	unsigned version = version_of(world);
	char *copy;

	world_command(world, TEXT("FUNCTION"), TEXT("FLUSH"));
	add_values(world, "small", 5);
	whole = save(world);
	for (size_t size = 0; size <= whole.size; size++) {
		/* So that a sanitizer sees what lies behind it. */
		copy = malloc(size + 1);
		memcpy(copy, whole.data, size);
		unsigned found = version_in((struct text){ copy, size });
		assert_true(found == 0 || found == version);
		free(copy);
	}
	copy = malloc(whole.size);
	for (size_t at = 0; at < whole.size; at++)
		for (int byte = 0; byte < 256; byte += 51) {
			memcpy(copy, whole.data, whole.size);
			copy[at] = (char)byte;
			version_in((struct text){ copy, whole.size });
		}
	free(copy);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(all_kinds_of_values_are_skipped),
		world_test(large_hash_is_read),
		world_test(layout_that_is_no_number_is_none),
		world_test(damaged_files_are_read_to_their_end),
	};

	return world_run("snapshots", tests);
}

/*
 * Runs the commands dump, load and check on a world, and captures their output.
 */
#pragma once

#include "archive/load.h"
#include "world.h"

struct outcome {
	int status;
	struct text out, errors; /* in the world's arena */
};

struct outcome commands_dump(struct world *world);
struct outcome commands_check(struct world *world);
struct outcome commands_repair(struct world *world);

/* Loads the lines from a file, "FOLDER/load.jsonl". */
struct outcome commands_load(
    struct world *world, struct text lines, enum load_errors errors);

/* Loads lines, all of which are good. */
void commands_load_all(struct world *world, struct text lines);

/* Lines that are one text. */
struct text commands_join(
    struct world *world, const char *const *lines, size_t count);
#define COMMANDS_JOIN(world, lines) \
	commands_join((world), (lines), sizeof(lines) / sizeof((lines)[0]))

/* The check finds no break; or one, of which it says so much. */
void commands_assert_whole(struct world *world);
void commands_assert_break(struct world *world, const char *what);

/* Loads a dump into another world at a moment, checks it, and dumps that. */
struct text commands_dump_again(
    struct world *world, int64_t now, struct text dump, uint64_t buckets);

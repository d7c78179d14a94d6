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

/* Loads the lines from a file, "FOLDER/load.jsonl". */
struct outcome commands_load(
    struct world *world, struct text lines, enum load_errors errors);

/*
 * The commands dump, load and check run on a world, with all that they say.
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

/* The lines are given as a file, "FOLDER/load.jsonl". */
struct outcome commands_load(
    struct world *world, struct text lines, enum load_errors errors);

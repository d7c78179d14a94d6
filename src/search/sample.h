/*
 * A comparison of the index with the posts as they are, for a check.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

enum sample_result {
	SAMPLE_COMPARED,
	SAMPLE_ABSENT, /* there is no index, or one of another version or site */
	SAMPLE_BEHIND, /* it does not have the latest changes, also after some seconds */
	SAMPLE_BROKEN,
	SAMPLE_DOWN /* Redis does not answer */
};

enum { SAMPLE_MAX = 1000 };

struct sample {
	enum sample_result result;
	uint64_t rows;		    /* of the index */
	size_t compared, different; /* at most SAMPLE_MAX */
};

/* Compares rows at equal distances with Redis, others each time if there are more, and prints a
 * line for each that differs. Points are not compared, which follow later. */
void sample_compare(
    struct store *store, const char *path, FILE *out, struct sample *sample);

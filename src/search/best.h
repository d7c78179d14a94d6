/*
 * The best of many hits: as many as are wanted, in a heap with the worst at the top, so that
 * another hit costs one comparison, or a few.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct hit {
	int64_t row;
	double key; /* more is better; of equal ones the higher row */
};

struct best {
	struct hit *hits; /* room for so many, of the caller */
	size_t count, room;
};

void best_offer(struct best *best, struct hit hit);

/* The key that a hit needs to be among the best: -INFINITY while there is room. */
double best_least(const struct best *best);

/* Sorts, the best first; a row that was offered twice is there once. Nothing can be offered any
 * more. */
void best_sort(struct best *best);

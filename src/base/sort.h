/*
 * Sorting and searching arrays of ids.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Less than, equal to or greater than 0. */
int sort_compare(uint64_t a, uint64_t b);

void sort_ids(uint64_t *ids, size_t count);

/* Finds an id in a sorted array; NULL if absent. */
uint64_t *sort_find(uint64_t id, uint64_t *ids, size_t count);

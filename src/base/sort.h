/*
 * Sorted ids.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Less than, equal to or greater than 0. */
int sort_compare(uint64_t a, uint64_t b);

void sort_ids(uint64_t *ids, size_t count);

/* The place of an id among sorted ones; NULL when it is not there. */
uint64_t *sort_find(uint64_t id, uint64_t *ids, size_t count);

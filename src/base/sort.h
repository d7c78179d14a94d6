/*
 * Ids in order.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Less than, equal to or greater than 0. */
int sort_compare(uint64_t a, uint64_t b);

void sort_ids(uint64_t *ids, size_t count);

/* Where an id stands in sorted ones; NULL when it does not. */
uint64_t *sort_find(uint64_t id, uint64_t *ids, size_t count);

#endif

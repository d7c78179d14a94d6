#include "base/sort.h"

#include <stdlib.h>

int
sort_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_ids(const void *a, const void *b)
{
	return sort_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

void
sort_ids(uint64_t *ids, size_t count)
{
	if (count > 1)
		qsort(ids, count, sizeof(*ids), compare_ids);
}

uint64_t *
sort_find(uint64_t id, uint64_t *ids, size_t count)
{
	return count == 0 ? NULL
			  : bsearch(&id, ids, count, sizeof(*ids), compare_ids);
}

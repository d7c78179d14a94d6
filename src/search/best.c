#include "search/best.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool
is_worse(struct hit a, struct hit b)
{
	return a.key < b.key || (a.key == b.key && a.row < b.row);
}

static void
swap_hits(struct hit *a, struct hit *b)
{
	struct hit former = *a;

	*a = *b;
	*b = former;
}

static void
raise_last(struct best *best)
{
	size_t at = best->count - 1;

	for (; at > 0 && is_worse(best->hits[at], best->hits[(at - 1) / 2]);
	    at = (at - 1) / 2)
		swap_hits(&best->hits[at], &best->hits[(at - 1) / 2]);
}

static void
sink_first(struct best *best)
{
	size_t at = 0, child;

	while ((child = at * 2 + 1) < best->count) {
		if (child + 1 < best->count &&
		    is_worse(best->hits[child + 1], best->hits[child]))
			child++;
		if (!is_worse(best->hits[child], best->hits[at]))
			return;
		swap_hits(&best->hits[child], &best->hits[at]);
		at = child;
	}
}

void
best_offer(struct best *best, struct hit hit)
{
	if (best->count < best->room) {
		best->hits[best->count++] = hit;
		raise_last(best);
	} else if (best->room > 0 && is_worse(best->hits[0], hit)) {
		best->hits[0] = hit;
		sink_first(best);
	}
}

double
best_least(const struct best *best)
{
	return best->count < best->room || best->room == 0 ? -INFINITY
							   : best->hits[0].key;
}

static int
compare_hits(const void *a, const void *b)
{
	const struct hit *one = a, *other = b;

	return is_worse(*one, *other) - is_worse(*other, *one);
}

void
best_sort(struct best *best)
{
	size_t count = 0;

	qsort(best->hits, best->count, sizeof(best->hits[0]), compare_hits);
	for (size_t i = 0; i < best->count; i++)
		if (count == 0 ||
		    best->hits[count - 1].row != best->hits[i].row)
			best->hits[count++] = best->hits[i];
	best->count = count;
}

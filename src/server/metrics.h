/*
 * The metrics of a site in Prometheus' text format: the sums of what its workers have
 * counted (base/counters.h), and what Redis answers at the moment.
 */
#pragma once

#include "store/site.h"

struct search_state;

struct metrics {
	struct store *store; /* of an open site; with a quiet connection */
	int64_t started;     /* Unix seconds */
	int64_t workers;     /* of the settings */
	const struct search_state *search; /* NULL: there is no search */
	struct write_check write_check;
};

/* While Redis does not answer, what only it knows is left out, and tally_redis_up is 0. */
struct text metrics_write(struct metrics *metrics, struct arena *arena);

/*
 * Writing the records of a dump into the site, many in a few round trips. What
 * exists stays as it is, so the same records may come again: even after a crash
 * nothing is there twice, and nothing is half there. What exists and is not the same is
 * refused.
 */
#pragma once

#include "archive/name_cache.h"
#include "archive/plan.h"
#include "archive/record.h"

enum import_outcome {
	IMPORT_LOADED,
	IMPORT_THERE, /* it exists, and was left as it is */
	IMPORT_OUTCOMES
};

struct import {
	struct record record;
	uint64_t line;	     /* where it was read, from 1 */
	struct text refusal; /* a clause; empty while nothing is wrong */
	enum import_outcome outcome;
};

enum { BATCH_MAX = 40 }; /* they keep Redis busy for a millisecond */

/*
 * Records that are written together: all of one kind, so that what they name was
 * written before, and none refused by vet_record.
 */
struct batch {
	struct store *store;
	struct names *names;
	struct plan *plan;
	struct arena *arena;
	struct import *imports[BATCH_MAX];
	size_t count; /* at least 1 */
};

/* Refuses a record, unless it is refused already, as something else is there. */
void import_refuse_other(struct batch *batch, struct import *import);

/*
 * From now on nothing new is given an id that the load has, and in no bucket one that is
 * lower: ids go on growing with time. To be called before anything is written.
 */
STORE_CALL import_reserve(
    struct store *store, struct arena *arena, const struct plan *plan);

/*
 * Writes the records, none of which resolve_batch has refused, in their order,
 * and sets their outcome; refuses those in whose place something has come since.
 * Links and texts whose window is open are claimed for their ids.
 */
STORE_CALL import_write(struct batch *batch);

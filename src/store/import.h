/*
 * Writing the records of a dump into the site, some hundred in a few round
 * trips. What exists stays as it is, so the same records may come again: after a
 * crash in between, too, nothing is there twice and nothing by half.
 */
#ifndef STORE_IMPORT_H
#define STORE_IMPORT_H

#include "store/names.h"
#include "store/record.h"

enum import_fate {
	IMPORT_LOADED,
	IMPORT_THERE, /* the id or name exists, and was left as it is */
	IMPORT_FATES
};

struct import {
	struct record record;
	struct text refusal; /* a clause; empty while nothing is wrong */
	enum import_fate fate;
};

/*
 * Looks up the members and groups that records name, and refuses those that name
 * what does not exist, or count a member's vote twice. Skips what is refused
 * already; the others are all of the kind, so that what they name was written
 * before, and vet_record found them good.
 */
STORE_CALL import_resolve(struct store *store, struct names *names,
    struct arena *arena, enum record_kind kind, struct import *imports,
    size_t count);

/*
 * Writes those that are not refused, in their order, and says their fate. Links
 * and texts whose window is open are claimed for their ids.
 */
STORE_CALL import_write(struct store *store, struct names *names,
    struct arena *arena, enum record_kind kind, struct import *imports,
    size_t count);

#endif

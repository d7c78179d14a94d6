/*
 * Writing the records of a dump into the site, many in a few round trips. What
 * exists stays as it is, so the same records may come again: even after a crash
 * nothing is there twice, and nothing is half there.
 */
#ifndef ARCHIVE_IMPORT_H
#define ARCHIVE_IMPORT_H

#include "archive/names.h"
#include "archive/record.h"

enum import_outcome {
	IMPORT_LOADED,
	IMPORT_THERE, /* the id or name exists, and was left as it is */
	IMPORT_OUTCOMES
};

struct import {
	struct record record;
	struct text refusal; /* a clause; empty while nothing is wrong */
	enum import_outcome outcome;
};

/*
 * Writes those that are not refused, in their order, and sets their outcome; all
 * are of the kind, and resolve_records has looked up whom they name. Links and
 * texts whose window is open are claimed for their ids.
 */
STORE_CALL import_write(struct store *store, struct names *names,
    struct arena *arena, enum record_kind kind, struct import *imports,
    size_t count);

#endif

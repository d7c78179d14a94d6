/*
 * Looking articles up in the lists of all articles: when they were posted, and their scores.
 */
#pragma once

#include "lists/merge.h"

struct lookup {
	uint64_t article;
	enum key_kind kind; /* KEY_TIME, or one of a scale (scale_kind) */
	int64_t score;	    /* there; a time in KEY_TIME */
	bool is_there;	    /* false of what was removed, or is out of reach */
};

/* Reads them in one round trip, and sorts them by kind, bucket and article. *is_partial is set
 * when a master does not answer. */
STORE_CALL lookup_read(struct store *store, struct arena *arena,
    struct lookup *lookups, size_t count, bool *is_partial);

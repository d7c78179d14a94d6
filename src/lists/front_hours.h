/*
 * Front pages that are kept (store/front_hour.h): the writer, and an article's places in them.
 */
#pragma once

#include "lists/read_cache.h"
#include "store/front_hour.h"

/* Milliseconds after which a writer looks at the clock at the latest, which may be set. */
enum { FRONT_HOURS_WAIT_MS = 10000 };

/* A writer; all zero when it begins. */
struct front_writer {
	int64_t done; /* the last hour that is kept, or missed */
};

/*
 * Keeps the page of the present hour, by Redis's clock, unless it is kept, or the hour was full
 * longer than FRONT_HOUR_LATE seconds ago. *wait_ms is when to call it again. STORE_DOWN also
 * while a part of the site cannot be reached. Several writers do no harm.
 */
STORE_CALL front_writer_step(
    struct front_writer *writer, struct store *store, int64_t *wait_ms);

/* An article's places up to now, none for one that never had any, which costs nothing. They are
 * in the worker's cache (or NULL) for an hour. */
STORE_CALL front_places_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct article *article, int64_t now,
    struct front_places *places);

/*
 * The writer of the index on this machine: it follows the changes of the site (store/changes.h),
 * reads each post as it is then, and puts or deletes it.
 *
 * It builds the index from all posts when there is none, when it is damaged, of another version or
 * of another site, when changes may have been missed, and when it is asked to. Meanwhile readers
 * use the former one, as far as they can. It takes half of the time at most for that.
 *
 * One writer works in a folder: another one waits until it ends.
 */
#pragma once

#include "search/state.h"
#include "store/store.h"

#define WRITER_FILE "index.db"

struct writer;

/* What an index is made for (search/index.h): that of another site is not used. */
struct text writer_site(struct arena *arena, const struct store *store);

/* Writes in a folder that exists. The store and the state must outlive it, the others are
 * copied. */
struct writer *writer_new(struct store *store, struct search_state *state,
    const char *folder, struct text site);
void writer_free(struct writer *writer);

/* Returns the milliseconds after which to call it again. Faults are logged, those that last once
 * a minute. */
int writer_step(struct writer *writer);

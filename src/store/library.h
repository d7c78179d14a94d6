/*
 * The functions that run inside Redis: a library, with a version.
 *
 * Programs of two versions run side by side while one takes the place of the other,
 * so a newer library is left alone, and has the functions of the release before it as
 * well.
 */
#pragma once

#include "store/store.h"

enum library_use {
	LIBRARY_SITE_START, /* a site: loads changes that did not raise the version, too */
	LIBRARY_COMMAND /* a site that may run already: anything as new will do */
};

/*
 * Replaces the library on every master by this program's, atomically, unless that is
 * as new; or belongs to data of another layout, as site_open then says. STORE_MISMATCH,
 * with a sentence in why, when a newer one has no longer a function that this program
 * calls.
 */
STORE_CALL library_load(struct store *store, struct arena *arena,
    enum library_use use, struct text *why);

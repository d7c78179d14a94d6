/*
 * The library of functions that run inside Redis, with a version.
 *
 * During an upgrade programs of two versions run side by side, so a newer library is not
 * replaced, and includes the functions of the release before it. If it has the line "local
 * writes_former = true", its functions write the former layout as well; that is loaded while
 * programs of the former release may run, and with "false" otherwise (store/move.h).
 */
#pragma once

#include "store/store.h"

/* All functions; the keys of store/keys.h are in it. */
extern const char library_code[];

enum library_use {
	LIBRARY_SITE_START, /* also loads changes of the same version */
	LIBRARY_COMMAND	    /* a site may run: any library as new will do */
};

/*
 * Replaces the library on every master by this program's, atomically, unless that is
 * as new; or belongs to data of another layout, as site_open then says. STORE_MISMATCH,
 * with a sentence in why, when a newer one has no longer a function that this program
 * calls.
 */
STORE_CALL library_load(struct store *store, struct arena *arena,
    enum library_use use, struct text *why);

/* Has the functions on every master, of whatever version, write the former layout no more. */
STORE_CALL library_contract(struct store *store, struct arena *arena);

/*
 * "tally load": reads dumps into an empty or a running site.
 *
 * Ids and times stay the same; what exists already is not changed, so a load that
 * was interrupted is simply run again. All may come in any order, as long as each
 * comes after those that it names, or answers; what is loaded with several commands
 * names what they loaded before.
 *
 * What exists and is not the same (archive/batch.h) is refused, and so is what names
 * it: a comment never gets under another article. A notice is refused whose number the
 * member's inbox has for another comment. The files are read twice, first for their
 * numbers (archive/manifest.h), which are reserved before anything is written: members who
 * write meanwhile are given others. Of standard input, and of a pipe, a copy is made in
 * TMPDIR or /var/tmp.
 *
 * Settings of the site's own stay, too; nothing names them.
 *
 * So a backup restores what a site has lost. Of a comment whose record in its thread is lost,
 * that is written again; its texts, voters and flags stay, and sums that counted it before are
 * for the check to repair.
 */
#pragma once

#include <stdio.h>

#include "store/store.h"

enum { LOAD_LONGEST = 16 * 1024 * 1024 }; /* bytes of a line */

/* What a bad line does, after it is reported with its number and reason. */
enum load_errors {
	LOAD_STOP,	/* nothing after it is loaded */
	LOAD_KEEP_GOING /* it alone is not loaded */
};

/* Opens a file for reading; NULL with errno. */
typedef FILE *load_open(const char *path);

/*
 * A file named "-" is standard input. Says on standard error how far it is,
 * when that is a terminal, and at the end what was loaded. Returns the exit
 * status: 1 when a line was refused, a file could not be read or Redis failed.
 * words tells what a rule has against a value.
 */
int load_command(struct store *store, const char *const *files, size_t count,
    enum load_errors errors, load_open *open, problem_words *words);

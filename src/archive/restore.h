/*
 * "tally restore": reads a backup into an empty site, and verifies it.
 */
#pragma once

#include "archive/load.h"

/*
 * A site with a member or a group is refused, and so is a file that cannot be read to its
 * end, before anything is written. Then loads the file as load_command does, up to the
 * first bad line, and prints what check_command finds. Returns the exit status.
 */
int restore_command(struct store *store, const char *file, load_open *open,
    problem_words *words, FILE *out);

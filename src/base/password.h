/*
 * Checks new passwords against common and breached ones.
 *
 * password_is_common and password_is_breached are thread-safe: they allocate, store
 * and log nothing.
 */
#pragma once

#include "base/text.h"

/*
 * Whether an attacker would find the password within about ten thousand guesses, as
 * zxcvbn estimates (D. Wheeler, USENIX Security 2016): common passwords, words, names,
 * keyboard patterns and dates with the usual variations. names are those of the
 * member and the site, which are guessed first, whole and in parts. Takes a few tens
 * of microseconds.
 */
bool password_is_common(
    struct text password, const struct text *names, size_t count);

/*
 * A file of breached passwords, as Have I Been Pwned's downloader writes it: sorted
 * lines, each with the 40 hexadecimal digits of a SHA-1 and perhaps ":" and a count.
 * Searched on disk: some 25 reads in a file of 40 GB.
 */
struct password_file;

/* Opens a file and checks its first lines. NULL, and the reason in *why, when it cannot
 * be used. */
struct password_file *password_file_open(
    struct arena *arena, struct text path, struct text *why);

/* Both accept NULL, an empty file. A file that can no longer be read counts as empty. */
void password_file_close(const struct password_file *file);
bool password_is_breached(
    const struct password_file *file, struct text password);

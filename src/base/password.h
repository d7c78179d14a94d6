/*
 * How easily a password would be guessed.
 *
 * Nothing here allocates, keeps or logs anything: another thread may ask.
 */
#pragma once

#include "base/text.h"

/*
 * Whether it is among the ten thousand or so that are tried first: common ones,
 * words, names, keyboard patterns and dates with the usual variations, as
 * zxcvbn estimates (D. Wheeler, USENIX Security 2016); and what belongs to whom it
 * is for, names that are tried before all words, whole and in parts. Takes a few
 * tens of microseconds.
 */
bool password_is_common(
    struct text password, const struct text *names, size_t count);

/*
 * Passwords that are known from breaches, as Have I Been Pwned's downloader writes
 * them to one file: a line for each, in order, the 40 hexadecimal digits of its
 * SHA-1 and perhaps ":" and a count. The file is open until it is closed, and is
 * searched where it lies: some 25 reads in one of 40 GB.
 */
struct password_file;

/* The first lines are looked at. NULL when it cannot be used; why is a clause. */
struct password_file *password_file_open(
    struct arena *arena, struct text path, struct text *why);

/* Either may be given NULL, for no file, in which there is no password; nor is
 * there in one that cannot be read any more. */
void password_file_close(const struct password_file *file);
bool password_is_breached(
    const struct password_file *file, struct text password);

/*
 * One line on standard error for each fault, logged where its cause is known.
 * The callers return the failure and do not log it again.
 */
#pragma once

#include <stdint.h>

/* Writes "tally: " and the line; an unprintable byte is written as '?'. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, but at most once a minute for each mark, which begins as 0: for what
 * anybody can cause as often as they like. */
void log_limited(int64_t *mark, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same, then ends the process with status 1. */
_Noreturn void log_fatal(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/*
 * The log: one line on standard error for each fault, written where its cause is known.
 * Callers return the failure and do not log it again.
 */
#pragma once

#include <stdint.h>

/* Writes "tally: " and the line, with '?' for control characters. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, at most once a minute per *last, the time of the last line, which begins as
 * 0; for faults that clients can cause at will. */
void log_limited(int64_t *last, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs, then ends the process with status 1. */
_Noreturn void log_fatal(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/*
 * The machine's monotonic clock, for timeouts, and that of a thread's processor time. The rules of
 * the site use Redis's clock alone.
 */
#pragma once

#include <stdint.h>

/* Milliseconds and microseconds since an arbitrary moment. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_us(void);

/* Processor time of the thread, in microseconds; a system call. */
int64_t clock_thread_us(void);

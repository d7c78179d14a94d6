/*
 * This machine's clock, for timeouts. No rule of the site depends on it: those
 * use Redis's clock alone.
 */
#pragma once

#include <stdint.h>

/* Milliseconds and microseconds since an arbitrary moment; never goes back. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_us(void);

/*
 * The machine's monotonic clock, for timeouts. The rules of the site use Redis's clock
 * alone.
 */
#pragma once

#include <stdint.h>

/* Milliseconds and microseconds since an arbitrary moment. */
int64_t clock_monotonic_ms(void);
int64_t clock_monotonic_us(void);

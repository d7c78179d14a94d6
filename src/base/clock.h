/*
 * This machine's clock, for waiting. It never decides a rule of the site: for
 * that there is Redis's clock alone.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since some moment; never steps back. For timeouts. */
int64_t clock_monotonic_ms(void);

#endif

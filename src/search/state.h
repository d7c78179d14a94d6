/*
 * What the writer and the readers of an index tell each other, in memory that they share. The
 * process that starts them makes it; it outlives each of them.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct search_state {
	/* By the writer: places of posts and bytes of the index; the percentage that is built of
	 * another one, -1 while none is being built; and the clock_monotonic_ms up to which
	 * changes are in the index, 0 before. */
	_Atomic int64_t rows, bytes;
	atomic_int building;
	_Atomic int64_t followed_at;
	/* By readers: that the file is damaged; and that it is to be built again. */
	atomic_bool is_broken, is_unwanted;
};

/* Ends the process when there is no memory. */
struct search_state *search_state_new(void);

/* Milliseconds for which changes may not be in the index; -1 when none ever was. */
int64_t search_state_behind(const struct search_state *state);

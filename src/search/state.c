#include "search/state.h"

#include <stddef.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/log.h"

struct search_state *
search_state_new(void)
{
	struct search_state *state = mmap(NULL, sizeof(*state),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (state == MAP_FAILED)
		log_fatal("out of memory: no search");
	atomic_store(&state->building, -1);
	return state;
}

int64_t
search_state_behind(const struct search_state *state)
{
	int64_t followed_at = atomic_load(&state->followed_at);

	return followed_at == 0 ? -1 : clock_monotonic_ms() - followed_at;
}

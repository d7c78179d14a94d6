#include "process/pulse.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

/* A process has one at most. */
static struct pulse *own;

struct pulse *
pulse_new(void)
{
	struct pulse *pulse = mmap(NULL, sizeof(*pulse), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (pulse == MAP_FAILED)
		log_fatal("no memory for a pulse: %s", strerror(errno));
	return pulse;
}

void
pulse_free(struct pulse *pulse)
{
	munmap(pulse, sizeof(*pulse));
}

void
pulse_take(struct pulse *pulse)
{
	own = pulse;
}

void
pulse_beat(void)
{
	if (own != NULL)
		atomic_fetch_add_explicit(&own->beats, 1, memory_order_relaxed);
}

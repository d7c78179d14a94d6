#include "busy.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_MS = 60000 };

_Noreturn static void
work(struct world *world, busy_step *step, unsigned seed, int steps)
{
	struct store store = world_connect(world);
	struct arena arena = { 0 };

	for (unsigned i = 0; step(&store, &arena, i, &seed); i++) {
		eventfd_write(steps, 1);
		arena_reset(&arena);
	}
	_exit(1);
}

struct busy
busy_start(struct world *world, busy_step *step, unsigned seed)
{
	struct busy busy = { .steps = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	pid_t test = getpid();

	assert_true(busy.steps >= 0);
	busy.process = fork();
	if (busy.process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == test)
			work(world, step, seed, busy.steps);
		_exit(1);
	}
	assert_true(busy.process > 0);
	return busy;
}

void
busy_await(const struct busy *busy, uint64_t steps)
{
	struct pollfd polled = { .fd = busy->steps, .events = POLLIN };
	eventfd_t done = 0;

	/* Those before the call do not count. */
	eventfd_read(busy->steps, &done);
	for (uint64_t sum = 0; sum < steps; sum += done) {
		if (poll(&polled, 1, LONGEST_MS) != 1)
			fail_msg("a busy process has stopped");
		assert_int_equal(eventfd_read(busy->steps, &done), 0);
	}
}

void
busy_kill(struct busy *busy)
{
	int status;

	kill(busy->process, SIGKILL);
	assert_int_equal(waitpid(busy->process, &status, 0), busy->process);
	close(busy->steps);
	/* Otherwise it had ended by itself. */
	assert_true(WIFSIGNALED(status));
}

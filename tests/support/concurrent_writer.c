#include "concurrent_writer.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_MS = 60000 };

_Noreturn static void
work(
    struct world *world, concurrent_writer_step *step, unsigned seed, int steps)
{
	struct store store = world_connect(world);
	struct arena arena = { 0 };

	for (unsigned i = 0; step(&store, &arena, i, &seed); i++) {
		eventfd_write(steps, 1);
		arena_reset(&arena);
	}
	_exit(1);
}

struct concurrent_writer
concurrent_writer_start(
    struct world *world, concurrent_writer_step *step, unsigned seed)
{
	struct concurrent_writer writer = { .steps = eventfd(0,
						EFD_CLOEXEC | EFD_NONBLOCK) };
	pid_t test = getpid();

	assert_true(writer.steps >= 0);
	writer.process = fork();
	if (writer.process == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == test)
			work(world, step, seed, writer.steps);
		_exit(1);
	}
	assert_true(writer.process > 0);
	return writer;
}

void
concurrent_writer_await(const struct concurrent_writer *writer, uint64_t steps)
{
	struct pollfd polled = { .fd = writer->steps, .events = POLLIN };
	eventfd_t done = 0;

	/* Those before the call do not count. */
	eventfd_read(writer->steps, &done);
	for (uint64_t sum = 0; sum < steps; sum += done) {
		if (poll(&polled, 1, LONGEST_MS) != 1)
			fail_msg("a concurrent writer has stopped");
		assert_int_equal(eventfd_read(writer->steps, &done), 0);
	}
}

void
concurrent_writer_kill(struct concurrent_writer *writer)
{
	int status;

	kill(writer->process, SIGKILL);
	assert_int_equal(waitpid(writer->process, &status, 0), writer->process);
	close(writer->steps);
	/* Otherwise it had ended by itself. */
	assert_true(WIFSIGNALED(status));
}

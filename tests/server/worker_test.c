/* Worker processes, monitored as the supervisor does. */
#include "server/worker.h"

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../support/fixture.h"
#include "base/background.h"
#include "base/fiber.h"
#include "os/process.h"
#include "redis/redis.h"

enum { WAIT_S = 20 };

/* The arguments of a worker, and the memory that it shares with the test. */
struct running {
	int listener;
	bool has_job; /* one that never ends */
};

static void
wait_for_ever(void *data)
{
	(void)data;
	for (;;)
		pause();
}

static void
run_job(void *data)
{
	(void)!background_run(data, wait_for_ever, NULL);
}

/* Its Redis is never used. */
static void
run_worker(void *data)
{
	const struct running *running = data;
	struct store store = { .redis = redis_open(
				   TEXT("unix:nowhere"), TEXT(""), TEXT("")) };
	struct app app = { .store = &store,
		.search = redis_open(TEXT("unix:nowhere"), TEXT(""), TEXT("")),
		.background = background_new() };

	process_init(PRIVILEGES_NONE);
	background_set_limits(app.background, 1000, 0);
	if (running->has_job)
		fiber_start(run_job, app.background);
	while (running->has_job && !background_is_stuck(app.background))
		usleep(1000);
	worker_run(&app, running->listener);
}

/* Connects and waits until the worker has closed the connection: then its loop has run
 * once. */
static void
make_it_run_a_turn(const struct sockaddr_un *address)
{
	const struct timeval timeout = { .tv_sec = WAIT_S };
	int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;

	setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	assert_int_equal(
	    connect(file, (const struct sockaddr *)address, sizeof(*address)),
	    0);
	shutdown(file, SHUT_WR);
	assert_int_equal(read(file, &byte, 1), 0);
	close(file);
}

/* Starts a worker, lets its loop run, and returns the number of its heartbeats. */
static unsigned
count_heartbeats(bool has_job)
{
	enum { TURNS = 3 };
	char folder[FIXTURE_FOLDER];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct running running = { .has_job = has_job };
	struct process child = { .name = "a worker",
		.stop_signal = SIGTERM,
		.run = run_worker,
		.data = &running,
		.watched = true };
	unsigned count;
	sigset_t mask;

	fixture_make_folder(folder);
	snprintf(
	    address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	running.listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(running.listener, (struct sockaddr *)&address,
			     sizeof(address)),
	    0);
	assert_int_equal(listen(running.listener, TURNS), 0);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	process_start(&child, &mask);
	for (int i = 0; i < TURNS; i++)
		make_it_run_a_turn(&address);
	count = atomic_load(child.heartbeat);
	process_stop(&child);
	process_free(&child);
	close(running.listener);
	fixture_remove_folder(folder);
	return count;
}

static void
worker_with_a_stuck_background_job_is_stuck(void **state)
{
	(void)state;
	assert_true(count_heartbeats(false) > 0);
	assert_int_equal(count_heartbeats(true), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worker_with_a_stuck_background_job_is_stuck),
	};

	return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}

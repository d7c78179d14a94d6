/* The sandbox: what it denies to workers, and what they can still do. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/world.h"
#include "base/crypto.h"
#include "base/password.h"
#include "base/sanitizer.h"
#include "os/sandbox.h"
#include "store/site.h"

/* A terminal and a socket that were opened before. */
static int terminal, stream;

/* Each returns true if the system refused with EPERM. */

static bool
opening_is_refused(struct world *world)
{
	(void)world;
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 && errno == EPERM;
}

static bool
writing_a_file_is_refused(struct world *world)
{
	char name[FIXTURE_FOLDER + sizeof("/new")];

	snprintf(name, sizeof(name), "%s/new", world->folder);
	return open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0 &&
	    errno == EPERM;
}

static bool
starting_a_program_is_refused(struct world *world)
{
	char *words[] = { "true", NULL };

	(void)world;
	return execve("/bin/true", words, words) < 0 && errno == EPERM;
}

static bool
starting_a_process_is_refused(struct world *world)
{
	pid_t pid = fork();

	(void)world;
	if (pid == 0)
		_exit(0);
	return pid < 0 && errno == EPERM;
}

static bool
tracing_is_refused(struct world *world)
{
	return ptrace(PTRACE_ATTACH, world->redis, NULL, NULL) < 0 &&
	    errno == EPERM;
}

static bool
signalling_others_is_refused(struct world *world)
{
	return kill(world->redis, 0) < 0 && errno == EPERM;
}

/* The kernel would send the signal on behalf of this process. */
static bool
signals_through_descriptors_are_refused(struct world *world)
{
	return fcntl(stream, F_SETOWN, world->redis) < 0 && errno == EPERM &&
	    fcntl(stream, F_SETSIG, SIGKILL) < 0 && errno == EPERM &&
	    fcntl(stream, F_SETFL, O_NONBLOCK | O_ASYNC) < 0 && errno == EPERM;
}

static bool
asking_a_terminal_is_refused(struct world *world)
{
	int waiting;

	(void)world;
	return ioctl(terminal, TIOCSTI, "x") < 0 && errno == EPERM &&
	    ioctl(terminal, FIONREAD, &waiting) < 0 && errno == EPERM;
}

static bool
is_refused(int family, int type)
{
	return socket(family, type, 0) < 0 && errno == EPERM;
}

static bool
other_sockets_are_refused(struct world *world)
{
	(void)world;
	return is_refused(AF_INET, SOCK_STREAM) &&
	    is_refused(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK) &&
	    is_refused(AF_UNIX, SOCK_DGRAM) && is_refused(AF_NETLINK, SOCK_RAW);
}

static bool
running_new_code_is_refused(struct world *world)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)world;
	return page != MAP_FAILED &&
	    mprotect(page, 4096, PROT_READ | PROT_EXEC) < 0 && errno == EPERM;
}

static bool
sockets_can_still_be_set_up(struct world *world)
{
	(void)world;
	return fcntl(stream, F_SETFL, O_NONBLOCK) == 0 &&
	    (fcntl(stream, F_GETFL) & O_NONBLOCK) != 0;
}

static bool
redis_is_reached_again(struct world *world)
{
	struct store store = world_connect(world);
	struct arena arena = { 0 };
	int64_t now;
	bool before = site_time(&store, &arena, &now) == STORE_OK, after;

	redis_close(store.redis);
	store = world_connect(world);
	after = site_time(&store, &arena, &now) == STORE_OK;
	redis_close(store.redis);
	return before && after;
}

static bool
passwords_are_hashed(struct world *world)
{
	return crypto_password_matches(
	    crypto_password_hash(&world->arena, TEXT("a fine horse")),
	    TEXT("a fine horse"));
}

/* Opened outside. */
static const struct password_file *breached;

static bool
breached_passwords_are_found(struct world *world)
{
	(void)world;
	return password_is_breached(breached, TEXT("password"));
}

static void
prepare_descriptors(void)
{
	int pair[2];

	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(terminal >= 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	stream = pair[0];
}

/* Runs a test in a process that has entered the sandbox, and returns its result. */
static bool
holds_inside(struct world *world, enum sandbox_sockets redis,
    bool (*check)(struct world *world))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		prepare_descriptors();
		sandbox_enter(redis);
		_exit(check(world) ? 0 : 1);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
workers_cannot_reach_files_programs_and_processes(void **state)
{
	struct world *world = *state;
	static bool (*const refused[])(struct world *world) = {
		opening_is_refused, writing_a_file_is_refused,
		starting_a_program_is_refused, starting_a_process_is_refused,
		tracing_is_refused, signalling_others_is_refused,
		signals_through_descriptors_are_refused,
		asking_a_terminal_is_refused, other_sockets_are_refused,
		running_new_code_is_refused
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		/* It is possible outside, so it was the sandbox that refused. */
		if (i < 2)
			assert_false(refused[i](world));
		/* Built with a sanitizer, workers have no sandbox to refuse
		 * it. */
		assert_true(
		    holds_inside(world, SANDBOX_UNIX_SOCKET, refused[i]) ||
		    SANITIZER_ADDRESS);
	}
}

static bool
networks_are_reached(struct world *world)
{
	(void)world;
	return socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0) >= 0;
}

static bool
unix_sockets_are_refused(struct world *world)
{
	(void)world;
	return is_refused(AF_UNIX, SOCK_STREAM);
}

static void
a_redis_elsewhere_is_reached_through_the_network_alone(void **state)
{
	struct world *world = *state;

	assert_true(holds_inside(world, SANDBOX_NETWORK, networks_are_reached));
	assert_true(
	    holds_inside(world, SANDBOX_NETWORK, unix_sockets_are_refused) ||
	    SANITIZER_ADDRESS);
}

static bool
both_are_reached(struct world *world)
{
	return networks_are_reached(world) &&
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0) >= 0;
}

/* The search process is on this machine, wherever Redis is. */
static void
a_worker_with_a_redis_elsewhere_reaches_the_search_process(void **state)
{
	struct world *world = *state;

	assert_true(holds_inside(
	    world, SANDBOX_UNIX_SOCKET_AND_NETWORK, both_are_reached));
}

/* The work of a thread started before the sandbox; it begins when the byte arrives. */
static void *
open_when_told(void *pipe)
{
	char byte;

	if (read(*(int *)pipe, &byte, 1) != 1)
		return NULL;
	return opening_is_refused(NULL) ? pipe : NULL;
}

static void
the_sandbox_holds_for_threads_that_were_there_before(void **state)
{
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		int ends[2];
		pthread_t thread;
		void *refused = NULL;

		if (pipe(ends) != 0 ||
		    pthread_create(&thread, NULL, open_when_told, &ends[0]) !=
			0)
			_exit(1);
		sandbox_enter(SANDBOX_UNIX_SOCKET);
		if (write(ends[1], "x", 1) != 1 ||
		    pthread_join(thread, &refused) != 0)
			_exit(1);
		_exit(refused != NULL ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(status == 0 || SANITIZER_ADDRESS);
}

static void
workers_can_still_do_their_work(void **state)
{
	struct world *world = *state;
	const char *path = fixture_path(&world->arena, world->folder, "hashes");
	struct text why;

	assert_true(holds_inside(
	    world, SANDBOX_UNIX_SOCKET, sockets_can_still_be_set_up));
	assert_true(
	    holds_inside(world, SANDBOX_UNIX_SOCKET, redis_is_reached_again));
	assert_true(
	    holds_inside(world, SANDBOX_UNIX_SOCKET, passwords_are_hashed));
	/* SHA-1 of "password". */
	fixture_write_file(
	    path, TEXT("5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:2\n"));
	breached = password_file_open(&world->arena, text_of(path), &why);
	assert_non_null(breached);
	assert_true(holds_inside(
	    world, SANDBOX_UNIX_SOCKET, breached_passwords_are_found));
	password_file_close(breached);
}

/* Runs a test in a process that has entered the sandbox of a folder. */
static bool
holds_with_folder(struct world *world, bool (*check)(struct world *world))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		prepare_descriptors();
		sandbox_enter_folder(SANDBOX_UNIX_SOCKET, world->folder);
		_exit(check(world) ? 0 : 1);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
files_of_the_folder_are_used(struct world *world)
{
	const char *one = fixture_path(&world->arena, world->folder, "one");
	const char *other = fixture_path(&world->arena, world->folder, "other");
	int file = open(one, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	return file >= 0 && write(file, "x", 1) == 1 && fsync(file) == 0 &&
	    ftruncate(file, 0) == 0 && rename(one, other) == 0 &&
	    unlink(other) == 0;
}

static bool
files_elsewhere_are_refused(struct world *world)
{
	(void)world;
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC) < 0 &&
	    errno == EACCES && unlink("/tmp/nothing") < 0;
}

/* Version 1 or later, unless the kernel was built or started without it. */
static bool
kernel_has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0;
}

static void
a_process_with_a_database_has_one_folder(void **state)
{
	struct world *world = *state;
	static bool (*const refused[])(struct world *world) = {
		starting_a_program_is_refused, starting_a_process_is_refused,
		tracing_is_refused, signalling_others_is_refused,
		signals_through_descriptors_are_refused,
		asking_a_terminal_is_refused, other_sockets_are_refused,
		running_new_code_is_refused
	};

	assert_true(holds_with_folder(world, files_of_the_folder_are_used));
	assert_true(holds_with_folder(world, redis_is_reached_again));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_true(
		    holds_with_folder(world, refused[i]) || SANITIZER_ADDRESS);
	assert_true(holds_with_folder(world, files_elsewhere_are_refused) ==
		kernel_has_landlock() ||
	    SANITIZER_ADDRESS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		world_test(workers_cannot_reach_files_programs_and_processes),
		world_test(
		    a_redis_elsewhere_is_reached_through_the_network_alone),
		world_test(
		    a_worker_with_a_redis_elsewhere_reaches_the_search_process),
		world_test(a_process_with_a_database_has_one_folder),
		world_test(
		    the_sandbox_holds_for_threads_that_were_there_before),
		world_test(workers_can_still_do_their_work),
	};

	return world_run("sandbox", tests);
}

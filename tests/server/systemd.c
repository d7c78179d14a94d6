/*
 * Plays systemd for a service, as far as the service can tell:
 *
 *	systemd SOCKET WATCHDOG_MS PROGRAM ARGUMENT...
 *
 * Listens on SOCKET for it, and on SOCKET.metrics for what asks for metrics, and reads
 * what it sends to SOCKET.notify. Each
 * line "start" on standard input starts it; the end of standard input ends it.
 * Prints "started PID", "said WORDS" and "ended STATUS", each as a line.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTENER = 3, LISTENERS = 2, BACKLOG = 1024 };

static _Noreturn void
fail(const char *what)
{
	fprintf(stderr, "systemd: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int
bind_socket(const char *path, int type)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int made = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		fail("the path of the socket is too long");
	memcpy(address.sun_path, path, strlen(path));
	unlink(path);
	if (made < 0 ||
	    bind(made, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail(path);
	return made;
}

/* Not among the descriptors that are passed, to which it is copied. */
static int
listen_on(const char *path)
{
	int bound = bind_socket(path, SOCK_STREAM);
	int listener = fcntl(bound, F_DUPFD_CLOEXEC, LISTENER + LISTENERS);

	close(bound);
	if (listener < 0 || listen(listener, BACKLOG) != 0)
		fail("listen");
	return listener;
}

static void
set_number(const char *name, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	setenv(name, text, 1);
}

static pid_t
start(char **command, const int *listeners)
{
	sigset_t none;
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		set_number("LISTEN_PID", getpid());
		set_number("LISTEN_FDS", LISTENERS);
		setenv("LISTEN_FDNAMES", "tally.socket:metrics", 1);
		set_number("WATCHDOG_PID", getpid());
		for (int i = 0; i < LISTENERS; i++)
			dup2(listeners[i], LISTENER + i);
		execvp(command[0], command);
		_exit(127);
	}
	printf("started %d\n", (int)pid);
	return pid;
}

static void
pass_on(int notify)
{
	char said[1024];
	ssize_t size = recv(notify, said, sizeof(said), 0);

	for (ssize_t i = 0; i < size; i++)
		if (said[i] == '\n')
			said[i] = ' ';
	if (size >= 0)
		printf("said %.*s\n", (int)size, said);
}

static void
await_end(int children, pid_t *pid)
{
	struct signalfd_siginfo information;
	int status;

	(void)!read(children, &information, sizeof(information));
	if (*pid == 0 || waitpid(*pid, &status, WNOHANG) != *pid)
		return;
	*pid = 0;
	printf("ended %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void
run(char **command, const int *listeners, int notify, int children)
{
	struct pollfd polled[] = { { STDIN_FILENO, POLLIN, 0 },
		{ notify, POLLIN, 0 }, { children, POLLIN, 0 } };
	char line[64];
	pid_t pid = 0;

	while (poll(polled, 3, -1) > 0 || errno == EINTR) {
		if (polled[1].revents != 0)
			pass_on(notify);
		if (polled[2].revents != 0)
			await_end(children, &pid);
		if (polled[0].revents != 0 && pid == 0 &&
		    read(STDIN_FILENO, line, sizeof(line)) > 0)
			pid = start(command, listeners);
		else if (polled[0].revents != 0)
			break;
		fflush(stdout);
	}
	if (pid != 0)
		kill(pid, SIGTERM);
}

int
main(int argc, char **argv)
{
	char path[200];
	sigset_t child;
	int listeners[LISTENERS], notify;

	if (argc < 4)
		return 2;
	snprintf(path, sizeof(path), "%s.notify", argv[1]);
	setenv("NOTIFY_SOCKET", path, 1);
	set_number("WATCHDOG_USEC", atol(argv[2]) * 1000);
	listeners[0] = listen_on(argv[1]);
	snprintf(path, sizeof(path), "%s.metrics", argv[1]);
	listeners[1] = listen_on(path);
	snprintf(path, sizeof(path), "%s.notify", argv[1]);
	notify = bind_socket(path, SOCK_DGRAM);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	run(argv + 3, listeners, notify, signalfd(-1, &child, SFD_CLOEXEC));
	return 0;
}

/*
 * Plays systemd for a service, as far as the service can tell:
 *
 *	systemd SOCKET WATCHDOG_MS PROGRAM ARGUMENT...
 *
 * Listens on SOCKET for it, and reads what it sends to SOCKET.notify. Each
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

enum { LISTENER = 3, BACKLOG = 1024 };

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

static void
set_number(const char *name, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	setenv(name, text, 1);
}

static pid_t
start(char **command, int listener)
{
	sigset_t none;
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid == 0) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		set_number("LISTEN_PID", getpid());
		set_number("LISTEN_FDS", 1);
		set_number("WATCHDOG_PID", getpid());
		dup2(listener, LISTENER);
		fcntl(LISTENER, F_SETFD, 0);
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
run(char **command, int listener, int notify, int children)
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
			pid = start(command, listener);
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
	int listener, notify;

	if (argc < 4)
		return 2;
	snprintf(path, sizeof(path), "%s.notify", argv[1]);
	setenv("NOTIFY_SOCKET", path, 1);
	set_number("WATCHDOG_USEC", atol(argv[2]) * 1000);
	listener = bind_socket(argv[1], SOCK_STREAM);
	notify = bind_socket(path, SOCK_DGRAM);
	if (listen(listener, BACKLOG) != 0)
		fail("listen");
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	run(argv + 3, listener, notify, signalfd(-1, &child, SFD_CLOEXEC));
	return 0;
}

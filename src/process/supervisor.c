#include "process/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
	MOST_CHILDREN = 300,
	SETTLED_MS = 2000, /* a child that lived so long may start at once */
	AGAIN_MS = 500,	   /* one that did not waits so long */
	STOP_MS = 10000	   /* then a child is killed */
};

struct child {
	const char *name;
	int stop_signal;
	supervisor_run_child *run;
	void *data;
	pid_t pid; /* 0 while it does not run */
	int64_t started, start_at;
};

struct supervisor {
	struct child children[MOST_CHILDREN];
	size_t count;
	sigset_t signals, before;
	bool stopping;
};

struct supervisor *
supervisor_new(void)
{
	struct supervisor *supervisor = calloc(1, sizeof(*supervisor));

	if (supervisor == NULL)
		log_fatal("out of memory: no supervisor");
	sigemptyset(&supervisor->signals);
	sigaddset(&supervisor->signals, SIGINT);
	sigaddset(&supervisor->signals, SIGTERM);
	sigaddset(&supervisor->signals, SIGHUP);
	sigaddset(&supervisor->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &supervisor->signals, &supervisor->before);
	return supervisor;
}

static void
start(struct supervisor *supervisor, struct child *child)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		log_fatal(
		    "%s cannot be started: %s", child->name, strerror(errno));
	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
		child->run(child->data);
		_exit(1);
	}
	child->pid = pid;
	child->started = clock_monotonic_ms();
}

void
supervisor_add(struct supervisor *supervisor, const char *name, int stop_signal,
    supervisor_run_child *run, void *data)
{
	struct child *child;

	if (supervisor->count == MOST_CHILDREN)
		log_fatal("more than %d processes", MOST_CHILDREN);
	child = &supervisor->children[supervisor->count++];
	*child = (struct child){ .name = name,
		.stop_signal = stop_signal,
		.run = run,
		.data = data };
	start(supervisor, child);
}

static struct child *
find(struct supervisor *supervisor, pid_t pid)
{
	for (size_t i = 0; i < supervisor->count; i++)
		if (supervisor->children[i].pid == pid)
			return &supervisor->children[i];
	return NULL;
}

static void
note_end(struct child *child, int status)
{
	int64_t now = clock_monotonic_ms();

	if (WIFSIGNALED(status))
		log_line(
		    "%s was ended by signal %d", child->name, WTERMSIG(status));
	else
		log_line("%s ended with status %d", child->name,
		    WEXITSTATUS(status));
	child->start_at =
	    now - child->started >= SETTLED_MS ? now : now + AGAIN_MS;
	child->pid = 0;
}

/* Takes note of children that ended; returns whether there were any. */
static bool
reap(struct supervisor *supervisor)
{
	bool any = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct child *child = find(supervisor, pid);

		if (child == NULL)
			continue;
		any = true;
		note_end(child, status);
	}
	return any;
}

/* Waits for a signal; returns 0 when none came in time. */
static int
wait_signal(struct supervisor *supervisor, int milliseconds)
{
	struct timespec time = { milliseconds / 1000,
		milliseconds % 1000 * 1000000L };
	int number = sigtimedwait(&supervisor->signals, NULL, &time);

	if (number == SIGINT || number == SIGTERM)
		supervisor->stopping = true;
	return number < 0 ? 0 : number;
}

bool
supervisor_has_trouble(struct supervisor *supervisor, int milliseconds)
{
	wait_signal(supervisor, milliseconds);
	return reap(supervisor) || supervisor->stopping;
}

void
supervisor_pass_signals(const struct supervisor *supervisor)
{
	sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
}

static void
start_again(struct supervisor *supervisor)
{
	int64_t now = clock_monotonic_ms();

	for (size_t i = 0; i < supervisor->count; i++) {
		struct child *child = &supervisor->children[i];

		if (child->pid == 0 && child->start_at <= now)
			start(supervisor, child);
	}
}

void
supervisor_watch(struct supervisor *supervisor)
{
	while (!supervisor->stopping) {
		wait_signal(supervisor, 250);
		reap(supervisor);
		if (!supervisor->stopping)
			start_again(supervisor);
	}
}

static void
stop(struct child *child)
{
	int64_t deadline = clock_monotonic_ms() + STOP_MS;
	struct timespec brief = { 0, 5 * 1000000L };

	kill(child->pid, child->stop_signal);
	while (waitpid(child->pid, NULL, WNOHANG) == 0) {
		if (clock_monotonic_ms() > deadline) {
			log_line("%s does not stop and is killed", child->name);
			kill(child->pid, SIGKILL);
			waitpid(child->pid, NULL, 0);
			break;
		}
		nanosleep(&brief, NULL);
	}
	child->pid = 0;
}

void
supervisor_stop(struct supervisor *supervisor)
{
	reap(supervisor);
	while (supervisor->count > 0) {
		struct child *child =
		    &supervisor->children[--supervisor->count];

		if (child->pid != 0)
			stop(child);
	}
	sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
	free(supervisor);
}

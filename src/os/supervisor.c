#include "os/supervisor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "os/systemd.h"

/* How often it looks at the children, and how long workers may take to start. */
enum { LOOK_MS = 250, POLL_MS = 10, WORKERS_START_MS = 10000 };

struct log {
	const char *child, *name;
	int signal;
};

struct supervisor {
	struct process *children;
	size_t count;
	struct log logs[SUPERVISOR_LOGS];
	size_t log_count;
	sigset_t signals, before;
	int64_t looked;
	int64_t told; /* that a log cannot be bounded */
	bool stopping, reloading;
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

/* Inserts a child at that place, and starts it. */
static void
insert(struct supervisor *supervisor, size_t place, struct process child)
{
	struct process *children = realloc(
	    supervisor->children, (supervisor->count + 1) * sizeof(*children));

	if (children == NULL)
		log_fatal("out of memory: no place for %s", child.name);
	memmove(&children[place + 1], &children[place],
	    (supervisor->count - place) * sizeof(*children));
	children[place] = child;
	supervisor->children = children;
	supervisor->count++;
	process_start(&children[place], &supervisor->before);
}

static void
take_out(struct supervisor *supervisor, size_t place)
{
	struct process *child = &supervisor->children[place];

	process_free(child);
	supervisor->count--;
	memmove(child, child + 1, (supervisor->count - place) * sizeof(*child));
}

void
supervisor_add(struct supervisor *supervisor, const char *name, int stop_signal,
    process_main *run, void *data)
{
	insert(supervisor, supervisor->count,
	    (struct process){ .name = name,
		.stop_signal = stop_signal,
		.run = run,
		.data = data });
}

void
supervisor_replace(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data)
{
	size_t place = supervisor->count;

	for (size_t i = 0; i < supervisor->count; i++)
		if (strcmp(supervisor->children[i].name, name) == 0) {
			process_request_stop(&supervisor->children[i]);
			place = i;
		}
	insert(supervisor, place,
	    (struct process){ .name = name,
		.stop_signal = stop_signal,
		.run = run,
		.data = data,
		.watched = true });
}

void
supervisor_rotate_log(struct supervisor *supervisor, const char *child,
    const char *name, int signal)
{
	if (supervisor->log_count == SUPERVISOR_LOGS)
		log_fatal("more than %d logs", SUPERVISOR_LOGS);
	supervisor->logs[supervisor->log_count++] =
	    (struct log){ child, name, signal };
}

static void
bound_log(struct supervisor *supervisor, const struct log *bounded)
{
	char old[64];
	struct stat file;

	if (stat(bounded->name, &file) != 0 ||
	    file.st_size <= SUPERVISOR_LOG_MAX)
		return;
	snprintf(old, sizeof(old), "%s.1", bounded->name);
	if (rename(bounded->name, old) != 0) {
		log_limited(&supervisor->told, "cannot rename %s: %s",
		    bounded->name, strerror(errno));
		return;
	}
	for (size_t i = 0; i < supervisor->count; i++) {
		struct process *child = &supervisor->children[i];

		if (bounded->signal != 0 && child->pid > 0 &&
		    strcmp(child->name, bounded->child) == 0)
			kill(child->pid, bounded->signal);
	}
}

/* Deals with children that ended. True when one did that should not have. */
static bool
reap(struct supervisor *supervisor)
{
	bool any = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < supervisor->count; i++) {
			struct process *child = &supervisor->children[i];

			if (child->pid == pid) {
				process_record_exit(child, status);
				any = any || !child->leaving;
			}
		}
	for (size_t i = supervisor->count; i-- > 0;)
		if (supervisor->children[i].leaving &&
		    supervisor->children[i].pid == 0)
			take_out(supervisor, i);
	return any;
}

/* Waits for a signal, and notes what it requests. */
static void
wait_signal(struct supervisor *supervisor, int milliseconds)
{
	struct timespec time = { milliseconds / 1000,
		milliseconds % 1000 * 1000000L };
	int number = sigtimedwait(&supervisor->signals, NULL, &time);

	if (number == SIGINT || number == SIGTERM)
		supervisor->stopping = true;
	else if (number == SIGHUP)
		supervisor->reloading = true;
}

bool
supervisor_wait_for_failure(struct supervisor *supervisor, int milliseconds)
{
	wait_signal(supervisor, milliseconds);
	return reap(supervisor) || supervisor->stopping;
}

/* After the existing workers, or last. */
static size_t
place_of_workers(const struct supervisor *supervisor)
{
	size_t place = supervisor->count;

	while (place > 0 && !supervisor->children[place - 1].is_worker)
		place--;
	return place > 0 ? place : supervisor->count;
}

static bool
is_current(const struct process *worker)
{
	return worker->is_worker && !worker->leaving;
}

/* Whether the new workers, those with this data, all run their loops. */
static bool
come_to_life(struct supervisor *supervisor, const void *data)
{
	for (int waited = 0; waited < WORKERS_START_MS; waited += POLL_MS) {
		bool all = true;

		for (size_t i = 0; i < supervisor->count; i++) {
			const struct process *child = &supervisor->children[i];

			if (is_current(child) && child->data == data)
				all = all && process_is_alive(child);
		}
		if (all)
			return true;
		if (supervisor_wait_for_failure(supervisor, POLL_MS))
			return false;
	}
	log_line("new workers did not start in %d s", WORKERS_START_MS / 1000);
	return false;
}

bool
supervisor_set_workers(
    struct supervisor *supervisor, size_t count, process_main *run, void *data)
{
	bool alive;

	for (size_t i = 0; i < count; i++)
		insert(supervisor, place_of_workers(supervisor),
		    (struct process){ .name = "a worker",
			.stop_signal = SIGTERM,
			.run = run,
			.data = data,
			.watched = true,
			.is_worker = true });
	alive = come_to_life(supervisor, data);
	for (size_t i = supervisor->count; i-- > 0;) {
		struct process *child = &supervisor->children[i];
		bool is_new = child->data == data;

		if (!is_current(child) || is_new == alive)
			continue;
		if (alive) {
			process_request_stop(child);
		} else {
			child->stop_signal = SIGKILL;
			process_stop(child);
			take_out(supervisor, i);
		}
	}
	return alive;
}

void
supervisor_restore_signals(const struct supervisor *supervisor)
{
	sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
}

static void
look(struct supervisor *supervisor)
{
	int64_t now = clock_monotonic_ms(), elapsed = now - supervisor->looked;

	supervisor->looked = now;
	for (size_t i = 0; i < supervisor->count; i++) {
		struct process *child = &supervisor->children[i];

		process_check(child, elapsed);
		if (child->pid == 0 && child->start_at <= now)
			process_start(child, &supervisor->before);
	}
	for (size_t i = 0; i < supervisor->log_count; i++)
		bound_log(supervisor, &supervisor->logs[i]);
}

enum supervisor_request
supervisor_watch(struct supervisor *supervisor)
{
	supervisor->looked = clock_monotonic_ms();
	while (!supervisor->stopping) {
		if (supervisor->reloading) {
			supervisor->reloading = false;
			return SUPERVISOR_RELOAD;
		}
		wait_signal(supervisor, systemd_ping_watchdog(LOOK_MS));
		reap(supervisor);
		if (!supervisor->stopping)
			look(supervisor);
	}
	return SUPERVISOR_STOP;
}

void
supervisor_stop(struct supervisor *supervisor)
{
	reap(supervisor);
	for (size_t i = supervisor->count; i-- > 0;) {
		struct process *child = &supervisor->children[i];

		/* Workers end together: each may have to wait for nginx. */
		for (size_t j = 0; child->is_worker && j < i; j++)
			if (supervisor->children[j].is_worker)
				process_request_stop(&supervisor->children[j]);
		process_stop(child);
		process_free(child);
	}
	sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
	free(supervisor->children);
	free(supervisor);
}

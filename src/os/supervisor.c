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

enum {
	CHECK_MS = 250, /* between checks of the processes */
	POLL_MS = 10,
	WORKERS_START_MS = 10000 /* to send a first heartbeat */
};

struct log {
	const char *process, *name;
	int signal;
};

struct supervisor {
	struct process *processes;
	size_t count;
	struct log logs[SUPERVISOR_LOGS];
	size_t log_count;
	sigset_t signals, before;
	int64_t checked_at;
	int64_t rename_failed_at; /* last logged */
	bool stop_requested, reload_requested;
};

struct supervisor *
supervisor_new(void)
{
	struct supervisor *supervisor = calloc(1, sizeof(*supervisor));

	if (supervisor == NULL)
		log_fatal("out of memory: cannot create the supervisor");
	sigemptyset(&supervisor->signals);
	sigaddset(&supervisor->signals, SIGINT);
	sigaddset(&supervisor->signals, SIGTERM);
	sigaddset(&supervisor->signals, SIGHUP);
	sigaddset(&supervisor->signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &supervisor->signals, &supervisor->before);
	return supervisor;
}

/* Inserts a process at an index, and starts it. */
static void
insert_process(
    struct supervisor *supervisor, size_t index, struct process process)
{
	struct process *processes = realloc(supervisor->processes,
	    (supervisor->count + 1) * sizeof(*processes));

	if (processes == NULL)
		log_fatal("out of memory: cannot add %s", process.name);
	memmove(&processes[index + 1], &processes[index],
	    (supervisor->count - index) * sizeof(*processes));
	processes[index] = process;
	supervisor->processes = processes;
	supervisor->count++;
	process_start(&processes[index], &supervisor->before);
}

static void
remove_process(struct supervisor *supervisor, size_t index)
{
	struct process *process = &supervisor->processes[index];

	process_free(process);
	supervisor->count--;
	memmove(process, process + 1,
	    (supervisor->count - index) * sizeof(*process));
}

void
supervisor_add(struct supervisor *supervisor, const char *name, int stop_signal,
    process_main *run, void *data)
{
	insert_process(supervisor, supervisor->count,
	    (struct process){ .name = name,
		.stop_signal = stop_signal,
		.run = run,
		.data = data });
}

void
supervisor_replace(struct supervisor *supervisor, const char *name,
    int stop_signal, process_main *run, void *data)
{
	size_t index = supervisor->count;

	for (size_t i = 0; i < supervisor->count; i++)
		if (strcmp(supervisor->processes[i].name, name) == 0) {
			process_request_stop(&supervisor->processes[i]);
			index = i;
		}
	insert_process(supervisor, index,
	    (struct process){ .name = name,
		.stop_signal = stop_signal,
		.run = run,
		.data = data,
		.watched = true });
}

void
supervisor_rotate_log(struct supervisor *supervisor, const char *process,
    const char *name, int signal)
{
	if (supervisor->log_count == SUPERVISOR_LOGS)
		log_fatal("cannot rotate more than %d logs", SUPERVISOR_LOGS);
	supervisor->logs[supervisor->log_count++] =
	    (struct log){ process, name, signal };
}

static void
rotate_log(struct supervisor *supervisor, const struct log *log)
{
	char old[64];
	struct stat file;

	if (stat(log->name, &file) != 0 || file.st_size <= SUPERVISOR_LOG_MAX)
		return;
	snprintf(old, sizeof(old), "%s.1", log->name);
	if (rename(log->name, old) != 0) {
		log_limited(&supervisor->rename_failed_at,
		    "cannot rename %s: %s", log->name, strerror(errno));
		return;
	}
	for (size_t i = 0; i < supervisor->count; i++) {
		struct process *process = &supervisor->processes[i];

		if (log->signal != 0 && process->pid > 0 &&
		    strcmp(process->name, log->process) == 0)
			kill(process->pid, log->signal);
	}
}

/* Collects exit statuses. True when a process ended that was not asked to. */
static bool
reap_processes(struct supervisor *supervisor)
{
	bool any = false;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < supervisor->count; i++) {
			struct process *process = &supervisor->processes[i];

			if (process->pid == pid) {
				process_record_exit(process, status);
				any = any || !process->stopping;
			}
		}
	for (size_t i = supervisor->count; i-- > 0;)
		if (supervisor->processes[i].stopping &&
		    supervisor->processes[i].pid == 0)
			remove_process(supervisor, i);
	return any;
}

/* Records the request of a SIGINT, SIGTERM or SIGHUP; SIGCHLD just ends the wait. */
static void
wait_for_signal(struct supervisor *supervisor, int milliseconds)
{
	struct timespec time = { milliseconds / 1000,
		milliseconds % 1000 * 1000000L };
	int number = sigtimedwait(&supervisor->signals, NULL, &time);

	if (number == SIGINT || number == SIGTERM)
		supervisor->stop_requested = true;
	else if (number == SIGHUP)
		supervisor->reload_requested = true;
}

bool
supervisor_wait_for_failure(struct supervisor *supervisor, int milliseconds)
{
	wait_for_signal(supervisor, milliseconds);
	return reap_processes(supervisor) || supervisor->stop_requested;
}

/* The index at which to insert a worker: after the existing ones, or last. */
static size_t
worker_position(const struct supervisor *supervisor)
{
	size_t index = supervisor->count;

	while (index > 0 && !supervisor->processes[index - 1].is_worker)
		index--;
	return index > 0 ? index : supervisor->count;
}

static bool
is_current_worker(const struct process *worker)
{
	return worker->is_worker && !worker->stopping;
}

/* Waits until all new workers, those with this data, have sent a heartbeat. */
static bool
wait_for_workers(struct supervisor *supervisor, const void *data)
{
	for (int waited = 0; waited < WORKERS_START_MS; waited += POLL_MS) {
		bool all = true;

		for (size_t i = 0; i < supervisor->count; i++) {
			const struct process *process =
			    &supervisor->processes[i];

			if (is_current_worker(process) && process->data == data)
				all = all && process_is_alive(process);
		}
		if (all)
			return true;
		if (supervisor_wait_for_failure(supervisor, POLL_MS))
			return false;
	}
	log_line("the new workers did not start within %d s",
	    WORKERS_START_MS / 1000);
	return false;
}

bool
supervisor_set_workers(
    struct supervisor *supervisor, size_t count, process_main *run, void *data)
{
	bool alive;

	for (size_t i = 0; i < count; i++)
		insert_process(supervisor, worker_position(supervisor),
		    (struct process){ .name = "a worker",
			.stop_signal = SIGTERM,
			.run = run,
			.data = data,
			.watched = true,
			.is_worker = true });
	alive = wait_for_workers(supervisor, data);
	for (size_t i = supervisor->count; i-- > 0;) {
		struct process *process = &supervisor->processes[i];
		bool is_new = process->data == data;

		if (!is_current_worker(process) || is_new == alive)
			continue;
		if (alive) {
			process_request_stop(process);
		} else {
			process->stop_signal = SIGKILL;
			process_stop(process);
			remove_process(supervisor, i);
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
check_processes(struct supervisor *supervisor)
{
	int64_t now = clock_monotonic_ms(),
		elapsed = now - supervisor->checked_at;

	supervisor->checked_at = now;
	for (size_t i = 0; i < supervisor->count; i++) {
		struct process *process = &supervisor->processes[i];

		process_check(process, elapsed);
		if (process->pid == 0 && process->restart_at <= now)
			process_start(process, &supervisor->before);
	}
	for (size_t i = 0; i < supervisor->log_count; i++)
		rotate_log(supervisor, &supervisor->logs[i]);
}

enum supervisor_request
supervisor_watch(struct supervisor *supervisor)
{
	supervisor->checked_at = clock_monotonic_ms();
	while (!supervisor->stop_requested) {
		if (supervisor->reload_requested) {
			supervisor->reload_requested = false;
			return SUPERVISOR_RELOAD;
		}
		wait_for_signal(supervisor, systemd_ping_watchdog(CHECK_MS));
		reap_processes(supervisor);
		if (!supervisor->stop_requested)
			check_processes(supervisor);
	}
	return SUPERVISOR_STOP;
}

void
supervisor_stop(struct supervisor *supervisor)
{
	reap_processes(supervisor);
	for (size_t i = supervisor->count; i-- > 0;) {
		struct process *process = &supervisor->processes[i];

		/* All workers at once: each may wait for a web server to close its
		 * connections. */
		for (size_t j = 0; process->is_worker && j < i; j++)
			if (supervisor->processes[j].is_worker)
				process_request_stop(&supervisor->processes[j]);
		process_stop(process);
		process_free(process);
	}
	/* A second Ctrl-C is pending, and would end this process by the signal. */
	while (sigtimedwait(
		   &supervisor->signals, NULL, &(struct timespec){ 0 }) > 0)
		;
	sigprocmask(SIG_SETMASK, &supervisor->before, NULL);
	free(supervisor->processes);
	free(supervisor);
}

#include "os/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/counters.h"
#include "base/log.h"
#include "base/text.h"

enum {
	STABLE_MS = 2000, /* after so long a run it is restarted at once */
	RESTART_MS = 500, /* the delay before other restarts */
	STOP_MS = 10000,  /* to end after the stop signal */
	STUCK_MS = 10000, /* without a heartbeat */
	ELAPSED_MAX_MS = 1000
};

/* The pid of the supervisor, in the supervisor and in its children. */
static pid_t supervisor_pid;

/* NULL in a process that is not watched. */
static atomic_uint *own_heartbeat;

static atomic_uint *
new_heartbeat(void)
{
	atomic_uint *heartbeat = mmap(NULL, sizeof(*heartbeat),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (heartbeat == MAP_FAILED)
		log_fatal("no memory for a heartbeat: %s", strerror(errno));
	return heartbeat;
}

/* NULL if there is none. */
static char *
search_program(struct arena *arena, const char *name)
{
	const char *set = getenv("PATH");
	struct text folders = text_format(
	    arena, "%s:/usr/sbin", set == NULL ? "/usr/bin:/bin" : set);
	struct text folder;

	while (text_cut(&folders, ':', &folder)) {
		char *path = text_string(arena,
		    text_format(arena, "%.*s/%s", TEXT_ARGS(folder), name));

		if (access(path, X_OK) == 0)
			return path;
	}
	return NULL;
}

char *
process_find_program(struct arena *arena, const char *name, const char *other)
{
	char *path = search_program(arena, name);

	if (path == NULL && other != NULL)
		path = search_program(arena, other);
	if (path == NULL)
		log_fatal("%s is not installed (not found in PATH)", name);
	return path;
}

/* Detaches from the terminal, its input and its signals. */
static void
leave_terminal(void)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		log_fatal("cannot open /dev/null: %s", strerror(errno));
	close(nothing);
}

void
process_start(struct process *process, const sigset_t *mask)
{
	pid_t pid;

	if (process->watched && process->heartbeat == NULL)
		process->heartbeat = new_heartbeat();
	if (process->heartbeat != NULL)
		atomic_store(process->heartbeat, 0);
	if (process->is_worker && process->counters == NULL)
		process->counters = counters_take();
	supervisor_pid = getpid();
	pid = fork();
	if (pid < 0)
		log_fatal(
		    "cannot start %s: %s", process->name, strerror(errno));
	if (pid == 0) {
		leave_terminal();
		sigprocmask(SIG_SETMASK, mask, NULL);
		own_heartbeat = process->heartbeat;
		counters_use(process->counters,
		    process->started_at == 0 ? COUNTERS_FIRST_START
					     : COUNTERS_RESTART);
		process->run(process->data);
		_exit(1);
	}
	counters_set_running(process->counters, true);
	process->pid = pid;
	process->started_at = clock_monotonic_ms();
	process->last_heartbeat = 0;
	process->unchanged_ms = 0;
}

/* Changing ids clears the parent death signal: so it is set after privileges_drop. */
void
process_init(enum privileges retained)
{
	privileges_drop(retained);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != supervisor_pid)
		_exit(1);
}

void
process_record_exit(struct process *process, int status)
{
	int64_t now = clock_monotonic_ms();

	if (WIFSIGNALED(status))
		log_line("%s was killed by signal %d", process->name,
		    WTERMSIG(status));
	else if (!process->stopping || WEXITSTATUS(status) != 0)
		log_line("%s exited with status %d", process->name,
		    WEXITSTATUS(status));
	counters_set_running(process->counters, false);
	process->restart_at =
	    now - process->started_at >= STABLE_MS ? now : now + RESTART_MS;
	process->pid = 0;
}

bool
process_is_alive(const struct process *process)
{
	return process->pid != 0 && atomic_load(process->heartbeat) > 0;
}

void
process_request_stop(struct process *process)
{
	if (process->stopping)
		return;
	process->stopping = true;
	process->kill_at = clock_monotonic_ms() + STOP_MS;
	if (process->pid != 0)
		kill(process->pid, process->stop_signal);
}

static bool
is_stuck(struct process *process, int64_t elapsed)
{
	unsigned heartbeat;

	if (process->heartbeat == NULL)
		return false;
	heartbeat = atomic_load(process->heartbeat);
	if (heartbeat != process->last_heartbeat)
		process->unchanged_ms = 0;
	else
		/* Time for which the whole machine was suspended does not count. */
		process->unchanged_ms +=
		    elapsed < ELAPSED_MAX_MS ? elapsed : ELAPSED_MAX_MS;
	process->last_heartbeat = heartbeat;
	return process->unchanged_ms >= STUCK_MS;
}

void
process_check(struct process *process, int64_t elapsed)
{
	if (process->pid == 0)
		return;
	if (is_stuck(process, elapsed)) {
		log_line("%s did not respond for %d s: killed", process->name,
		    STUCK_MS / 1000);
		process->unchanged_ms = 0;
		kill(process->pid, SIGKILL);
	} else if (process->stopping &&
	    clock_monotonic_ms() > process->kill_at) {
		log_line("%s did not stop in time: killed", process->name);
		process->kill_at += STOP_MS;
		kill(process->pid, SIGKILL);
	}
}

void
process_stop(struct process *process)
{
	struct timespec pause = { 0, 5 * 1000000L };

	process_request_stop(process);
	while (process->pid != 0 && waitpid(process->pid, NULL, WNOHANG) == 0) {
		process_check(process, 0);
		nanosleep(&pause, NULL);
	}
	process->pid = 0;
}

void
process_free(struct process *process)
{
	if (process->heartbeat != NULL)
		munmap(process->heartbeat, sizeof(*process->heartbeat));
	counters_release(process->counters);
}

void
process_heartbeat(void)
{
	if (own_heartbeat != NULL)
		atomic_fetch_add_explicit(
		    own_heartbeat, 1, memory_order_relaxed);
}

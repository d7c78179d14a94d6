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
#include "base/log.h"
#include "base/text.h"

enum {
	SETTLED_MS = 2000, /* a child that lived this long restarts at once */
	RESTART_MS = 500,  /* the delay before any other restarts */
	STOP_MS = 10000,   /* how long a child may take to end */
	STUCK_MS = 10000,  /* how long its pulse may stay the same */
	LOOK_MS = 1000
};

/* The parent of this process, if it is a child. */
static pid_t parent;

/* The pulse of this process; NULL when it is not watched. */
static atomic_uint *own_pulse;

static atomic_uint *
new_pulse(void)
{
	atomic_uint *pulse = mmap(NULL, sizeof(*pulse), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (pulse == MAP_FAILED)
		log_fatal("no memory for a pulse: %s", strerror(errno));
	return pulse;
}

char *
process_find_program(struct arena *arena, const char *name)
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
	log_fatal("%s is not installed: no folder of PATH has it", name);
}

/* Apart from the terminal: nothing of it is read, typed into it, or signalled. */
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
process_start(struct process *child, const sigset_t *mask)
{
	pid_t pid;

	if (child->watched && child->pulse == NULL)
		child->pulse = new_pulse();
	if (child->pulse != NULL)
		atomic_store(child->pulse, 0);
	parent = getpid();
	pid = fork();
	if (pid < 0)
		log_fatal("cannot start %s: %s", child->name, strerror(errno));
	if (pid == 0) {
		leave_terminal();
		sigprocmask(SIG_SETMASK, mask, NULL);
		own_pulse = child->pulse;
		child->run(child->data);
		_exit(1);
	}
	child->pid = pid;
	child->started = clock_monotonic_ms();
	child->beats = 0;
	child->still = 0;
}

/* With other rights a process would forget the signal. */
void
process_init(enum privileges_kept kept)
{
	privileges_drop(kept);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
}

void
process_record_exit(struct process *child, int status)
{
	int64_t now = clock_monotonic_ms();

	if (WIFSIGNALED(status))
		log_line(
		    "%s was ended by signal %d", child->name, WTERMSIG(status));
	else if (!child->leaving || WEXITSTATUS(status) != 0)
		log_line("%s ended with status %d", child->name,
		    WEXITSTATUS(status));
	child->start_at =
	    now - child->started >= SETTLED_MS ? now : now + RESTART_MS;
	child->pid = 0;
}

bool
process_is_alive(const struct process *child)
{
	return child->pid != 0 && atomic_load(child->pulse) > 0;
}

void
process_request_stop(struct process *child)
{
	if (child->leaving)
		return;
	child->leaving = true;
	child->kill_at = clock_monotonic_ms() + STOP_MS;
	if (child->pid != 0)
		kill(child->pid, child->stop_signal);
}

static bool
is_stuck(struct process *child, int64_t elapsed)
{
	unsigned beats;

	if (child->pulse == NULL)
		return false;
	beats = atomic_load(child->pulse);
	if (beats != child->beats)
		child->still = 0;
	else
		/* If the whole machine was suspended, nobody could run. */
		child->still += elapsed < LOOK_MS ? elapsed : LOOK_MS;
	child->beats = beats;
	return child->still >= STUCK_MS;
}

void
process_check(struct process *child, int64_t elapsed)
{
	if (child->pid == 0)
		return;
	if (is_stuck(child, elapsed)) {
		log_line("%s has been stuck for %d s and is killed",
		    child->name, STUCK_MS / 1000);
		child->still = 0;
		kill(child->pid, SIGKILL);
	} else if (child->leaving && clock_monotonic_ms() > child->kill_at) {
		log_line("%s does not end and is killed", child->name);
		child->kill_at += STOP_MS;
		kill(child->pid, SIGKILL);
	}
}

void
process_stop(struct process *child)
{
	struct timespec pause = { 0, 5 * 1000000L };

	process_request_stop(child);
	while (child->pid != 0 && waitpid(child->pid, NULL, WNOHANG) == 0) {
		process_check(child, 0);
		nanosleep(&pause, NULL);
	}
	child->pid = 0;
}

void
process_free(struct process *child)
{
	if (child->pulse != NULL)
		munmap(child->pulse, sizeof(*child->pulse));
}

void
process_heartbeat(void)
{
	if (own_pulse != NULL)
		atomic_fetch_add_explicit(own_pulse, 1, memory_order_relaxed);
}

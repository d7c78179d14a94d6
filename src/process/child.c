#include "process/child.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "process/pulse.h"

enum {
	SETTLED_MS = 2000, /* a child that lived so long may start at once */
	AGAIN_MS = 500,	   /* one that did not waits so long */
	STOP_MS = 10000,   /* then a child is killed */
	STUCK_MS = 10000,  /* and one whose pulse stood still for so long */
	LOOK_MS = 1000
};

void
child_start(struct child *child, const sigset_t *mask)
{
	pid_t parent = getpid(), pid;

	if (child->pulse != NULL)
		atomic_store(&child->pulse->beats, 0);
	pid = fork();
	if (pid < 0)
		log_fatal(
		    "%s cannot be started: %s", child->name, strerror(errno));
	if (pid == 0) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		sigprocmask(SIG_SETMASK, mask, NULL);
		pulse_take(child->pulse);
		child->run(child->data);
		_exit(1);
	}
	child->pid = pid;
	child->started = clock_monotonic_ms();
	child->beats = 0;
	child->still = 0;
}

void
child_note_end(struct child *child, int status)
{
	int64_t now = clock_monotonic_ms();

	if (WIFSIGNALED(status))
		log_line(
		    "%s was ended by signal %d", child->name, WTERMSIG(status));
	else if (!child->leaving || WEXITSTATUS(status) != 0)
		log_line("%s ended with status %d", child->name,
		    WEXITSTATUS(status));
	child->start_at =
	    now - child->started >= SETTLED_MS ? now : now + AGAIN_MS;
	child->pid = 0;
}

bool
child_is_alive(const struct child *child)
{
	return child->pid != 0 && child->pulse != NULL &&
	    atomic_load(&child->pulse->beats) > 0;
}

void
child_leave(struct child *child)
{
	child->leaving = true;
	child->kill_at = clock_monotonic_ms() + STOP_MS;
	if (child->pid != 0)
		kill(child->pid, child->stop_signal);
}

static bool
is_stuck(struct child *child, int64_t elapsed)
{
	unsigned beats;

	if (child->pulse == NULL)
		return false;
	beats = atomic_load(&child->pulse->beats);
	if (beats != child->beats)
		child->still = 0;
	else
		/* While the whole machine stood still nobody could run. */
		child->still += elapsed < LOOK_MS ? elapsed : LOOK_MS;
	child->beats = beats;
	return child->still >= STUCK_MS;
}

void
child_look(struct child *child, int64_t elapsed)
{
	if (child->pid == 0)
		return;
	if (is_stuck(child, elapsed)) {
		log_line("%s is stuck for %d s and is killed", child->name,
		    STUCK_MS / 1000);
		child->still = 0;
		kill(child->pid, SIGKILL);
	} else if (child->leaving && clock_monotonic_ms() > child->kill_at) {
		log_line("%s does not end and is killed", child->name);
		child->kill_at += STOP_MS;
		kill(child->pid, SIGKILL);
	}
}

void
child_kill(struct child *child)
{
	if (child->pid == 0)
		return;
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
}

void
child_stop(struct child *child)
{
	int64_t deadline = clock_monotonic_ms() + STOP_MS;
	struct timespec brief = { 0, 5 * 1000000L };

	if (child->pid == 0)
		return;
	kill(child->pid, child->stop_signal);
	while (waitpid(child->pid, NULL, WNOHANG) == 0) {
		if (clock_monotonic_ms() > deadline) {
			log_line("%s does not stop and is killed", child->name);
			child_kill(child);
			return;
		}
		nanosleep(&brief, NULL);
	}
	child->pid = 0;
}

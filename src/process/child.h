/*
 * One child of the supervisor: how it is started, found stuck, and ended.
 */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a child does; it must not return. */
typedef void child_run(void *data);

struct pulse;

struct child {
	const char *name;
	int stop_signal;
	child_run *run;
	void *data;
	struct pulse *pulse; /* NULL: nobody watches it */
	unsigned generation; /* of a worker */
	pid_t pid;	     /* 0 while it does not run */
	int64_t started, start_at;
	unsigned beats; /* of its pulse, when last seen */
	int64_t still;	/* milliseconds for which they were the same */
	bool leaving;	/* it was asked to end, and is not started again */
	int64_t kill_at;
};

/* Starts it in a process group of its own, with these signals blocked. */
void child_start(struct child *child, const sigset_t *mask);

/* Notes and logs that it ended, and when it may start again. */
void child_note_end(struct child *child, int status);

/* Whether it showed that it runs its loop, since it was started. */
bool child_is_alive(const struct child *child);

/* Asks it to end; child_look ends it if it does not. */
void child_leave(struct child *child);

/*
 * To be called several times a second, with the milliseconds since the last
 * time: ends a child whose pulse stands still or which does not leave.
 */
void child_look(struct child *child, int64_t elapsed);

/* Asks it to end and waits; after 10 s it is killed. */
void child_stop(struct child *child);

/* Ends it at once. */
void child_kill(struct child *child);

#endif

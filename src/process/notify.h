/*
 * What systemd hands over and is told (sd_listen_fds(3), sd_notify(3)): the
 * only file that includes its header. Without systemd nothing of it happens.
 */
#ifndef PROCESS_NOTIFY_H
#define PROCESS_NOTIFY_H

/*
 * The socket that systemd listens on for this process, made not to block; -1
 * when there is none. Ends the process when there are several, or it is none
 * that listens.
 */
int notify_listener(void);

/* Everything runs; status is a line for people. */
void notify_ready(const char *status);

/* A reload has begun; notify_ready ends it, however it went. */
void notify_reloading(void);

void notify_stopping(void);

/*
 * Tells systemd's watchdog that this process is alive, if half of its interval
 * has gone by. Returns the milliseconds after which to call again: that half,
 * or most when that is less or nobody watches.
 */
int notify_alive(int most);

#endif

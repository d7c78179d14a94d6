/*
 * What systemd passes to the service and is told (sd_listen_fds(3),
 * sd_notify(3)). Without systemd all of it does nothing.
 */
#pragma once

/*
 * The socket on which systemd listens for this process, set not to block; -1
 * when there is none. Logs and ends the process when there are several, or when
 * it is not a listening socket.
 */
int systemd_listener(void);

/* Everything runs; status is a line for the administrator. */
void systemd_ready(const char *status);

/* A reload has begun; systemd_ready ends it, whatever its outcome. */
void systemd_reloading(void);

void systemd_stopping(void);

/*
 * Tells systemd's watchdog that this process is alive, if half of its interval
 * has passed. Returns the milliseconds after which to call again, at most max:
 * what is left of that half, or max without a watchdog.
 */
int systemd_ping_watchdog(int max);

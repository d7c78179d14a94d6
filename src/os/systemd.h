/*
 * The protocol between systemd and a service: socket activation (sd_listen_fds(3)),
 * status and watchdog (sd_notify(3)). Without systemd every call is a no-op.
 */
#pragma once

/* Listening sockets passed by systemd, set to non-blocking; -1: not passed. */
struct systemd_listeners {
	int metrics;  /* FileDescriptorName=metrics */
	int search;   /* FileDescriptorName=search */
	int requests; /* of any other name */
};

/* Logs and ends the process when there are others, or one is not a listening socket. */
struct systemd_listeners systemd_listeners(void);

/* Startup is complete; status is a line for the administrator. */
void systemd_ready(const char *status);

/* A reload has begun; systemd_ready ends it, whatever its outcome. */
void systemd_reloading(void);

void systemd_stopping(void);

/*
 * Pings the watchdog if half of its interval has passed since the last ping. Returns
 * the milliseconds until the next ping is due, at most max; max without a watchdog.
 */
int systemd_ping_watchdog(int max);

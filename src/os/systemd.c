#include "os/systemd.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

enum { KEEP_ENVIRONMENT, UNSET_ENVIRONMENT };

int
systemd_listener(void)
{
	int count = sd_listen_fds(UNSET_ENVIRONMENT);
	int listener = SD_LISTEN_FDS_START, flags;

	if (count == 0)
		return -1;
	if (count != 1 ||
	    sd_is_socket(listener, AF_UNSPEC, SOCK_STREAM, 1) <= 0)
		log_fatal("systemd passed %d sockets instead of one listening "
			  "stream socket",
		    count);
	flags = fcntl(listener, F_GETFL);
	fcntl(listener, F_SETFL, flags | O_NONBLOCK);
	return listener;
}

void
systemd_ready(const char *status)
{
	sd_notifyf(KEEP_ENVIRONMENT, "READY=1\nSTATUS=%s", status);
}

void
systemd_reloading(void)
{
	struct timespec now;

	/* systemd ignores a time before its SIGHUP: so not the coarse clock. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	sd_notifyf(KEEP_ENVIRONMENT,
	    "RELOADING=1\nMONOTONIC_USEC=%lld%06ld\nSTATUS=Reloading",
	    (long long)now.tv_sec, now.tv_nsec / 1000);
}

void
systemd_stopping(void)
{
	sd_notify(KEEP_ENVIRONMENT, "STOPPING=1\nSTATUS=Finishing requests");
}

int
systemd_ping_watchdog(int max)
{
	static int64_t pinged;
	int64_t now = clock_monotonic_ms(), half;
	uint64_t interval;

	if (sd_watchdog_enabled(KEEP_ENVIRONMENT, &interval) <= 0)
		return max;
	half = (int64_t)(interval / 2000);
	if (now - pinged >= half) {
		sd_notify(KEEP_ENVIRONMENT, "WATCHDOG=1");
		pinged = now;
	}
	half -= now - pinged;
	return half < max ? (int)half : max;
}

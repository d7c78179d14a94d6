#include "os/systemd.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

enum { KEEP_ENVIRONMENT, UNSET_ENVIRONMENT };

static void
use_listener(int passed, int *listener)
{
	if (*listener >= 0 ||
	    sd_is_socket(passed, AF_UNSPEC, SOCK_STREAM, 1) <= 0)
		log_fatal("systemd passed something else than one listening "
			  "stream socket for requests, one for metrics and "
			  "one for search");
	fcntl(passed, F_SETFL, fcntl(passed, F_GETFL) | O_NONBLOCK);
	*listener = passed;
}

struct systemd_listeners
systemd_listeners(void)
{
	struct systemd_listeners listeners = { -1, -1, -1 };
	char **names = NULL;
	int count = sd_listen_fds_with_names(UNSET_ENVIRONMENT, &names);

	for (int i = 0; i < count; i++) {
		use_listener(SD_LISTEN_FDS_START + i,
		    strcmp(names[i], "metrics") == 0 ? &listeners.metrics
			: strcmp(names[i], "search") == 0
			? &listeners.search
			: &listeners.requests);
		free(names[i]);
	}
	free(names);
	return listeners;
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

#include "server/relay_process.h"

#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "os/sandbox.h"
#include "redis/redis.h"
#include "store/lease.h"
#include "store/relay.h"

/* It may end at any moment: unfinished work stays in Redis. */
static void
on_stop(int signal_number)
{
	(void)signal_number;
	_exit(0);
}

static void
pause_for(int milliseconds)
{
	const struct timespec time = { milliseconds / 1000,
		milliseconds % 1000 * 1000000L };

	if (milliseconds > 0)
		nanosleep(&time, NULL);
}

/* A relay is named after its machine: the next one of that name first takes the work
 * that this one had claimed when it ended. */
static struct relay *
new_relay(struct store *store)
{
	char name[HOST_NAME_MAX + 1] = "";

	if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0')
		name[0] = '-';
	return relay_new(store, text_of(name));
}

/* Keeps the lease of the layout, also while no worker has a request. */
static int
step_with_lease(struct store *store, struct relay *relay)
{
	enum { RETRY_MS = 1000 };
	static struct lease lease;
	struct arena arena = { 0 };
	enum store_result result = lease_hold(store, &arena, &lease);

	arena_free(&arena);
	return result == STORE_OK ? relay_step(relay) : RETRY_MS;
}

static void
run_relay(void *data)
{
	struct relay_process *process = data;
	struct redis *redis;
	struct relay *relay;

	/* The name in ps; workers keep the program's. */
	prctl(PR_SET_NAME, "tally-relay");
	signal(SIGTERM, on_stop);
	process_init(PRIVILEGES_NONE);
	config_wipe_admin(process->config);
	redis = config_open_redis(process->config, &process->config->web);
	if (!redis_resolve(redis))
		_exit(1);
	redis_be_quiet(redis); /* relay_step logs delays itself. */
	process->store->redis = redis;
	relay = new_relay(process->store);
	sandbox_enter(
	    redis_is_local(redis) ? SANDBOX_UNIX_SOCKET : SANDBOX_NETWORK);
	for (;;) {
		process_heartbeat();
		pause_for(step_with_lease(process->store, relay));
	}
}

void
relay_process_start(struct supervisor *supervisor, struct relay_process *data)
{
	supervisor_replace(supervisor, "the relay", SIGTERM, run_relay, data);
}

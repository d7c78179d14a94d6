#include "server/relay_process.h"

#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "os/sandbox.h"
#include "redis/redis.h"
#include "store/relay.h"

/* It may be ended at any moment. */
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

/* One a machine has the machine's name: what it had taken when it was ended is what
 * the next takes first. */
static struct relay *
new_relay(struct store *store)
{
	char name[HOST_NAME_MAX + 1] = "";

	if (gethostname(name, sizeof(name) - 1) != 0 || name[0] == '\0')
		name[0] = '-';
	return relay_new(store, text_of(name));
}

static void
run(void *data)
{
	struct relay_process *task = data;
	struct redis *redis;
	struct relay *relay;

	/* As the list of processes has it; workers are called as the program. */
	prctl(PR_SET_NAME, "tally-relay");
	signal(SIGTERM, on_stop);
	process_init(PRIVILEGES_NONE);
	config_wipe_admin(task->config);
	redis = config_open_redis(task->config, &task->config->web);
	if (!redis_resolve(redis))
		_exit(1);
	redis_be_quiet(redis); /* It says itself what waits. */
	task->store->redis = redis;
	relay = new_relay(task->store);
	sandbox_enter(
	    redis_is_local(redis) ? SANDBOX_UNIX_SOCKET : SANDBOX_NETWORK);
	for (;;) {
		process_heartbeat();
		pause_for(relay_step(relay));
	}
}

void
relay_process_start(struct supervisor *supervisor, struct relay_process *task)
{
	supervisor_replace(supervisor, "the relay", SIGTERM, run, task);
}

#include "process/keeper.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "process/folder.h"
#include "redis/redis.h"
#include "store/site.h"

static bool
prepare(struct config config, enum keeper_redis kind)
{
	struct arena arena = { 0 };
	struct store store = { .redis = NULL };
	struct text why = TEXT("the functions could not be loaded into Redis");
	enum store_result result;

	if (kind == KEEPER_REDIS_OWN)
		folder_use_redis(&arena, &config);
	store.redis = config_open_redis(&config, &config.admin);
	result = site_load_functions(&store);
	if (result == STORE_OK && !redis_is_one(store.redis) &&
	    config.replicas != 0)
		result = site_check_replicas(&store, &arena, &why);
	if (result != STORE_OK)
		log_line("%.*s", TEXT_ARGS(why));
	return result == STORE_OK;
}

bool
keeper_prepare(const struct config *config, enum keeper_redis kind)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(prepare(*config, kind) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void
run(void *data)
{
	const struct timespec pause = { 1, 0 };
	struct arena arena = { 0 };
	struct config config;
	struct store store;
	uint64_t seen = 0;

	(void)data;
	if (!config_read(&arena, &config))
		_exit(1);
	store.redis = config_open_redis(&config, &config.admin);
	for (;; nanosleep(&pause, NULL))
		if (redis_discover(store.redis) &&
		    redis_map(store.redis) != seen &&
		    site_load_functions(&store) == STORE_OK)
			seen = redis_map(store.redis);
}

void
keeper_start(struct supervisor *supervisor, const struct config *config)
{
	struct redis *redis = config_open_redis(config, &config->web);
	bool is_one = redis_is_one(redis);

	redis_close(redis);
	if (!is_one)
		supervisor_add(
		    supervisor, "the keeper of functions", SIGTERM, run, NULL);
}

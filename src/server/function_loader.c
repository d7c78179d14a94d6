#include "server/function_loader.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "os/privileges.h"
#include "redis/redis.h"
#include "server/site_dir.h"
#include "store/grant.h"
#include "store/library.h"
#include "store/site.h"

/* What would break the site's promises, and was told. */
struct told {
	const struct config *config;
	struct redis *redis;
	enum function_loader_redis kind;
	bool file, fsync, policy, expire, delete, memory;
};

static void
tell_file(struct told *told, struct text appendonly)
{
	if (told->file || !text_equal(appendonly, TEXT("no")))
		return;
	told->file = true;
	log_line("warning: Redis has appendonly no, and loses what was posted "
		 "when it stops: set appendonly yes in its configuration");
}

/* Replicas that have what is acknowledged make up for a second. */
static void
tell_fsync(struct told *told, struct text fsync)
{
	bool is_second = text_equal(fsync, TEXT("everysec")) &&
	    redis_is_standalone(told->redis) &&
	    !text_equal(told->config->fsync, TEXT("everysec"));

	if (told->fsync || told->file ||
	    (!is_second && !text_equal(fsync, TEXT("no"))))
		return;
	told->fsync = true;
	log_line("warning: Redis has appendfsync %.*s, and loses %s that was "
		 "acknowledged in a power failure: set appendfsync always in "
		 "its configuration%s",
	    TEXT_ARGS(fsync), is_second ? "a second" : "much",
	    is_second ? ", or TALLY_FSYNC=everysec if that may be so" : "");
}

static void
tell_policy(struct told *told, struct text policy)
{
	if (told->policy || policy.size == 0 ||
	    text_equal(policy, TEXT("noeviction")))
		return;
	told->policy = true;
	log_line("warning: Redis has maxmemory-policy %.*s, and throws away "
		 "what was posted when its memory is full: set "
		 "maxmemory-policy noeviction in its configuration",
	    TEXT_ARGS(policy));
}

/* Whatever is freed at once holds everybody up. */
static void
tell_lazy(bool *told, const char *name, struct text value)
{
	if (*told || !text_equal(value, TEXT("no")))
		return;
	*told = true;
	log_line("warning: Redis has %s no, and answers nobody while it frees "
		 "a record of thousands of voters: set %s yes in its "
		 "configuration",
	    name, name);
}

/* A tenth of it may be gone in a day. */
static void
tell_memory(struct told *told, int64_t used, int64_t max)
{
	const int64_t mb = INT64_C(1024) * 1024;

	if (told->memory || max <= 0 || used < max / 10 * 9)
		return;
	told->memory = true;
	log_line("warning: Redis has used %lld of the %lld MB that it may use, "
		 "and nothing can be stored once it is full: raise %s",
	    (long long)(used / mb), (long long)(max / mb),
	    told->kind == FUNCTION_LOADER_OWN_REDIS
		? "TALLY_REDIS_MEMORY"
		: "maxmemory in its configuration");
}

/* Of CONFIG GET: a name and its value. */
static struct text
value_of(const struct pipeline *pipeline, size_t i)
{
	return reply_text(reply_item(&pipeline->replies[i], 1));
}

/* From INFO: a number. */
static int64_t
number_in(struct text info, struct text name)
{
	struct text line, word;

	while (text_cut(&info, '\n', &line))
		if (text_cut(&line, ':', &word) && text_equal(word, name))
			return reply_number_of(text_trim(line));
	return 0;
}

/* A Redis that does not say how it is set up may be set up well. The site's own is. */
static bool
tell_promises(void *data, size_t master)
{
	static const char *const names[] = { "maxmemory", "appendonly",
		"appendfsync", "maxmemory-policy", "lazyfree-lazy-expire",
		"lazyfree-lazy-user-del" };
	struct told *told = data;
	struct arena arena = { 0 };
	struct pipeline pipeline =
	    pipeline_begin_at(told->redis, &arena, master);

	pipeline_add(&pipeline, TEXT("INFO"), TEXT("memory"));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		pipeline_add(
		    &pipeline, TEXT("CONFIG"), TEXT("GET"), text_of(names[i]));
	if (redis_run(&pipeline)) {
		tell_memory(told,
		    number_in(
			reply_text(&pipeline.replies[0]), TEXT("used_memory")),
		    reply_number_of(value_of(&pipeline, 1)));
		if (told->kind == FUNCTION_LOADER_NAMED_REDIS) {
			tell_file(told, value_of(&pipeline, 2));
			tell_fsync(told, value_of(&pipeline, 3));
			tell_policy(told, value_of(&pipeline, 4));
			tell_lazy(
			    &told->expire, names[4], value_of(&pipeline, 5));
			tell_lazy(
			    &told->delete, names[5], value_of(&pipeline, 6));
		}
	}
	arena_free(&arena);
	return true;
}

static bool
prepare(struct config config, enum function_loader_redis kind)
{
	struct arena arena = { 0 };
	struct store store = { .redis = NULL };
	struct text why = TEXT("the functions could not be loaded into Redis");
	enum store_result result;

	privileges_drop(PRIVILEGES_NONE);
	if (kind == FUNCTION_LOADER_OWN_REDIS)
		site_dir_read_logins(&arena, &config);
	store.redis = config_open_redis(&config, &config.admin);
	result = library_load(&store, &arena, LIBRARY_SITE_START, &why);
	if (result == STORE_OK && !redis_is_standalone(store.redis) &&
	    config.replicas != 0)
		result = site_check_replicas(&store, &arena, &why);
	redis_be_quiet(store.redis);
	if (result == STORE_OK)
		result = grant_check(&store, &arena, config.web.user, &why);
	if (result != STORE_OK)
		log_line("%.*s", TEXT_ARGS(why));
	else {
		struct told told = {
			.config = &config, .redis = store.redis, .kind = kind
		};

		(void)!redis_visit_masters(store.redis, tell_promises, &told);
	}
	return result == STORE_OK;
}

bool
function_loader_load(
    const struct config *config, enum function_loader_redis kind)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(prepare(*config, kind) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* What a newer library lacks was said when the workers started. */
static enum store_result
load_on_new(struct store *store)
{
	struct arena arena = { 0 };
	struct text why = TEXT("");
	enum store_result result =
	    library_load(store, &arena, LIBRARY_SITE_START, &why);

	arena_free(&arena);
	return result == STORE_TAKEN ? STORE_OK : result;
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
	process_init(PRIVILEGES_NONE);
	store.redis = config_open_redis(&config, &config.admin);
	for (;; nanosleep(&pause, NULL))
		if (redis_discover(store.redis) &&
		    redis_map_version(store.redis) != seen &&
		    load_on_new(&store) == STORE_OK)
			seen = redis_map_version(store.redis);
}

void
function_loader_start(
    struct supervisor *supervisor, const struct config *config)
{
	struct redis *redis = config_open_redis(config, &config->web);
	bool is_one = redis_is_standalone(redis);

	redis_close(redis);
	if (!is_one)
		supervisor_add(
		    supervisor, "the keeper of functions", SIGTERM, run, NULL);
}

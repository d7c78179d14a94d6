#include "server/function_loader.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "lists/front_hours.h"
#include "os/privileges.h"
#include "os/sandbox.h"
#include "redis/redis.h"
#include "server/redis_memory.h"
#include "server/site_dir.h"
#include "store/grant.h"
#include "store/keys.h"
#include "store/library.h"
#include "store/move.h"
#include "store/pace.h"
#include "store/publisher_walk.h"
#include "store/site.h"
#include "store/walk.h"

/* Checks the configuration of every node, and warns once of each fault. */
struct redis_check {
	const struct config *config;
	struct redis *redis;
	enum function_loader_redis kind;
	/* Already warned of: */
	bool appendonly, fsync, policy, expire, delete, memory;
};

static void
warn_appendonly(struct redis_check *check, struct text appendonly)
{
	if (check->appendonly || !text_equal(appendonly, TEXT("no")))
		return;
	check->appendonly = true;
	log_line("warning: Redis has appendonly no and loses all data when it "
		 "stops: set appendonly yes in its configuration");
}

/* With replicas, which have confirmed what is acknowledged, everysec is enough. */
static void
warn_fsync(struct redis_check *check, struct text fsync)
{
	bool is_second = text_equal(fsync, TEXT("everysec")) &&
	    redis_is_standalone(check->redis) &&
	    !text_equal(check->config->fsync, TEXT("everysec"));

	if (check->fsync || check->appendonly ||
	    (!is_second && !text_equal(fsync, TEXT("no"))))
		return;
	check->fsync = true;
	log_line("warning: Redis has appendfsync %.*s, and a power failure "
		 "loses %s acknowledged writes: set appendfsync always in its "
		 "configuration%s",
	    TEXT_ARGS(fsync), is_second ? "a second of" : "many",
	    is_second ? ", or TALLY_FSYNC=everysec to accept this" : "");
}

static void
warn_eviction(struct redis_check *check, struct text policy)
{
	if (check->policy || policy.size == 0 ||
	    text_equal(policy, TEXT("noeviction")))
		return;
	check->policy = true;
	log_line("warning: Redis has maxmemory-policy %.*s and deletes data "
		 "when its memory is full: set maxmemory-policy noeviction in "
		 "its configuration",
	    TEXT_ARGS(policy));
}

/* Freeing a large key in the foreground blocks Redis. */
static void
warn_lazyfree(bool *check, const char *name, struct text value)
{
	if (*check || !text_equal(value, TEXT("no")))
		return;
	*check = true;
	log_line("warning: Redis has %s no and blocks while it frees a record "
		 "of thousands of voters: set %s yes in its configuration",
	    name, name);
}

static void
warn_memory(struct redis_check *check, size_t master)
{
	const int64_t mb = INT64_C(1024) * 1024;
	struct redis_memory memory;

	if (check->memory ||
	    !redis_memory_read(check->redis, master, &memory) ||
	    !redis_memory_is_low(memory.used, memory.max))
		return;
	check->memory = true;
	log_line("warning: Redis uses %lld of at most %lld MB, and writes fail "
		 "when that is full: raise %s",
	    (long long)(memory.used / mb), (long long)(memory.max / mb),
	    check->kind == FUNCTION_LOADER_OWN_REDIS
		? "TALLY_REDIS_MEMORY"
		: "maxmemory in its configuration");
}

/* The value in a reply to CONFIG GET: a name and its value. */
static struct text
config_value(const struct pipeline *pipeline, size_t i)
{
	return reply_text(reply_item(&pipeline->replies[i], 1));
}

/* For redis_visit_masters. Skips a node that does not permit INFO and CONFIG GET; of the site's
 * own Redis only the memory needs checking. */
static bool
check_node(void *data, size_t master)
{
	static const char *const names[] = { "appendonly", "appendfsync",
		"maxmemory-policy", "lazyfree-lazy-expire",
		"lazyfree-lazy-user-del" };
	struct redis_check *check = data;
	struct arena arena = { 0 };
	struct pipeline pipeline =
	    pipeline_begin_at(check->redis, &arena, master);

	warn_memory(check, master);
	if (check->kind != FUNCTION_LOADER_NAMED_REDIS)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		pipeline_add(
		    &pipeline, TEXT("CONFIG"), TEXT("GET"), text_of(names[i]));
	if (redis_run(&pipeline)) {
		warn_appendonly(check, config_value(&pipeline, 0));
		warn_fsync(check, config_value(&pipeline, 1));
		warn_eviction(check, config_value(&pipeline, 2));
		warn_lazyfree(
		    &check->expire, names[3], config_value(&pipeline, 3));
		warn_lazyfree(
		    &check->delete, names[4], config_value(&pipeline, 4));
	}
	arena_free(&arena);
	return true;
}

static bool
load_and_check(struct config config, enum function_loader_redis kind)
{
	struct arena arena = { 0 };
	struct store store = { .redis = NULL };
	struct text why = TEXT("the functions could not be loaded into Redis");
	enum store_result result;

	privileges_drop(PRIVILEGES_NONE);
	if (kind == FUNCTION_LOADER_OWN_REDIS)
		site_dir_read_logins(&arena, &config);
	store.redis = config_open_redis(&config, &config.admin);
	redis_set_timeout(store.redis, CONFIG_START_TIMEOUT_MS);
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
		struct redis_check check = {
			.config = &config, .redis = store.redis, .kind = kind
		};

		(void)!redis_visit_masters(store.redis, check_node, &check);
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
		_exit(load_and_check(*config, kind) ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* STORE_TAKEN, a newer library that lacks functions, was logged when the site started. */
static enum store_result
load_on_new_masters(struct store *store)
{
	struct arena arena = { 0 };
	struct text why = TEXT("");
	enum store_result result =
	    library_load(store, &arena, LIBRARY_SITE_START, &why);

	arena_free(&arena);
	return result == STORE_MISMATCH ? STORE_OK : result;
}

enum { IDLE_MS = 1000 };

/* What this process does with the data while the site runs: it moves them on to this layout, and
 * then sees to what a vote is worth, and to where articles are from; and keeps the front page of
 * each full hour. */
struct moving {
	struct store store;
	struct arena arena;  /* of the store */
	struct mover *mover; /* NULL: not open yet, or complete */
	struct pacer *pacer; /* NULL: not open yet; likewise */
	struct publisher_walk *publishers;
	int64_t publishers_at; /* when it is their turn again */
	int64_t share;
	bool is_waiting;     /* for workers of the former release */
	int64_t reported_at; /* of the clock */
	int reported;	     /* percent */
	int64_t vote_score;  /* as it was read last */
	struct front_writer front;
	int64_t front_at; /* when to look for the next full hour */
};

/* Opens the site; what failed is tried again. */
static void
open_data(struct moving *moving, struct redis *redis, struct rules rules)
{
	struct text why;
	struct move move;
	struct pace pace;

	moving->store = (struct store){ .redis = redis, .rules = rules };
	arena_reset(&moving->arena);
	if (site_open(&moving->store, &moving->arena, &why) != STORE_OK ||
	    move_get(&moving->store, &moving->arena, &move) != STORE_OK ||
	    pace_get(&moving->store, &moving->arena, &pace) != STORE_OK)
		return;
	if (move.from != 0)
		moving->mover = mover_new(&moving->store);
	moving->pacer = pacer_new(&moving->store, PACE_KEEP_MS);
	moving->publishers =
	    publisher_walk_new(&moving->store, PUBLISHER_WALK_WAIT_MS);
	moving->vote_score = pace.vote_score;
}

/* Every few seconds, when another tenth is done. */
static void
report_move(struct moving *moving)
{
	enum { REPORT_MS = 5000, REPORT_PERCENT = 10 };
	struct arena arena = { 0 };
	struct move move;

	if (clock_monotonic_ms() - moving->reported_at < REPORT_MS)
		return;
	moving->reported_at = clock_monotonic_ms();
	if (move_get(&moving->store, &arena, &move) == STORE_OK &&
	    move_percent(&move) >= moving->reported + REPORT_PERCENT) {
		moving->reported = move_percent(&move);
		log_line("%d %% of the data are moved on to layout %.*s",
		    moving->reported, TEXT_ARGS(KEYS_VERSION));
	}
	arena_free(&arena);
}

/* Does a step of the move; returns the milliseconds to wait before the next one. */
static int64_t
step_move(struct moving *moving)
{
	int64_t before = clock_monotonic_us();
	enum store_result result = mover_step(moving->mover);
	int64_t pause =
	    walk_pause_ms(clock_monotonic_us() - before, moving->share);

	if (result == STORE_ABSENT) {
		log_line("all data are moved on to layout %.*s",
		    TEXT_ARGS(KEYS_VERSION));
		mover_free(moving->mover);
		moving->mover = NULL;
	}
	if (result == STORE_CLOSED && !moving->is_waiting)
		log_line("the data are moved on once no worker of the former "
			 "Tally runs");
	moving->is_waiting = result == STORE_CLOSED;
	if (result == STORE_DOWN || result == STORE_CLOSED)
		return IDLE_MS;
	report_move(moving);
	return pause;
}

/* Once pages read the lists for another worth of a vote. */
static void
report_pace(struct moving *moving)
{
	int64_t vote_score = pacer_vote_score(moving->pacer);

	if (vote_score == 0 || vote_score == moving->vote_score)
		return;
	moving->vote_score = vote_score;
	log_line("a vote is worth %lld points now", (long long)vote_score);
}

/* The same of the publishers of articles, which are rarely set anew. */
static int64_t
step_publishers(struct moving *moving)
{
	enum { REST_MS = 10000 };
	int64_t before = clock_monotonic_us();

	if (before / 1000 < moving->publishers_at)
		return IDLE_MS;
	if (publisher_walk_step(moving->publishers) != STORE_OK) {
		moving->publishers_at = before / 1000 + REST_MS;
		return IDLE_MS;
	}
	return walk_pause_ms(clock_monotonic_us() - before, moving->share);
}

/* And of a change of what a vote is worth, which comes first. */
static int64_t
step_pace(struct moving *moving)
{
	int64_t before = clock_monotonic_us();

	if (pacer_step(moving->pacer) != STORE_OK) {
		report_pace(moving);
		return step_publishers(moving);
	}
	return walk_pause_ms(clock_monotonic_us() - before, moving->share);
}

static void
keep_front(struct moving *moving)
{
	int64_t now = clock_monotonic_ms(), wait;

	if (now < moving->front_at)
		return;
	/* What failed was logged, and is tried again. */
	(void)!front_writer_step(&moving->front, &moving->store, &wait);
	moving->front_at = now + wait;
}

/* Does a step; returns the milliseconds to wait before the next one. */
static int64_t
step_data(struct moving *moving)
{
	if (moving->pacer == NULL)
		return IDLE_MS;
	keep_front(moving);
	return moving->mover != NULL ? step_move(moving) : step_pace(moving);
}

static void
pause_loader(int64_t milliseconds)
{
	const struct timespec pause = { milliseconds / 1000,
		milliseconds % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

static void
load_functions(struct redis *redis, uint64_t *loaded_map)
{
	struct store store = { .redis = redis };

	if (redis_discover(redis) && redis_map_version(redis) != *loaded_map &&
	    load_on_new_masters(&store) == STORE_OK)
		*loaded_map = redis_map_version(redis);
}

/* As the administrator only where functions may have to be loaded: where masters can join, and
 * for a move. */
static struct redis *
open_loader_redis(struct arena *arena, const struct function_loader *loader)
{
	struct config *config = loader->config;
	struct redis *redis = config_open_redis(config, &config->web);

	if (!loader->is_moving && redis_is_standalone(redis)) {
		config_wipe_admin(config);
		return redis;
	}
	redis_close(redis);
	if (loader->redis == FUNCTION_LOADER_OWN_REDIS)
		site_dir_read_logins(arena, config);
	return config_open_redis(config, &config->admin);
}

static void
run_function_loader(void *data)
{
	const struct function_loader *loader = data;
	struct moving moving = { .share = loader->config->move_share };
	struct arena arena = { 0 };
	struct redis *redis;
	uint64_t loaded_map = 0;
	int64_t next_load = 0, pause;

	/* The name in ps, as of the relay. */
	prctl(PR_SET_NAME, "tally-loader");
	process_init(PRIVILEGES_NONE);
	redis = open_loader_redis(&arena, loader);
	if (!redis_resolve(redis))
		_exit(1);
	sandbox_enter(
	    redis_is_local(redis) ? SANDBOX_UNIX_SOCKET : SANDBOX_NETWORK);
	for (;; pause_loader(pause)) {
		process_heartbeat();
		if (clock_monotonic_ms() >= next_load) {
			next_load = clock_monotonic_ms() + IDLE_MS;
			if (!redis_is_standalone(redis))
				load_functions(redis, &loaded_map);
		}
		if (moving.pacer == NULL)
			open_data(&moving, redis, loader->config->rules);
		pause = step_data(&moving);
	}
}

void
function_loader_start(
    struct supervisor *supervisor, struct function_loader *loader)
{
	supervisor_replace(supervisor, "the function loader", SIGTERM,
	    run_function_loader, loader);
}

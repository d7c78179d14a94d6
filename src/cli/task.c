#include "cli/task.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "redis/redis.h"
#include "server/site_dir.h"
#include "store/library.h"
#include "store/site.h"
#include "views/messages.h"

/* Longer than for a page, so that a command waits for a slot that is being moved. */
enum { TIMEOUT_MS = 30000 };

/* Returns a supervisor if it had to start Redis; otherwise NULL. */
static struct supervisor *
enter_site(struct arena *arena, struct config *config, struct text folder)
{
	struct supervisor *supervisor = NULL;

	site_dir_enter(arena, folder);
	if (site_dir_lock()) {
		supervisor = supervisor_new();
		site_dir_start_redis(arena, supervisor, config);
		supervisor_restore_signals(supervisor);
	}
	site_dir_read_logins(arena, config);
	return supervisor;
}

/* With TASK_EXISTING, creates nothing, not even functions, without a site. */
static enum store_result
open_site(struct store *store, struct arena *arena, enum task_site site,
    struct text where, struct text *why)
{
	enum store_result result = STORE_OK;
	bool exists = true;

	*why = TEXT("Redis does not answer");
	if (site == TASK_EXISTING)
		result = site_exists(store, arena, &exists);
	if (result == STORE_OK && !exists) {
		*why = text_format(
		    arena, "there is no site in %.*s", TEXT_ARGS(where));
		return STORE_ABSENT;
	}
	if (result == STORE_OK)
		result = library_load(store, arena, LIBRARY_COMMAND, why);
	return result == STORE_OK ? site_open(store, arena, why) : result;
}

static int
run_action(const struct task *task, const struct config *config,
    enum task_site site, struct text where, task_action *action)
{
	struct store store = { .rules = config->rules };
	struct task opened = *task;
	enum store_result result;
	struct text why;
	int status = 1;

	opened.store = &store;
	opened.config = config;
	store.redis = config_open_redis(config, &config->admin);
	redis_set_timeout(store.redis, TIMEOUT_MS);
	result = open_site(&store, task->arena, site, where, &why);
	if (result == STORE_OK)
		status = action(&opened);
	else
		log_line("%.*s", TEXT_ARGS(why));
	redis_close(store.redis);
	return status;
}

struct text
task_folder(const struct command_line *line)
{
	return text_of(line->folder == NULL ? "var" : line->folder);
}

/* Without entering a folder. */
static int
run_on_named_redis(const struct task *task, const struct config *config,
    enum task_site site, task_action *action)
{
	struct text where = text_format(
	    task->arena, "the Redis at %.*s", TEXT_ARGS(config->redis));

	return run_action(task, config, site, where, action);
}

static int
report_no_site(const struct task *task, struct text folder)
{
	log_line("there is no site in %.*s%s", TEXT_ARGS(folder),
	    task->line->folder != NULL
		? ""
		: ", and no other is named: by --dir, TALLY_REDIS, or "
		  "/etc/tally/tally.conf, which a service has");
	return 1;
}

static int
run_in_folder(const struct task *task, struct config *config,
    enum task_site site, task_action *action)
{
	struct text folder = task_folder(task->line);
	struct supervisor *supervisor;
	int status;

	if (site == TASK_EXISTING && !site_dir_has_site(task->arena, folder))
		return report_no_site(task, folder);
	supervisor = enter_site(task->arena, config, folder);
	config->socket = TEXT("tally.sock");
	config->search = TEXT("search");
	status = run_action(task, config, site, folder, action);
	if (supervisor != NULL)
		supervisor_stop(supervisor);
	return status;
}

/* Whether the folder without --dir has a site, which may be another user's. False where
 * the working directory hides it. */
static bool
is_site_here(const struct command_line *line, struct arena *arena)
{
	struct text folder = task_folder(line);

	return access(text_string(arena, folder), F_OK) == 0 &&
	    site_dir_has_site(arena, folder);
}

/* The service's site is meant where no other is named and none is here. */
static enum config_source
choose_source(const struct command_line *line, struct arena *arena)
{
	return line->folder == NULL && getenv("TALLY_REDIS") == NULL &&
		!is_site_here(line, arena)
	    ? CONFIG_SERVICE
	    : CONFIG_NAMED;
}

bool
task_find_site(const struct command_line *line, struct arena *arena,
    struct config *config, struct text *folder)
{
	if (!config_read(arena, config, choose_source(line, arena)))
		return false;
	*folder = line->folder == NULL && config->redis.size > 0
	    ? TEXT("")
	    : task_folder(line);
	return true;
}

int
task_run(
    const struct command_line *line, enum task_site site, task_action *action)
{
	struct arena arena = { 0 };
	struct task task = { .arena = &arena, .line = line };
	struct config config;
	struct text folder;
	int status = 1;

	if (task_find_site(line, &arena, &config, &folder))
		status = folder.size == 0
		    ? run_on_named_redis(&task, &config, site, action)
		    : run_in_folder(&task, &config, site, action);
	arena_free(&arena);
	return status;
}

bool
task_succeeded(enum store_result result)
{
	if (result == STORE_ABSENT)
		log_line("not found");
	else if (result != STORE_OK)
		log_line(
		    "Redis does not answer: the command is incomplete; run "
		    "it again to continue");
	return result == STORE_OK;
}

struct text
task_argument(const struct task *task, int index)
{
	return index < task->line->count ? text_of(task->line->words[index])
					 : TEXT("");
}

bool
task_check_value(
    const struct task *task, rule *judge, struct text *value, const char *name)
{
	struct problem problem = judge(task->arena, value);

	if (problem.kind != PROBLEM_NONE)
		log_line("%s: %.*s", name,
		    TEXT_ARGS(message_problem(task->arena, &problem)));
	return problem.kind == PROBLEM_NONE;
}

#include "process/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/memo.h"
#include "lists/kept.h"
#include "process/error_pages.h"
#include "process/folder.h"
#include "process/listener.h"
#include "process/nginx.h"
#include "process/notify.h"
#include "process/sandbox.h"
#include "process/supervisor.h"
#include "process/worker.h"
#include "redis/redis.h"
#include "store/site.h"

/* Of each worker: lines of 1 KB, and lists of 25 of them. */
enum {
	KEPT_LINES = 768,
	KEPT_LINE_MAX = 4096,
	KEPT_LISTS = 16,
	KEPT_LIST_MAX = 64 * 1024
};

/* `tally up` works in the site's folder; relative paths that were given to it
 * are meant from where it was started. */
struct folders {
	enum { BESIDE_REDIS, WITH_REDIS } redis; /* of its own */
	int started, works;
};

/*
 * What a worker needs; it is made before the fork, and shared with it. A reload
 * makes another one.
 */
struct service {
	struct arena arena; /* what a reload read */
	struct config config;
	struct folders folders;
	struct store store;
	struct app app;
	int listener;
};

/* NULL, after a line that says why, when its address is none. */
static struct redis *
open_redis(const struct config *config, const struct config_login *login)
{
	struct redis *redis =
	    redis_open(config->redis, login->user, login->password);

	if (redis == NULL)
		log_line("TALLY_REDIS is unix:/path or host:port, not "
			 "\"%.*s\"",
		    TEXT_ARGS(config->redis));
	return redis;
}

/* NULL, after a line that says why, when a template is broken. */
static const struct views *
open_views(struct arena *arena, const struct config *config)
{
	struct mustache_error error;
	struct text folder =
	    text_join(arena, config->share, TEXT("/templates"));
	const struct views *views =
	    views_open(arena, text_string(arena, folder), &error);

	if (views == NULL && error.line > 0)
		log_line("%.*s/%.*s.mustache:%d:%d: %s", TEXT_ARGS(folder),
		    TEXT_ARGS(error.template), error.line, error.column,
		    error.message);
	else if (views == NULL)
		log_line("%.*s: %.*s: %s", TEXT_ARGS(folder),
		    TEXT_ARGS(error.template), error.message);
	return views;
}

/*
 * In a process of its own, which needs the admin's password for it: workers are
 * forked from this one.
 */
static bool
load_functions(struct arena *arena, struct service *service)
{
	struct store store = { .redis = NULL };
	enum store_result result = STORE_DOWN;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (service->folders.redis == WITH_REDIS)
			folder_use_redis(arena, &service->config);
		store.redis =
		    open_redis(&service->config, &service->config.admin);
		if (store.redis != NULL)
			result = site_load_functions(&store, arena);
		_exit(result == STORE_OK ? 0 : 1);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid &&
	    WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Loads the functions and reads what the site was created with. */
static bool
open_site(struct arena *arena, struct service *service)
{
	struct store *store = &service->store;
	struct text why = TEXT("the functions could not be loaded into Redis");
	enum store_result result = STORE_DOWN;

	store->rules = service->config.rules;
	store->redis = open_redis(&service->config, &service->config.web);
	if (store->redis == NULL)
		return false;
	if (load_functions(arena, service)) {
		why = TEXT("Redis does not answer");
		result = site_open(store, arena, &why);
	}
	redis_close(store->redis);
	if (result != STORE_OK)
		log_line("%.*s", TEXT_ARGS(why));
	return result == STORE_OK;
}

static void
run_worker(void *data)
{
	struct service *service = data;

	config_forget_admin(&service->config);
	service->store.redis =
	    open_redis(&service->config, &service->config.web);
	if (service->store.redis == NULL ||
	    !redis_resolve(service->store.redis))
		_exit(1);
	service->app.kept = kept_new();
	service->app.lines = memo_new(KEPT_LINES, KEPT_LINE_MAX);
	service->app.lists = memo_new(KEPT_LISTS, KEPT_LIST_MAX);
	sandbox_enter();
	worker_run(&service->app, service->listener);
}

static bool
start_workers(struct supervisor *supervisor, struct service *service)
{
	return supervisor_set_workers(
	    supervisor, (size_t)service->config.workers, run_worker, service);
}

static void
free_service(struct service *service)
{
	struct arena arena = service->arena;

	free(service);
	arena_free(&arena);
}

/*
 * What these settings make, with an arena that becomes its own. NULL when a
 * template is broken.
 */
static struct service *
new_service(struct arena arena, const struct config *config)
{
	struct service *service = calloc(1, sizeof(*service));

	if (service == NULL)
		log_fatal("out of memory: no service");
	*service = (struct service){ .arena = arena, .config = *config };
	service->app = (struct app){ .store = &service->store,
		.views = open_views(&service->arena, config),
		.origin = config->origin };
	if (service->app.views != NULL)
		return service;
	free_service(service);
	return NULL;
}

static struct service *
first_service(const struct config *config)
{
	struct service *service = new_service((struct arena){ 0 }, config);

	if (service == NULL)
		exit(1);
	return service;
}

static struct folders
folders_of(int redis)
{
	int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (here < 0)
		log_fatal("the working directory cannot be opened: %s",
		    strerror(errno));
	return (struct folders){ redis, here, here };
}

static void
go_to(int folder)
{
	if (fchdir(folder) != 0)
		log_fatal("a folder is gone: %s", strerror(errno));
}

/* The settings and templates as they are now; NULL when they are wrong. */
static struct service *
read_anew(const struct service *old)
{
	const struct folders *folders = &old->folders;
	struct arena arena = { 0 };
	struct service *service = NULL;
	struct config config;

	go_to(folders->started);
	if (config_read(&arena, &config))
		service = new_service(arena, &config);
	else
		arena_free(&arena);
	go_to(folders->works);
	if (service == NULL)
		return NULL;
	service->folders = old->folders;
	service->listener = old->listener;
	if (folders->redis == WITH_REDIS) {
		service->config.redis = old->config.redis;
		service->config.web = old->config.web;
	}
	if (open_site(&service->arena, service))
		return service;
	free_service(service);
	return NULL;
}

/* Returns the service whose workers run now: the old one if there are mistakes
 * in the new. */
static struct service *
reload(struct supervisor *supervisor, struct service *old)
{
	struct service *service;

	notify_reloading();
	service = read_anew(old);
	if (service != NULL && start_workers(supervisor, service)) {
		free_service(old);
		log_line("reloaded");
		notify_ready("Running, reloaded");
		return service;
	}
	if (service != NULL)
		free_service(service);
	log_line("the reload is refused, and everything goes on as it was");
	notify_ready("Running; the last reload was refused, see the log");
	return old;
}

int
serve_workers(struct arena *arena, struct config *config)
{
	struct service *service = first_service(config);
	int handed_over = notify_listener();
	struct supervisor *supervisor;
	bool started;

	service->folders = folders_of(BESIDE_REDIS);
	if (!open_site(arena, service))
		return 1;
	service->listener =
	    handed_over >= 0 ? handed_over : listener_at(arena, config->socket);
	supervisor = supervisor_new();
	started = start_workers(supervisor, service);
	if (started) {
		notify_ready("Running");
		while (supervisor_watch(supervisor) == SUPERVISOR_RELOAD)
			service = reload(supervisor, service);
		notify_stopping();
	}
	supervisor_stop(supervisor);
	if (handed_over < 0)
		unlink(text_string(arena, config->socket));
	free_service(service);
	return started ? 0 : 1;
}

int
serve_error_pages(
    struct arena *arena, const struct config *config, struct text folder)
{
	const struct views *views = open_views(arena, config);

	if (views == NULL)
		return 1;
	return error_pages_write(arena, views, folder) ? 0 : 1;
}

/* `tally up` */

static bool
start_site(struct arena *arena, struct supervisor *supervisor,
    struct service *service, struct nginx *nginx)
{
	folder_start_redis(arena, supervisor, &service->config);
	if (!open_site(arena, service))
		return false;
	if (start_workers(supervisor, service) &&
	    nginx_start(nginx, supervisor))
		return true;
	log_line("the site did not start; nginx-error.log may say why");
	return false;
}

static struct service *
run_site(struct supervisor *supervisor, struct service *service)
{
	struct service *old;

	printf("Tally is at http://localhost:%lld/ (Ctrl-C stops it)\n",
	    (long long)service->config.port);
	fflush(stdout);
	while (supervisor_watch(supervisor) == SUPERVISOR_RELOAD) {
		old = service;
		service = reload(supervisor, old);
		if (service != old)
			(void)error_pages_write(&service->arena,
			    service->app.views, TEXT("errors"));
	}
	return service;
}

int
serve_up(struct arena *arena, struct config *config, struct text folder)
{
	struct service *service = first_service(config);
	struct supervisor *supervisor;
	struct nginx *nginx;
	bool started;

	service->folders = folders_of(WITH_REDIS);
	folder_enter(arena, folder);
	service->folders.works = folders_of(WITH_REDIS).works;
	if (folder_lock() == FOLDER_IN_USE)
		log_fatal(
		    "a site is running in %.*s already", TEXT_ARGS(folder));
	nginx = nginx_prepare(arena, config);
	if (!error_pages_write(arena, service->app.views, TEXT("errors")))
		return 1;
	service->listener = listener_at(arena, TEXT("tally.sock"));
	supervisor = supervisor_new();
	started = start_site(arena, supervisor, service, nginx);
	if (started)
		service = run_site(supervisor, service);
	supervisor_stop(supervisor);
	nginx_free(nginx);
	free_service(service);
	return started ? 0 : 1;
}

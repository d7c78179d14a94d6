#include "server/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/background.h"
#include "base/cache.h"
#include "base/event.h"
#include "base/log.h"
#include "base/password.h"
#include "lists/read_cache.h"
#include "lists/vote_rings_known.h"
#include "os/privileges.h"
#include "os/sandbox.h"
#include "os/supervisor.h"
#include "os/systemd.h"
#include "redis/redis.h"
#include "server/aof_repair.h"
#include "server/assets.h"
#include "server/error_pages.h"
#include "server/function_loader.h"
#include "server/nginx.h"
#include "server/relay_process.h"
#include "server/site_dir.h"
#include "server/worker.h"
#include "store/site.h"
#include "store/user.h"
#include "store/versions.h"

enum {
	/* Of each worker: lines of 1 KB, and lists of 25 of them; texts and comments,
	 * the largest as well, since they took the longest to render; and cards of
	 * comments that are not the whole of a page. */
	KEPT_LINES = 768,
	KEPT_LINE_MAX = 4096,
	KEPT_TEXTS = 512,
	KEPT_TEXT_MAX = RULE_WHOLE_BYTES + 128 * 1024, /* and its source */
	KEPT_TEXTS_MAX = 16 * 1024 * 1024,
	KEPT_COMMENTS = 2048,
	KEPT_COMMENT_MAX = RULE_WHOLE_BYTES + 1024,
	KEPT_COMMENTS_MAX = 32 * 1024 * 1024,
	KEPT_CARDS = 2048,
	KEPT_CARD_MAX = RULE_EXCERPT_BYTES + 8192,
	KEPT_CARDS_MAX = 16 * 1024 * 1024,
	KEPT_LISTS = 16,
	KEPT_LIST_MAX = 64 * 1024,
	/* Connections beyond these are refused; as in
	 * src/deploy/tally.socket. */
	BACKLOG = 1024
};

/*
 * What workers run with. It is made before they are forked; a reload makes
 * another one.
 */
struct service {
	struct arena arena; /* has the service itself */
	struct config config;
	struct store store;
	struct settings settings; /* as they were at the start */
	struct app app;
	struct relay_process relay;
	int listener;
	/* Whether nginx is the site's own, as in `tally up`; and Redis, too,
	 * unless one is named. */
	enum service_kind { WORKERS_ALONE, WHOLE_SITE } kind;
	bool own_redis;
};

static void
free_service(struct service *service)
{
	struct arena arena = service->arena;

	password_file_close(service->app.breached);
	arena_free(&arena);
}

/* Reads the owner's and the program's files; false, and logged, when they are wrong. */
static bool
read_files(struct service *service)
{
	return assets_find_overrides(&service->arena, &service->config,
		   service->kind == WHOLE_SITE ? ASSETS_SITE_OVERRIDES
					       : ASSETS_SERVICE_OVERRIDES) &&
	    assets_open(&service->arena, &service->config, &service->app);
}

/* From the settings as they are now; NULL, and logged, when they are wrong. */
static struct service *
new_service(enum service_kind kind)
{
	struct arena arena = { 0 };
	struct service *service = arena_new(&arena, struct service, 1);

	service->arena = arena;
	service->kind = kind;
	service->app.store = &service->store;
	service->relay =
	    (struct relay_process){ &service->config, &service->store };
	if (config_read(&service->arena, &service->config))
		return service;
	free_service(service);
	return NULL;
}

/* The same with files. */
static struct service *
new_service_with_files(enum service_kind kind)
{
	struct service *service = new_service(kind);

	if (service == NULL || read_files(service))
		return service;
	free_service(service);
	return NULL;
}

/* Loads the functions and reads what the site was created with. */
static bool
open_site(struct service *service)
{
	struct store *store = &service->store;
	struct text why = TEXT("Redis does not answer");
	enum store_result result;

	if (service->config.redis.size == 0) {
		log_line("TALLY_REDIS is not set: it names the Redis to use");
		return false;
	}
	if (!function_loader_load(&service->config,
		service->own_redis ? FUNCTION_LOADER_OWN_REDIS
				   : FUNCTION_LOADER_NAMED_REDIS))
		return false;
	store->rules = service->config.rules;
	store->redis =
	    config_open_redis(&service->config, &service->config.web);
	result = site_open(store, &service->arena, &why);
	if (result == STORE_OK)
		result = user_list_moderators(store);
	if (result == STORE_OK)
		result =
		    settings_get(store, &service->arena, &service->settings);
	redis_close(store->redis);
	if (result != STORE_OK)
		log_line("%.*s", TEXT_ARGS(why));
	return result == STORE_OK;
}

/* With one bucket a list reads its versions as cheaply as it knows them. */
static struct versions_known *
open_versions(struct service *service)
{
	uint64_t buckets = service->store.rules.buckets;
	int64_t fresh = service->config.fresh;

	if (fresh < 0)
		fresh = buckets > 1 ? VERSIONS_DEFAULT_MS : 0;
	return fresh == 0 ? NULL
			  : versions_new(&service->arena, buckets, fresh,
				service->config.stale * 1000);
}

static void
run_worker(void *data)
{
	struct service *service = data;

	process_init(PRIVILEGES_NONE);
	config_wipe_admin(&service->config);
	service->store.redis =
	    config_open_redis(&service->config, &service->config.web);
	if (!redis_resolve(service->store.redis))
		_exit(1);
	service->store.known = open_versions(service);
	service->app.settings = settings_known_new(&service->settings);
	service->app.read_cache = read_cache_new();
	service->app.rings = vote_rings_cache_new();
	service->app.expensive = arena_new(&service->arena, size_t, 1);
	service->app.row_cache = cache_new(KEPT_LINES, KEPT_LINE_MAX);
	service->app.html_cache =
	    cache_new_bounded(KEPT_TEXTS, KEPT_TEXT_MAX, KEPT_TEXTS_MAX);
	service->app.body_cache = cache_new_bounded(
	    KEPT_COMMENTS, KEPT_COMMENT_MAX, KEPT_COMMENTS_MAX);
	service->app.comment_cache =
	    cache_new_bounded(KEPT_CARDS, KEPT_CARD_MAX, KEPT_CARDS_MAX);
	service->app.list_cache = cache_new(KEPT_LISTS, KEPT_LIST_MAX);
	service->app.background = background_new();
	sandbox_enter(redis_is_local(service->store.redis) ? SANDBOX_UNIX_SOCKET
							   : SANDBOX_NETWORK);
	worker_run(&service->app, service->listener);
}

static bool
start_workers(struct supervisor *supervisor, struct service *service)
{
	return supervisor_set_workers(
	    supervisor, (size_t)service->config.workers, run_worker, service);
}

static bool
write_error_pages(struct service *service, struct text folder)
{
	return error_pages_write(&service->arena, &service->app, folder);
}

/* What nginx serves by itself. */
static void
renew_files(struct service *service)
{
	if (service->kind == WHOLE_SITE &&
	    !(write_error_pages(service, TEXT("errors")) &&
		nginx_copy_files(&service->arena, &service->config)))
		log_line("nginx goes on with the files that it had");
}

/* Returns the service whose workers run now: the old one when a setting or
 * template is wrong, or the new workers do not start. */
static struct service *
reload(struct supervisor *supervisor, struct service *old)
{
	struct service *service;

	systemd_reloading();
	service = new_service_with_files(old->kind);
	if (service != NULL) {
		service->listener = old->listener;
		service->own_redis = old->own_redis;
		if (service->own_redis) {
			service->config.redis = old->config.redis;
			service->config.web = old->config.web;
		}
		if (open_site(service) && start_workers(supervisor, service)) {
			relay_process_start(supervisor, &service->relay);
			free_service(old);
			renew_files(service);
			event_log(&(struct event){ .name = EVENT_RELOADED });
			systemd_ready("Running, reloaded");
			return service;
		}
		free_service(service);
	}
	log_line("the reload is refused, and everything goes on as it was");
	systemd_ready("Running; the last reload was refused, see the log");
	return old;
}

/* Returns, when a stop is requested, the service whose workers run then. */
static struct service *
watch(struct supervisor *supervisor, struct service *service)
{
	event_log(&(struct event){ .name = EVENT_STARTED });
	systemd_ready("Running");
	while (supervisor_watch(supervisor) == SUPERVISOR_RELOAD)
		service = reload(supervisor, service);
	systemd_stopping();
	event_log(&(struct event){ .name = EVENT_STOPPED });
	return service;
}

/* A unix socket in place of what was there, for its owner and group, that
 * does not block. */
static int
listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		log_fatal("the path of the socket is too long: %s", path);
	memcpy(address.sun_path, path, strlen(path));
	unlink(path);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    chmod(path, 0660) != 0 || listen(listener, BACKLOG) != 0)
		log_fatal("cannot listen on %s: %s", path, strerror(errno));
	return listener;
}

int
serve_workers(void)
{
	struct service *service = new_service_with_files(WORKERS_ALONE);
	struct supervisor *supervisor;
	struct arena arena = { 0 };
	int passed;
	char *path;
	bool started;

	if (service == NULL)
		return 1;
	passed = systemd_listener();
	if (!open_site(service)) {
		free_service(service);
		return 1;
	}
	path = text_string(&arena, service->config.socket);
	service->listener = passed >= 0 ? passed : listen_at(path);
	supervisor = supervisor_new();
	background_limit_cpus();
	function_loader_start(supervisor, &service->config);
	relay_process_start(supervisor, &service->relay);
	started = start_workers(supervisor, service);
	if (started)
		service = watch(supervisor, service);
	supervisor_stop(supervisor);
	free_service(service);
	if (passed < 0)
		unlink(path);
	arena_free(&arena);
	return started ? 0 : 1;
}

int
serve_error_pages(struct text folder)
{
	struct service *service = new_service_with_files(WORKERS_ALONE);
	bool good = service != NULL && write_error_pages(service, folder);

	if (service != NULL)
		free_service(service);
	return good ? 0 : 1;
}

static bool
start_site(struct arena *arena, struct supervisor *supervisor,
    struct service *service, struct nginx *nginx)
{
	if (service->own_redis)
		site_dir_start_redis(arena, supervisor, &service->config);
	if (!open_site(service))
		return false;
	function_loader_start(supervisor, &service->config);
	relay_process_start(supervisor, &service->relay);
	if (start_workers(supervisor, service) &&
	    nginx_start(nginx, supervisor)) {
		printf("Tally is at http://localhost:%lld/ "
		       "(Ctrl-C stops it)\n",
		    (long long)service->config.port);
		fflush(stdout);
		return true;
	}
	log_line("the site did not start; nginx-error.log may say why");
	return false;
}

/* Enters the folder, with nobody else in it. */
static void
prepare_folder(struct arena *arena, const struct service *service,
    struct text folder, enum serve_repair repair)
{
	if (!service->own_redis) {
		log_line("TALLY_REDIS is set: the site uses the Redis at %.*s, "
			 "and starts none of its own",
		    TEXT_ARGS(service->config.redis));
		if (repair == SERVE_REPAIR)
			log_fatal("--repair is for the Redis in the folder of "
				  "a site, without TALLY_REDIS");
	}
	site_dir_enter(arena, folder);
	if (!site_dir_lock())
		log_fatal(
		    "a site is running in %.*s already", TEXT_ARGS(folder));
	if (repair == SERVE_REPAIR && !aof_repair_run(arena))
		exit(1);
}

int
serve_up(struct text folder, enum serve_repair repair)
{
	struct arena arena = { 0 }; /* for as long as the site runs */
	struct service *service = new_service(WHOLE_SITE);
	struct supervisor *supervisor;
	struct nginx *nginx;
	bool started;

	if (service == NULL)
		return 1;
	service->own_redis = service->config.redis.size == 0;
	prepare_folder(&arena, service, folder, repair);
	if (!read_files(service))
		exit(1);
	nginx = nginx_prepare(&arena, &service->config);
	if (!write_error_pages(service, TEXT("errors")))
		exit(1);
	service->listener = listen_at("tally.sock");
	supervisor = supervisor_new();
	background_limit_cpus();
	started = start_site(&arena, supervisor, service, nginx);
	if (started)
		service = watch(supervisor, service);
	supervisor_stop(supervisor);
	free_service(service);
	arena_free(&arena);
	return started ? 0 : 1;
}

/*
 * The order of start, and the user at each step. `tally up`, when started as root:
 *
 *	1  read the settings			root
 *	2  enter the folder, chown its files	root
 *	   -------- privileges_assume --------
 *	3  lock the folder; --repair		user, with root as the saved id:
 *	4  read the templates and styles,	  raised only to read files that
 *	   test nginx's port			  settings name, and to test the port
 *	5  listen on tally.sock, metrics.sock,	user
 *	   search.sock
 *	6  fork the processes; each first drops root permanently:
 *		Redis				user
 *		function loader, until done	user, logged in to Redis as its admin
 *		function loader			the same; with several Redis, for new masters,
 *						and while data are moved on
 *		relay				user, in the sandbox
 *		search, its readers		user, in the sandbox, with one folder
 *		metrics				user, in the sandbox
 *		workers				user, in the sandbox
 *		nginx				user, with CAP_NET_BIND_SERVICE if needed
 *	7  watch them, until a stop is requested
 *
 * They are stopped in reverse order: nginx takes no more requests, workers finish theirs,
 * and Redis is last. With TALLY_REDIS set no Redis is started. `tally serve` leaves out 2,
 * 3, Redis and nginx, may get its socket from systemd, and does not change its user, which
 * the systemd unit sets.
 *
 * A reload makes a second struct service from the present settings and files, starts
 * workers with it, and only once these run lets the old ones finish.
 */
#include "server/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/background.h"
#include "base/cache.h"
#include "base/counters.h"
#include "base/event.h"
#include "base/log.h"
#include "base/password.h"
#include "lists/read_cache.h"
#include "lists/vote_rings.h"
#include "os/local_socket.h"
#include "os/privileges.h"
#include "os/sandbox.h"
#include "os/supervisor.h"
#include "os/systemd.h"
#include "pages/etag.h"
#include "pages/visitors.h"
#include "redis/redis.h"
#include "search/answers.h"
#include "server/aof_repair.h"
#include "server/assets.h"
#include "server/error_pages.h"
#include "server/function_loader.h"
#include "server/link_print.h"
#include "server/metrics_process.h"
#include "server/nginx.h"
#include "server/relay_process.h"
#include "server/search_process.h"
#include "server/site_dir.h"
#include "server/worker.h"
#include "store/keys.h"
#include "store/lease.h"
#include "store/move.h"
#include "store/pace.h"
#include "store/site.h"
#include "store/user.h"
#include "store/versions.h"

enum {
	/* Sizes of each worker's caches of rendered HTML: some rows of a list, or comments, also
	 * compressed; what is around these on a page; and texts and comments up to the largest,
	 * which take the longest to render. */
	PIECE_CACHE_SLOTS = 512,
	PIECE_CACHE_ENTRY_MAX = 128 * 1024,
	PIECE_CACHE_MAX = 3 * 1024 * 1024,
	PART_CACHE_SLOTS = 1024,
	PART_CACHE_ENTRY_MAX = 8 * 1024,
	PART_CACHE_MAX = 512 * 1024,
	HTML_CACHE_SLOTS = 512,
	HTML_CACHE_ENTRY_MAX =
	    RULE_WHOLE_BYTES + 128 * 1024, /* and its source */
	HTML_CACHE_MAX = 16 * 1024 * 1024,
	BODY_CACHE_SLOTS = 2048,
	BODY_CACHE_ENTRY_MAX = RULE_WHOLE_BYTES + 1024,
	BODY_CACHE_MAX = 32 * 1024 * 1024,
	SEARCH_CACHE_SLOTS = 256,
	FEED_CACHE_SLOTS = 256,
	FEED_CACHE_MAX = 2 * 1024 * 1024,
	LIST_CACHE_SLOTS = 16,
	LIST_CACHE_ENTRY_MAX = 64 * 1024,
	/* Connections waiting to be accepted; as in src/deploy/tally.socket. */
	BACKLOG = 1024
};

/* The data of the workers, made before they are forked. A reload makes another one. */
struct service {
	struct arena arena; /* owns the service itself */
	struct config config;
	struct store store;
	struct settings settings; /* the owners', at the start */
	struct app app;
	struct relay_process relay;
	struct search_process search_process;
	struct metrics_process metrics;
	int listener;
	struct text search; /* the socket of the search process */
	enum service_kind { WORKERS_ALONE, WHOLE_SITE } kind;
	struct function_loader loader;
	bool own_redis; /* `tally up` without TALLY_REDIS */
	bool is_moving; /* its data are moved on from the layout before */
};

static void
free_service(struct service *service)
{
	struct arena arena = service->arena;

	password_file_close(service->app.breached);
	etags_free(service->app.etags);
	arena_free(&arena);
}

/* Reads templates and other files; false, and logged, when one is wrong. */
static bool
read_assets(struct service *service)
{
	return assets_find_overrides(&service->arena, &service->config,
		   service->kind == WHOLE_SITE ? ASSETS_SITE_OVERRIDES
					       : ASSETS_SERVICE_OVERRIDES) &&
	    assets_open(&service->arena, &service->config, &service->app);
}

/* A service with the present settings; NULL, and logged, when they are wrong. */
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
	service->search_process =
	    (struct search_process){ .config = &service->config,
		    .store = &service->store,
		    .listener = -1 };
	service->metrics = (struct metrics_process){ .config = &service->config,
		.metrics = { .store = &service->store, .started = time(NULL) },
		.listener = -1 };
	if (config_read(&service->arena, &service->config,
		kind == WHOLE_SITE ? CONFIG_NAMED : CONFIG_SERVICE))
		return service;
	free_service(service);
	return NULL;
}

/* The same with templates and other files read. */
static struct service *
new_service_with_assets(enum service_kind kind)
{
	struct service *service = new_service(kind);

	if (service == NULL || read_assets(service))
		return service;
	free_service(service);
	return NULL;
}

/* Begins to move data of the layout before on to this one. */
static enum store_result
begin_move(struct service *service)
{
	struct store *store = &service->store;
	struct move move;
	bool began;

	if (move_begin(store, &service->arena, &began) != STORE_OK ||
	    move_get(store, &service->arena, &move) != STORE_OK)
		return STORE_DOWN;
	service->is_moving = move.from != 0;
	if (began)
		log_line("the data are moved on from layout %.*s to %.*s while "
			 "the site is used; from now on the former Tally "
			 "cannot open them",
		    TEXT_ARGS(KEYS_VERSION_BEFORE), TEXT_ARGS(KEYS_VERSION));
	else if (service->is_moving)
		log_line("%d %% of the data are moved on to layout %.*s; the "
			 "rest follows",
		    move_percent(&move), TEXT_ARGS(KEYS_VERSION));
	return STORE_OK;
}

/* What the owners stored wins over the settings of the start. */
static void
report_stored_rules(const struct service *service, int64_t vote_score)
{
	struct config defaults = config_defaults();
	const struct rules *asked = &service->config.rules;
	int64_t interesting = settings_interesting(&service->settings);

	if (interesting > 0 && asked->interesting != interesting &&
	    asked->interesting != defaults.rules.interesting)
		log_line("TALLY_INTERESTING is %lld, and the owners have set "
			 "%lld on /settings/site, which is used",
		    (long long)asked->interesting, (long long)interesting);
	if (asked->vote_score > 0 && asked->vote_score != vote_score)
		log_line("TALLY_VOTE_SCORE is %lld, and the site has %lld, "
			 "which is used: owners can change it on "
			 "/settings/site",
		    (long long)asked->vote_score, (long long)vote_score);
}

/* Loads the functions, and reads the fixed rules and the owners' settings from Redis. */
static bool
open_site(struct service *service)
{
	struct store *store = &service->store;
	struct text why = TEXT("Redis does not answer");
	enum store_result result;
	struct pace pace;

	if (service->config.redis.size == 0) {
		log_line("TALLY_REDIS is not set: it must name the Redis to "
			 "use, in the environment or the file of settings");
		return false;
	}
	if (!function_loader_load(&service->config,
		service->own_redis ? FUNCTION_LOADER_OWN_REDIS
				   : FUNCTION_LOADER_NAMED_REDIS))
		return false;
	store->rules = service->config.rules;
	store->redis =
	    config_open_redis(&service->config, &service->config.web);
	redis_set_timeout(store->redis, CONFIG_START_TIMEOUT_MS);
	result = site_open(store, &service->arena, &why);
	if (result == STORE_OK)
		result = begin_move(service);
	if (result == STORE_OK)
		result = user_index_moderators(store);
	if (result == STORE_OK)
		result = versions_note_interesting(store, &service->arena);
	if (result == STORE_OK)
		result = settings_note_authority(
		    store, &service->arena, service->config.origin);
	if (result == STORE_OK)
		result =
		    settings_get(store, &service->arena, &service->settings);
	if (result == STORE_OK)
		result = pace_get(store, &service->arena, &pace);
	redis_close(store->redis);
	if (result != STORE_OK)
		log_line("%.*s", TEXT_ARGS(why));
	else
		report_stored_rules(service, pace.wanted);
	return result == STORE_OK;
}

/* Prints a link as long as the site has no owner. It runs without one, too. */
static void
offer_ownership(struct service *service)
{
	struct store *store = &service->store;
	enum store_result result;

	store->redis =
	    config_open_redis(&service->config, &service->config.web);
	redis_set_timeout(store->redis, CONFIG_START_TIMEOUT_MS);
	result = link_print_owner(store, &service->arena, &service->config);
	redis_close(store->redis);
	if (result != STORE_OK && result != STORE_TAKEN)
		log_line("cannot make a link for becoming the owner: if the "
			 "site has none, run tally user owner-link");
}

/* The cache of versions, or NULL: with one bucket, reading them is as cheap. */
static struct versions_cache *
open_versions(struct service *service)
{
	uint64_t buckets = service->store.rules.buckets;
	int64_t fresh = service->config.fresh;

	if (fresh < 0)
		fresh = buckets > 1 ? VERSIONS_DEFAULT_MS : 0;
	return fresh == 0 ? NULL
			  : versions_cache_new(&service->arena, buckets, fresh,
				service->config.stale * 1000);
}

static void
run_worker(void *data)
{
	struct service *service = data;

	process_init(PRIVILEGES_NONE);
	config_wipe_admin(&service->config);
	if (service->metrics.listener >= 0)
		close(service->metrics.listener);
	if (service->search_process.listener >= 0)
		close(service->search_process.listener);
	service->store.redis =
	    config_open_redis(&service->config, &service->config.web);
	if (!redis_resolve(service->store.redis))
		_exit(1);
	service->app.search =
	    search_client_open(&service->arena, service->search);
	service->store.versions = open_versions(service);
	service->app.settings = settings_cache_new(&service->settings);
	service->app.read_cache = read_cache_new();
	service->app.queue = arena_new(&service->arena, struct queue_length, 1);
	service->app.rings = vote_rings_cache_new();
	service->app.visitors = visitors_new(service->config.visitors_share);
	service->app.lease = arena_new(&service->arena, struct lease, 1);
	service->app.expensive = arena_new(&service->arena, size_t, 1);
	service->app.write_check =
	    arena_new(&service->arena, struct write_check, 1);
	service->app.piece_cache = cache_new_bounded(
	    PIECE_CACHE_SLOTS, PIECE_CACHE_ENTRY_MAX, PIECE_CACHE_MAX);
	service->app.part_cache = cache_new_bounded(
	    PART_CACHE_SLOTS, PART_CACHE_ENTRY_MAX, PART_CACHE_MAX);
	service->app.feed_cache = cache_new_bounded(
	    FEED_CACHE_SLOTS, RESPONSE_MAX_PUBLIC + 1024, FEED_CACHE_MAX);
	service->app.html_cache = cache_new_bounded(
	    HTML_CACHE_SLOTS, HTML_CACHE_ENTRY_MAX, HTML_CACHE_MAX);
	service->app.body_cache = cache_new_bounded(
	    BODY_CACHE_SLOTS, BODY_CACHE_ENTRY_MAX, BODY_CACHE_MAX);
	service->app.list_cache =
	    cache_new(LIST_CACHE_SLOTS, LIST_CACHE_ENTRY_MAX);
	service->app.search_cache =
	    cache_new(SEARCH_CACHE_SLOTS, SEARCH_KEPT_BYTES);
	service->app.background = background_new();
	sandbox_enter(redis_is_local(service->store.redis)
		? SANDBOX_UNIX_SOCKET
		: SANDBOX_UNIX_SOCKET_AND_NETWORK);
	worker_run(&service->app, service->listener);
}

static bool
start_workers(struct supervisor *supervisor, struct service *service)
{
	service->app.etags = etags_new(&service->arena);
	return supervisor_set_workers(
	    supervisor, (size_t)service->config.workers, run_worker, service);
}

static bool
write_error_pages(struct service *service, struct text folder)
{
	return error_pages_write(&service->arena, &service->app, folder);
}

/* Updates the files that nginx serves by itself. */
static void
update_nginx_files(struct service *service)
{
	if (service->kind == WHOLE_SITE &&
	    !(write_error_pages(service, TEXT("errors")) &&
		nginx_copy_files(&service->arena, &service->config)))
		log_line("nginx keeps serving its previous files");
}

/* Starts the processes beside the workers, or replaces them by those of a new service. */
static void
start_helpers(struct supervisor *supervisor, struct service *service)
{
	service->metrics.metrics.workers = service->config.workers;
	if (search_process_is_wanted(&service->search_process))
		service->metrics.metrics.search = service->search_process.state;
	service->loader = (struct function_loader){ &service->config,
		service->own_redis ? FUNCTION_LOADER_OWN_REDIS
				   : FUNCTION_LOADER_NAMED_REDIS,
		service->is_moving };
	function_loader_start(supervisor, &service->loader);
	relay_process_start(supervisor, &service->relay);
	search_process_start(supervisor, &service->search_process);
	metrics_process_start(supervisor, &service->metrics);
}

/* The folder of the index; empty without search. */
static struct text
search_folder(const struct service *service)
{
	return service->kind == WHOLE_SITE ? TEXT("search")
					   : service->config.search;
}

/* Returns the service whose workers run afterwards: the old one if a setting or template
 * is wrong, or if the new workers do not start. */
static struct service *
reload_site(struct supervisor *supervisor, struct service *old)
{
	struct service *service;

	systemd_reloading();
	service = new_service_with_assets(old->kind);
	if (service != NULL) {
		service->listener = old->listener;
		service->search = text_copy(&service->arena, old->search);
		service->metrics.listener = old->metrics.listener;
		service->search_process.listener = old->search_process.listener;
		service->search_process.state = old->search_process.state;
		service->search_process.folder = search_folder(service);
		service->metrics.metrics.started = old->metrics.metrics.started;
		service->own_redis = old->own_redis;
		if (service->own_redis) {
			service->config.redis = old->config.redis;
			service->config.web = old->config.web;
		}
		if (open_site(service) && start_workers(supervisor, service)) {
			start_helpers(supervisor, service);
			free_service(old);
			update_nginx_files(service);
			event_log(&(struct event){ .name = EVENT_RELOADED });
			systemd_ready("Running, reloaded");
			return service;
		}
		free_service(service);
	}
	log_line(
	    "reload failed: continuing with the previous settings and files");
	systemd_ready("Running; the last reload failed, see the log");
	return old;
}

/* Returns the service whose workers run when a stop is requested. */
static struct service *
watch_site(struct supervisor *supervisor, struct service *service)
{
	event_log(&(struct event){ .name = EVENT_STARTED });
	systemd_ready("Running");
	offer_ownership(service);
	while (supervisor_watch(supervisor) == SUPERVISOR_RELOAD)
		service = reload_site(supervisor, service);
	systemd_stopping();
	event_log(&(struct event){ .name = EVENT_STOPPED });
	return service;
}

/* For requests, with which the site cannot do without. */
static int
listen_on(struct text address)
{
	int listener = local_socket_listen(address, BACKLOG);

	if (listener < 0)
		exit(1);
	return listener;
}

/* Opens the socket of search at an address, unless systemd has passed it: -1. */
static void
open_search(struct service *service, struct text address, int passed)
{
	struct search_process *search = &service->search_process;

	search->state = search_state_new();
	search->folder = search_folder(service);
	search->listener = passed;
	if (passed < 0 && search->folder.size > 0)
		search->listener = local_socket_listen(address, SEARCH_BACKLOG);
}

/* Metrics must never keep a site from starting. */
static int
listen_for_metrics(struct service *service, struct text socket)
{
	return local_socket_listen(
	    config_metrics_address(&service->arena, &service->config, socket),
	    METRICS_BACKLOG);
}

/* Uses the sockets that systemd passed, or opens them. */
static void
open_listeners(struct service *service, struct systemd_listeners passed)
{
	struct text socket = service->config.socket;

	service->search = config_search_socket(&service->arena, socket);
	service->listener =
	    passed.requests >= 0 ? passed.requests : listen_on(socket);
	service->metrics.listener = passed.metrics >= 0
	    ? passed.metrics
	    : listen_for_metrics(service, socket);
	open_search(service, service->search, passed.search);
}

int
serve_workers(void)
{
	struct service *service = new_service_with_assets(WORKERS_ALONE);
	struct supervisor *supervisor;
	struct systemd_listeners passed;
	struct arena arena = { 0 };
	char *path;
	bool started;

	if (service == NULL)
		return 1;
	passed = systemd_listeners();
	if (!open_site(service)) {
		free_service(service);
		return 1;
	}
	path = text_string(&arena, service->config.socket);
	open_listeners(service, passed);
	counters_share();
	supervisor = supervisor_new();
	background_limit_cpus();
	start_helpers(supervisor, service);
	started = start_workers(supervisor, service);
	if (started)
		service = watch_site(supervisor, service);
	supervisor_stop(supervisor);
	free_service(service);
	if (passed.requests < 0)
		unlink(path);
	arena_free(&arena);
	return started ? 0 : 1;
}

int
serve_error_pages(struct text folder)
{
	struct service *service = new_service_with_assets(WORKERS_ALONE);
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
	start_helpers(supervisor, service);
	if (start_workers(supervisor, service) &&
	    nginx_start(nginx, supervisor)) {
		printf("Tally is at http://localhost:%lld/ "
		       "(Ctrl-C stops it)\n",
		    (long long)service->config.port);
		fflush(stdout);
		return true;
	}
	log_line("the site did not start; see nginx-error.log");
	return false;
}

/* Enters and locks the folder, and repairs Redis's file if asked to. */
static void
prepare_folder(struct arena *arena, const struct service *service,
    struct text folder, enum serve_repair repair)
{
	if (!service->own_redis) {
		log_line("TALLY_REDIS is set: using the Redis at %.*s instead "
			 "of starting one",
		    TEXT_ARGS(service->config.redis));
		if (repair == SERVE_REPAIR)
			log_fatal(
			    "--repair cannot be used with TALLY_REDIS: it is "
			    "for the Redis in a site's folder");
	}
	site_dir_enter(arena, folder);
	if (!site_dir_lock())
		log_fatal(
		    "a site is already running in %.*s", TEXT_ARGS(folder));
	if (repair == SERVE_REPAIR && !aof_repair_run(arena))
		exit(1);
}

int
serve_up(struct text folder, enum serve_repair repair)
{
	struct arena arena = { 0 }; /* lives as long as the site runs */
	struct service *service = new_service(WHOLE_SITE);
	struct supervisor *supervisor;
	struct nginx *nginx;
	bool started;

	if (service == NULL)
		return 1;
	service->own_redis = service->config.redis.size == 0;
	prepare_folder(&arena, service, folder, repair);
	if (!read_assets(service))
		exit(1);
	nginx = nginx_prepare(&arena, &service->config);
	if (!write_error_pages(service, TEXT("errors")))
		exit(1);
	service->search =
	    config_search_socket(&service->arena, TEXT("tally.sock"));
	service->listener = listen_on(TEXT("tally.sock"));
	service->metrics.listener =
	    listen_for_metrics(service, TEXT("tally.sock"));
	open_search(service, service->search, -1);
	counters_share();
	supervisor = supervisor_new();
	background_limit_cpus();
	started = start_site(&arena, supervisor, service, nginx);
	if (started)
		service = watch_site(supervisor, service);
	supervisor_stop(supervisor);
	free_service(service);
	arena_free(&arena);
	return started ? 0 : 1;
}

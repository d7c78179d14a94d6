#include "process/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "pages/shelf.h"
#include "process/folder.h"
#include "process/sandbox.h"
#include "process/supervisor.h"
#include "process/worker.h"
#include "store/cache.h"
#include "store/redis.h"
#include "store/site.h"

enum { BACKLOG = 1024, STARTS_MS = 15000, POLL_MS = 20 };

/* Of each worker: lines of 1 KB, and pages of 25 of them. */
enum { KEPT_LINES = 768, KEPT_PAGES = 16 };

/* What a worker needs; it is made before the fork, and shared with it. */
struct service {
	struct config *config;
	struct store store;
	struct app app;
	const char *nginx; /* the program; of `tally up` alone */
	int listener;
};

static struct redis *
open_redis(const struct config *config, const struct config_login *login)
{
	struct redis *redis =
	    redis_open(config->redis, login->user, login->password);

	if (redis == NULL)
		log_fatal("TALLY_REDIS is unix:/path or host:port, not "
			  "\"%.*s\"",
		    TEXT_ARGS(config->redis));
	return redis;
}

static const struct views *
open_views(struct arena *arena, const struct config *config)
{
	struct mustache_error error;
	struct text folder =
	    text_join(arena, config->share, TEXT("/templates"));
	const struct views *views =
	    views_open(arena, text_string(arena, folder), &error);

	if (views == NULL)
		log_fatal("%.*s/%.*s.mustache:%d:%d: %s", TEXT_ARGS(folder),
		    TEXT_ARGS(error.template), error.line, error.column,
		    error.message);
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
	enum store_result result;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (service->nginx != NULL)
			folder_use_redis(arena, service->config);
		store.redis =
		    open_redis(service->config, &service->config->admin);
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

	store->rules = service->config->rules;
	store->redis = open_redis(service->config, &service->config->web);
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

	config_forget_admin(service->config);
	service->store.redis =
	    open_redis(service->config, &service->config->web);
	if (!redis_resolve(service->store.redis))
		_exit(1);
	service->store.cache = cache_new(service->store.rules.buckets);
	service->app.lines = shelf_new(KEPT_LINES);
	service->app.pages = shelf_new(KEPT_PAGES);
	sandbox_enter();
	worker_run(&service->app, service->listener);
	_exit(0);
}

static int
listen_at(struct arena *arena, struct text path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int listener =
	    socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	const char *name = text_string(arena, path);

	if (path.size >= sizeof(address.sun_path))
		log_fatal("%s: the path of a socket is shorter", name);
	memcpy(address.sun_path, name, path.size);
	unlink(name);
	if (listener < 0 ||
	    bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
	    chmod(name, 0660) != 0 || listen(listener, BACKLOG) != 0)
		log_fatal(
		    "%s cannot be listened on: %s", name, strerror(errno));
	return listener;
}

static void
start_workers(struct supervisor *supervisor, struct service *service)
{
	for (int64_t i = 0; i < service->config->workers; i++)
		supervisor_add(
		    supervisor, "a worker", SIGTERM, run_worker, service);
}

int
serve_workers(struct arena *arena, struct config *config)
{
	struct service service = { .config = config,
		.app = { .views = open_views(arena, config),
		    .origin = config->origin } };
	struct supervisor *supervisor;

	service.app.store = &service.store;
	if (config->redis.size == 0)
		log_fatal("`tally serve` needs TALLY_REDIS");
	if (!open_site(arena, &service))
		return 1;
	service.listener = listen_at(arena, config->socket);
	supervisor = supervisor_new();
	start_workers(supervisor, &service);
	supervisor_watch(supervisor);
	supervisor_stop(supervisor);
	unlink(text_string(arena, config->socket));
	return 0;
}

/* nginx, for `tally up` alone. */

static struct text
replaced(
    struct arena *arena, struct text text, struct text mark, struct text value)
{
	const char *found = memmem(text.data, text.size, mark.data, mark.size);
	size_t at;

	if (found == NULL)
		return text;
	at = (size_t)(found - text.data);
	return text_format(arena, "%.*s%.*s%.*s",
	    TEXT_ARGS(text_slice(text, 0, at)), TEXT_ARGS(value),
	    TEXT_ARGS(text_slice(text, at + mark.size, text.size)));
}

static struct text
read_file(struct arena *arena, const char *path)
{
	enum { MOST = 64 * 1024 };
	char *data = arena_bytes(arena, MOST);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = file < 0 ? -1 : read(file, data, MOST);

	if (size < 0)
		log_fatal("%s cannot be read: %s", path, strerror(errno));
	close(file);
	return (struct text){ data, (size_t)size };
}

/* The folder has all that nginx's configuration names, under short names. */
static void
write_nginx_config(struct arena *arena, const struct config *config)
{
	struct text share = config->share, text;

	folder_link(arena, "static", text_join(arena, share, TEXT("/static")));
	folder_link(arena, "nginx", text_join(arena, share, TEXT("/nginx")));
	text = read_file(arena, "nginx/up.conf");
	text = replaced(arena, text, TEXT("@LISTEN@"),
	    text_format(arena, "%.*s:%lld", TEXT_ARGS(config->address),
		(long long)config->port));
	text = replaced(arena, text, TEXT("@CACHE_OFF@"),
	    config->cache == 0 ? TEXT("1") : TEXT("0"));
	text = replaced(arena, text, TEXT("@USER@"),
	    geteuid() == 0 ? TEXT("user root;") : TEXT(""));
	folder_write(arena, "nginx.conf", text);
	mkdir("nginx-temp", 0700);
}

static void
run_nginx(void *data)
{
	const struct service *service = data;

	execl(service->nginx, "nginx", "-p", ".", "-c", "nginx.conf", "-e",
	    "nginx-error.log", (char *)NULL);
	log_line("nginx cannot be started: %s", strerror(errno));
	_exit(127);
}

static struct addrinfo *
resolve(struct arena *arena, const struct config *config)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE },
			*found = NULL;
	int error = getaddrinfo(text_string(arena, config->address),
	    text_string(arena, text_number(arena, config->port)), &hints,
	    &found);

	if (error != 0)
		log_fatal(
		    "TALLY_ADDRESS is no address: %s", gai_strerror(error));
	return found;
}

static int
open_socket(const struct addrinfo *address)
{
	int made = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (made < 0)
		log_fatal("a socket cannot be made: %s", strerror(errno));
	return made;
}

/* nginx would say so as well, but in its log and after everything started. */
static void
check_port(const struct config *config, const struct addrinfo *address)
{
	int on = 1, probe = open_socket(address);

	setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(probe, address->ai_addr, address->ai_addrlen) != 0)
		log_fatal("port %lld cannot be used: %s",
		    (long long)config->port, strerror(errno));
	close(probe);
}

/* Whether a page can be had. */
static bool
answers(const struct addrinfo *address)
{
	static const char request[] =
	    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: "
	    "close\r\n\r\n";
	struct timeval timeout = { 2, 0 };
	char answer[16] = { 0 };
	int connection = open_socket(address);
	bool good;

	setsockopt(
	    connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
	good =
	    connect(connection, address->ai_addr, address->ai_addrlen) == 0 &&
	    send(connection, request, sizeof(request) - 1, MSG_NOSIGNAL) > 0 &&
	    recv(connection, answer, sizeof(answer) - 1, MSG_WAITALL) > 0 &&
	    strncmp(answer, "HTTP/1.1 200", 12) == 0;
	close(connection);
	return good;
}

static bool
wait_for_pages(struct supervisor *supervisor, const struct addrinfo *address)
{
	for (int waited = 0; waited < STARTS_MS; waited += POLL_MS) {
		if (answers(address))
			return true;
		if (supervisor_has_trouble(supervisor, POLL_MS))
			return false;
	}
	return false;
}

static bool
start_site(struct arena *arena, struct supervisor *supervisor,
    struct service *service, const struct addrinfo *address)
{
	folder_start_redis(arena, supervisor, service->config);
	if (!open_site(arena, service))
		return false;
	start_workers(supervisor, service);
	supervisor_add(supervisor, "nginx", SIGQUIT, run_nginx, service);
	if (wait_for_pages(supervisor, address))
		return true;
	log_line("the site did not start; nginx-error.log may say why");
	return false;
}

int
serve_up(struct arena *arena, struct config *config, struct text folder)
{
	struct service service = { .config = config,
		.app = { .views = open_views(arena, config),
		    .origin = config->origin } };
	struct addrinfo *address = resolve(arena, config);
	struct supervisor *supervisor;
	bool started;

	service.app.store = &service.store;
	folder_enter(arena, folder);
	if (folder_lock() == FOLDER_IN_USE)
		log_fatal(
		    "a site is running in %.*s already", TEXT_ARGS(folder));
	check_port(config, address);
	service.nginx = folder_program(arena, "nginx");
	write_nginx_config(arena, config);
	serve_error_pages(arena, config, TEXT("errors"));
	service.listener = listen_at(arena, TEXT("tally.sock"));
	supervisor = supervisor_new();
	started = start_site(arena, supervisor, &service, address);
	if (started) {
		printf("Tally is at http://localhost:%lld/ (Ctrl-C stops it)\n",
		    (long long)config->port);
		fflush(stdout);
		supervisor_watch(supervisor);
	}
	supervisor_stop(supervisor);
	freeaddrinfo(address);
	return started ? 0 : 1;
}

int
serve_error_pages(
    struct arena *arena, const struct config *config, struct text folder)
{
	static const int statuses[] = { 400, 403, 404, 405, 413, 429, 503 };
	const struct views *views = open_views(arena, config);

	if (mkdir(text_string(arena, folder), 0755) != 0 && errno != EEXIST)
		log_fatal("%.*s cannot be made: %s", TEXT_ARGS(folder),
		    strerror(errno));
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct error_model model = error_model_of(statuses[i]);
		struct frame frame = { .title = model.title,
			.here = TEXT("/"),
			.here_encoded = TEXT("%2F") };
		struct text name = text_format(
		    arena, "%.*s/%d.html", TEXT_ARGS(folder), statuses[i]);

		folder_write(arena, text_string(arena, name),
		    views_render(
			views, arena, &error_view, &frame, &model, VIEWS_PAGE)
			.text);
	}
	return 0;
}

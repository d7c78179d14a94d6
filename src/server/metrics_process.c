#include "server/metrics_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "os/sandbox.h"
#include "redis/redis.h"

enum {
	HEAD_MAX = 4096,  /* of a request */
	CLIENT_MS = 2000, /* for a whole request and its answer */
	FRESH_MS = 1000,  /* for which metrics are not written again */
	REDIS_MS = 1000,  /* for Redis to answer */
	TURN_MS = 1000	  /* between two heartbeats */
};

/* A connection while it is served. */
struct client {
	int file; /* -1: none */
	int64_t deadline;
	char head[HEAD_MAX];
	size_t size;	    /* of the head so far */
	struct text answer; /* empty while the head is read */
	size_t sent;
	struct arena arena;
};

struct server {
	struct metrics *metrics;
	int listener;
	struct client clients[METRICS_CLIENTS];
	struct arena arena;
	struct text written; /* metrics, */
	int64_t written_at;  /* as of then; 0: never */
};

static volatile sig_atomic_t stopping;

static void
on_stop(int signal_number)
{
	(void)signal_number;
	stopping = 1;
}

static void
close_client(struct client *client)
{
	close(client->file);
	arena_free(&client->arena);
	*client = (struct client){ .file = -1 };
}

static struct text
current_metrics(struct server *server)
{
	int64_t now = clock_monotonic_ms();

	if (server->written_at == 0 || now - server->written_at >= FRESH_MS) {
		arena_reset(&server->arena);
		server->written =
		    metrics_write(server->metrics, &server->arena);
		server->written_at = now;
	}
	return server->written;
}

static struct text
answer_of(struct arena *arena, const char *status, struct text body)
{
	return text_format(arena,
	    "HTTP/1.1 %s\r\n"
	    "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
	    "Content-Length: %zu\r\n"
	    "Connection: close\r\n"
	    "\r\n"
	    "%.*s",
	    status, body.size, TEXT_ARGS(body));
}

/* The answer to a head, once it is whole. */
static struct text
answer_head(struct server *server, struct client *client)
{
	struct text head = { client->head, client->size };

	if (text_find(head, 0, TEXT("\r\n\r\n")) == SIZE_MAX)
		return client->size < HEAD_MAX
		    ? TEXT("")
		    : answer_of(&client->arena,
			  "431 Request Header Fields Too Large", TEXT(""));
	if (!text_starts(head, TEXT("GET ")))
		return answer_of(
		    &client->arena, "405 Method Not Allowed", TEXT(""));
	if (!text_starts(head, TEXT("GET /metrics ")))
		return answer_of(
		    &client->arena, "404 Not Found", TEXT("/metrics\n"));
	return answer_of(&client->arena, "200 OK", current_metrics(server));
}

/* False when the connection is over. */
static bool
read_head(struct server *server, struct client *client)
{
	ssize_t size = recv(client->file, client->head + client->size,
	    HEAD_MAX - client->size, MSG_DONTWAIT);

	if (size < 0)
		return errno == EAGAIN || errno == EINTR;
	client->size += (size_t)size;
	client->answer = answer_head(server, client);
	return size > 0;
}

static bool
send_answer(struct client *client)
{
	ssize_t size = send(client->file, client->answer.data + client->sent,
	    client->answer.size - client->sent, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (size < 0)
		return errno == EAGAIN || errno == EINTR;
	client->sent += (size_t)size;
	return client->sent < client->answer.size;
}

static void
serve_client(struct server *server, struct client *client)
{
	bool is_open = client->answer.size > 0 || read_head(server, client);

	if (is_open && client->answer.size > 0)
		is_open = send_answer(client);
	if (!is_open)
		close_client(client);
}

/* One that is free, or that of the oldest connection, which is closed. */
static struct client *
free_client(struct server *server)
{
	struct client *oldest = &server->clients[0];

	for (size_t i = 0; i < METRICS_CLIENTS; i++) {
		struct client *client = &server->clients[i];

		if (client->file < 0)
			return client;
		if (client->deadline < oldest->deadline)
			oldest = client;
	}
	close_client(oldest);
	return oldest;
}

static void
accept_client(struct server *server)
{
	int file = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
	struct client *client;

	if (file < 0)
		return;
	client = free_client(server);
	client->file = file;
	client->deadline = clock_monotonic_ms() + CLIENT_MS;
}

/* Fills polls for the listener and all clients; poll ignores those with file -1. */
static void
fill_polls(const struct server *server, struct pollfd *polls)
{
	polls[0] = (struct pollfd){ .fd = stopping ? -1 : server->listener,
		.events = POLLIN };
	for (size_t i = 0; i < METRICS_CLIENTS; i++) {
		const struct client *client = &server->clients[i];

		polls[i + 1] = (struct pollfd){ .fd = client->file,
			.events = client->answer.size > 0 ? POLLOUT : POLLIN };
	}
}

/* Returns the milliseconds until the next deadline. */
static int64_t
expire_clients(struct server *server)
{
	int64_t now = clock_monotonic_ms(), next = now + TURN_MS;

	for (size_t i = 0; i < METRICS_CLIENTS; i++) {
		struct client *client = &server->clients[i];

		if (client->file >= 0 && client->deadline <= now)
			close_client(client);
		else if (client->file >= 0 && client->deadline < next)
			next = client->deadline;
	}
	return next - now;
}

static void
run_turn(struct server *server, const sigset_t *while_waiting)
{
	struct pollfd polls[METRICS_CLIENTS + 1];
	int64_t left = expire_clients(server);
	const struct timespec timeout = { left / 1000, left % 1000 * 1000000 };

	process_heartbeat();
	fill_polls(server, polls);
	if (ppoll(polls, METRICS_CLIENTS + 1, &timeout, while_waiting) <= 0)
		return;
	for (size_t i = 0; i < METRICS_CLIENTS; i++)
		if (polls[i + 1].revents != 0)
			serve_client(server, &server->clients[i]);
	if (polls[0].revents != 0)
		accept_client(server);
}

static bool
has_clients(const struct server *server)
{
	for (size_t i = 0; i < METRICS_CLIENTS; i++)
		if (server->clients[i].file >= 0)
			return true;
	return false;
}

/* Until SIGTERM, which is delivered only while nothing is served; then the connections
 * that were accepted are finished. */
static _Noreturn void
serve_clients(struct server *server)
{
	const struct sigaction stop = { .sa_handler = on_stop };
	sigset_t blocked, while_waiting;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &while_waiting);
	sigdelset(&while_waiting, SIGTERM);
	sigaction(SIGTERM, &stop, NULL);
	for (size_t i = 0; i < METRICS_CLIENTS; i++)
		server->clients[i].file = -1;
	while (!stopping || has_clients(server))
		run_turn(server, &while_waiting);
	_exit(0);
}

static void
run_metrics(void *data)
{
	struct metrics_process *process = data;
	struct metrics *metrics = &process->metrics;
	static struct server server;
	struct redis *redis;

	/* The name in ps; workers keep the program's. */
	prctl(PR_SET_NAME, "tally-metrics");
	process_init(PRIVILEGES_NONE);
	config_wipe_admin(process->config);
	redis = config_open_redis(process->config, &process->config->web);
	if (!redis_resolve(redis))
		_exit(1);
	redis_be_quiet(redis);
	redis_set_timeout(redis, REDIS_MS);
	metrics->store->redis = redis;
	server.metrics = metrics;
	server.listener = process->listener;
	sandbox_enter(
	    redis_is_local(redis) ? SANDBOX_UNIX_SOCKET : SANDBOX_NETWORK);
	serve_clients(&server);
}

void
metrics_process_start(
    struct supervisor *supervisor, struct metrics_process *data)
{
	if (data->listener >= 0)
		supervisor_replace(
		    supervisor, "metrics", SIGTERM, run_metrics, data);
}

/*
 * The loop. A turn handles all events that are ready, and then writes all commands that
 * these produced at once.
 *
 * A turn waits with epoll for the listening socket, the connections that nginx
 * keeps open, Redis and the search process. Each ready connection has a request, which is answered
 * in a fiber that runs until its page waits for Redis: then its commands are in
 * the queue of redis/redis.c, and the next fiber runs. At the end of the turn the
 * commands of all of them are written together. Say three requests are ready, A
 * and B for pages and C for a vote:
 *
 *	turn 1  epoll: A, B, C    fiber A: session?  B: session?  C: session?
 *	                          one write to Redis with three commands
 *	turn 2  epoll: Redis, D   D: session?  then, as the replies are read,
 *	                          A: list?  B: list?  C: vote
 *	                          one write with four commands
 *	turn 3  epoll: Redis      D, A and B continue, C is answered
 *
 * So under more load, more requests share a round trip: with 32 connections a
 * page's command costs a fifth of a read of Redis. Nothing blocks except epoll,
 * and no request waits for the page of another: a page of long texts yields after a
 * millisecond (base/fiber.h) and continues in the next turn. Longer work, such as hashing
 * passwords, is done by a background thread (base/background.h).
 */
#include "server/worker.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <unistd.h>

#include "base/background.h"
#include "base/clock.h"
#include "base/counters.h"
#include "base/fiber.h"
#include "base/log.h"
#include "http/fcgi.h"
#include "os/process.h"
#include "pages/dispatch.h"
#include "redis/redis.h"

enum {
	EVENTS = 64,
	/* Requests being answered, which bounds the memory; further ones wait in
	 * their connections, in order of arrival. Half of them may wait for the
	 * background. */
	REQUESTS_MAX = 48,
	/* Open connections; further ones wait to be accepted, and when too many
	 * do, nginx is refused at once. */
	CONNECTIONS_MAX = 1536,
	/* Leaves connections to the other workers. */
	ACCEPTED_AT_ONCE = 8,
	/* The longest time between two heartbeats. */
	HEARTBEAT_MS = 1000,
	TRIM_MS = 10000,
	/* How long nginx has to close its connections when the worker ends. */
	CLOSING_MS = 5000
};

/* A connection from nginx. */
struct connection {
	struct worker *worker;
	struct fcgi_connection *fcgi;
	struct work *work; /* while a fiber answers a request of it */
	bool ready;	   /* more came meanwhile, or nginx closed it */
	LIST_ENTRY(connection) open;
	STAILQ_ENTRY(connection) queued;
};

/* The memory for answering a request; reused. */
struct work {
	struct arena arena;
	struct request request;
	SLIST_ENTRY(work) spare;
};

struct worker {
	const struct app *app;
	struct redis *redis, *search;
	int listener, epoll;
	sigset_t while_waiting;
	LIST_HEAD(open_list, connection) open;
	STAILQ_HEAD(ready_queue, connection) ready; /* without work */
	SLIST_HEAD(spare_list, work) spare; /* the last one freed first */
	size_t busy, connections;
	bool listening;
	bool has_worked;    /* since the last trim_memory */
	int64_t trimmed_at; /* clock_monotonic_ms */
};

static volatile sig_atomic_t stopping;

static void
on_stop(int signal_number)
{
	(void)signal_number;
	stopping = 1;
}

/* A worker whose background thread is stuck counts as stuck: its members cannot log in. */
static void
send_heartbeat(const struct worker *worker)
{
	if (!background_is_stuck(worker->app->background))
		process_heartbeat();
}

/* source is a connection, the worker's listener, its redis, its search or its background. */
static void
poll_descriptor(
    const struct worker *worker, int descriptor, uint32_t events, void *source)
{
	struct epoll_event event = { .events = events, .data.ptr = source };

	if (epoll_ctl(worker->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0)
		log_fatal("cannot poll a descriptor: %s", strerror(errno));
}

/* Of a connection that is closed. */
static void
free_connection(struct connection *connection)
{
	LIST_REMOVE(connection, open);
	connection->worker->connections--;
	counters_set_gauge(GAUGE_CONNECTIONS, connection->worker->connections);
	free(connection);
}

static struct work *
begin_work(struct worker *worker)
{
	struct work *work = SLIST_FIRST(&worker->spare);

	if (work != NULL)
		SLIST_REMOVE_HEAD(&worker->spare, spare);
	else
		work = calloc(1, sizeof(*work));
	if (work == NULL)
		log_fatal("out of memory: cannot take another request");
	worker->busy++;
	return work;
}

static void
end_work(struct worker *worker, struct work *work)
{
	arena_reset(&work->arena);
	SLIST_INSERT_HEAD(&worker->spare, work, spare);
	worker->busy--;
}

/* The main function of a request's fiber. */
static void
answer_request(void *data)
{
	struct connection *connection = data;
	struct worker *worker = connection->worker;
	struct work *work = connection->work;
	struct response response;
	int64_t began = clock_monotonic_us();

	fcgi_read(connection->fcgi, &work->arena, &work->request);
	dispatch_request(worker->app, &work->arena, &work->request, &response);
	if (work->request.accepts_gzip)
		response_compress(
		    &response, &work->arena, worker->app->part_cache);
	connection->work = NULL;
	if (fcgi_send(connection->fcgi, &work->arena, &response,
		work->request.method != HTTP_HEAD) == FCGI_CLOSED)
		free_connection(connection);
	else if (connection->ready)
		STAILQ_INSERT_TAIL(&worker->ready, connection, queued);
	else if (stopping)
		fcgi_ask_close(connection->fcgi);
	end_work(worker, work);
	counters_add_time(clock_monotonic_us() - began);
}

/* False when no connection is waiting. */
static bool
accept_connection(struct worker *worker)
{
	struct fcgi_connection *fcgi = fcgi_accept(worker->listener);
	struct connection *connection;

	if (fcgi == NULL)
		return false;
	connection = calloc(1, sizeof(*connection));
	if (connection == NULL)
		log_fatal("out of memory: cannot accept another connection");
	connection->worker = worker;
	connection->fcgi = fcgi;
	LIST_INSERT_HEAD(&worker->open, connection, open);
	worker->connections++;
	counters_set_gauge(GAUGE_CONNECTIONS, worker->connections);
	/* Edge-triggered: data that arrives while a fiber answers is reported once, and
	 * remembered in ready. */
	poll_descriptor(
	    worker, fcgi_descriptor(fcgi), EPOLLIN | EPOLLET, connection);
	return true;
}

/* Records that there is data to read on a connection, or its end. */
static void
mark_ready(struct worker *worker, struct connection *connection)
{
	if (!connection->ready && connection->work == NULL)
		STAILQ_INSERT_TAIL(&worker->ready, connection, queued);
	connection->ready = true;
}

static void
start_ready_requests(struct worker *worker)
{
	while (!STAILQ_EMPTY(&worker->ready) && worker->busy < REQUESTS_MAX) {
		struct connection *connection = STAILQ_FIRST(&worker->ready);

		STAILQ_REMOVE_HEAD(&worker->ready, queued);
		connection->ready = false;
		if (fcgi_next(connection->fcgi) == FCGI_REQUEST) {
			send_heartbeat(worker);
			connection->work = begin_work(worker);
			fiber_start(answer_request, connection);
		} else {
			free_connection(connection);
		}
	}
}

/* Stops polling the listening socket at CONNECTIONS_MAX, so that others accept. */
static void
update_listening(struct worker *worker)
{
	bool has_room = worker->connections < CONNECTIONS_MAX && !stopping;

	if (has_room && !worker->listening)
		poll_descriptor(worker, worker->listener,
		    EPOLLIN | EPOLLEXCLUSIVE, &worker->listener);
	else if (!has_room && worker->listening)
		epoll_ctl(worker->epoll, EPOLL_CTL_DEL, worker->listener, NULL);
	worker->listening = has_room;
}

/*
 * Connections are handled first: handling Redis and the listener may free one and
 * allocate another at its address, to which an event of this call of epoll would then
 * be attributed.
 */
static void
handle_events(
    struct worker *worker, const struct epoll_event *events, int count)
{
	bool replies = false, found = false, newcomers = false, done = false;

	for (int i = 0; i < count; i++) {
		void *source = events[i].data.ptr;

		if (source == worker->redis)
			replies = true;
		else if (source == worker->search)
			found = true;
		else if (source == worker->app->background)
			done = true;
		else if (source == &worker->listener)
			newcomers = true;
		else
			mark_ready(worker, source);
	}
	start_ready_requests(worker);
	if (replies)
		redis_ready(worker->redis);
	if (found)
		redis_ready(worker->search);
	if (done)
		background_ready(worker->app->background);
	for (int i = 0; newcomers && i < ACCEPTED_AT_ONCE; i++)
		newcomers = accept_connection(worker);
}

static void
free_spare(struct worker *worker)
{
	struct work *work;

	while ((work = SLIST_FIRST(&worker->spare)) != NULL) {
		SLIST_REMOVE_HEAD(&worker->spare, spare);
		arena_free(&work->arena);
		free(work);
	}
	fiber_trim();
	arena_trim();
	malloc_trim(0);
}

/* Returns free memory to the system after the first idle HEARTBEAT_MS, and every TRIM_MS under
 * load: otherwise a busy worker would hold the memory of its largest burst for ever. */
static void
trim_memory(struct worker *worker, int events)
{
	bool is_idle = events == 0 && worker->busy == 0;
	int64_t now = clock_monotonic_ms();

	worker->has_worked = worker->has_worked || !is_idle;
	if (!worker->has_worked ||
	    (!is_idle && now - worker->trimmed_at < TRIM_MS))
		return;
	free_spare(worker);
	worker->has_worked = false;
	worker->trimmed_at = now;
}

/* The shorter of two timeouts in milliseconds, of which a negative one is none. */
static int
shorter(int one, int other)
{
	return other < 0 || (one >= 0 && one < other) ? one : other;
}

static int
wait_timeout(const struct worker *worker)
{
	int timeout = shorter(HEARTBEAT_MS, redis_timeout(worker->redis));

	return fiber_any_yielded()
	    ? 0
	    : shorter(timeout, redis_timeout(worker->search));
}

static void
run_turn(struct worker *worker)
{
	struct epoll_event events[EVENTS];
	int count = epoll_pwait(worker->epoll, events, EVENTS,
	    wait_timeout(worker), &worker->while_waiting);

	send_heartbeat(worker);
	if (count < 0 && errno != EINTR)
		log_fatal("epoll_pwait: %s", strerror(errno));
	trim_memory(worker, count);
	handle_events(worker, events, count);
	redis_expire(worker->redis);
	redis_expire(worker->search);
	fiber_resume_yielded();
	start_ready_requests(worker);
	/* First: a request that cannot search goes on with Redis. */
	redis_flush(worker->search);
	redis_flush(worker->redis);
	update_listening(worker);
}

/*
 * Finishes the running requests, and has nginx close the connections, so that no request
 * is lost on one of them. First accepts the connections waiting at the listening socket,
 * since for these only this worker may have been woken up.
 */
static void
finish_requests(struct worker *worker)
{
	int64_t deadline = clock_monotonic_ms() + CLOSING_MS;

	update_listening(worker);
	while (accept_connection(worker))
		;
	for (struct connection *connection = LIST_FIRST(&worker->open);
	    connection != NULL; connection = LIST_NEXT(connection, open))
		if (connection->work == NULL && !connection->ready)
			fcgi_ask_close(connection->fcgi);
	while (worker->busy > 0 || !STAILQ_EMPTY(&worker->ready) ||
	    (!LIST_EMPTY(&worker->open) && clock_monotonic_ms() < deadline))
		run_turn(worker);
}

void
worker_run(const struct app *app, int listener)
{
	struct worker worker = {
		.app = app,
		.redis = app->store->redis,
		.search = app->search,
		.listener = listener,
	};
	struct sigaction stop = { .sa_handler = on_stop };
	sigset_t blocked;

	STAILQ_INIT(&worker.ready);
	/* SIGTERM is delivered only while the loop waits in epoll_pwait, so that it is
	 * never missed, and never interrupts a read inside libfcgi. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	sigemptyset(&worker.while_waiting);
	sigaction(SIGTERM, &stop, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	/* Keep the memory of pages for reuse; trim_memory returns it when the worker is
	 * idle. Returned after each page, a page of 200 comments caused 160 page faults
	 * and took twice as long. */
	mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
	mallopt(M_TRIM_THRESHOLD, 4 * 1024 * 1024);
	fcgi_start();
	worker.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (worker.epoll < 0)
		log_fatal("epoll_create1: %s", strerror(errno));
	poll_descriptor(
	    &worker, redis_descriptor(worker.redis), EPOLLIN, worker.redis);
	poll_descriptor(
	    &worker, redis_descriptor(worker.search), EPOLLIN, worker.search);
	poll_descriptor(&worker, background_descriptor(app->background),
	    EPOLLIN, app->background);
	update_listening(&worker);
	send_heartbeat(&worker);
	while (!stopping)
		run_turn(&worker);
	finish_requests(&worker);
	_exit(0);
}

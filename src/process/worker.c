/*
 * The loop: one turn takes what is ready and sends what came out of it at once.
 *
 * A turn waits with epoll for the listening socket, the connections that nginx
 * keeps open, and Redis. Each ready connection has a request, which is answered
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
 *	turn 3  epoll: Redis      D, A and B go on, C is answered
 *
 * So the more there is to do, the more requests share a round trip: with 32
 * connections a page's command costs a fifth of a read of Redis. Nothing is
 * waited for but epoll, and no request waits for another one's page.
 */
#include "process/worker.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fiber.h"
#include "base/log.h"
#include "http/fcgi.h"
#include "pages/dispatch.h"
#include "process/pulse.h"
#include "redis/redis.h"

enum {
	EVENTS = 64,
	/* Requests under way, which bounds the memory; further ones wait in
	 * their connections, in the order in which they came. */
	REQUESTS_MAX = 32,
	/* Open connections; further ones wait to be accepted, and when too many
	 * do, nginx is told at once. */
	CONNECTIONS_MAX = 1536,
	/* So that all workers get their share. */
	ACCEPTED_AT_ONCE = 8,
	/* How often it shows at least that it is alive. */
	BEAT_MS = 1000,
	/* How long nginx has to close its connections when the worker ends. */
	CLOSING_MS = 5000
};

/* What the loop polls. */
struct source {
	enum { LISTENER, REDIS, CONNECTION } kind;
	struct fcgi_connection *connection;
	bool busy;  /* a fiber is answering a request of it */
	bool ready; /* more came meanwhile, or nginx closed it */
	struct source *next_ready;
	struct worker *worker;
	struct work *work; /* while it is busy */
	struct source *previous_open, *next_open;
};

/* A request under way, with what it allocates; the one given back last is the
 * next to be used. */
struct work {
	struct arena arena;
	struct request request;
	struct work *next;
};

struct worker {
	const struct app *app;
	struct redis *redis;
	int listener, epoll;
	uint64_t redis_epoch; /* of the connection that is polled */
	struct source listener_source, redis_source;
	struct source *open;			 /* every connection */
	struct source *first_ready, *last_ready; /* not busy */
	struct work *spare;			 /* not under way */
	size_t busy, connections;
	bool listening;
};

static volatile sig_atomic_t stopping;

static void
on_stop(int signal_number)
{
	(void)signal_number;
	stopping = 1;
}

static void
watch(const struct worker *worker, int descriptor, uint32_t events,
    struct source *source)
{
	struct epoll_event event = { .events = events, .data.ptr = source };

	if (epoll_ctl(worker->epoll, EPOLL_CTL_ADD, descriptor, &event) != 0)
		log_fatal("a descriptor cannot be polled: %s", strerror(errno));
}

/* Its connection was closed. */
static void
forget(struct worker *worker, struct source *source)
{
	if (source->previous_open != NULL)
		source->previous_open->next_open = source->next_open;
	else
		worker->open = source->next_open;
	if (source->next_open != NULL)
		source->next_open->previous_open = source->previous_open;
	free(source);
	worker->connections--;
}

static struct source *
new_source(struct worker *worker)
{
	struct source *source = calloc(1, sizeof(*source));

	if (source == NULL)
		log_fatal("out of memory: no place for another connection");
	worker->connections++;
	source->kind = CONNECTION;
	source->worker = worker;
	source->next_open = worker->open;
	if (worker->open != NULL)
		worker->open->previous_open = source;
	worker->open = source;
	return source;
}

/* It is told once, so it has to be remembered. */
static void
add_ready(struct worker *worker, struct source *source)
{
	source->next_ready = NULL;
	if (worker->first_ready == NULL)
		worker->first_ready = source;
	else
		worker->last_ready->next_ready = source;
	worker->last_ready = source;
}

static struct work *
take_work(struct worker *worker)
{
	struct work *work = worker->spare;

	if (work != NULL)
		worker->spare = work->next;
	else
		work = calloc(1, sizeof(*work));
	if (work == NULL)
		log_fatal("out of memory: no place for another request");
	return work;
}

static void
give_back(struct worker *worker, struct work *work)
{
	arena_reset(&work->arena);
	work->next = worker->spare;
	worker->spare = work;
}

static void
finish(struct source *source, const struct response *response)
{
	struct worker *worker = source->worker;
	struct work *work = source->work;

	source->busy = false;
	worker->busy--;
	if (fcgi_send(source->connection, &work->arena, response,
		work->request.method != HTTP_HEAD) == FCGI_CLOSED)
		forget(worker, source);
	else if (source->ready)
		add_ready(worker, source);
	else if (stopping)
		fcgi_ask_close(source->connection);
	give_back(worker, work);
}

/* A request from beginning to end; runs in a fiber of its own. */
static void
answer(void *data)
{
	struct source *source = data;
	struct work *work = source->work;
	struct response response;

	fcgi_read(source->connection, &work->arena, &work->request);
	dispatch_request(
	    source->worker->app, &work->arena, &work->request, &response);
	finish(source, &response);
}

static void
begin(struct worker *worker, struct source *source)
{
	pulse_beat();
	source->busy = true;
	source->work = take_work(worker);
	worker->busy++;
	fiber_start(answer, source);
}

/* False when nobody is waiting. */
static bool
accept_connection(struct worker *worker)
{
	struct fcgi_connection *connection = fcgi_accept(worker->listener);
	struct source *source;

	if (connection == NULL)
		return false;
	source = new_source(worker);
	source->connection = connection;
	/* Edge-triggered, so that what comes while a fiber is at work is told
	 * once, and remembered. */
	watch(worker, fcgi_descriptor(connection), EPOLLIN | EPOLLET, source);
	return true;
}

static void
accept_some(struct worker *worker)
{
	for (int i = 0; i < ACCEPTED_AT_ONCE; i++)
		if (!accept_connection(worker))
			break;
}

/* There is something to read on the connection, or its end. */
static void
notice(struct worker *worker, struct source *source)
{
	if (!source->ready && !source->busy)
		add_ready(worker, source);
	source->ready = true;
}

static void
continue_ready(struct worker *worker)
{
	while (worker->first_ready != NULL && worker->busy < REQUESTS_MAX) {
		struct source *source = worker->first_ready;

		worker->first_ready = source->next_ready;
		source->ready = false;
		if (fcgi_next(source->connection) == FCGI_REQUEST)
			begin(worker, source);
		else
			forget(worker, source);
	}
}

/* With enough connections, others may accept. */
static void
listen_while_free(struct worker *worker)
{
	bool free = worker->connections < CONNECTIONS_MAX && !stopping;

	if (free && !worker->listening)
		watch(worker, worker->listener, EPOLLIN | EPOLLEXCLUSIVE,
		    &worker->listener_source);
	else if (!free && worker->listening)
		epoll_ctl(worker->epoll, EPOLL_CTL_DEL, worker->listener, NULL);
	worker->listening = free;
}

/* A new connection to Redis has to be polled; a closed one is polled no more.
 * Nothing has come over it yet. */
static void
follow_redis(struct worker *worker)
{
	uint64_t epoch = redis_epoch(worker->redis);

	if (redis_descriptor(worker->redis) < 0 || epoch == worker->redis_epoch)
		return;
	worker->redis_epoch = epoch;
	watch(worker, redis_descriptor(worker->redis), EPOLLIN,
	    &worker->redis_source);
}

/*
 * The connections come first: what they lead to may close one and open another
 * in its place, which an event of this wake-up must not be taken for.
 */
static void
handle(struct worker *worker, const struct epoll_event *events, int count)
{
	bool replies = false, newcomer = false;

	for (int i = 0; i < count; i++) {
		struct source *source = events[i].data.ptr;

		if (source->kind == CONNECTION)
			notice(worker, source);
		replies = replies || source->kind == REDIS;
		newcomer = newcomer || source->kind == LISTENER;
	}
	continue_ready(worker);
	if (replies)
		redis_ready(worker->redis);
	if (newcomer)
		accept_some(worker);
}

static void
turn(struct worker *worker, const sigset_t *while_waiting)
{
	struct epoll_event events[EVENTS];
	int timeout = redis_timeout(worker->redis);
	int count = epoll_pwait(worker->epoll, events, EVENTS,
	    timeout < 0 || timeout > BEAT_MS ? BEAT_MS : timeout,
	    while_waiting);

	pulse_beat();
	if (count < 0 && errno != EINTR)
		log_fatal("epoll_pwait: %s", strerror(errno));
	handle(worker, events, count);
	redis_expire(worker->redis);
	continue_ready(worker);
	redis_flush(worker->redis);
	follow_redis(worker);
	listen_while_free(worker);
}

/*
 * What was begun is finished, and nginx closes the connections that are left,
 * so that no request is lost on one of them. Whom the listening socket woke
 * this worker for, nobody else was woken for.
 */
static void
finish_all(struct worker *worker, const sigset_t *while_waiting)
{
	int64_t deadline = clock_monotonic_ms() + CLOSING_MS;

	listen_while_free(worker);
	while (accept_connection(worker))
		;
	for (struct source *source = worker->open; source != NULL;
	    source = source->next_open)
		if (!source->busy && !source->ready)
			fcgi_ask_close(source->connection);
	while (worker->busy > 0 || worker->first_ready != NULL ||
	    (worker->open != NULL && clock_monotonic_ms() < deadline))
		turn(worker, while_waiting);
}

void
worker_run(const struct app *app, int listener)
{
	struct worker worker = { .app = app,
		.redis = app->store->redis,
		.listener = listener,
		.listener_source = { .kind = LISTENER },
		.redis_source = { .kind = REDIS } };
	struct sigaction stop = { .sa_handler = on_stop };
	sigset_t blocked, while_waiting;

	/* SIGTERM comes while the loop waits and at no other time: so it is
	 * never missed, and never breaks off a read inside libfcgi. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	sigemptyset(&while_waiting);
	sigaction(SIGTERM, &stop, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	/* The blocks of pages go round; the system need not see each of
	 * them. */
	mallopt(M_MMAP_THRESHOLD, 64 * 1024);
	mallopt(M_TRIM_THRESHOLD, 256 * 1024);
	fcgi_start();
	worker.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (worker.epoll < 0)
		log_fatal("epoll_create1: %s", strerror(errno));
	listen_while_free(&worker);
	pulse_beat();
	while (!stopping)
		turn(&worker, &while_waiting);
	finish_all(&worker, &while_waiting);
	_exit(0);
}

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

/*
 * So many requests are under way at a time, which bounds the memory; what comes
 * besides waits in its connection, in the order in which it came. So many
 * connections are open; what comes besides waits to be accepted, and when too
 * many do, nginx is told at once. A few are accepted at a time, so that the
 * workers have the same share.
 */
enum {
	EVENTS = 64,
	REQUESTS_MAX = 32,
	CONNECTIONS_MAX = 1536,
	ACCEPTED_AT_ONCE = 8
};

/* How often it shows at least that it is alive, and how long nginx has to close
 * its connections when the worker ends. */
enum { BEAT_MS = 1000, PARTING_MS = 5000 };

/* What the loop polls. */
struct source {
	enum { LISTENER, REDIS, CONNECTION } kind;
	struct fcgi_connection *connection;
	bool busy;  /* a fiber is answering a request of it */
	bool ready; /* more came meanwhile, or nginx closed it */
	struct source *next_ready;
	struct worker *worker;
	struct work *work;	  /* while it is busy */
	struct source *followers; /* who get the same answer */
	struct source *next_follower;
	struct source *next_leader;
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
	struct source *leaders; /* who may be followed in this wake-up */
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

static bool
is_same_page(const struct request *a, const struct request *b)
{
	return text_equal(a->path, b->path) &&
	    text_equal(a->raw_query, b->raw_query) &&
	    text_equal(a->host, b->host) && a->https == b->https;
}

/*
 * Whether somebody else's answer will do for this request. If not, and it is
 * one that anybody may have, it can be followed until this wake-up ends.
 */
static bool
follows(struct source *source)
{
	struct worker *worker = source->worker;
	const struct request *request = &source->work->request;
	struct source *leader = worker->leaders;

	source->followers = NULL;
	if (request->method != HTTP_GET || request->cookie.size > 0)
		return false;
	while (leader != NULL && !is_same_page(&leader->work->request, request))
		leader = leader->next_leader;
	if (leader == NULL) {
		source->next_leader = worker->leaders;
		worker->leaders = source;
		return false;
	}
	source->next_follower = leader->followers;
	leader->followers = source;
	return true;
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
stop_leading(struct source *source)
{
	struct source **place = &source->worker->leaders;

	while (*place != NULL && *place != source)
		place = &(*place)->next_leader;
	if (*place == source)
		*place = source->next_leader;
}

static void
finish(struct source *source, const struct response *response)
{
	struct worker *worker = source->worker;
	struct work *work = source->work;

	source->busy = false;
	worker->busy--;
	if (fcgi_send(source->connection, &work->arena, response,
		source->work->request.method != HTTP_HEAD) == FCGI_CLOSED)
		forget(worker, source);
	else if (source->ready)
		add_ready(worker, source);
	else if (stopping)
		fcgi_part(source->connection);
	give_back(worker, work);
}

static void
serve(struct source *source)
{
	struct response response;

	dispatch_request(source->worker->app, &source->work->arena,
	    &source->work->request, &response);
	finish(source, &response);
}

/* A request from beginning to end; runs in a fiber of its own. */
static void
answer(void *data)
{
	struct source *source = data, *follower, *next;
	struct response response;

	fcgi_read(
	    source->connection, &source->work->arena, &source->work->request);
	if (follows(source))
		return;
	dispatch_request(source->worker->app, &source->work->arena,
	    &source->work->request, &response);
	stop_leading(source);
	for (follower = source->followers; follower != NULL; follower = next) {
		next = follower->next_follower;
		if (response.cache == CACHE_ONE_SECOND)
			finish(follower, &response);
		else
			serve(follower);
	}
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
	worker->leaders = NULL;
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
part(struct worker *worker, const sigset_t *while_waiting)
{
	int64_t deadline = clock_monotonic_ms() + PARTING_MS;

	listen_while_free(worker);
	while (accept_connection(worker))
		;
	for (struct source *source = worker->open; source != NULL;
	    source = source->next_open)
		if (!source->busy && !source->ready)
			fcgi_part(source->connection);
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
	part(&worker, &while_waiting);
	_exit(0);
}

#include "redis/redis.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/counters.h"
#include "base/fiber.h"
#include "base/log.h"
#include "redis/cluster.h"
#include "redis/topology.h"

enum {
	ANSWER_MS = 1800, /* longest wait for a reply */
	EVENTS = 64,
	HINTS_MAX = 64, /* under way */
	FULL_MS = 1000, /* for which a refusal is remembered */
	VISITS_MAX = 10
};

/* A hint has its own memory: its sender may have ended when the reply comes. */
struct hint {
	struct pipeline pipeline;
	struct arena arena;
	struct hint *next;
};

/* Frees the hints that are answered or lost, or all. */
static void
free_hints(struct redis *redis, bool all)
{
	struct hint **place = &redis->hints;

	while (*place != NULL) {
		struct hint *hint = *place;

		if (!all && hint->pipeline.state == PIPELINE_SENT) {
			place = &hint->next;
			continue;
		}
		*place = hint->next;
		redis->hint_count--;
		arena_free(&hint->arena);
		free(hint);
	}
}

static struct nodes *
nodes_of_endpoint(const struct endpoint *endpoint)
{
	struct nodes *nodes = nodes_new();

	for (size_t i = 0; i < endpoint->count; i++) {
		struct node *node = nodes_at(nodes, &endpoint->addresses[i]);

		node->is_seed = true;
		if (endpoint->kind == ENDPOINT_STANDALONE)
			nodes_give(nodes, 0, CLUSTER_SLOTS - 1, node);
	}
	return nodes;
}

struct redis *
redis_open(struct text address, struct text user, struct text password)
{
	struct redis *redis = calloc(1, sizeof(*redis));

	if (redis == NULL)
		log_fatal("out of memory: no place for a connection");
	redis->name = text_copy(&redis->memory, address);
	if (!endpoint_parse(&redis->memory, redis->name, &redis->endpoint)) {
		arena_free(&redis->memory);
		free(redis);
		return NULL;
	}
	redis->login.user =
	    user.size > 0 ? text_copy(&redis->memory, user) : TEXT("default");
	redis->login.password = text_copy(&redis->memory, password);
	redis->noun = TEXT("Redis");
	redis->timeout = ANSWER_MS;
	redis->topology_at = INT64_MAX;
	redis->asked = SIZE_MAX; /* the first comes first */
	STAILQ_INIT(&redis->retries);
	STAILQ_INIT(&redis->unrouted);
	STAILQ_INIT(&redis->resumed);
	redis->nodes = nodes_of_endpoint(&redis->endpoint);
	redis->map_version = redis_is_standalone(redis) ? 1 : 0;
	redis_set_replicas(redis, REPLICAS_DEFAULT);
	redis->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (redis->epoll < 0)
		log_fatal("epoll_create1: no place for a connection");
	return redis;
}

bool
redis_resolve(struct redis *redis)
{
	if (!endpoint_resolve(&redis->memory, &redis->endpoint))
		return false;
	nodes_free(redis->nodes);
	redis->nodes = nodes_of_endpoint(&redis->endpoint);
	redis_set_replicas(redis, redis->replicas);
	return true;
}

void
redis_close(struct redis *redis)
{
	nodes_free(redis->nodes);
	topology_free(redis);
	free_hints(redis, true);
	close(redis->epoll);
	if (redis->login.tls != NULL)
		tls_close(redis->login.tls);
	text_wipe(redis->login.password);
	arena_free(&redis->memory);
	free(redis);
}

void
redis_be_quiet(struct redis *redis)
{
	redis->quiet = true;
}

void
redis_set_noun(struct redis *redis, struct text noun)
{
	redis->noun = noun;
}

void
redis_set_timeout(struct redis *redis, int64_t milliseconds)
{
	redis->timeout = milliseconds;
}

void
redis_fail_at_once(struct redis *redis, bool fails)
{
	redis->fails_at_once = fails;
}

bool
redis_encrypt(struct redis *redis, struct arena *arena,
    const struct tls_files *files, struct text *why)
{
	if (!redis->endpoint.tls)
		return true;
	redis->login.tls = tls_open(arena, files, why);
	redis->anonymous.tls = redis->login.tls;
	return redis->login.tls != NULL;
}

void
redis_set_replicas(struct redis *redis, int64_t replicas)
{
	redis->replicas = replicas;
	nodes_set_replicas(redis->nodes,
	    replicas != REPLICAS_DEFAULT ? replicas
					 : !redis_is_standalone(redis));
}

bool
redis_was_full(struct redis *redis)
{
	redis->clock = 0;
	return redis->full_at != 0 &&
	    router_now(redis) - redis->full_at <= FULL_MS;
}

bool
redis_is_standalone(const struct redis *redis)
{
	return redis->endpoint.kind == ENDPOINT_STANDALONE;
}

bool
redis_is_local(const struct redis *redis)
{
	return redis->endpoint.addresses[0].path.size > 0;
}

bool
redis_is_cluster(const struct redis *redis)
{
	return redis->endpoint.kind == ENDPOINT_CLUSTER;
}

void
redis_send(struct pipeline *pipeline)
{
	struct redis *redis = pipeline->redis;
	bool has_slots = redis_is_cluster(redis);

	pipeline->state = PIPELINE_DONE;
	if (pipeline->count == 0)
		return;
	redis->clock = 0;
	pipeline_start(pipeline);
	pipeline->epoch = redis->epoch;
	counters_add(COUNTER_REDIS_TRIPS, 1);
	counters_add(COUNTER_REDIS_COMMANDS, pipeline->count);
	counters_add(COUNTER_REDIS_SENT, pipeline->bytes.size);
	for (size_t i = 0; i < pipeline->count; i++) {
		struct command *command = pipeline_command(pipeline, i);

		command->slot = has_slots ? cluster_slot(command->key) : 0;
		router_send(redis, command);
	}
}

/* Resumes the fibers whose replies are complete; each may send more. */
static void
resume_fibers(struct redis *redis)
{
	struct pipeline *pipeline;

	while ((pipeline = STAILQ_FIRST(&redis->resumed)) != NULL) {
		STAILQ_REMOVE_HEAD(&redis->resumed, resumed);
		fiber_resume(pipeline->fiber);
	}
}

/* One turn of a process without a loop, after a flush, which may have ended the wait. */
static void
run_turn(struct redis *redis)
{
	struct pollfd poll_for = { .fd = redis->epoll, .events = POLLIN };

	if (poll(&poll_for, 1, redis_timeout(redis)) > 0)
		redis_ready(redis);
	redis_expire(redis);
	redis_flush(redis);
}

static void
wait_for_replies(struct pipeline *pipeline)
{
	pipeline->fiber = fiber_current();
	if (pipeline->state == PIPELINE_SENT && pipeline->fiber != NULL)
		fiber_suspend();
	else if (pipeline->state == PIPELINE_SENT)
		redis_flush(pipeline->redis);
	while (pipeline->state == PIPELINE_SENT)
		run_turn(pipeline->redis);
}

/* A full Redis refuses every write: that is logged now and then. */
static void
note_full(struct redis *redis)
{
	redis->full_at = router_now(redis);
	if (!redis->quiet)
		log_limited(&redis->full_logged_at,
		    "Redis at %.*s has used all of its memory (maxmemory): "
		    "nothing can be stored",
		    TEXT_ARGS(redis->name));
}

static bool
is_accepted(const struct pipeline *pipeline)
{
	bool is_full = pipeline_met_full(pipeline);

	if (is_full)
		note_full(pipeline->redis);
	return pipeline_accepted(pipeline,
	    pipeline->redis->quiet || pipeline->is_quiet || is_full
		? PIPELINE_QUIET
		: PIPELINE_LOGGED);
}

bool
redis_wait(struct pipeline *pipeline)
{
	wait_for_replies(pipeline);
	return pipeline->state == PIPELINE_DONE && is_accepted(pipeline);
}

bool
redis_try(struct pipeline *pipeline)
{
	redis_send(pipeline);
	wait_for_replies(pipeline);
	return is_accepted(pipeline);
}

bool
redis_run(struct pipeline *pipeline)
{
	redis_send(pipeline);
	return redis_wait(pipeline);
}

bool
redis_run_each(struct pipeline *pipeline)
{
	redis_send(pipeline);
	wait_for_replies(pipeline);
	return pipeline->state == PIPELINE_DONE;
}

static bool
accepts_hint(struct redis *redis, const struct node *node)
{
	return node != NULL && redis->hint_count < HINTS_MAX &&
	    node->hints_at <= router_now(redis);
}

static struct pipeline *
begin_hint(struct redis *redis)
{
	struct hint *hint = calloc(1, sizeof(*hint));

	if (hint == NULL)
		log_fatal("out of memory: no place for a hint");
	hint->next = redis->hints;
	redis->hints = hint;
	redis->hint_count++;
	hint->pipeline = pipeline_begin(redis, &hint->arena);
	hint->pipeline.is_hint = hint->pipeline.is_pinned = true;
	return &hint->pipeline;
}

void
redis_hint(
    struct redis *redis, size_t key, const struct text *words, size_t count)
{
	unsigned slot = redis_is_cluster(redis) ? cluster_slot(words[key]) : 0;
	struct pipeline *pipeline;

	redis->clock = 0;
	free_hints(redis, false);
	if (!accepts_hint(redis, nodes_owner(redis->nodes, slot)))
		return;
	pipeline = begin_hint(redis);
	pipeline_add_words(pipeline, UNREPLICATED, key, words, count);
	redis_send(pipeline);
}

bool
redis_discover(struct redis *redis)
{
	if (redis_is_standalone(redis))
		return true;
	redis->clock = 0;
	redis->topology_at = router_now(redis);
	while (
	    redis->discovery != NULL || redis->topology_at <= router_now(redis))
		run_turn(redis);
	return redis->lost_until == 0;
}

size_t
redis_master_count(const struct redis *redis)
{
	size_t count = 0;

	while (nodes_master(redis->nodes, count) != NULL)
		count++;
	return count;
}

bool
redis_is_partial(const struct redis *redis)
{
	const struct node *node;
	size_t covered = 0;
	bool has_others = false;

	for (size_t i = 0; (node = nodes_master(redis->nodes, i)) != NULL;
	    i++) {
		covered += node->down ? 0 : node->slots;
		has_others |=
		    node->reads.context != NULL && node->reads.handshake == 0;
	}
	return redis_is_cluster(redis) && has_others && covered < CLUSTER_SLOTS;
}

bool
redis_time(struct redis *redis, struct arena *arena, int64_t *milliseconds)
{
	for (size_t master = 0;
	    master == 0 || master < redis_master_count(redis); master++) {
		struct pipeline pipeline =
		    pipeline_begin_at(redis, arena, master);

		pipeline_add_time(&pipeline, TEXT(""));
		if (!redis_try(&pipeline) || !pipeline_is_whole(&pipeline))
			continue;
		*milliseconds = reply_milliseconds(&pipeline.replies[0]);
		return true;
	}
	return false;
}

uint64_t
redis_map_version(const struct redis *redis)
{
	return redis->map_version;
}

static bool
visit_all(struct redis *redis, redis_visitor *visit, void *data)
{
	for (size_t master = 0; master < redis_master_count(redis); master++)
		if (!visit(data, master))
			return false;
	return true;
}

bool
redis_visit_masters(struct redis *redis, redis_visitor *visit, void *data)
{
	if (!redis_discover(redis))
		return false;
	for (int visits = 0; visits < VISITS_MAX; visits++) {
		uint64_t map = redis->map_version;

		if (!visit_all(redis, visit, data) || !redis_discover(redis))
			return false;
		if (redis->map_version == map)
			return true;
	}
	log_line("Redis at %.*s: slots keep moving between nodes: not all "
		 "keys can be visited",
	    TEXT_ARGS(redis->name));
	return false;
}

int
redis_descriptor(const struct redis *redis)
{
	return redis->epoll;
}

uint64_t
redis_epoch(const struct redis *redis)
{
	return redis->epoch;
}

/* Commands without a connection have a deadline as well. */
static void
set_deadlines(struct redis *redis)
{
	for (struct command *command = STAILQ_FIRST(&redis->unrouted);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->pipeline->deadline == 0)
			command->pipeline->deadline =
			    router_now(redis) + redis->timeout;
}

void
redis_flush(struct redis *redis)
{
	redis->clock = 0;
	set_deadlines(redis);
	topology_step(redis);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		router_flush(redis, &redis->nodes->all[i]->reads);
		router_flush(redis, &redis->nodes->all[i]->writes);
	}
	resume_fibers(redis);
}

void
redis_ready(struct redis *redis)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(redis->epoll, events, EVENTS, 0);

	redis->clock = 0;
	for (int i = 0; i < count; i++) {
		int ready = 0;

		if ((events[i].events & EPOLLOUT) != 0)
			ready |= ROUTER_WRITABLE;
		if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0)
			ready |= ROUTER_READABLE;
		router_serve(redis, events[i].data.ptr, ready);
	}
	resume_fibers(redis);
}

static int64_t
earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* When the next deadline or retry is due; INT64_MAX: none. */
static int64_t
next_due(const struct redis *redis)
{
	const struct command *later = STAILQ_FIRST(&redis->retries);
	const struct command *unrouted = STAILQ_FIRST(&redis->unrouted);
	int64_t next = topology_due(redis);

	if (later != NULL)
		next = earlier(next, later->due);
	if (unrouted != NULL && unrouted->pipeline->deadline != 0)
		next = earlier(next, unrouted->pipeline->deadline);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		const struct node *node = redis->nodes->all[i];

		next = earlier(
		    next, connection_deadline(&node->reads, redis->timeout));
		next = earlier(
		    next, connection_deadline(&node->writes, redis->timeout));
	}
	return next;
}

int
redis_timeout(struct redis *redis)
{
	int64_t next = next_due(redis), left;

	if (next == INT64_MAX)
		return -1;
	redis->clock = 0;
	left = next - router_now(redis);
	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

void
redis_expire(struct redis *redis)
{
	redis->clock = 0;
	free_hints(redis, false);
	topology_step(redis);
	router_send_due(redis);
	router_expire(redis);
	topology_step(redis);
	resume_fibers(redis);
}

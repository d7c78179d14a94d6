#include "redis/redis.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/fiber.h"
#include "base/log.h"
#include "redis/hint.h"
#include "redis/route.h"
#include "redis/topology.h"

enum {
	ANSWER_MS = 1800, /* longest wait for a reply */
	EVENTS = 64,
	FULL_MS = 1000, /* for which a refusal is remembered */
	WALKS_MAX = 10
};

struct redis *
redis_open(struct text address, struct text user, struct text password)
{
	struct redis *redis = calloc(1, sizeof(*redis));

	if (redis == NULL)
		log_fatal("out of memory: no place for a connection");
	redis->name = text_copy(&redis->memory, address);
	if (!endpoint_parse(&redis->memory, redis->name, &redis->seeds)) {
		arena_free(&redis->memory);
		free(redis);
		return NULL;
	}
	redis->login.user =
	    user.size > 0 ? text_copy(&redis->memory, user) : TEXT("default");
	redis->login.password = text_copy(&redis->memory, password);
	redis->timeout = ANSWER_MS;
	redis->topology_at = INT64_MAX;
	redis->asked = SIZE_MAX; /* the first comes first */
	STAILQ_INIT(&redis->later);
	STAILQ_INIT(&redis->unknown);
	STAILQ_INIT(&redis->woken);
	redis->nodes = nodes_new();
	redis_set_replicas(redis, REPLICAS_DEFAULT);
	redis->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (redis->epoll < 0)
		log_fatal("epoll_create1: no place for a connection");
	return redis;
}

bool
redis_resolve(struct redis *redis)
{
	return endpoint_resolve(&redis->memory, &redis->seeds);
}

void
redis_close(struct redis *redis)
{
	nodes_free(redis->nodes);
	topology_free(redis);
	hint_free_all(redis);
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
	if (!redis->seeds.tls)
		return true;
	redis->login.tls = tls_open(arena, files, why);
	redis->nobody.tls = redis->login.tls;
	return redis->login.tls != NULL;
}

void
redis_set_replicas(struct redis *redis, int64_t replicas)
{
	redis->replicas = replicas;
	redis->nodes->replicas = replicas != REPLICAS_DEFAULT
	    ? replicas
	    : !redis_is_standalone(redis);
}

bool
redis_was_full(struct redis *redis)
{
	redis->clock = 0;
	return redis->full_at != 0 &&
	    client_now(redis) - redis->full_at <= FULL_MS;
}

bool
redis_is_standalone(const struct redis *redis)
{
	return redis->seeds.kind == ENDPOINT_STANDALONE;
}

bool
redis_is_local(const struct redis *redis)
{
	return redis->seeds.addresses[0].path.size > 0;
}

bool
redis_is_cluster(const struct redis *redis)
{
	return redis->seeds.kind == ENDPOINT_CLUSTER;
}

/* The nodes that were named, once their addresses are final. */
static void
add_seeds(struct redis *redis)
{
	for (size_t i = 0; i < redis->seeds.count; i++) {
		struct node *node =
		    nodes_at(redis->nodes, &redis->seeds.addresses[i]);

		node->is_seed = true;
		if (redis_is_standalone(redis)) {
			nodes_give(redis->nodes, 0, CLUSTER_SLOTS - 1, node);
			redis->map = 1;
		}
	}
}

void
redis_send(struct pipeline *pipeline)
{
	struct redis *redis = pipeline->redis;
	bool has_slots = redis_is_cluster(redis);

	pipeline->state = PIPELINE_DONE;
	if (pipeline->count == 0)
		return;
	if (redis->nodes->count == 0)
		add_seeds(redis);
	redis->clock = 0;
	pipeline->state = PIPELINE_SENT;
	pipeline->epoch = redis->epoch;
	pipeline->pending = pipeline->count;
	pipeline->replies =
	    arena_new(pipeline->arena, struct reply, pipeline->count);
	for (size_t i = 0; i < pipeline->count; i++) {
		struct command *command = pipeline_command(pipeline, i);

		command->pipeline = pipeline;
		command->reply = &pipeline->replies[i];
		command->slot = has_slots ? cluster_slot(command->key) : 0;
		route_send(redis, command);
	}
}

/* Lets the fibers go on whose replies are complete; each may send more. */
static void
wake(struct redis *redis)
{
	struct pipeline *pipeline;

	while ((pipeline = STAILQ_FIRST(&redis->woken)) != NULL) {
		STAILQ_REMOVE_HEAD(&redis->woken, woken);
		fiber_resume(pipeline->fiber);
	}
}

/* One turn of whoever has no loop, after a flush: flushing may have ended what is
 * waited for. */
static void
turn_alone(struct redis *redis)
{
	struct pollfd poll_for = { .fd = redis->epoll, .events = POLLIN };

	if (poll(&poll_for, 1, redis_timeout(redis)) > 0)
		redis_ready(redis);
	redis_expire(redis);
	redis_flush(redis);
}

static void
wait_for(struct pipeline *pipeline)
{
	pipeline->fiber = fiber_current();
	if (pipeline->state == PIPELINE_SENT && pipeline->fiber != NULL)
		fiber_suspend();
	else if (pipeline->state == PIPELINE_SENT)
		redis_flush(pipeline->redis);
	while (pipeline->state == PIPELINE_SENT)
		turn_alone(pipeline->redis);
}

/* A full Redis refuses whatever anybody sends: that is logged now and then. */
static void
note_full(struct redis *redis)
{
	redis->full_at = client_now(redis);
	if (!redis->quiet)
		log_limited(&redis->told_full,
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
	    pipeline->redis->quiet || is_full ? PIPELINE_QUIET
					      : PIPELINE_LOGGED);
}

bool
redis_wait(struct pipeline *pipeline)
{
	wait_for(pipeline);
	return pipeline->state == PIPELINE_DONE && is_accepted(pipeline);
}

bool
redis_try(struct pipeline *pipeline)
{
	redis_send(pipeline);
	wait_for(pipeline);
	return is_accepted(pipeline);
}

bool
redis_run(struct pipeline *pipeline)
{
	redis_send(pipeline);
	return redis_wait(pipeline);
}

void
redis_hint(
    struct redis *redis, size_t key, const struct text *words, size_t count)
{
	unsigned slot = redis_is_cluster(redis) ? cluster_slot(words[key]) : 0;
	struct pipeline *pipeline;

	redis->clock = 0;
	hint_free_answered(redis);
	if (!hint_is_welcome(redis, nodes_owner(redis->nodes, slot)))
		return;
	pipeline = hint_begin(redis);
	pipeline_add_words(pipeline, UNREPLICATED, key, words, count);
	redis_send(pipeline);
}

bool
redis_discover(struct redis *redis)
{
	if (redis->nodes->count == 0)
		add_seeds(redis);
	if (redis_is_standalone(redis))
		return true;
	redis->clock = 0;
	redis->topology_at = client_now(redis);
	while (
	    redis->discovery != NULL || redis->topology_at <= client_now(redis))
		turn_alone(redis);
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
		    node->reads.link != NULL && node->reads.greeting == 0;
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
	return redis->map;
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
	for (int walks = 0; walks < WALKS_MAX; walks++) {
		uint64_t map = redis->map;

		if (!visit_all(redis, visit, data) || !redis_discover(redis))
			return false;
		if (redis->map == map)
			return true;
	}
	log_line("Redis at %.*s: slots keep moving from node to node, and not "
		 "all can be seen at once",
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

/* What has no lane yet has a deadline as well. */
static void
set_deadlines(struct redis *redis)
{
	for (struct command *command = STAILQ_FIRST(&redis->unknown);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->pipeline->deadline == 0)
			command->pipeline->deadline =
			    client_now(redis) + redis->timeout;
}

void
redis_flush(struct redis *redis)
{
	redis->clock = 0;
	set_deadlines(redis);
	topology_step(redis);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		route_flush(redis, &redis->nodes->all[i]->reads);
		route_flush(redis, &redis->nodes->all[i]->writes);
	}
	wake(redis);
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
			ready |= ROUTE_WRITABLE;
		if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0)
			ready |= ROUTE_READABLE;
		route_go_on(redis, events[i].data.ptr, ready);
	}
	wake(redis);
}

static int64_t
earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* The moment of what is next; INT64_MAX when nothing is. */
static int64_t
next_moment(const struct redis *redis)
{
	const struct command *later = STAILQ_FIRST(&redis->later);
	const struct command *unknown = STAILQ_FIRST(&redis->unknown);
	int64_t next = topology_due(redis);

	if (later != NULL)
		next = earlier(next, later->due);
	if (unknown != NULL && unknown->pipeline->deadline != 0)
		next = earlier(next, unknown->pipeline->deadline);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		const struct node *node = redis->nodes->all[i];

		next =
		    earlier(next, lane_deadline(&node->reads, redis->timeout));
		next =
		    earlier(next, lane_deadline(&node->writes, redis->timeout));
	}
	return next;
}

int
redis_timeout(struct redis *redis)
{
	int64_t next = next_moment(redis), left;

	if (next == INT64_MAX)
		return -1;
	redis->clock = 0;
	left = next - client_now(redis);
	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

void
redis_expire(struct redis *redis)
{
	redis->clock = 0;
	hint_free_answered(redis);
	topology_step(redis);
	route_due(redis);
	route_expire(redis);
	topology_step(redis);
	wake(redis);
}

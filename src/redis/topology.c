#include "redis/topology.h"

#include <stdlib.h>

#include "base/log.h"
#include "redis/map.h"
#include "redis/route.h"

enum {
	PAUSE_MS = 100,	 /* between two discoveries */
	ANSWER_MS = 500, /* until the next one is asked */
	SENTINELS_MS =
	    1000,	/* sentinels do not say when the master has changed */
	HOLES_MS = 1000 /* until a map with holes is asked for again */
};

struct discovery {
	struct node *node; /* that was asked */
	struct pipeline pipeline;
	struct arena arena;
	int64_t until; /* when the next one is asked */
	struct discovery *next;
};

static void
free_discovery(struct discovery *discovery)
{
	arena_free(&discovery->arena);
	free(discovery);
}

static bool
is_answered(const struct discovery *discovery)
{
	return discovery->pipeline.state != PIPELINE_SENT;
}

/* Of those that took too long, all that are answered by now, or all. */
static void
free_abandoned(struct redis *redis, bool all)
{
	struct discovery **place = &redis->abandoned;

	while (*place != NULL) {
		struct discovery *discovery = *place;

		if (!all && !is_answered(discovery)) {
			place = &discovery->next;
			continue;
		}
		*place = discovery->next;
		free_discovery(discovery);
	}
}

void
topology_free(struct redis *redis)
{
	if (redis->discovery != NULL)
		free_discovery(redis->discovery);
	free_abandoned(redis, true);
}

/* As long as bytes come the answer may be among them. */
static int64_t
end_of(const struct discovery *discovery)
{
	int64_t active_until = discovery->node->reads.active_at + ANSWER_MS;

	return discovery->until < active_until ? active_until
					       : discovery->until;
}

static bool
may_be_asked(const struct redis *redis, const struct node *node)
{
	return node->is_seed ||
	    (redis->seeds.kind == ENDPOINT_CLUSTER && node->slots > 0);
}

static void
ask_sentinel(const struct redis *redis, struct pipeline *pipeline)
{
	pipeline_add(
	    pipeline, TEXT("SENTINEL"), TEXT("MASTER"), redis->seeds.master);
	pipeline_add(
	    pipeline, TEXT("SENTINEL"), TEXT("REPLICAS"), redis->seeds.master);
}

static void
ask(struct redis *redis, struct node *node)
{
	struct discovery *discovery = calloc(1, sizeof(*discovery));
	struct pipeline *pipeline;

	if (discovery == NULL)
		log_fatal("out of memory: no place for a question");
	discovery->node = node;
	discovery->until = client_now(redis) + ANSWER_MS;
	pipeline = &discovery->pipeline;
	*pipeline = pipeline_begin(redis, &discovery->arena);
	if (redis->seeds.kind == ENDPOINT_CLUSTER)
		pipeline_add(pipeline, TEXT("CLUSTER"), TEXT("SLOTS"));
	else
		ask_sentinel(redis, pipeline);
	pipeline->state = PIPELINE_SENT;
	pipeline->pending = pipeline->count;
	pipeline->is_pinned = true;
	pipeline->replies =
	    arena_new(&discovery->arena, struct reply, pipeline->count);
	redis->discovery = discovery;
	for (size_t i = 0; i < pipeline->count; i++) {
		struct command *command = pipeline_command(pipeline, i);

		command->pipeline = pipeline;
		command->reply = &pipeline->replies[i];
		lane_add(&node->reads, command);
	}
}

/* Nobody knows: whoever waits for it fails, and all who come within a while. */
static void
give_up(struct redis *redis)
{
	if (redis->lost_until == 0 && !redis->quiet)
		log_line("%.*s: nobody says where the data is",
		    TEXT_ARGS(redis->name));
	redis->lost_until = client_now(redis) + RETRY_MS;
	redis->topology_at =
	    redis->map == 0 ? INT64_MAX : client_now(redis) + RETRY_MS;
	route_lost(redis);
}

static void
ask_next(struct redis *redis)
{
	struct nodes *nodes = redis->nodes;

	for (; redis->left > 0; redis->left--) {
		struct node *node;

		redis->asked = (redis->asked + 1) % nodes->count;
		node = nodes->all[redis->asked];
		if (!may_be_asked(redis, node) ||
		    !route_open(redis, &node->reads, NULL))
			continue;
		redis->left--;
		ask(redis, node);
		return;
	}
	give_up(redis);
}

/* Connections to nodes that are no masters any more are of no use. */
static void
close_idle(struct redis *redis)
{
	for (size_t i = 0; i < redis->nodes->count; i++)
		if (!may_be_asked(redis, redis->nodes->all[i]))
			nodes_close_idle(redis->nodes->all[i]);
}

static void
take_changes(struct redis *redis, bool changed)
{
	if (redis->lost_until != 0 && !redis->quiet)
		log_line("%.*s: found again", TEXT_ARGS(redis->name));
	redis->lost_until = 0;
	if (changed || redis->map == 0) {
		redis->map++;
		redis->epoch++;
		close_idle(redis);
	}
	route_known(redis);
}

/* Forgets who had what the map leaves out; how many slots that are. */
static unsigned
take_holes(
    struct redis *redis, const bool covered[CLUSTER_SLOTS], bool *changed)
{
	unsigned holes = 0;

	for (unsigned slot = 0; slot < CLUSTER_SLOTS; slot++) {
		if (covered[slot])
			continue;
		holes++;
		if (nodes_take(redis->nodes, slot, slot))
			*changed = true;
	}
	return holes;
}

static bool
take_slots(struct redis *redis, struct discovery *discovery)
{
	struct cluster_range *ranges;
	size_t count = cluster_read_slots(&discovery->arena,
	    discovery->pipeline.replies, &discovery->node->address, &ranges);
	bool *covered = arena_new(&discovery->arena, bool, CLUSTER_SLOTS);
	bool changed = false;
	unsigned holes;

	for (size_t i = 0; i < count; i++) {
		struct node *node = nodes_at(redis->nodes, &ranges[i].master);

		if (node == NULL)
			continue;
		if (nodes_give(
			redis->nodes, ranges[i].first, ranges[i].last, node))
			changed = true;
		for (unsigned s = ranges[i].first; s <= ranges[i].last; s++)
			covered[s] = true;
	}
	if (count == 0)
		return false;
	holes = take_holes(redis, covered, &changed);
	if (holes > 0) {
		redis->topology_at = client_now(redis) + HOLES_MS;
		if (changed && !redis->quiet)
			log_line("%.*s: %u of %d slots are at no node",
			    TEXT_ARGS(redis->name), holes, CLUSTER_SLOTS);
	}
	take_changes(redis, changed);
	return true;
}

/*
 * All replicas that might take over have to have a write. Were it one of two, it
 * might be the other that does: a master that was thought dead goes on for a
 * moment, with the one that has not been told yet whom to follow. With one of two,
 * three of seven runs of `make chaos SENTINEL=1` lost 8 to 71 of some 17,000
 * acknowledged votes.
 */
static int64_t
needed(const struct reply *replicas)
{
	int64_t count = cluster_count_replicas(replicas);

	return count > 1 ? count : 1;
}

/* A sentinel that has not heard yet of the last election is passed over. */
static bool
take_master(struct redis *redis, struct discovery *discovery)
{
	struct address master;
	struct node *node;
	uint64_t elections;

	if (!cluster_read_sentinel(
		discovery->pipeline.replies, &master, &elections) ||
	    elections < redis->elections)
		return false;
	node = nodes_at(redis->nodes, &master);
	if (node == NULL)
		return false;
	redis->elections = elections;
	if (redis->replicas == REPLICAS_DEFAULT)
		node->writes.replicas = needed(&discovery->pipeline.replies[1]);
	take_changes(
	    redis, nodes_give(redis->nodes, 0, CLUSTER_SLOTS - 1, node));
	return true;
}

static bool
take(struct redis *redis, struct discovery *discovery)
{
	const struct pipeline *pipeline = &discovery->pipeline;

	if (pipeline->state != PIPELINE_DONE)
		return false;
	if (pipeline->replies[0].kind == REPLY_ERROR) {
		if (redis->lost_until == 0)
			client_log(
			    redis, discovery->node, pipeline->replies[0].text);
		return false;
	}
	return redis->seeds.kind == ENDPOINT_CLUSTER
	    ? take_slots(redis, discovery)
	    : take_master(redis, discovery);
}

/* Takes what the one who was asked has said. */
static void
finish(struct redis *redis)
{
	struct discovery *discovery = redis->discovery;
	bool good;

	redis->discovery = NULL;
	if (!is_answered(discovery)) {
		discovery->next = redis->abandoned;
		redis->abandoned = discovery;
		ask_next(redis);
		return;
	}
	redis->topology_at = redis->seeds.kind == ENDPOINT_SENTINELS
	    ? client_now(redis) + SENTINELS_MS
	    : INT64_MAX;
	good = take(redis, discovery);
	free_discovery(discovery);
	if (!good)
		ask_next(redis);
}

int64_t
topology_due(const struct redis *redis)
{
	if (redis->discovery == NULL)
		return redis->topology_at;
	return is_answered(redis->discovery) ? 0 : end_of(redis->discovery);
}

void
topology_step(struct redis *redis)
{
	free_abandoned(redis, false);
	if (topology_due(redis) == INT64_MAX ||
	    topology_due(redis) > client_now(redis))
		return;
	if (redis->discovery != NULL) {
		if (!is_answered(redis->discovery))
			route_catch_up(redis, &redis->discovery->node->reads);
		if (topology_due(redis) <= client_now(redis))
			finish(redis);
		return;
	}
	redis->discovered_at = client_now(redis);
	redis->topology_at = INT64_MAX;
	redis->left = redis->nodes->count;
	ask_next(redis);
}

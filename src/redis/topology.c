#include "redis/topology.h"

#include <stdlib.h>

#include "base/log.h"
#include "redis/cluster.h"

enum {
	ANSWER_MS = 500, /* until the next node is asked */
	/* Between two questions to sentinels, which do not report a new master. */
	SENTINELS_MS = 1000,
	HOLES_MS = 1000 /* until a map with holes is asked for again */
};

struct discovery {
	struct node *node; /* that was asked */
	struct pipeline pipeline;
	struct arena arena;
	int64_t until; /* when the next node is asked */
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

/* Frees the abandoned discoveries that are answered by now, or all. */
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

/* Extended as long as bytes come: the answer may be among them. */
static int64_t
discovery_deadline(const struct discovery *discovery)
{
	int64_t active_until = discovery->node->reads.active_at + ANSWER_MS;

	return discovery->until < active_until ? active_until
					       : discovery->until;
}

static bool
can_be_asked(const struct redis *redis, const struct node *node)
{
	return node->is_seed ||
	    (redis->endpoint.kind == ENDPOINT_CLUSTER && node->slots > 0);
}

/* All sentinels are asked, since they do not learn of an election at once; of a cluster one
 * node. */
static bool
asks_all(const struct redis *redis)
{
	return redis->endpoint.kind == ENDPOINT_SENTINELS;
}

static void
ask_sentinel(const struct redis *redis, struct pipeline *pipeline)
{
	pipeline_add(
	    pipeline, TEXT("SENTINEL"), TEXT("MASTER"), redis->endpoint.master);
	pipeline_add(pipeline, TEXT("SENTINEL"), TEXT("REPLICAS"),
	    redis->endpoint.master);
}

static void
ask_node(struct redis *redis, struct node *node)
{
	struct discovery *discovery = calloc(1, sizeof(*discovery));
	struct pipeline *pipeline;

	if (discovery == NULL)
		log_fatal("out of memory: no place for a discovery");
	discovery->node = node;
	discovery->until = router_now(redis) + ANSWER_MS;
	pipeline = &discovery->pipeline;
	*pipeline = pipeline_begin(redis, &discovery->arena);
	if (redis->endpoint.kind == ENDPOINT_CLUSTER)
		pipeline_add(pipeline, TEXT("CLUSTER"), TEXT("SLOTS"));
	else
		ask_sentinel(redis, pipeline);
	pipeline->is_pinned = true;
	pipeline_start(pipeline);
	redis->discovery = discovery;
	for (size_t i = 0; i < pipeline->count; i++)
		connection_add(&node->reads, pipeline_command(pipeline, i));
}

/* Closes idle connections to nodes that are no masters any more. */
static void
close_unused(struct redis *redis)
{
	for (size_t i = 0; i < redis->nodes->count; i++)
		if (!can_be_asked(redis, redis->nodes->all[i]))
			nodes_close_idle(redis->nodes->all[i]);
}

static void
apply_changes(struct redis *redis, bool changed)
{
	if (redis->lost_until != 0 && !redis->quiet)
		log_line("%.*s: masters found again", TEXT_ARGS(redis->name));
	redis->lost_until = 0;
	if (changed || redis->map_version == 0) {
		redis->map_version++;
		redis->epoch++;
		close_unused(redis);
	}
	router_send_unrouted(redis);
}

/* Removes the owners of slots that the map leaves out. Returns the number of these slots. */
static unsigned
apply_holes(
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
apply_slots(struct redis *redis, struct discovery *discovery)
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
	holes = apply_holes(redis, covered, &changed);
	if (holes > 0) {
		redis->topology_at = router_now(redis) + HOLES_MS;
		if (changed && !redis->quiet)
			log_line("%.*s: %u of %d slots have no node",
			    TEXT_ARGS(redis->name), holes, CLUSTER_SLOTS);
	}
	apply_changes(redis, changed);
	return true;
}

/*
 * How many replicas have to have a write: all that may take over. With one of two, the
 * other might: a master that was thought dead goes on for a moment, with the replica that
 * was not told yet which master to follow. With one of two, three of seven runs of
 * `make chaos SENTINEL=1` lost 8 to 71 of some 17,000 acknowledged votes; with those of two that
 * had a link to their master, one that returned in the middle of its failover lost 100.
 *
 * A replica that says that it is the master has either been elected just now, or was the master
 * before and has returned. It is the latter when all sentinels agree: the one that leads an
 * election knows of it.
 */
static int64_t
needed_replicas(const struct sentinel_answers *answers)
{
	bool all_agree =
	    answers->agreeing >= answers->sentinels && !answers->is_electing;
	int64_t count = all_agree ? answers->followers : answers->replicas;

	return count > 1 ? count : 1;
}

static void
add_answer(struct sentinel_answers *answers, struct node *master,
    const struct cluster_sentinel *sentinel)
{
	bool is_electing = answers->is_electing || sentinel->is_electing;

	if (sentinel->elections > answers->elections)
		*answers = (struct sentinel_answers){ 0 };
	answers->is_electing = is_electing;
	answers->master = master;
	answers->elections = sentinel->elections;
	answers->agreeing++;
	if (sentinel->sentinels > answers->sentinels)
		answers->sentinels = sentinel->sentinels;
	if (sentinel->replicas > answers->replicas)
		answers->replicas = sentinel->replicas;
	if (sentinel->followers > answers->followers)
		answers->followers = sentinel->followers;
}

/* False for a sentinel that has not heard of the last election yet. */
static bool
note_master(struct redis *redis, const struct discovery *discovery)
{
	const struct reply *replies = discovery->pipeline.replies;
	struct cluster_sentinel sentinel;
	struct node *node;

	if (!cluster_read_sentinel(&replies[0], &replies[1], &sentinel) ||
	    sentinel.elections < redis->answers.elections)
		return false;
	node = nodes_at(redis->nodes, &sentinel.master);
	if (node != NULL)
		add_answer(&redis->answers, node, &sentinel);
	return node != NULL;
}

/* Once all sentinels were asked; the discovery has failed if none has answered. */
static void
apply_master(struct redis *redis)
{
	struct sentinel_answers *answers = &redis->answers;

	if (redis->topology_at == INT64_MAX)
		redis->topology_at = router_now(redis) + SENTINELS_MS;
	if (redis->replicas == REPLICAS_DEFAULT)
		answers->master->writes.replicas = needed_replicas(answers);
	apply_changes(redis,
	    nodes_give(redis->nodes, 0, CLUSTER_SLOTS - 1, answers->master));
}

static bool
apply_replies(struct redis *redis, struct discovery *discovery)
{
	const struct pipeline *pipeline = &discovery->pipeline;

	if (pipeline->state != PIPELINE_DONE)
		return false;
	if (pipeline->replies[0].kind == REPLY_ERROR) {
		if (redis->lost_until == 0)
			router_log(
			    redis, discovery->node, pipeline->replies[0].text);
		return false;
	}
	return redis->endpoint.kind == ENDPOINT_CLUSTER
	    ? apply_slots(redis, discovery)
	    : note_master(redis, discovery);
}

/* No node has answered: commands that wait for the map fail, and so do those that come
 * within RETRY_MS. */
static void
give_up_discovery(struct redis *redis)
{
	if (redis->lost_until == 0 && !redis->quiet)
		log_line(
		    "%.*s: cannot find the masters", TEXT_ARGS(redis->name));
	redis->lost_until = router_now(redis) + RETRY_MS;
	redis->topology_at =
	    redis->map_version == 0 ? INT64_MAX : router_now(redis) + RETRY_MS;
	router_fail_unrouted(redis);
}

static void
ask_next(struct redis *redis)
{
	struct nodes *nodes = redis->nodes;

	for (; redis->left > 0; redis->left--) {
		struct node *node;

		redis->asked = (redis->asked + 1) % nodes->count;
		node = nodes->all[redis->asked];
		if (!can_be_asked(redis, node) ||
		    !router_connect(redis, &node->reads, NULL))
			continue;
		redis->left--;
		ask_node(redis, node);
		return;
	}
	if (redis->answers.master != NULL)
		apply_master(redis);
	else
		give_up_discovery(redis);
}

/* Applies the answer of the node that was asked, or asks the next one. */
static void
finish_discovery(struct redis *redis)
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
	if (!asks_all(redis))
		redis->topology_at = INT64_MAX;
	good = apply_replies(redis, discovery);
	free_discovery(discovery);
	if (!good || asks_all(redis))
		ask_next(redis);
}

int64_t
topology_due(const struct redis *redis)
{
	if (redis->discovery == NULL)
		return redis->topology_at;
	return is_answered(redis->discovery)
	    ? 0
	    : discovery_deadline(redis->discovery);
}

void
topology_step(struct redis *redis)
{
	free_abandoned(redis, false);
	if (topology_due(redis) == INT64_MAX ||
	    topology_due(redis) > router_now(redis))
		return;
	if (redis->discovery != NULL) {
		if (!is_answered(redis->discovery))
			router_catch_up(redis, &redis->discovery->node->reads);
		if (topology_due(redis) <= router_now(redis))
			finish_discovery(redis);
		return;
	}
	redis->discovered_at = router_now(redis);
	redis->topology_at = INT64_MAX;
	redis->answers =
	    (struct sentinel_answers){ .elections = redis->answers.elections };
	redis->left = redis->nodes->count;
	ask_next(redis);
}

#include "redis/nodes.h"

#include <stdlib.h>

#include "base/log.h"

struct nodes *
nodes_new(void)
{
	struct nodes *nodes = calloc(1, sizeof(*nodes));

	if (nodes == NULL)
		log_fatal("out of memory: no place for the nodes");
	for (unsigned i = 0; i < CLUSTER_SLOTS; i++)
		nodes->owners[i] = NO_NODE;
	return nodes;
}

/* Whatever it had under way is of no interest any more. */
static void
end_lane(struct lane *lane)
{
	struct command_queue nobody = STAILQ_HEAD_INITIALIZER(nobody);

	lane_close(lane, &nobody);
	arena_free(&lane->memory);
}

static void
end_node(struct node *node)
{
	end_lane(&node->reads);
	end_lane(&node->writes);
	arena_free(&node->memory);
}

void
nodes_free(struct nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++) {
		end_node(nodes->all[i]);
		free(nodes->all[i]);
	}
	free(nodes);
}

static bool
is_idle(const struct lane *lane)
{
	return STAILQ_EMPTY(&lane->gathered) && STAILQ_EMPTY(&lane->sent) &&
	    STAILQ_EMPTY(&lane->held);
}

static bool
is_forgotten(const struct node *node)
{
	return node->slots == 0 && !node->is_seed && is_idle(&node->reads) &&
	    is_idle(&node->writes);
}

/* One that has left the cluster, or a new one; NULL when there are too many. It is
 * not freed: an event of its connection may be under way. */
static struct node *
spare_node(struct nodes *nodes)
{
	struct node *node;

	for (size_t i = 0; i < nodes->count; i++)
		if (is_forgotten(nodes->all[i])) {
			end_node(nodes->all[i]);
			return nodes->all[i];
		}
	if (nodes->count == NODES_MAX)
		return NULL;
	node = malloc(sizeof(*node));
	if (node == NULL)
		log_fatal("out of memory: no place for a node");
	nodes->all[nodes->count++] = node;
	return node;
}

struct node *
nodes_at(struct nodes *nodes, const struct address *address)
{
	struct node *node;

	for (size_t i = 0; i < nodes->count; i++)
		if (address_equal(&nodes->all[i]->address, address))
			return nodes->all[i];
	node = spare_node(nodes);
	if (node == NULL)
		return NULL;
	*node = (struct node){ .slots = 0 };
	node->address = address_copy(&node->memory, address);
	node->name = address_name(&node->memory, address);
	lane_start(&node->reads, node, 0);
	lane_start(&node->writes, node, nodes->replicas);
	return node;
}

struct node *
nodes_owner(const struct nodes *nodes, unsigned slot)
{
	unsigned owner = nodes->owners[slot];

	return owner == NO_NODE ? NULL : nodes->all[owner];
}

static bool
set_owner(struct nodes *nodes, unsigned slot, unsigned owner)
{
	unsigned old = nodes->owners[slot];

	if (old == owner)
		return false;
	if (old != NO_NODE)
		nodes->all[old]->slots--;
	if (owner != NO_NODE)
		nodes->all[owner]->slots++;
	nodes->owners[slot] = (uint16_t)owner;
	return true;
}

static bool
set_owners(struct nodes *nodes, unsigned first, unsigned last, unsigned owner)
{
	bool changed = false;

	for (unsigned slot = first; slot <= last; slot++)
		if (set_owner(nodes, slot, owner))
			changed = true;
	return changed;
}

bool
nodes_give(
    struct nodes *nodes, unsigned first, unsigned last, const struct node *node)
{
	unsigned owner = 0;

	while (nodes->all[owner] != node)
		owner++;
	return set_owners(nodes, first, last, owner);
}

bool
nodes_take(struct nodes *nodes, unsigned first, unsigned last)
{
	return set_owners(nodes, first, last, NO_NODE);
}

void
nodes_close_idle(struct node *node)
{
	if (is_idle(&node->reads))
		end_lane(&node->reads);
	if (is_idle(&node->writes))
		end_lane(&node->writes);
}

struct node *
nodes_master(const struct nodes *nodes, size_t number)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->all[i]->slots > 0 && number-- == 0)
			return nodes->all[i];
	return NULL;
}

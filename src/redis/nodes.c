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

/* Drops the commands that it had under way. */
static void
close_connection(struct connection *connection)
{
	struct command_queue dropped = STAILQ_HEAD_INITIALIZER(dropped);

	connection_close(connection, &dropped);
	arena_free(&connection->memory);
}

static void
close_node(struct node *node)
{
	close_connection(&node->reads);
	close_connection(&node->writes);
	arena_free(&node->memory);
}

void
nodes_free(struct nodes *nodes)
{
	for (size_t i = 0; i < nodes->count; i++) {
		close_node(nodes->all[i]);
		free(nodes->all[i]);
	}
	free(nodes);
}

static bool
is_idle(const struct connection *connection)
{
	return STAILQ_EMPTY(&connection->queued) &&
	    STAILQ_EMPTY(&connection->sent) &&
	    STAILQ_EMPTY(&connection->awaiting_replicas);
}

static bool
is_unused(const struct node *node)
{
	return node->slots == 0 && !node->is_seed && is_idle(&node->reads) &&
	    is_idle(&node->writes);
}

/* An unused node, or a new one; NULL when there are too many. Nodes are never freed
 * before the end: an event of a connection may be under way. */
static struct node *
new_node(struct nodes *nodes)
{
	struct node *node;

	for (size_t i = 0; i < nodes->count; i++)
		if (is_unused(nodes->all[i])) {
			close_node(nodes->all[i]);
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
	node = new_node(nodes);
	if (node == NULL)
		return NULL;
	*node = (struct node){ .slots = 0 };
	node->address = address_copy(&node->memory, address);
	node->name = address_name(&node->memory, address);
	connection_init(&node->reads, node, 0);
	connection_init(&node->writes, node, nodes->replicas);
	return node;
}

void
nodes_set_replicas(struct nodes *nodes, int64_t replicas)
{
	nodes->replicas = replicas;
	for (size_t i = 0; i < nodes->count; i++)
		nodes->all[i]->writes.replicas = replicas;
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
		close_connection(&node->reads);
	if (is_idle(&node->writes))
		close_connection(&node->writes);
}

struct node *
nodes_master(const struct nodes *nodes, size_t number)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->all[i]->slots > 0 && number-- == 0)
			return nodes->all[i];
	return NULL;
}

/*
 * The nodes that are known, and the owner of each slot.
 */
#pragma once

#include "redis/cluster.h"
#include "redis/connection.h"

struct node {
	struct address address;
	struct text name;		 /* for the log */
	struct connection reads, writes; /* writes: of replicated commands */
	size_t slots;			 /* how many it owns */
	bool is_seed;	    /* named in TALLY_REDIS: never dropped */
	bool down;	    /* which was logged */
	bool refuses_hints; /* likewise */
	int64_t hints_at;   /* the earliest after a refusal */
	struct arena memory;
};

enum { NODES_MAX = 512, NO_NODE = NODES_MAX };

struct nodes {
	struct node *all[NODES_MAX];
	size_t count;
	uint16_t owners[CLUSTER_SLOTS]; /* NO_NODE: none */
	int64_t replicas;		/* of each node's writes */
};

/* On the heap: 37 KB. No slot has an owner. */
struct nodes *nodes_new(void);
void nodes_free(struct nodes *nodes);

/* Sets how many replicas confirm the writes of each node, also of those that are added. */
void nodes_set_replicas(struct nodes *nodes, int64_t replicas);

/* The node at an address, which is added if it is not known; NULL when there are
 * too many. */
struct node *nodes_at(struct nodes *nodes, const struct address *address);

/* The owner of a slot, or NULL. */
struct node *nodes_owner(const struct nodes *nodes, unsigned slot);

/* Makes a node the owner of slots first to last. True when any had another owner or
 * none. */
bool nodes_give(struct nodes *nodes, unsigned first, unsigned last,
    const struct node *node);

/* Removes the owners of slots first to last. True when any had one. */
bool nodes_take(struct nodes *nodes, unsigned first, unsigned last);

/* Closes those of a node's connections on which nothing is under way. */
void nodes_close_idle(struct node *node);

/* The nodes that own slots, by number; NULL after the last. */
struct node *nodes_master(const struct nodes *nodes, size_t number);

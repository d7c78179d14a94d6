/*
 * The nodes that are known, and which of them has which slot.
 */
#pragma once

#include "redis/lane.h"
#include "redis/slot.h"

struct node {
	struct address address;
	struct text name;	   /* for the log */
	struct lane reads, writes; /* what is protected goes over writes */
	size_t slots;		   /* how many of the map are its own */
	bool is_seed;		   /* and so is never forgotten */
	bool down;		   /* which was logged */
	bool refuses_hints;	   /* likewise */
	int64_t hints_at;	   /* the earliest after a refusal */
	struct arena memory;
};

enum { NODES_MAX = 512, NO_NODE = NODES_MAX };

struct nodes {
	struct node *all[NODES_MAX];
	size_t count;
	uint16_t owners[CLUSTER_SLOTS]; /* NO_NODE: it is at nobody's */
	int64_t replicas;		/* of each node's writes */
};

/* On the heap: 37 KB. No slot has an owner. */
struct nodes *nodes_new(void);
void nodes_free(struct nodes *nodes);

/* The node at an address, which is added if it is not known; NULL when there are
 * too many. */
struct node *nodes_at(struct nodes *nodes, const struct address *address);

/* NULL when nobody has the slot. */
struct node *nodes_owner(const struct nodes *nodes, unsigned slot);

/* Gives slots to a node. Returns whether any was another's or nobody's. */
bool nodes_give(struct nodes *nodes, unsigned first, unsigned last,
    const struct node *node);

/* Forgets who had slots from first to last; whether anybody had. */
bool nodes_take(struct nodes *nodes, unsigned first, unsigned last);

/* Closes its connections unless something is under way on them. */
void nodes_close_idle(struct node *node);

/* The nodes that have slots, by number; NULL after the last. */
struct node *nodes_master(const struct nodes *nodes, size_t number);

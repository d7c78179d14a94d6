/*
 * What a node of a cluster says when a command is not for it, or not now (Redis
 * Cluster specification, "Redirection and resharding").
 */
#pragma once

#include "redis/address.h"

enum redirect_kind {
	REDIRECT_NONE,	/* an error like any other */
	REDIRECT_MOVED, /* the slot is at another node */
	REDIRECT_ASK, /* this once, after ASKING, another node has to be asked */
	REDIRECT_LATER /* the same again in a moment */
};

struct redirect {
	enum redirect_kind kind;
	unsigned slot;	   /* that was moved */
	struct address to; /* of MOVED and ASK; points into the error */
	bool is_news;	   /* the map of slots may have changed */
};

/* Reads an error. The host is empty when it is the one that was asked. */
struct redirect cluster_read_redirect(struct text error);

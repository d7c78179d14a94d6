/*
 * A client of the search process, which finds the ids of posts; what these have is read from
 * Redis (lists/hits.h).
 *
 * It asks over a unix socket in Redis's protocol, so the client of Redis serves: in a fiber
 * others run meanwhile, and nothing blocks. A process that is silent for SEARCH_PATIENCE_MS is
 * away, and is asked again half a second later. Queries are never logged.
 */
#pragma once

#include "base/text.h"
#include "search/query.h"
#include "store/keys.h"

struct arena;
struct redis;

enum {
	SEARCH_PATIENCE_MS = 300,
	/* Of processor time for a query: of members and of other readers. */
	SEARCH_MEMBER_MS = 50,
	SEARCH_VISITOR_MS = 20
};

struct search_question {
	struct text query; /* as it was typed */
	enum query_order order;
	uint64_t offset, count;		 /* of the hits that are wanted */
	int64_t milliseconds;		 /* of processor time */
	const struct query_names *names; /* with their values */
};

/* LATE: the time was up, and the hits are the newest of those found. */
enum search_outcome { SEARCH_EXACT, SEARCH_MORE, SEARCH_LATE };

struct search_answer {
	enum search_outcome outcome;
	/* With SEARCH_EXACT the number of hits; else at least so many. */
	uint64_t total;
	struct post_id *ids;
	size_t count;
};

enum search_result {
	SEARCH_OK,
	SEARCH_BUSY,	 /* too many wait for it */
	SEARCH_NO_INDEX, /* absent or damaged: it is being built */
	SEARCH_AWAY	 /* no process, or none that answers in time */
};

/* A client of the process at a socket, not connected yet; of it use what redis/redis.h has for
 * a worker's loop. */
struct redis *search_client_open(struct arena *arena, struct text socket);

/* The answer is in the arena; ids that are none are left out. client may be NULL: away. */
enum search_result search_client_ask(struct redis *client, struct arena *arena,
    const struct search_question *question, struct search_answer *answer)
    __attribute__((warn_unused_result));

/* How much of the index is built, in percent; -1 when that is not known, or it is whole. */
int search_client_building(struct redis *client, struct arena *arena);

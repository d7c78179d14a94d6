#include "redis/client.h"

#include "base/clock.h"
#include "base/log.h"

enum { PAUSE_MS = 100 }; /* between two questions for the map */

int64_t
client_now(struct redis *redis)
{
	if (redis->clock == 0)
		redis->clock = clock_monotonic_ms();
	return redis->clock;
}

void
client_log(const struct redis *redis, const struct node *node, struct text what)
{
	if (!redis->quiet)
		log_line("Redis at %.*s: %.*s", TEXT_ARGS(node->name),
		    TEXT_ARGS(what));
}

void
client_want_map(struct redis *redis)
{
	int64_t earliest = redis->discovered_at + PAUSE_MS;

	if (earliest < redis->lost_until)
		earliest = redis->lost_until;
	if (redis->seeds.kind != ENDPOINT_STANDALONE &&
	    redis->topology_at > earliest)
		redis->topology_at = earliest;
}

void
client_settle(struct redis *redis, struct command *command, bool answered)
{
	struct pipeline *pipeline = command->pipeline;

	if (!answered) {
		pipeline->lost = true;
		*command->reply = (struct reply){ .kind = REPLY_LOST };
	}
	if (--pipeline->pending > 0)
		return;
	pipeline->state = pipeline->lost ? PIPELINE_FAILED : PIPELINE_DONE;
	if (pipeline->fiber != NULL)
		STAILQ_INSERT_TAIL(&redis->woken, pipeline, woken);
}

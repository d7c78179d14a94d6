#include "redis/hint.h"

#include <stdlib.h>

#include "base/log.h"

enum {
	HINTS_MAX = 64, /* under way */
	PAUSE_MS = 5000 /* after a refusal */
};

struct hint {
	struct pipeline pipeline;
	struct arena arena;
	struct hint *next;
};

static void
free_hints(struct redis *redis, bool all)
{
	struct hint **place = &redis->hints;

	while (*place != NULL) {
		struct hint *hint = *place;

		if (!all && hint->pipeline.state == PIPELINE_SENT) {
			place = &hint->next;
			continue;
		}
		*place = hint->next;
		redis->hint_count--;
		arena_free(&hint->arena);
		free(hint);
	}
}

void
hint_free_answered(struct redis *redis)
{
	free_hints(redis, false);
}

void
hint_free_all(struct redis *redis)
{
	free_hints(redis, true);
}

void
hint_answered(struct redis *redis, struct lane *lane, const struct reply *reply)
{
	bool is_refused = reply->kind == REPLY_ERROR;
	struct node *node = lane->node;

	if (is_refused && !node->refuses_hints)
		client_log(redis, node,
		    text_format(&lane->memory, "takes no notes: %.*s",
			TEXT_ARGS(reply->text)));
	node->refuses_hints = is_refused;
	if (is_refused)
		node->hints_at = client_now(redis) + PAUSE_MS;
}

bool
hint_is_welcome(struct redis *redis, const struct node *node)
{
	return node != NULL && redis->hint_count < HINTS_MAX &&
	    node->hints_at <= client_now(redis);
}

struct pipeline *
hint_begin(struct redis *redis)
{
	struct hint *hint = calloc(1, sizeof(*hint));

	if (hint == NULL)
		log_fatal("out of memory: no place for a note");
	hint->next = redis->hints;
	redis->hints = hint;
	redis->hint_count++;
	hint->pipeline = pipeline_begin(redis, &hint->arena);
	hint->pipeline.is_hint = hint->pipeline.is_pinned = true;
	return &hint->pipeline;
}

/*
 * Commands that nobody waits for (redis_hint): each has memory of its own, since whoever
 * sent it may be gone when it is answered.
 */
#pragma once

#include "redis/client.h"

/* Whether a node gets another one now; a pipeline for that. */
bool hint_is_welcome(struct redis *redis, const struct node *node);
struct pipeline *hint_begin(struct redis *redis);

/* A lane's node has answered a hint: after a refusal it gets none for a while. */
void hint_answered(
    struct redis *redis, struct lane *lane, const struct reply *reply);

/* Frees those that are answered or lost; or all, after all connections were closed. */
void hint_free_answered(struct redis *redis);
void hint_free_all(struct redis *redis);

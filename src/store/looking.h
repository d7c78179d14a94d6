/*
 * The moderator who looks at a post that waits for a decision, for others to see: the first who
 * opens it, for LOOKING_SECONDS since that member last did. It keeps nobody from deciding, and is
 * lost with the memory of Redis.
 */
#pragma once

#include "redis/pipeline.h"
#include "store/post.h"

enum { LOOKING_SECONDS = 300 };

/* Adds a command that reads who looks at a post. looking_read takes its reply: id 0 for nobody. */
void looking_ask(struct pipeline *pipeline, struct post_id id);
struct member looking_read(const struct reply *reply);

/* Notes that the viewer has opened a post, unless another moderator did first: then *other is that
 * moderator, and otherwise its id is 0. The note is a hint (redis_hint). */
STORE_CALL looking_open(struct store *store, struct arena *arena,
    struct post_id id, const struct member *viewer, struct member *other);

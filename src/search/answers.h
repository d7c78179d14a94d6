/*
 * What searches found in the last seconds, so that many readers of one search, as after a link to
 * it, cost one. An answer has ids alone; the posts are read each time.
 */
#pragma once

#include "search/client.h"

struct cache;

enum { SEARCH_KEPT_MS = 10000, SEARCH_KEPT_BYTES = 1024 };

/* Names a question by what it means: equal queries in another spelling have the same key. Another
 * one follows every SEARCH_KEPT_MS; now_ms is of the monotonic clock. */
struct text search_answers_key(struct arena *arena, const struct query *query,
    const struct search_question *question, int64_t now_ms);

/* A NULL cache is always empty. The ids are in the arena. */
bool search_answers_get(struct cache *cache, struct arena *arena,
    struct text key, struct search_answer *answer);
void search_answers_put(struct cache *cache, struct arena *arena,
    struct text key, const struct search_answer *answer);

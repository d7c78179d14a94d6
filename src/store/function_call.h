/*
 * A call of a function in Redis (store/functions/), and its outcome.
 *
 * A function is given one key, from which it derives the others of its slot,
 * and any number of arguments:
 *
 *	struct call call = call_begin(arena, CALL_WRITES, "vote_1", key);
 *
 *	call_add(&call, user, TEXT("up"));
 *	return call_run(&call, store, NULL);
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

enum call_kind { CALL_READS, CALL_WRITES };

struct call {
	struct arena *arena;
	enum call_kind kind;
	struct text *words;
	size_t count, capacity;
};

struct call call_begin(struct arena *arena, enum call_kind kind,
    const char *function, struct text key);

/* The texts are kept, not copied. */
void call_add_words(struct call *call, const struct text *words, size_t count);
#define call_add(call, ...) \
	call_add_words((call), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
void call_add_number(struct call *call, int64_t number);

/* Makes it the next command of a pipeline; returns its number there. */
size_t call_send(const struct call *call, struct pipeline *pipeline);

/*
 * What a function answered, first or alone: 'ok' or the name of another outcome.
 * STORE_DOWN, and logged, when it is neither.
 */
STORE_CALL call_outcome(const struct reply *reply);

/* Sends it as a hint (redis_hint): whether it is carried out is not known. */
void call_hint(const struct call *call, const struct store *store);

/* Sends it alone, and returns its outcome; *reply is all of the answer, unless
 * it is NULL. */
STORE_CALL call_run(const struct call *call, const struct store *store,
    const struct reply **reply);

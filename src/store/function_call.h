/*
 * Calls of functions in Redis (store/functions/), and their outcomes.
 *
 * A function gets one key, from which it derives the others of its slot, and any number
 * of arguments. A call with a fixed number of arguments is one line:
 *
 *	return call_write(store, arena, "vote_3", key, user, TEXT("up"));
 *
 * Other calls are built:
 *
 *	struct call call = call_begin(arena, CALL_WRITES, "group_2", key);
 *
 *	schema_add(&call, &group_schema, group);
 *	return call_run(&call, store, NULL);
 */
#pragma once

#include "redis/pipeline.h"
#include "store/store.h"

/*
 * Calls a function that writes, with a key and further arguments, texts: call_write in a
 * round trip of its own, as call_run; call_send_write in a pipeline, as call_send.
 */
#define call_write(store, arena, function, ...) \
	call_write_words((store), (arena), (function), \
	    PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
#define call_send_write(pipeline, function, ...) \
	call_send_write_words((pipeline), (function), \
	    PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
STORE_CALL call_write_words(const struct store *store, struct arena *arena,
    const char *function, const struct text *words, size_t count);
size_t call_send_write_words(struct pipeline *pipeline, const char *function,
    const struct text *words, size_t count);

enum call_kind { CALL_READS, CALL_WRITES };

struct call {
	struct arena *arena;
	enum call_kind kind;
	struct text *words;
	size_t count, capacity;
};

struct call call_begin(struct arena *arena, enum call_kind kind,
    const char *function, struct text key);

/* Adds arguments, which are not copied. */
void call_add_words(struct call *call, const struct text *words, size_t count);
#define call_add(call, ...) \
	call_add_words((call), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))
void call_add_number(struct call *call, int64_t number);

/* Adds the call to a pipeline; returns the index of its reply. */
size_t call_send(const struct call *call, struct pipeline *pipeline);

/*
 * The outcome of a function, from the first or only item of its reply: 'ok' or another word.
 * STORE_DOWN, and logged, for an unknown word.
 */
STORE_CALL call_outcome(const struct reply *reply);

/* Sends the call as redis_hint does: it may be lost, and its outcome is not known. */
void call_hint(const struct call *call, const struct store *store);

/* Runs the call in a round trip of its own and returns its outcome; *reply is the whole
 * reply, unless NULL. */
STORE_CALL call_run(const struct call *call, const struct store *store,
    const struct reply **reply);

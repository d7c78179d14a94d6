#include "store/function_call.h"

#include "base/log.h"
#include "redis/redis.h"

enum { CALL_NAME = 1, CALL_KEY = 3 }; /* "FCALL name 1 key" */

struct call
call_begin(struct arena *arena, enum call_kind kind, const char *function,
    struct text key)
{
	struct call call = { .arena = arena, .kind = kind };

	call_add(&call, kind == CALL_READS ? TEXT("FCALL_RO") : TEXT("FCALL"),
	    text_of(function), TEXT("1"), key);
	return call;
}

void
call_add_words(struct call *call, const struct text *words, size_t count)
{
	if (call->capacity - call->count < count) {
		size_t capacity = (call->count + count) * 2;
		struct text *more =
		    arena_new(call->arena, struct text, capacity);

		for (size_t i = 0; i < call->count; i++)
			more[i] = call->words[i];
		call->words = more;
		call->capacity = capacity;
	}
	for (size_t i = 0; i < count; i++)
		call->words[call->count++] = words[i];
}

void
call_add_number(struct call *call, int64_t number)
{
	call_add(call, text_number(call->arena, number));
}

size_t
call_send(const struct call *call, struct pipeline *pipeline)
{
	return pipeline_add_words(pipeline,
	    call->kind == CALL_READS ? UNREPLICATED : REPLICATED, CALL_KEY,
	    call->words, call->count);
}

STORE_CALL
call_outcome(const struct reply *reply)
{
	static const struct text words[] = {
		[STORE_OK] = TEXT_INIT("ok"),
		[STORE_ABSENT] = TEXT_INIT("absent"),
		[STORE_TAKEN] = TEXT_INIT("taken"),
		[STORE_REMOVED] = TEXT_INIT("removed"),
		[STORE_CLOSED] = TEXT_INIT("closed"),
		[STORE_OWN] = TEXT_INIT("own"),
		[STORE_FULL] = TEXT_INIT("full"),
		[STORE_LIMITED] = TEXT_INIT("limited"),
		[STORE_VOIDED] = TEXT_INIT("voided"),
		[STORE_SUSPENDED] = TEXT_INIT("suspended"),
		[STORE_HELD] = TEXT_INIT("held"),
		[STORE_LAST_OWNER] = TEXT_INIT("last"),
		[STORE_FACTOR] = TEXT_INIT("factor"),
	};
	struct text word = reply_text(
	    reply->kind == REPLY_LIST ? reply_item(reply, 0) : reply);
	size_t index;

	if (text_index(word, words, sizeof(words) / sizeof(words[0]), &index))
		return (enum store_result)index;
	log_line("a function answered \"%.*s\"", TEXT_ARGS(word));
	return STORE_DOWN;
}

static void
tell_missing(const struct call *call, const struct reply *reply)
{
	if (reply->kind == REPLY_ERROR &&
	    text_starts(reply->text, TEXT("ERR Function not found")))
		log_line("the functions in Redis lack %.*s, which this program "
			 "calls: start it again, and it says why",
		    TEXT_ARGS(call->words[CALL_NAME]));
}

STORE_CALL
call_run(const struct call *call, const struct store *store,
    const struct reply **reply)
{
	struct pipeline pipeline = pipeline_begin(store->redis, call->arena);

	call_send(call, &pipeline);
	if (!redis_run(&pipeline)) {
		tell_missing(call, &pipeline.replies[0]);
		return STORE_DOWN;
	}
	if (reply != NULL)
		*reply = pipeline.replies;
	return call_outcome(&pipeline.replies[0]);
}

/* A call of which the first word is the key. */
static struct call
writing_call(struct arena *arena, const char *function,
    const struct text *words, size_t count)
{
	struct call call = call_begin(arena, CALL_WRITES, function, words[0]);

	call_add_words(&call, words + 1, count - 1);
	return call;
}

STORE_CALL
call_write_words(const struct store *store, struct arena *arena,
    const char *function, const struct text *words, size_t count)
{
	struct call call = writing_call(arena, function, words, count);

	return call_run(&call, store, NULL);
}

size_t
call_send_write_words(struct pipeline *pipeline, const char *function,
    const struct text *words, size_t count)
{
	struct call call =
	    writing_call(pipeline->arena, function, words, count);

	return call_send(&call, pipeline);
}

void
call_hint(const struct call *call, const struct store *store)
{
	redis_hint(store->redis, CALL_KEY, call->words, call->count);
}

#include "store/member_note.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/function_call.h"

struct text
member_note_encode(struct arena *arena, const struct member_note *note)
{
	return text_format(arena, "%llu %.*s", (unsigned long long)note->by,
	    TEXT_ARGS(note->text));
}

bool
member_note_decode(
    struct text entry, const struct reply *at, struct member_note *note)
{
	struct text by;

	*note = (struct member_note){ .at = reply_number(at) };
	text_cut(&entry, ' ', &by);
	note->text = entry;
	return text_to_u64(by, &note->by) && note->by != 0 &&
	    note->text.size > 0 && note->at > 0;
}

/* at is Unix seconds, or empty for now. */
static struct call
begin_adding(struct arena *arena, uint64_t user, const struct member_note *note,
    struct text at)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "member_note_1", key_user(arena, user));

	call_add(&call, member_note_encode(arena, note));
	call_add_number(&call, MEMBER_NOTES_MAX);
	call_add(&call, at);
	return call;
}

STORE_CALL
member_note_add(struct store *store, struct arena *arena, uint64_t user,
    const struct member_note *note)
{
	struct call call = begin_adding(arena, user, note, TEXT(""));
	enum store_result result = call_run(&call, store, NULL);

	return result == STORE_TAKEN ? STORE_OK : result;
}

STORE_CALL
member_note_delete(struct store *store, struct arena *arena, uint64_t user,
    const struct member_note *note)
{
	return store_write(store, arena, TEXT("ZREM"),
	    key_member_notes(arena, user), member_note_encode(arena, note));
}

void
member_notes_ask(struct pipeline *pipeline, uint64_t user)
{
	pipeline_add(pipeline, TEXT("ZREVRANGE"),
	    key_member_notes(pipeline->arena, user), TEXT("0"), TEXT("-1"),
	    TEXT("WITHSCORES"));
}

void
member_notes_read(struct arena *arena, const struct reply *reply,
    struct member_note **notes, size_t *count)
{
	*notes = arena_new(arena, struct member_note, reply->count / 2);
	*count = 0;
	for (size_t i = 0; i + 1 < reply->count; i += 2)
		*count += member_note_decode(reply_text(reply_item(reply, i)),
		    reply_item(reply, i + 1), &(*notes)[*count]);
}

STORE_CALL
member_notes_get(struct store *store, struct arena *arena, uint64_t user,
    struct member_note **notes, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	member_notes_ask(&pipeline, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	member_notes_read(arena, &pipeline.replies[0], notes, count);
	return STORE_OK;
}

void
member_note_load(
    struct pipeline *pipeline, uint64_t user, const struct member_note *note)
{
	struct arena *arena = pipeline->arena;
	struct call call =
	    begin_adding(arena, user, note, text_number(arena, note->at));

	call_send(&call, pipeline);
}

void
member_notes_check(struct pipeline *pipeline, uint64_t user)
{
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_READS, "check_member_notes_1", key_user(arena, user));

	call_add_number(&call, MEMBER_NOTES_MAX);
	call_send(&call, pipeline);
}

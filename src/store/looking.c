#include "store/looking.h"

#include "base/arena.h"
#include "redis/redis.h"

void
looking_ask(struct pipeline *pipeline, struct post_id id)
{
	pipeline_add(pipeline, TEXT("GET"), key_looking(pipeline->arena, id));
}

struct member
looking_read(const struct reply *reply)
{
	struct text value = reply_text(reply), id;
	struct member member = { .id = 0 };

	if (reply->kind != REPLY_TEXT || !text_cut(&value, ' ', &id) ||
	    !text_to_u64(id, &member.id))
		return (struct member){ .id = 0 };
	member.name = value;
	return member;
}

static void
looking_note(struct store *store, struct arena *arena, struct post_id id,
    const struct member *viewer)
{
	const struct text words[] = { TEXT("SET"), key_looking(arena, id),
		text_format(arena, "%llu %.*s", (unsigned long long)viewer->id,
		    TEXT_ARGS(viewer->name)),
		TEXT("EX"), text_number(arena, LOOKING_SECONDS) };

	redis_hint(store->redis, 1, words, sizeof(words) / sizeof(words[0]));
}

STORE_CALL
looking_open(struct store *store, struct arena *arena, struct post_id id,
    const struct member *viewer, struct member *other)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	*other = (struct member){ .id = 0 };
	looking_ask(&pipeline, id);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*other = looking_read(&pipeline.replies[0]);
	if (other->id == 0 || other->id == viewer->id) {
		*other = (struct member){ .id = 0 };
		looking_note(store, arena, id, viewer);
	}
	return STORE_OK;
}

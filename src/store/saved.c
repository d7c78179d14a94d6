#include "store/saved.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/function_call.h"

static const struct text saving_words[] = {
	[SAVING_OFF] = TEXT_INIT("off"), [SAVING_ON] = TEXT_INIT("on")
};

bool
saving_parse(struct text word, enum saving *saving)
{
	size_t index;

	if (!text_index(word, saving_words, 2, &index))
		return false;
	*saving = (enum saving)index;
	return true;
}

STORE_CALL
saved_set(struct store *store, struct arena *arena, uint64_t user,
    struct post_id post, enum saving wanted)
{
	struct text key = key_user(arena, user);
	struct text entry = encode_post(arena, post);

	return wanted == SAVING_ON
	    ? call_write(store, arena, "save_1", key, entry,
		  text_number(arena, SAVED_MAX))
	    : call_write(store, arena, "unsave_1", key, entry);
}

bool
saved_decode(struct text entry, const struct reply *score, struct saved *saved)
{
	*saved = (struct saved){ decode_post(entry), reply_number(score) };
	return saved->post.article != 0 && saved->at > 0;
}

STORE_CALL
saved_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct saved **items, size_t *got,
    uint64_t *total)
{
	const struct reply *all = store_read_range(
	    store, arena, key_saved(arena, user), start, count, total);

	if (all == NULL)
		return STORE_DOWN;
	*items = arena_new(arena, struct saved, count);
	*got = 0;
	for (size_t i = 0; i + 1 < all->count && *got < count; i += 2)
		*got += saved_decode(reply_text(reply_item(all, i)),
		    reply_item(all, i + 1), &(*items)[*got]);
	return STORE_OK;
}

void
saved_load(struct pipeline *pipeline, uint64_t user, const struct saved *saved)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_saved_1", key_user(arena, user),
	    encode_post(arena, saved->post), text_number(arena, saved->at),
	    text_number(arena, SAVED_MAX));
}

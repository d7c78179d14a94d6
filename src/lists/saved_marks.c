#include "lists/saved_marks.h"

#include <stdlib.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/saved.h"

static int
compare_posts(const void *a, const void *b)
{
	return sort_compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static struct text
pack_marks(struct arena *arena, const struct reply *reply)
{
	uint64_t *posts = arena_new(arena, uint64_t, reply->count);

	for (size_t i = 0; i < reply->count; i++)
		posts[i] = decode_post_number(reply_text(reply_item(reply, i)));
	sort_ids(posts, reply->count);
	return (
	    struct text){ (const char *)posts, reply->count * sizeof(*posts) };
}

static struct saved_marks
unpack_marks(struct text bytes)
{
	return (struct saved_marks){ (const uint64_t *)(const void *)bytes.data,
		bytes.size / sizeof(uint64_t) };
}

STORE_CALL
saved_marks_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user,
    struct saved_marks *marks)
{
	struct stamp stamp = { redis_epoch(store->redis),
		(uint64_t)user->saves };
	const struct reply *all;
	struct text bytes;

	*marks = (struct saved_marks){ .count = 0 };
	if (user->saves == 0)
		return STORE_OK;
	if (!read_cache_get_own(
		cache, arena, stamp, OWN_SAVED, user->id, TEXT(""), &bytes)) {
		all = store_read(store, arena, TEXT("ZREVRANGE"),
		    key_saved(arena, user->id), TEXT("0"),
		    text_number(arena, SAVED_MAX - 1));
		if (all == NULL)
			return STORE_DOWN;
		bytes = pack_marks(arena, all);
		read_cache_put_own(
		    cache, arena, stamp, OWN_SAVED, user->id, TEXT(""), bytes);
	}
	*marks = unpack_marks(bytes);
	return STORE_OK;
}

bool
saved_marks_have(const struct saved_marks *marks, struct post_id post)
{
	uint64_t wanted = post_id_to_number(post);

	return marks->count > 0 &&
	    bsearch(&wanted, marks->posts, marks->count, sizeof(wanted),
		compare_posts) != NULL;
}

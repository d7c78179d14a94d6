#include "lists/read_marks.h"

#include <stdlib.h>

#include "base/sort.h"
#include "redis/redis.h"
#include "store/function_call.h"

static int
compare_marks(const void *a, const void *b)
{
	const struct read_mark *one = a, *other = b;

	return sort_compare(one->article, other->article);
}

static struct read_marks
unpack_marks(struct text bytes)
{
	return (struct read_marks){
		(const struct read_mark *)(const void *)bytes.data,
		bytes.size / sizeof(struct read_mark)
	};
}

static struct text
pack_marks(struct arena *arena, const struct reply *reply)
{
	size_t count = reply->count / 2;
	struct read_mark *articles = arena_new(arena, struct read_mark, count);

	for (size_t i = 0; i < count; i++)
		articles[i] = (struct read_mark){ reply_id(
						      reply_item(reply, 2 * i)),
			(uint64_t)reply_number(reply_item(reply, 2 * i + 1)) };
	if (count > 0)
		qsort(articles, count, sizeof(*articles), compare_marks);
	return (
	    struct text){ (const char *)articles, count * sizeof(*articles) };
}

STORE_CALL
read_marks_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user, struct read_marks *marks)
{
	struct stamp stamp = { redis_epoch(store->redis),
		(uint64_t)user->visits };
	const struct reply *all;
	struct text bytes;

	*marks = (struct read_marks){ .count = 0 };
	if (user->visits == 0)
		return STORE_OK;
	if (!read_cache_get_own(cache, arena, stamp, OWN_READ_MARKS, user->id,
		TEXT(""), &bytes)) {
		all = store_read(store, arena, TEXT("HGETALL"),
		    key_read_marks(arena, user->id));
		if (all == NULL)
			return STORE_DOWN;
		bytes = pack_marks(arena, all);
		read_cache_put_own(cache, arena, stamp, OWN_READ_MARKS,
		    user->id, TEXT(""), bytes);
	}
	*marks = unpack_marks(bytes);
	return STORE_OK;
}

bool
read_marks_find(
    const struct read_marks *marks, uint64_t article, uint64_t *last)
{
	const struct read_mark wanted = { article, 0 };
	const struct read_mark *found = marks->count == 0
	    ? NULL
	    : bsearch(&wanted, marks->articles, marks->count, sizeof(wanted),
		  compare_marks);

	if (found != NULL)
		*last = found->last;
	return found != NULL;
}

uint64_t
read_marks_unread(const struct read_marks *marks, const struct article *article)
{
	uint64_t commented = (uint64_t)article->commented, last;

	return commented > 0 &&
		read_marks_find(marks, article->post.id.article, &last) &&
		commented > last
	    ? commented - last
	    : 0;
}

void
read_marks_set(struct store *store, struct arena *arena, uint64_t user,
    uint64_t article, uint64_t last)
{
	struct call call =
	    call_begin(arena, CALL_WRITES, "visit_2", key_user(arena, user));

	call_add_number(&call, (int64_t)article);
	call_add_number(&call, (int64_t)last);
	call_add_number(&call, READ_MARKS_MAX);
	call_add_number(&call, store->rules.thread_window);
	call_hint(&call, store);
}

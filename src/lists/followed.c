#include "lists/followed.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/redis.h"
#include "store/group.h"

/* How long the cached names may have the former name of a group. */
enum { NAMES_SECONDS = 60 };

/* Follows the successors of groups that were renamed or merged; *is_changed if there are any. */
static enum store_result
rename_groups(struct store *store, struct arena *arena, uint64_t user,
    const struct text *groups, const bool *is_former, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct text name;
		enum store_result result;

		if (!is_former[i])
			continue;
		result = group_resolve_names(store, arena, groups[i], &name);
		if (result == STORE_OK && name.size > 0)
			result =
			    follows_rename(store, arena, user, groups[i], name);
		if (result == STORE_DOWN)
			return result;
	}
	return STORE_OK;
}

static enum store_result
read_groups(struct store *store, struct arena *arena, uint64_t user,
    struct text **groups, size_t *count)
{
	bool *is_former, is_any = false;
	enum store_result result =
	    follows_get(store, arena, user, groups, count);

	if (result != STORE_OK)
		return result;
	is_former = arena_new(arena, bool, *count);
	result = group_find_former(store, arena, *groups, *count, is_former);
	for (size_t i = 0; result == STORE_OK && i < *count; i++)
		is_any = is_any || is_former[i];
	if (result != STORE_OK || !is_any)
		return result;
	result = rename_groups(store, arena, user, *groups, is_former, *count);
	return result == STORE_OK
	    ? follows_get(store, arena, user, groups, count)
	    : result;
}

static struct text
pack(struct arena *arena, const struct text *groups, size_t count)
{
	struct buffer names = buffer_in(arena, 1024);

	for (size_t i = 0; i < count; i++) {
		buffer_add(&names, groups[i]);
		buffer_add_char(&names, ' ');
	}
	return buffer_text(&names);
}

static size_t
unpack(struct arena *arena, struct text names, struct text **groups)
{
	size_t count = 0;

	*groups = arena_new(arena, struct text, FOLLOWS_MAX);
	while (count < FOLLOWS_MAX && text_next_word(&names, &(*groups)[count]))
		count++;
	return count;
}

STORE_CALL
followed_read(struct store *store, struct arena *arena,
    struct read_cache *cache, const struct user *user, int64_t now,
    struct text **groups, size_t *count)
{
	const struct stamp stamp = { redis_epoch(store->redis),
		(uint64_t)user->follows };
	struct text minute = text_number(arena, now / NAMES_SECONDS), names;

	*groups = NULL;
	*count = 0;
	if (user->follows == 0)
		return STORE_OK;
	if (!read_cache_get_own(
		cache, arena, stamp, OWN_FOLLOWS, user->id, minute, &names)) {
		if (read_groups(store, arena, user->id, groups, count) !=
		    STORE_OK)
			return STORE_DOWN;
		names = pack(arena, *groups, *count);
		read_cache_put_own(
		    cache, arena, stamp, OWN_FOLLOWS, user->id, minute, names);
	}
	*count = unpack(arena, names, groups);
	return STORE_OK;
}

bool
followed_has(const struct text *groups, size_t count, struct text group)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(groups[i], group))
			return true;
	return false;
}

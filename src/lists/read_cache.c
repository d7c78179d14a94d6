#include "lists/read_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cache.h"
#include "base/log.h"

/*
 * How a page of a list is found, from the cheapest to the most expensive:
 *
 *	order     key: lists' stamp, name of the part     hit: no entry is read
 *	  | miss
 *	heads     key: bucket's lists' stamp, set         hit: the set is not read
 *	  | miss
 *	Redis     ZREVRANGE of the sets that changed
 *
 *	articles  key: bucket's edits' stamp, id          hit: at most counts are read
 *	votes     key: member's votes' stamp, post        hit: no vote is read
 *
 * A key begins with its stamp, so a change of a version is a miss for all that was put
 * before it, and no value is ever removed: newer ones replace it.
 */

enum kind {
	ORDERS,
	COUNTS,
	HEADS,
	THREADS,
	ARTICLES,
	VOTES,
	RECENT,
	MARKS,
	HIDDEN,
	FOLLOWS,
	SAVED,
	READ,
	THREAD_VOTES,
	PLACES,
	KINDS
};

struct read_cache {
	struct cache *kinds[KINDS];
};

struct read_cache *
read_cache_new(void)
{
	/* The bytes of a value with its key: names of orders are long. */
	static const struct {
		size_t slots, max_size;
	} sizes[] = {
		[ORDERS] = { 64, 4096 },
		[COUNTS] = { 64, 4096 },
		[HEADS] = { 1024, 4096 },
		[THREADS] = { 64, 24576 },
		[ARTICLES] = { 1024, 8192 },
		[VOTES] = { 16384, 64 },
		[RECENT] = { 256, 256 },
		[MARKS] = { 256, 8192 },
		[HIDDEN] = { 256, 16384 },
		[FOLLOWS] = { 256, 4096 },
		[SAVED] = { 64, 16384 },
		[READ] = { 1024, 64 },
		[THREAD_VOTES] = { 1024, 1200 },
		[PLACES] = { 128, 256 },
	};
	struct read_cache *cache = malloc(sizeof(*cache));

	if (cache == NULL)
		log_fatal("out of memory: no cache");
	for (size_t i = 0; i < KINDS; i++)
		cache->kinds[i] = cache_new(sizes[i].slots, sizes[i].max_size);
	return cache;
}

void
read_cache_free(struct read_cache *cache)
{
	for (size_t i = 0; cache != NULL && i < KINDS; i++)
		cache_free(cache->kinds[i]);
	free(cache);
}

static struct text
cache_key(struct arena *arena, struct stamp stamp, uint64_t id, uint64_t user,
    struct text name)
{
	const uint64_t parts[] = { stamp.epoch, stamp.version, id, user };
	struct buffer key = buffer_in(arena, 40 + name.size);

	/* Without a connection there is no version: nothing is cached. */
	if (stamp.epoch == 0)
		return TEXT("");
	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, name);
	return buffer_text(&key);
}

static bool
get_value(struct read_cache *cache, enum kind kind, struct arena *arena,
    struct text key, struct text *value)
{
	return cache != NULL &&
	    cache_get(cache->kinds[kind], arena, key, value);
}

static void
put_value(struct read_cache *cache, enum kind kind, struct text key,
    struct text value)
{
	if (cache != NULL)
		cache_put(cache->kinds[kind], key, value);
}

/* What else there is to know of entries, as bits. */
enum { ENDED = 1, APPROXIMATE = 2 };

struct entries {
	struct entry *entries;
	size_t count;
	int bits;
};

/* Entries are followed by a byte of bits. */
static bool
get_entries(struct read_cache *cache, enum kind kind, struct arena *arena,
    struct text key, struct entries *found)
{
	struct text value;

	if (cache == NULL || !cache_peek(cache->kinds[kind], key, &value))
		return false;
	found->bits = (unsigned char)value.data[value.size - 1];
	found->count = value.size / sizeof(struct entry);
	found->entries = arena_new(arena, struct entry, found->count);
	memcpy(found->entries, value.data, found->count * sizeof(struct entry));
	return true;
}

static void
put_entries(struct read_cache *cache, enum kind kind, struct arena *arena,
    struct text key, const struct entries *entries)
{
	size_t size = entries->count * sizeof(struct entry);
	struct buffer value = buffer_in(arena, size + 1);

	buffer_add(
	    &value, (struct text){ (const char *)entries->entries, size });
	buffer_add_char(&value, (char)entries->bits);
	put_value(cache, kind, key, buffer_text(&value));
}

struct text
read_cache_key(
    struct arena *arena, struct stamp stamp, uint64_t id, struct text name)
{
	return cache_key(arena, stamp, id, 0, name);
}

bool
read_cache_get_order(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, struct order *order)
{
	struct entries found;

	if (!get_entries(cache, ORDERS, arena,
		cache_key(arena, stamp, 0, 0, name), &found))
		return false;
	*order = (struct order){ .entries = found.entries,
		.count = found.count,
		.search_ended = (found.bits & ENDED) != 0,
		.is_approximate = (found.bits & APPROXIMATE) != 0 };
	return true;
}

void
read_cache_put_order(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, const struct order *order)
{
	const struct entries entries = { order->entries, order->count,
		(order->search_ended ? ENDED : 0) |
		    (order->is_approximate ? APPROXIMATE : 0) };

	put_entries(cache, ORDERS, arena, cache_key(arena, stamp, 0, 0, name),
	    &entries);
}

bool
read_cache_get_count(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, uint64_t *count)
{
	struct text key = cache_key(arena, stamp, 0, 0, name), value;
	bool found = get_value(cache, COUNTS, arena, key, &value);

	if (found)
		memcpy(count, value.data, sizeof(*count));
	return found;
}

void
read_cache_put_count(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, uint64_t count)
{
	put_value(cache, COUNTS, cache_key(arena, stamp, 0, 0, name),
	    (struct text){ (const char *)&count, sizeof(count) });
}

bool
read_cache_get_head(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, struct head *head)
{
	struct entries found;

	if (!get_entries(cache, HEADS, arena,
		cache_key(arena, stamp, 0, 0, name), &found))
		return false;
	*head = (struct head){ found.entries, found.count,
		(found.bits & ENDED) != 0 };
	return true;
}

void
read_cache_put_head(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, struct text name, const struct head *head)
{
	const struct entries entries = { head->entries, head->count,
		head->ended ? ENDED : 0 };

	put_entries(
	    cache, HEADS, arena, cache_key(arena, stamp, 0, 0, name), &entries);
}

bool
read_cache_get_article(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t id, struct article *article)
{
	struct text key = cache_key(arena, stamp, id, 0, TEXT("")), value;
	bool found = get_value(cache, ARTICLES, arena, key, &value);

	if (found)
		schema_unpack(value, &article_schema, article);
	return found;
}

void
read_cache_put_article(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, const struct article *article)
{
	uint64_t id = article->post.id.article;
	struct buffer value = buffer_in(arena, 512);

	schema_pack(&value, &article_schema, article);
	put_value(cache, ARTICLES, cache_key(arena, stamp, id, 0, TEXT("")),
	    buffer_text(&value));
}

bool
read_cache_get_thread(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text *packed)
{
	return get_value(cache, THREADS, arena,
	    cache_key(arena, stamp, article, 0, name), packed);
}

void
read_cache_put_thread(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text packed)
{
	put_value(
	    cache, THREADS, cache_key(arena, stamp, article, 0, name), packed);
}

static const enum kind own_kinds[] = {
	[OWN_READ_MARKS] = MARKS,
	[OWN_HIDDEN] = HIDDEN,
	[OWN_FOLLOWS] = FOLLOWS,
	[OWN_SAVED] = SAVED,
	[OWN_READ] = READ,
	[OWN_THREAD_VOTES] = THREAD_VOTES,
};

bool
read_cache_get_own(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, enum read_cache_own what, uint64_t user,
    struct text name, struct text *bytes)
{
	return get_value(cache, own_kinds[what], arena,
	    cache_key(arena, stamp, 0, user, name), bytes);
}

void
read_cache_put_own(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, enum read_cache_own what, uint64_t user,
    struct text name, struct text bytes)
{
	put_value(cache, own_kinds[what],
	    cache_key(arena, stamp, 0, user, name), bytes);
}

/* The name is the comment's number; empty for a vote on an article. */
static struct text
vote_key(
    struct arena *arena, struct stamp stamp, uint64_t user, struct post_id id)
{
	struct text comment = id.comment == 0
	    ? TEXT("")
	    : text_number(arena, (int64_t)id.comment);

	return cache_key(arena, stamp, id.article, user, comment);
}

bool
read_cache_get_places(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text *bytes)
{
	return get_value(cache, PLACES, arena,
	    cache_key(arena, stamp, article, 0, TEXT("")), bytes);
}

void
read_cache_put_places(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text bytes)
{
	put_value(cache, PLACES, cache_key(arena, stamp, article, 0, TEXT("")),
	    bytes);
}

bool
read_cache_get_vote(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote *vote)
{
	struct text key = vote_key(arena, stamp, user, id), value;
	bool found = get_value(cache, VOTES, arena, key, &value);

	if (found)
		*vote = (enum vote)value.data[0];
	return found;
}

void
read_cache_put_vote(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote vote)
{
	char value = (char)vote;

	put_value(cache, VOTES, vote_key(arena, stamp, user, id),
	    (struct text){ &value, 1 });
}

bool
read_cache_get_recent(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, struct recent *recent)
{
	struct text key = cache_key(arena, stamp, 0, user, TEXT("")), value;
	bool found = get_value(cache, RECENT, arena, key, &value);

	if (found)
		memcpy(recent, value.data, sizeof(*recent));
	return found;
}

void
read_cache_put_recent(struct read_cache *cache, struct arena *arena,
    struct stamp stamp, uint64_t user, const struct recent *recent)
{
	put_value(cache, RECENT, cache_key(arena, stamp, 0, user, TEXT("")),
	    (struct text){ (const char *)recent, sizeof(*recent) });
}

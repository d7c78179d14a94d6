#include "base/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { WAYS = 4, INLINE_SIZE = 20 };

/* Empty while key_size is 0. */
struct slot {
	uint32_t hash, key_size, value_size;
	/* The key and then the value; or a pointer to larger ones. */
	char bytes[INLINE_SIZE];
};

struct cache {
	size_t sets, max_size, max_bytes;
	size_t bytes;	     /* of keys and values on the heap */
	size_t next_evicted; /* index of the slot to evict next */
	struct slot slots[][WAYS];
};

struct cache *
cache_new(size_t slots, size_t max_size)
{
	return cache_new_bounded(slots, max_size, SIZE_MAX);
}

struct cache *
cache_new_bounded(size_t slots, size_t max_size, size_t max_bytes)
{
	size_t sets = (slots + WAYS - 1) / WAYS;
	struct cache *cache =
	    calloc(1, sizeof(*cache) + sets * sizeof(cache->slots[0]));

	if (cache == NULL)
		log_fatal("out of memory: cannot create a cache");
	cache->sets = sets;
	cache->max_size = max_size < UINT32_MAX ? max_size : UINT32_MAX;
	cache->max_bytes = max_bytes;
	return cache;
}

static size_t
slot_size(const struct slot *slot)
{
	return (size_t)slot->key_size + slot->value_size;
}

static char *
heap_bytes(const struct slot *slot)
{
	char *bytes;

	memcpy(&bytes, slot->bytes, sizeof(bytes));
	return bytes;
}

static const char *
slot_bytes(const struct slot *slot)
{
	return slot_size(slot) <= INLINE_SIZE ? slot->bytes : heap_bytes(slot);
}

static void
clear_slot(struct cache *cache, struct slot *slot)
{
	if (slot_size(slot) > INLINE_SIZE) {
		free(heap_bytes(slot));
		cache->bytes -= slot_size(slot);
	}
	*slot = (struct slot){ .key_size = 0 };
}

void
cache_free(struct cache *cache)
{
	if (cache == NULL)
		return;
	for (size_t set = 0; set < cache->sets; set++)
		for (size_t way = 0; way < WAYS; way++)
			clear_slot(cache, &cache->slots[set][way]);
	free(cache);
}

/* Folds the upper half of the hash into the lower: the lowest bits of FNV-1a depend only
 * on the lowest bits of each byte, so that ids that end alike would share few sets. */
static struct slot *
find_set(struct cache *cache, uint32_t hash)
{
	return cache->slots[(hash ^ hash >> 16) % cache->sets];
}

/* The slot of a key in its set; NULL when it is not there. */
static struct slot *
find_slot(struct slot *set, uint32_t hash, struct text key)
{
	for (size_t way = 0; way < WAYS; way++)
		if (set[way].hash == hash && set[way].key_size == key.size &&
		    memcmp(slot_bytes(&set[way]), key.data, key.size) == 0)
			return &set[way];
	return NULL;
}

bool
cache_peek(struct cache *cache, struct text key, struct text *value)
{
	uint32_t hash = text_hash(key);
	const struct slot *slot;

	if (cache == NULL || key.size == 0)
		return false;
	slot = find_slot(find_set(cache, hash), hash, key);
	if (slot == NULL)
		return false;
	*value = (struct text){ slot_bytes(slot) + key.size, slot->value_size };
	return true;
}

bool
cache_get(struct cache *cache, struct arena *arena, struct text key,
    struct text *value)
{
	if (!cache_peek(cache, key, value))
		return false;
	*value = text_copy(arena, *value);
	return true;
}

/* Copies key and value into an empty slot; false when memory runs out. */
static bool
fill_slot(struct slot *slot, struct text key, struct text value)
{
	char *bytes = slot->bytes;

	if (slot_size(slot) > INLINE_SIZE) {
		bytes = malloc(slot_size(slot));
		if (bytes == NULL)
			return false;
		memcpy(slot->bytes, &bytes, sizeof(bytes));
	}
	memcpy(bytes, key.data, key.size);
	if (value.size > 0)
		memcpy(bytes + key.size, value.data, value.size);
	/* cppcheck-suppress memleak ; the slot has the pointer */
	return true;
}

/* Evicts the oldest slot of one set after the other, then the second oldest. */
static void
make_room(struct cache *cache, size_t size)
{
	while (cache->bytes > 0 && cache->bytes + size > cache->max_bytes) {
		size_t way = WAYS - 1 - cache->next_evicted / cache->sets;

		clear_slot(cache,
		    &cache->slots[cache->next_evicted % cache->sets][way]);
		cache->next_evicted =
		    (cache->next_evicted + 1) % (cache->sets * WAYS);
	}
}

void
cache_put(struct cache *cache, struct text key, struct text value)
{
	struct slot fresh = { .hash = text_hash(key),
		.key_size = (uint32_t)key.size,
		.value_size = (uint32_t)value.size };
	struct slot *set, *old;

	if (cache == NULL || key.size == 0 ||
	    key.size + value.size > cache->max_size ||
	    !fill_slot(&fresh, key, value))
		return;
	make_room(cache, slot_size(&fresh));
	set = find_set(cache, fresh.hash);
	old = find_slot(set, fresh.hash, key);
	if (old == NULL)
		old = &set[WAYS - 1];
	clear_slot(cache, old);
	memmove(&set[1], &set[0], (size_t)(old - set) * sizeof(*set));
	set[0] = fresh;
	if (slot_size(&fresh) > INLINE_SIZE)
		cache->bytes += slot_size(&fresh);
}

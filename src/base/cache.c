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

struct memo {
	size_t sets, max_size, max_bytes;
	size_t bytes; /* of keys and values that lie outside of their slots */
	size_t hand;  /* the slot that is emptied next when there is no room */
	struct slot slots[][WAYS];
};

struct memo *
memo_new(size_t slots, size_t max_size)
{
	return memo_new_bounded(slots, max_size, SIZE_MAX);
}

struct memo *
memo_new_bounded(size_t slots, size_t max_size, size_t max_bytes)
{
	size_t sets = (slots + WAYS - 1) / WAYS;
	struct memo *memo =
	    calloc(1, sizeof(*memo) + sets * sizeof(memo->slots[0]));

	if (memo == NULL)
		log_fatal("out of memory: no cache");
	memo->sets = sets;
	memo->max_size = max_size < UINT32_MAX ? max_size : UINT32_MAX;
	memo->max_bytes = max_bytes;
	return memo;
}

static size_t
size_of(const struct slot *slot)
{
	return (size_t)slot->key_size + slot->value_size;
}

static char *
outside(const struct slot *slot)
{
	char *bytes;

	memcpy(&bytes, slot->bytes, sizeof(bytes));
	return bytes;
}

static const char *
bytes_of(const struct slot *slot)
{
	return size_of(slot) <= INLINE_SIZE ? slot->bytes : outside(slot);
}

static void
empty(struct memo *memo, struct slot *slot)
{
	if (size_of(slot) > INLINE_SIZE) {
		free(outside(slot));
		memo->bytes -= size_of(slot);
	}
	*slot = (struct slot){ .key_size = 0 };
}

void
memo_free(struct memo *memo)
{
	if (memo == NULL)
		return;
	for (size_t set = 0; set < memo->sets; set++)
		for (size_t way = 0; way < WAYS; way++)
			empty(memo, &memo->slots[set][way]);
	free(memo);
}

/* Of a hash the lowest bits follow from those of each byte alone, and ids that end alike
 * would share few sets: so the upper half is folded into them. */
static struct slot *
set_of(struct memo *memo, uint32_t hash)
{
	return memo->slots[(hash ^ hash >> 16) % memo->sets];
}

/* The slot of a key in its set; NULL when it is not there. */
static struct slot *
find(struct slot *set, uint32_t hash, struct text key)
{
	for (size_t way = 0; way < WAYS; way++)
		if (set[way].hash == hash && set[way].key_size == key.size &&
		    memcmp(bytes_of(&set[way]), key.data, key.size) == 0)
			return &set[way];
	return NULL;
}

bool
memo_look(struct memo *memo, struct text key, struct text *value)
{
	uint32_t hash = text_hash(key);
	const struct slot *slot;

	if (memo == NULL || key.size == 0)
		return false;
	slot = find(set_of(memo, hash), hash, key);
	if (slot == NULL)
		return false;
	*value = (struct text){ bytes_of(slot) + key.size, slot->value_size };
	return true;
}

bool
memo_find(
    struct memo *memo, struct arena *arena, struct text key, struct text *value)
{
	if (!memo_look(memo, key, value))
		return false;
	*value = text_copy(arena, *value);
	return true;
}

/* Copies key and value into an empty slot; false without memory for them. */
static bool
fill(struct slot *slot, struct text key, struct text value)
{
	char *bytes = slot->bytes;

	if (size_of(slot) > INLINE_SIZE) {
		bytes = malloc(size_of(slot));
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

/* The oldest way of all sets is gone through first, and then the next. */
static void
make_room(struct memo *memo, size_t size)
{
	while (memo->bytes > 0 && memo->bytes + size > memo->max_bytes) {
		size_t way = WAYS - 1 - memo->hand / memo->sets;

		empty(memo, &memo->slots[memo->hand % memo->sets][way]);
		memo->hand = (memo->hand + 1) % (memo->sets * WAYS);
	}
}

void
memo_keep(struct memo *memo, struct text key, struct text value)
{
	struct slot fresh = { .hash = text_hash(key),
		.key_size = (uint32_t)key.size,
		.value_size = (uint32_t)value.size };
	struct slot *set, *old;

	if (memo == NULL || key.size == 0 ||
	    key.size + value.size > memo->max_size || !fill(&fresh, key, value))
		return;
	make_room(memo, size_of(&fresh));
	set = set_of(memo, fresh.hash);
	old = find(set, fresh.hash, key);
	if (old == NULL)
		old = &set[WAYS - 1];
	empty(memo, old);
	memmove(&set[1], &set[0], (size_t)(old - set) * sizeof(*set));
	set[0] = fresh;
	if (size_of(&fresh) > INLINE_SIZE)
		memo->bytes += size_of(&fresh);
}

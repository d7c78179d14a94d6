#include "lists/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

enum { PLACES = 1024, ORDERS = 64, SETS = 4096, WAYS = 4 };

/* An article's place is its id modulo PLACES; the last one read has it. */
struct place {
	uint64_t id; /* 0: empty */
	int64_t edits;
	struct article article; /* its texts stand in bytes */
	char *bytes;
};

/* Small, because there are many; 2^32 members or changes come later. */
struct kept_vote {
	uint32_t user, version;
	uint64_t id_and_vote; /* id * 4 + enum vote; 0: empty */
};

struct kept_order {
	int64_t version;
	struct order order;
	struct text name; /* behind the entries, in one piece with them */
};

struct cache {
	uint64_t buckets;
	int64_t *edits; /* of each bucket, as last read */
	struct place places[PLACES];
	/* A vote may stand in any of the ways of its set, the last read first:
	 * with one way a page of 25 votes nearly always misses some, and goes
	 * to Redis for those once more. */
	struct kept_vote votes[SETS][WAYS];
	struct kept_order orders[ORDERS];
};

struct cache *
cache_new(uint64_t buckets)
{
	struct cache *cache = calloc(1, sizeof(*cache));

	if (cache != NULL)
		cache->edits = calloc(buckets, sizeof(*cache->edits));
	if (cache == NULL || cache->edits == NULL)
		log_fatal("out of memory: no cache");
	cache->buckets = buckets;
	return cache;
}

void
cache_clear(struct cache *cache)
{
	if (cache == NULL)
		return;
	for (size_t i = 0; i < PLACES; i++)
		free(cache->places[i].bytes);
	for (size_t i = 0; i < ORDERS; i++)
		free(cache->orders[i].order.entries);
	memset(cache->places, 0, sizeof(cache->places));
	memset(cache->votes, 0, sizeof(cache->votes));
	memset(cache->orders, 0, sizeof(cache->orders));
}

void
cache_free(struct cache *cache)
{
	if (cache == NULL)
		return;
	cache_clear(cache);
	free(cache->edits);
	free(cache);
}

void
cache_follow(struct cache *cache, uint64_t bucket, int64_t edits)
{
	if (cache != NULL)
		cache->edits[bucket] = edits;
}

/* The texts of an article that a list shows. */
static void
collect(struct article *article, struct text **texts)
{
	texts[0] = &article->title;
	texts[1] = &article->url;
	texts[2] = &article->author_name;
	texts[3] = &article->groups;
}

enum { TEXTS = 4 };

static size_t
total(struct text *const *texts)
{
	size_t size = 0;

	for (size_t i = 0; i < TEXTS; i++)
		size += texts[i]->size;
	return size;
}

/* Moves the article's texts to bytes, one behind the other. */
static void
settle(struct article *article, char *bytes)
{
	struct text *texts[TEXTS];

	collect(article, texts);
	for (size_t i = 0; i < TEXTS; i++) {
		if (texts[i]->size > 0)
			memcpy(bytes, texts[i]->data, texts[i]->size);
		texts[i]->data = bytes;
		bytes += texts[i]->size;
	}
}

bool
cache_find(const struct cache *cache, struct arena *arena, uint64_t id,
    struct article *article)
{
	const struct place *place;
	struct text *texts[TEXTS];

	if (cache == NULL)
		return false;
	place = &cache->places[id % PLACES];
	if (place->id != id ||
	    place->edits != cache->edits[id % cache->buckets])
		return false;
	*article = place->article;
	collect(article, texts);
	/* Another request may take the place before this one is answered. */
	settle(article, arena_bytes(arena, total(texts)));
	return true;
}

void
cache_keep(struct cache *cache, const struct article *article)
{
	struct place *place;
	struct text *texts[TEXTS];
	struct article kept = *article;
	char *bytes;

	if (cache == NULL)
		return;
	collect(&kept, texts);
	bytes = malloc(total(texts) + 1);
	if (bytes == NULL)
		return;
	settle(&kept, bytes);
	kept.vote = VOTE_NONE;
	place = &cache->places[article->id % PLACES];
	free(place->bytes);
	*place = (struct place){ .id = article->id,
		.edits = cache->edits[article->id % cache->buckets],
		.article = kept,
		.bytes = bytes };
}

/* The articles of a page are neighbours more often than not; so are members. */
static size_t
vote_set(uint64_t user, uint64_t id)
{
	return (size_t)((user * 0x9E3779B97F4A7C15u >> 40) + id) % SETS;
}

bool
cache_find_vote(const struct cache *cache, uint64_t user, uint64_t id,
    int64_t version, enum vote *vote)
{
	size_t set = vote_set(user, id);

	for (size_t way = 0; cache != NULL && way < WAYS; way++) {
		const struct kept_vote *kept = &cache->votes[set][way];

		if (kept->id_and_vote / 4 != id || kept->user != (uint32_t)user)
			continue;
		*vote = (enum vote)(kept->id_and_vote % 4);
		return kept->version == (uint32_t)version;
	}
	return false;
}

void
cache_keep_vote(struct cache *cache, uint64_t user, uint64_t id,
    int64_t version, enum vote vote)
{
	struct kept_vote *set;
	size_t way = 0;

	if (cache == NULL)
		return;
	set = cache->votes[vote_set(user, id)];
	/* Where it stands already, or at the expense of the last. */
	while (way < WAYS - 1 &&
	    (set[way].id_and_vote / 4 != id || set[way].user != (uint32_t)user))
		way++;
	for (; way > 0; way--)
		set[way] = set[way - 1];
	set[0] = (struct kept_vote){ (uint32_t)user, (uint32_t)version,
		id * 4 + vote };
}

bool
cache_find_order(const struct cache *cache, struct arena *arena,
    struct text name, int64_t version, struct order *order)
{
	const struct kept_order *kept;

	if (cache == NULL)
		return false;
	kept = &cache->orders[text_hash(name) % ORDERS];
	if (kept->version != version || !text_equal(kept->name, name))
		return false;
	*order = kept->order;
	order->entries = arena_new(arena, struct entry, order->count);
	if (order->count > 0)
		memcpy(order->entries, kept->order.entries,
		    order->count * sizeof(struct entry));
	return true;
}

void
cache_keep_order(struct cache *cache, struct text name, int64_t version,
    const struct order *order)
{
	size_t size = order->count * sizeof(struct entry);
	struct kept_order *kept;
	char *bytes;

	if (cache == NULL)
		return;
	bytes = malloc(size + name.size);
	if (bytes == NULL)
		return;
	if (size > 0)
		memcpy(bytes, order->entries, size);
	memcpy(bytes + size, name.data, name.size);
	kept = &cache->orders[text_hash(name) % ORDERS];
	free(kept->order.entries);
	*kept = (struct kept_order){ .version = version,
		.order = *order,
		.name = { bytes + size, name.size } };
	kept->order.entries = (struct entry *)(void *)bytes;
}

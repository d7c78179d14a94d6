#include "lists/read_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cache.h"
#include "base/log.h"

enum cache_kind {
	ORDERS,
	HEADS,
	THREADS,
	ARTICLES,
	VOTES,
	RECENT,
	SEEN,
	MEMO_KINDS
};

struct read_cache {
	struct cache *memos[MEMO_KINDS];
};

struct read_cache *
read_cache_new(void)
{
	/* Bytes: the longest page of an order; the beginning of a sorted set;
	 * a page of a thread; a long article; a vote; what was voted on;
	 * what was seen. */
	static const struct {
		size_t slots, max_size;
	} sizes[] = {
		[ORDERS] = { 64, 4096 },
		[HEADS] = { 256, 4096 },
		[THREADS] = { 64, 24576 },
		[ARTICLES] = { 1024, 8192 },
		[VOTES] = { 32768, 64 },
		[RECENT] = { 256, 256 },
		[SEEN] = { 256, 8192 },
	};
	struct read_cache *kept = malloc(sizeof(*kept));

	if (kept == NULL)
		log_fatal("out of memory: no cache");
	for (size_t i = 0; i < MEMO_KINDS; i++)
		kept->memos[i] = cache_new(sizes[i].slots, sizes[i].max_size);
	return kept;
}

void
read_cache_free(struct read_cache *kept)
{
	for (size_t i = 0; kept != NULL && i < MEMO_KINDS; i++)
		cache_free(kept->memos[i]);
	free(kept);
}

static struct text
key_of(struct arena *arena, struct stamp stamp, uint64_t id, uint64_t user,
    struct text name)
{
	const uint64_t parts[] = { stamp.epoch, stamp.version, id, user };
	struct buffer key = buffer_in(arena, 40 + name.size);

	/* What was never connected to has no version: nothing is kept. */
	if (stamp.epoch == 0)
		return TEXT("");
	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, name);
	return buffer_text(&key);
}

static bool
find(struct read_cache *kept, enum cache_kind kind, struct arena *arena,
    struct text key, struct text *value)
{
	return kept != NULL && cache_get(kept->memos[kind], arena, key, value);
}

static void
keep(struct read_cache *kept, enum cache_kind kind, struct text key,
    struct text value)
{
	if (kept != NULL)
		cache_put(kept->memos[kind], key, value);
}

/* Entries, and then a byte that says something of them. */
static bool
find_entries(struct read_cache *kept, enum cache_kind kind, struct arena *arena,
    struct text key, struct head *found)
{
	struct text value;

	if (!find(kept, kind, arena, key, &value))
		return false;
	found->ended = value.data[value.size - 1] != '\0';
	found->count = value.size / sizeof(struct entry);
	found->entries = arena_new(arena, struct entry, found->count);
	memcpy(found->entries, value.data, found->count * sizeof(struct entry));
	return true;
}

static void
keep_entries(struct read_cache *kept, enum cache_kind kind, struct arena *arena,
    struct text key, const struct head *entries)
{
	size_t size = entries->count * sizeof(struct entry);
	struct buffer value = buffer_in(arena, size + 1);

	buffer_add(
	    &value, (struct text){ (const char *)entries->entries, size });
	buffer_add_char(&value, (char)entries->ended);
	keep(kept, kind, key, buffer_text(&value));
}

bool
read_cache_get_order(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, struct order *order)
{
	struct head found;

	if (!find_entries(
		kept, ORDERS, arena, key_of(arena, stamp, 0, 0, name), &found))
		return false;
	*order = (struct order){ .entries = found.entries,
		.count = found.count,
		.search_ended = found.ended };
	return true;
}

void
read_cache_put_order(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, const struct order *order)
{
	const struct head entries = { order->entries, order->count,
		order->search_ended };

	keep_entries(
	    kept, ORDERS, arena, key_of(arena, stamp, 0, 0, name), &entries);
}

bool
read_cache_get_head(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, struct head *head)
{
	return find_entries(
	    kept, HEADS, arena, key_of(arena, stamp, 0, 0, name), head);
}

void
read_cache_put_head(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, struct text name, const struct head *head)
{
	keep_entries(
	    kept, HEADS, arena, key_of(arena, stamp, 0, 0, name), head);
}

bool
read_cache_get_article(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t id, struct article *article)
{
	struct text key = key_of(arena, stamp, id, 0, TEXT("")), value;
	bool found = find(kept, ARTICLES, arena, key, &value);

	if (found)
		schema_unpack(value, &article_schema, article);
	return found;
}

void
read_cache_put_article(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, const struct article *article)
{
	uint64_t id = article->post.id.article;
	struct buffer value = buffer_in(arena, 512);

	schema_pack(&value, &article_schema, article);
	keep(kept, ARTICLES, key_of(arena, stamp, id, 0, TEXT("")),
	    buffer_text(&value));
}

bool
read_cache_get_thread(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text *packed)
{
	return find(kept, THREADS, arena,
	    key_of(arena, stamp, article, 0, name), packed);
}

void
read_cache_put_thread(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t article, struct text name, struct text packed)
{
	keep(kept, THREADS, key_of(arena, stamp, article, 0, name), packed);
}

bool
read_cache_get_marks(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct text *bytes)
{
	return find(
	    kept, SEEN, arena, key_of(arena, stamp, 0, user, TEXT("")), bytes);
}

void
read_cache_put_marks(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct text bytes)
{
	keep(kept, SEEN, key_of(arena, stamp, 0, user, TEXT("")), bytes);
}

/* An article's has no name. */
static struct text
key_of_vote(
    struct arena *arena, struct stamp stamp, uint64_t user, struct post_id id)
{
	struct text comment = id.comment == 0
	    ? TEXT("")
	    : text_number(arena, (int64_t)id.comment);

	return key_of(arena, stamp, id.article, user, comment);
}

bool
read_cache_get_vote(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote *vote)
{
	struct text key = key_of_vote(arena, stamp, user, id), value;
	bool found = find(kept, VOTES, arena, key, &value);

	if (found)
		*vote = (enum vote)value.data[0];
	return found;
}

void
read_cache_put_vote(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct post_id id, enum vote vote)
{
	char value = (char)vote;

	keep(kept, VOTES, key_of_vote(arena, stamp, user, id),
	    (struct text){ &value, 1 });
}

bool
read_cache_get_recent(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, struct recent *recent)
{
	struct text key = key_of(arena, stamp, 0, user, TEXT("")), value;
	bool found = find(kept, RECENT, arena, key, &value);

	if (found)
		memcpy(recent, value.data, sizeof(*recent));
	return found;
}

void
read_cache_put_recent(struct read_cache *kept, struct arena *arena,
    struct stamp stamp, uint64_t user, const struct recent *recent)
{
	keep(kept, RECENT, key_of(arena, stamp, 0, user, TEXT("")),
	    (struct text){ (const char *)recent, sizeof(*recent) });
}

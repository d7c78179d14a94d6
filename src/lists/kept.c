#include "lists/kept.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/memo.h"

enum {
	ORDERS = 64,
	ORDER_MAX = 4096, /* bytes: a page of the longest */
	ARTICLES = 1024,
	ARTICLE_MAX = 8192,
	VOTES = 8192,
	VOTE_MAX = 64,
};

struct kept {
	struct memo *orders, *articles, *votes;
};

struct kept *
kept_new(void)
{
	struct kept *kept = malloc(sizeof(*kept));

	if (kept == NULL)
		log_fatal("out of memory: no cache");
	kept->orders = memo_new(ORDERS, ORDER_MAX);
	kept->articles = memo_new(ARTICLES, ARTICLE_MAX);
	kept->votes = memo_new(VOTES, VOTE_MAX);
	return kept;
}

void
kept_free(struct kept *kept)
{
	if (kept == NULL)
		return;
	memo_free(kept->orders);
	memo_free(kept->articles);
	memo_free(kept->votes);
	free(kept);
}

static struct text
key_of(struct arena *arena, struct stamp stamp, uint64_t id, uint64_t user,
    struct text name)
{
	struct buffer key = buffer_in(arena, 40 + name.size);

	buffer_add_varint(&key, stamp.epoch);
	buffer_add_varint(&key, stamp.version);
	buffer_add_varint(&key, id);
	buffer_add_varint(&key, user);
	buffer_add(&key, name);
	return buffer_text(&key);
}

/* The entries, and then a byte that says whether the search was ended. */
bool
kept_find_order(struct kept *kept, struct arena *arena, struct stamp stamp,
    struct text name, struct order *order)
{
	struct text value;

	if (kept == NULL ||
	    !memo_find(
		kept->orders, arena, key_of(arena, stamp, 0, 0, name), &value))
		return false;
	order->search_ended = value.data[value.size - 1] != '\0';
	order->count = value.size / sizeof(struct entry);
	order->entries = arena_new(arena, struct entry, order->count);
	memcpy(order->entries, value.data, order->count * sizeof(struct entry));
	return true;
}

void
kept_keep_order(struct kept *kept, struct arena *arena, struct stamp stamp,
    struct text name, const struct order *order)
{
	size_t size = order->count * sizeof(struct entry);
	struct buffer value = buffer_in(arena, size + 1);

	buffer_add(&value, (struct text){ (const char *)order->entries, size });
	buffer_add_char(&value, (char)order->search_ended);
	if (kept != NULL)
		memo_keep(kept->orders, key_of(arena, stamp, 0, 0, name),
		    buffer_text(&value));
}

bool
kept_find_article(struct kept *kept, struct arena *arena, struct stamp stamp,
    uint64_t id, struct article *article)
{
	struct text value;

	if (kept == NULL ||
	    !memo_find(kept->articles, arena,
		key_of(arena, stamp, id, 0, TEXT("")), &value))
		return false;
	schema_unpack(value, &article_schema, article);
	return true;
}

void
kept_keep_article(struct kept *kept, struct arena *arena, struct stamp stamp,
    const struct article *article)
{
	struct buffer value = buffer_in(arena, 512);

	schema_pack(&value, &article_schema, article);
	if (kept != NULL)
		memo_keep(kept->articles,
		    key_of(arena, stamp, article->post.id.article, 0, TEXT("")),
		    buffer_text(&value));
}

bool
kept_find_vote(struct kept *kept, struct arena *arena, struct stamp stamp,
    uint64_t user, uint64_t id, enum vote *vote)
{
	struct text value;

	if (kept == NULL ||
	    !memo_find(kept->votes, arena,
		key_of(arena, stamp, id, user, TEXT("")), &value))
		return false;
	*vote = (enum vote)value.data[0];
	return true;
}

void
kept_keep_vote(struct kept *kept, struct arena *arena, struct stamp stamp,
    uint64_t user, uint64_t id, enum vote vote)
{
	char value = (char)vote;

	if (kept != NULL)
		memo_keep(kept->votes, key_of(arena, stamp, id, user, TEXT("")),
		    (struct text){ &value, 1 });
}

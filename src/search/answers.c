#include "search/answers.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"

/* Each part ends with a byte that none of them has. */
static void
add_part(struct buffer *key, struct text part)
{
	buffer_add(key, part);
	buffer_add_char(key, '\0');
}

static void
add_item(struct buffer *key, const struct query_item *item)
{
	const uint64_t parts[] = { item->kind, item->excluded, item->clause,
		item->word_count };

	buffer_add_varints(key, parts, sizeof(parts) / sizeof(parts[0]));
	/* Words as they were typed mean nothing: their folded ones do. */
	if (item->word_count == 0)
		add_part(key, item->value);
	add_part(key, item->variant);
	for (size_t i = 0; i < item->word_count; i++)
		add_part(key, item->words[i]);
}

struct text
search_answers_key(struct arena *arena, const struct query *query,
    const struct search_question *question, int64_t now_ms)
{
	struct buffer key = buffer_in(arena, 256);
	const uint64_t parts[] = { (uint64_t)query->after,
		(uint64_t)query->before, question->order, question->offset,
		question->count, (uint64_t)question->milliseconds,
		(uint64_t)now_ms / SEARCH_KEPT_MS };

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	for (size_t i = 0; i < query->count; i++)
		add_item(&key, &query->items[i]);
	return buffer_text(&key);
}

/* What precedes the ids. */
struct kept {
	enum search_outcome outcome;
	uint64_t total;
};

bool
search_answers_get(struct cache *cache, struct arena *arena, struct text key,
    struct search_answer *answer)
{
	struct text value;
	struct kept kept;

	if (!cache_get(cache, arena, key, &value))
		return false;
	memcpy(&kept, value.data, sizeof(kept));
	value = text_slice(value, sizeof(kept), value.size);
	*answer = (struct search_answer){ .outcome = kept.outcome,
		.total = kept.total,
		.count = value.size / sizeof(struct post_id) };
	answer->ids = arena_new(arena, struct post_id, answer->count);
	if (answer->count > 0)
		memcpy(answer->ids, value.data, value.size);
	return true;
}

void
search_answers_put(struct cache *cache, struct arena *arena, struct text key,
    const struct search_answer *answer)
{
	const struct kept kept = { answer->outcome, answer->total };
	struct buffer value = buffer_in(arena, SEARCH_KEPT_BYTES);

	buffer_add(&value, (struct text){ (const char *)&kept, sizeof(kept) });
	buffer_add(&value,
	    (struct text){ (const char *)answer->ids,
		answer->count * sizeof(*answer->ids) });
	cache_put(cache, key, buffer_text(&value));
}

#include "lists/merge.h"

#include "redis/redis.h"
#include "store/post.h"

int
merge_compare(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

size_t
merge_entries(const struct reply *reply, size_t asked, struct arena *arena,
    struct entry **entries)
{
	size_t count = reply->count / 2 < asked ? reply->count / 2 : asked;

	*entries = arena_new(arena, struct entry, count);
	for (size_t i = 0; i < count; i++) {
		struct entry *entry = &(*entries)[i];

		entry->id =
		    decode_post_number(reply_text(reply_item(reply, i * 2)));
		entry->score = reply_number(reply_item(reply, i * 2 + 1));
	}
	return count;
}

static bool
comes_before(
    const struct merge *merge, const struct entry *a, const struct entry *b)
{
	int order = merge_compare(a, b);

	return merge->direction == MERGE_HIGH_TO_LOW ? order < 0 : order > 0;
}

/* Whether a stream has to be read before its next entry is known. */
static bool
is_short(const struct stream *stream)
{
	return stream->used == stream->count && !stream->ended;
}

static bool
keeps_heads(const struct merge *merge)
{
	return merge->cache != NULL && !versions_are_uncached(merge->store);
}

static struct stamp
stamp_of(const struct merge *merge, const struct stream *stream)
{
	return versions_stamp(merge->versions, stream->bucket, VERSIONS_LISTS);
}

static struct text
head_name(const struct merge *merge, const struct stream *stream)
{
	return text_join(merge->arena,
	    merge->direction == MERGE_HIGH_TO_LOW ? TEXT("-") : TEXT("+"),
	    stream->key);
}

/* Goes on with entries of a stream that come after those used. */
static void
go_on(struct stream *stream, struct entry *entries, size_t count, bool ended)
{
	stream->entries = entries;
	stream->count = count;
	stream->used = 0;
	stream->rank += count;
	stream->ended = ended;
	if (count > 0)
		stream->reach = entries[count - 1];
}

/* From what is kept of the beginning; false when that does not go so far. */
static bool
use_head(const struct merge *merge, struct stream *stream)
{
	struct head *head = &stream->head;
	uint64_t rank = stream->rank;

	if (!keeps_heads(merge) || rank > HEAD_MAX ||
	    (head->entries == NULL &&
		!read_cache_get_head(merge->cache, merge->arena,
		    stamp_of(merge, stream), head_name(merge, stream), head)))
		return false;
	if (rank > head->count || (rank == head->count && !head->ended))
		return false;
	go_on(stream, head->entries + rank, head->count - rank, head->ended);
	return true;
}

/* Keeps the beginning that is known now, if what was read follows it. */
static void
keep_head(const struct merge *merge, struct stream *stream)
{
	struct head *head = &stream->head;
	size_t count = head->count + stream->count;
	struct entry *entries;

	if (!keeps_heads(merge) || stream->rank != count || count > HEAD_MAX)
		return;
	entries = arena_new(merge->arena, struct entry, count + 1);
	for (size_t i = 0; i < count; i++)
		entries[i] = i < head->count ? head->entries[i]
					     : stream->entries[i - head->count];
	*head = (struct head){ entries, count, stream->ended };
	read_cache_put_head(merge->cache, merge->arena, stamp_of(merge, stream),
	    head_name(merge, stream), head);
}

/* How many entries of a stream to read: of several buckets each has its share of
 * what is wanted, and a few more. */
static size_t
step_of(const struct merge *merge, const struct stream *stream, uint64_t wanted)
{
	if (keeps_heads(merge))
		wanted = wanted / merge->count + 4;
	return wanted < MERGE_STEP && stream->other_count == 0 ? wanted
							       : MERGE_STEP;
}

static void
ask(const struct merge *merge, struct pipeline *pipeline,
    const struct stream *stream)
{
	pipeline_add(pipeline,
	    merge->direction == MERGE_HIGH_TO_LOW ? TEXT("ZREVRANGE")
						  : TEXT("ZRANGE"),
	    stream->key, text_number(merge->arena, (int64_t)stream->rank),
	    text_number(
		merge->arena, (int64_t)(stream->rank + stream->asked) - 1),
	    TEXT("WITHSCORES"));
}

static void
take(struct merge *merge, struct stream *stream, const struct reply *reply)
{
	struct entry *entries;
	size_t count;

	if (reply->kind == REPLY_LOST) {
		go_on(stream, NULL, 0, true);
		return;
	}
	count = merge_entries(reply, stream->asked, merge->arena, &entries);
	go_on(stream, entries, count, count < stream->asked);
	keep_head(merge, stream);
}

/* Reads the next entries of every stream that has none left. */
static enum store_result
read_step(struct merge *merge, uint64_t wanted)
{
	struct pipeline pipeline =
	    pipeline_begin(merge->store->redis, merge->arena);
	const struct reply *reply;

	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		stream->asked = 0;
		if (!is_short(stream) || use_head(merge, stream))
			continue;
		stream->asked = step_of(merge, stream, wanted);
		ask(merge, &pipeline, stream);
	}
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (stream->asked > 0)
			take(merge, stream, reply++);
	}
	return STORE_OK;
}

/* Keeps those of a stream's entries that are in every other set. */
static void
keep_common(struct stream *stream, const struct reply *answers)
{
	size_t kept = 0;

	for (size_t e = 0; e < stream->count; e++) {
		size_t in = 0;

		while (in < stream->other_count &&
		    reply_item(&answers[in], e)->kind != REPLY_NIL)
			in++;
		if (in == stream->other_count)
			stream->entries[kept++] = stream->entries[e];
	}
	stream->count = kept;
}

static bool
has_to_sift(const struct stream *stream)
{
	return stream->asked > 0 && stream->count > 0 &&
	    stream->other_count > 0;
}

/* Removes from what was just read all that is not in the other sets. */
static enum store_result
sift(struct merge *merge)
{
	struct arena *arena = merge->arena;
	struct pipeline pipeline = pipeline_begin(merge->store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];
		struct text *words;

		if (!has_to_sift(stream))
			continue;
		words = arena_new(arena, struct text, stream->count + 2);
		words[0] = TEXT("ZMSCORE");
		for (size_t e = 0; e < stream->count; e++)
			words[2 + e] = encode_post(
			    arena, post_id_from_number(stream->entries[e].id));
		for (size_t o = 0; o < stream->other_count; o++) {
			words[1] = stream->others[o];
			pipeline_add_words(&pipeline, UNREPLICATED,
			    PIPELINE_KEY, words, stream->count + 2);
		}
	}
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (!has_to_sift(stream))
			continue;
		keep_common(stream, &pipeline.replies[answer]);
		answer += stream->other_count;
	}
	return STORE_OK;
}

static bool
needs_more(const struct merge *merge)
{
	for (size_t i = 0; i < merge->count; i++)
		if (is_short(&merge->streams[i]))
			return true;
	return false;
}

/* Until every stream has an entry or has ended, or the search was long
 * enough. */
static enum store_result
fill(struct merge *merge, uint64_t wanted)
{
	enum store_result result = STORE_OK;

	while (result == STORE_OK && needs_more(merge)) {
		bool searches = merge->streams[0].other_count > 0;

		if (searches && merge->steps == MERGE_MAX_STEPS) {
			merge->search_ended = true;
			return STORE_OK;
		}
		merge->steps++;
		result = read_step(merge, wanted);
		if (result == STORE_OK && searches)
			result = sift(merge);
	}
	return result;
}

/* The stream whose next entry comes first; NULL when all have ended. */
static struct stream *
first_stream(struct merge *merge)
{
	struct stream *first = NULL;

	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (stream->used == stream->count)
			continue;
		if (first == NULL ||
		    comes_before(merge, &stream->entries[stream->used],
			&first->entries[first->used]))
			first = stream;
	}
	return first;
}

/*
 * Whether nothing that was not read can come before the entry. That is so until a
 * search ends, and then for what comes before the place that each stream reached.
 */
static bool
is_certain(const struct merge *merge, const struct entry *entry)
{
	for (size_t i = 0; i < merge->count; i++)
		if (is_short(&merge->streams[i]) &&
		    comes_before(merge, &merge->streams[i].reach, entry))
			return false;
	return true;
}

static void
end_what_is_gone(struct merge *merge)
{
	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (merge->versions->buckets[stream->bucket].is_unreachable)
			stream->ended = merge->is_partial = true;
	}
}

STORE_CALL
merge_read(struct merge *merge, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got)
{
	uint64_t last = 0;

	*got = 0;
	end_what_is_gone(merge);
	if (merge->count == 1 && merge->streams[0].other_count == 0 &&
	    !keeps_heads(merge)) {
		merge->streams[0].rank = start;
		start = 0;
	}
	while (*got < count) {
		struct stream *stream;
		struct entry entry;

		if (fill(merge, start + count - *got) != STORE_OK)
			return STORE_DOWN;
		stream = first_stream(merge);
		if (stream == NULL ||
		    !is_certain(merge, &stream->entries[stream->used]))
			break;
		entry = stream->entries[stream->used++];
		/* In several groups it comes several times in a row. */
		if (entry.id == last)
			continue;
		last = entry.id;
		if (start > 0)
			start--;
		else
			entries[(*got)++] = entry;
	}
	return STORE_OK;
}

bool
merge_enter(size_t *reading)
{
	if (reading == NULL)
		return true;
	if (*reading >= MERGE_EXPENSIVE_AT_ONCE)
		return false;
	++*reading;
	return true;
}

void
merge_leave(size_t *reading)
{
	if (reading != NULL)
		--*reading;
}

static bool
is_expensive(const struct merge *merge, uint64_t start, uint64_t count)
{
	return merge->streams[0].other_count > 0 ||
	    (merge->count > 1 && start + count > MERGE_EXPENSIVE_ENTRIES);
}

STORE_CALL
merge_read_in_turn(struct merge *merge, size_t *reading, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got)
{
	enum store_result result;

	if (!is_expensive(merge, start, count))
		return merge_read(merge, start, count, entries, got);
	if (!merge_enter(reading))
		return STORE_LIMITED;
	result = merge_read(merge, start, count, entries, got);
	merge_leave(reading);
	return result;
}

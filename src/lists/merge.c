#include "lists/merge.h"

#include "store/post.h"

/*
 * One turn of merge_read:
 *
 *	streams        next entries
 *	bucket 0  -->  900 (12), 700 (4) ...  --+
 *	bucket 1  -->  800 (5)           ...  --+--> first_stream --> entries
 *	bucket 2  -->  exhausted              --+        900 (12)
 *	   ^
 *	   fill_streams: cached head, or ZREVRANGE; then ZMSCORE of a search
 *
 * 1. fill_streams reads the next entries of all exhausted streams in one round trip:
 *    MERGE_STEP of each, or what is wanted if that is less. A search needs a second one, to
 *    drop the entries that are not in the other sets, and may exhaust its stream again.
 * 2. first_stream finds the stream whose next entry comes first, which is the next of the
 *    merged order; an entry that comes twice in a row is counted once.
 * 3. The first `start` entries are skipped, the others given.
 *
 * With a cache the streams begin with what was read of their sets before (put_head), so a
 * merge after a vote reads the sets of one bucket alone.
 */

int
merge_compare(const void *one, const void *other)
{
	const struct entry *a = one, *b = other;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

/* Reads a reply of WITHSCORES: at most asked entries. Returns their number. */
static size_t
read_entries(const struct reply *reply, size_t asked, struct arena *arena,
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

struct merge
merge_open(struct store *store, struct arena *arena,
    const struct versions *versions, size_t lists)
{
	return (struct merge){ .store = store,
		.arena = arena,
		.versions = versions,
		.streams = arena_new(
		    arena, struct stream, store->buckets.count * lists) };
}

void
merge_add_search(struct merge *merge, uint64_t bucket, enum key_kind kind,
    const struct text *lists, size_t count, size_t searched)
{
	struct text *others = arena_new(merge->arena, struct text, count);
	struct stream stream = { .bucket = bucket,
		.others = others,
		.has_edits = kind == KEY_ACTIVE };

	for (size_t i = 0; i < count; i++) {
		struct text set = key_in_bucket(merge->arena,
		    &merge->store->buckets, bucket, kind, lists[i]);

		if (i == searched)
			stream.key = set;
		else
			others[stream.other_count++] = set;
	}
	merge->streams[merge->count++] = stream;
}

void
merge_add(struct merge *merge, enum key_kind kind, struct text list)
{
	for (uint64_t b = 0; b < merge->store->buckets.count; b++)
		merge_add_search(merge, b, kind, &list, 1, 0);
}

static bool
comes_before(
    const struct merge *merge, const struct entry *a, const struct entry *b)
{
	int order = merge_compare(a, b);

	return merge->direction == MERGE_HIGH_TO_LOW ? order < 0 : order > 0;
}

/* True when a stream has to be read before its next entry is known. */
static bool
is_exhausted(const struct stream *stream)
{
	return stream->used == stream->count && !stream->ended;
}

static bool
caches_heads(const struct merge *merge)
{
	return merge->cache != NULL && merge->before == 0 &&
	    !versions_are_uncached(merge->store);
}

static struct stamp
stream_stamp(const struct merge *merge, const struct stream *stream)
{
	struct stamp stamp =
	    versions_stamp(merge->versions, stream->bucket, VERSIONS_LISTS);

	if (stream->has_edits)
		stamp.version += versions_stamp(
		    merge->versions, stream->bucket, VERSIONS_EDITS)
				     .version;
	return stamp;
}

static struct text
head_name(const struct merge *merge, const struct stream *stream)
{
	return text_join(merge->arena,
	    merge->direction == MERGE_HIGH_TO_LOW ? TEXT("-") : TEXT("+"),
	    stream->key);
}

/* Replaces the used entries of a stream by those that follow them. */
static void
set_entries(
    struct stream *stream, struct entry *entries, size_t count, bool ended)
{
	stream->entries = entries;
	stream->count = count;
	stream->used = 0;
	stream->rank += count;
	stream->ended = ended;
	if (count > 0)
		stream->reach = entries[count - 1];
}

/* Takes the next entries from the cached beginning; false when that ends before them. */
static bool
get_head(const struct merge *merge, struct stream *stream)
{
	struct head *head = &stream->head;
	uint64_t rank = stream->rank;

	if (!caches_heads(merge) || rank > HEAD_MAX ||
	    (head->entries == NULL &&
		!read_cache_get_head(merge->cache, merge->arena,
		    stream_stamp(merge, stream), head_name(merge, stream),
		    head)))
		return false;
	if (rank > head->count || (rank == head->count && !head->ended))
		return false;
	set_entries(
	    stream, head->entries + rank, head->count - rank, head->ended);
	return true;
}

/* Extends the cached head by the entries that were read, if they follow it. */
static void
put_head(const struct merge *merge, struct stream *stream)
{
	struct head *head = &stream->head;
	size_t count = head->count + stream->count;
	struct entry *entries;

	if (!caches_heads(merge) || stream->rank != count || count > HEAD_MAX)
		return;
	entries = arena_new(merge->arena, struct entry, count + 1);
	for (size_t i = 0; i < count; i++)
		entries[i] = i < head->count ? head->entries[i]
					     : stream->entries[i - head->count];
	*head = (struct head){ entries, count, stream->ended };
	read_cache_put_head(merge->cache, merge->arena,
	    stream_stamp(merge, stream), head_name(merge, stream), head);
}

/* The number of entries to read: all that is wanted, or each stream's share of it. */
static size_t
step_size(
    const struct merge *merge, const struct stream *stream, uint64_t wanted)
{
	if (merge->shares || caches_heads(merge))
		wanted = wanted / merge->count + MERGE_SHARE_MIN;
	return wanted < MERGE_STEP && stream->other_count == 0 ? wanted
							       : MERGE_STEP;
}

/* Entries from the rank on: of those below a score, high to low, or of all. */
static void
ask_entries(const struct merge *merge, struct pipeline *pipeline,
    const struct stream *stream)
{
	struct arena *arena = merge->arena;
	struct text first = text_number(arena, (int64_t)stream->rank);

	if (merge->before != 0)
		pipeline_add(pipeline, TEXT("ZREVRANGEBYSCORE"), stream->key,
		    text_format(arena, "(%lld", (long long)merge->before),
		    TEXT("-inf"), TEXT("WITHSCORES"), TEXT("LIMIT"), first,
		    text_number(arena, (int64_t)stream->asked));
	else
		pipeline_add(pipeline,
		    merge->direction == MERGE_HIGH_TO_LOW ? TEXT("ZREVRANGE")
							  : TEXT("ZRANGE"),
		    stream->key, first,
		    text_number(
			arena, (int64_t)(stream->rank + stream->asked) - 1),
		    TEXT("WITHSCORES"));
}

static void
take_entries(
    struct merge *merge, struct stream *stream, const struct reply *reply)
{
	struct entry *entries;
	size_t count;

	if (reply->kind == REPLY_LOST) {
		set_entries(stream, NULL, 0, true);
		return;
	}
	count = read_entries(reply, stream->asked, merge->arena, &entries);
	set_entries(stream, entries, count, count < stream->asked);
	put_head(merge, stream);
}

/* Reads the next entries of every stream that has none left. */
static enum store_result
read_streams(struct merge *merge, uint64_t wanted)
{
	struct pipeline pipeline =
	    pipeline_begin(merge->store->redis, merge->arena);
	const struct reply *reply;

	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		stream->asked = 0;
		if (!is_exhausted(stream) || get_head(merge, stream))
			continue;
		stream->asked = step_size(merge, stream, wanted);
		ask_entries(merge, &pipeline, stream);
	}
	if (store_run_partial(merge->store, &pipeline, &merge->is_partial) !=
	    STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (stream->asked > 0)
			take_entries(merge, stream, reply++);
	}
	return STORE_OK;
}

/* Removes the entries of a stream that are not in every other set. */
static void
drop_uncommon(struct stream *stream, const struct reply *answers)
{
	size_t common = 0;

	for (size_t e = 0; e < stream->count; e++) {
		size_t in = 0;

		while (in < stream->other_count &&
		    reply_item(&answers[in], e)->kind != REPLY_NIL)
			in++;
		if (in == stream->other_count)
			stream->entries[common++] = stream->entries[e];
	}
	stream->count = common;
}

static bool
is_sifted(const struct stream *stream)
{
	return stream->asked > 0 && stream->count > 0 &&
	    stream->other_count > 0;
}

/* Looks up in the other sets what was just read of a search. */
static enum store_result
sift_streams(struct merge *merge)
{
	struct arena *arena = merge->arena;
	struct pipeline pipeline = pipeline_begin(merge->store->redis, arena);
	size_t answer = 0;

	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];
		struct text *words;

		if (!is_sifted(stream))
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

		if (!is_sifted(stream))
			continue;
		drop_uncommon(stream, &pipeline.replies[answer]);
		answer += stream->other_count;
	}
	return STORE_OK;
}

static bool
any_exhausted(const struct merge *merge)
{
	for (size_t i = 0; i < merge->count; i++)
		if (is_exhausted(&merge->streams[i]))
			return true;
	return false;
}

/* Reads until every stream has a next entry or has ended, or the search has. */
static enum store_result
fill_streams(struct merge *merge, uint64_t wanted)
{
	enum store_result result = STORE_OK;

	while (result == STORE_OK && any_exhausted(merge)) {
		bool searches = merge->streams[0].other_count > 0;

		if (searches && merge->steps == MERGE_MAX_STEPS) {
			merge->search_ended = true;
			return STORE_OK;
		}
		merge->steps++;
		result = read_streams(merge, wanted);
		if (result == STORE_OK && searches)
			result = sift_streams(merge);
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
 * True when no entry that was not read can come before this one. That is so until a
 * search ends, and then for what comes before the place that each stream reached.
 */
static bool
is_certain(const struct merge *merge, const struct entry *entry)
{
	for (size_t i = 0; i < merge->count; i++)
		if (is_exhausted(&merge->streams[i]) &&
		    comes_before(merge, &merge->streams[i].reach, entry))
			return false;
	return true;
}

/* Lists go without the buckets whose masters are lost. */
static void
end_lost_streams(struct merge *merge)
{
	for (size_t i = 0; i < merge->count; i++) {
		struct stream *stream = &merge->streams[i];

		if (merge->versions->buckets[stream->bucket].is_unreachable)
			stream->ended = merge->is_partial = true;
	}
}

/* The place of an id in the table: its own, or the empty one (0) where it would be. */
static uint64_t *
find_place(uint64_t *table, size_t size, uint64_t id)
{
	size_t at = (size_t)(id * UINT64_C(0x9e3779b97f4a7c15)) & (size - 1);

	while (table[at] != 0 && table[at] != id)
		at = (at + 1) & (size - 1);
	return &table[at];
}

/* Makes the table larger once it is half full. */
static void
make_room(struct merge *merge)
{
	size_t size = merge->came_size == 0 ? 64 : 2 * merge->came_size;
	uint64_t *table;

	if (2 * merge->came_count < merge->came_size)
		return;
	table = arena_new(merge->arena, uint64_t, size);
	for (size_t i = 0; i < merge->came_size; i++)
		if (merge->came[i] != 0)
			*find_place(table, size, merge->came[i]) =
			    merge->came[i];
	merge->came = table;
	merge->came_size = size;
}

/* True when the id came before; notes it otherwise. */
static bool
has_come(struct merge *merge, uint64_t id)
{
	uint64_t *place;

	if (id == merge->last)
		return true;
	merge->last = id;
	if (!merge->repeats)
		return false;
	make_room(merge);
	place = find_place(merge->came, merge->came_size, id);
	if (*place == id)
		return true;
	*place = id;
	merge->came_count++;
	return false;
}

/* A single stream begins where it is read; there may be none. Returns how many entries to skip. */
static uint64_t
begin_streams(struct merge *merge, uint64_t start)
{
	struct stream *stream = &merge->streams[0];

	merge->has_begun = true;
	end_lost_streams(merge);
	if (merge->count != 1 || stream->other_count > 0 || caches_heads(merge))
		return start;
	stream->rank = start;
	return 0;
}

STORE_CALL
merge_read(struct merge *merge, uint64_t start, uint64_t count,
    struct entry *entries, size_t *got)
{
	*got = 0;
	if (!merge->has_begun)
		start = begin_streams(merge, start);
	while (*got < count) {
		struct stream *stream;
		struct entry entry;

		if (fill_streams(merge, start + count - *got) != STORE_OK)
			return STORE_DOWN;
		stream = first_stream(merge);
		if (stream == NULL ||
		    !is_certain(merge, &stream->entries[stream->used]))
			break;
		entry = stream->entries[stream->used++];
		if (has_come(merge, entry.id))
			continue;
		merge->passed++;
		if (start > 0)
			start--;
		else
			entries[(*got)++] = entry;
	}
	return STORE_OK;
}

bool
merge_begin_expensive(size_t *expensive)
{
	if (expensive == NULL)
		return true;
	if (*expensive >= MERGE_EXPENSIVE_MAX)
		return false;
	++*expensive;
	return true;
}

void
merge_end_expensive(size_t *expensive)
{
	if (expensive != NULL)
		--*expensive;
}

static bool
is_expensive(const struct merge *merge, uint64_t start, uint64_t count)
{
	return merge->streams[0].other_count > 0 ||
	    (merge->count > 1 &&
		merge->passed + start + count > MERGE_EXPENSIVE_ENTRIES);
}

STORE_CALL
merge_read_limited(struct merge *merge, size_t *expensive, uint64_t start,
    uint64_t count, struct entry *entries, size_t *got)
{
	bool is_limited = is_expensive(merge, start, count);
	enum store_result result;

	if (is_limited && !merge_begin_expensive(expensive))
		return STORE_LIMITED;
	result = merge_read(merge, start, count, entries, got);
	if (is_limited)
		merge_end_expensive(expensive);
	return result;
}

STORE_CALL
merge_read_page(struct merge *merge, size_t *expensive, uint64_t page,
    size_t size, struct entry *entries, size_t *got, bool *more)
{
	enum store_result result = merge_read_limited(
	    merge, expensive, (page - 1) * size, size + 1, entries, got);

	if (result != STORE_OK)
		return result;
	*more = *got > size;
	if (*more)
		*got = size;
	return STORE_OK;
}

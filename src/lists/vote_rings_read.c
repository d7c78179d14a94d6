#include "lists/vote_rings_read.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/redis.h"
#include "store/site.h"

/* Of 1,000 votes each at most: others are answered in between. */
enum { RECORDS_BATCH = 8 };

/* The newest articles of a bucket that take votes. */
static void
ask_newest(struct pipeline *pipeline, const struct store *store,
    uint64_t bucket, int64_t now)
{
	struct arena *arena = pipeline->arena;
	uint64_t each = VOTE_RINGS_ARTICLES / store->buckets.count + 1;

	pipeline_add(pipeline, TEXT("ZRANGE"),
	    key_time(arena, &store->buckets, bucket, TEXT("")), TEXT("+inf"),
	    text_number(arena, now - store->rules.vote_window), TEXT("BYSCORE"),
	    TEXT("REV"), TEXT("LIMIT"), TEXT("0"),
	    text_number(arena, (int64_t)each));
}

static enum store_result
read_ids(struct store *store, struct arena *arena, uint64_t *ids, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	int64_t now;

	*count = 0;
	if (site_time(store, arena, &now) != STORE_OK)
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++)
		ask_newest(&pipeline, store, b, now);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (uint64_t b = 0; b < store->buckets.count; b++) {
		const struct reply *members = &pipeline.replies[b];

		for (size_t i = 0;
		    i < members->count && *count < VOTE_RINGS_ARTICLES; i++)
			ids[(*count)++] = decode_post_number(
			    reply_text(reply_item(members, i)));
	}
	return STORE_OK;
}

/* The authors of articles, without those that too many voted on. */
static enum store_result
read_authors(struct store *store, struct arena *arena, uint64_t *ids,
    uint64_t *authors, size_t *count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		struct post_id id = article_id(ids[i]);

		pipeline_add(&pipeline, TEXT("SCARD"),
		    key_voters(arena, &store->buckets, id));
		pipeline_add(&pipeline, TEXT("HGET"),
		    key_post(arena, &store->buckets, id), TEXT("author"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	for (size_t i = 0; i < *count; i++) {
		const struct reply *replies = &pipeline.replies[2 * i];
		struct text author = reply_text(&replies[1]), id;

		if (reply_number(&replies[0]) > VOTE_RINGS_VOTERS)
			continue;
		text_cut(&author, ' ', &id);
		ids[kept] = ids[i];
		authors[kept++] = (uint64_t)reply_number_of(id);
	}
	*count = kept;
	return STORE_OK;
}

/* Upvotes that count, of others than the author. */
static void
add_votes(struct buffer *votes, const struct reply *record, uint32_t article,
    uint64_t author)
{
	for (size_t i = 0; i < record->count; i++) {
		int64_t voter = reply_number(reply_item(record, i));
		struct vote_rings_vote vote = { (uint64_t)voter, article };

		if (voter > 0 && voter < KEY_VOID_OFFSET &&
		    vote.voter != author)
			buffer_add(votes,
			    (struct text){ (char *)&vote, sizeof(vote) });
	}
}

/* The votes on some articles, of which the first has this number. What Redis answers takes
 * ten times as much memory as what is noted of it. */
static enum store_result
read_votes(struct store *store, const struct vote_rings_input *input,
    size_t first, struct buffer *votes)
{
	struct arena arena = { 0 };
	struct pipeline pipeline = pipeline_begin(store->redis, &arena);
	bool is_read;

	for (size_t i = first; i < input->articles && i < first + RECORDS_BATCH;
	    i++)
		pipeline_add(&pipeline, TEXT("SMEMBERS"),
		    key_voters(
			&arena, &store->buckets, article_id(input->ids[i])));
	is_read = redis_run(&pipeline);
	for (size_t i = 0; is_read && i < pipeline.count; i++)
		add_votes(votes, &pipeline.replies[i], (uint32_t)(first + i),
		    input->authors[first + i]);
	arena_free(&arena);
	return is_read ? STORE_OK : STORE_DOWN;
}

STORE_CALL
vote_rings_read_input(struct store *store, struct arena *arena,
    struct vote_rings_input *input, struct vote_rings *rings)
{
	uint64_t *ids = arena_new(arena, uint64_t, VOTE_RINGS_ARTICLES);
	uint64_t *authors = arena_new(arena, uint64_t, VOTE_RINGS_ARTICLES);
	struct buffer votes = buffer_in(arena, 4096);
	size_t count;

	*rings = (struct vote_rings){ .count = 0 };
	if (read_ids(store, arena, ids, &count) != STORE_OK)
		return STORE_DOWN;
	rings->is_cut = count == VOTE_RINGS_ARTICLES;
	if (read_authors(store, arena, ids, authors, &count) != STORE_OK)
		return STORE_DOWN;
	*input = (struct vote_rings_input){
		.ids = ids, .authors = authors, .articles = count
	};
	for (size_t i = 0; i < count; i += RECORDS_BATCH)
		if (read_votes(store, input, i, &votes) != STORE_OK)
			return STORE_DOWN;
	input->votes = (struct vote_rings_vote *)(void *)votes.data;
	input->count = votes.size / sizeof(struct vote_rings_vote);
	return STORE_OK;
}

static void
ask_name(struct pipeline *pipeline, const struct member *member)
{
	pipeline_add(pipeline, TEXT("HGET"),
	    key_user(pipeline->arena, member->id), TEXT("name"));
}

STORE_CALL
vote_rings_read_names(
    struct store *store, struct arena *arena, struct vote_rings *rings)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t r = 0; r < rings->count; r++) {
		const struct vote_ring *ring = &rings->items[r];

		for (size_t i = 0; i < ring->count; i++)
			ask_name(&pipeline, &ring->members[i].member);
		for (size_t i = 0; i < ring->author_count; i++)
			ask_name(&pipeline, &ring->authors[i]);
		for (size_t i = 0; i < ring->shown; i++)
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_post(arena, &store->buckets,
				article_id(ring->articles[i].id)),
			    TEXT("title"));
	}
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t r = 0; r < rings->count; r++) {
		struct vote_ring *ring = &rings->items[r];

		for (size_t i = 0; i < ring->count; i++)
			ring->members[i].member.name = reply_text(reply++);
		for (size_t i = 0; i < ring->author_count; i++)
			ring->authors[i].name = reply_text(reply++);
		for (size_t i = 0; i < ring->shown; i++)
			ring->articles[i].title = reply_text(reply++);
	}
	return STORE_OK;
}

#include "lists/hits.h"

const struct post *
hit_post(const struct hit *hit)
{
	return hit_is_comment(hit) ? &hit->comment.post : &hit->article.post;
}

bool
hit_is_comment(const struct hit *hit)
{
	return hit->comment.post.id.comment != 0;
}

static enum schema_extent
extent_of(struct post_id id)
{
	return id.comment == 0 ? SCHEMA_WHOLE : SCHEMA_BRIEF;
}

static void
ask_hit(struct pipeline *pipeline, const struct store *store, struct post_id id,
    uint64_t viewer)
{
	schema_ask(pipeline, &article_schema, extent_of(id),
	    key_post(pipeline->arena, &store->buckets, article_id(id.article)));
	if (id.comment != 0)
		comment_ask(pipeline, store, id);
	if (viewer != 0)
		post_ask_vote(pipeline, store, id, viewer);
}

/* *reply moves on in any case. */
static void
read_hit(struct post_id id, uint64_t viewer, const struct reply **reply,
    struct hit *hit)
{
	enum vote vote = VOTE_NONE;
	bool is_there;

	*hit = (struct hit){ .comment.post.id = id };
	hit->article.post.id = article_id(id.article);
	is_there = schema_read(
	    &article_schema, extent_of(id), (*reply)++, &hit->article);
	if (id.comment != 0)
		is_there = comment_read(reply, &hit->comment) && is_there;
	if (viewer != 0) {
		/* Without the viewer's vote it would be wrong. */
		is_there = is_there && (*reply)->kind != REPLY_LOST;
		vote = post_read_vote((*reply)++);
	}
	hit->comment.post.vote = hit->article.post.vote = vote;
	if (is_there)
		hit->state = hit->article.post.removed == 0 &&
			hit_post(hit)->removed == 0
		    ? HIT_SHOWN
		    : HIT_REMOVED;
}

STORE_CALL
hits_read_each(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, uint64_t viewer,
    int64_t vote_score, struct hit *hits, bool *is_partial)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++)
		ask_hit(&pipeline, store, ids[i], viewer);
	if (store_run_partial(store, &pipeline, is_partial) != STORE_OK)
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++) {
		read_hit(ids[i], viewer, &reply, &hits[i]);
		article_compute_score(vote_score, &hits[i].article);
	}
	return STORE_OK;
}

STORE_CALL
hits_read(struct store *store, struct arena *arena, const struct post_id *ids,
    size_t count, uint64_t viewer, int64_t vote_score, struct hit *hits,
    size_t *got, bool *is_partial)
{
	*got = 0;
	if (hits_read_each(store, arena, ids, count, viewer, vote_score, hits,
		is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		if (hits[i].state == HIT_SHOWN)
			hits[(*got)++] = hits[i];
	return STORE_OK;
}

#include "store/article.h"

#include "redis/redis.h"

/* In the order of a dump's line. */
static const struct field fields[] = {
	POST_ARTICLE(struct article),
	FIELD("title", struct article, title, TEXT, REQUIRED, BRIEF),
	FIELD("url", struct article, url, TEXT, NULLABLE, BRIEF),
	FIELD("text", struct article, text, TEXT, NULLABLE, WHOLE),
	POST_AUTHOR(struct article),
	POST_POSTED(struct article),
	POST_CLOSES(struct article),
	POST_EDITED(struct article),
	FIELD("groups", struct article, groups, WORDS, REQUIRED, BRIEF),
	POST_UP(struct article),
	POST_DOWN(struct article),
	FIELD("interesting", struct article, interesting, MOMENT, NULLABLE,
	    BRIEF),
	POST_REMOVED(struct article),
};
const struct schema article_schema = SCHEMA(struct article, fields);

void
article_count(const struct rules *rules, struct article *article)
{
	struct post *post = &article->post;

	post->points = post->up - post->down;
	article->score = rule_score(rules, post->posted, post->up, post->down);
}

STORE_CALL
article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	uint64_t buckets = store->rules.buckets;
	struct post *post = &article->post;
	enum { FIELDS, VOTERS, TIME, VOTE };

	schema_ask(&pipeline, &article_schema, SCHEMA_WHOLE,
	    key_post(arena, buckets, article_id(id)));
	pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_up(arena, buckets, article_id(id)));
	pipeline_add(&pipeline, TEXT("TIME"));
	if (viewer != 0)
		post_ask_vote(&pipeline, store, article_id(id), viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*article = (struct article){ .post.id = article_id(id) };
	if (!schema_read(&article_schema, SCHEMA_WHOLE,
		&pipeline.replies[FIELDS], article))
		return STORE_ABSENT;
	article_count(&store->rules, article);
	post->voters_known = reply_number(&pipeline.replies[VOTERS]) == 1;
	if (viewer != 0)
		post->vote = post_read_vote(&pipeline.replies[VOTE]);
	*now = reply_seconds(&pipeline.replies[TIME]);
	return STORE_OK;
}

/*
 * A fresh id, and the id that holds the claim: the fresh one, or that of
 * whoever posted the same before.
 */
static enum store_result
claim_id(struct store *store, struct arena *arena, struct article *article)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_link(arena,
	    rule_claim(arena, article->post.author.id, article->title,
		article->url, article->text));
	const struct reply *holder;

	pipeline_add(&pipeline, TEXT("INCR"), KEY_ARTICLES);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	article->post.id =
	    article_id((uint64_t)reply_number(&pipeline.replies[0]));

	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("SET"), key,
	    text_number(arena, (int64_t)article->post.id.article), TEXT("EX"),
	    text_number(arena, store->rules.vote_window), TEXT("NX"),
	    TEXT("GET"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	holder = &pipeline.replies[0];
	if (holder->kind == REPLY_TEXT)
		article->post.id = article_id((uint64_t)reply_number(holder));
	return STORE_OK;
}

STORE_CALL
article_post(struct store *store, struct arena *arena, struct article *article)
{
	const struct rules *rules = &store->rules;
	enum store_result result = claim_id(store, arena, article);
	struct call call;

	if (result != STORE_OK)
		return result;
	/* Whoever holds the claim may have crashed before this step: then the
	 * article is created now, under the id that it was claimed for. */
	call = call_begin(arena, CALL_WRITES, "post_2",
	    key_post(arena, rules->buckets, article->post.id));
	call_add_number(&call, rules->vote_window);
	call_add_number(&call, rules->vote_score);
	call_add_number(&call, rules->interesting);
	schema_add(&call, &article_schema, article);
	return call_run(&call, store, NULL);
}

STORE_CALL
article_file(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed)
{
	struct call call = call_begin(arena, CALL_WRITES, "file_1",
	    key_post(arena, store->rules.buckets, article_id(id)));

	call_add(&call, added, removed);
	call_add_number(&call, RULE_GROUPS_MAX);
	call_add_number(&call, store->rules.vote_score);
	return call_run(&call, store, NULL);
}

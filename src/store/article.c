#include "store/article.h"

#include "redis/reply.h"
#include "store/fields.h"
#include "store/keys.h"

static const struct text vote_words[] = {
	[VOTE_NONE] = TEXT_INIT("none"),
	[VOTE_UP] = TEXT_INIT("up"),
	[VOTE_DOWN] = TEXT_INIT("down"),
};

bool
vote_parse(struct text word, enum vote *vote)
{
	for (enum vote i = VOTE_NONE; i <= VOTE_DOWN; i++) {
		if (text_equal(word, vote_words[i])) {
			*vote = i;
			return true;
		}
	}
	return false;
}

struct text
vote_word(enum vote vote)
{
	return vote_words[vote];
}

STORE_CALL
article_get(struct store *store, struct arena *arena, uint64_t id,
    uint64_t viewer, struct article *article, int64_t *now)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_article(arena, store->rules.buckets, id);
	size_t text, recorded, time, vote;

	fields_ask(&pipeline, store, id);
	text = pipeline_add(&pipeline, TEXT("HGET"), key, TEXT("text"));
	recorded = pipeline_add(
	    &pipeline, TEXT("EXISTS"), key_up(arena, store->rules.buckets, id));
	time = pipeline_add(&pipeline, TEXT("TIME"));
	vote = pipeline.count;
	if (viewer != 0)
		fields_ask_vote(&pipeline, store, id, viewer);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (!fields_read(store, &pipeline.replies[0], id, article))
		return STORE_ABSENT;
	article->text = reply_text(&pipeline.replies[text]);
	article->recorded = reply_number(&pipeline.replies[recorded]) == 1;
	if (viewer != 0)
		article->vote = fields_read_vote(&pipeline.replies[vote]);
	*now = reply_seconds(&pipeline.replies[time]);
	return STORE_OK;
}

/* One call of a function of ours on an article. */
static enum store_result
call(struct store *store, struct arena *arena, const char *function,
    uint64_t id, const struct text *arguments, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text words[16] = { TEXT("FCALL"), text_of(function), TEXT("1"),
		key_article(arena, store->rules.buckets, id) };

	for (size_t i = 0; i < count; i++)
		words[4 + i] = arguments[i];
	pipeline_add_words(&pipeline, words, 4 + count);
	return redis_run(&pipeline) ? reply_result(&pipeline.replies[0])
				    : STORE_DOWN;
}

#define CALL(store, arena, function, id, ...) \
	call((store), (arena), (function), (id), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

/*
 * A fresh id, and the id that holds the claim: the fresh one, or that of
 * whoever posted the same before.
 */
static enum store_result
claim_id(struct store *store, struct arena *arena, struct article *article)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text key = key_link(arena,
	    rule_claim(arena, article->author, article->title, article->url,
		article->text));
	struct text fresh;
	const struct reply *holder;

	pipeline_add(&pipeline, TEXT("INCR"), key_articles());
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	article->id = (uint64_t)reply_number(&pipeline.replies[0]);
	fresh = text_number(arena, (int64_t)article->id);

	pipeline = pipeline_begin(store->redis, arena);
	pipeline_add(&pipeline, TEXT("SET"), key, fresh, TEXT("EX"),
	    text_number(arena, store->rules.vote_window), TEXT("NX"),
	    TEXT("GET"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	holder = &pipeline.replies[0];
	if (holder->kind == REPLY_TEXT)
		article->id = (uint64_t)reply_number(holder);
	return STORE_OK;
}

STORE_CALL
article_post(struct store *store, struct arena *arena, struct article *article)
{
	const struct rules *rules = &store->rules;
	enum store_result result = claim_id(store, arena, article);

	if (result != STORE_OK)
		return result;
	/* Whoever holds the claim may have crashed before this step: then the
	 * article is created now, under the id that it was claimed for. */
	return CALL(store, arena, "post_1", article->id, article->title,
	    article->url, article->text,
	    fields_join_author(arena, article->author, article->author_name),
	    article->groups, text_number(arena, rules->vote_window),
	    text_number(arena, rules->vote_score),
	    text_number(arena, rules->interesting));
}

STORE_CALL
article_vote(struct store *store, struct arena *arena, uint64_t id,
    uint64_t user, enum vote wanted)
{
	return CALL(store, arena, "vote_1", id,
	    text_number(arena, (int64_t)user), vote_word(wanted),
	    text_number(arena, store->rules.vote_score),
	    text_number(arena, store->rules.interesting));
}

STORE_CALL
article_file(struct store *store, struct arena *arena, uint64_t id,
    struct text added, struct text removed)
{
	return CALL(store, arena, "file_1", id, added, removed,
	    text_number(arena, RULE_GROUPS_MOST),
	    text_number(arena, store->rules.vote_score));
}

STORE_CALL
article_remove(struct store *store, struct arena *arena, uint64_t id)
{
	return call(store, arena, "remove_1", id, NULL, 0);
}

STORE_CALL
article_restore(struct store *store, struct arena *arena, uint64_t id)
{
	return CALL(store, arena, "restore_1", id,
	    text_number(arena, store->rules.vote_score));
}

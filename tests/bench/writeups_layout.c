#include "layout.h"

enum { WEEK = 7 * 86400 };

static struct text
named(struct pipeline *pipeline, const char *kind, uint64_t id)
{
	return text_format(
	    pipeline->arena, "%s:%llu", kind, (unsigned long long)id);
}

/* The write-ups know only upvotes, so every vote is written as one. */
static void
add_voters(struct pipeline *pipeline, const struct sample *sample,
    uint64_t from, uint64_t to)
{
	struct text *words =
	    arena_new(pipeline->arena, struct text, 2 + to - from);
	struct text key = named(pipeline, "voted", sample->id);

	if (from == to)
		return;
	words[0] = TEXT("SADD");
	words[1] = key;
	for (uint64_t i = from; i < to; i++)
		words[2 + i - from] =
		    named(pipeline, "user", sample_voter(sample, i));
	pipeline_add_words(
	    pipeline, UNREPLICATED, PIPELINE_KEY, words, 2 + to - from);
	pipeline_add(pipeline, TEXT("EXPIREAT"), key,
	    text_number(pipeline->arena, sample->posted + WEEK));
}

void
layout_writeups_article(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, enum layout_votes votes)
{
	struct arena *arena = pipeline->arena;
	struct text member = named(pipeline, "article", sample->id);
	struct text posted = text_number(arena, sample->posted);
	uint64_t voters = votes == LAYOUT_VOTES || !sample->open
	    ? sample->up + sample->down
	    : 1;
	int64_t score =
	    sample->posted + store->rules.vote_score * (int64_t)voters;

	pipeline_add(pipeline, TEXT("HSET"), member, TEXT("title"),
	    sample->title, TEXT("link"), sample->url, TEXT("poster"),
	    named(pipeline, "user", sample_member(sample->author)),
	    TEXT("time"), posted, TEXT("votes"),
	    text_number(arena, (int64_t)voters));
	pipeline_add(pipeline, TEXT("ZADD"), TEXT("time:"), posted, member);
	pipeline_add(pipeline, TEXT("ZADD"), TEXT("score:"),
	    text_number(arena, score), member);
	for (size_t i = 0; i < sample->group_count; i++)
		pipeline_add(pipeline, TEXT("SADD"),
		    text_join(arena, TEXT("group:"), sample->groups[i]),
		    member);
	if (sample->open)
		add_voters(pipeline, sample, 0, voters);
}

void
layout_writeups_voters(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample)
{
	(void)store;
	add_voters(pipeline, sample, 1, sample->up + sample->down);
}

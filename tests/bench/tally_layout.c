#include "layout.h"
#include "store/article.h"

static struct text
number(struct pipeline *pipeline, uint64_t value)
{
	return text_number(pipeline->arena, (int64_t)value);
}

static uint64_t
ups(const struct sample *sample, enum layout_votes votes)
{
	return votes == LAYOUT_VOTES || !sample->open ? sample->up : 1;
}

static uint64_t
downs(const struct sample *sample, enum layout_votes votes)
{
	return votes == LAYOUT_VOTES || !sample->open ? sample->down : 0;
}

static void
add_hash(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, uint64_t up, uint64_t down,
    int64_t interesting)
{
	struct arena *arena = pipeline->arena;
	struct article article = { .title = sample->title,
		.url = sample->url,
		.interesting = interesting,
		.post = { .id = article_id(sample->id),
		    .author = { sample_member(sample->author),
			sample_member_name(arena, sample->author) },
		    .posted = sample->posted,
		    .closes = sample->closes,
		    .up = (int64_t)up,
		    .down = (int64_t)down } };
	struct text words[2 + 2 * SCHEMA_MAX] = { TEXT("HSET"),
		key_post(arena, store->rules.buckets, article.post.id) };

	for (size_t i = 0; i < sample->group_count; i++)
		article.groups =
		    text_format(arena, "%.*s%s%.*s", TEXT_ARGS(article.groups),
			i > 0 ? " " : "", TEXT_ARGS(sample->groups[i]));
	pipeline_add_words(pipeline, words,
	    2 + schema_words(arena, &article_schema, &article, words + 2));
}

static void
add_to_list(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, struct text list, int64_t score)
{
	struct arena *arena = pipeline->arena;
	uint64_t bucket = sample->id % store->rules.buckets;
	struct text member = key_member(arena, sample->id);

	pipeline_add(pipeline, TEXT("ZADD"), key_time(arena, bucket, list),
	    text_number(arena, sample->posted), member);
	pipeline_add(pipeline, TEXT("ZADD"), key_score(arena, bucket, list),
	    text_number(arena, score), member);
}

static void
add_to_lists(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, int64_t score, int64_t interesting)
{
	struct arena *arena = pipeline->arena;

	add_to_list(store, pipeline, sample, (struct text){ NULL, 0 }, score);
	add_to_list(store, pipeline, sample,
	    key_list_of_author(arena, sample_member(sample->author)), score);
	for (size_t i = 0; i < sample->group_count; i++)
		add_to_list(store, pipeline, sample, sample->groups[i], score);
	if (interesting != 0)
		pipeline_add(pipeline, TEXT("ZADD"),
		    key_interesting(arena, sample->id % store->rules.buckets),
		    text_number(arena, interesting),
		    key_member(arena, sample->id));
}

/* The voters from one number to another, into a set that expires. */
static void
add_voters(struct pipeline *pipeline, const struct sample *sample,
    struct text key, uint64_t from, uint64_t to)
{
	struct text *words =
	    arena_new(pipeline->arena, struct text, 2 + to - from);

	if (from == to)
		return;
	words[0] = TEXT("SADD");
	words[1] = key;
	for (uint64_t i = from; i < to; i++)
		words[2 + i - from] = number(pipeline, sample_voter(sample, i));
	pipeline_add_words(pipeline, words, 2 + to - from);
	pipeline_add(pipeline, TEXT("EXPIREAT"), key,
	    text_number(pipeline->arena, sample->closes));
}

/* Who voted, and the claim that keeps the link from being posted again. */
static void
add_record(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, uint64_t up, uint64_t down)
{
	struct arena *arena = pipeline->arena;
	uint64_t buckets = store->rules.buckets;
	struct text none = { "", 0 };

	pipeline_add(pipeline, TEXT("SADD"),
	    key_up(arena, buckets, article_id(sample->id)), TEXT("0"));
	add_voters(pipeline, sample,
	    key_up(arena, buckets, article_id(sample->id)), 0, up);
	add_voters(pipeline, sample,
	    key_down(arena, buckets, article_id(sample->id)), up, up + down);
	pipeline_add(pipeline, TEXT("SET"),
	    key_link(
		arena, rule_claim(arena, 0, sample->title, sample->url, none)),
	    number(pipeline, sample->id), TEXT("EXAT"),
	    text_number(arena, sample->closes));
}

void
layout_tally_article(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, enum layout_votes votes)
{
	struct arena *arena = pipeline->arena;
	uint64_t up = ups(sample, votes), down = downs(sample, votes);
	int64_t points = (int64_t)up - (int64_t)down;
	int64_t interesting =
	    (int64_t)up >= store->rules.interesting ? sample->noticed : 0;

	add_hash(store, pipeline, sample, up, down, interesting);
	if (sample->open)
		add_record(store, pipeline, sample, up, down);
	add_to_lists(store, pipeline, sample,
	    rule_score(
		&store->rules, sample->posted, (int64_t)up, (int64_t)down),
	    interesting);
	if (points != 1)
		pipeline_add(pipeline, TEXT("HINCRBY"),
		    key_karma(arena, sample->id % store->rules.buckets),
		    number(pipeline, sample_member(sample->author)),
		    text_number(arena, points - 1));
}

void
layout_tally_voters(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample)
{
	struct arena *arena = pipeline->arena;
	uint64_t buckets = store->rules.buckets;

	add_voters(pipeline, sample,
	    key_up(arena, buckets, article_id(sample->id)), 1, sample->up);
	add_voters(pipeline, sample,
	    key_down(arena, buckets, article_id(sample->id)), sample->up,
	    sample->up + sample->down);
}

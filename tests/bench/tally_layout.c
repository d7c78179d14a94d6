#include <inttypes.h>

#include "layout.h"
#include "store/article.h"
#include "store/points.h"
#include "store/publisher.h"

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
	struct text words[4 + 2 * SCHEMA_MAX] = { TEXT("HSET"),
		key_post(arena, &store->buckets, article.post.id) };
	size_t count;

	for (size_t i = 0; i < sample->group_count; i++)
		article.groups =
		    text_format(arena, "%.*s%s%.*s", TEXT_ARGS(article.groups),
			i > 0 ? " " : "", TEXT_ARGS(sample->groups[i]));
	count = 2 + schema_words(arena, &article_schema, &article, words + 2);
	words[count++] = TEXT("from");
	words[count++] = publisher_of(arena, sample->url, TEXT(""));
	pipeline_add_words(pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
}

static void
add_to_list(struct pipeline *pipeline, const struct sample *sample,
    struct text list, int64_t score)
{
	pipeline_add(pipeline, TEXT("ZADD"), list,
	    text_number(pipeline->arena, score),
	    encode_post(pipeline->arena, article_id(sample->id)));
}

static void
add_to_lists(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, int64_t score, int64_t interesting)
{
	struct arena *arena = pipeline->arena;
	const struct buckets *buckets = &store->buckets;
	uint64_t bucket = key_bucket_of(buckets, sample->id);
	const struct text all = { NULL, 0 };

	add_to_list(pipeline, sample, key_time(arena, buckets, bucket, all),
	    sample->posted);
	add_to_list(
	    pipeline, sample, key_score(arena, buckets, bucket, all), score);
	add_to_list(pipeline, sample,
	    key_time(arena, buckets, bucket,
		key_list_of_author(arena, sample_member(sample->author))),
	    sample->posted);
	add_to_list(pipeline, sample,
	    key_time(arena, buckets, bucket,
		key_list_of_publisher(
		    arena, publisher_of(arena, sample->url, TEXT("")))),
	    sample->posted);
	for (size_t i = 0; i < sample->group_count; i++) {
		struct text group = sample->groups[i];

		add_to_list(pipeline, sample,
		    key_time(arena, buckets, bucket, group), sample->posted);
		add_to_list(pipeline, sample,
		    key_score(arena, buckets, bucket, group), score);
	}
	if (interesting != 0)
		add_to_list(pipeline, sample,
		    key_interesting(arena, buckets, bucket), interesting);
}

/* By points, as the relay does once voting has closed: the last of a bucket comes last. */
static void
place_by_points(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, int64_t points)
{
	struct arena *arena = pipeline->arena;
	const struct buckets *buckets = &store->buckets;
	uint64_t bucket = key_bucket_of(buckets, sample->id);
	int64_t score = points * (INT64_C(1) << 32) + sample->posted;
	struct text month = key_month(arena, sample->posted);

	for (size_t i = 0; i <= sample->group_count; i++) {
		struct text group = i > 0 ? sample->groups[i - 1] : TEXT("");

		add_to_list(pipeline, sample,
		    key_in_bucket(arena, buckets, bucket, KEY_POINTS, group),
		    score);
		add_to_list(pipeline, sample,
		    key_in_bucket(arena, buckets, bucket, KEY_MONTH,
			key_list_of_month(arena, month, group)),
		    score);
	}
	pipeline_add(pipeline, TEXT("HSET"),
	    key_versions(arena, buckets, bucket), POINTS_FIELD,
	    text_format(
		arena, "%" PRId64 " %" PRIu64, sample->posted, sample->id));
}

/* The voters from one number to another, those up and then those down, into the
 * record. */
static void
add_voters(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample, uint64_t from, uint64_t up, uint64_t down)
{
	struct arena *arena = pipeline->arena;
	size_t count = 0;
	struct text *words = arena_new(arena, struct text, 3 + up + down);

	words[count++] = TEXT("SADD");
	words[count++] =
	    key_voters(arena, &store->buckets, article_id(sample->id));
	words[count++] = TEXT("0");
	for (uint64_t i = from; i < up + down; i++) {
		int64_t voter = (int64_t)sample_voter(sample, i);

		words[count++] = text_number(arena, i < up ? voter : -voter);
	}
	pipeline_add_words(pipeline, UNREPLICATED, PIPELINE_KEY, words, count);
	pipeline_add(pipeline, TEXT("PEXPIREAT"), words[1],
	    text_number(arena, sample->closes * 1000 - 1));
}

/* Keeps the link from being posted again. */
static void
add_claim(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample)
{
	struct arena *arena = pipeline->arena;
	struct text none = { "", 0 };
	struct text claim =
	    rule_claim(arena, 0, sample->title, sample->url, none);
	struct text key = key_claims(arena, &store->buckets, claim);

	pipeline_add(pipeline, TEXT("HSET"), key, key_claim_field(claim),
	    text_format(
		arena, "%" PRIu64 " %" PRId64, sample->id, sample->closes));
	pipeline_add(pipeline, TEXT("EXPIREAT"), key,
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
	    (int64_t)up >= store->rules.interesting ? sample->interesting : 0;

	add_hash(store, pipeline, sample, up, down, interesting);
	if (sample->open) {
		add_voters(store, pipeline, sample, 0, up, down);
		add_claim(store, pipeline, sample);
	} else {
		place_by_points(store, pipeline, sample, points);
	}
	add_to_lists(store, pipeline, sample,
	    rule_score(store->rules.vote_score, sample->posted, (int64_t)up,
		(int64_t)down),
	    interesting);
	if (points != 1)
		pipeline_add(pipeline, TEXT("HINCRBY"),
		    key_karma(arena, &store->buckets,
			key_bucket_of(&store->buckets, sample->id)),
		    number(pipeline, sample_member(sample->author)),
		    text_number(arena, points - 1));
}

void
layout_tally_voters(const struct store *store, struct pipeline *pipeline,
    const struct sample *sample)
{
	add_voters(store, pipeline, sample, 1, sample->up, sample->down);
}

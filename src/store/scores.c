#include "store/scores.h"

#include "base/arena.h"
#include "store/rules.h"

static const struct text names[] = { TEXT_INIT("score"), TEXT_INIT("score2") };

bool
scale_equal(struct scale a, struct scale b)
{
	return a.is_second == b.is_second && a.vote_score == b.vote_score;
}

enum key_kind
scale_kind(struct scale scale)
{
	return scale.is_second ? KEY_SCORE2 : KEY_SCORE;
}

struct text
scale_key(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct scale scale, struct text list)
{
	return key_in_bucket(arena, buckets, bucket, scale_kind(scale), list);
}

/* Parses and removes "score 432", and a space behind it. */
static bool
parse_scale(struct text *field, struct scale *scale)
{
	struct text name, points;
	size_t index;

	if (!text_cut(field, ' ', &name) || !text_index(name, names, 2, &index))
		return false;
	scale->is_second = index == 1;
	return text_cut(field, ' ', &points) &&
	    text_to_i64(points, &scale->vote_score) && scale->vote_score >= 0 &&
	    scale->vote_score <= RULE_VOTE_SCORE_MAX;
}

static bool
parse_beside(struct text field, struct scores *scores)
{
	struct text number;

	return parse_scale(&field, &scores->beside) &&
	    scores->beside.is_second != scores->read.is_second &&
	    text_cut(&field, ' ', &number) &&
	    text_to_i64(number, &scores->number) && scores->number > 0 &&
	    text_to_u64(field, &scores->last);
}

bool
scores_parse(struct text field, struct scores *scores)
{
	*scores = (struct scores){ .number = 0 };
	if (parse_scale(&field, &scores->read) && scores->read.vote_score > 0 &&
	    (field.data == NULL || parse_beside(field, scores)))
		return true;
	*scores = (struct scores){ .number = 0 };
	return false;
}

bool
scores_have_beside(const struct scores *scores)
{
	return scores->number != 0;
}

struct text
scores_format(struct arena *arena, const struct scores *scores)
{
	const struct scale *read = &scores->read, *beside = &scores->beside;
	struct text field = text_format(arena, "%.*s %lld",
	    TEXT_ARGS(names[read->is_second]), (long long)read->vote_score);

	if (!scores_have_beside(scores))
		return field;
	return text_format(arena, "%.*s %.*s %lld %lld %llu", TEXT_ARGS(field),
	    TEXT_ARGS(names[beside->is_second]), (long long)beside->vote_score,
	    (long long)scores->number, (unsigned long long)scores->last);
}

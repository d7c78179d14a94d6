/*
 * Which lists by score a bucket has, and what a vote is worth in them.
 *
 * A bucket has one such list of all articles and one for each group: key_score or key_score2.
 * While a vote's worth changes (store/pace.h) it has both: one is read, and the other is built
 * or emptied. The field "scores" of the bucket's versions says so:
 *
 *	score 432
 *	score 432 score2 864 1700000000000 1200		score2 is built, up to article 1200
 *	score2 864 score 432 1700000000000 1200		it is read, and the former is kept a while
 *	score2 864 score 0 1700000000000 1200		that is emptied
 *
 * The number before the last is different each time, so that no state comes twice. A bucket
 * without the field has key_score, with the vote score of the site's hash.
 *
 * In which of these lists an article is stands in its own hash, "score 432 score2 864", or without
 * the field in those of a bucket without one. Functions read it with the article and write all of
 * them; so a vote costs the same as ever, and counts in each, whatever the worker that sent it
 * knows. New articles get the field from the bucket's; the others by the walk.
 *
 * The first state of the first bucket that answers is what pages read (versions.scale).
 */
#pragma once

#include "store/keys.h"

/* Lists by score: key_score2 or key_score; and the points of a vote in them. */
struct scale {
	bool is_second;
	/* 0 in struct scores: they are emptied, or there are none. */
	int64_t vote_score;
};

struct scores {
	struct scale read, beside;
	int64_t number;
	uint64_t last; /* the article up to which beside is built or emptied */
};

#define SCORES_FIELD TEXT("scores")

bool scale_equal(struct scale a, struct scale b);

/* The kind of its keys, and the sorted set of a list. */
enum key_kind scale_kind(struct scale scale);
struct text scale_key(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct scale scale, struct text list);

/* False, and all 0, for what is no such field. */
bool scores_parse(struct text field, struct scores *scores);
struct text scores_format(struct arena *arena, const struct scores *scores);

/* Whether there is another list besides the one that is read. */
bool scores_have_beside(const struct scores *scores);

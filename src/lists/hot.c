#include "lists/hot.h"

#include "store/rules.h"

int64_t
hot_minute(int64_t now)
{
	return now - now % 60;
}

static double
hot_of(const struct worth *worth, int64_t posted, int64_t points)
{
	return rule_hot(points, worth->now - posted, worth->gravity);
}

static double
hot_most(const struct worth *worth, int64_t posted, int64_t score)
{
	return rule_hot_most(
	    worth->vote_score, score, posted, worth->now, worth->gravity);
}

STORE_CALL
hot_read(const struct article_rows *rows, const struct list_query *query,
    uint64_t start, uint64_t count, struct order *order)
{
	const struct worth worth = { .of = hot_of,
		.most = hot_most,
		.vote_score = rows->versions->scale.vote_score,
		.now = hot_minute(rows->versions->now),
		.gravity =
		    query->gravity != 0 ? query->gravity : RULE_GRAVITY_USUAL };

	return threshold_read(rows, query, &worth, start, count, order);
}

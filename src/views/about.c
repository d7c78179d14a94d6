#include "views/about.h"

#include "views/format.h"

static const struct mustache_field fields[] = {
	MUSTACHE_PLAIN(struct about_model, vote_score),
	MUSTACHE_PLAIN(struct about_model, votes_a_day),
	MUSTACHE_PLAIN(struct about_model, interesting),
	MUSTACHE_PLAIN(struct about_model, page_size),
	MUSTACHE_PLAIN(struct about_model, promise_articles),
	MUSTACHE_PLAIN(struct about_model, promise_places),
	MUSTACHE_PLAIN(struct about_model, promise_time),
	MUSTACHE_PLAIN(struct about_model, vote_window),
	MUSTACHE_PLAIN(struct about_model, max_groups),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct about_model, fields);

const struct view about_view = { "about", &type };

struct about_model
about_model_of(struct arena *arena, const struct rules *rules)
{
	return (struct about_model){
		.vote_score = rules->vote_score,
		.votes_a_day = 86400 / rules->vote_score,
		.vote_window = format_span(arena, rules->vote_window),
		.interesting = rules->interesting,
		.page_size = rules->page_size,
		.promise_articles = rules->promise_articles,
		.promise_places = rules->promise_places,
		.promise_time = format_span(arena, rules->promise_seconds),
		.max_groups = RULE_GROUPS_MAX,
	};
}

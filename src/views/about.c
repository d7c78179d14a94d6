#include "views/about.h"

#include "views/format.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct about_model, member)
static const struct mustache_type type = VIEW_TYPE(struct about_model,
    SHOWN(vote_score), SHOWN(votes_a_day), SHOWN(interesting), SHOWN(page_size),
    SHOWN(promise_articles), SHOWN(promise_places), SHOWN(promise_time),
    SHOWN(vote_window), SHOWN(max_groups), SHOWN(fresh), SHOWN(is_fresh));

const struct view about_view = { "about", &type };

struct about_model
about_model_of(struct arena *arena, const struct rules *rules, int64_t fresh)
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
		.fresh = fresh,
		.is_fresh = fresh == 0,
	};
}

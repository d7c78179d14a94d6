#include "views/article.h"

#include "base/arena.h"
#include "views/format.h"

static const struct mustache_field input_fields[] = { ARTICLE_INPUTS(
    FORM_SHOWN) };
static const struct mustache_type input_type =
    MUSTACHE_TYPE(struct filing, input_fields);

static const struct mustache_field fields[] = {
	MUSTACHE_STRUCT(struct article_model, article, &line_type),
	MUSTACHE_ITEMS(
	    struct article_model, paragraphs, &format_paragraph_type),
	MUSTACHE_PLAIN(struct article_model, up),
	MUSTACHE_PLAIN(struct article_model, down),
	MUSTACHE_PLAIN(struct article_model, vote_score),
	MUSTACHE_PLAIN(struct article_model, votes_points),
	MUSTACHE_PLAIN(struct article_model, posted_moment),
	MUSTACHE_PLAIN(struct article_model, closes_moment),
	MUSTACHE_PLAIN(struct article_model, closes_iso),
	MUSTACHE_PLAIN(struct article_model, closes_in),
	MUSTACHE_PLAIN(struct article_model, interesting_moment),
	MUSTACHE_PLAIN(struct article_model, interesting_iso),
	MUSTACHE_PLAIN(struct article_model, threshold),
	MUSTACHE_PLAIN(struct article_model, votable),
	MUSTACHE_PLAIN(struct article_model, removed),
	MUSTACHE_PLAIN(struct article_model, place),
	MUSTACHE_PLAIN(struct article_model, may_file),
	MUSTACHE_PLAIN(struct article_model, may_remove),
	MUSTACHE_STRUCT(struct article_model, form, &form_type),
	MUSTACHE_STRUCT(struct article_model, inputs, &input_type),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct article_model, fields);

const struct view article_view = { "article", &type };

struct article_model
article_model_of(struct arena *arena, const struct rules *rules,
    const struct article *article, int64_t now, struct text back)
{
	const struct post *post = &article->post;
	struct article_model model = {
		.article = line_model_of(arena, article, now, back),
		.paragraphs = format_paragraphs(arena, article->text),
		.up = post->up,
		.down = post->down,
		.vote_score = rules->vote_score,
		.votes_points = rules->vote_score * (post->up - post->down),
		.posted_moment = format_moment(arena, post->posted),
		.closes_moment = format_moment(arena, post->closes),
		.closes_iso = format_iso(arena, post->closes),
		.threshold = rules->interesting,
		.removed = post->removed != 0,
	};

	model.article.open = model.article.open && post->voters_known;
	model.votable = model.article.open && back.size == 0;
	if (model.article.open)
		model.closes_in = format_span(arena, post->closes - now);
	if (article->interesting != 0) {
		model.interesting_moment =
		    format_moment(arena, article->interesting);
		model.interesting_iso = format_iso(arena, article->interesting);
	}
	return model;
}

#include "views/article.h"

#include "base/arena.h"
#include "views/format.h"
#include "views/messages.h"
#include "views/mod_queue.h"

static struct score_numbers
score_numbers_of(
    struct arena *arena, int64_t vote_score, const struct article *article)
{
	int64_t up = article->post.up, down = article->post.down;

	return (struct score_numbers){
		.posted = message_number(arena, article->post.posted),
		.up = message_number(arena, up),
		.down = message_number(arena, down),
		.points = message_number(arena, up - down),
		.vote_score = message_number(arena, vote_score),
		.votes = message_number(arena, vote_score * (up - down)),
		.score = message_number(arena, article->score),
	};
}

struct article_model
article_model_of(struct arena *arena, const struct rules *rules,
    int64_t vote_score, const struct article *article, int64_t now,
    const struct reader *reader)
{
	const struct post *post = &article->post;
	struct article_model model = {
		.article = article_row_model_of(arena, article, now, reader),
		.up = post->up,
		.down = post->down,
		.closes_moment = format_moment(arena, post->closes),
		.closes_iso = format_iso(arena, post->closes),
		.threshold = rule_interesting_threshold(rules),
		.document = format_short(arena, article->title),
		.removed = post->removed != 0 && !post_is_waiting(post),
		.held = post_is_waiting(post),
		.withdrawn = post_is_withdrawn(post),
		.removed_by = post->removed_by.name,
		.ruling = post->mod_note,
		.is_thread_closed = article->thread_closed != 0,
	};

	model.shows_score = model.article.has_score;
	if (model.shows_score)
		model.arithmetic = score_numbers_of(arena, vote_score, article);
	model.is_scoreless = reader->is_scoreless;
	if (article->markup.size == 0)
		model.paragraphs = format_paragraphs(arena, article->text);
	if (article->url.size == 0)
		model.summary = format_summary(arena, article->text);
	model.is_voting = post_is_open(post, now) && post->voters_known;
	model.article.closed = post->removed == 0 && !model.is_voting;
	model.article.votable = model.article.votable && post->voters_known;
	model.article.may_hide = false; /* the page has a button of its own */
	model.has_buttons = reader->id != 0 &&
	    (model.article.votable || model.article.may_save);
	if (model.is_voting) {
		model.closes_in = format_span(arena, post->closes - now);
		model.time_left =
		    format_rounded_down(arena, post->closes - now);
	}
	if (post->edited != 0) {
		model.edited = format_age(arena, now, post->edited);
		model.edited_iso = format_iso(arena, post->edited);
		model.edited_moment = format_moment(arena, post->edited);
	}
	if (article->interesting != 0) {
		model.interesting_moment =
		    format_moment(arena, article->interesting);
		model.interesting_iso = format_iso(arena, article->interesting);
	}
	return model;
}

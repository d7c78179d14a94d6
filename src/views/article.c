#include "views/article.h"

#include "base/arena.h"
#include "views/format.h"
#include "views/mod_queue.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct article_groups_form, ARTICLE_GROUPS_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct article_model, member)
static const struct mustache_type type = VIEW_TYPE(struct article_model,
    MUSTACHE_STRUCT(struct article_model, article, &article_row_type),
    MUSTACHE_ITEMS(struct article_model, paragraphs, &format_paragraph_type),
    SHOWN(up), SHOWN(down), SHOWN(vote_score), SHOWN(votes_points),
    SHOWN(closes_moment), SHOWN(closes_iso), SHOWN(closes_in),
    SHOWN(interesting_moment), SHOWN(interesting_iso), SHOWN(threshold),
    SHOWN(document), SHOWN(summary), SHOWN(removed), SHOWN(is_voting),
    SHOWN(has_buttons), SHOWN(place), SHOWN(places), SHOWN(may_file),
    SHOWN(may_edit), SHOWN(may_flag), SHOWN(may_moderate), SHOWN(flag),
    MUSTACHE_ITEMS(struct article_model, reasons, &mod_queue_choice_type),
    MUSTACHE_ITEMS(struct article_model, flags, &mod_queue_flags_type),
    SHOWN(is_queued), SHOWN(is_thread_closed), SHOWN(withdrawn),
    SHOWN(removed_by), SHOWN(ruling), SHOWN(edited), SHOWN(edited_iso),
    SHOWN(edited_moment), SHOWN(is_own), SHOWN(is_repeated),
    MUSTACHE_STRUCT(struct article_model, choices, &form_choices_type),
    MUSTACHE_STRUCT(struct article_model, form, &form_type),
    MUSTACHE_STRUCT(struct article_model, inputs, &input_type), SHOWN(text),
    SHOWN(all_href), SHOWN(is_cut),
    MUSTACHE_STRUCT(struct article_model, thread, &thread_type),
    MUSTACHE_STRUCT(struct article_model, writing, &reply_form_type));

const struct view article_view = { "article", &type };

struct article_model
article_model_of(struct arena *arena, const struct rules *rules,
    const struct article *article, int64_t now, const struct reader *reader)
{
	const struct post *post = &article->post;
	struct article_model model = {
		.article = article_row_model_of(arena, article, now, reader),
		.up = post->up,
		.down = post->down,
		.vote_score = rules->vote_score,
		.votes_points = rules->vote_score * (post->up - post->down),
		.closes_moment = format_moment(arena, post->closes),
		.closes_iso = format_iso(arena, post->closes),
		.threshold = rules->interesting,
		.document = format_short(arena, article->title),
		.removed = post->removed != 0,
		.withdrawn = post_is_withdrawn(post),
		.removed_by = post->removed_by.name,
		.ruling = post->mod_note,
		.is_thread_closed = article->thread_closed != 0,
	};

	if (article->markup.size == 0)
		model.paragraphs = format_paragraphs(arena, article->text);
	if (article->url.size > 0)
		model.summary = text_format(arena, "%.*s, submitted by %.*s",
		    TEXT_ARGS(model.article.host),
		    TEXT_ARGS(post->author.name));
	else
		model.summary = format_summary(arena, article->text);
	model.article.open = model.article.open && post->voters_known;
	model.article.closed = post->removed == 0 && !model.article.open;
	model.article.votable = model.article.votable && post->voters_known;
	model.has_buttons = model.article.votable && reader->id != 0;
	model.is_voting = model.article.open;
	if (model.is_voting)
		model.closes_in = format_span(arena, post->closes - now);
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

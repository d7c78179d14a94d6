#include "views/article_row.h"

#include "base/arena.h"
#include "base/url.h"
#include "store/publisher.h"
#include "views/format.h"
#include "views/messages.h"

/* Where a link is from, and the list of what else is. */
static void
add_host(struct arena *arena, const struct article *article,
    struct article_row_model *line)
{
	struct text publisher = article->publisher;

	line->host = publisher_is_part(publisher)
	    ? publisher_display(arena, publisher)
	    : url_host(arena, article->url);
	if (publisher.size > 0)
		line->from = publisher_href(arena, publisher);
}

bool
reader_sees_score(
    const struct reader *reader, const struct post *post, int64_t now)
{
	bool is_own = reader->id != 0 && post->author.id == reader->id;

	return !reader->is_scoreless &&
	    (reader->sees_all || is_own ||
		now - post->posted >= reader->score_seconds);
}

bool
reader_may_save(const struct reader *reader, const struct post *post)
{
	return reader->saved != NULL && post->removed == 0;
}

bool
reader_has_saved(const struct reader *reader, struct post_id id)
{
	return reader->saved != NULL && saved_marks_have(reader->saved, id);
}

/* Members do not hide their own. */
static bool
may_hide(const struct reader *reader, const struct post *post)
{
	return reader_may_save(reader, post) && post->author.id != reader->id;
}

static bool
has_hidden(const struct reader *reader, struct post_id id)
{
	const struct hidden_rule what = { .kind = HIDDEN_ARTICLE,
		.id = id.article };

	return hidden_has_rule(reader->hidden, &what);
}

struct article_row_model
article_row_model_of(struct arena *arena, const struct article *article,
    int64_t now, const struct reader *reader)
{
	const struct post *post = &article->post;
	bool is_open = post_is_open(post, now);
	struct article_row_model line = {
		.id = post->id.article,
		.title = article->title,
		.label = format_label(arena, article->title),
		.href = article->url,
		.author = post->author.name,
		.score = article->score,
		.points = post->points,
		.posted = post->posted,
		.age = format_age(arena, now, post->posted),
		.posted_iso = format_iso(arena, post->posted),
		.posted_moment = format_moment(arena, post->posted),
		.vote = vote_words[post->vote],
		.is_up = post->vote == VOTE_UP,
		.is_down = post->vote == VOTE_DOWN,
		.closed = post->removed == 0 && !is_open,
		.points_noun = message_points(post->points),
		.has_score = reader_sees_score(reader, post, now),
		.interesting = article->interesting != 0,
		.groups = format_names(arena, article->groups),
		.has_groups = article->groups.size > 0,
		.flagged = post->folded != 0,
		.may_save = reader_may_save(reader, post),
		.is_saved = reader_has_saved(reader, post->id),
		.may_hide = may_hide(reader, post),
		.is_hidden = has_hidden(reader, post->id),
		.may_select =
		    reader->may_select && post->author.id != reader->id,
	};

	if (article->comments > 0)
		line.comments =
		    message_count(arena, MESSAGE_COMMENTS, article->comments);
	if (article->url.size > 0)
		add_host(arena, article, &line);
	else
		line.href = text_format(
		    arena, "/articles/%llu", (unsigned long long)line.id);
	line.votable = is_open && post->author.id != reader->id;
	if (line.votable)
		line.waits = reader->waits;
	line.votable = line.votable && line.waits.size == 0;
	if (reader->id == 0)
		line.login = text_join(
		    arena, TEXT("return_to="), url_encode(arena, reader->back));
	return line;
}

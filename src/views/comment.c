#include "views/comment.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct comment_model, member)
static const struct mustache_type type =
    VIEW_TYPE(struct comment_model, SHOWN(id), SHOWN(anchor), SHOWN(number),
	SHOWN(parent), SHOWN(title), SHOWN(author), SHOWN(href), SHOWN(points),
	SHOWN(age), SHOWN(posted_iso), SHOWN(posted_moment), SHOWN(edited),
	SHOWN(vote), SHOWN(login), SHOWN(waits), SHOWN(is_up), SHOWN(is_down),
	SHOWN(votable), SHOWN(is_one), SHOWN(said), SHOWN(all_href),
	SHOWN(is_cut), SHOWN(is_gone), SHOWN(withdrawn), SHOWN(is_op),
	SHOWN(is_new), SHOWN(is_root), SHOWN(is_open), SHOWN(replies),
	SHOWN(is_flat), SHOWN(answers), SHOWN(is_inside), SHOWN(parent_href),
	SHOWN(reply_href), SHOWN(edit_href), SHOWN(flag_href), SHOWN(fold),
	SHOWN(fold_href), SHOWN(article_title), SHOWN(article_href));

const struct fragment comment_view = { "card", &type, 2048 };

struct text
comment_reply_path(struct arena *arena, struct post_id id)
{
	return text_format(arena, "/articles/%llu/reply?parent=%llu",
	    (unsigned long long)id.article, (unsigned long long)id.comment);
}

struct comment_model
comment_model_of(struct arena *arena, const struct post *post, int64_t now,
    const struct reader *reader)
{
	bool is_open = post_is_open(post, now);
	struct comment_model card = {
		.id = format_post(arena, post->id),
		.number = post->id.comment,
		.anchor = text_format(arena, "comment-%llu",
		    (unsigned long long)post->id.comment),
		.author = post->author.name,
		.href = format_post_path(arena, post->id),
		.points = post->points,
		.age = format_age(arena, now, post->posted),
		.posted_iso = format_iso(arena, post->posted),
		.posted_moment = format_moment(arena, post->posted),
		.vote = vote_words[post->vote],
		.is_up = post->vote == VOTE_UP,
		.is_down = post->vote == VOTE_DOWN,
		.is_one = post->points == 1 || post->points == -1,
		.is_gone = post->removed != 0,
		.withdrawn = post_is_withdrawn(post),
		.is_open = post->points >= COMMENT_FOLDED_BELOW,
	};

	card.title = text_join(arena, TEXT("comment by "), post->author.name);
	if (post->edited != 0)
		card.edited = format_age(arena, now, post->edited);
	if (is_open && post->author.id != reader->id)
		card.waits = reader->waits;
	card.votable =
	    is_open && post->author.id != reader->id && card.waits.size == 0;
	if (reader->id == 0)
		card.login = text_join(
		    arena, TEXT("return_to="), url_encode(arena, reader->back));
	return card;
}

#include "views/comment.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"
#include "views/messages.h"

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
		.heading = COMMENT_HEADING,
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
		.points_noun = message_points(post->points),
		.has_score = reader_sees_score(reader, post, now),
		.may_save = reader_may_save(reader, post),
		.is_saved = reader_has_saved(reader, post->id),
		.may_mute = reader->mutes_threads,
		.is_removed = post->removed != 0,
		.withdrawn = post_is_withdrawn(post),
		.is_open =
		    post->points >= COMMENT_FOLDED_BELOW && post->folded == 0,
		.flagged = post->folded != 0 && post->removed == 0,
	};

	card.label =
	    message_comment_label(arena, post->id.comment, post->author.name);
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

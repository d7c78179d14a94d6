#include "views/line.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct line_model, member)
const struct mustache_type line_type = VIEW_TYPE(struct line_model, SHOWN(id),
    SHOWN(title), SHOWN(href), SHOWN(host), SHOWN(author), SHOWN(score),
    SHOWN(points), SHOWN(posted), SHOWN(age), SHOWN(posted_iso), SHOWN(vote),
    SHOWN(login), SHOWN(is_up), SHOWN(is_down), SHOWN(open), SHOWN(interesting),
    MUSTACHE_ITEMS(struct line_model, groups, &format_name_type));

const struct bare_view line_view = { "line", &line_type, 1536 };

static struct text
login_of(struct arena *arena, struct text back, uint64_t id)
{
	return text_join(arena, TEXT("/login?return_to="),
	    url_encode(arena,
		text_format(arena, "%.*s#article-%llu", TEXT_ARGS(back),
		    (unsigned long long)id)));
}

struct line_model
line_model_of(struct arena *arena, const struct article *article, int64_t now,
    struct text back)
{
	const struct post *post = &article->post;
	struct line_model line = {
		.id = post->id.article,
		.title = article->title,
		.href = article->url,
		.author = post->author.name,
		.score = article->score,
		.points = post->points,
		.posted = post->posted,
		.age = format_age(arena, now, post->posted),
		.posted_iso = format_iso(arena, post->posted),
		.vote = vote_words[post->vote],
		.is_up = post->vote == VOTE_UP,
		.is_down = post->vote == VOTE_DOWN,
		.open = post_is_open(post, now),
		.interesting = article->interesting != 0,
		.groups = format_names(arena, article->groups),
	};

	if (article->url.size > 0)
		line.host = url_host(arena, article->url);
	else
		line.href = text_format(
		    arena, "/articles/%llu", (unsigned long long)line.id);
	if (back.size > 0)
		line.login = login_of(arena, back, line.id);
	return line;
}

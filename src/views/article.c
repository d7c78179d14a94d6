#include "views/article.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"

struct article_line
article_line_of(struct arena *arena, const struct article *article, int64_t now)
{
	bool is_link = article->url.size > 0;

	return (struct article_line){
		.id = article->post.id.article,
		.title = article->title,
		.href = is_link
		    ? article->url
		    : text_format(arena, "/articles/%llu",
			  (unsigned long long)article->post.id.article),
		.host = is_link ? url_host(arena, article->url)
				: (struct text){ NULL, 0 },
		.author = article->post.author.name,
		.score = article->score,
		.points = article->post.points,
		.posted = article->post.posted,
		.age = format_age(arena, now, article->post.posted),
		.posted_iso = format_iso(arena, article->post.posted),
		.vote = vote_word(article->post.vote),
		.is_up = article->post.vote == VOTE_UP,
		.is_down = article->post.vote == VOTE_DOWN,
		.open = post_is_open(&article->post, now),
		.interesting = article->interesting != 0,
		.groups = format_names(arena, article->groups),
	};
}

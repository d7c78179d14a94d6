#include "views/article.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"

struct article_line
article_line_of(struct arena *arena, const struct article *article, int64_t now)
{
	bool is_link = article->url.size > 0;

	return (struct article_line){
		.id = article->id,
		.title = article->title,
		.href = is_link ? article->url
				: text_format(arena, "/articles/%llu",
				      (unsigned long long)article->id),
		.host = is_link ? url_host(arena, article->url)
				: (struct text){ NULL, 0 },
		.author = article->author_name,
		.score = article->score,
		.points = article->points,
		.posted = article->posted,
		.age = format_age(arena, now, article->posted),
		.posted_iso = format_iso(arena, article->posted),
		.vote = vote_word(article->vote),
		.is_up = article->vote == VOTE_UP,
		.is_down = article->vote == VOTE_DOWN,
		.open = now < article->closes && article->removed == 0,
		.interesting = article->interesting != 0,
		.groups = format_names(arena, article->groups),
	};
}

#include "pages/vote_request.h"

#include "views/format.h"

static const enum vote votes[] = { VOTE_NONE, VOTE_UP, VOTE_DOWN };

enum { VOTES = sizeof(votes) / sizeof(votes[0]) };

/* "7" or "7.3", as format_post writes them. */
static bool
parse_post(struct text value, struct post_id *id)
{
	struct text article;

	*id = (struct post_id){ .article = 0 };
	return text_cut(&value, '.', &article) &&
	    pairs_parse_id(article, &id->article) &&
	    (value.data == NULL || pairs_parse_id(value, &id->comment));
}

enum http_status
vote_request_parse(const struct pairs *sent, struct vote_request *vote)
{
	struct vote_request found = { .post.article = 0 };

	*vote = found;
	for (size_t i = 0; i < VOTES; i++) {
		struct text word = vote_words[votes[i]];

		if (!pairs_has(sent, word))
			continue;
		if (found.post.article != 0 ||
		    !parse_post(pairs_get(sent, word), &found.post))
			return HTTP_BAD_REQUEST;
		found.vote = votes[i];
	}
	*vote = found;
	return found.post.article != 0 ? HTTP_OK : HTTP_BAD_REQUEST;
}

struct text
vote_request_query(struct arena *arena, const struct vote_request *vote)
{
	return text_format(arena, "%.*s=%.*s",
	    TEXT_ARGS(vote_words[vote->vote]),
	    TEXT_ARGS(format_post(arena, vote->post)));
}

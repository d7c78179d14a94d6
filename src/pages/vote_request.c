#include "pages/vote_request.h"

#include "views/format.h"

static const enum vote votes[] = { VOTE_NONE, VOTE_UP, VOTE_DOWN };

enum { VOTES = sizeof(votes) / sizeof(votes[0]) };

/* "vote=up", of the post in the path. */
static enum http_status
read_of_path(const struct page *page, struct vote_request *ballot)
{
	if (!path_post_id(page, &ballot->post))
		return HTTP_NOT_FOUND;
	return vote_parse(
		   pairs_get(page_sent(page), TEXT("vote")), &ballot->vote)
	    ? HTTP_OK
	    : HTTP_BAD_REQUEST;
}

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
vote_request_read(const struct page *page, struct vote_request *ballot)
{
	const struct pairs *sent = page_sent(page);
	struct vote_request found = { .post.article = 0 };

	*ballot = found;
	if (pairs_has(&page->request->path_values, TEXT("id")))
		return read_of_path(page, ballot);
	for (size_t i = 0; i < VOTES; i++) {
		struct text word = vote_words[votes[i]];

		if (!pairs_has(sent, word))
			continue;
		if (found.post.article != 0 ||
		    !parse_post(pairs_get(sent, word), &found.post))
			return HTTP_BAD_REQUEST;
		found.vote = votes[i];
	}
	*ballot = found;
	return found.post.article != 0 ? HTTP_OK : HTTP_BAD_REQUEST;
}

struct text
vote_request_query(struct arena *arena, const struct vote_request *ballot)
{
	return text_format(arena, "%.*s=%.*s",
	    TEXT_ARGS(vote_words[ballot->vote]),
	    TEXT_ARGS(format_post(arena, ballot->post)));
}

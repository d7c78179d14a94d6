#include "pages/ballot.h"

static const enum vote votes[] = { VOTE_NONE, VOTE_UP, VOTE_DOWN };

enum { VOTES = sizeof(votes) / sizeof(votes[0]) };

/* "vote=up", of the article in the path. */
static enum http_status
read_of_path(const struct page *page, struct ballot *ballot)
{
	const struct pairs *path = &page->request->path_values;
	uint64_t id;

	if (!pairs_get_id(path, TEXT("id"), &id))
		return HTTP_NOT_FOUND;
	if (!vote_parse(
		pairs_get(page_sent(page), TEXT("vote")), &ballot->vote))
		return HTTP_BAD_REQUEST;
	ballot->article = id;
	return HTTP_OK;
}

enum http_status
ballot_read(const struct page *page, struct ballot *ballot)
{
	const struct pairs *sent = page_sent(page);
	struct ballot found = { .article = 0 };

	*ballot = found;
	if (pairs_has(&page->request->path_values, TEXT("id")))
		return read_of_path(page, ballot);
	for (size_t i = 0; i < VOTES; i++) {
		struct text word = vote_words[votes[i]];

		if (!pairs_has(sent, word))
			continue;
		if (found.article != 0 ||
		    !pairs_get_id(sent, word, &found.article))
			return HTTP_BAD_REQUEST;
		found.vote = votes[i];
	}
	*ballot = found;
	return found.article != 0 ? HTTP_OK : HTTP_BAD_REQUEST;
}

struct text
ballot_query(struct arena *arena, const struct ballot *ballot)
{
	return text_format(arena, "%.*s=%llu",
	    TEXT_ARGS(vote_words[ballot->vote]),
	    (unsigned long long)ballot->article);
}

#include "pages/post_request.h"

#include "views/format.h"

static const struct text words[] = { [WISH_NO_VOTE] = TEXT_INIT("none"),
	[WISH_UP] = TEXT_INIT("up"),
	[WISH_DOWN] = TEXT_INIT("down"),
	[WISH_SAVED] = TEXT_INIT("save"),
	[WISH_UNSAVED] = TEXT_INIT("unsave"),
	[WISH_HIDDEN] = TEXT_INIT("hide"),
	[WISH_SHOWN] = TEXT_INIT("unhide"),
	[WISH_AUTHOR_HIDDEN] = TEXT_INIT("hide_author"),
	[WISH_MUTED] = TEXT_INIT("mute") };

enum { WISHES = sizeof(words) / sizeof(words[0]) };

bool
post_request_parse_post(struct text value, struct post_id *id)
{
	struct text article;

	*id = (struct post_id){ .article = 0 };
	return text_cut(&value, '.', &article) &&
	    pairs_parse_id(article, &id->article) &&
	    (value.data == NULL || pairs_parse_id(value, &id->comment));
}

enum http_status
post_request_parse(const struct pairs *sent, struct post_request *request)
{
	struct post_request found = { .post.article = 0 };

	*request = found;
	for (size_t i = 0; i < WISHES; i++) {
		if (!pairs_has(sent, words[i]))
			continue;
		if (found.post.article != 0 ||
		    !post_request_parse_post(
			pairs_get(sent, words[i]), &found.post))
			return HTTP_BAD_REQUEST;
		found.wish = (enum post_wish)i;
	}
	if (found.post.article == 0 ||
	    (found.post.comment != 0 && post_request_is_hiding(&found)) ||
	    (found.post.comment == 0 && found.wish == WISH_AUTHOR_HIDDEN))
		return HTTP_BAD_REQUEST;
	*request = found;
	return HTTP_OK;
}

struct text
post_request_word(const struct post_request *request)
{
	return words[request->wish];
}

struct text
post_request_query(struct arena *arena, const struct post_request *request)
{
	return text_format(arena, "%.*s=%.*s",
	    TEXT_ARGS(post_request_word(request)),
	    TEXT_ARGS(format_post(arena, request->post)));
}

bool
post_request_is_vote(const struct post_request *request)
{
	return request->post.article != 0 && request->wish <= WISH_DOWN;
}

bool
post_request_is_hiding(const struct post_request *request)
{
	return request->post.article != 0 &&
	    (request->wish == WISH_HIDDEN || request->wish == WISH_SHOWN);
}

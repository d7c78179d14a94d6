#include "http/request.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/url.h"
#include "base/utf8.h"
#include "http/multipart.h"

enum http_method
http_method_of(struct text name)
{
	if (text_equal(name, TEXT("GET")))
		return HTTP_GET;
	if (text_equal(name, TEXT("HEAD")))
		return HTTP_HEAD;
	if (text_equal(name, TEXT("POST")))
		return HTTP_POST;
	return HTTP_OTHER_METHOD;
}

static bool
is_form(struct text content_type)
{
	struct text type = { NULL, 0 };

	text_cut(&content_type, ';', &type);
	return type.size == 33 &&
	    strncasecmp(type.data, "application/x-www-form-urlencoded", 33) ==
	    0;
}

static enum pairs_result
parse_form(struct arena *arena, struct request *request)
{
	request->is_multipart = multipart_is(request->content_type);
	if (request->is_multipart)
		return multipart_parse(arena, request->content_type,
		    request->body, &request->form, &request->files);
	if (request->body.size > 0 && !is_form(request->content_type))
		return PAIRS_MALFORMED;
	return pairs_parse(arena, request->body, &request->form);
}

/* No page has such a path, which would end a field of a response's head. */
static bool
has_control_characters(struct text path)
{
	for (size_t i = 0; i < path.size; i++)
		if ((unsigned char)path.data[i] < ' ' || path.data[i] == 0x7f)
			return true;
	return false;
}

enum http_status
request_parse(struct arena *arena, struct request *request)
{
	enum http_status status = HTTP_OK;

	if (has_control_characters(request->path))
		status = HTTP_NOT_FOUND;
	if (!utf8_valid(request->path) ||
	    pairs_parse(arena, request->raw_query, &request->query) !=
		PAIRS_VALID)
		status = HTTP_BAD_REQUEST;
	if (request->method != HTTP_POST)
		return status;
	if (request->body_too_large)
		return HTTP_CONTENT_TOO_LARGE;
	if (parse_form(arena, request) != PAIRS_VALID)
		status = HTTP_BAD_REQUEST;
	return status;
}

static bool
is_known(struct text name, struct text known)
{
	struct text word;

	while (text_next_word(&known, &word)) {
		struct text start = text_slice(word, 0, word.size - 1);

		if (text_equal(word, name) ||
		    (word.data[start.size] == '*' && text_starts(name, start)))
			return true;
	}
	return false;
}

/* Appends a name or value as browsers encode forms: a space is a '+'. */
static void
add_form_encoded(struct buffer *query, struct text rest)
{
	struct text part;
	bool is_first = true;

	while (text_cut(&rest, ' ', &part)) {
		if (!is_first)
			buffer_add_char(query, '+');
		buffer_add(query, url_encode(query->arena, part));
		is_first = false;
	}
}

bool
request_filter_query(
    struct arena *arena, struct request *request, struct text known)
{
	struct buffer query = buffer_in(arena, request->raw_query.size);

	for (size_t i = 0; i < request->query.count; i++) {
		const struct pair *pair = &request->query.items[i];

		if (!is_known(pair->name, known))
			continue;
		if (query.size > 0)
			buffer_add_char(&query, '&');
		add_form_encoded(&query, pair->name);
		buffer_add_char(&query, '=');
		add_form_encoded(&query, pair->value);
	}
	request->canonical_query = buffer_text(&query);
	return text_equal(request->canonical_query, request->raw_query);
}

struct text
request_target(struct arena *arena, const struct request *request)
{
	struct buffer target = buffer_in(arena, request->path.size + 64);
	struct text rest = request->path, part;

	/* nginx has decoded the path: encode it again. */
	while (text_cut(&rest, '/', &part)) {
		struct text piece, between = part;
		bool first = true;

		while (text_cut(&between, '+', &piece)) {
			if (!first)
				buffer_add_char(&target, '+');
			buffer_add(&target, url_encode(arena, piece));
			first = false;
		}
		if (rest.data != NULL)
			buffer_add_char(&target, '/');
	}
	buffer_add(&target, request->ending);
	if (request->canonical_query.size > 0)
		buffer_add_char(&target, '?');
	buffer_add(&target, request->canonical_query);
	return buffer_text(&target);
}

struct text
request_cookie(const struct request *request, struct text name)
{
	struct text rest = request->cookie, part, key;

	while (text_cut(&rest, ';', &part)) {
		part = text_trim(part);
		if (text_cut(&part, '=', &key) && text_equal(key, name))
			return part;
	}
	return (struct text){ NULL, 0 };
}

enum request_origin
request_origin_of(const struct request *request, struct text site)
{
	struct text origin = request->origin;

	if (request->fetch_site.size > 0)
		return text_equal(request->fetch_site, TEXT("same-origin"))
		    ? ORIGIN_SAME
		    : ORIGIN_OTHER;
	if (origin.size == 0)
		return ORIGIN_UNKNOWN;
	if (site.size > 0)
		return text_equal(origin, site) ? ORIGIN_SAME : ORIGIN_OTHER;
	if (text_starts(origin, TEXT("http://")))
		origin = text_slice(origin, 7, origin.size);
	else if (text_starts(origin, TEXT("https://")))
		origin = text_slice(origin, 8, origin.size);
	return text_equal(origin, request->host) ? ORIGIN_SAME : ORIGIN_OTHER;
}

#include "http/route.h"

#include "base/arena.h"

/* Compares the part before the first variable one, which rules out most rows: splitting
 * the paths took a thirtieth of the time of a vote, one of the last rows. */
static bool
prefix_matches(struct text shape, struct text path)
{
	size_t i = 0;

	while (i < shape.size && shape.data[i] != ':') {
		if (i == path.size || path.data[i] != shape.data[i])
			return false;
		i++;
	}
	return i < shape.size || i == path.size;
}

/* Whether a path matches a row's; sets values to the variable parts. */
static bool
path_matches(struct text shape, struct text path, struct pairs *values)
{
	struct text pattern, part;

	values->count = 0;
	if (!prefix_matches(shape, path))
		return false;
	while (text_cut(&shape, '/', &pattern)) {
		if (!text_cut(&path, '/', &part))
			return false;
		if (!text_starts(pattern, TEXT(":"))) {
			if (!text_equal(pattern, part))
				return false;
			continue;
		}
		if (part.size == 0 || values->count == ROUTE_MAX_VALUES)
			return false;
		values->items[values->count++] =
		    (struct pair){ text_slice(pattern, 1, pattern.size), part };
	}
	return path.data == NULL;
}

static bool
route_answers(const struct route *route, enum http_method method)
{
	return method == HTTP_POST ? route->posts
				   : method != HTTP_OTHER_METHOD && route->gets;
}

static const char *
allowed_methods(bool gets, bool posts)
{
	return gets && posts ? "GET, HEAD, POST" : gets ? "GET, HEAD" : "POST";
}

struct route_match
route_find(struct arena *arena, const struct route *routes, size_t count,
    struct request *request)
{
	bool gets = false, posts = false;

	request->path_values.items =
	    arena_new(arena, struct pair, ROUTE_MAX_VALUES);
	for (size_t i = 0; i < count; i++) {
		if (!path_matches(
			routes[i].path, request->path, &request->path_values))
			continue;
		if (route_answers(&routes[i], request->method))
			return (
			    struct route_match){ .status = HTTP_OK, .row = i };
		gets = gets || routes[i].gets;
		posts = posts || routes[i].posts;
	}
	if (!gets && !posts)
		return (struct route_match){ .status = HTTP_NOT_FOUND };
	return (struct route_match){ .status = HTTP_METHOD_NOT_ALLOWED,
		.allow = allowed_methods(gets, posts) };
}

/* The path in the case of a row's; empty if it does not match. */
static struct text
correct_path(struct arena *arena, struct text shape, struct text path)
{
	struct text pattern, part, corrected = TEXT("");
	bool is_first = true;

	while (text_cut(&shape, '/', &pattern)) {
		if (!text_cut(&path, '/', &part))
			return (struct text){ NULL, 0 };
		if (text_starts(pattern, TEXT(":"))
			? part.size == 0
			: !text_equal(pattern, text_lower(arena, part)))
			return (struct text){ NULL, 0 };
		corrected = text_format(arena, "%.*s%s%.*s",
		    TEXT_ARGS(corrected), is_first ? "" : "/",
		    TEXT_ARGS(
			text_starts(pattern, TEXT(":")) ? part : pattern));
		is_first = false;
	}
	return path.data == NULL ? corrected : (struct text){ NULL, 0 };
}

struct text
route_correct_path(struct arena *arena, const struct route *routes,
    size_t count, struct text path)
{
	struct text corrected = { NULL, 0 };

	while (path.size > 1 && path.data[path.size - 1] == '/')
		path = text_slice(path, 0, path.size - 1);
	for (size_t i = 0; i < count && corrected.size == 0; i++)
		if (routes[i].gets)
			corrected = correct_path(arena, routes[i].path, path);
	return corrected;
}

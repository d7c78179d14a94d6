#include "http/route.h"

#include "base/arena.h"

/* Most rows are told from a path by what comes before the first part that varies, of
 * which a vote's request, one of the last rows, was spending a thirtieth. */
static bool
begins_alike(struct text shape, struct text path)
{
	size_t i = 0;

	while (i < shape.size && shape.data[i] != ':') {
		if (i == path.size || path.data[i] != shape.data[i])
			return false;
		i++;
	}
	return i < shape.size || i == path.size;
}

/* Whether a path has the shape of a row; the parts that vary become values. */
static bool
path_fits(struct text shape, struct text path, struct pairs *values)
{
	struct text wanted, part;

	values->count = 0;
	if (!begins_alike(shape, path))
		return false;
	while (text_cut(&shape, '/', &wanted)) {
		if (!text_cut(&path, '/', &part))
			return false;
		if (!text_starts(wanted, TEXT(":"))) {
			if (!text_equal(wanted, part))
				return false;
			continue;
		}
		if (part.size == 0 || values->count == ROUTE_MAX_VALUES)
			return false;
		values->items[values->count++] =
		    (struct pair){ text_slice(wanted, 1, wanted.size), part };
	}
	return path.data == NULL;
}

static bool
takes(const struct route *route, enum http_method method)
{
	return method == HTTP_POST ? route->posts
				   : method != HTTP_OTHER_METHOD && route->gets;
}

static const char *
allowed(bool gets, bool posts)
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
		if (!path_fits(
			routes[i].path, request->path, &request->path_values))
			continue;
		if (takes(&routes[i], request->method))
			return (
			    struct route_match){ .status = HTTP_OK, .row = i };
		gets = gets || routes[i].gets;
		posts = posts || routes[i].posts;
	}
	if (!gets && !posts)
		return (struct route_match){ .status = HTTP_NOT_FOUND };
	return (struct route_match){ .status = HTTP_METHOD_NOT_ALLOWED,
		.allow = allowed(gets, posts) };
}

/* The path as a row has it; empty when it is not of this shape. */
static struct text
path_meant(struct arena *arena, struct text shape, struct text path)
{
	struct text wanted, part, meant = TEXT("");
	bool is_first = true;

	while (text_cut(&shape, '/', &wanted)) {
		if (!text_cut(&path, '/', &part))
			return (struct text){ NULL, 0 };
		if (text_starts(wanted, TEXT(":"))
			? part.size == 0
			: !text_equal(wanted, text_lower(arena, part)))
			return (struct text){ NULL, 0 };
		meant = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(meant),
		    is_first ? "" : "/",
		    TEXT_ARGS(text_starts(wanted, TEXT(":")) ? part : wanted));
		is_first = false;
	}
	return path.data == NULL ? meant : (struct text){ NULL, 0 };
}

struct text
route_correct_path(struct arena *arena, const struct route *routes,
    size_t count, struct text path)
{
	struct text meant = { NULL, 0 };

	while (path.size > 1 && path.data[path.size - 1] == '/')
		path = text_slice(path, 0, path.size - 1);
	for (size_t i = 0; i < count && meant.size == 0; i++)
		if (routes[i].gets)
			meant = path_meant(arena, routes[i].path, path);
	return meant;
}

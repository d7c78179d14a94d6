/*
 * Finds the row of a table of routes that matches a request.
 *
 * A part of a row's path that begins with ':' matches any text without a '/'.
 */
#pragma once

#include "http/request.h"

struct route {
	struct text path; /* "/articles/:id" */
	bool gets, posts; /* the methods it answers; GET includes HEAD */
};

enum { ROUTE_MAX_VALUES = 4 };

struct route_match {
	enum http_status status; /* HTTP_OK; HTTP_NOT_FOUND; 405 */
	size_t row;		 /* with HTTP_OK */
	const char *allow;	 /* with 405: the allowed methods */
};

/* Sets the request's path_values to the texts of the variable parts: "id" of
 * "/articles/:id". */
struct route_match route_find(struct arena *arena, const struct route *routes,
    size_t count, struct request *request);

/*
 * Corrects a path that matches no row: ignoring the case of the fixed parts and trailing
 * slashes. Empty if no row that answers GET matches then either.
 */
struct text route_correct_path(struct arena *arena, const struct route *routes,
    size_t count, struct text path);

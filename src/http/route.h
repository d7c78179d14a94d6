/*
 * Routes: which row of a table a request is for.
 *
 * A part of a row's path that begins with ':' is any text without a '/'.
 */
#pragma once

#include "http/request.h"

struct route {
	struct text path; /* "/articles/:id" */
	bool gets, posts; /* what it answers; HEAD is as GET */
};

enum { ROUTE_MAX_VALUES = 4 };

struct route_match {
	enum http_status status; /* HTTP_OK; HTTP_NOT_FOUND; 405 */
	size_t row;		 /* with HTTP_OK */
	const char *allow;	 /* with 405, which methods there are */
};

/* Fills path_values of the request with what stands for the parts that vary:
 * "id" of "/articles/:id". */
struct route_match route_find(struct arena *arena, const struct route *routes,
    size_t count, struct request *request);

/*
 * The path of a row that was meant by one which has no row: without regard to the case
 * of the parts that do not vary, and to slashes at the end. Empty when there is none.
 */
struct text route_correct_path(struct arena *arena, const struct route *routes,
    size_t count, struct text path);

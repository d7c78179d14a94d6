/*
 * The HTTP status codes in use, with their reason phrases (RFC 9110).
 */
#pragma once

#define HTTP_STATUSES(STATUS) \
	STATUS(HTTP_OK, 200, "OK") \
	STATUS(HTTP_MOVED, 301, "Moved Permanently") \
	STATUS(HTTP_SEE_OTHER, 303, "See Other") \
	STATUS(HTTP_NOT_MODIFIED, 304, "Not Modified") \
	STATUS(HTTP_BAD_REQUEST, 400, "Bad Request") \
	STATUS(HTTP_UNAUTHORIZED, 401, "Unauthorized") \
	STATUS(HTTP_FORBIDDEN, 403, "Forbidden") \
	STATUS(HTTP_NOT_FOUND, 404, "Not Found") \
	STATUS(HTTP_METHOD_NOT_ALLOWED, 405, "Method Not Allowed") \
	STATUS(HTTP_CONFLICT, 409, "Conflict") \
	STATUS(HTTP_GONE, 410, "Gone") \
	STATUS(HTTP_CONTENT_TOO_LARGE, 413, "Content Too Large") \
	STATUS(HTTP_URI_TOO_LONG, 414, "URI Too Long") \
	STATUS(HTTP_MISDIRECTED, 421, "Misdirected Request") \
	STATUS(HTTP_UNPROCESSABLE, 422, "Unprocessable Content") \
	STATUS(HTTP_TOO_MANY_REQUESTS, 429, "Too Many Requests") \
	STATUS(HTTP_INTERNAL_ERROR, 500, "Internal Server Error") \
	STATUS(HTTP_UNAVAILABLE, 503, "Service Unavailable")

#define HTTP_STATUS_NUMBER(name, number, words) name = (number),
enum http_status { HTTP_STATUSES(HTTP_STATUS_NUMBER) };

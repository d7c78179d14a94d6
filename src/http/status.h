/*
 * The answers this site gives, by their numbers in RFC 9110.
 */
#ifndef HTTP_STATUS_H
#define HTTP_STATUS_H

enum http_status {
	HTTP_OK = 200,
	HTTP_SEE_OTHER = 303,
	HTTP_BAD_REQUEST = 400,
	HTTP_UNAUTHORIZED = 401,
	HTTP_FORBIDDEN = 403,
	HTTP_NOT_FOUND = 404,
	HTTP_METHOD_NOT_ALLOWED = 405,
	HTTP_CONFLICT = 409,
	HTTP_GONE = 410,
	HTTP_CONTENT_TOO_LARGE = 413,
	HTTP_UNPROCESSABLE = 422,
	HTTP_TOO_MANY_REQUESTS = 429,
	HTTP_INTERNAL_ERROR = 500,
	HTTP_UNAVAILABLE = 503
};

/* The words behind the number, as in "404 Not Found". */
const char *http_status_words(enum http_status status);

#endif

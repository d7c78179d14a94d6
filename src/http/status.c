#include "http/status.h"

const char *
http_status_words(enum http_status status)
{
	switch (status) {
	case HTTP_OK:
		return "OK";
	case HTTP_SEE_OTHER:
		return "See Other";
	case HTTP_BAD_REQUEST:
		return "Bad Request";
	case HTTP_UNAUTHORIZED:
		return "Unauthorized";
	case HTTP_FORBIDDEN:
		return "Forbidden";
	case HTTP_NOT_FOUND:
		return "Not Found";
	case HTTP_METHOD_NOT_ALLOWED:
		return "Method Not Allowed";
	case HTTP_CONFLICT:
		return "Conflict";
	case HTTP_GONE:
		return "Gone";
	case HTTP_CONTENT_TOO_LARGE:
		return "Content Too Large";
	case HTTP_UNPROCESSABLE:
		return "Unprocessable Content";
	case HTTP_TOO_MANY_REQUESTS:
		return "Too Many Requests";
	case HTTP_INTERNAL_ERROR:
		return "Internal Server Error";
	case HTTP_UNAVAILABLE:
		return "Service Unavailable";
	}
	return "Unknown";
}

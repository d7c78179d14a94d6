/*
 * The side of a server in Redis's protocol (RESP2): reading requests, arrays of bulk strings,
 * and writing replies.
 */
#pragma once

#include "base/buffer.h"

enum {
	RESP_WORDS_MAX = 128, /* of a request */
	RESP_BYTES_MAX =
	    16 * 1024 /* of a request, with lengths and line ends */
};

enum resp_result {
	RESP_WHOLE,
	RESP_PARTIAL,  /* bytes are missing at the end */
	RESP_MALFORMED /* no bytes could make it a request */
};

struct resp_request {
	struct text words[RESP_WORDS_MAX]; /* in the bytes that were read */
	size_t count;			   /* at least 1 */
	size_t size;			   /* of the request in bytes */
};

/* Reads the request that begins the bytes. */
enum resp_result resp_read(struct text bytes, struct resp_request *request);

void resp_add_text(struct buffer *reply, struct text text);
void resp_add_number(struct buffer *reply, int64_t number);
/* The head of a list; its items follow. */
void resp_add_list(struct buffer *reply, size_t count);
/* The kind is the error's first word, "ERR". Neither has a line end. */
void resp_add_error(struct buffer *reply, const char *kind, const char *why);

#include "http/fcgi.h"

#include <fcgiapp.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"

struct fcgi_connection {
	FCGX_Request request;
};

void
fcgi_start(void)
{
	if (FCGX_Init() != 0)
		log_fatal("libfcgi could not be started");
}

void
fcgi_close(struct fcgi_connection *connection)
{
	/* Attached, libfcgi would wait up to 2 s for nginx to close as well. */
	connection->request.detached = 1;
	FCGX_Free(&connection->request, 1);
	free(connection);
}

static enum fcgi_result
take(struct fcgi_connection *connection, enum fcgi_result otherwise)
{
	if (FCGX_Accept_r(&connection->request) == 0) {
		/* When nginx closes this connection libfcgi would accept
		 * another in its place, behind the worker's back. */
		connection->request.listen_sock = -1;
		return FCGI_REQUEST;
	}
	fcgi_close(connection);
	return otherwise;
}

enum fcgi_result
fcgi_accept(int listener, struct fcgi_connection **connection)
{
	*connection = calloc(1, sizeof(**connection));
	if (*connection == NULL)
		log_fatal("out of memory: no place for another connection");
	FCGX_InitRequest(
	    &(*connection)->request, listener, FCGI_FAIL_ACCEPT_ON_INTR);
	return take(*connection, FCGI_NOTHING);
}

enum fcgi_result
fcgi_next(struct fcgi_connection *connection)
{
	return take(connection, FCGI_CLOSED);
}

int
fcgi_descriptor(const struct fcgi_connection *connection)
{
	return connection->request.ipcFd;
}

static struct text
param(struct fcgi_connection *connection, struct arena *arena, const char *name)
{
	const char *value = FCGX_GetParam(name, connection->request.envp);

	/* The next request on the connection frees libfcgi's own copy. */
	return value == NULL ? (struct text){ NULL, 0 } :
	                       text_copy(arena, text_of(value));
}

/*
 * Reads to the very end, also when there is no body: what would be left in the
 * socket would look like the next request.
 */
static void
read_body(struct fcgi_connection *connection, struct arena *arena,
    struct request *request)
{
	struct buffer body = buffer_in(arena, 0);
	FCGX_Stream *in = connection->request.in;
	char piece[8192];
	int got;

	while ((got = FCGX_GetStr(piece, sizeof(piece), in)) > 0) {
		request->body_too_large = request->body_too_large ||
		    body.size + (size_t)got > REQUEST_MOST_BODY;
		if (!request->body_too_large)
			buffer_add(
			    &body, (struct text){ piece, (size_t)got });
	}
	if (!request->body_too_large)
		request->body = buffer_text(&body);
}

void
fcgi_read(struct fcgi_connection *connection, struct arena *arena,
    struct request *request)
{
	*request = (struct request){
		.method = http_method_of(
		    param(connection, arena, "REQUEST_METHOD")),
		.path = param(connection, arena, "DOCUMENT_URI"),
		.raw_query = param(connection, arena, "QUERY_STRING"),
		.content_type = param(connection, arena, "CONTENT_TYPE"),
		.cookie = param(connection, arena, "HTTP_COOKIE"),
		.host = param(connection, arena, "HTTP_HOST"),
		.origin = param(connection, arena, "HTTP_ORIGIN"),
		.fetch_site = param(connection, arena, "HTTP_SEC_FETCH_SITE"),
		.agent = param(connection, arena, "HTTP_USER_AGENT"),
		.address = param(connection, arena, "REMOTE_ADDR"),
		.https = text_equal(param(connection, arena, "HTTPS"),
		    TEXT("on")),
	};
	read_body(connection, arena, request);
}

enum fcgi_result
fcgi_send(struct fcgi_connection *connection, struct arena *arena,
    const struct response *response, bool with_body)
{
	struct text head = response_head(arena, response);
	FCGX_Stream *out = connection->request.out;

	FCGX_PutStr(head.data, (int)head.size, out);
	if (with_body && response->body.size > 0)
		FCGX_PutStr(response->body.data, (int)response->body.size, out);
	connection->request.detached = 1;
	FCGX_Finish_r(&connection->request);
	connection->request.detached = 0;
	if (connection->request.ipcFd >= 0)
		return FCGI_NOTHING;
	free(connection);
	return FCGI_CLOSED;
}

/*
 * FastCGI, through libfcgi: the only file that includes fcgiapp.h.
 *
 * A connection from nginx stays open and carries one request after the other.
 * Nothing here waits: the worker polls the descriptors, and calls in when one
 * is ready. (Once nginx began to send a request, the rest of it is waited for;
 * nginx sends it whole, and the supervisor ends a worker that is stuck.)
 */
#pragma once

#include "http/request.h"
#include "http/response.h"

struct fcgi_connection;

/* Once a process. */
void fcgi_start(void);

enum fcgi_result {
	FCGI_REQUEST, /* a request is there */
	FCGI_NOTHING, /* the connection stays open for another */
	FCGI_CLOSED   /* nginx closed it; the connection is freed */
};

/*
 * A new connection of a listening socket that does not block, to be given back
 * with fcgi_close; NULL when nobody is waiting. Nothing is read from it yet.
 */
struct fcgi_connection *fcgi_accept(int listener);

/* Takes the next request of a connection whose descriptor is ready. */
enum fcgi_result fcgi_next(struct fcgi_connection *connection);

/* What the worker polls: the same as long as the connection is open. */
int fcgi_descriptor(const struct fcgi_connection *connection);

/* Reads the request that is there into the arena, body and all. */
void fcgi_read(struct fcgi_connection *connection, struct arena *arena,
    struct request *request);

/*
 * Answers it. FCGI_NOTHING when the connection stays open for another request,
 * FCGI_CLOSED when it is gone and freed.
 */
enum fcgi_result fcgi_send(struct fcgi_connection *connection,
    struct arena *arena, const struct response *response, bool with_body);

/*
 * Asks nginx to close an idle connection. Whoever closes one first may lose the
 * request that the other has just sent on it, and nginx does not send a POST
 * twice; nginx itself never does. So it is sent an empty record: nginx closes
 * an idle connection on which anything comes, and on one where it has sent a
 * request meanwhile it skips the record in front of the answer. After such an
 * answer it is to be asked again.
 */
void fcgi_ask_close(const struct fcgi_connection *connection);

void fcgi_close(struct fcgi_connection *connection);

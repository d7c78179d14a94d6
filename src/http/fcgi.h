/*
 * FastCGI, through libfcgi: the only file that includes fcgiapp.h.
 *
 * A connection from nginx stays open and carries one request after the other.
 * No call blocks: the worker polls the descriptors and calls when one is ready.
 * (Exception: once nginx has begun to send a request, reading waits for the rest;
 * nginx sends requests whole, and the supervisor kills a worker that is stuck.)
 */
#pragma once

#include "http/request.h"
#include "http/response.h"

struct fcgi_connection;

/* Call once per process. */
void fcgi_start(void);

enum fcgi_result {
	FCGI_REQUEST, /* a request is ready */
	FCGI_NOTHING, /* the connection stays open for another */
	FCGI_CLOSED   /* nginx closed it; the connection is freed */
};

/*
 * Accepts a connection from a non-blocking listening socket, without reading from it;
 * NULL if none is waiting. Freed by whichever call returns FCGI_CLOSED.
 */
struct fcgi_connection *fcgi_accept(int listener);

/* Begins the next request of a connection whose descriptor is ready. */
enum fcgi_result fcgi_next(struct fcgi_connection *connection);

/* The descriptor to poll; does not change while the connection is open. */
int fcgi_descriptor(const struct fcgi_connection *connection);

/* Reads the present request with its body into the arena. */
void fcgi_read(struct fcgi_connection *connection, struct arena *arena,
    struct request *request);

/*
 * Sends the response. FCGI_NOTHING when the connection stays open for another request,
 * FCGI_CLOSED when it is closed and freed.
 */
enum fcgi_result fcgi_send(struct fcgi_connection *connection,
    struct arena *arena, struct response *response, bool with_body);

/*
 * Asks nginx to close an idle connection, by an empty record. Closing it here could lose
 * a request that nginx has just sent on it, and nginx does not resend a POST. nginx
 * closes an idle connection on which it receives anything; if it has sent a request
 * meanwhile, it skips the record before the response, and has to be asked again
 * after that.
 */
void fcgi_ask_close(const struct fcgi_connection *connection);

#include "http/fcgi.h"

#include <errno.h>
#include <fcgiapp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/log.h"

/* Constants of the protocol that fcgiapp.h lacks. */
enum {
	FCGI_END_REQUEST = 3,
	FCGI_STDOUT = 6,
	FCGI_STDERR = 7,
	FCGI_HEAD = 8,
	FCGI_MAX_CONTENT = 65528 /* a multiple of 8, below 2^16 */
};

struct fcgi_connection {
	FCGX_Request request;
};

void
fcgi_start(void)
{
	if (FCGX_Init() != 0)
		log_fatal("cannot initialize libfcgi");
}

static void
close_connection(struct fcgi_connection *connection)
{
	/* Attached, libfcgi would wait up to 2 s for nginx to close as well. */
	connection->request.detached = 1;
	FCGX_Free(&connection->request, 1);
	free(connection);
}

/* libfcgi would read the first request at once, and wait for it. */
struct fcgi_connection *
fcgi_accept(int listener)
{
	int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct fcgi_connection *connection;

	if (descriptor < 0)
		return NULL;
	connection = calloc(1, sizeof(*connection));
	if (connection == NULL)
		log_fatal("out of memory: cannot accept another connection");
	/* Without the listening socket: when nginx closed this connection, libfcgi would
	 * accept another in its place. */
	FCGX_InitRequest(&connection->request, -1, FCGI_FAIL_ACCEPT_ON_INTR);
	connection->request.ipcFd = descriptor;
	connection->request.keepConnection = 1;
	connection->request.requestId = 1; /* nginx has no other */
	return connection;
}

enum fcgi_result
fcgi_next(struct fcgi_connection *connection)
{
	if (FCGX_Accept_r(&connection->request) == 0)
		return FCGI_REQUEST;
	close_connection(connection);
	return FCGI_CLOSED;
}

int
fcgi_descriptor(const struct fcgi_connection *connection)
{
	return connection->request.ipcFd;
}

/* The parameters that are read, in the order in which nginx sends them. */
enum param {
	REQUEST_METHOD,
	DOCUMENT_URI,
	QUERY_STRING,
	CONTENT_TYPE,
	HTTP_COOKIE,
	HTTP_HOST,
	HTTP_ORIGIN,
	HTTP_SEC_FETCH_SITE,
	HTTP_SEC_PURPOSE,
	HTTP_USER_AGENT,
	REMOTE_ADDR,
	REQUEST_ID,
	CACHE_VARIANT,
	CACHE_CODING,
	FEED_IF_NONE_MATCH,
	HTTPS,
	HTTP_IF_NONE_MATCH,
	PARAMS
};

static const struct text param_names[PARAMS] = {
	[REQUEST_METHOD] = TEXT_INIT("REQUEST_METHOD"),
	[DOCUMENT_URI] = TEXT_INIT("DOCUMENT_URI"),
	[QUERY_STRING] = TEXT_INIT("QUERY_STRING"),
	[CONTENT_TYPE] = TEXT_INIT("CONTENT_TYPE"),
	[HTTP_COOKIE] = TEXT_INIT("HTTP_COOKIE"),
	[HTTP_HOST] = TEXT_INIT("HTTP_HOST"),
	[HTTP_ORIGIN] = TEXT_INIT("HTTP_ORIGIN"),
	[HTTP_SEC_FETCH_SITE] = TEXT_INIT("HTTP_SEC_FETCH_SITE"),
	[HTTP_SEC_PURPOSE] = TEXT_INIT("HTTP_SEC_PURPOSE"),
	[HTTP_USER_AGENT] = TEXT_INIT("HTTP_USER_AGENT"),
	[REMOTE_ADDR] = TEXT_INIT("REMOTE_ADDR"),
	[REQUEST_ID] = TEXT_INIT("REQUEST_ID"),
	[CACHE_VARIANT] = TEXT_INIT("CACHE_VARIANT"),
	[CACHE_CODING] = TEXT_INIT("CACHE_CODING"),
	[FEED_IF_NONE_MATCH] = TEXT_INIT("FEED_IF_NONE_MATCH"),
	[HTTPS] = TEXT_INIT("HTTPS"),
	[HTTP_IF_NONE_MATCH] = TEXT_INIT("HTTP_IF_NONE_MATCH"),
};

/* The parameter with that name; from is where it probably is. */
static enum param
find_param(struct text name, size_t from)
{
	for (size_t i = 0; i < PARAMS; i++) {
		size_t param = (from + i) % PARAMS;

		if (text_equal(param_names[param], name))
			return (enum param)param;
	}
	return PARAMS;
}

/* One pass, of which most names are found at once: FCGX_GetParam, for one name after another, took
 * 7,000 instructions. The values are copied, since the next request on the connection frees
 * libfcgi's own. */
static void
read_params(struct fcgi_connection *connection, struct arena *arena,
    struct text values[PARAMS])
{
	size_t next = 0;

	for (char **pair = connection->request.envp; *pair != NULL; pair++) {
		struct text value = text_of(*pair), name;
		enum param param;

		text_cut(&value, '=', &name);
		param = find_param(name, next);
		if (param == PARAMS)
			continue;
		values[param] = text_copy(arena, value);
		next = param + 1;
	}
}

/*
 * Reads to the end of the stream, even without a body: bytes left in the socket would be
 * taken for the next request.
 */
static void
read_body(struct fcgi_connection *connection, struct arena *arena,
    struct request *request)
{
	struct buffer body = buffer_in(arena, 0);
	FCGX_Stream *in = connection->request.in;
	char piece[1024];
	int got;

	while ((got = FCGX_GetStr(piece, sizeof(piece), in)) > 0) {
		request->body_too_large = request->body_too_large ||
		    body.size + (size_t)got > REQUEST_MAX_BODY;
		if (!request->body_too_large)
			buffer_add(&body, (struct text){ piece, (size_t)got });
	}
	if (!request->body_too_large)
		request->body = buffer_text(&body);
}

void
fcgi_read(struct fcgi_connection *connection, struct arena *arena,
    struct request *request)
{
	struct text values[PARAMS] = { { NULL, 0 } };

	read_params(connection, arena, values);
	*request = (struct request){
		.method = http_method_of(values[REQUEST_METHOD]),
		.path = values[DOCUMENT_URI],
		.raw_query = values[QUERY_STRING],
		.content_type = values[CONTENT_TYPE],
		.cookie = values[HTTP_COOKIE],
		.host = values[HTTP_HOST],
		.origin = values[HTTP_ORIGIN],
		.fetch_site = values[HTTP_SEC_FETCH_SITE],
		.is_prefetch =
		    text_starts(values[HTTP_SEC_PURPOSE], TEXT("prefetch")),
		.agent = values[HTTP_USER_AGENT],
		.if_none_match = values[HTTP_IF_NONE_MATCH].size > 0
		    ? values[HTTP_IF_NONE_MATCH]
		    : values[FEED_IF_NONE_MATCH],
		.address = values[REMOTE_ADDR],
		.id = values[REQUEST_ID],
		.variant = values[CACHE_VARIANT],
		.accepts_gzip = text_equal(values[CACHE_CODING], TEXT("gzip")),
		.https = text_equal(values[HTTPS], TEXT("on")),
	};
	read_body(connection, arena, request);
}

/* A response as records for sendmsg, which gathers heads and body without copying. */
struct records {
	struct buffer heads;
	struct iovec *pieces;
	size_t count;
};

static void
add_piece(struct records *records, const char *data, size_t size)
{
	if (size > 0)
		records->pieces[records->count++] =
		    (struct iovec){ (char *)data, size };
}

/*
 * The head of a record (FastCGI specification 1.0, section 3.3): version, type, id of the
 * request, length of the content, of the padding, a spare byte. The content follows.
 */
static void
add_head(struct records *records, int type, int id, size_t size)
{
	const unsigned char head[FCGI_HEAD] = { 1, (unsigned char)type,
		(unsigned char)(id >> 8), (unsigned char)id,
		(unsigned char)(size >> 8), (unsigned char)size, 0, 0 };
	char *place = buffer_reserve(&records->heads, sizeof(head));

	buffer_add(
	    &records->heads, (struct text){ (const char *)head, sizeof(head) });
	add_piece(records, place, sizeof(head));
}

static void
add_record(struct records *records, int type, int id, struct text content)
{
	add_head(records, type, id, content.size);
	add_piece(records, content.data, content.size);
}

/* In as few records as possible: with one for each piece of a list, nginx took a tenth more
 * instructions. */
static void
add_body(struct records *records, int id, const struct response_body *body)
{
	const struct text *next = body->parts;
	struct text part = { NULL, 0 };

	for (size_t left = body->size; left > 0;) {
		size_t room = left < FCGI_MAX_CONTENT ? left : FCGI_MAX_CONTENT;

		add_head(records, FCGI_STDOUT, id, room);
		left -= room;
		while (room > 0) {
			struct text content;

			if (part.size == 0)
				part = *next++;
			content = text_slice(part, 0, room);
			add_piece(records, content.data, content.size);
			part = text_slice(part, content.size, part.size);
			room -= content.size;
		}
	}
}

static struct records
make_records(struct arena *arena, int id, struct text head,
    const struct response_body *body)
{
	/* Status 0, and complete. */
	const struct text end = { "\0\0\0\0\0\0\0", FCGI_HEAD };
	enum { BESIDE = 3 }; /* the header fields, and two for the end */
	size_t max = body->size / FCGI_MAX_CONTENT + 1 + BESIDE;
	struct records records = { .heads = buffer_in(arena, max * FCGI_HEAD),
		.pieces =
		    arena_new(arena, struct iovec, body->count + 2 * max) };

	add_record(&records, FCGI_STDOUT, id, head);
	add_body(&records, id, body);
	add_record(&records, FCGI_STDOUT, id, TEXT(""));
	add_record(&records, FCGI_END_REQUEST, id, end);
	return records;
}

/* Removes the bytes already sent. */
static void
drop_sent(struct records *records, size_t sent)
{
	while (records->count > 0 && sent >= records->pieces->iov_len) {
		sent -= records->pieces->iov_len;
		records->pieces++;
		records->count--;
	}
	if (sent > 0) {
		records->pieces->iov_base =
		    (char *)records->pieces->iov_base + sent;
		records->pieces->iov_len -= sent;
	}
}

/* False when nginx has closed the connection. */
static bool
send_all(int descriptor, struct records records)
{
	while (records.count > 0) {
		const struct msghdr message = { .msg_iov = records.pieces,
			.msg_iovlen = records.count };
		ssize_t size = sendmsg(descriptor, &message, MSG_NOSIGNAL);

		if (size < 0 && errno != EINTR)
			return false;
		if (size > 0)
			drop_sent(&records, (size_t)size);
	}
	return true;
}

/*
 * Sends the whole response at once. libfcgi's streams write every 8 KB and again for
 * the end; without them 1.09 times as many pages of 3 KB were answered.
 */
enum fcgi_result
fcgi_send(struct fcgi_connection *connection, struct arena *arena,
    struct response *response, bool with_body)
{
	FCGX_Request *request = &connection->request;
	struct response_body body = response_body(response, arena);
	struct text head = response_head(arena, response, body.size);
	struct records records;

	if (!with_body)
		body.size = 0;
	records = make_records(arena, request->requestId, head, &body);
	if (!send_all(request->ipcFd, records) || !request->keepConnection) {
		close_connection(connection);
		return FCGI_CLOSED;
	}
	FCGX_Free(request, 0);
	return FCGI_NOTHING;
}

/* Cannot block: nginx has read everything sent before. */
void
fcgi_ask_close(const struct fcgi_connection *connection)
{
	const FCGX_Request *request = &connection->request;
	const unsigned char record[FCGI_HEAD] = { 1, FCGI_STDERR,
		(unsigned char)(request->requestId >> 8),
		(unsigned char)request->requestId };

	(void)!send(request->ipcFd, record, sizeof(record),
	    MSG_NOSIGNAL | MSG_DONTWAIT);
}

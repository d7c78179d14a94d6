#include "redis/connection.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <string.h>

#ifdef WITH_TLS
#include <hiredis/hiredis_ssl.h>
#endif

#include "base/counters.h"
#include "base/log.h"
#include "redis/shared_reads.h"

enum {
	FIRST_ITEMS = 1024, /* of a list; a power of two */
	HANDSHAKE_PART = 3, /* of the wait for a reply: a third of it */
	WAIT_MS = 1000	    /* for the replicas */
};

#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

/*
 * A list may claim any number of items: room for more than the first ones is made
 * as they come.
 */
static struct reply *
make_item(struct arena *arena, struct reply *list, size_t index)
{
	bool is_full = index >= FIRST_ITEMS && (index & (index - 1)) == 0;

	if (is_full) {
		struct reply *items = arena_new(arena, struct reply, index * 2);

		memcpy(items, list->items, index * sizeof(*items));
		list->items = items;
	}
	return &list->items[index];
}

static void *
new_reply(const redisReadTask *task, struct reply reply)
{
	struct reply *place;

	if (task->parent == NULL)
		place =
		    arena_new((struct arena *)task->privdata, struct reply, 1);
	else
		place = make_item(
		    task->privdata, task->parent->obj, (size_t)task->idx);
	*place = reply;
	return place;
}

static void *
new_text(const redisReadTask *task, char *data, size_t size)
{
	struct text text =
	    text_copy(task->privdata, (struct text){ data, size });

	return new_reply(task,
	    (struct reply){ .kind = task->type == REDIS_REPLY_ERROR
		    ? REPLY_ERROR
		    : REPLY_TEXT,
		.text = text });
}

static void *
new_list(const redisReadTask *task, element_count count)
{
	struct reply reply = { .kind = REPLY_LIST, .count = (size_t)count };

	reply.items = arena_new(task->privdata, struct reply,
	    reply.count < FIRST_ITEMS ? reply.count : FIRST_ITEMS);
	return new_reply(task, reply);
}

static void *
new_number(const redisReadTask *task, long long number)
{
	return new_reply(
	    task, (struct reply){ .kind = REPLY_NUMBER, .number = number });
}

static void *
new_nil(const redisReadTask *task)
{
	return new_reply(task, (struct reply){ .kind = REPLY_NIL });
}

#if HIREDIS_MAJOR >= 1
/* Types of RESP3, which is never asked for: NULL makes them a fault. */

static void *
refuse_double(const redisReadTask *task, double number, char *data, size_t size)
{
	(void)task;
	(void)number;
	(void)data;
	(void)size;
	return NULL;
}

static void *
refuse_bool(const redisReadTask *task, int flag)
{
	(void)task;
	(void)flag;
	return NULL;
}
#endif

static void
free_nothing(void *reply)
{
	(void)reply;
}

/* Replies are built in the arena of the pipeline that they answer. */
static redisReplyObjectFunctions in_arena = {
	.createString = new_text,
	.createArray = new_list,
	.createInteger = new_number,
	.createNil = new_nil,
#if HIREDIS_MAJOR >= 1
	.createDouble = refuse_double,
	.createBool = refuse_bool,
#endif
	.freeObject = free_nothing,
};

#ifdef WITH_TLS

/* NULL when the connection is not encrypted. */
static const struct ssl_st *
session_of(const struct redisContext *context)
{
	return context->privdata;
}

/* The TLS handshake is part of the first reads and writes. */
static bool
encrypt(struct redisContext *context, struct ssl_ctx_st *tls)
{
	context->privdata = tls_session(tls);
	return redisInitiateSSL(context, context->privdata) == REDIS_OK;
}

/* A session that has to read first, as in its handshake, writes after that. */
static bool
write_after_read(struct redisContext *context)
{
	int done;

	return session_of(context) == NULL ||
	    redisBufferWrite(context, &done) == REDIS_OK;
}

static bool
awaits_bytes(const struct redisContext *context)
{
	return session_of(context) != NULL &&
	    tls_wants_read(session_of(context));
}

static struct text
fault_of(const struct redisContext *context)
{
	struct text fault = session_of(context) == NULL
	    ? TEXT("")
	    : tls_error(session_of(context));

	return fault.size > 0 ? fault : text_of(context->errstr);
}

#else

static bool
encrypt(struct redisContext *context, struct ssl_ctx_st *tls)
{
	(void)context;
	(void)tls;
	return false;
}

static bool
write_after_read(struct redisContext *context)
{
	(void)context;
	return true;
}

static bool
awaits_bytes(const struct redisContext *context)
{
	(void)context;
	return false;
}

static struct text
fault_of(const struct redisContext *context)
{
	return text_of(context->errstr);
}

#endif

struct text
connection_fault(const struct connection *connection)
{
	return fault_of(connection->context);
}

/* NULL, with *why in the arena, when connecting fails at once. */
static struct redisContext *
open_context(struct arena *arena, const struct address *address,
    struct ssl_ctx_st *tls, struct text *why)
{
	struct redisContext *context;

	context = address->path.size > 0
	    ? redisConnectUnixNonBlock(text_string(arena, address->path))
	    : redisConnectNonBlock(
		  text_string(arena, address->host), address->port);
	if (context == NULL)
		log_fatal("out of memory: no place for a connection");
	if (context->err != 0 || (tls != NULL && !encrypt(context, tls))) {
		*why = text_copy(arena, fault_of(context));
		redisFree(context);
		return NULL;
	}
	context->reader->fn = &in_arena;
	return context;
}

int
connection_descriptor(const struct connection *connection)
{
	return connection->context->fd;
}

bool
connection_is_ready(const struct connection *connection)
{
	struct pollfd ready = { .fd = connection->context->fd,
		.events = connection->has_output ? POLLIN | POLLOUT : POLLIN };

	return poll(&ready, 1, 0) > 0;
}

static void
append_bytes(struct connection *connection, struct text bytes)
{
	if (redisAppendFormattedCommand(
		connection->context, bytes.data, bytes.size) != REDIS_OK)
		log_fatal("out of memory: commands for Redis");
}

/* Writes as much of what was appended as the socket takes. False after a fault. */
static bool
write_bytes(struct connection *connection)
{
	int done = 0;

	if (redisBufferWrite(connection->context, &done) != REDIS_OK)
		return false;
	/* A TLS session that waits for bytes writes the rest when it has read them. */
	connection->has_output =
	    done == 0 && !awaits_bytes(connection->context);
	return true;
}

bool
connection_read(struct connection *connection)
{
	const struct redisReader *reader = connection->context->reader;
	size_t unparsed = reader->len;

	if (redisBufferRead(connection->context) != REDIS_OK)
		return false;
	counters_add(COUNTER_REDIS_RECEIVED, reader->len - unparsed);
	return write_after_read(connection->context);
}

enum parse_result { PARSE_DONE, PARSE_INCOMPLETE, PARSE_FAULT };

/* Parses the next reply of what was read into the arena. */
static enum parse_result
parse_reply(
    struct redisContext *context, struct arena *arena, struct reply *reply)
{
	void *parsed = NULL;

	context->reader->privdata = arena;
	if (redisGetReplyFromReader(context, &parsed) != REDIS_OK)
		return PARSE_FAULT;
	if (parsed == NULL)
		return PARSE_INCOMPLETE;
	*reply = *(struct reply *)parsed;
	return PARSE_DONE;
}

/* True when bytes were read that are not parsed yet. */
static bool
has_unparsed_bytes(const struct redisContext *context)
{
	return context->reader->pos < context->reader->len;
}

void
connection_init(
    struct connection *connection, struct node *node, int64_t replicas)
{
	*connection = (struct connection){ .node = node, .replicas = replicas };
	STAILQ_INIT(&connection->queued);
	STAILQ_INIT(&connection->sent);
	STAILQ_INIT(&connection->awaiting_replicas);
}

/* Appends a command of the connection's own. */
static void
append_words(
    struct connection *connection, const struct text *words, size_t count)
{
	struct buffer bytes = buffer_in(&connection->memory, 128);

	pipeline_encode(&bytes, words, count);
	append_bytes(connection, buffer_text(&bytes));
}

#define APPEND(connection, ...) \
	append_words((connection), PIPELINE_WORDS(__VA_ARGS__), \
	    sizeof(PIPELINE_WORDS(__VA_ARGS__)) / sizeof(struct text))

bool
connection_open(struct connection *connection, const struct address *address,
    const struct connection_login *login, struct text *why)
{
	arena_reset(&connection->memory);
	connection->context =
	    open_context(&connection->memory, address, login->tls, why);
	if (connection->context == NULL)
		return false;
	connection->has_output = true; /* until it is connected */
	connection->handshake = 1;
	if (login->password.size > 0) {
		APPEND(connection, TEXT("AUTH"), login->user, login->password);
		connection->handshake++;
	}
	APPEND(connection, TEXT("PING"));
	return true;
}

void
connection_close(struct connection *connection, struct command_queue *commands)
{
	redisFree(connection->context);
	connection->context = NULL;
	connection->handshake = 0;
	connection->wait_is_sent = connection->has_output = false;
	connection->deadline = connection->active_at = 0;
	STAILQ_CONCAT(commands, &connection->awaiting_replicas);
	STAILQ_CONCAT(commands, &connection->sent);
	STAILQ_CONCAT(commands, &connection->queued);
	arena_reset(&connection->memory);
}

void
connection_add(struct connection *connection, struct command *command)
{
	STAILQ_INSERT_TAIL(&connection->queued, command, next);
}

/* Commands that follow each other in memory are appended in one piece. */
static void
append_queued(struct connection *connection)
{
	struct shared_reads reads = { 0 };
	struct text run = { NULL, 0 };

	for (struct command *command = STAILQ_FIRST(&connection->queued);
	    command != NULL; command = STAILQ_NEXT(command, next)) {
		struct text bytes = command_bytes(command);

		command->is_shared = false;
		command->sharing = NULL;
		command->skipped = command->asks;
		if (command->may_share && !command->asks &&
		    shared_reads_add(&reads, command))
			continue;
		if (run.size > 0 &&
		    (run.data + run.size != bytes.data || command->asks)) {
			append_bytes(connection, run);
			run.size = 0;
		}
		if (command->asks)
			APPEND(connection, TEXT("ASKING"));
		if (run.size == 0)
			run = bytes;
		else
			run.size += bytes.size;
	}
	append_bytes(connection, run);
	STAILQ_CONCAT(&connection->sent, &connection->queued);
}

static bool
has_replicated(const struct command_queue *commands)
{
	for (const struct command *command = STAILQ_FIRST(commands);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->is_replicated)
			return true;
	return false;
}

/* Appends the queued commands, and WAIT if replicas have to have any of them. */
static void
append_batch(struct connection *connection, int64_t now, int64_t timeout)
{
	bool replicates =
	    connection->replicas > 0 && has_replicated(&connection->queued);

	append_queued(connection);
	if (!replicates)
		return;
	APPEND(connection, TEXT("WAIT"),
	    text_number(&connection->memory, connection->replicas),
	    text_number(&connection->memory, WAIT_MS));
	connection->wait_is_sent = true;
	connection->deadline = now + timeout + WAIT_MS;
}

bool
connection_flush(struct connection *connection, int64_t now, int64_t timeout)
{
	bool sends = connection->handshake == 0 && !connection->wait_is_sent &&
	    !STAILQ_EMPTY(&connection->queued);

	if (connection->handshake > 0 && connection->deadline == 0)
		connection->deadline = now + timeout / HANDSHAKE_PART;
	for (struct command *command = STAILQ_FIRST(&connection->queued);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->pipeline->deadline == 0)
			command->pipeline->deadline = now + timeout;
	if (sends)
		append_batch(connection, now, timeout);
	return (!sends && !connection->has_output) || write_bytes(connection);
}

/* Takes a reply to one of the connection's own commands. NOTHING: go on with the next. */
static enum connection_event
take_own_reply(
    struct connection *connection, const struct reply *reply, struct text *why)
{
	struct command *next = STAILQ_FIRST(&connection->sent);

	if (connection->handshake > 0) {
		*why = reply->text;
		if (reply->kind == REPLY_ERROR)
			return CONNECTION_FAULT;
		if (--connection->handshake > 0)
			return CONNECTION_NOTHING;
		connection->deadline = connection->retry_at = 0;
		return CONNECTION_OPEN;
	}
	if (next != NULL) {
		next->skipped--;
		return CONNECTION_NOTHING;
	}
	connection->wait_is_sent = false;
	connection->deadline = 0;
	connection->confirmed = reply_number(reply);
	return connection->confirmed >= connection->replicas
	    ? CONNECTION_CONFIRMED
	    : CONNECTION_UNCONFIRMED;
}

static bool
expects_reply(const struct connection *connection)
{
	return connection->handshake > 0 || connection->wait_is_sent ||
	    !STAILQ_EMPTY(&connection->sent);
}

/* Takes the reply to a command that a request sent, or shares with another. */
static enum parse_result
take_reply(struct connection *connection, struct command *command)
{
	enum parse_result result;

	if (command->is_shared)
		return PARSE_DONE;
	result = parse_reply(
	    connection->context, command->pipeline->arena, command->reply);
	if (result == PARSE_DONE)
		shared_reads_answer(command);
	return result;
}

enum connection_event
connection_next(
    struct connection *connection, struct command **command, struct text *why)
{
	enum connection_event event = CONNECTION_NOTHING;

	while (event == CONNECTION_NOTHING && expects_reply(connection)) {
		struct command *next = STAILQ_FIRST(&connection->sent);
		bool is_own = connection->handshake > 0 || next == NULL ||
		    next->skipped > 0;
		struct reply own;
		enum parse_result result = is_own
		    ? parse_reply(
			  connection->context, &connection->memory, &own)
		    : take_reply(connection, next);

		if (result == PARSE_FAULT) {
			*why = connection_fault(connection);
			return CONNECTION_FAULT;
		}
		if (result == PARSE_INCOMPLETE)
			return CONNECTION_NOTHING;
		if (!is_own) {
			STAILQ_REMOVE_HEAD(&connection->sent, next);
			*command = next;
			return CONNECTION_ANSWER;
		}
		event = take_own_reply(connection, &own, why);
		if (event != CONNECTION_FAULT)
			arena_reset(&connection->memory);
	}
	/* From here on every reply would be taken for the wrong one. */
	if (event == CONNECTION_NOTHING &&
	    has_unparsed_bytes(connection->context)) {
		*why = TEXT("a reply to no command");
		return CONNECTION_FAULT;
	}
	return event;
}

void
connection_await_replicas(
    struct connection *connection, struct command *command)
{
	STAILQ_INSERT_TAIL(&connection->awaiting_replicas, command, next);
}

int64_t
connection_deadline(const struct connection *connection, int64_t timeout)
{
	const struct command *first = STAILQ_FIRST(&connection->sent);
	int64_t deadline =
	    connection->deadline == 0 ? INT64_MAX : connection->deadline;
	int64_t active_until = connection->active_at +
	    (connection->handshake > 0 ? timeout / HANDSHAKE_PART : timeout);

	if (first != NULL && first->pipeline->deadline < deadline)
		deadline = first->pipeline->deadline;
	return deadline < active_until ? active_until : deadline;
}

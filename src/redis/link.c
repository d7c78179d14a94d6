#include "redis/link.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <string.h>

#ifdef WITH_TLS
#include <hiredis/hiredis_ssl.h>
#endif

#include "base/arena.h"
#include "base/log.h"

enum { FIRST_ITEMS = 1024 }; /* of a list; a power of two */

/* Replies are built in the arena of the pipeline that they answer. */

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
item_place(struct arena *arena, struct reply *list, size_t index)
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
		place = item_place(
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
/* Types of RESP3, which we never ask for: NULL makes them a fault. */

static void *
no_double(const redisReadTask *task, double number, char *data, size_t size)
{
	(void)task;
	(void)number;
	(void)data;
	(void)size;
	return NULL;
}

static void *
no_flag(const redisReadTask *task, int flag)
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

static redisReplyObjectFunctions in_arena = {
	.createString = new_text,
	.createArray = new_list,
	.createInteger = new_number,
	.createNil = new_nil,
#if HIREDIS_MAJOR >= 1
	.createDouble = no_double,
	.createBool = no_flag,
#endif
	.freeObject = free_nothing,
};

#ifdef WITH_TLS

/* NULL when the link is not encrypted. */
static const struct ssl_st *
session_of(const struct redisContext *link)
{
	return link->privdata;
}

/* The handshake is a part of the first reads and writes. */
static bool
encrypt(struct redisContext *link, struct ssl_ctx_st *tls)
{
	link->privdata = tls_session(tls);
	return redisInitiateSSL(link, link->privdata) == REDIS_OK;
}

/* A session that has to read first, as in its handshake, goes on writing after
 * that. */
static bool
write_when_read(struct redisContext *link)
{
	int done;

	return session_of(link) == NULL ||
	    redisBufferWrite(link, &done) == REDIS_OK;
}

static bool
awaits_bytes(const struct redisContext *link)
{
	return session_of(link) != NULL && tls_wants_read(session_of(link));
}

struct text
link_fault(const struct redisContext *link)
{
	struct text fault =
	    session_of(link) == NULL ? TEXT("") : tls_error(session_of(link));

	return fault.size > 0 ? fault : text_of(link->errstr);
}

#else

static bool
encrypt(struct redisContext *link, struct ssl_ctx_st *tls)
{
	(void)link;
	(void)tls;
	return false;
}

static bool
write_when_read(struct redisContext *link)
{
	(void)link;
	return true;
}

static bool
awaits_bytes(const struct redisContext *link)
{
	(void)link;
	return false;
}

struct text
link_fault(const struct redisContext *link)
{
	return text_of(link->errstr);
}

#endif

struct redisContext *
link_dial(struct arena *arena, const struct address *address,
    struct ssl_ctx_st *tls, struct text *why)
{
	struct redisContext *link;

	link = address->path.size > 0
	    ? redisConnectUnixNonBlock(text_string(arena, address->path))
	    : redisConnectNonBlock(
		  text_string(arena, address->host), address->port);
	if (link == NULL)
		log_fatal("out of memory: no place for a connection");
	if (link->err != 0 || (tls != NULL && !encrypt(link, tls))) {
		*why = text_copy(arena, link_fault(link));
		link_close(link);
		return NULL;
	}
	link->reader->fn = &in_arena;
	return link;
}

void
link_close(struct redisContext *link)
{
	redisFree(link);
}

int
link_descriptor(const struct redisContext *link)
{
	return link->fd;
}

bool
link_is_ready(const struct redisContext *link, bool for_writing)
{
	struct pollfd ready = { .fd = link->fd,
		.events = for_writing ? POLLIN | POLLOUT : POLLIN };

	return poll(&ready, 1, 0) > 0;
}

void
link_append(struct redisContext *link, struct text bytes)
{
	if (redisAppendFormattedCommand(link, bytes.data, bytes.size) !=
	    REDIS_OK)
		log_fatal("out of memory: commands for Redis");
}

bool
link_write(struct redisContext *link, bool *all)
{
	int done = 0;

	if (redisBufferWrite(link, &done) != REDIS_OK)
		return false;
	*all = done != 0 || awaits_bytes(link);
	return true;
}

bool
link_read(struct redisContext *link)
{
	return redisBufferRead(link) == REDIS_OK && write_when_read(link);
}

enum link_result
link_next(struct redisContext *link, struct arena *arena, struct reply *reply)
{
	void *found = NULL;

	link->reader->privdata = arena;
	if (redisGetReplyFromReader(link, &found) != REDIS_OK)
		return LINK_FAULT;
	if (found == NULL)
		return LINK_NONE;
	*reply = *(struct reply *)found;
	return LINK_REPLY;
}

bool
link_has_more(const struct redisContext *link)
{
	return link->reader->pos < link->reader->len;
}

#include "redis/link.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"

enum {
	ANSWER_S = 2,	     /* for a write */
	CONNECT_US = 200000, /* for a connection, and for its first replies */
	FIRST_ITEMS = 1024   /* of a list; a power of two */
};

struct link {
	redisContext *context;
};

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

static redisContext *
dial(struct arena *arena, const struct address *address, struct timeval timeout)
{
	return address->path.size > 0
	    ? redisConnectUnixWithTimeout(
		  text_string(arena, address->path), timeout)
	    : redisConnectWithTimeout(
		  text_string(arena, address->host), address->port, timeout);
}

/* One command of a connection that nobody else uses yet; its fault is kept in
 * the arena. */
static bool
say(struct arena *arena, redisContext *context, const struct text *words,
    size_t count, struct text *why)
{
	const char *data[3];
	size_t sizes[3];
	redisReply *reply;
	bool good;

	for (size_t i = 0; i < count; i++) {
		data[i] = words[i].data;
		sizes[i] = words[i].size;
	}
	reply = redisCommandArgv(context, (int)count, data, sizes);
	good = reply != NULL && reply->type != REDIS_REPLY_ERROR;
	if (!good)
		*why = text_copy(arena,
		    text_of(reply == NULL ? context->errstr : reply->str));
	freeReplyObject(reply);
	return good;
}

/*
 * The first commands of a connection. PING shows that Redis has read its data:
 * until then it takes a password, and refuses everything else.
 */
static bool
greet(struct arena *arena, redisContext *context,
    const struct link_login *login, struct text *why)
{
	const struct text words[] = { TEXT("AUTH"), login->user,
		login->password };
	const struct text ping = TEXT("PING");

	if (login->password.size > 0 && !say(arena, context, words, 3, why))
		return false;
	return say(arena, context, &ping, 1, why);
}

struct link *
link_open(struct arena *arena, const struct address *address,
    const struct link_login *login, struct text *why)
{
	const struct timeval brief = { 0, CONNECT_US },
			     answer = { ANSWER_S, 0 };
	struct link *link = calloc(1, sizeof(*link));

	if (link != NULL)
		link->context = dial(arena, address, brief);
	if (link == NULL || link->context == NULL)
		log_fatal("out of memory: no place for a connection");
	redisSetTimeout(link->context, brief);
	if (link->context->err != 0)
		*why = text_copy(arena, text_of(link->context->errstr));
	if (link->context->err != 0 ||
	    !greet(arena, link->context, login, why)) {
		link_close(link);
		return NULL;
	}
	redisSetTimeout(link->context, answer);
	link->context->reader->fn = &in_arena;
	return link;
}

void
link_close(struct link *link)
{
	if (link == NULL)
		return;
	redisFree(link->context);
	free(link);
}

int
link_descriptor(const struct link *link)
{
	return link->context->fd;
}

void
link_append(struct link *link, struct text bytes)
{
	if (redisAppendFormattedCommand(
		link->context, bytes.data, bytes.size) != REDIS_OK)
		log_fatal("out of memory: commands for Redis");
}

bool
link_write(struct link *link)
{
	int done = 0;

	while (!done)
		if (redisBufferWrite(link->context, &done) != REDIS_OK)
			return false;
	return true;
}

bool
link_read(struct link *link)
{
	return redisBufferRead(link->context) == REDIS_OK;
}

enum link_result
link_next(struct link *link, struct arena *arena, struct reply *reply)
{
	void *found = NULL;

	link->context->reader->privdata = arena;
	if (redisGetReplyFromReader(link->context, &found) != REDIS_OK)
		return LINK_FAULT;
	if (found == NULL)
		return LINK_NONE;
	*reply = *(struct reply *)found;
	return LINK_REPLY;
}

bool
link_has_more(const struct link *link)
{
	return link->context->reader->pos < link->context->reader->len;
}

struct text
link_fault(const struct link *link)
{
	return text_of(link->context->errstr);
}

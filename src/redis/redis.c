#include "redis/redis.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fiber.h"
#include "base/log.h"
#include "redis/address.h"

enum {
	ANSWER_MS = 2000,  /* longest wait for a reply */
	CONNECT_MS = 200,  /* for a connection and its first reply */
	RETRY_MS = 500,	   /* between tries while Redis is away */
	FIRST_ITEMS = 1024 /* of a list; a power of two */
};

struct redis {
	struct text address, user, password;
	struct address place;
	redisContext *context;
	struct pipeline *first, *last; /* not answered, oldest first */
	struct pipeline *unsent;       /* from here on they wait for a flush */
	int64_t retry_at;
	unsigned connections;
	bool down; /* said once in the log */
	bool hushed;
	struct arena memory;
};

/* Replies are built in the arena of the pipeline that they answer. */

#if HIREDIS_MAJOR >= 1
typedef size_t element_count;
#else
typedef int element_count;
#endif

/*
 * A list may say that it has any number of items: room for more than the first
 * is made as they come.
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

	if (task->parent == NULL) {
		struct arena *arena = task->privdata;

		place = arena_new(arena, struct reply, 1);
	} else {
		place = item_place(
		    task->privdata, task->parent->obj, (size_t)task->idx);
	}
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
/* Kinds of RESP3, which nobody asked for: NULL makes them a fault. */

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

struct redis *
redis_open(struct text address, struct text user, struct text password)
{
	struct redis *redis = calloc(1, sizeof(*redis));

	if (redis == NULL)
		log_fatal("out of memory: no place for a connection");
	redis->address = text_of(text_string(&redis->memory, address));
	if (!address_parse(redis->address, &redis->place)) {
		redis_close(redis);
		return NULL;
	}
	redis->user =
	    user.size > 0 ? text_copy(&redis->memory, user) : TEXT("default");
	redis->password = text_copy(&redis->memory, password);
	return redis;
}

bool
redis_resolve(struct redis *redis)
{
	return address_resolve(&redis->memory, &redis->place);
}

void
redis_close(struct redis *redis)
{
	if (redis->context != NULL)
		redisFree(redis->context);
	text_forget(redis->password);
	arena_free(&redis->memory);
	free(redis);
}

void
redis_hush(struct redis *redis)
{
	redis->hushed = true;
}

/*
 * Drops the connection and wakes everything that waited on it. A fiber that
 * goes on may take with it what it had sent besides, so only what fibers wait
 * for is walked along while they run.
 */
static void
fail(struct redis *redis, const char *why)
{
	struct pipeline *pipeline = redis->first, *next, *awaited = NULL;

	if (!redis->down && !redis->hushed)
		log_line("Redis at %s: %s", redis->address.data, why);
	redis->down = true;
	redis->retry_at = clock_monotonic_ms() + RETRY_MS;
	if (redis->context != NULL)
		redisFree(redis->context);
	redis->context = NULL;
	redis->first = redis->last = redis->unsent = NULL;
	for (; pipeline != NULL; pipeline = next) {
		next = pipeline->next;
		pipeline->state = PIPELINE_FAILED;
		if (pipeline->fiber == NULL)
			continue;
		pipeline->next = awaited;
		awaited = pipeline;
	}
	for (; awaited != NULL; awaited = next) {
		next = awaited->next;
		fiber_resume(awaited->fiber);
	}
}

static redisContext *
dial(const struct redis *redis, struct timeval timeout)
{
	struct arena memory = { 0 };
	const struct address *place = &redis->place;
	redisContext *context = place->path.size > 0
	    ? redisConnectUnixWithTimeout(
		  text_string(&memory, place->path), timeout)
	    : redisConnectWithTimeout(
		  text_string(&memory, place->host), place->port, timeout);

	arena_free(&memory);
	return context;
}

/* One command of a connection that nobody else uses yet. */
static bool
say(struct redis *redis, const char **words, const size_t *sizes, int count)
{
	redisReply *reply =
	    redisCommandArgv(redis->context, count, words, sizes);
	bool good = reply != NULL && reply->type != REDIS_REPLY_ERROR;

	if (!good)
		fail(
		    redis, reply == NULL ? redis->context->errstr : reply->str);
	freeReplyObject(reply);
	return good;
}

/*
 * The first commands of a connection. PING shows that Redis has read its data:
 * until then it takes a password, and refuses everything else.
 */
static bool
greet(struct redis *redis)
{
	const char *login[] = { "AUTH", redis->user.data,
		redis->password.data };
	const size_t sizes[] = { 4, redis->user.size, redis->password.size };
	const char *ping = "PING";
	const size_t size = 4;

	if (redis->password.size > 0 && !say(redis, login, sizes, 3))
		return false;
	return say(redis, &ping, &size, 1);
}

static bool
connect_now(struct redis *redis)
{
	struct timeval brief = { 0, CONNECT_MS * 1000L };
	struct timeval answer = { ANSWER_MS / 1000, 0 };

	if (redis->context != NULL)
		return true;
	if (clock_monotonic_ms() < redis->retry_at)
		return false;
	redis->context = dial(redis, brief);
	if (redis->context == NULL || redis->context->err != 0) {
		fail(redis,
		    redis->context == NULL ? "out of memory"
					   : redis->context->errstr);
		return false;
	}
	redisSetTimeout(redis->context, brief);
	if (!greet(redis))
		return false;
	redisSetTimeout(redis->context, answer);
	redis->context->reader->fn = &in_arena;
	redis->connections++;
	if (redis->down && !redis->hushed)
		log_line("Redis at %s answers again", redis->address.data);
	redis->down = false;
	return true;
}

static void
enqueue(struct redis *redis, struct pipeline *pipeline)
{
	if (redis->last == NULL)
		redis->first = pipeline;
	else
		redis->last->next = pipeline;
	redis->last = pipeline;
	if (redis->unsent == NULL)
		redis->unsent = pipeline;
}

void
redis_send(struct pipeline *pipeline)
{
	struct redis *redis = pipeline->redis;
	struct text bytes;

	pipeline->state = PIPELINE_DONE;
	if (pipeline->count == 0)
		return;
	pipeline->state = PIPELINE_FAILED;
	if (!connect_now(redis))
		return;
	pipeline->state = PIPELINE_SENT;
	pipeline->replies =
	    arena_new(pipeline->arena, struct reply, pipeline->count);
	bytes = pipeline_encode(pipeline);
	if (redisAppendFormattedCommand(
		redis->context, bytes.data, bytes.size) != REDIS_OK)
		log_fatal("out of memory: commands for Redis");
	enqueue(redis, pipeline);
}

/* Without a fiber nobody else reads the replies. */
static void
wait_alone(struct pipeline *pipeline)
{
	struct redis *redis = pipeline->redis;

	redis_flush(redis);
	while (pipeline->state == PIPELINE_SENT) {
		struct pollfd poll_for = { .fd = redis_descriptor(redis),
			.events = POLLIN };

		if (poll(&poll_for, 1, redis_patience(redis)) > 0)
			redis_ready(redis);
		else
			redis_expire(redis);
	}
}

bool
redis_wait(struct pipeline *pipeline)
{
	pipeline->fiber = fiber_current();
	if (pipeline->state == PIPELINE_SENT && pipeline->fiber != NULL)
		fiber_yield();
	else if (pipeline->state == PIPELINE_SENT)
		wait_alone(pipeline);
	return pipeline->state == PIPELINE_DONE && pipeline_accepted(pipeline);
}

bool
redis_run(struct pipeline *pipeline)
{
	redis_send(pipeline);
	return redis_wait(pipeline);
}

int
redis_descriptor(const struct redis *redis)
{
	return redis->context == NULL ? -1 : redis->context->fd;
}

unsigned
redis_connections(const struct redis *redis)
{
	return redis->connections;
}

void
redis_flush(struct redis *redis)
{
	int64_t deadline = clock_monotonic_ms() + ANSWER_MS;
	int done = 0;

	while (redis->context != NULL && !done)
		if (redisBufferWrite(redis->context, &done) != REDIS_OK)
			fail(redis, redis->context->errstr);
	for (; redis->unsent != NULL; redis->unsent = redis->unsent->next)
		redis->unsent->deadline = deadline;
}

/* Moves the head of the queue on by one reply; false when none is complete. */
static bool
take_reply(struct redis *redis)
{
	struct pipeline *head = redis->first;
	redisReader *reader;
	void *reply = NULL;

	if (redis->context == NULL)
		return false;
	reader = redis->context->reader;
	if (head == redis->unsent) {
		/* From here on every answer would be to another question. */
		if (reader->pos < reader->len)
			fail(redis, "an answer that nobody asked for");
		return false;
	}
	reader->privdata = head->arena;
	if (redisGetReplyFromReader(redis->context, &reply) != REDIS_OK) {
		fail(redis, redis->context->errstr);
		return false;
	}
	if (reply == NULL)
		return false;
	head->replies[head->answered++] = *(struct reply *)reply;
	if (head->answered < head->count)
		return true;
	redis->first = head->next;
	if (redis->first == NULL)
		redis->last = NULL;
	head->state = PIPELINE_DONE;
	if (head->fiber != NULL)
		fiber_resume(head->fiber);
	return true;
}

void
redis_ready(struct redis *redis)
{
	if (redis->context == NULL)
		return;
	if (redisBufferRead(redis->context) != REDIS_OK) {
		fail(redis, redis->context->errstr);
		return;
	}
	while (take_reply(redis))
		;
}

int
redis_patience(const struct redis *redis)
{
	int64_t left;

	if (redis->first == redis->unsent)
		return -1;
	left = redis->first->deadline - clock_monotonic_ms();
	return left < 0 ? 0 : (int)left;
}

/* Whoever was busy may find what came in time only now. */
static bool
has_unread(const struct redis *redis)
{
	struct pollfd poll_for = { .fd = redis_descriptor(redis),
		.events = POLLIN };

	return poll(&poll_for, 1, 0) > 0;
}

void
redis_expire(struct redis *redis)
{
	if (redis_patience(redis) == 0 && !has_unread(redis))
		fail(redis, "no answer in time");
}

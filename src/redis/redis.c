#include "redis/redis.h"

#include <poll.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fiber.h"
#include "base/log.h"
#include "redis/link.h"

enum {
	ANSWER_MS = 2000, /* longest wait for a reply */
	RETRY_MS = 500	  /* between tries while Redis is away */
};

struct redis {
	struct text name; /* as it was given, for the log */
	struct address address;
	struct link_login login;
	struct redisContext *link;     /* NULL while there is none */
	struct pipeline *first, *last; /* not answered, oldest first */
	struct pipeline *unsent;       /* the first that waits for a flush */
	int64_t retry_at;
	uint64_t epoch;
	bool down; /* logged once */
	bool quiet;
	struct arena memory;
};

struct redis *
redis_open(struct text address, struct text user, struct text password)
{
	struct redis *redis = calloc(1, sizeof(*redis));

	if (redis == NULL)
		log_fatal("out of memory: no place for a connection");
	redis->name = text_copy(&redis->memory, address);
	if (!address_parse(redis->name, &redis->address)) {
		redis_close(redis);
		return NULL;
	}
	redis->login.user =
	    user.size > 0 ? text_copy(&redis->memory, user) : TEXT("default");
	redis->login.password = text_copy(&redis->memory, password);
	return redis;
}

bool
redis_resolve(struct redis *redis)
{
	return address_resolve(&redis->memory, &redis->address);
}

void
redis_close(struct redis *redis)
{
	link_close(redis->link);
	text_forget(redis->login.password);
	arena_free(&redis->memory);
	free(redis);
}

void
redis_be_quiet(struct redis *redis)
{
	redis->quiet = true;
}

/*
 * Drops the connection and wakes everything that waited on it. A fiber that
 * goes on may take with it what else it had sent, so only those pipelines that
 * fibers wait for are followed while they run.
 */
static void
fail(struct redis *redis, struct text why)
{
	struct pipeline *pipeline = redis->first, *next, *awaited = NULL;

	if (!redis->down && !redis->quiet)
		log_line("Redis at %.*s: %.*s", TEXT_ARGS(redis->name),
		    TEXT_ARGS(why));
	redis->down = true;
	redis->retry_at = clock_monotonic_ms() + RETRY_MS;
	link_close(redis->link);
	redis->link = NULL;
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

static bool
connect_now(struct redis *redis)
{
	struct arena memory = { 0 };
	struct text why = { NULL, 0 };

	if (redis->link != NULL)
		return true;
	if (clock_monotonic_ms() < redis->retry_at)
		return false;
	redis->link = link_open(&memory, &redis->address, &redis->login, &why);
	if (redis->link == NULL)
		fail(redis, why);
	arena_free(&memory);
	if (redis->link == NULL)
		return false;
	redis->epoch++;
	if (redis->down && !redis->quiet)
		log_line("Redis at %.*s answers again", TEXT_ARGS(redis->name));
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

	pipeline->state = PIPELINE_DONE;
	if (pipeline->count == 0)
		return;
	pipeline->state = PIPELINE_FAILED;
	if (!connect_now(redis))
		return;
	pipeline->state = PIPELINE_SENT;
	pipeline->epoch = redis->epoch;
	pipeline->replies =
	    arena_new(pipeline->arena, struct reply, pipeline->count);
	link_append(redis->link, buffer_text(&pipeline->bytes));
	enqueue(redis, pipeline);
}

/* Waits for an answer; false when none has come. */
static bool
has_unread(const struct redis *redis, int milliseconds)
{
	struct pollfd poll_for = { .fd = redis_descriptor(redis),
		.events = POLLIN };

	return poll(&poll_for, 1, milliseconds) > 0;
}

/* Without a fiber nobody else reads the replies. */
static void
wait_alone(struct pipeline *pipeline)
{
	struct redis *redis = pipeline->redis;

	redis_flush(redis);
	while (pipeline->state == PIPELINE_SENT)
		if (has_unread(redis, redis_timeout(redis)))
			redis_ready(redis);
		else
			redis_expire(redis);
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
	return redis->link == NULL ? -1 : link_descriptor(redis->link);
}

uint64_t
redis_epoch(const struct redis *redis)
{
	return redis->epoch;
}

void
redis_flush(struct redis *redis)
{
	int64_t deadline = clock_monotonic_ms() + ANSWER_MS;

	if (redis->link != NULL && redis->unsent != NULL &&
	    !link_write(redis->link))
		fail(redis, link_fault(redis->link));
	for (; redis->unsent != NULL; redis->unsent = redis->unsent->next)
		redis->unsent->deadline = deadline;
}

/* The head of the queue has all its replies. */
static void
complete(struct redis *redis)
{
	struct pipeline *head = redis->first;

	redis->first = head->next;
	if (redis->first == NULL)
		redis->last = NULL;
	head->state = PIPELINE_DONE;
	if (head->fiber != NULL)
		fiber_resume(head->fiber);
}

/* Moves the head of the queue on by one reply; false when none is complete. */
static bool
take_reply(struct redis *redis)
{
	struct pipeline *head = redis->first;
	enum link_result result;

	if (redis->link == NULL)
		return false;
	if (head == redis->unsent) {
		/* From here on every reply would be taken for the wrong one. */
		if (link_has_more(redis->link))
			fail(redis, TEXT("an answer that nobody asked for"));
		return false;
	}
	result =
	    link_next(redis->link, head->arena, &head->replies[head->answered]);
	if (result == LINK_FAULT)
		fail(redis, link_fault(redis->link));
	if (result != LINK_REPLY)
		return false;
	if (++head->answered == head->count)
		complete(redis);
	return true;
}

void
redis_ready(struct redis *redis)
{
	if (redis->link != NULL && !link_read(redis->link))
		fail(redis, link_fault(redis->link));
	while (take_reply(redis))
		;
}

int
redis_timeout(const struct redis *redis)
{
	int64_t left;

	if (redis->first == redis->unsent)
		return -1;
	left = redis->first->deadline - clock_monotonic_ms();
	return left < 0 ? 0 : (int)left;
}

void
redis_expire(struct redis *redis)
{
	/* A busy worker may not have read yet what came in time. */
	if (redis_timeout(redis) == 0 && !has_unread(redis, 0))
		fail(redis, TEXT("no answer in time"));
}

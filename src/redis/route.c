#include "redis/route.h"

#include <sys/epoll.h>

#include "base/log.h"
#include "redis/hint.h"
#include "redis/redirect.h"

enum {
	LATER_MS = 20, /* until what a node cannot answer now is sent again */
	/* To other nodes. Being told to wait is no try: that ends with the time. */
	TRIES_MAX = 100,
	LOST_TRIES = 30 /* that a lost connection counts for */
};

/* Whether it may still be sent again. */
static bool
has_time(struct redis *redis, const struct command *command)
{
	int64_t deadline = command->pipeline->deadline;

	return command->tries < TRIES_MAX &&
	    (deadline == 0 || deadline > client_now(redis));
}

static void
send_later(struct redis *redis, struct command *command)
{
	command->due = client_now(redis) + LATER_MS;
	STAILQ_INSERT_TAIL(&redis->later, command, next);
}

static struct lane *
lane_for(struct node *node, const struct command *command)
{
	/* While a failover holds up writes, a hint must not hold up reads. */
	bool writes = command->is_replicated || command->pipeline->is_hint;

	return writes && node->writes.replicas > 0 ? &node->writes
						   : &node->reads;
}

static void
give_to(struct redis *redis, struct node *node, struct command *command)
{
	struct lane *lane = lane_for(node, command);

	if (route_open(redis, lane, command->pipeline))
		lane_add(lane, command);
	else
		client_settle(redis, command, false);
}

static struct node *
node_for(const struct redis *redis, const struct command *command)
{
	size_t master = command->pipeline->master;

	return master == PIPELINE_BY_KEY
	    ? nodes_owner(redis->nodes, command->slot)
	    : nodes_master(redis->nodes, master);
}

void
route_send(struct redis *redis, struct command *command)
{
	struct node *node = node_for(redis, command);

	command->asks = false;
	if (node != NULL) {
		give_to(redis, node, command);
		return;
	}
	client_want_map(redis);
	/* What a map leaves out is not waited for. */
	if (redis->map == 0 && redis->lost_until <= client_now(redis))
		STAILQ_INSERT_TAIL(&redis->unknown, command, next);
	else
		client_settle(redis, command, false);
}

/* Sends what was taken out of a queue again, or fails what has no time left. */
static void
send_again(struct redis *redis, struct command_queue *commands)
{
	struct command *command;

	while ((command = STAILQ_FIRST(commands)) != NULL) {
		STAILQ_REMOVE_HEAD(commands, next);
		if (has_time(redis, command) && !command->pipeline->is_pinned)
			route_send(redis, command);
		else
			client_settle(redis, command, false);
	}
}

void
route_known(struct redis *redis)
{
	struct command_queue waiting = STAILQ_HEAD_INITIALIZER(waiting);

	STAILQ_CONCAT(&waiting, &redis->unknown);
	/* They were not sent yet: the time for an answer begins now. */
	for (struct command *command = STAILQ_FIRST(&waiting); command != NULL;
	    command = STAILQ_NEXT(command, next))
		command->pipeline->deadline = 0;
	send_again(redis, &waiting);
}

void
route_lost(struct redis *redis)
{
	struct command *command;

	while ((command = STAILQ_FIRST(&redis->unknown)) != NULL) {
		STAILQ_REMOVE_HEAD(&redis->unknown, next);
		client_settle(redis, command, false);
	}
}

void
route_due(struct redis *redis)
{
	struct command_queue due = STAILQ_HEAD_INITIALIZER(due);
	struct command *command;

	while ((command = STAILQ_FIRST(&redis->later)) != NULL &&
	    command->due <= client_now(redis)) {
		STAILQ_REMOVE_HEAD(&redis->later, next);
		STAILQ_INSERT_TAIL(&due, command, next);
	}
	send_again(redis, &due);
}

static void
watch(const struct redis *redis, struct lane *lane, int operation)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = lane };

	if (lane->is_full)
		event.events |= EPOLLOUT;
	if (epoll_ctl(redis->epoll, operation, link_descriptor(lane->link),
		&event) != 0)
		log_fatal("cannot poll a connection to Redis");
}

/*
 * Ends a lane. What it had under way is sent again, once its node is dialled
 * again, if it was lost in use; if it kept silent or cannot be dialled, its
 * commands fail, and all that come until it is tried again.
 */
static void
fail(struct redis *redis, struct lane *lane, bool may_redial, struct text why)
{
	struct command_queue commands = STAILQ_HEAD_INITIALIZER(commands);
	struct node *node = lane->node;

	if (!node->down && !may_redial)
		client_log(redis, node, why);
	node->down = node->down || !may_redial;
	if (!may_redial)
		lane->retry_at = client_now(redis) + RETRY_MS;
	lane->probe = NULL;
	lane_close(lane, &commands);
	client_want_map(redis);
	for (struct command *command = STAILQ_FIRST(&commands); command != NULL;
	    command = STAILQ_NEXT(command, next))
		command->tries += LOST_TRIES;
	send_again(redis, &commands);
}

/* A sentinel knows none of the users of its Redis. */
static const struct lane_login *
login_for(const struct redis *redis, const struct node *node)
{
	return redis->seeds.kind == ENDPOINT_SENTINELS && node->is_seed
	    ? &redis->nobody
	    : &redis->login;
}

bool
route_open(struct redis *redis, struct lane *lane, const struct pipeline *asks)
{
	struct text why;

	/* Until it is known that the node is back, one pipeline alone waits for
	 * it. */
	if (lane->link != NULL)
		return lane->probe == NULL || lane->probe == asks;
	if (client_now(redis) < lane->retry_at)
		return false;
	if (!lane_dial(lane, &lane->node->address, login_for(redis, lane->node),
		&why)) {
		fail(redis, lane, false, why);
		return false;
	}
	if (lane->retry_at != 0)
		lane->probe = asks;
	watch(redis, lane, EPOLL_CTL_ADD);
	return true;
}

void
route_flush(struct redis *redis, struct lane *lane)
{
	bool was_full = lane->is_full;

	if (lane->link == NULL || (!was_full && STAILQ_EMPTY(&lane->gathered)))
		return;
	if (!lane_flush(lane, client_now(redis), redis->timeout))
		fail(redis, lane, lane->greeting == 0, link_fault(lane->link));
	else if (lane->is_full != was_full)
		watch(redis, lane, EPOLL_CTL_MOD);
}

static void
follow(struct redis *redis, struct lane *lane, struct command *command,
    struct redirect *redirect)
{
	struct node *node;

	if (redirect->to.host.size == 0)
		redirect->to.host = lane->node->address.host;
	node = nodes_at(redis->nodes, &redirect->to);
	if (node == NULL) {
		client_settle(redis, command, false);
		return;
	}
	if (redirect->kind == REDIRECT_MOVED) {
		redis->epoch++;
		redis->map++;
		nodes_give(redis->nodes, redirect->slot, redirect->slot, node);
	}
	command->asks = redirect->kind == REDIRECT_ASK;
	give_to(redis, node, command);
}

/* Whether an error sends a command round once more. One Redis alone has nobody
 * else to be asked, and its errors are final. */
static bool
goes_on(struct redis *redis, struct lane *lane, struct command *command)
{
	struct redirect redirect;

	if (command->reply->kind != REPLY_ERROR ||
	    redis->seeds.kind == ENDPOINT_STANDALONE ||
	    command->pipeline->is_pinned || !has_time(redis, command))
		return false;
	redirect = cluster_read_redirect(command->reply->text);
	if (redirect.is_news)
		client_want_map(redis);
	if (redirect.kind == REDIRECT_NONE ||
	    (redirect.kind == REDIRECT_LATER && redis->fails_at_once))
		return false;
	if (redirect.kind == REDIRECT_LATER || ++command->tries % 8 == 0)
		send_later(redis, command);
	else
		follow(redis, lane, command, &redirect);
	return true;
}

static void
take_answer(struct redis *redis, struct lane *lane, struct command *command)
{
	bool is_error = command->reply->kind == REPLY_ERROR;

	if (goes_on(redis, lane, command))
		return;
	if (command->pipeline->is_hint)
		hint_answered(redis, lane, command->reply);
	if (command->is_replicated && lane->replicas > 0 && !is_error)
		lane_hold(lane, command);
	else
		client_settle(redis, command, true);
}

/* What was not confirmed is at one node alone, and may be lost with it. */
static void
release(struct redis *redis, struct lane *lane, bool confirmed)
{
	struct command *command;

	if (!confirmed)
		client_log(redis, lane->node,
		    text_format(&lane->memory,
			"what was written is at %lld replicas in time, and "
			"%lld have to have it",
			(long long)lane->confirmed, (long long)lane->replicas));
	while ((command = STAILQ_FIRST(&lane->held)) != NULL) {
		STAILQ_REMOVE_HEAD(&lane->held, next);
		client_settle(redis, command, confirmed);
	}
}

static void
greeted(struct redis *redis, struct lane *lane)
{
	if (lane->node->down)
		client_log(redis, lane->node, TEXT("answers again"));
	lane->node->down = false;
	lane->probe = NULL;
	redis->epoch++;
}

/* Takes what can be read. */
static void
take_all(struct redis *redis, struct lane *lane)
{
	struct command *command = NULL;
	enum lane_result result = LANE_ANSWER;
	struct text why;

	if (!link_read(lane->link)) {
		fail(redis, lane, lane->greeting == 0, link_fault(lane->link));
		return;
	}
	while (result != LANE_NOTHING) {
		result = lane_take(lane, &command, &why);
		switch (result) {
		case LANE_ANSWER:
			take_answer(redis, lane, command);
			break;
		case LANE_GREETED:
			greeted(redis, lane);
			break;
		case LANE_CONFIRMED:
		case LANE_UNCONFIRMED:
			release(redis, lane, result == LANE_CONFIRMED);
			break;
		case LANE_FAULT:
			fail(redis, lane, false, why);
			return;
		case LANE_NOTHING:
			break;
		}
	}
}

void
route_go_on(struct redis *redis, struct lane *lane, int ready)
{
	lane->active_at = client_now(redis);
	if ((ready & ROUTE_WRITABLE) != 0)
		route_flush(redis, lane);
	if (lane->link != NULL && (ready & ROUTE_READABLE) != 0)
		take_all(redis, lane);
}

void
route_catch_up(struct redis *redis, struct lane *lane)
{
	if (lane->link != NULL && link_is_ready(lane->link, lane->is_full))
		route_go_on(redis, lane, ROUTE_READABLE | ROUTE_WRITABLE);
}

static bool
is_silent(struct redis *redis, const struct lane *lane)
{
	return lane->link != NULL &&
	    lane_deadline(lane, redis->timeout) <= client_now(redis);
}

static void
expire(struct redis *redis, struct lane *lane)
{
	if (is_silent(redis, lane))
		route_catch_up(redis, lane);
	if (is_silent(redis, lane))
		fail(redis, lane, false, TEXT("no answer in time"));
}

/* What waits for the map waits no longer than for an answer. */
static void
expire_unknown(struct redis *redis)
{
	struct command *command = STAILQ_FIRST(&redis->unknown);

	if (command != NULL && command->pipeline->deadline != 0 &&
	    command->pipeline->deadline <= client_now(redis))
		route_lost(redis);
}

void
route_expire(struct redis *redis)
{
	expire_unknown(redis);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		expire(redis, &redis->nodes->all[i]->reads);
		expire(redis, &redis->nodes->all[i]->writes);
	}
}

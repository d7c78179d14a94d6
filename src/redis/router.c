#include "redis/router.h"

#include <sys/epoll.h>

#include "base/clock.h"
#include "base/log.h"
#include "redis/cluster.h"

/*
 * The states of a command, from router_send to complete_command:
 *
 *	router_send --- map unknown ---> unrouted --- map known ---+
 *	     |                                                     |
 *	     +<----------------------------------------------------+
 *	     | its node
 *	     v
 *	  queued --- handshake done ---> sent --- reply ---> complete
 *	     ^                            |                      ^
 *	     |    MOVED, ASK: other node  |  replicated          | confirmed by WAIT
 *	     +----------------------------+---> awaiting replicas
 *	     |    TRYAGAIN, LOADING, ...  |
 *	     +------- retries: 20 ms <----+
 *
 * A command is sent again until its pipeline's deadline, which begins when the first
 * command is written: 1.8 s by default. A connection that is lost in use sends its commands
 * again, to whichever node has the slot by then; the fourth loss fails them. A connection
 * that stays silent or cannot be opened fails its commands, and at once those that come
 * within RETRY_MS. Then it is opened for a single pipeline, the health check, and for all
 * others once the handshake is done.
 *
 * A pinned pipeline (a discovery, a hint) is never sent again, and errors of one
 * standalone Redis are final.
 */

enum {
	MAP_PAUSE_MS = 100,   /* between two discoveries */
	HINT_PAUSE_MS = 5000, /* without hints for a node that refused one */
	LATER_MS = 20,	      /* before a retry */
	TRIES_MAX = 100,      /* at other nodes; delays do not count */
	LOST_TRIES = 30	      /* that a lost connection counts for */
};

int64_t
router_now(struct redis *redis)
{
	if (redis->clock == 0)
		redis->clock = clock_monotonic_ms();
	return redis->clock;
}

void
router_log(const struct redis *redis, const struct node *node, struct text what)
{
	if (!redis->quiet)
		log_line("%.*s at %.*s: %.*s", TEXT_ARGS(redis->noun),
		    TEXT_ARGS(node->name), TEXT_ARGS(what));
}

/* Schedules a discovery, since the map may have changed. */
static void
request_map(struct redis *redis)
{
	int64_t earliest = redis->discovered_at + MAP_PAUSE_MS;

	if (earliest < redis->lost_until)
		earliest = redis->lost_until;
	if (redis->endpoint.kind != ENDPOINT_STANDALONE &&
	    redis->topology_at > earliest)
		redis->topology_at = earliest;
}

/* Counts a command of its pipeline as answered, or as lost. */
static void
complete_command(struct redis *redis, struct command *command, bool answered)
{
	struct pipeline *pipeline = command->pipeline;

	if (!answered) {
		pipeline->lost = true;
		*command->reply = (struct reply){ .kind = REPLY_LOST };
	}
	if (--pipeline->pending > 0)
		return;
	pipeline->state = pipeline->lost ? PIPELINE_FAILED : PIPELINE_DONE;
	if (pipeline->fiber != NULL)
		STAILQ_INSERT_TAIL(&redis->resumed, pipeline, resumed);
}

/* True while the command has time and tries left. */
static bool
may_retry(struct redis *redis, const struct command *command)
{
	int64_t deadline = command->pipeline->deadline;

	return command->tries < TRIES_MAX &&
	    (deadline == 0 || deadline > router_now(redis));
}

static void
send_later(struct redis *redis, struct command *command)
{
	command->due = router_now(redis) + LATER_MS;
	STAILQ_INSERT_TAIL(&redis->retries, command, next);
}

static struct connection *
connection_for(struct node *node, const struct command *command)
{
	/* While a failover holds up writes, a hint must not hold up reads. */
	bool writes = command->is_replicated || command->pipeline->is_hint;

	return writes && node->writes.replicas > 0 ? &node->writes
						   : &node->reads;
}

static void
queue_at(struct redis *redis, struct node *node, struct command *command)
{
	struct connection *connection = connection_for(node, command);

	if (router_connect(redis, connection, command->pipeline))
		connection_add(connection, command);
	else
		complete_command(redis, command, false);
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
router_send(struct redis *redis, struct command *command)
{
	struct node *node = node_for(redis, command);

	command->asks = false;
	if (node != NULL) {
		queue_at(redis, node, command);
		return;
	}
	request_map(redis);
	/* A slot that the map leaves out is not waited for. */
	if (redis->map_version == 0 && redis->lost_until <= router_now(redis))
		STAILQ_INSERT_TAIL(&redis->unrouted, command, next);
	else
		complete_command(redis, command, false);
}

/* Empties a queue: sends its commands again, or fails those with no time left. */
static void
resend_all(struct redis *redis, struct command_queue *commands)
{
	struct command *command;

	while ((command = STAILQ_FIRST(commands)) != NULL) {
		STAILQ_REMOVE_HEAD(commands, next);
		if (may_retry(redis, command) && !command->pipeline->is_pinned)
			router_send(redis, command);
		else
			complete_command(redis, command, false);
	}
}

void
router_send_unrouted(struct redis *redis)
{
	struct command_queue waiting = STAILQ_HEAD_INITIALIZER(waiting);

	STAILQ_CONCAT(&waiting, &redis->unrouted);
	/* None was sent yet: the time for an answer begins now. */
	for (struct command *command = STAILQ_FIRST(&waiting); command != NULL;
	    command = STAILQ_NEXT(command, next))
		command->pipeline->deadline = 0;
	resend_all(redis, &waiting);
}

void
router_fail_unrouted(struct redis *redis)
{
	struct command *command;

	while ((command = STAILQ_FIRST(&redis->unrouted)) != NULL) {
		STAILQ_REMOVE_HEAD(&redis->unrouted, next);
		complete_command(redis, command, false);
	}
}

void
router_send_due(struct redis *redis)
{
	struct command_queue due = STAILQ_HEAD_INITIALIZER(due);
	struct command *command;

	while ((command = STAILQ_FIRST(&redis->retries)) != NULL &&
	    command->due <= router_now(redis)) {
		STAILQ_REMOVE_HEAD(&redis->retries, next);
		STAILQ_INSERT_TAIL(&due, command, next);
	}
	resend_all(redis, &due);
}

static void
poll_connection(
    const struct redis *redis, struct connection *connection, int operation)
{
	struct epoll_event event = { .events = EPOLLIN,
		.data.ptr = connection };

	if (connection->has_output)
		event.events |= EPOLLOUT;
	if (epoll_ctl(redis->epoll, operation,
		connection_descriptor(connection), &event) != 0)
		log_fatal("cannot poll a connection to Redis");
}

/*
 * Closes a connection after a fault. Lost in use, its commands are sent again, which
 * opens it again; silent or unreachable, its commands fail, and so do all that come until
 * RETRY_MS have passed.
 */
static void
fail_connection(struct redis *redis, struct connection *connection,
    bool may_reopen, struct text why)
{
	struct command_queue commands = STAILQ_HEAD_INITIALIZER(commands);
	struct node *node = connection->node;

	if (!node->down && !may_reopen)
		router_log(redis, node, why);
	node->down = node->down || !may_reopen;
	if (!may_reopen)
		connection->retry_at = router_now(redis) + RETRY_MS;
	connection->health_check = NULL;
	connection_close(connection, &commands);
	request_map(redis);
	for (struct command *command = STAILQ_FIRST(&commands); command != NULL;
	    command = STAILQ_NEXT(command, next))
		command->tries += LOST_TRIES;
	resend_all(redis, &commands);
}

/* Sentinels do not know the users of their Redis. */
static const struct connection_login *
login_for(const struct redis *redis, const struct node *node)
{
	return redis->endpoint.kind == ENDPOINT_SENTINELS && node->is_seed
	    ? &redis->anonymous
	    : &redis->login;
}

bool
router_connect(struct redis *redis, struct connection *connection,
    const struct pipeline *pipeline)
{
	struct text why;

	/* Until the node is known to be back, one pipeline alone is let through. */
	if (connection->context != NULL)
		return connection->health_check == NULL ||
		    connection->health_check == pipeline;
	if (router_now(redis) < connection->retry_at)
		return false;
	if (!connection_open(connection, &connection->node->address,
		login_for(redis, connection->node), &why)) {
		fail_connection(redis, connection, false, why);
		return false;
	}
	if (connection->retry_at != 0)
		connection->health_check = pipeline;
	poll_connection(redis, connection, EPOLL_CTL_ADD);
	return true;
}

void
router_flush(struct redis *redis, struct connection *connection)
{
	bool had_output = connection->has_output;

	if (connection->context == NULL ||
	    (!had_output && STAILQ_EMPTY(&connection->queued)))
		return;
	if (!connection_flush(connection, router_now(redis), redis->timeout))
		fail_connection(redis, connection, connection->handshake == 0,
		    connection_fault(connection));
	else if (connection->has_output != had_output)
		poll_connection(redis, connection, EPOLL_CTL_MOD);
}

static void
follow_redirect(struct redis *redis, struct connection *connection,
    struct command *command, struct redirect *redirect)
{
	struct node *node;

	if (redirect->to.host.size == 0)
		redirect->to.host = connection->node->address.host;
	node = nodes_at(redis->nodes, &redirect->to);
	if (node == NULL) {
		complete_command(redis, command, false);
		return;
	}
	if (redirect->kind == REDIRECT_MOVED) {
		redis->epoch++;
		redis->map_version++;
		nodes_give(redis->nodes, redirect->slot, redirect->slot, node);
	}
	command->asks = redirect->kind == REDIRECT_ASK;
	queue_at(redis, node, command);
}

/* Sends a command again if its reply is an error that a cluster or a failover explains;
 * false when the reply is final, as that of one standalone Redis. */
static bool
retry_command(
    struct redis *redis, struct connection *connection, struct command *command)
{
	struct redirect redirect;

	if (command->reply->kind != REPLY_ERROR ||
	    redis->endpoint.kind == ENDPOINT_STANDALONE ||
	    command->pipeline->is_pinned || !may_retry(redis, command))
		return false;
	redirect = cluster_read_redirect(command->reply->text);
	if (redirect.map_changed)
		request_map(redis);
	if (redirect.kind == REDIRECT_NONE ||
	    (redirect.kind == REDIRECT_RETRY && redis->fails_at_once))
		return false;
	if (redirect.kind == REDIRECT_RETRY || ++command->tries % 8 == 0)
		send_later(redis, command);
	else
		follow_redirect(redis, connection, command, &redirect);
	return true;
}

/* A node that refuses a hint gets none for a while. */
static void
note_hint_reply(struct redis *redis, struct connection *connection,
    const struct reply *reply)
{
	bool is_refused = reply->kind == REPLY_ERROR;
	struct node *node = connection->node;

	if (is_refused && !node->refuses_hints)
		router_log(redis, node,
		    text_format(&connection->memory, "refuses hints: %.*s",
			TEXT_ARGS(reply->text)));
	node->refuses_hints = is_refused;
	if (is_refused)
		node->hints_at = router_now(redis) + HINT_PAUSE_MS;
}

static void
handle_reply(
    struct redis *redis, struct connection *connection, struct command *command)
{
	bool is_error = command->reply->kind == REPLY_ERROR;

	if (retry_command(redis, connection, command))
		return;
	if (command->pipeline->is_hint)
		note_hint_reply(redis, connection, command->reply);
	if (command->is_replicated && connection->replicas > 0 && !is_error)
		connection_await_replicas(connection, command);
	else
		complete_command(redis, command, true);
}

/* Completes the writes of a batch. Unconfirmed ones may be lost with their node. */
static void
release_replicated(
    struct redis *redis, struct connection *connection, bool confirmed)
{
	struct command *command;

	if (!confirmed)
		router_log(redis, connection->node,
		    text_format(&connection->memory,
			"what was written is at %lld replicas in time, and "
			"%lld have to have it",
			(long long)connection->confirmed,
			(long long)connection->replicas));
	while (
	    (command = STAILQ_FIRST(&connection->awaiting_replicas)) != NULL) {
		STAILQ_REMOVE_HEAD(&connection->awaiting_replicas, next);
		complete_command(redis, command, confirmed);
	}
}

static void
note_open(struct redis *redis, struct connection *connection)
{
	if (connection->node->down)
		router_log(redis, connection->node, TEXT("answers again"));
	connection->node->down = false;
	connection->health_check = NULL;
	redis->epoch++;
	/* A master that was away may have been replaced. */
	if (redis->endpoint.kind == ENDPOINT_SENTINELS &&
	    !connection->node->is_seed)
		request_map(redis);
}

static void
read_replies(struct redis *redis, struct connection *connection)
{
	struct command *command = NULL;
	enum connection_event result = CONNECTION_ANSWER;
	struct text why;

	if (!connection_read(connection)) {
		fail_connection(redis, connection, connection->handshake == 0,
		    connection_fault(connection));
		return;
	}
	while (result != CONNECTION_NOTHING) {
		result = connection_next(connection, &command, &why);
		switch (result) {
		case CONNECTION_ANSWER:
			handle_reply(redis, connection, command);
			break;
		case CONNECTION_OPEN:
			note_open(redis, connection);
			break;
		case CONNECTION_CONFIRMED:
		case CONNECTION_UNCONFIRMED:
			release_replicated(
			    redis, connection, result == CONNECTION_CONFIRMED);
			break;
		case CONNECTION_FAULT:
			fail_connection(redis, connection, false, why);
			return;
		case CONNECTION_NOTHING:
			break;
		}
	}
}

void
router_serve(struct redis *redis, struct connection *connection, int ready)
{
	connection->active_at = router_now(redis);
	if ((ready & ROUTER_WRITABLE) != 0)
		router_flush(redis, connection);
	if (connection->context != NULL && (ready & ROUTER_READABLE) != 0)
		read_replies(redis, connection);
}

void
router_catch_up(struct redis *redis, struct connection *connection)
{
	if (connection->context != NULL && connection_is_ready(connection))
		router_serve(
		    redis, connection, ROUTER_READABLE | ROUTER_WRITABLE);
}

static bool
is_silent(struct redis *redis, const struct connection *connection)
{
	return connection->context != NULL &&
	    connection_deadline(connection, redis->timeout) <=
	    router_now(redis);
}

static void
expire_connection(struct redis *redis, struct connection *connection)
{
	if (is_silent(redis, connection))
		router_catch_up(redis, connection);
	if (is_silent(redis, connection))
		fail_connection(
		    redis, connection, false, TEXT("no answer in time"));
}

/* A command waits for the map no longer than for an answer. */
static void
expire_unrouted(struct redis *redis)
{
	struct command *command = STAILQ_FIRST(&redis->unrouted);

	if (command != NULL && command->pipeline->deadline != 0 &&
	    command->pipeline->deadline <= router_now(redis))
		router_fail_unrouted(redis);
}

void
router_expire(struct redis *redis)
{
	expire_unrouted(redis);
	for (size_t i = 0; i < redis->nodes->count; i++) {
		expire_connection(redis, &redis->nodes->all[i]->reads);
		expire_connection(redis, &redis->nodes->all[i]->writes);
	}
}

#include "redis/lane.h"

#include "redis/pipeline.h"

enum {
	GREET_MS = 500, /* for a connection and its first replies */
	WAIT_MS = 1000	/* for the replicas */
};

void
lane_start(struct lane *lane, struct node *node, int64_t replicas)
{
	*lane = (struct lane){ .node = node, .replicas = replicas };
	STAILQ_INIT(&lane->gathered);
	STAILQ_INIT(&lane->sent);
	STAILQ_INIT(&lane->held);
}

/* Sends a command of the lane's own. */
static void
say(struct lane *lane, const struct text *words, size_t count)
{
	struct buffer bytes = buffer_in(&lane->memory, 128);

	command_encode(&bytes, words, count);
	link_append(lane->link, buffer_text(&bytes));
}

#define SAY(lane, ...) \
	say((lane), ((struct text[]){ __VA_ARGS__ }), \
	    sizeof((struct text[]){ __VA_ARGS__ }) / sizeof(struct text))

bool
lane_dial(struct lane *lane, const struct address *address,
    const struct lane_login *login, struct text *why)
{
	arena_reset(&lane->memory);
	lane->link = link_dial(&lane->memory, address, login->tls, why);
	if (lane->link == NULL)
		return false;
	lane->is_full = true; /* until it is connected */
	lane->greeting = 1;
	if (login->password.size > 0) {
		SAY(lane, TEXT("AUTH"), login->user, login->password);
		lane->greeting++;
	}
	SAY(lane, TEXT("PING"));
	return true;
}

void
lane_add(struct lane *lane, struct command *command)
{
	STAILQ_INSERT_TAIL(&lane->gathered, command, next);
}

static struct text
bytes_of(const struct command *command)
{
	return (struct text){ command->pipeline->bytes.data + command->start,
		command->size };
}

/* Commands that follow each other in memory are appended at once. */
static void
append_gathered(struct lane *lane)
{
	struct text run = { NULL, 0 };

	for (struct command *command = STAILQ_FIRST(&lane->gathered);
	    command != NULL; command = STAILQ_NEXT(command, next)) {
		struct text bytes = bytes_of(command);

		if (run.size > 0 &&
		    (run.data + run.size != bytes.data || command->asks)) {
			link_append(lane->link, run);
			run.size = 0;
		}
		command->skipped = command->asks;
		if (command->asks)
			SAY(lane, TEXT("ASKING"));
		if (run.size == 0)
			run = bytes;
		else
			run.size += bytes.size;
	}
	link_append(lane->link, run);
	STAILQ_CONCAT(&lane->sent, &lane->gathered);
}

static bool
has_protected(const struct command_queue *commands)
{
	for (const struct command *command = STAILQ_FIRST(commands);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->is_replicated)
			return true;
	return false;
}

bool
lane_flush(struct lane *lane, int64_t now, int64_t timeout)
{
	bool sends = lane->greeting == 0 && !lane->waits &&
	    !STAILQ_EMPTY(&lane->gathered);
	bool all;

	if (lane->greeting > 0 && lane->deadline == 0)
		lane->deadline = now + GREET_MS;
	for (struct command *command = STAILQ_FIRST(&lane->gathered);
	    command != NULL; command = STAILQ_NEXT(command, next))
		if (command->pipeline->deadline == 0)
			command->pipeline->deadline = now + timeout;
	if (sends) {
		bool protects =
		    lane->replicas > 0 && has_protected(&lane->gathered);

		append_gathered(lane);
		if (protects) {
			SAY(lane, TEXT("WAIT"),
			    text_number(&lane->memory, lane->replicas),
			    text_number(&lane->memory, WAIT_MS));
			lane->waits = true;
			lane->deadline = now + timeout + WAIT_MS;
		}
	}
	if (!sends && !lane->is_full)
		return true;
	if (!link_write(lane->link, &all))
		return false;
	lane->is_full = !all;
	return true;
}

/* A reply to one of the lane's own commands; NOTHING: go on with the next. */
static enum lane_result
take_own(struct lane *lane, const struct reply *reply, struct text *why)
{
	struct command *next = STAILQ_FIRST(&lane->sent);

	if (lane->greeting > 0) {
		*why = reply->text;
		if (reply->kind == REPLY_ERROR)
			return LANE_FAULT;
		if (--lane->greeting > 0)
			return LANE_NOTHING;
		lane->deadline = lane->retry_at = 0;
		return LANE_GREETED;
	}
	if (next != NULL) {
		next->skipped--;
		return LANE_NOTHING;
	}
	lane->waits = false;
	lane->deadline = 0;
	lane->confirmed = reply_number(reply);
	return lane->confirmed >= lane->replicas ? LANE_CONFIRMED
						 : LANE_UNCONFIRMED;
}

static bool
expects_reply(const struct lane *lane)
{
	return lane->greeting > 0 || lane->waits || !STAILQ_EMPTY(&lane->sent);
}

enum lane_result
lane_take(struct lane *lane, struct command **command, struct text *why)
{
	enum lane_result taken = LANE_NOTHING;

	while (taken == LANE_NOTHING && expects_reply(lane)) {
		struct command *next = STAILQ_FIRST(&lane->sent);
		bool is_own =
		    lane->greeting > 0 || next == NULL || next->skipped > 0;
		struct reply own;
		enum link_result result = is_own
		    ? link_next(lane->link, &lane->memory, &own)
		    : link_next(lane->link, next->pipeline->arena, next->reply);

		if (result == LINK_FAULT) {
			*why = link_fault(lane->link);
			return LANE_FAULT;
		}
		if (result == LINK_NONE)
			return LANE_NOTHING;
		if (!is_own) {
			STAILQ_REMOVE_HEAD(&lane->sent, next);
			*command = next;
			return LANE_ANSWER;
		}
		taken = take_own(lane, &own, why);
		if (taken != LANE_FAULT)
			arena_reset(&lane->memory);
	}
	/* From here on every reply would be taken for the wrong one. */
	if (taken == LANE_NOTHING && link_has_more(lane->link)) {
		*why = TEXT("an answer that nobody asked for");
		return LANE_FAULT;
	}
	return taken;
}

void
lane_hold(struct lane *lane, struct command *command)
{
	STAILQ_INSERT_TAIL(&lane->held, command, next);
}

int64_t
lane_deadline(const struct lane *lane, int64_t timeout)
{
	const struct command *first = STAILQ_FIRST(&lane->sent);
	int64_t deadline = lane->deadline == 0 ? INT64_MAX : lane->deadline;
	int64_t active_until =
	    lane->active_at + (lane->greeting > 0 ? GREET_MS : timeout);

	if (first != NULL && first->pipeline->deadline < deadline)
		deadline = first->pipeline->deadline;
	return deadline < active_until ? active_until : deadline;
}

void
lane_close(struct lane *lane, struct command_queue *commands)
{
	link_close(lane->link);
	lane->link = NULL;
	lane->greeting = 0;
	lane->waits = lane->is_full = false;
	lane->deadline = lane->active_at = 0;
	STAILQ_CONCAT(commands, &lane->held);
	STAILQ_CONCAT(commands, &lane->sent);
	STAILQ_CONCAT(commands, &lane->gathered);
	arena_reset(&lane->memory);
}

#include "store/relay.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/function_call.h"
#include "store/outbox.h"

enum {
	PAUSE_MS = 250,
	RETRY_MS = 1000,
	TAKEOVER_MS = 5000,  /* until what a relay has taken is another's */
	ENTRIES_BATCH = 256, /* of so many outboxes, as many of each: */
	BOXES_BATCH = 64
};

#define GROUP TEXT("relay")

/* The outbox of a bucket. */
struct box {
	struct text key;
	bool takes_own;		/* first, what the relay has taken already, */
	struct outbox_id after; /* from here on */
	bool failed;	  /* something was not settled since that began: */
	int64_t again_at; /* it begins again then */
};

/* An entry that was taken. */
struct taken {
	struct box *box;
	struct outbox_entry entry;
	size_t first; /* of its replies, up to the first of the next */
};

struct relay {
	struct store *store;
	struct text name;
	struct box *boxes; /* one a bucket */
	size_t next;	   /* which is looked at first */
	uint64_t epoch;	   /* of the connections, as redis_epoch has it */
	int64_t logged;	   /* that something waits */
	struct arena memory, arena; /* of the relay, and of a step */
};

/* What a step has chosen and taken. */
struct step {
	struct box *boxes[BOXES_BATCH];
	size_t box_count, share; /* entries of each */
	struct taken *taken;
	size_t count;
	bool has_more, has_others; /* in these boxes, and in others */
};

struct relay *
relay_new(struct store *store, struct text name)
{
	struct relay *relay = calloc(1, sizeof(*relay));

	if (relay == NULL)
		log_fatal("out of memory: no relay");
	relay->store = store;
	relay->name = text_copy(&relay->memory, name);
	relay->boxes =
	    arena_new(&relay->memory, struct box, store->buckets.count);
	for (uint64_t b = 0; b < store->buckets.count; b++)
		relay->boxes[b].key =
		    key_outbox(&relay->memory, &store->buckets, b);
	return relay;
}

void
relay_free(struct relay *relay)
{
	arena_free(&relay->memory);
	arena_free(&relay->arena);
	free(relay);
}

static bool
is_answer(const struct reply *reply)
{
	return reply->kind != REPLY_ERROR && reply->kind != REPLY_LOST;
}

/* Each reply says for itself what became of its command. */
static void
ask(struct relay *relay, struct pipeline *pipeline)
{
	struct text why = TEXT("Redis does not answer");

	if (redis_try(pipeline) && pipeline_is_whole(pipeline))
		return;
	for (size_t i = 0; i < pipeline->count; i++)
		if (pipeline->replies[i].kind == REPLY_ERROR)
			why = pipeline->replies[i].text;
	log_limited(&relay->logged, "what members are to be told waits: %.*s",
	    TEXT_ARGS(why));
}

static void
take_own(struct box *box)
{
	box->failed = false;
	box->takes_own = true;
	box->after = (struct outbox_id){ 0, 0 };
}

static void
fail(struct box *box)
{
	box->failed = true;
	box->again_at = clock_monotonic_ms() + RETRY_MS;
}

/* What was taken over a connection that was lost may not have come back: the first
 * connection is taken for such a one, too. */
static void
note_connections(struct relay *relay)
{
	uint64_t epoch = redis_epoch(relay->store->redis);

	if (epoch == relay->epoch)
		return;
	relay->epoch = epoch;
	for (size_t i = 0; i < relay->store->buckets.count; i++)
		take_own(&relay->boxes[i]);
}

/* Which outboxes have something, some of them at a time in turns. */
static void
choose(struct relay *relay, struct step *step, const struct reply *lengths)
{
	size_t count = relay->store->buckets.count;
	int64_t now = clock_monotonic_ms();

	for (size_t i = 0; i < count; i++) {
		size_t b = (relay->next + i) % count;
		struct box *box = &relay->boxes[b];

		if (reply_number(&lengths[b]) <= 0)
			continue;
		if (step->box_count == BOXES_BATCH) {
			step->has_others = true;
			relay->next = b;
			break;
		}
		if (box->failed && !box->takes_own && box->again_at <= now)
			take_own(box);
		step->boxes[step->box_count++] = box;
	}
	if (step->box_count > 0)
		step->share = ENTRIES_BATCH / step->box_count;
}

/* An XLEN costs Redis a third of a microsecond; asking for entries at once would cost
 * twice to five times that. */
static void
look(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);

	for (size_t i = 0; i < relay->store->buckets.count; i++)
		pipeline_add(&pipeline, TEXT("XLEN"), relay->boxes[i].key);
	ask(relay, &pipeline);
	choose(relay, step, pipeline.replies);
}

static struct text
after_of(struct relay *relay, const struct box *box)
{
	return box->takes_own ? text_format(&relay->arena, "%llu-%llu",
				    (unsigned long long)box->after.moment,
				    (unsigned long long)box->after.number)
			      : TEXT(">");
}

static void
add_take(struct relay *relay, struct pipeline *pipeline,
    const struct step *step, const struct box *box)
{
	struct call call =
	    call_begin(&relay->arena, CALL_WRITES, "take_1", box->key);

	call_add(&call, GROUP, relay->name, after_of(relay, box));
	call_add_number(&call, (int64_t)step->share);
	call_add_number(&call, TAKEOVER_MS);
	call_send(&call, pipeline);
}

static void
read_entry(struct step *step, struct box *box, const struct reply *item)
{
	struct taken *taken = &step->taken[step->count];
	enum outbox_result result = outbox_read(item, &taken->entry);

	if (result == OUTBOX_NO_ENTRY)
		return;
	if (result == OUTBOX_MALFORMED)
		log_line("entry %.*s of %.*s does not say whom to tell of "
			 "what, and is dropped",
		    TEXT_ARGS(taken->entry.id), TEXT_ARGS(box->key));
	if (box->takes_own)
		outbox_read_id(taken->entry.id, &box->after);
	taken->box = box;
	step->count++;
}

/* Whether it was given all that it may have, and there may be more. */
static void
read_box(struct step *step, struct box *box, const struct reply *reply)
{
	bool is_full = reply->count >= step->share;

	for (size_t i = 0; i < reply->count && i < step->share; i++)
		read_entry(step, box, reply_item(reply, i));
	if (is_full || box->takes_own)
		step->has_more = true;
	if (!is_full)
		box->takes_own = false;
}

static void
take(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);

	for (size_t i = 0; i < step->box_count; i++)
		add_take(relay, &pipeline, step, step->boxes[i]);
	ask(relay, &pipeline);
	step->taken = arena_new(
	    &relay->arena, struct taken, step->share * step->box_count);
	for (size_t i = 0; i < step->box_count; i++)
		if (is_answer(&pipeline.replies[i]))
			read_box(step, step->boxes[i], &pipeline.replies[i]);
		else
			fail(step->boxes[i]);
}

static void
tell(struct pipeline *pipeline, struct taken *taken)
{
	const struct outbox_entry *entry = &taken->entry;
	struct text rest = entry->to;
	struct recipient to;

	taken->first = pipeline->count;
	while (outbox_next_recipient(&rest, &to))
		inbox_notify(pipeline, to.user,
		    &(struct notice){
			.comment = entry->comment, .reason = to.reason },
		    entry->author);
}

/* Whether everybody was told from this reply up to that one, if there is anybody still
 * to be told. */
static bool
were_told(const struct pipeline *pipeline, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		enum store_result result = is_answer(&pipeline->replies[i])
		    ? call_outcome(&pipeline->replies[i])
		    : STORE_DOWN;

		if (result != STORE_OK && result != STORE_ABSENT)
			return false;
	}
	return true;
}

/* Keeps the entries of which everybody was told. */
static void
tell_all(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);
	size_t kept = 0;

	for (size_t i = 0; i < step->count; i++)
		tell(&pipeline, &step->taken[i]);
	ask(relay, &pipeline);
	for (size_t i = 0; i < step->count; i++) {
		struct taken taken = step->taken[i];
		size_t end = i + 1 < step->count ? step->taken[i + 1].first
						 : pipeline.count;

		if (were_told(&pipeline, taken.first, end))
			step->taken[kept++] = taken;
		else
			fail(taken.box);
	}
	step->count = kept;
}

/* Adds a call about what is left of a box's entries; false when nothing is. */
static bool
add_settling(struct relay *relay, struct pipeline *pipeline,
    const struct step *step, const struct box *box)
{
	struct call call =
	    call_begin(&relay->arena, CALL_WRITES, "settle_1", box->key);
	size_t fewest;

	call_add(&call, GROUP);
	fewest = call.count;
	for (size_t i = 0; i < step->count; i++)
		if (step->taken[i].box == box)
			call_add(&call, step->taken[i].entry.id);
	if (call.count == fewest)
		return false;
	call_send(&call, pipeline);
	return true;
}

static void
settle(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);
	struct box *settled[BOXES_BATCH];
	size_t count = 0;

	for (size_t i = 0; i < step->box_count; i++)
		if (add_settling(relay, &pipeline, step, step->boxes[i]))
			settled[count++] = step->boxes[i];
	ask(relay, &pipeline);
	for (size_t i = 0; i < count; i++)
		if (!is_answer(&pipeline.replies[i]))
			fail(settled[i]);
}

int
relay_step(struct relay *relay)
{
	struct step step = { .count = 0 };

	arena_reset(&relay->arena);
	look(relay, &step);
	note_connections(relay);
	if (step.box_count == 0)
		return PAUSE_MS;
	take(relay, &step);
	tell_all(relay, &step);
	settle(relay, &step);
	/* Where nothing gets on, nothing else would, either. */
	return step.has_more || (step.has_others && step.count > 0) ? 0
								    : PAUSE_MS;
}

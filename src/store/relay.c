/*
 * One step of the relay: four round trips, whatever the number of buckets, of which an
 * idle site costs only the first and one that asks for containments (store/containment.h); and
 * now and then one that places articles by points.
 *
 *	           outbox of a bucket (stream)          inboxes (members' slots)
 *	find       XLEN: which are not empty
 *	claim      take_1: XREADGROUP or XAUTOCLAIM
 *	deliver                                   -->   deliver_1 for each recipient
 *	delete     settle_1: XACK, XDEL
 *
 *	new entry ----claim----> claimed by a relay ----deliver, delete----> deleted
 *	                          |            ^
 *	                          +--claim by--+
 *	                     another, after TAKEOVER_MS
 *
 * A killed relay leaves claimed entries. It claims them again when it is back under the
 * same name (takes_own), or another relay does, after five seconds without a sign of life.
 * The same holds after a connection was lost, when replies to a claim may be lost, and one
 * second after a delivery failed.
 */
#include "store/relay.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/containment.h"
#include "store/function_call.h"
#include "store/outbox.h"
#include "store/points.h"

enum {
	PAUSE_MS = 250,
	PLACING_MS = 10000,	 /* between steps of placing, */
	PLACING_MORE_MS = 50,	 /* and while there is more to place */
	CONTAINING_MORE_MS = 10, /* between steps of containments */
	RETRY_MS = 1000,
	TAKEOVER_MS = 5000, /* after which other relays may claim an entry */
	ENTRIES_BATCH =
	    256, /* per step, shared evenly by BOXES_BATCH outboxes */
	BOXES_BATCH = 64
};

#define GROUP TEXT("relay")

/* The outbox of a bucket. */
struct box {
	struct text key;
	bool takes_own;		/* reading the entries claimed already, */
	struct outbox_id after; /* after this one */
	bool failed;		/* an entry was not delivered or deleted: */
	int64_t again_at;	/* claimed ones are read again from then on */
};

/* A claimed entry. */
struct taken {
	struct box *box;
	struct outbox_entry entry;
	size_t first; /* its first reply; the next entry's ends them */
};

struct relay {
	struct store *store;
	struct text name;
	struct box *boxes;	/* one a bucket */
	size_t next;		/* where the next step begins */
	uint64_t epoch;		/* redis_epoch of the last step */
	int64_t logged;		/* when a fault was logged last */
	int64_t placing_at;	/* when articles are placed next */
	int64_t placing_logged; /* when a fault of that was */
	struct containment_faults containing;
	struct arena memory, arena; /* of the relay, and of a step */
};

/* The chosen outboxes and claimed entries of a step. */
struct step {
	struct box *boxes[BOXES_BATCH];
	size_t box_count, share; /* entries of each */
	struct taken *taken;
	size_t count;
	bool has_more, has_others; /* entries in these boxes; in others */
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

/* Callers judge each reply; faults are logged here. */
static void
run_pipeline(struct relay *relay, struct pipeline *pipeline)
{
	struct text why = TEXT("Redis does not answer");

	if (redis_try(pipeline) && pipeline_is_whole(pipeline))
		return;
	for (size_t i = 0; i < pipeline->count; i++)
		if (pipeline->replies[i].kind == REPLY_ERROR)
			why = pipeline->replies[i].text;
	log_limited(&relay->logged, "notifications wait: %.*s", TEXT_ARGS(why));
}

static void
reread_claimed(struct box *box)
{
	box->failed = false;
	box->takes_own = true;
	box->after = (struct outbox_id){ 0, 0 };
}

static void
fail_box(struct box *box)
{
	box->failed = true;
	box->again_at = clock_monotonic_ms() + RETRY_MS;
}

/* Replies to a claim may have been lost with a connection: reads all claimed entries again.
 * So does the first step. */
static void
check_connections(struct relay *relay)
{
	uint64_t epoch = redis_epoch(relay->store->redis);

	if (epoch == relay->epoch)
		return;
	relay->epoch = epoch;
	for (size_t i = 0; i < relay->store->buckets.count; i++)
		reread_claimed(&relay->boxes[i]);
}

/* Chooses BOXES_BATCH of the outboxes that are not empty, in turns. */
static void
choose_boxes(
    struct relay *relay, struct step *step, const struct reply *lengths)
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
			reread_claimed(box);
		step->boxes[step->box_count++] = box;
	}
	if (step->box_count > 0)
		step->share = ENTRIES_BATCH / step->box_count;
}

/* An XLEN costs Redis a third of a microsecond; trying to claim entries of empty outboxes
 * would cost twice to five times that. */
static void
find_boxes(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);

	for (size_t i = 0; i < relay->store->buckets.count; i++)
		pipeline_add(&pipeline, TEXT("XLEN"), relay->boxes[i].key);
	run_pipeline(relay, &pipeline);
	choose_boxes(relay, step, pipeline.replies);
}

static struct text
claim_position(struct relay *relay, const struct box *box)
{
	return box->takes_own ? text_format(&relay->arena, "%llu-%llu",
				    (unsigned long long)box->after.moment,
				    (unsigned long long)box->after.number)
			      : TEXT(">");
}

static void
add_claim(struct relay *relay, struct pipeline *pipeline,
    const struct step *step, const struct box *box)
{
	call_send_write(pipeline, "take_1", box->key, GROUP, relay->name,
	    claim_position(relay, box),
	    text_number(&relay->arena, (int64_t)step->share),
	    text_number(&relay->arena, TAKEOVER_MS));
}

static void
read_entry(struct step *step, struct box *box, const struct reply *item)
{
	struct taken *taken = &step->taken[step->count];
	enum outbox_result result = outbox_read(item, &taken->entry);

	if (result == OUTBOX_NO_ENTRY)
		return;
	if (result == OUTBOX_MALFORMED)
		log_line("entry %.*s of %.*s is malformed, and is "
			 "dropped",
		    TEXT_ARGS(taken->entry.id), TEXT_ARGS(box->key));
	if (box->takes_own)
		outbox_read_id(taken->entry.id, &box->after);
	taken->box = box;
	step->count++;
}

/* A full share means that there may be more. */
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
claim_entries(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);

	for (size_t i = 0; i < step->box_count; i++)
		add_claim(relay, &pipeline, step, step->boxes[i]);
	run_pipeline(relay, &pipeline);
	step->taken = arena_new(
	    &relay->arena, struct taken, step->share * step->box_count);
	for (size_t i = 0; i < step->box_count; i++)
		if (is_answer(&pipeline.replies[i]))
			read_box(step, step->boxes[i], &pipeline.replies[i]);
		else
			fail_box(step->boxes[i]);
}

static void
add_deliveries(struct pipeline *pipeline, struct taken *taken)
{
	const struct outbox_entry *entry = &taken->entry;
	struct text rest = entry->to;
	struct recipient to;

	taken->first = pipeline->count;
	while (outbox_next_recipient(&rest, &to))
		inbox_notify(pipeline, to.user,
		    &(struct notice){ .comment = entry->comment,
			.reason = to.reason,
			.action = entry->action },
		    entry->author);
}

/* True when no delivery among the replies has to be repeated: a recipient whose account is
 * closed (STORE_ABSENT) needs none. */
static bool
are_delivered(const struct pipeline *pipeline, size_t first, size_t end)
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

/* Leaves in step->taken the entries that are delivered completely. */
static void
deliver_entries(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);
	size_t delivered = 0;

	for (size_t i = 0; i < step->count; i++)
		add_deliveries(&pipeline, &step->taken[i]);
	run_pipeline(relay, &pipeline);
	for (size_t i = 0; i < step->count; i++) {
		struct taken taken = step->taken[i];
		size_t end = i + 1 < step->count ? step->taken[i + 1].first
						 : pipeline.count;

		if (are_delivered(&pipeline, taken.first, end))
			step->taken[delivered++] = taken;
		else
			fail_box(taken.box);
	}
	step->count = delivered;
}

/* Adds a call that deletes a box's delivered entries; false when there is none. */
static bool
add_deletion(struct relay *relay, struct pipeline *pipeline,
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
delete_entries(struct relay *relay, struct step *step)
{
	struct pipeline pipeline =
	    pipeline_begin(relay->store->redis, &relay->arena);
	struct box *deleted[BOXES_BATCH];
	size_t count = 0;

	for (size_t i = 0; i < step->box_count; i++)
		if (add_deletion(relay, &pipeline, step, step->boxes[i]))
			deleted[count++] = step->boxes[i];
	run_pipeline(relay, &pipeline);
	for (size_t i = 0; i < count; i++)
		if (!is_answer(&pipeline.replies[i]))
			fail_box(deleted[i]);
}

/* Places articles when that is due. Returns the milliseconds until it is again. */
static int
place_articles(struct relay *relay)
{
	int64_t now = clock_monotonic_ms();

	if (now >= relay->placing_at)
		relay->placing_at = now +
		    (points_step(
			 relay->store, &relay->arena, &relay->placing_logged)
			    ? PLACING_MORE_MS
			    : PLACING_MS);
	return (int)(relay->placing_at - now);
}

/* Carries out what moderators have decided. Returns the milliseconds until the next step. */
static int
contain_members(struct relay *relay)
{
	return containment_step(relay->store, &relay->arena, &relay->containing)
	    ? CONTAINING_MORE_MS
	    : PAUSE_MS;
}

static int
smaller(int one, int other)
{
	return one < other ? one : other;
}

int
relay_step(struct relay *relay)
{
	struct step step = { .count = 0 };
	int pause;

	arena_reset(&relay->arena);
	pause = smaller(place_articles(relay), contain_members(relay));
	pause = smaller(pause, PAUSE_MS);
	find_boxes(relay, &step);
	check_connections(relay);
	if (step.box_count == 0)
		return pause;
	claim_entries(relay, &step);
	deliver_entries(relay, &step);
	delete_entries(relay, &step);
	/* No progress in these outboxes: Redis fails, so wait. */
	return step.has_more || (step.has_others && step.count > 0) ? 0 : pause;
}

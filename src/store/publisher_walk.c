#include "store/publisher_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/crypto.h"
#include "base/domain.h"
#include "base/log.h"
#include "redis/redis.h"
#include "store/article.h"
#include "store/publisher.h"
#include "store/settings.h"
#include "store/walk.h"

enum {
	DIGEST_SIZE = 16,
	BATCH = 200 /* articles in a step */
};

struct state {
	int64_t list_time;
	struct text digest; /* of the shared hosts; empty: nothing is listed */
	bool is_walking;
	uint64_t bucket, number; /* of the last article */
};

struct publisher_walk {
	struct store *store;
	struct arena step;
	int64_t wait_ms;
	char digest[DIGEST_SIZE]; /* as it was last wanted, */
	int64_t since;		  /* for the first time then; 0: never */
};

struct publisher_walk *
publisher_walk_new(struct store *store, int64_t wait_ms)
{
	struct publisher_walk *walk = calloc(1, sizeof(*walk));

	if (walk == NULL)
		log_fatal("out of memory: articles are not listed by host");
	walk->store = store;
	walk->wait_ms = wait_ms;
	return walk;
}

void
publisher_walk_free(struct publisher_walk *walk)
{
	arena_free(&walk->step);
	free(walk);
}

/* False for what is no such field. */
static bool
parse_state(struct text field, struct state *state)
{
	struct text word;

	*state = (struct state){ .is_walking = false };
	if (!text_next_word(&field, &word) ||
	    !text_to_i64(word, &state->list_time) ||
	    !text_next_word(&field, &state->digest) ||
	    state->digest.size != DIGEST_SIZE)
		return false;
	if (!text_next_word(&field, &word))
		return true;
	state->is_walking = text_to_u64(word, &state->bucket) &&
	    text_next_word(&field, &word) &&
	    text_to_u64(word, &state->number) && field.size == 0;
	return state->is_walking;
}

bool
publisher_walk_is_state(struct text field)
{
	struct state state;

	return parse_state(field, &state);
}

bool
publisher_walk_is_complete(struct text field)
{
	struct state state;

	return parse_state(field, &state) && !state.is_walking;
}

static struct text
format_state(struct arena *arena, const struct state *state)
{
	if (!state->is_walking)
		return text_format(arena, "%lld %.*s",
		    (long long)state->list_time, TEXT_ARGS(state->digest));
	return text_format(arena, "%lld %.*s %llu %llu",
	    (long long)state->list_time, TEXT_ARGS(state->digest),
	    (unsigned long long)state->bucket,
	    (unsigned long long)state->number);
}

static enum store_result
write_state(struct publisher_walk *walk, const struct state *state)
{
	struct arena *arena = &walk->step;

	return store_write(walk->store, arena, TEXT("HSET"),
	    key_versions(arena, &walk->store->buckets, 0), PUBLISHER_WALK_FIELD,
	    format_state(arena, state));
}

/* Adds the question for a link and its publisher, and the call that corrects that, if it is
 * wrong. */
static void
ask_publisher(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	pipeline_add(pipeline, TEXT("HMGET"),
	    key_post(pipeline->arena, &store->buckets, id), TEXT("url"),
	    TEXT("from"));
}

static void
send_publisher(struct pipeline *pipeline, const struct store *store,
    struct post_id id, const struct reply *reply, struct text shared_hosts)
{
	struct text link = reply_text(reply_item(reply, 0));
	struct text publisher =
	    publisher_of(pipeline->arena, link, shared_hosts);

	if (!text_equal(publisher, reply_text(reply_item(reply, 1))))
		call_send_write(pipeline, "publisher_1",
		    key_post(pipeline->arena, &store->buckets, id), link,
		    publisher);
}

/* Corrects those that are wrong, WALK_ARTICLES at a time: they are few, but for the first walk. */
static enum store_result
set_publishers(struct store *store, struct arena *arena,
    const struct post_id *ids, size_t count, const struct reply *replies,
    struct text shared_hosts)
{
	enum store_result result = STORE_OK;
	size_t next = 0;

	while (next < count && result == STORE_OK) {
		struct pipeline pipeline = pipeline_begin(store->redis, arena);
		struct post_id sent[WALK_ARTICLES];

		for (; next < count && pipeline.count < WALK_ARTICLES; next++) {
			sent[pipeline.count] = ids[next];
			send_publisher(&pipeline, store, ids[next],
			    &replies[next], shared_hosts);
		}
		result = walk_run(&pipeline, sent);
	}
	return result;
}

STORE_CALL
publisher_walk_article(
    struct store *store, struct arena *arena, struct post_id id)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	ask_publisher(&pipeline, store, id);
	pipeline_add(&pipeline, TEXT("HGET"),
	    key_settings(arena, &store->buckets), SETTINGS_SHARED_HOSTS);
	if (!redis_run_each(&pipeline))
		return STORE_DOWN;
	return set_publishers(store, arena, &id, 1, pipeline.replies,
	    reply_text(&pipeline.replies[1]));
}

/* Reads many at once: a site that was loaded from another may have few articles among many
 * numbers. */
static enum store_result
walk_batch(struct publisher_walk *walk, const struct state *state,
    struct text shared_hosts)
{
	struct store *store = walk->store;
	struct pipeline pipeline = pipeline_begin(store->redis, &walk->step);
	struct post_id ids[BATCH];

	for (uint64_t i = 0; i < BATCH; i++) {
		ids[i] = article_id(key_id_in(
		    &store->buckets, state->bucket, state->number + 1 + i));
		ask_publisher(&pipeline, store, ids[i]);
	}
	if (walk_run(&pipeline, ids) != STORE_OK)
		return STORE_DOWN;
	return set_publishers(
	    store, &walk->step, ids, BATCH, pipeline.replies, shared_hosts);
}

/* The next articles, or the next bucket. */
static enum store_result
walk_on(
    struct publisher_walk *walk, struct state *state, struct text shared_hosts)
{
	const struct buckets *buckets = &walk->store->buckets;
	uint64_t last;

	if (state->bucket >= buckets->count) {
		state->is_walking = false;
		return write_state(walk, state);
	}
	if (walk_last(walk->store, &walk->step,
		key_article_counter(&walk->step, buckets, state->bucket),
		&last) != STORE_OK)
		return STORE_DOWN;
	if (state->number >= last) {
		state->bucket++;
		state->number = 0;
		return write_state(walk, state);
	}
	if (walk_batch(walk, state, shared_hosts) != STORE_OK)
		return STORE_DOWN;
	state->number += BATCH;
	return write_state(walk, state);
}

/* Whether the hosts have been these for long enough. */
static bool
is_due(struct publisher_walk *walk, struct text digest)
{
	int64_t now = clock_monotonic_ms();
	struct text before = { walk->digest, DIGEST_SIZE };

	if (walk->since == 0 || !text_equal(digest, before)) {
		memcpy(walk->digest, digest.data, DIGEST_SIZE);
		walk->since = now;
	}
	return now - walk->since >= walk->wait_ms;
}

static enum store_result
do_step(struct publisher_walk *walk)
{
	struct store *store = walk->store;
	struct arena *arena = &walk->step;
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct state state;
	struct text hosts, digest;

	pipeline_add(&pipeline, TEXT("HGET"),
	    key_versions(arena, &store->buckets, 0), PUBLISHER_WALK_FIELD);
	pipeline_add(&pipeline, TEXT("HGET"),
	    key_settings(arena, &store->buckets), SETTINGS_SHARED_HOSTS);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (!parse_state(reply_text(&pipeline.replies[0]), &state))
		state = (struct state){ .list_time = 0 };
	hosts = reply_text(&pipeline.replies[1]);
	digest = text_slice(
	    crypto_digest_hex(arena, TEXT(""), hosts), 0, DIGEST_SIZE);
	if (state.digest.size > 0 && !text_equal(state.digest, digest) &&
	    !is_due(walk, digest))
		return STORE_ABSENT;
	if (text_equal(state.digest, digest) &&
	    state.list_time >= domain_list_time())
		return state.is_walking && state.list_time == domain_list_time()
		    ? walk_on(walk, &state, hosts)
		    : STORE_ABSENT;
	state = (struct state){ .list_time = domain_list_time(),
		.digest = digest,
		.is_walking = true };
	return write_state(walk, &state);
}

STORE_CALL
publisher_walk_step(struct publisher_walk *walk)
{
	enum store_result result = do_step(walk);

	arena_reset(&walk->step);
	return result;
}

/*
 * A session's look-up, which nearly every request of a member begins with: one round trip,
 * in which the request's limit is counted as well.
 *
 *	cookie "17.SECRET" --> read_cookie: member 17, digest of the secret
 *
 *	one pipeline	HGET {u17}sessions DIGEST	reply SESSION
 *			HGETALL {u17}user		reply MEMBER
 *			TIME, versions			replies CLOCK, VERSIONS... (1)
 *			INCR {u17}limit:KIND		reply counters.first	   (2)
 *			HGET {u17}limit:bytes		the last reply		   (3)
 *
 *	ABSENT <-- no session, or is_over
 *	DOWN   <-- the member's slot is lost, or Redis is full (2 failed)
 *	LIMITED <- limit_check
 *	OK
 *
 * (1) is left out where versions are cached (store/versions.h), (2) where there is no
 * limit, (3) for most requests. A second pipeline, settle_counters, is empty but for the
 * first use of an hour.
 */
#include "store/session.h"

#include <stdlib.h>

#include "base/crypto.h"
#include "base/utf8.h"
#include "redis/redis.h"
#include "store/inbox.h"
#include "store/limit.h"

enum {
	SECRET_BYTES = 32,
	AGENT_MAX = 200,
	ID_DIGITS = 16, /* of the digest */
	NOTE_SEEN = 600 /* seconds until use is noted again */
};

/* A parsed cookie, "ID.SECRET": the id says which keys to read. */
struct ticket {
	uint64_t user;
	struct text secret, digest;
};

static bool
read_cookie(struct arena *arena, struct text cookie, struct ticket *ticket)
{
	struct text id;

	if (!text_cut(&cookie, '.', &id) || !text_to_u64(id, &ticket->user))
		return false;
	ticket->secret = cookie;
	if (ticket->user == 0 || cookie.size != (size_t)SECRET_BYTES * 2)
		return false;
	ticket->digest = crypto_digest_hex(arena, TEXT(""), cookie);
	return true;
}

/* Parses the stored value, "created seen agent". */
static struct session
read_session(struct text digest, struct text value)
{
	struct session session = { .id = text_slice(digest, 0, ID_DIGITS) };
	struct text created, seen;

	if (text_cut(&value, ' ', &created) && text_cut(&value, ' ', &seen)) {
		session.created = reply_number_of(created);
		session.seen = reply_number_of(seen);
		session.agent = value;
	}
	return session;
}

static bool
is_over(const struct session *session, const struct rules *rules, int64_t now)
{
	return session->created + rules->session_seconds <= now ||
	    session->seen + rules->session_idle <= now;
}

static int
compare_last_used(const void *a, const void *b)
{
	const struct session *first = a, *second = b;

	return (first->seen < second->seen) - (first->seen > second->seen);
}

/* All sessions of a cookie's member, the last used first; ids are whole digests. */
struct member_sessions {
	struct ticket ticket;
	struct session *sessions;
	size_t count;
	int64_t now;
};

static enum store_result
read_member_sessions(struct store *store, struct arena *arena,
    struct text cookie, struct member_sessions *all)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	if (!read_cookie(arena, cookie, &all->ticket))
		return STORE_ABSENT;
	pipeline_add(
	    &pipeline, TEXT("HGETALL"), key_sessions(arena, all->ticket.user));
	pipeline_add_time(&pipeline, key_sessions(arena, all->ticket.user));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = &pipeline.replies[0];
	all->now = reply_seconds(&pipeline.replies[1]);
	all->count = reply->count / 2;
	all->sessions = arena_new(arena, struct session, all->count);
	for (size_t i = 0; i < all->count; i++) {
		struct text digest = reply_text(reply_item(reply, 2 * i));

		all->sessions[i] = read_session(
		    digest, reply_text(reply_item(reply, 2 * i + 1)));
		all->sessions[i].id = digest;
	}
	if (all->count > 0)
		qsort(all->sessions, all->count, sizeof(*all->sessions),
		    compare_last_used);
	return STORE_OK;
}

/* Shortens and cleans a User-Agent; the cut may be inside a character. */
static struct text
clean_agent(struct arena *arena, struct text agent)
{
	enum utf8_removed removed;

	agent = text_slice(agent, 0, AGENT_MAX);
	for (int i = 0; i < 3 && agent.size > 0 && !utf8_valid(agent); i++)
		agent = text_slice(agent, 0, agent.size - 1);
	return utf8_valid(agent)
	    ? utf8_clean(arena, agent, UTF8_ONE_LINE, &removed)
	    : TEXT("");
}

STORE_CALL
session_start(struct store *store, struct arena *arena, uint64_t user,
    struct text password_hash, const struct second_factor *factor,
    struct text agent, struct text *cookie)
{
	struct text secret = crypto_random_hex(arena, SECRET_BYTES);

	*cookie = text_format(
	    arena, "%llu.%.*s", (unsigned long long)user, TEXT_ARGS(secret));
	return call_write(store, arena, "session_4", key_user(arena, user),
	    crypto_digest_hex(arena, TEXT(""), secret),
	    clean_agent(arena, agent),
	    text_number(arena, store->rules.session_seconds),
	    text_number(arena, SESSION_MAX), password_hash,
	    second_factor_words[factor->kind], factor->value,
	    text_number(arena, INBOX_MAX));
}

/* Updates the time of last use, not on every request, and as a hint: while Redis is full
 * members can still read. */
static void
note_seen(struct store *store, struct arena *arena, const struct ticket *ticket,
    const struct session *session, int64_t now)
{
	int64_t after = store->rules.session_idle / 16;
	struct call call;
	bool is_ahead = session->created > now || session->seen > now;

	if (!is_ahead &&
	    now - session->seen < (after < NOTE_SEEN ? after : NOTE_SEEN))
		return;
	call = call_begin(
	    arena, CALL_WRITES, "seen_1", key_sessions(arena, ticket->user));
	call_add(&call, ticket->digest);
	call_add_number(&call, now);
	call_hint(&call, store);
}

STORE_CALL
session_token_of(const struct store *store, struct arena *arena,
    struct text cookie, struct text *token)
{
	struct ticket ticket;

	if (!read_cookie(arena, cookie, &ticket))
		return STORE_ABSENT;
	/* The whole cookie: another member's id makes another token. */
	*token = session_token(store, arena, cookie);
	return STORE_OK;
}

/* The commands of a look-up that count, and their replies. */
struct counters {
	const struct session_lookup *lookup;
	struct text limit; /* its key; empty: none */
	size_t first;	   /* index of the first reply */
};

static struct counters
add_counters(struct pipeline *pipeline, const struct store *store,
    const struct session_lookup *lookup, uint64_t user)
{
	struct counters counters = { lookup, TEXT(""), pipeline->count };

	if (limit_is_set(store, lookup->limit)) {
		counters.limit =
		    limit_member_key(pipeline->arena, lookup->limit, user);
		limit_increment(pipeline, counters.limit);
	}
	return counters;
}

/* Sends the follow-up of the count, if any: its expiry. */
static enum store_result
settle_counters(const struct pipeline *counted, const struct counters *counters)
{
	struct pipeline pipeline =
	    pipeline_begin(counted->redis, counted->arena);

	if (counters->limit.size > 0)
		limit_set_expiry(&pipeline, counters->lookup->limit,
		    counters->limit, &counted->replies[counters->first]);
	return store_run(&pipeline);
}

/* Indexes of replies; the last two are not there where versions are cached. */
enum { SESSION, MEMBER, CLOCK, VERSIONS };

/* Sets the clock, and the versions if they are wanted: as read with the session, or as
 * cached. */
static enum store_result
read_versions(struct store *store, const struct pipeline *pipeline,
    const struct session_lookup *asked, int64_t votes, int64_t *now)
{
	struct versions *versions = asked->versions;

	if (versions != NULL && !versions_are_uncached(store)) {
		if (versions_get(store, pipeline->arena, votes, versions) !=
		    STORE_OK)
			return STORE_DOWN;
		*now = versions->now;
		return STORE_OK;
	}
	*now = reply_seconds(&pipeline->replies[CLOCK]);
	if (versions != NULL)
		versions_read(versions, store, pipeline, VERSIONS, *now, votes);
	return STORE_OK;
}

/* True when the member's own slot was reached: buckets may be lost. */
static bool
is_member_there(
    const struct pipeline *pipeline, const struct counters *counters)
{
	for (size_t i = 0; i < pipeline->count; i++)
		if ((i < VERSIONS || i >= counters->first) &&
		    pipeline->replies[i].kind == REPLY_LOST)
			return false;
	return true;
}

/* As redis_try, and redis_run for what is read ahead, in one round trip. lookup may be NULL. */
static bool
run_lookup(struct pipeline *pipeline, struct session_lookup *lookup)
{
	bool is_accepted;

	if (lookup == NULL || lookup->ahead == NULL)
		return redis_try(pipeline);
	redis_send(lookup->ahead);
	is_accepted = redis_try(pipeline);
	lookup->is_ahead_answered = redis_wait(lookup->ahead);
	return is_accepted;
}

STORE_CALL
session_find(struct store *store, struct arena *arena, struct text cookie,
    struct user *user, struct session_lookup *lookup)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct session_lookup none = { .versions = NULL };
	const struct session_lookup *asked = lookup == NULL ? &none : lookup;
	const struct reply *replies;
	struct session session;
	struct ticket ticket;
	struct counters counters;
	bool is_counted;
	int64_t now;

	if (!read_cookie(arena, cookie, &ticket))
		return STORE_ABSENT;
	pipeline_add(&pipeline, TEXT("HGET"), key_sessions(arena, ticket.user),
	    ticket.digest);
	schema_ask(&pipeline, &user_schema, SCHEMA_WHOLE,
	    key_user(arena, ticket.user));
	if (asked->versions == NULL || versions_are_uncached(store))
		pipeline_add_time(&pipeline, key_user(arena, ticket.user));
	if (asked->versions != NULL && versions_are_uncached(store))
		versions_ask(&pipeline, store);
	counters = add_counters(&pipeline, store, asked, ticket.user);
	if (asked->wants_day_bytes)
		limit_ask_bytes(&pipeline, ticket.user);
	is_counted = run_lookup(&pipeline, lookup);
	if (!is_member_there(&pipeline, &counters) ||
	    (is_counted ? settle_counters(&pipeline, &counters) != STORE_OK
			: !pipeline_met_full(&pipeline)))
		return STORE_DOWN;
	replies = pipeline.replies;
	session = read_session(ticket.digest, reply_text(&replies[SESSION]));
	*user = (struct user){ .id = ticket.user };
	schema_read(&user_schema, SCHEMA_WHOLE, &replies[MEMBER], user);
	if (read_versions(store, &pipeline, asked, user->votes, &now) !=
	    STORE_OK) {
		*user = (struct user){ .id = 0 };
		return STORE_DOWN;
	}
	if (user->name.size == 0 || is_over(&session, &store->rules, now))
		return STORE_ABSENT;
	if (is_counted)
		note_seen(store, arena, &ticket, &session, now);
	if (lookup != NULL) {
		lookup->now = now;
		lookup->age = now - session.created;
		if (asked->wants_day_bytes)
			lookup->day_bytes =
			    reply_count(&replies[pipeline.count - 1]);
	}
	if (!is_counted)
		return STORE_DOWN;
	return counters.limit.size == 0
	    ? STORE_OK
	    : limit_check(store, arena, asked->limit, counters.limit,
		  &replies[counters.first], &lookup->wait);
}

STORE_CALL
session_list(struct store *store, struct arena *arena, struct text cookie,
    struct session **sessions, size_t *count, int64_t *now)
{
	struct member_sessions all;
	enum store_result result =
	    read_member_sessions(store, arena, cookie, &all);

	if (result != STORE_OK)
		return result;
	*sessions = all.sessions;
	*count = 0;
	*now = all.now;
	for (size_t i = 0; i < all.count; i++) {
		struct session session = all.sessions[i];

		if (is_over(&session, &store->rules, all.now))
			continue;
		session.current = text_equal(session.id, all.ticket.digest);
		session.id = text_slice(session.id, 0, ID_DIGITS);
		(*sessions)[(*count)++] = session;
	}
	return STORE_OK;
}

STORE_CALL
session_end(struct store *store, struct arena *arena, struct text cookie)
{
	struct ticket ticket;

	return read_cookie(arena, cookie, &ticket)
	    ? store_write(store, arena, TEXT("HDEL"),
		  key_sessions(arena, ticket.user), ticket.digest)
	    : STORE_OK;
}

STORE_CALL
session_end_other(struct store *store, struct arena *arena, struct text cookie,
    struct text id)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct member_sessions all;
	enum store_result result =
	    read_member_sessions(store, arena, cookie, &all);

	if (result != STORE_OK)
		return result;
	for (size_t i = 0; i < all.count; i++) {
		struct text digest = all.sessions[i].id;
		bool named = id.size == 0
		    ? !text_equal(digest, all.ticket.digest)
		    : text_equal(text_slice(digest, 0, ID_DIGITS), id);

		if (named)
			pipeline_add_replicated(&pipeline, TEXT("HDEL"),
			    key_sessions(arena, all.ticket.user), digest);
	}
	if (pipeline.count == 0 && id.size > 0)
		return STORE_ABSENT;
	return store_run(&pipeline);
}

struct text
session_token(
    const struct store *store, struct arena *arena, struct text secret)
{
	return crypto_digest_hex(arena, store->secret, secret);
}

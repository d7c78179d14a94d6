#include "store/newcomer.h"

#include "base/arena.h"
#include "base/url.h"
#include "redis/redis.h"
#include "store/keys.h"
#include "store/publisher.h"

enum { DAY = 86400, PUBLISHERS_MAX = 24 };

#define NEWCOMER TEXT("newcomer")
#define KEPT	 TEXT("kept")

bool
newcomer_is(const struct user *user)
{
	return user->newcomer != 0 && user->trusted == 0 &&
	    user->role == ROLE_MEMBER;
}

STORE_CALL
newcomer_backing(
    struct store *store, struct arena *arena, struct user *users, size_t count)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	const struct reply *reply;

	for (size_t i = 0; i < count; i++)
		for (uint64_t b = 0; b < store->buckets.count; b++)
			pipeline_add(&pipeline, TEXT("HGET"),
			    key_backing(arena, &store->buckets, b),
			    text_number(arena, (int64_t)users[i].id));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < count; i++)
		for (uint64_t b = 0; b < store->buckets.count; b++) {
			int64_t counted = reply_number(reply++);

			/* Counts of earlier versions may be below zero. */
			users[i].backing += counted > 0 ? counted : 0;
		}
	return STORE_OK;
}

STORE_CALL
newcomer_settle(
    struct store *store, struct arena *arena, struct user *user, int64_t now)
{
	const struct rules *rules = &store->rules;
	struct user counted = *user;

	if (!newcomer_is(user) ||
	    now - user->newcomer < rules->newcomer_days * DAY)
		return STORE_OK;
	if (newcomer_backing(store, arena, &counted, 1) != STORE_OK)
		return STORE_DOWN;
	if (counted.backing < rules->newcomer_votes)
		return STORE_OK;
	user->newcomer = 0;
	return store_write(
	    store, arena, TEXT("HDEL"), key_user(arena, user->id), NEWCOMER);
}

STORE_CALL
newcomer_note_kept(struct store *store, struct arena *arena, uint64_t user)
{
	struct text key = key_user(arena, user);
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	pipeline_add(&pipeline, TEXT("HMGET"), key, NEWCOMER, KEPT);
	pipeline_add_time(&pipeline, key);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	if (reply_item(&pipeline.replies[0], 0)->kind == REPLY_NIL ||
	    reply_item(&pipeline.replies[0], 1)->kind != REPLY_NIL)
		return STORE_OK;
	return store_write(store, arena, TEXT("HSET"), key, KEPT,
	    text_number(arena, reply_seconds(&pipeline.replies[1])));
}

/* Publishers of links, each once, with the host of the first link from there. */
struct publishers {
	struct text names[PUBLISHERS_MAX], hosts[PUBLISHERS_MAX];
	size_t count;
};

static bool
has_publisher(const struct publishers *publishers, struct text name)
{
	for (size_t i = 0; i < publishers->count; i++)
		if (text_equal(publishers->names[i], name))
			return true;
	return false;
}

/* Returns the host that is one too many; or empty. */
static struct text
collect_publishers(const struct store *store, struct arena *arena,
    struct text links, struct text own, struct publishers *publishers)
{
	struct text link;

	publishers->count = 0;
	while (text_next_word(&links, &link)) {
		struct text host = url_host_name(arena, link), name;

		if (text_equal(host, own))
			continue;
		name = publisher_of(arena, link, store->rules.shared_hosts);
		if (has_publisher(publishers, name))
			continue;
		if (publishers->count == PUBLISHERS_MAX)
			return host;
		publishers->names[publishers->count] = name;
		publishers->hosts[publishers->count++] = host;
	}
	return TEXT("");
}

STORE_CALL
newcomer_find_unknown(struct store *store, struct arena *arena,
    struct text links, struct text own, int64_t now, struct text *host)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text since = text_number(arena, now - RULE_KNOWN_SECONDS);
	struct publishers publishers;
	const struct reply *reply;

	*host = collect_publishers(store, arena, links, own, &publishers);
	for (size_t i = 0; i < publishers.count; i++)
		for (uint64_t b = 0; b < store->buckets.count; b++)
			pipeline_add(&pipeline, TEXT("ZRANGE"),
			    key_time(arena, &store->buckets, b,
				key_list_of_publisher(
				    arena, publishers.names[i])),
			    TEXT("-inf"), since, TEXT("BYSCORE"), TEXT("LIMIT"),
			    TEXT("0"), TEXT("1"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	reply = pipeline.replies;
	for (size_t i = 0; i < publishers.count; i++) {
		bool is_known = false;

		for (uint64_t b = 0; b < store->buckets.count; b++)
			is_known = (reply++)->count > 0 || is_known;
		if (!is_known && host->size == 0)
			*host = publishers.hosts[i];
	}
	return STORE_OK;
}

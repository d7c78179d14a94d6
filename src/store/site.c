#include "store/site.h"

#include "base/crypto.h"
#include "base/log.h"
#include "store/keys.h"
#include "store/reply.h"

enum { DEFAULT_BUCKETS = 1, DEFAULT_VOTE_SCORE = 86400 / 200 };

static const char functions[] =
#include "functions.inc"
    ;

STORE_CALL
site_load_functions(struct store *store, struct arena *arena)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);

	redis_add(&pipeline, TEXT("FUNCTION"), TEXT("LOAD"), TEXT("REPLACE"),
	    text_of(functions));
	return redis_run(&pipeline) ? STORE_OK : STORE_DOWN;
}

static bool
differs(struct arena *arena, const char *what, int64_t asked, int64_t stored,
    struct text *why)
{
	if (asked == 0 || asked == stored)
		return false;
	*why = text_format(arena,
	    "the site was created with %s %lld, and %lld is asked for: to "
	    "change it, dump the site and load it into a new one",
	    what, (long long)stored, (long long)asked);
	return true;
}

STORE_CALL
site_open(struct store *store, struct arena *arena, struct text *why)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);
	struct rules *rules = &store->rules;
	int64_t buckets = (int64_t)rules->buckets;
	int64_t vote_score = rules->vote_score;
	const struct reply *site;

	redis_add(&pipeline, TEXT("FCALL"), TEXT("site_1"), TEXT("1"),
	    key_site(), KEYS_VERSION,
	    text_number(arena, buckets > 0 ? buckets : DEFAULT_BUCKETS),
	    text_number(
		arena, vote_score > 0 ? vote_score : DEFAULT_VOTE_SCORE),
	    crypto_random_hex(arena, 32));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	site = &pipeline.replies[0];
	if (!text_equal(reply_text(reply_item(site, 0)), KEYS_VERSION)) {
		*why = text_format(arena,
		    "the site's data has layout %.*s, and this program knows "
		    "%.*s alone",
		    TEXT_ARGS(reply_text(reply_item(site, 0))),
		    TEXT_ARGS(KEYS_VERSION));
		return STORE_TAKEN;
	}
	rules->buckets = (uint64_t)reply_number(reply_item(site, 1));
	rules->vote_score = reply_number(reply_item(site, 2));
	store->secret = reply_text(reply_item(site, 3));
	if (differs(arena, "TALLY_BUCKETS", buckets, (int64_t)rules->buckets,
		why) ||
	    differs(
		arena, "TALLY_VOTE_SCORE", vote_score, rules->vote_score, why))
		return STORE_TAKEN;
	return STORE_OK;
}

STORE_CALL
site_time(struct store *store, struct arena *arena, int64_t *now)
{
	struct pipeline pipeline = redis_pipeline(store->redis, arena);

	redis_add(&pipeline, TEXT("TIME"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*now = reply_seconds(&pipeline.replies[0]);
	return STORE_OK;
}

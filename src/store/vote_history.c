#include "store/vote_history.h"

#include "base/arena.h"
#include "redis/redis.h"
#include "store/encoding.h"
#include "store/function_call.h"

/* An entry's score: the moment times VOTE_CODES, and the vote, with VOTE_VOIDED if it is
 * voided; as in functions/vote_history.lua. */
enum { VOTE_VOIDED = 4, VOTE_CODES = 8 };

int64_t
vote_entry_encode(const struct vote_entry *entry)
{
	return entry->at * VOTE_CODES + (int64_t)entry->vote +
	    (entry->is_voided ? VOTE_VOIDED : 0);
}

bool
vote_entry_decode(
    struct text member, const struct reply *score, struct vote_entry *entry)
{
	int64_t number = reply_number(score);
	int64_t code = number % VOTE_CODES, vote = code % VOTE_VOIDED;

	*entry = (struct vote_entry){ .post = decode_post(member),
		.at = number / VOTE_CODES,
		.vote = (enum vote)vote,
		.is_voided = code >= VOTE_VOIDED };
	return entry->post.article != 0 && entry->at > 0 && vote <= VOTE_DOWN &&
	    (vote != VOTE_NONE || !entry->is_voided);
}

/* The commands of an announcement, which go over one connection in this order: whoever finds the
 * later count of votes finds the entry as well. */
enum { FORMER, ENTRY, COUNT, COMMANDS };

void
vote_history_announce(
    struct pipeline *pipeline, uint64_t user, const struct vote_entry *entry)
{
	struct arena *arena = pipeline->arena;
	struct text votes = key_votes(arena, user);
	struct text post = encode_post(arena, entry->post);

	pipeline_add_replicated(pipeline, TEXT("ZSCORE"), votes, post);
	pipeline_add_replicated(pipeline, TEXT("ZADD"), votes,
	    text_number(arena, vote_entry_encode(entry)), post);
	pipeline_add_replicated(pipeline, TEXT("HINCRBY"),
	    key_user(arena, user), TEXT("votes"), TEXT("1"));
}

/* Leaves the newest entries, now and then. */
static void
trim_votes(struct store *store, struct arena *arena, uint64_t user)
{
	const struct text words[] = { TEXT("ZREMRANGEBYRANK"),
		key_votes(arena, user), TEXT("0"),
		text_number(arena, -VOTE_HISTORY_MAX - 1) };

	redis_hint(store->redis, 1, words, sizeof(words) / sizeof(words[0]));
}

struct vote_announcement
vote_history_announced(struct store *store, uint64_t user,
    const struct vote_entry *entry, const struct pipeline *pipeline)
{
	struct arena *arena = pipeline->arena;
	const struct reply *replies = pipeline->replies;

	if (reply_number(&replies[COUNT]) % VOTE_HISTORY_SLACK == 0)
		trim_votes(store, arena, user);
	return (struct vote_announcement){ .user = user,
		.post = entry->post,
		.is = text_number(arena, vote_entry_encode(entry)),
		.was = reply_text(&replies[FORMER]) };
}

/* The former entry, voided or counted again; without a vote when there is none. */
static struct vote_entry
changed_entry(struct text post, const struct reply *former, int64_t now,
    enum vote_change change)
{
	struct vote_entry entry;

	if (!vote_entry_decode(post, former, &entry))
		entry.vote = VOTE_NONE;
	entry.at = now;
	entry.is_voided = change == CHANGE_VOID && entry.vote != VOTE_NONE;
	return entry;
}

STORE_CALL
vote_history_change(struct store *store, struct arena *arena, uint64_t user,
    struct post_id post, enum vote_change change,
    struct vote_announcement *announcement)
{
	struct pipeline asked = pipeline_begin(store->redis, arena),
			announced = pipeline_begin(store->redis, arena);
	struct text key = key_user(arena, user);
	struct text member = encode_post(arena, post);
	struct vote_entry entry;
	enum { FIELDS, SCORE, CLOCK };

	*announcement = (struct vote_announcement){ .user = 0 };
	pipeline_add(&asked, TEXT("HMGET"), key, TEXT("name"), TEXT("closed"));
	pipeline_add(&asked, TEXT("ZSCORE"), key_votes(arena, user), member);
	pipeline_add_time(&asked, key);
	if (!redis_run(&asked))
		return STORE_DOWN;
	if (reply_item(&asked.replies[FIELDS], 0)->kind == REPLY_NIL ||
	    reply_item(&asked.replies[FIELDS], 1)->kind != REPLY_NIL)
		return STORE_OK;
	entry = changed_entry(member, &asked.replies[SCORE],
	    reply_seconds(&asked.replies[CLOCK]), change);
	vote_history_announce(&announced, user, &entry);
	if (!redis_run(&announced))
		return STORE_DOWN;
	*announcement = vote_history_announced(store, user, &entry, &announced);
	return STORE_OK;
}

STORE_CALL
vote_history_withdraw(struct store *store, struct arena *arena,
    const struct vote_announcement *announcement)
{
	if (announcement->user == 0)
		return STORE_OK;
	return call_write(store, arena, "withdraw_vote_1",
	    key_user(arena, announcement->user),
	    encode_post(arena, announcement->post), announcement->is,
	    announcement->was);
}

static size_t
decode_all(const struct reply *all, size_t count, struct vote_entry *entries)
{
	size_t got = 0;

	for (size_t i = 0; i + 1 < all->count && got < count; i += 2)
		got += vote_entry_decode(reply_text(reply_item(all, i)),
		    reply_item(all, i + 1), &entries[got]);
	return got;
}

STORE_CALL
vote_history_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct vote_entry **entries, size_t *got,
    uint64_t *total)
{
	const struct reply *all = store_read_range(
	    store, arena, key_votes(arena, user), start, count, total);

	if (all == NULL)
		return STORE_DOWN;
	*entries = arena_new(arena, struct vote_entry, count);
	*got = decode_all(all, count, *entries);
	if (*total > VOTE_HISTORY_MAX)
		*total = VOTE_HISTORY_MAX;
	return STORE_OK;
}

STORE_CALL
vote_history_erase(struct store *store, struct arena *arena, uint64_t user)
{
	return store_write(store, arena, TEXT("DEL"), key_votes(arena, user));
}

void
vote_history_ask_recent(struct pipeline *pipeline, uint64_t user)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("ZREVRANGE"), key_votes(arena, user),
	    TEXT("0"), text_number(arena, VOTE_HISTORY_RECENT_MAX - 1),
	    TEXT("WITHSCORES"));
}

size_t
vote_history_read_recent(
    const struct reply *reply, int64_t now, uint64_t *articles)
{
	struct vote_entry entries[VOTE_HISTORY_RECENT_MAX];
	size_t got = decode_all(reply, VOTE_HISTORY_RECENT_MAX, entries);
	size_t count = 0;

	for (size_t i = 0; i < got; i++)
		if (entries[i].at > now - VOTE_HISTORY_RECENT_SECONDS)
			articles[count++] = entries[i].post.article;
	return count;
}

void
vote_history_load(
    struct pipeline *pipeline, uint64_t user, const struct vote_entry *entry)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_vote_1", key_user(arena, user),
	    encode_post(arena, entry->post),
	    text_number(arena, vote_entry_encode(entry)),
	    text_number(arena, VOTE_HISTORY_MAX));
}

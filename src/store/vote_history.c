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

void
vote_history_announce(struct pipeline *pipeline, uint64_t user,
    struct post_id post, enum vote_change change)
{
	static const struct text words[] = { [CHANGE_NONE] = TEXT_INIT("none"),
		[CHANGE_UP] = TEXT_INIT("up"),
		[CHANGE_DOWN] = TEXT_INIT("down"),
		[CHANGE_VOID] = TEXT_INIT("void"),
		[CHANGE_COUNT] = TEXT_INIT("count") };
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_WRITES, "announce_vote_1", key_user(arena, user));

	call_add(&call, encode_post(arena, post), words[change]);
	call_add_number(&call, VOTE_HISTORY_MAX);
	call_send(&call, pipeline);
}

struct vote_announcement
vote_history_read_reply(
    uint64_t user, struct post_id post, const struct reply *reply)
{
	struct vote_announcement announcement = { .user = user, .post = post };

	announcement.is = reply_text(reply_item(reply, 0));
	announcement.was = reply_text(reply_item(reply, 1));
	if (announcement.is.size == 0)
		announcement.user = 0;
	return announcement;
}

STORE_CALL
vote_history_withdraw(struct store *store, struct arena *arena,
    const struct vote_announcement *announcement)
{
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

#include "store/post.h"

const struct text vote_words[] = {
	[VOTE_NONE] = TEXT_INIT("none"),
	[VOTE_UP] = TEXT_INIT("up"),
	[VOTE_DOWN] = TEXT_INIT("down"),
};

bool
vote_parse(struct text word, enum vote *vote)
{
	size_t index;

	if (!text_index(word, vote_words, 3, &index))
		return false;
	*vote = (enum vote)index;
	return true;
}

bool
post_is_open(const struct post *post, int64_t now)
{
	return now < post->closes && post->removed == 0;
}

void
post_ask_vote(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user)
{
	struct arena *arena = pipeline->arena;

	pipeline_add(pipeline, TEXT("SMISMEMBER"),
	    key_voters(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user),
	    text_number(arena, -(int64_t)user));
}

enum vote
post_read_vote(const struct reply *reply)
{
	if (reply_number(reply_item(reply, 0)) == 1)
		return VOTE_UP;
	return reply_number(reply_item(reply, 1)) == 1 ? VOTE_DOWN : VOTE_NONE;
}

static struct call
call_on(const struct store *store, struct arena *arena, const char *function,
    struct post_id id)
{
	return call_begin(
	    arena, CALL_WRITES, function, key_post(arena, &store->buckets, id));
}

bool
post_is_withdrawn(const struct post *post)
{
	return post->removed != 0 && post->removed_by.id == post->author.id;
}

/* How a member stands in the record whose vote was voided. */
static struct text
voided(struct arena *arena, uint64_t user)
{
	return text_number(arena, KEY_VOID_OFFSET + (int64_t)user);
}

STORE_CALL
post_vote(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum vote wanted)
{
	struct call call = call_on(store, arena, "vote_3", id);

	call_add_number(&call, (int64_t)user);
	call_add(&call, vote_words[wanted]);
	call_add_number(&call, store->rules.vote_score);
	call_add_number(&call, store->rules.interesting);
	call_add(&call, voided(arena, user));
	return call_run(&call, store, NULL);
}

STORE_CALL
post_void(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum voiding wanted, const struct mod_action *act)
{
	static const struct text words[] = {
		[VOIDING_VOID] = TEXT_INIT("void"),
		[VOIDING_COUNT] = TEXT_INIT("count"),
	};
	struct call call = call_on(store, arena, "void_1", id);

	call_add_number(&call, (int64_t)user);
	call_add(&call, voided(arena, user), words[wanted]);
	call_add_number(&call, store->rules.vote_score);
	call_add_number(&call, store->rules.interesting);
	return mod_action_run(&call, store, act);
}

STORE_CALL
post_remove(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *act)
{
	struct call call = call_on(store, arena, "remove_3", id);

	return mod_action_run(&call, store, act);
}

STORE_CALL
post_withdraw(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user)
{
	struct call call = call_on(store, arena, "withdraw_1", id);

	call_add_number(&call, (int64_t)user);
	return call_run(&call, store, NULL);
}

STORE_CALL
post_delete(
    struct store *store, struct arena *arena, struct post_id id, uint64_t user)
{
	struct call call = call_on(store, arena, "delete_1", id);

	call_add_number(&call, (int64_t)user);
	return call_run(&call, store, NULL);
}

STORE_CALL
post_restore(struct store *store, struct arena *arena, struct post_id id,
    struct text groups, const struct mod_action *act)
{
	struct call call = call_on(store, arena, "restore_3", id);

	call_add_number(&call, store->rules.vote_score);
	call_add(&call, groups);
	return mod_action_run(&call, store, act);
}

/* Bytes that a sorted set has of an article, and the most of a short number, which have
 * room for 42 bits. */
enum { ARTICLE_SIZE = 6, SHORT_MAX = 6 };

static struct text
number_bytes(struct arena *arena, uint64_t number, size_t size)
{
	char *bytes = arena_bytes(arena, size);

	for (size_t i = size; i-- > 0; number >>= 8)
		bytes[i] = (char)number;
	return (struct text){ bytes, size };
}

uint64_t
decode_number(struct text bytes)
{
	uint64_t number = 0;

	for (size_t i = 0; i < bytes.size; i++)
		number = number << 8 | (unsigned char)bytes.data[i];
	return number;
}

/* The ones with which a number of so many bytes begins. */
static uint64_t
ones_of(size_t size)
{
	return (uint64_t)(0x100 - (0x200 >> size)) << 8 * (size - 1);
}

static struct text
short_bytes(struct arena *arena, uint64_t number)
{
	size_t size = 1;

	while (number >> 7 * size != 0)
		size++;
	return number_bytes(arena, ones_of(size) | number, size);
}

/* Takes a short number off the bytes; 0 when they do not begin with one. */
static uint64_t
take_short(struct text *bytes)
{
	size_t size = 1;
	uint64_t number;

	if (bytes->size == 0)
		return 0;
	while (((unsigned char)bytes->data[0] << (size - 1) & 0x80) != 0)
		size++;
	if (size > SHORT_MAX || size > bytes->size)
		return 0;
	number = decode_number(text_slice(*bytes, 0, size)) - ones_of(size);
	*bytes = text_slice(*bytes, size, bytes->size);
	return number;
}

struct text
encode_post(struct arena *arena, struct post_id id)
{
	return id.comment == 0
	    ? number_bytes(arena, id.article, ARTICLE_SIZE)
	    : text_join(arena, short_bytes(arena, id.article),
		  short_bytes(arena, id.comment));
}

struct post_id
decode_post(struct text member)
{
	const struct post_id none = { .article = 0 };
	struct post_id id = none;

	if (member.size == ARTICLE_SIZE && member.data[0] == 0) {
		id.article = decode_number(member);
		return id;
	}
	id.article = take_short(&member);
	id.comment = take_short(&member);
	return id.article == 0 || id.comment == 0 || member.size > 0 ||
		id.comment >> KEY_COMMENT_BITS != 0
	    ? none
	    : id;
}

#define IS_COMMENT (UINT64_C(1) << 63)

uint64_t
post_id_to_number(struct post_id id)
{
	return id.comment == 0
	    ? id.article
	    : IS_COMMENT | id.article << KEY_COMMENT_BITS | id.comment;
}

struct post_id
post_id_from_number(uint64_t number)
{
	const uint64_t comments = (UINT64_C(1) << KEY_COMMENT_BITS) - 1;
	struct post_id id = { .article = number };

	if ((number & IS_COMMENT) != 0) {
		id.article = (number & ~IS_COMMENT) >> KEY_COMMENT_BITS;
		id.comment = number & comments;
	}
	return id;
}

uint64_t
decode_post_number(struct text member)
{
	return post_id_to_number(decode_post(member));
}

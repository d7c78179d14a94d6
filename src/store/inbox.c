#include "store/inbox.h"

#include "base/arena.h"
#include "base/sort.h"
#include "redis/redis.h"
#include "store/post.h"

const struct text notice_words[] = {
	[NOTICE_ARTICLE] = TEXT_INIT("article"),
	[NOTICE_REPLY] = TEXT_INIT("reply"),
	[NOTICE_MENTION] = TEXT_INIT("mention"),
	[NOTICE_ACTION] = TEXT_INIT("action"),
	[NOTICE_CODE_PASSWORD] = TEXT_INIT("code-password"),
	[NOTICE_CODE_FACTOR] = TEXT_INIT("code-factor"),
};

enum { WHYS = sizeof(notice_words) / sizeof(notice_words[0]) };

bool
notice_parse(struct text word, enum notice_reason *why)
{
	size_t index;

	if (!text_index(word, notice_words, WHYS, &index))
		return false;
	*why = (enum notice_reason)index;
	return true;
}

struct text
notice_encode(struct arena *arena, const struct notice *notice)
{
	char left = (char)notice->left, why = (char)notice->reason;
	struct post_id id = notice->comment;
	struct text bytes;

	if (notice->reason == NOTICE_ACTION)
		id = (struct post_id){ .article = notice->action };
	else if (notice->used != 0)
		id = (struct post_id){ .article = (uint64_t)notice->used };
	bytes = encode_post(arena, id);
	if (notice->used != 0)
		bytes = text_join(arena, bytes, (struct text){ &left, 1 });
	return text_join(arena, bytes, (struct text){ &why, 1 });
}

/* "7", or "7.5" of a notice that was read by itself. */
static bool
read_score(struct text score, struct notice *notice)
{
	struct text number;

	text_cut(&score, '.', &number);
	notice->is_read = score.data != NULL;
	return text_to_u64(number, &notice->number) && notice->number != 0 &&
	    (!notice->is_read || text_equal(score, TEXT("5")));
}

/* When a recovery code was used, and how many were left. */
static bool
decode_use(struct text bytes, struct notice *notice)
{
	struct post_id moment;

	if (bytes.size == 0)
		return false;
	moment = decode_post(text_slice(bytes, 0, bytes.size - 1));
	notice->used = moment.comment == 0 ? (int64_t)moment.article : 0;
	notice->left = (unsigned char)bytes.data[bytes.size - 1];
	return notice->used != 0;
}

bool
notice_decode(
    struct text entry, const struct reply *number, struct notice *notice)
{
	size_t last = entry.size - 1;
	struct post_id id;

	if (entry.size == 0 || (unsigned char)entry.data[last] >= WHYS)
		return false;
	*notice =
	    (struct notice){ .reason = (enum notice_reason)entry.data[last] };
	if (!read_score(reply_text(number), notice))
		return false;
	if (notice->reason >= NOTICE_CODE_PASSWORD)
		return decode_use(text_slice(entry, 0, last), notice);
	id = decode_post(text_slice(entry, 0, last));
	if (notice->reason == NOTICE_ACTION)
		notice->action = id.article;
	else
		notice->comment = id;
	return id.article != 0 &&
	    (id.comment == 0) == (notice->reason == NOTICE_ACTION);
}

STORE_CALL
inbox_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t start, uint64_t count, struct notice **notices, size_t *got,
    uint64_t *total)
{
	const struct reply *all = store_read_range(
	    store, arena, key_inbox(arena, user), start, count, total);

	if (all == NULL)
		return STORE_DOWN;
	*notices = arena_new(arena, struct notice, count);
	*got = 0;
	for (size_t i = 0; i + 1 < all->count && *got < count; i += 2)
		*got += notice_decode(reply_text(reply_item(all, i)),
		    reply_item(all, i + 1), &(*notices)[*got]);
	return STORE_OK;
}

STORE_CALL
inbox_mark_read(
    struct store *store, struct arena *arena, uint64_t user, uint64_t number)
{
	return call_write(store, arena, "read_1", key_user(arena, user),
	    text_number(arena, (int64_t)number));
}

STORE_CALL
inbox_find(struct store *store, struct arena *arena, uint64_t user,
    uint64_t number, struct notice *notice)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);
	struct text least = text_number(arena, (int64_t)number);
	const struct reply *found;

	pipeline_add(&pipeline, TEXT("ZRANGE"), key_inbox(arena, user), least,
	    text_join(arena, least, TEXT(".5")), TEXT("BYSCORE"),
	    TEXT("WITHSCORES"));
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	found = &pipeline.replies[0];
	return found->count > 0 &&
		notice_decode(reply_text(reply_item(found, 0)),
		    reply_item(found, 1), notice)
	    ? STORE_OK
	    : STORE_ABSENT;
}

STORE_CALL
inbox_mark_notice_read(
    struct store *store, struct arena *arena, uint64_t user, uint64_t number)
{
	return call_write(store, arena, "read_notice_1", key_user(arena, user),
	    text_number(arena, (int64_t)number));
}

void
inbox_hint_read(struct store *store, struct arena *arena, uint64_t user,
    uint64_t article, const uint64_t *comments, size_t count)
{
	struct call call = call_begin(
	    arena, CALL_WRITES, "read_thread_1", key_user(arena, user));

	call_add_number(&call, (int64_t)article);
	for (size_t i = 0; i < count; i++)
		call_add_number(&call, (int64_t)comments[i]);
	call_hint(&call, store);
}

void
inbox_hint_comment_read(struct store *store, struct arena *arena, uint64_t user,
    struct post_id comment)
{
	static const enum notice_reason reasons[] = { NOTICE_ARTICLE,
		NOTICE_REPLY, NOTICE_MENTION };
	struct call call = call_begin(
	    arena, CALL_WRITES, "read_entries_1", key_user(arena, user));

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		struct notice notice = { .comment = comment,
			.reason = reasons[i] };

		call_add(&call, notice_encode(arena, &notice));
	}
	call_hint(&call, store);
}

void
inbox_notify(struct pipeline *pipeline, uint64_t user,
    const struct notice *notice, uint64_t author)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "deliver_1", key_user(arena, user),
	    notice_encode(arena, notice),
	    text_number(arena, (int64_t)notice->comment.article),
	    text_number(arena, (int64_t)author), text_number(arena, INBOX_MAX));
}

struct text
mute_encode(struct arena *arena, struct mute mute)
{
	struct text id = text_number(arena, (int64_t)mute.id);

	return mute.kind == MUTE_MEMBER ? text_join(arena, TEXT("@"), id) : id;
}

bool
mute_decode(struct text word, struct mute *mute)
{
	bool is_member = text_starts(word, TEXT("@"));

	mute->kind = is_member ? MUTE_MEMBER : MUTE_ARTICLE;
	return text_to_u64(text_slice(word, is_member, word.size), &mute->id);
}

STORE_CALL
inbox_mute(
    struct store *store, struct arena *arena, uint64_t user, uint64_t article)
{
	return call_write(store, arena, "mute_1", key_user(arena, user),
	    text_number(arena, (int64_t)article),
	    text_number(arena, INBOX_MUTES_MAX));
}

STORE_CALL
inbox_unmute(
    struct store *store, struct arena *arena, uint64_t user, uint64_t article)
{
	return store_write(store, arena, TEXT("SREM"), key_muted(arena, user),
	    text_number(arena, (int64_t)article));
}

int
mute_compare(const void *a, const void *b)
{
	const struct mute *one = a, *other = b;

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	return (one->id > other->id) - (one->id < other->id);
}

STORE_CALL
inbox_mutes(struct store *store, struct arena *arena, uint64_t user,
    uint64_t **articles, size_t *count)
{
	const struct reply *all =
	    store_read(store, arena, TEXT("SMEMBERS"), key_muted(arena, user));
	struct mute mute;

	if (all == NULL)
		return STORE_DOWN;
	*articles = arena_new(arena, uint64_t, all->count);
	*count = 0;
	for (size_t i = 0; i < all->count; i++)
		if (mute_decode(reply_text(reply_item(all, i)), &mute) &&
		    mute.kind == MUTE_ARTICLE)
			(*articles)[(*count)++] = mute.id;
	sort_ids(*articles, *count);
	return STORE_OK;
}

void
inbox_load(
    struct pipeline *pipeline, uint64_t user, const struct notice *notice)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_notice_1", key_user(arena, user),
	    notice_encode(arena, notice),
	    text_format(arena, "%llu%s", (unsigned long long)notice->number,
		notice->is_read ? ".5" : ""),
	    text_number(arena, INBOX_MAX));
}

void
inbox_load_mute(struct pipeline *pipeline, uint64_t user, uint64_t article)
{
	struct arena *arena = pipeline->arena;

	call_send_write(pipeline, "load_mute_1", key_user(arena, user),
	    text_number(arena, (int64_t)article),
	    text_number(arena, INBOX_MUTES_MAX));
}

void
inbox_check(
    struct pipeline *pipeline, uint64_t user, uint64_t start, uint64_t count)
{
	struct arena *arena = pipeline->arena;
	struct call call = call_begin(
	    arena, CALL_READS, "check_inbox_1", key_user(arena, user));

	call_add_number(&call, (int64_t)start);
	call_add_number(&call, (int64_t)(start + count) - 1);
	call_add_number(&call, INBOX_FORMER_MAX);
	call_send(&call, pipeline);
}

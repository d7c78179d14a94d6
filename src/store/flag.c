#include "store/flag.h"

#include "base/arena.h"
#include "redis/redis.h"

enum { COUNTED_MAX = 200 }; /* flags on one post */

const struct text flag_words[] = {
	[FLAG_NONE] = TEXT_INIT("none"),
	[FLAG_OFF_TOPIC] = TEXT_INIT("off-topic"),
	[FLAG_SPAM] = TEXT_INIT("spam"),
	[FLAG_BROKEN] = TEXT_INIT("broken"),
	[FLAG_DUPLICATE] = TEXT_INIT("duplicate"),
	[FLAG_UNKIND] = TEXT_INIT("unkind"),
	[FLAG_FIRST] = TEXT_INIT("first"),
};

bool
flag_is_for_members(enum flag flag)
{
	return flag != FLAG_NONE && flag != FLAG_FIRST;
}

bool
flag_parse(struct text word, enum flag *flag)
{
	size_t index;

	if (!text_index(word, flag_words, FLAG_KINDS, &index))
		return false;
	*flag = (enum flag)index;
	return *flag == FLAG_NONE || flag_is_for_members(*flag);
}

/* "spam 1700000000", and " dismissed" where it was. */
static struct flagged
flagged_of(struct text value)
{
	struct flagged flagged = { .user = 0 };
	struct text word, moment;
	size_t index;

	text_next_word(&value, &word);
	if (text_index(word, flag_words, FLAG_KINDS, &index))
		flagged.flag = (enum flag)index;
	if (text_next_word(&value, &moment))
		flagged.at = reply_number_of(moment);
	flagged.dismissed = text_next_word(&value, &word);
	return flagged;
}

void
flag_ask(struct pipeline *pipeline, const struct store *store,
    struct post_id id, uint64_t user)
{
	pipeline_add(pipeline, TEXT("HGET"),
	    key_flags(pipeline->arena, &store->buckets, id),
	    text_number(pipeline->arena, (int64_t)user));
}

enum flag
flag_read(const struct reply *reply)
{
	return reply->kind == REPLY_TEXT ? flagged_of(reply_text(reply)).flag
					 : FLAG_NONE;
}

STORE_CALL
flag_get(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag *flag)
{
	struct pipeline pipeline = pipeline_begin(store->redis, arena);

	flag_ask(&pipeline, store, id, user);
	if (!redis_run(&pipeline))
		return STORE_DOWN;
	*flag = flag_read(&pipeline.replies[0]);
	return STORE_OK;
}

void
flag_ask_all(
    struct pipeline *pipeline, const struct store *store, struct post_id id)
{
	pipeline_add(pipeline, TEXT("HGETALL"),
	    key_flags(pipeline->arena, &store->buckets, id));
}

size_t
flag_read_all(
    struct arena *arena, const struct reply *reply, struct flagged **flags)
{
	size_t count = reply->count / 2;

	*flags = arena_new(arena, struct flagged, count);
	for (size_t i = 0; i < count; i++) {
		(*flags)[i] =
		    flagged_of(reply_text(reply_item(reply, 2 * i + 1)));
		(*flags)[i].user = reply_id(reply_item(reply, 2 * i));
	}
	return count;
}

struct text
flag_value(struct arena *arena, const struct flagged *flagged)
{
	return text_format(arena, "%.*s %lld%s",
	    TEXT_ARGS(flag_words[flagged->flag]), (long long)flagged->at,
	    flagged->dismissed ? " dismissed" : "");
}

STORE_CALL
flag_set(struct store *store, struct arena *arena, struct post_id id,
    uint64_t user, enum flag wanted)
{
	return call_write(store, arena, "flag_1",
	    key_post(arena, &store->buckets, id),
	    text_number(arena, (int64_t)user), flag_words[wanted]);
}

/* Of the members whose flags on a post are open, those who are that old. */
static enum store_result
count_old_flags(struct store *store, struct arena *arena, struct post_id id,
    int64_t now, size_t *count)
{
	struct pipeline flags = pipeline_begin(store->redis, arena);
	struct pipeline members = pipeline_begin(store->redis, arena);
	struct flagged *all;
	size_t total;
	bool is_partial;

	*count = 0;
	flag_ask_all(&flags, store, id);
	if (!redis_run(&flags))
		return STORE_DOWN;
	total = flag_read_all(arena, &flags.replies[0], &all);
	for (size_t i = 0; i < total && members.count < COUNTED_MAX; i++)
		if (all[i].user != 0 && !all[i].dismissed)
			pipeline_add(&members, TEXT("HGET"),
			    key_user(arena, all[i].user), TEXT("created"));
	if (store_run_partial(store, &members, &is_partial) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < members.count; i++) {
		int64_t created = reply_number(&members.replies[i]);

		*count += created != 0 && now - created >= RULE_FOLD_AGE;
	}
	return STORE_OK;
}

STORE_CALL
flag_fold(struct store *store, struct arena *arena, struct post_id id,
    size_t limit, int64_t now)
{
	size_t count;

	if (count_old_flags(store, arena, id, now, &count) != STORE_OK)
		return STORE_DOWN;
	return count >= limit ? call_write(store, arena, "fold_1",
				    key_post(arena, &store->buckets, id))
			      : STORE_OK;
}

STORE_CALL
flag_dismiss(struct store *store, struct arena *arena, struct post_id id,
    const struct mod_action *action)
{
	struct call call = call_begin(arena, CALL_WRITES, "dismiss_1",
	    key_post(arena, &store->buckets, id));

	return mod_action_run(&call, store, action);
}

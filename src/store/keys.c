#include "store/keys.h"

#include "base/arena.h"
#include "base/buffer.h"

/* Of what lies in a bucket. */
static const struct text names[] = {
	[KEY_ARTICLE] = TEXT_INIT("article"),
	[KEY_COMMENT] = TEXT_INIT("comment"),
	[KEY_UP] = TEXT_INIT("up"),
	[KEY_DOWN] = TEXT_INIT("down"),
	[KEY_TIME] = TEXT_INIT("time"),
	[KEY_SCORE] = TEXT_INIT("score"),
	[KEY_INTERESTING] = TEXT_INIT("interesting"),
	[KEY_KARMA] = TEXT_INIT("karma"),
	[KEY_VERSIONS] = TEXT_INIT("versions"),
};

/* "{0}name", with room for what follows. */
static struct buffer
begin(struct arena *arena, uint64_t bucket, enum key_kind kind)
{
	struct buffer key = buffer_in(arena, 64);

	buffer_add_char(&key, '{');
	buffer_add_number(&key, (int64_t)bucket);
	buffer_add_char(&key, '}');
	buffer_add(&key, names[kind]);
	return key;
}

static struct text
key_of_post(struct arena *arena, uint64_t buckets, enum key_kind kind,
    struct post_id id)
{
	struct buffer key = begin(arena, id.article % buckets, kind);

	buffer_add_char(&key, ':');
	buffer_add_number(&key, (int64_t)id.article);
	if (id.comment != 0) {
		buffer_add_char(&key, ':');
		buffer_add_number(&key, (int64_t)id.comment);
	}
	return buffer_text(&key);
}

static struct text
key_of_list(
    struct arena *arena, uint64_t bucket, enum key_kind kind, struct text list)
{
	struct buffer key = begin(arena, bucket, kind);

	if (list.size > 0)
		buffer_add_char(&key, ':');
	buffer_add(&key, list);
	return buffer_text(&key);
}

struct text
key_post(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return key_of_post(
	    arena, buckets, id.comment == 0 ? KEY_ARTICLE : KEY_COMMENT, id);
}

struct text
key_up(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return key_of_post(arena, buckets, KEY_UP, id);
}

struct text
key_down(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return key_of_post(arena, buckets, KEY_DOWN, id);
}

struct text
key_time(struct arena *arena, uint64_t bucket, struct text list)
{
	return key_of_list(arena, bucket, KEY_TIME, list);
}

struct text
key_score(struct arena *arena, uint64_t bucket, struct text list)
{
	return key_of_list(arena, bucket, KEY_SCORE, list);
}

struct text
key_list_of_author(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("@"), text_number(arena, (int64_t)user));
}

struct text
key_interesting(struct arena *arena, uint64_t bucket)
{
	return key_of_list(arena, bucket, KEY_INTERESTING, TEXT(""));
}

struct text
key_karma(struct arena *arena, uint64_t bucket)
{
	return key_of_list(arena, bucket, KEY_KARMA, TEXT(""));
}

struct text
key_versions(struct arena *arena, uint64_t bucket)
{
	return key_of_list(arena, bucket, KEY_VERSIONS, TEXT(""));
}

struct text
key_member(struct arena *arena, uint64_t id)
{
	return text_format(arena, "%012llu", (unsigned long long)id);
}

struct text
key_link(struct arena *arena, struct text hash)
{
	return text_join(arena, TEXT("link:"), hash);
}

struct text
key_group(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("group:"), name);
}

struct text
key_user(struct arena *arena, uint64_t id)
{
	return text_join(arena, TEXT("user:"), text_number(arena, (int64_t)id));
}

struct text
key_user_name(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("user:name:"), text_lower(arena, name));
}

struct text
key_sessions(struct arena *arena, uint64_t user)
{
	return text_join(
	    arena, TEXT("sessions:"), text_number(arena, (int64_t)user));
}

struct text
key_limit(struct arena *arena, struct text kind, struct text who)
{
	return text_format(
	    arena, "limit:%.*s:%.*s", TEXT_ARGS(kind), TEXT_ARGS(who));
}

enum key_kind
key_kind_of(struct text key, uint64_t *bucket, uint64_t *id, struct text *list)
{
	struct text user = TEXT("user:"), tag, name;
	size_t kind;

	*id = 0;
	*list = (struct text){ NULL, 0 };
	if (text_starts(key, user)) {
		key = text_slice(key, user.size, key.size);
		/* The others are user:name:NAME. */
		return text_to_u64(key, id) ? KEY_USER : KEY_OTHER;
	}
	if (!text_starts(key, TEXT("{")))
		return KEY_OTHER;
	key = text_slice(key, 1, key.size);
	if (!text_cut(&key, '}', &tag) || !text_to_u64(tag, bucket) ||
	    !text_cut(&key, ':', &name) ||
	    !text_index(name, names, sizeof(names) / sizeof(names[0]), &kind))
		return KEY_OTHER;
	if (kind == KEY_TIME || kind == KEY_SCORE)
		*list = key;
	else if (kind <= KEY_DOWN && !text_to_u64(key, id))
		return KEY_OTHER;
	return (enum key_kind)kind;
}

#include "store/keys.h"

#include "base/arena.h"
#include "base/buffer.h"

/* "{0}name", with room for what follows. */
static struct buffer
begin(struct arena *arena, uint64_t bucket, struct text name)
{
	struct buffer key = buffer_in(arena, 64);

	buffer_add_char(&key, '{');
	buffer_add_number(&key, (int64_t)bucket);
	buffer_add_char(&key, '}');
	buffer_add(&key, name);
	return key;
}

static struct text
in_bucket(struct arena *arena, uint64_t bucket, struct text name)
{
	struct buffer key = begin(arena, bucket, name);

	return buffer_text(&key);
}

static struct text
with_id(
    struct arena *arena, uint64_t buckets, struct text name, struct post_id id)
{
	struct buffer key = begin(arena, id.article % buckets, name);

	buffer_add_char(&key, ':');
	buffer_add_number(&key, (int64_t)id.article);
	if (id.comment != 0) {
		buffer_add_char(&key, ':');
		buffer_add_number(&key, (int64_t)id.comment);
	}
	return buffer_text(&key);
}

static struct text
with_list(
    struct arena *arena, uint64_t bucket, struct text name, struct text list)
{
	struct buffer key = begin(arena, bucket, name);

	if (list.size > 0)
		buffer_add_char(&key, ':');
	buffer_add(&key, list);
	return buffer_text(&key);
}

struct text
key_post(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return with_id(arena, buckets,
	    id.comment == 0 ? TEXT("article") : TEXT("comment"), id);
}

struct text
key_up(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return with_id(arena, buckets, TEXT("up"), id);
}

struct text
key_down(struct arena *arena, uint64_t buckets, struct post_id id)
{
	return with_id(arena, buckets, TEXT("down"), id);
}

struct text
key_time(struct arena *arena, uint64_t bucket, struct text list)
{
	return with_list(arena, bucket, TEXT("time"), list);
}

struct text
key_score(struct arena *arena, uint64_t bucket, struct text list)
{
	return with_list(arena, bucket, TEXT("score"), list);
}

struct text
key_list_of_author(struct arena *arena, uint64_t user)
{
	return text_format(arena, "@%llu", (unsigned long long)user);
}

struct text
key_interesting(struct arena *arena, uint64_t bucket)
{
	return in_bucket(arena, bucket, TEXT("interesting"));
}

struct text
key_versions(struct arena *arena, uint64_t bucket)
{
	return in_bucket(arena, bucket, TEXT("versions"));
}

struct text
key_karma(struct arena *arena, uint64_t bucket)
{
	return in_bucket(arena, bucket, TEXT("karma"));
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
key_user(struct arena *arena, uint64_t id)
{
	return text_format(arena, "user:%llu", (unsigned long long)id);
}

struct text
key_user_name(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("user:name:"), text_lower(arena, name));
}

struct text
key_sessions(struct arena *arena, uint64_t user)
{
	return text_format(arena, "sessions:%llu", (unsigned long long)user);
}

struct text
key_limit(struct arena *arena, struct text kind, struct text who)
{
	return text_format(
	    arena, "limit:%.*s:%.*s", TEXT_ARGS(kind), TEXT_ARGS(who));
}

struct text
key_group(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("group:"), name);
}

/* user:ID, and not user:name:NAME. */
static enum key_kind
kind_outside(struct text key, uint64_t *id)
{
	struct text user = TEXT("user:");

	return text_starts(key, user) &&
		text_to_u64(text_slice(key, user.size, key.size), id)
	    ? KEY_USER
	    : KEY_OTHER;
}

enum key_kind
key_kind_of(struct text key, uint64_t *bucket, uint64_t *id, struct text *list)
{
	struct text tag, name, rest = key;

	*id = 0;
	*list = (struct text){ NULL, 0 };
	if (!text_starts(rest, TEXT("{")))
		return kind_outside(key, id);
	rest = text_slice(rest, 1, rest.size);
	if (!text_cut(&rest, '}', &tag) || !text_to_u64(tag, bucket) ||
	    !text_cut(&rest, ':', &name))
		return KEY_OTHER;
	if (text_equal(name, TEXT("time")) || text_equal(name, TEXT("score"))) {
		*list = rest;
		return name.data[0] == 't' ? KEY_TIME : KEY_SCORE;
	}
	if (text_equal(name, TEXT("interesting")))
		return KEY_INTERESTING;
	if (text_equal(name, TEXT("karma")))
		return KEY_KARMA;
	if (!text_to_u64(rest, id))
		return KEY_OTHER;
	if (text_equal(name, TEXT("article")))
		return KEY_ARTICLE;
	if (text_equal(name, TEXT("up")) || text_equal(name, TEXT("down")))
		return KEY_VOTERS;
	return KEY_OTHER;
}

#include "store/keys.h"

#include <time.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/cluster.h"

enum {
	CLAIM_GROUP = 2, /* characters: 4,096 hashes in a bucket */
	/* Articles' ids and comments' numbers together have 64 bits. */
	ARTICLE_BITS = 64 - KEY_COMMENT_BITS
};

/* What follows the word of a key. */
enum key_rest {
	REST_NOTHING,
	REST_ID,      /* ":7" */
	REST_COMMENT, /* ":7:3" */
	REST_POST,    /* either */
	REST_LIST,    /* "", ":redis" or ":@17" */
	REST_ANY      /* not parsed */
};

/* The slot of a key, by the tag that it begins with. */
enum key_place {
	PLACE_ALONE,  /* no tag: a slot of its own */
	PLACE_BUCKET, /* "{b.n}" */
	PLACE_MEMBER  /* "{u17}" */
};

enum key_source { SOURCE_ORIGINAL, SOURCE_DERIVED };

static const struct {
	struct text word;
	enum key_place place;
	enum key_rest rest;
	struct text type;
	enum key_source source;
} kinds[] = {
#define KEY_ROW(name, word, place, rest, type, source) \
	[KEY_##name] = { TEXT_INIT(word), PLACE_##place, REST_##rest, \
		TEXT_INIT(type), SOURCE_##source },
	KEYS(KEY_ROW)
};

static struct text
tag_of(struct arena *arena, uint64_t bucket, uint64_t number)
{
	return text_format(arena, "{%llu.%llu}", (unsigned long long)bucket,
	    (unsigned long long)number);
}

struct buckets
key_buckets(struct arena *arena, uint64_t count)
{
	struct text *tags = arena_new(arena, struct text, count);
	struct arena tries = { 0 };

	for (uint64_t b = 0; b < count; b++) {
		uint64_t number = 0;

		while (cluster_slot(tag_of(&tries, b, number)) * count /
			CLUSTER_SLOTS !=
		    b)
			number++;
		tags[b] = tag_of(arena, b, number);
		arena_reset(&tries);
	}
	arena_free(&tries);
	return (struct buckets){ count, tags };
}

uint64_t
key_bucket_of(const struct buckets *buckets, uint64_t article)
{
	return article % buckets->count;
}

uint64_t
key_id_in(const struct buckets *buckets, uint64_t bucket, uint64_t number)
{
	return bucket == 0 ? number * buckets->count
			   : (number - 1) * buckets->count + bucket;
}

uint64_t
key_number_in(const struct buckets *buckets, uint64_t bucket, uint64_t article)
{
	/* The first id of bucket 0 is count, of another its own number. */
	uint64_t before = bucket == 0 ? 0 : buckets->count - bucket;

	return (article + before) / buckets->count;
}

uint64_t
key_bucket_of_claim(const struct buckets *buckets, struct text claim)
{
	return buckets->count == 1 ? 0 : cluster_slot(claim) % buckets->count;
}

/* "{0.0}word", with room for more. */
static struct buffer
begin_key(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    enum key_kind kind)
{
	struct buffer key = buffer_in(arena, 64);

	buffer_add(&key, buckets->tags[bucket]);
	buffer_add(&key, kinds[kind].word);
	return key;
}

static void
add_post(struct buffer *key, struct post_id id)
{
	buffer_add_number(key, (int64_t)id.article);
	if (id.comment != 0) {
		buffer_add_char(key, ':');
		buffer_add_number(key, (int64_t)id.comment);
	}
}

struct text
key_post_name(struct arena *arena, struct post_id id)
{
	struct buffer name = buffer_in(arena, 24);

	add_post(&name, id);
	return buffer_text(&name);
}

struct text
key_of_post(struct arena *arena, const struct buckets *buckets,
    enum key_kind kind, struct post_id id)
{
	struct buffer key =
	    begin_key(arena, buckets, key_bucket_of(buckets, id.article), kind);

	buffer_add_char(&key, ':');
	add_post(&key, id);
	return buffer_text(&key);
}

struct text
key_in_bucket(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, enum key_kind kind, struct text list)
{
	struct buffer key = begin_key(arena, buckets, bucket, kind);

	if (list.size > 0)
		buffer_add_char(&key, ':');
	buffer_add(&key, list);
	return buffer_text(&key);
}

/* "{u17}word" */
static struct text
key_with_member(struct arena *arena, uint64_t user, struct text word)
{
	struct buffer key = buffer_in(arena, 48);

	buffer_add(&key, TEXT("{u"));
	buffer_add_number(&key, (int64_t)user);
	buffer_add_char(&key, '}');
	buffer_add(&key, word);
	return buffer_text(&key);
}

struct text
key_of_member(struct arena *arena, uint64_t user, enum key_kind kind)
{
	return key_with_member(arena, user, kinds[kind].word);
}

struct text
key_post(struct arena *arena, const struct buckets *buckets, struct post_id id)
{
	return key_of_post(
	    arena, buckets, id.comment == 0 ? KEY_ARTICLE : KEY_COMMENT, id);
}

struct text
key_voters(
    struct arena *arena, const struct buckets *buckets, struct post_id id)
{
	return key_of_post(arena, buckets, KEY_VOTERS, id);
}

struct text
key_flags(struct arena *arena, const struct buckets *buckets, struct post_id id)
{
	return key_of_post(arena, buckets, KEY_FLAGS, id);
}

struct text
key_list_of_author(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("@"), text_number(arena, (int64_t)user));
}

struct text
key_list_of_publisher(struct arena *arena, struct text publisher)
{
	return text_join(arena, TEXT("/"), publisher);
}

bool
key_list_is_of_group(struct text list)
{
	return list.size > 0 && list.data[0] != '@' && list.data[0] != '/';
}

struct text
key_month(struct arena *arena, int64_t moment)
{
	time_t seconds = moment;
	struct tm date;

	/* A moment that the calendar does not have is in the first month. */
	if (gmtime_r(&seconds, &date) == NULL)
		return TEXT("1970-01");
	return text_format(
	    arena, "%04d-%02d", date.tm_year + 1900, date.tm_mon + 1);
}

struct text
key_list_of_month(struct arena *arena, struct text month, struct text group)
{
	return group.size == 0
	    ? month
	    : text_join(arena, text_join(arena, month, TEXT("/")), group);
}

struct text
key_log_of_kind(struct arena *arena, struct text kind)
{
	return text_join(arena, TEXT("="), kind);
}

struct text
key_log_of_member(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("@"), text_number(arena, (int64_t)user));
}

struct text
key_log_of_moderator(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("^"), text_number(arena, (int64_t)user));
}

struct text
key_log_of_decision(struct arena *arena, uint64_t decision)
{
	return text_join(
	    arena, TEXT("%"), text_number(arena, (int64_t)decision));
}

struct text
key_log_of_parts_by(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("+"), text_number(arena, (int64_t)user));
}

struct text
key_moved_field(struct arena *arena, uint64_t bucket)
{
	return text_join(
	    arena, TEXT("moved:"), text_number(arena, (int64_t)bucket));
}

struct text
key_claims(
    struct arena *arena, const struct buckets *buckets, struct text claim)
{
	return key_in_bucket(arena, buckets,
	    key_bucket_of_claim(buckets, claim), KEY_CLAIMS,
	    text_slice(claim, 0, CLAIM_GROUP));
}

struct text
key_claim_field(struct text claim)
{
	return text_slice(claim, CLAIM_GROUP, claim.size);
}

struct text
key_owner_link(struct arena *arena, struct text digest)
{
	return text_join(arena, TEXT("{owners}link:"), digest);
}

struct text
key_lease(struct arena *arena, struct text layout)
{
	return text_join(arena, TEXT("{site}lease:"), layout);
}

/* "word:name" */
static struct text
key_with_name(struct arena *arena, enum key_kind kind, struct text name)
{
	return text_format(
	    arena, "%.*s:%.*s", TEXT_ARGS(kinds[kind].word), TEXT_ARGS(name));
}

struct text
key_group(struct arena *arena, struct text name)
{
	return key_with_name(arena, KEY_GROUP, name);
}

struct text
key_user_name(struct arena *arena, struct text name)
{
	return key_with_name(arena, KEY_NAME, text_lower(arena, name));
}

struct text
key_looking(struct arena *arena, struct post_id id)
{
	return text_join(arena, TEXT("looking:"), key_post_name(arena, id));
}

struct text
key_network(struct arena *arena, struct text digest)
{
	return text_join(arena, TEXT("network:"), digest);
}

struct text
key_limit_of_member(struct arena *arena, uint64_t user, struct text kind)
{
	return text_join(
	    arena, key_with_member(arena, user, TEXT("limit:")), kind);
}

struct text
key_limit(struct arena *arena, struct text kind, struct text who)
{
	return text_format(
	    arena, "limit:%.*s:%.*s", TEXT_ARGS(kind), TEXT_ARGS(who));
}

/* Parses and removes "b.n}"; false when the key has another form. */
static bool
parse_bucket(struct text *key, uint64_t *bucket)
{
	struct text tag, number;
	uint64_t rest;

	return text_cut(key, '}', &tag) && text_cut(&tag, '.', &number) &&
	    text_to_u64(number, bucket) && text_to_u64(tag, &rest);
}

/* Parses "7", or "7:3" for a comment. */
static bool
parse_post(struct text rest, enum key_rest form, struct post_id *id)
{
	struct text article;
	bool has_number;

	if (!text_cut(&rest, ':', &article) ||
	    !text_to_u64(article, &id->article))
		return false;
	has_number = rest.data != NULL;
	if (has_number && !text_to_u64(rest, &id->comment))
		return false;
	return form == REST_POST || has_number == (form == REST_COMMENT);
}

bool
key_read_post_name(struct text name, struct post_id *id)
{
	*id = (struct post_id){ .article = 0 };
	return parse_post(name, REST_POST, id) && id->article > 0 &&
	    id->article >> ARTICLE_BITS == 0 &&
	    id->comment >> KEY_COMMENT_BITS == 0;
}

/* Parses and removes a key's tag; *id is the member's. False when it has another form. */
static bool
parse_tag(struct text *key, enum key_place *place, uint64_t *bucket,
    struct post_id *id)
{
	struct text member;

	if (text_starts(*key, TEXT("{u"))) {
		*place = PLACE_MEMBER;
		*key = text_slice(*key, 2, key->size);
		return text_cut(key, '}', &member) &&
		    text_to_u64(member, &id->article);
	}
	*place = text_starts(*key, TEXT("{")) ? PLACE_BUCKET : PLACE_ALONE;
	if (*place == PLACE_ALONE)
		return true;
	*key = text_slice(*key, 1, key->size);
	return parse_bucket(key, bucket);
}

/* Parses the part after a key's word and colon; data is NULL when there is none. */
static bool
parse_rest(
    enum key_rest form, struct text rest, struct post_id *id, struct text *list)
{
	switch (form) {
	case REST_NOTHING:
		return rest.data == NULL;
	case REST_LIST:
		*list = rest;
		return true;
	case REST_ANY:
		return rest.data != NULL;
	default:
		return parse_post(rest, form, id);
	}
}

enum key_kind
key_parse(
    struct text key, uint64_t *bucket, struct post_id *id, struct text *list)
{
	struct text word = { NULL, 0 };
	enum key_place place;

	*id = (struct post_id){ .article = 0 };
	*list = (struct text){ NULL, 0 };
	if (!parse_tag(&key, &place, bucket, id) || !text_cut(&key, ':', &word))
		return KEY_OTHER;
	for (size_t kind = KEY_OTHER + 1; kind < KEY_KINDS; kind++)
		if (place == kinds[kind].place &&
		    text_equal(word, kinds[kind].word))
			return parse_rest(kinds[kind].rest, key, id, list)
			    ? (enum key_kind)kind
			    : KEY_OTHER;
	return KEY_OTHER;
}

/* Of a key that is not known, the type is empty. */
struct key_traits {
	struct text name, type;
	enum key_source source;
};

static struct key_traits
key_traits(struct text key)
{
	const struct key_traits alone[] = {
		{ KEY_SITE, TEXT("hash"), SOURCE_ORIGINAL },
		{ KEY_USERS, TEXT("string"), SOURCE_DERIVED },
		{ KEY_MODERATORS, TEXT("set"), SOURCE_DERIVED },
		{ KEY_OWNERS, TEXT("set"), SOURCE_DERIVED },
		{ KEY_APPLICATIONS, TEXT("hash"), SOURCE_ORIGINAL },
		{ KEY_GROUPS, TEXT("zset"), SOURCE_DERIVED },
		{ KEY_FORMER, TEXT("zset"), SOURCE_DERIVED },
	};
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum key_kind kind = key_parse(key, &bucket, &id, &list);

	for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++)
		if (text_equal(key, alone[i].name))
			return alone[i];
	return (struct key_traits){ key, kinds[kind].type, kinds[kind].source };
}

struct text
key_type(struct text key)
{
	return key_traits(key).type;
}

bool
key_is_derived(struct text key)
{
	return key_traits(key).source == SOURCE_DERIVED;
}

bool
key_is_list(enum key_kind kind)
{
	return kinds[kind].place == PLACE_BUCKET &&
	    text_equal(kinds[kind].type, TEXT("zset"));
}

#include "store/keys.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "redis/cluster.h"

enum { CLAIM_GROUP = 2 }; /* characters: 4,096 hashes in a bucket */

/* What follows the name of a key. */
enum key_form {
	FORM_NONE,
	FORM_ID,      /* ":7" */
	FORM_COMMENT, /* ":7:3" */
	FORM_POST,    /* either */
	FORM_LIST,    /* "", ":redis" or ":@17" */
	FORM_REST     /* anything; not parsed */
};

/* The slot of a key, by the tag that it begins with. */
enum key_place {
	PLACE_ALONE,  /* no tag: a slot of its own */
	PLACE_BUCKET, /* "{b.n}" */
	PLACE_MEMBER  /* "{u17}" */
};

/* The kinds of keys that a scan distinguishes. A list is a sorted set of posts or of
 * moderators' actions; an inbox is not a list. */
static const struct {
	struct text name;
	enum key_place place;
	enum key_form form;
	struct text type;
	bool is_list;
} kinds[] = {
	[KEY_ARTICLE] = { TEXT_INIT("article"), PLACE_BUCKET, FORM_ID,
	    TEXT_INIT("hash"), false },
	[KEY_COMMENT] = { TEXT_INIT("comment"), PLACE_BUCKET, FORM_COMMENT,
	    TEXT_INIT("hash"), false },
	[KEY_VOTERS] = { TEXT_INIT("voters"), PLACE_BUCKET, FORM_POST,
	    TEXT_INIT("set"), false },
	[KEY_FLAGS] = { TEXT_INIT("flags"), PLACE_BUCKET, FORM_POST,
	    TEXT_INIT("hash"), false },
	[KEY_THREAD] = { TEXT_INIT("thread"), PLACE_BUCKET, FORM_ID,
	    TEXT_INIT("string"), false },
	[KEY_MOD_ACTION] = { TEXT_INIT("act"), PLACE_BUCKET, FORM_ID,
	    TEXT_INIT("hash"), false },
	[KEY_TIME] = { TEXT_INIT("time"), PLACE_BUCKET, FORM_LIST,
	    TEXT_INIT("zset"), true },
	[KEY_SCORE] = { TEXT_INIT("score"), PLACE_BUCKET, FORM_LIST,
	    TEXT_INIT("zset"), true },
	[KEY_REMOVED] = { TEXT_INIT("gone"), PLACE_BUCKET, FORM_LIST,
	    TEXT_INIT("zset"), true },
	[KEY_LOG] = { TEXT_INIT("log"), PLACE_BUCKET, FORM_LIST,
	    TEXT_INIT("zset"), true },
	[KEY_COMMENTS] = { TEXT_INIT("comments"), PLACE_BUCKET, FORM_LIST,
	    TEXT_INIT("zset"), true },
	[KEY_INTERESTING] = { TEXT_INIT("interesting"), PLACE_BUCKET, FORM_NONE,
	    TEXT_INIT("zset"), true },
	[KEY_QUEUE] = { TEXT_INIT("queue"), PLACE_BUCKET, FORM_NONE,
	    TEXT_INIT("zset"), true },
	[KEY_KARMA] = { TEXT_INIT("karma"), PLACE_BUCKET, FORM_NONE,
	    TEXT_INIT("hash"), false },
	[KEY_VERSIONS] = { TEXT_INIT("versions"), PLACE_BUCKET, FORM_NONE,
	    TEXT_INIT("hash"), false },
	[KEY_OUTBOX] = { TEXT_INIT("outbox"), PLACE_BUCKET, FORM_NONE,
	    TEXT_INIT("stream"), false },
	[KEY_CLAIMS] = { TEXT_INIT("claims"), PLACE_BUCKET, FORM_REST,
	    TEXT_INIT("hash"), false },
	[KEY_USER] = { TEXT_INIT("user"), PLACE_MEMBER, FORM_NONE,
	    TEXT_INIT("hash"), false },
	[KEY_INBOX] = { TEXT_INIT("inbox"), PLACE_MEMBER, FORM_NONE,
	    TEXT_INIT("zset"), false },
	[KEY_MUTED] = { TEXT_INIT("muted"), PLACE_MEMBER, FORM_NONE,
	    TEXT_INIT("set"), false },
	[KEY_NAME] = { TEXT_INIT("name"), PLACE_ALONE, FORM_REST,
	    TEXT_INIT("string"), false },
	[KEY_GROUP] = { TEXT_INIT("group"), PLACE_ALONE, FORM_REST,
	    TEXT_INIT("hash"), false },
};

/* The other keys. */
static const struct {
	struct text name, type;
	enum key_place place;
	bool is_derived;
} others[] = {
	{ TEXT_INIT("flaggers"), TEXT_INIT("set"), PLACE_BUCKET, false },
	{ TEXT_INIT("articles"), TEXT_INIT("string"), PLACE_BUCKET, true },
	{ TEXT_INIT("acts"), TEXT_INIT("string"), PLACE_BUCKET, true },
	{ TEXT_INIT("settings"), TEXT_INIT("hash"), PLACE_BUCKET, false },
	{ TEXT_INIT("sessions"), TEXT_INIT("hash"), PLACE_MEMBER, false },
	{ TEXT_INIT("invites"), TEXT_INIT("hash"), PLACE_MEMBER, false },
	{ TEXT_INIT("seen"), TEXT_INIT("hash"), PLACE_MEMBER, false },
	{ TEXT_INIT("voted"), TEXT_INIT("list"), PLACE_MEMBER, false },
	{ TEXT_INIT("site"), TEXT_INIT("hash"), PLACE_ALONE, false },
	{ TEXT_INIT("users"), TEXT_INIT("string"), PLACE_ALONE, true },
	{ TEXT_INIT("moderators"), TEXT_INIT("set"), PLACE_ALONE, true },
	{ TEXT_INIT("owners"), TEXT_INIT("set"), PLACE_ALONE, true },
	{ TEXT_INIT("groups"), TEXT_INIT("zset"), PLACE_ALONE, true },
	{ TEXT_INIT("former"), TEXT_INIT("zset"), PLACE_ALONE, true },
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
	return cluster_slot(claim) % buckets->count;
}

/* "{0.0}name", with room for more. */
static struct buffer
begin_key(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct text name)
{
	struct buffer key = buffer_in(arena, 64);

	buffer_add(&key, buckets->tags[bucket]);
	buffer_add(&key, name);
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

static struct text
key_of_post(struct arena *arena, const struct buckets *buckets,
    enum key_kind kind, struct post_id id)
{
	struct buffer key = begin_key(arena, buckets,
	    key_bucket_of(buckets, id.article), kinds[kind].name);

	buffer_add_char(&key, ':');
	add_post(&key, id);
	return buffer_text(&key);
}

static struct text
key_of_list(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    enum key_kind kind, struct text list)
{
	struct buffer key = begin_key(arena, buckets, bucket, kinds[kind].name);

	if (list.size > 0)
		buffer_add_char(&key, ':');
	buffer_add(&key, list);
	return buffer_text(&key);
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
key_thread(struct arena *arena, const struct buckets *buckets, uint64_t article)
{
	return key_of_post(
	    arena, buckets, KEY_THREAD, (struct post_id){ .article = article });
}

struct text
key_comments(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list)
{
	return key_of_list(arena, buckets, bucket, KEY_COMMENTS, list);
}

struct text
key_outbox(struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_of_list(arena, buckets, bucket, KEY_OUTBOX, TEXT(""));
}

struct text
key_mod_action(
    struct arena *arena, const struct buckets *buckets, uint64_t action)
{
	return key_of_post(arena, buckets, KEY_MOD_ACTION,
	    (struct post_id){ .article = action });
}

struct text
key_time(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct text list)
{
	return key_of_list(arena, buckets, bucket, KEY_TIME, list);
}

struct text
key_score(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct text list)
{
	return key_of_list(arena, buckets, bucket, KEY_SCORE, list);
}

struct text
key_removed(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct text list)
{
	return key_of_list(arena, buckets, bucket, KEY_REMOVED, list);
}

struct text
key_list_of_author(struct arena *arena, uint64_t user)
{
	return text_join(arena, TEXT("@"), text_number(arena, (int64_t)user));
}

struct text
key_interesting(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_of_list(arena, buckets, bucket, KEY_INTERESTING, TEXT(""));
}

struct text
key_queue(struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_of_list(arena, buckets, bucket, KEY_QUEUE, TEXT(""));
}

struct text
key_log(struct arena *arena, const struct buckets *buckets, uint64_t bucket,
    struct text list)
{
	return key_of_list(arena, buckets, bucket, KEY_LOG, list);
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
key_karma(struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_of_list(arena, buckets, bucket, KEY_KARMA, TEXT(""));
}

struct text
key_versions(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	return key_of_list(arena, buckets, bucket, KEY_VERSIONS, TEXT(""));
}

struct text
key_moved_field(struct arena *arena, uint64_t bucket)
{
	return text_join(
	    arena, TEXT("moved:"), text_number(arena, (int64_t)bucket));
}

struct text
key_settings(struct arena *arena, const struct buckets *buckets)
{
	struct buffer key = begin_key(arena, buckets, 0, TEXT("settings"));

	return buffer_text(&key);
}

struct text
key_image(struct arena *arena, const struct buckets *buckets, struct text name)
{
	struct buffer key = begin_key(arena, buckets, 0, TEXT("image:"));

	buffer_add(&key, name);
	return buffer_text(&key);
}

struct text
key_article_counter(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	struct buffer key = begin_key(arena, buckets, bucket, TEXT("articles"));

	return buffer_text(&key);
}

struct text
key_mod_action_counter(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket)
{
	struct buffer key = begin_key(arena, buckets, bucket, TEXT("acts"));

	return buffer_text(&key);
}

struct text
key_claims(
    struct arena *arena, const struct buckets *buckets, struct text claim)
{
	struct buffer key = begin_key(arena, buckets,
	    key_bucket_of_claim(buckets, claim), TEXT("claims:"));

	buffer_add(&key, text_slice(claim, 0, CLAIM_GROUP));
	return buffer_text(&key);
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
key_group(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("group:"), name);
}

struct text
key_of_member(struct arena *arena, uint64_t user, struct text name)
{
	struct buffer key = buffer_in(arena, 48);

	buffer_add(&key, TEXT("{u"));
	buffer_add_number(&key, (int64_t)user);
	buffer_add_char(&key, '}');
	buffer_add(&key, name);
	return buffer_text(&key);
}

struct text
key_user_name(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("name:"), text_lower(arena, name));
}

struct text
key_limit_of_member(struct arena *arena, uint64_t user, struct text kind)
{
	return text_join(
	    arena, key_of_member(arena, user, TEXT("limit:")), kind);
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
parse_post(struct text rest, enum key_form form, struct post_id *id)
{
	struct text article;
	bool has_number;

	if (!text_cut(&rest, ':', &article) ||
	    !text_to_u64(article, &id->article))
		return false;
	has_number = rest.data != NULL;
	if (has_number && !text_to_u64(rest, &id->comment))
		return false;
	return form == FORM_POST || has_number == (form == FORM_COMMENT);
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

/* Parses the part after a key's name and colon; data is NULL when there is none. */
static bool
parse_rest(
    enum key_form form, struct text rest, struct post_id *id, struct text *list)
{
	switch (form) {
	case FORM_NONE:
		return rest.data == NULL;
	case FORM_LIST:
		*list = rest;
		return true;
	case FORM_REST:
		return rest.data != NULL;
	default:
		return parse_post(rest, form, id);
	}
}

enum key_kind
key_parse(
    struct text key, uint64_t *bucket, struct post_id *id, struct text *list)
{
	struct text name = { NULL, 0 };
	enum key_place place;

	*id = (struct post_id){ .article = 0 };
	*list = (struct text){ NULL, 0 };
	if (!parse_tag(&key, &place, bucket, id) || !text_cut(&key, ':', &name))
		return KEY_OTHER;
	for (size_t kind = KEY_OTHER + 1; kind < KEY_KINDS; kind++)
		if (place == kinds[kind].place &&
		    text_equal(name, kinds[kind].name))
			return parse_rest(kinds[kind].form, key, id, list)
			    ? (enum key_kind)kind
			    : KEY_OTHER;
	return KEY_OTHER;
}

/* The row of a key of others; SIZE_MAX when it is none of them. */
static size_t
find_other(struct text key)
{
	uint64_t bucket;
	struct post_id id;
	struct text name;
	enum key_place place;
	size_t i = 0;

	if (!parse_tag(&key, &place, &bucket, &id) ||
	    !text_cut(&key, ':', &name))
		return SIZE_MAX;
	while (i < sizeof(others) / sizeof(others[0]) &&
	    (place != others[i].place || !text_equal(name, others[i].name)))
		i++;
	return i < sizeof(others) / sizeof(others[0]) ? i : SIZE_MAX;
}

struct text
key_type(struct text key)
{
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum key_kind kind = key_parse(key, &bucket, &id, &list);
	size_t other = find_other(key);

	if (kind != KEY_OTHER)
		return kinds[kind].type;
	return other == SIZE_MAX ? TEXT("") : others[other].type;
}

bool
key_is_derived(struct text key)
{
	uint64_t bucket;
	struct post_id id;
	struct text list;
	enum key_kind kind = key_parse(key, &bucket, &id, &list);
	size_t other = find_other(key);

	if (kind != KEY_OTHER)
		return kinds[kind].is_list || kind == KEY_KARMA ||
		    kind == KEY_CLAIMS || kind == KEY_NAME;
	return other != SIZE_MAX && others[other].is_derived;
}

bool
key_is_list(enum key_kind kind)
{
	return kinds[kind].is_list;
}

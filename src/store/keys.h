/*
 * The layout of the data in Redis. C spells keys here and in keys.c alone.
 *
 * Everything of an article lies in its bucket, b = id mod buckets, and each of
 * those keys begins with the hash tag {b}: what changes together is in one slot
 * of a cluster, and one function changes it at once.
 *
 *	{b}article:ID     hash  title, url or text, author ("17 ann": a name
 *	                        never changes), posted, closes, edited, up,
 *	                        down, groups ("a b"), interesting, removed
 *	{b}up:ID          set   0, and the ids of those who voted up; expires at
 *	                        closes. The 0 keeps an empty record apart from
 *	                        none
 *	{b}down:ID        set   of those who voted down; expires at closes
 *	{b}time[:LIST]    zset  ids by posted time
 *	{b}score[:LIST]   zset  ids by score; LIST is absent (all articles), a
 *	                        group's name, or @USERID (a member's articles)
 *	{b}interesting    zset  ids by the moment they became so
 *	{b}karma          hash  user id -> points
 *	{b}versions       hash  how often something changed that workers keep
 *	                        (store/versions.h): "lists", what is in one and
 *	                        where; "edits", an article but for its counts;
 *	                        and a user id, one of that member's votes
 *
 *	site              hash  version, buckets, vote_score, secret
 *	articles, users         the last ids given out
 *	link:HASH               the id that holds a link, until its window closes
 *	user:ID           hash  name, password, role, created; written first
 *	user:name:NAME          user id, the name in lower case; claimed second
 *	sessions:ID       hash  SHA-256 of a secret -> "created seen agent"
 *	limit:KIND:WHO          when all that came would have been let through
 *	                        evenly (functions/limit.lua); expires then
 *	group:NAME        hash  title, by (user id and name), created
 *	groups            zset  names, all with score 0: in order of name
 *
 * A comment is kept beside its article, and numbered inside it: of comment 3 of
 * article 7 the keys are {b}comment:7:3, {b}up:7:3 and {b}down:7:3.
 *
 * Times are Unix seconds of Redis's clock. Members of the sorted sets are ids
 * in twelve digits, because Redis breaks ties by text. functions/keys.lua
 * derives the keys of one slot in the same way; a test holds the two together.
 */
#pragma once

#include "base/text.h"

/* What stands in the site's hash as its version. */
#define KEYS_VERSION TEXT("1")

#define KEY_SITE     TEXT("site")
#define KEY_ARTICLES TEXT("articles")
#define KEY_USERS    TEXT("users")
#define KEY_GROUPS   TEXT("groups")

enum key_kind {
	KEY_OTHER,
	KEY_ARTICLE,
	KEY_COMMENT,
	KEY_UP,
	KEY_DOWN,
	KEY_TIME,
	KEY_SCORE,
	KEY_INTERESTING,
	KEY_KARMA,
	KEY_VERSIONS,
	KEY_USER
};

/* A post: an article, or a comment inside one; comment 0 is the article. */
struct post_id {
	uint64_t article, comment;
};

/* Its hash, and who voted on it. */
struct text key_post(struct arena *arena, uint64_t buckets, struct post_id id);
struct text key_up(struct arena *arena, uint64_t buckets, struct post_id id);
struct text key_down(struct arena *arena, uint64_t buckets, struct post_id id);

/* list is empty for all articles, a group's name, or of key_list_of_author. */
struct text key_time(struct arena *arena, uint64_t bucket, struct text list);
struct text key_score(struct arena *arena, uint64_t bucket, struct text list);
struct text key_list_of_author(struct arena *arena, uint64_t user);
struct text key_interesting(struct arena *arena, uint64_t bucket);
struct text key_karma(struct arena *arena, uint64_t bucket);
struct text key_versions(struct arena *arena, uint64_t bucket);

/* An id as it stands in the sorted sets. */
struct text key_member(struct arena *arena, uint64_t id);

struct text key_link(struct arena *arena, struct text hash);
struct text key_group(struct arena *arena, struct text name);
struct text key_user(struct arena *arena, uint64_t id);
struct text key_user_name(struct arena *arena, struct text name);
struct text key_sessions(struct arena *arena, uint64_t user);
struct text key_limit(struct arena *arena, struct text kind, struct text who);

/* All keys of the site, as an ACL of Redis says it. */
#define KEY_PATTERNS \
	TEXT("~{*}* ~site ~articles ~users ~link:* ~user:* ~sessions:* " \
	     "~limit:* ~group:* ~groups")

/*
 * What a key is, for a scan of all keys. *id is that of an article, of its voters
 * or of a user; *list what key_time was given; *bucket is set for all but KEY_USER
 * and KEY_OTHER.
 */
enum key_kind key_kind_of(
    struct text key, uint64_t *bucket, uint64_t *id, struct text *list);

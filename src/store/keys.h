/*
 * The layout of the data in Redis. C spells keys here and in keys.c alone.
 *
 * What changes together is in one slot of a cluster, and so one function changes
 * it at once. Everything of an article lies in its bucket, b = id mod buckets:
 * each of those keys begins with the bucket's tag. Everything of a member lies under
 * the member's tag. What has no tag stands in a slot of its own.
 *
 *	{b.n}article:ID     hash  the fields of store/article.c: author is "17 ann", as a
 *	                          name never changes, and groups are "a b"; and
 *	                          reserved: the number up to which comments are a
 *	                          load's
 *	{b.n}comment:ID:N   hash  comment N of article ID: text, author, edited,
 *	                          removed, removed_by, ruling, links; and closes, if
 *	                          its record (below) does not say it
 *	{b.n}thread:ID            an article's comments in 16 bytes each, of which
 *	                          the order of a thread is made (below)
 *	{b.n}comments       zset  the newest comments, by posted time
 *	{b.n}comments:@USER zset  all of a member's, likewise
 *	{b.n}flaggers:ID    set   ids of members who flagged posts of a thread
 *	                          within an hour, with whose end it expires
 *	{b.n}outbox         strm  comments of which members are to be told
 *	{b.n}voters:ID      set   0, the ids of those who voted up, and those of
 *	                          who voted down, negated; KEY_VOID_OFFSET more, either
 *	                          way, where the vote was voided; expires at closes.
 *	                          The 0 keeps an empty record apart from none
 *	{b.n}flags:ID       hash  user id -> "reason moment", and " dismissed" where
 *	                          it was, then also "none" if it was taken back;
 *	                          user 0 flags as "first" what is a new member's
 *	                          first; expires a month after all were dismissed
 *	{b.n}queue          zset  ids of what moderators have to look at, by the
 *	                          moment of the first flag that was not dismissed
 *	{b.n}act:N          hash  what a moderator did (store/mod_action.h)
 *	{b.n}log[:LIST]     zset  numbers of acts by moment; LIST is absent (all),
 *	                          =KIND, @USERID (done to) or ^USERID (done by)
 *	{b.n}acts                 the number of acts last given out, as articles
 *	{b.n}time[:LIST]    zset  ids by posted time; LIST is absent (all
 *	                          articles), a group's name, or @USERID (a
 *	                          member's articles)
 *	{b.n}score[:LIST]   zset  ids by score; no LIST of a member
 *	{b.n}gone:@USERID   zset  ids of a member's posts that were removed, by
 *	                          posted time
 *	{b.n}interesting    zset  ids by the moment they became so
 *	{b.n}karma          hash  user id -> points
 *	{b.n}versions       hash  how often something changed that workers keep
 *	                          (store/versions.h): "lists", what is in one and
 *	                          where; "edits", an article but for its counts;
 *	                          and of bucket 0 "settings". Also "newest": the
 *	                          moment up to which comments fell out of those
 *	{b.0}settings       hash  of bucket 0 alone: name, tagline, contact,
 *	                          about, style, registration, group_creation,
 *	                          voting, voting_since, log_names, hosts
 *	{b.n}articles             the number last given out: number n of bucket b
 *	                          is the id n buckets + b
 *	{b.n}claims:XX      hash  rest of HASH -> "id closes": who holds a link, of
 *	                          which HASH begins with XX, until its window
 *	                          closes; b is that of HASH
 *
 *	{uID}user           hash  name, password, role, created, trusted,
 *	                          suspended, suspension, closed, invited_by and
 *	                          invited (names), and votes: how many the member
 *	                          cast; visits: how often seen changed; told: how
 *	                          often the inbox got something, and read: up to
 *	                          where the member has read it; written first
 *	{uID}sessions       hash  digest of a secret -> "created seen agent"
 *	{uID}limit:bytes    hash  bytes: how many the member stored within a
 *	                          day, with whose end it expires
 *	{uID}limit:KIND           how often the member did that within an hour,
 *	                          with whose end it expires
 *	{uID}invites        hash  secret of an invitation -> when it expires; and
 *	                          while a member is created by it, a token of
 *	                          that, and until when others have to wait
 *	{uID}inbox          zset  comments that the member was told of, and why, by
 *	                          the count in told
 *	{uID}muted          set   of what the member is not told: "7", an article,
 *	                          and "@17", a member
 *	{uID}seen           hash  article -> the number of its last comment when
 *	                          the member last looked at it; expires when the
 *	                          last of these threads has closed
 *	{uID}voted          list  the articles last voted on, the newest first, for
 *	                          a day
 *
 *	site                hash  version, buckets, vote_score, secret
 *	users                     the last id given out
 *	name:NAME                 user id, the name in lower case; claimed second
 *	limit:KIND:WHO            the same of an address, or of whoever gave a name
 *	moderators          set   ids of moderators and owners; and 0, which says
 *	                          that they were looked for
 *	owners              set   ids of owners, likewise, since one has stepped
 *	                          down
 *	group:NAME          hash  title, by (user id and name), created, closed,
 *	                          into
 *	groups              zset  names, all with score 0: in order of name
 *	former              zset  likewise, of groups that became others
 *
 * A comment is kept beside its article, and numbered inside it: of comment 3 of
 * article 7 the keys are {b.n}comment:7:3 and {b.n}voters:7:3.
 *
 * A thread's record of comment N stands at byte 16 N, the most significant first:
 * three bytes for its parent (0: the article); one that says whether it is removed (1)
 * and by its author (2), and in the six bits above, how many days after it was posted
 * voting closes (0: its hash says when); four for when it was posted (0: there is no such
 * comment); three each for its up and downvotes; and two that count what was changed of
 * it besides. The first eight bytes of all count the changes of the whole. Behind the
 * last one there may be room for more.
 *
 * Times are Unix seconds of Redis's clock. Members of the sorted sets are ids as bytes
 * (store/post.h); in an inbox there is one more, which says why. functions/keys.lua
 * derives the keys of one slot, and the bytes, in the same way; a test holds the two
 * together.
 */
#pragma once

#include "base/text.h"

/* What stands in the site's hash as its version. */
#define KEYS_VERSION TEXT("4")

#define KEY_SITE       TEXT("site")
#define KEY_USERS      TEXT("users")
#define KEY_GROUPS     TEXT("groups")
#define KEY_FORMER     TEXT("former")
#define KEY_MODERATORS TEXT("moderators")
#define KEY_OWNERS     TEXT("owners")

/* Added to the id of a member whose vote was voided: ids have eleven digits. */
#define KEY_VOID_OFFSET INT64_C(1000000000000)

/*
 * A site's buckets. The n in the tag "{b.n}" is the first number whose slot lies
 * in the b-th of count equal parts of all slots: so buckets are spread evenly over
 * masters that have equal parts of the slots.
 */
struct buckets {
	uint64_t count;
	const struct text *tags; /* count of them */
};
struct buckets key_buckets(struct arena *arena, uint64_t count);

/* The bucket of an article, and of one that is posted with a claim; and how many
 * of a bucket's ids are not above an id. */
uint64_t key_bucket_of(const struct buckets *buckets, uint64_t article);
uint64_t key_bucket_of_claim(const struct buckets *buckets, struct text claim);
uint64_t key_number_in(
    const struct buckets *buckets, uint64_t bucket, uint64_t article);

/* The kinds that a scan of all keys tells apart; a table in keys.c says where each lies and
 * what follows its name. */
enum key_kind {
	KEY_OTHER,
	KEY_ARTICLE,
	KEY_COMMENT,
	KEY_VOTERS,
	KEY_FLAGS,
	KEY_THREAD,
	KEY_MOD_ACTION,
	KEY_TIME,
	KEY_SCORE,
	KEY_REMOVED,
	KEY_LOG,
	KEY_COMMENTS,
	KEY_INTERESTING,
	KEY_QUEUE,
	KEY_KARMA,
	KEY_VERSIONS,
	KEY_OUTBOX,
	KEY_USER,
	KEY_INBOX,
	KEY_MUTED,
	KEY_NAME,
	KEY_GROUP,
	KEY_CLAIMS,
	KEY_KINDS
};

/* A post: an article, or a comment inside one; comment 0 is the article. */
struct post_id {
	uint64_t article, comment;
};

/* Ids have eleven digits, and numbers of comments so many bits. */
enum { KEY_COMMENT_BITS = 24 };

/* "7", or of a comment "7:3": as it is called in keys, and to people. */
struct text key_post_name(struct arena *arena, struct post_id id);

/* Its hash, who voted on it, and who flagged it. */
struct text key_post(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_voters(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_flags(
    struct arena *arena, const struct buckets *buckets, struct post_id id);

/* The index of an article's comments. */
struct text key_thread(
    struct arena *arena, const struct buckets *buckets, uint64_t article);
/* list is empty for the newest, or of key_list_of_author. */
struct text key_comments(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_outbox(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);

/* list is empty for all articles, a group's name, or of key_list_of_author. */
struct text key_time(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_score(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_list_of_author(struct arena *arena, uint64_t user);
/* list is of key_list_of_author. */
struct text key_removed(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_interesting(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
struct text key_queue(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);

/* Acts lie in buckets as articles do: key_bucket_of is that of their number, too.
 * list is empty for all of them, or of the functions below. */
struct text key_mod_action(
    struct arena *arena, const struct buckets *buckets, uint64_t action);
struct text key_mod_action_counter(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
struct text key_log(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_log_of_kind(struct arena *arena, struct text kind);
struct text key_log_of_member(struct arena *arena, uint64_t user);
struct text key_log_of_moderator(struct arena *arena, uint64_t user);
struct text key_karma(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
struct text key_versions(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
struct text key_settings(struct arena *arena, const struct buckets *buckets);
struct text key_article_counter(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
/* The hash of a rule_claim, and its field there. */
struct text key_claims(
    struct arena *arena, const struct buckets *buckets, struct text claim);
struct text key_claim_field(struct text claim);

struct text key_group(struct arena *arena, struct text name);
struct text key_user(struct arena *arena, uint64_t id);
struct text key_user_name(struct arena *arena, struct text name);
struct text key_sessions(struct arena *arena, uint64_t user);
struct text key_voted(struct arena *arena, uint64_t user);
struct text key_invites(struct arena *arena, uint64_t user);
struct text key_inbox(struct arena *arena, uint64_t user);
struct text key_muted(struct arena *arena, uint64_t user);
struct text key_read_marks(struct arena *arena, uint64_t user);
struct text key_limit_of_member(
    struct arena *arena, uint64_t user, struct text kind);
struct text key_limit(struct arena *arena, struct text kind, struct text who);

/*
 * What a key is, for a scan of all keys. *id is that of a post, of its voters or flags,
 * and as if it were an article, of a thread's, an act or a member; *list what key_time,
 * key_score, key_removed, key_log or key_comments was given; *bucket is set for what lies
 * in one.
 */
enum key_kind key_parse(
    struct text key, uint64_t *bucket, struct post_id *id, struct text *list);

/* Whether it is a sorted set of posts or of moderators' actions. */
bool key_is_list(enum key_kind kind);

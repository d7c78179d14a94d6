/*
 * The layout of the data in Redis. In C, keys are spelled only here and in keys.c; in Lua,
 * functions/keys.lua spells them in the same way (a test compares them).
 *
 * A function can change several keys at once only if they are in one slot of a cluster.
 * So the keys of an article begin with the tag of its bucket, {b.n} with b = ID mod buckets,
 * and the keys of a member with the tag {uID}. A key without a tag has a slot of its own.
 *
 * A post is an article or a comment. ID is an article's id ("7") and N the number of a
 * comment inside the article; POST is ID, or ID:N for a comment ("7:3"). A MEMBER is an id
 * and a name ("17 ann"). Times are Unix seconds of Redis's clock. The members of sorted
 * sets that are called ids are posts as bytes (store/encoding.h).
 *
 * Articles and their comments:
 *
 *	{b.n}article:ID     hash    the fields in store/article.c. author and removed_by are
 *	                            MEMBERs, groups are "a b", links are the members and
 *	                            groups that the text names: "@ann /g/redis"; ruling is
 *	                            the moderator's note, comments the number of comments
 *	                            that are not removed, commented the number of the last
 *	                            one. And reserved: comments up to this number are for a
 *	                            dump that is being loaded
 *	{b.n}comment:ID:N   hash    text, author, links, closes, edited, removed, removed_by
 *	                            and ruling, as of an article
 *	{b.n}thread:ID      string  a record of 16 bytes for each comment (below)
 *	{b.n}voters:POST    set     ids of the members who voted: positive for an upvote,
 *	                            negative for a downvote, KEY_VOID_OFFSET farther from 0
 *	                            for a voided vote; and 0, so that the set is never
 *	                            empty. Expires when voting closes: a post without the
 *	                            set takes no votes
 *	{b.n}flags:POST     hash    id of a member -> "REASON MOMENT" or "REASON MOMENT
 *	                            dismissed"; REASON is "none" once the member removed a
 *	                            dismissed flag; id 0 with "first" marks a new member's
 *	                            first post. Expires a month after the dismissal
 *	{b.n}flaggers:ID    set     ids of members who flagged posts of the thread; expires
 *	                            an hour after the first of them did
 *	{b.n}claims:XX      hash    rest of HASH -> "ID CLOSES": the article that holds a
 *	                            link until its voting closes. XX are the first two
 *	                            characters of HASH; b is from the slot of HASH
 *	{b.n}articles       string  the last number that was assigned: article n of bucket b
 *	                            has the id n * buckets + b
 *
 * Lists of a bucket. LIST is absent (all posts), a group's name, or @USERID (one author):
 *
 *	{b.n}time[:LIST]    zset    ids of articles by time of posting
 *	{b.n}score[:LIST]   zset    ids of articles by score; none per author
 *	{b.n}interesting    zset    ids of articles by the time they became interesting
 *	{b.n}comments[:LIST] zset   ids of comments by time of posting: the newest of all, or
 *	                            all of an author; none per group
 *	{b.n}gone:@USERID   zset    ids of an author's removed posts by time of posting
 *	{b.n}queue          zset    ids of posts that wait for moderators, by the time of the
 *	                            first flag that is not dismissed
 *
 * Other keys of a bucket:
 *
 *	{b.n}act:N          hash    an action of a moderator (store/mod_action.h)
 *	{b.n}log[:LIST]     zset    numbers of actions by time; LIST is absent (all), =KIND,
 *	                            @USERID (whom it concerns) or ^USERID (the moderator)
 *	{b.n}acts           string  the last number assigned to an action, as in articles
 *	{b.n}karma          hash    id of a member -> points for posts of this bucket
 *	{b.n}outbox         stream  comments that members are to be notified of
 *	                            (store/outbox.h)
 *	{b.n}versions       hash    counts of changes, by which workers' caches are
 *	                            invalidated (store/versions.h): "lists" (contents and
 *	                            order of lists), "edits" (articles without their vote
 *	                            counts), and in bucket 0 "settings"; "interesting", 1
 *	                            while {b.n}interesting exists; and "newest", the time up
 *	                            to which entries have been trimmed from {b.n}comments
 *	{b.0}settings       hash    only in bucket 0: name, tagline, slogan, contact, about,
 *	                            rules, foot_links, announcement, announced, style,
 *	                            registration, group_creation, voting, voting_since,
 *	                            log_names, interesting, hosts
 *	{b.0}image:NAME     string  beside them: the PNG files "logo" and "icon"
 *
 * Members:
 *
 *	{uID}user           hash    name, password (its hash), role, created, trusted,
 *	                            suspended (until), suspension (the reason), closed,
 *	                            invited_by and invited (names); votes (number of votes
 *	                            cast); visits (number of changes of seen); told
 *	                            (number of notifications), read (up to which the member
 *	                            has read them), dismissed (the moment of the
 *	                            announcement that the member dismissed). Written before
 *	                            name:NAME
 *	{uID}sessions       hash    digest of the session's secret -> "CREATED SEEN AGENT"
 *	{uID}invites        hash    secret of an invitation -> "EXPIRES", or while a member
 *	                            registers with it "EXPIRES TOKEN UNTIL": reserved
 *	{uID}inbox          zset    comments, each with the reason for the notification, by
 *	                            the value of told
 *	{uID}muted          set     articles ("7") and members ("@17") without notifications
 *	{uID}seen           hash    id of an article -> number of its last comment that the
 *	                            member has read; expires when all these threads have
 *	                            closed
 *	{uID}voted          list    the articles last voted on, newest first; expires after
 *	                            a day
 *	{uID}limit:KIND     string  uses of a rate limit; expires after an hour
 *	{uID}limit:bytes    hash    bytes: the number of bytes written; expires after a day
 *
 * The site; each key has a slot of its own:
 *
 *	site                hash    version (of this layout), buckets, vote_score, secret;
 *	                            and while data are moved on (store/move.h) from, the
 *	                            layout before; moved:N, the number of bucket N's
 *	                            last article that was; and moved:members and
 *	                            moved:groups, the last id and list and name
 *	users               string  the last id assigned to a member
 *	name:NAME           string  id of the member; NAME in lower case
 *	limit:KIND:WHO      string  as {uID}limit:KIND, for a network, a browser or a name
 *	moderators          set     ids of moderators and owners; and 0, once the set is
 *	                            complete
 *	owners              set     ids of owners; and 0, once the set is complete: when an
 *	                            owner first steps down, or a member becomes the owner by
 *	                            a link. In its slot:
 *	{owners}link:DIGEST string  a link for that (store/one_time_link.h), by the digest of
 *	                            its secret; expires after an hour
 *	{owners}claim       string  id of the member who has used one, until the member has
 *	                            the role; expires after a minute
 *	group:NAME          hash    title, by (the founder: MEMBER), created, closed, into
 *	                            (name of the group that replaced it)
 *	groups              zset    names of groups; all scores are 0: in order of name
 *	former              zset    names of groups that were renamed or merged, likewise
 *
 * A thread's record of comment N is at byte 16 N, most significant byte first:
 *
 *	3 bytes   number of the parent; 0 for the article
 *	1 byte    bit 0: removed; bit 1: removed by its author
 *	4 bytes   time of posting; 0: there is no such comment
 *	3 bytes   upvotes
 *	3 bytes   downvotes
 *	2 bytes   number of its other changes
 *
 * Bytes 0 to 7 count all changes of the thread. Zeros may follow the last record.
 */
#pragma once

#include "base/text.h"

/* The version of this layout, in the site's hash; and of the one before, from which data are
 * moved on (store/move.h). */
#define KEYS_VERSION	    TEXT("5")
#define KEYS_VERSION_BEFORE TEXT("4")

/* The fields of the site's hash that say how far that is. */
#define KEYS_FROM	   TEXT("from")
#define KEYS_MOVED_MEMBERS TEXT("moved:members")
#define KEYS_MOVED_GROUPS  TEXT("moved:groups")
struct text key_moved_field(struct arena *arena, uint64_t bucket);

#define KEY_SITE       TEXT("site")
#define KEY_USERS      TEXT("users")
#define KEY_GROUPS     TEXT("groups")
#define KEY_FORMER     TEXT("former")
#define KEY_MODERATORS TEXT("moderators")
#define KEY_OWNERS     TEXT("owners")

/* Added to the id of a member whose vote is voided: ids have eleven digits. */
#define KEY_VOID_OFFSET INT64_C(1000000000000)

/*
 * The buckets of a site. The n of a tag "{b.n}" is the smallest number for which the tag's
 * slot is in the b-th of count equal ranges of slots: so buckets are spread evenly over
 * masters that have equal ranges.
 */
struct buckets {
	uint64_t count;
	const struct text *tags; /* count of them */
};
struct buckets key_buckets(struct arena *arena, uint64_t count);

/* The bucket of an article or action, and that of a new article, from its claim. */
uint64_t key_bucket_of(const struct buckets *buckets, uint64_t article);
uint64_t key_bucket_of_claim(const struct buckets *buckets, struct text claim);
/* The id with a number in a bucket, from 1 on. */
uint64_t key_id_in(
    const struct buckets *buckets, uint64_t bucket, uint64_t number);
/* The number of ids of a bucket that are not above an id. */
uint64_t key_number_in(
    const struct buckets *buckets, uint64_t bucket, uint64_t article);

/* The kinds of keys that a scan of all keys distinguishes; the table in keys.c has the tag
 * of each kind and the form of what follows its name. */
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

/* The size of a comment's number. */
enum { KEY_COMMENT_BITS = 24 };

/* "7", or "7:3" for a comment; in keys, dumps and messages. */
struct text key_post_name(struct arena *arena, struct post_id id);

/* A post's hash, its voters and its flags. */
struct text key_post(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_voters(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_flags(
    struct arena *arena, const struct buckets *buckets, struct post_id id);

/* The records of an article's comments. */
struct text key_thread(
    struct arena *arena, const struct buckets *buckets, uint64_t article);
/* list is empty (the newest comments) or from key_list_of_author. */
struct text key_comments(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_outbox(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);

/* list is empty (all articles), a group's name, or from key_list_of_author. */
struct text key_time(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_score(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_list_of_author(struct arena *arena, uint64_t user);
/* list is from key_list_of_author. */
struct text key_removed(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, struct text list);
struct text key_interesting(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
struct text key_queue(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);

/* Moderators' actions are spread over buckets as articles are: by key_bucket_of. The list
 * of key_log is empty (all actions) or from one of the three functions after it. */
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
struct text key_image(
    struct arena *arena, const struct buckets *buckets, struct text name);
struct text key_article_counter(
    struct arena *arena, const struct buckets *buckets, uint64_t bucket);
/* The hash that has a claim (rule_claim), and the claim's field in it. */
struct text key_claims(
    struct arena *arena, const struct buckets *buckets, struct text claim);
struct text key_claim_field(struct text claim);

/* A one-time link to become the owner, and the claim of the member who has used one. */
struct text key_owner_link(struct arena *arena, struct text digest);
#define KEY_OWNER_CLAIM TEXT("{owners}claim")

struct text key_group(struct arena *arena, struct text name);
struct text key_user_name(struct arena *arena, struct text name);

/* Keys in a member's slot: each is spelled here alone, and in functions/keys.lua. */
struct text key_of_member(struct arena *arena, uint64_t user, struct text name);
#define key_user(arena, user) key_of_member((arena), (user), TEXT("user"))
#define key_sessions(arena, user) \
	key_of_member((arena), (user), TEXT("sessions"))
#define key_invites(arena, user)    key_of_member((arena), (user), TEXT("invites"))
#define key_voted(arena, user)	    key_of_member((arena), (user), TEXT("voted"))
#define key_inbox(arena, user)	    key_of_member((arena), (user), TEXT("inbox"))
#define key_muted(arena, user)	    key_of_member((arena), (user), TEXT("muted"))
#define key_read_marks(arena, user) key_of_member((arena), (user), TEXT("seen"))
struct text key_limit_of_member(
    struct arena *arena, uint64_t user, struct text kind);
struct text key_limit(struct arena *arena, struct text kind, struct text who);

/*
 * Parses a key. *bucket is set for keys of a bucket. *id is the post of an article,
 * comment, voters, flags or thread; its article is also the number of an action, or the id
 * of a member. *list is the list that key_time, key_score, key_removed, key_log or
 * key_comments was given.
 */
enum key_kind key_parse(
    struct text key, uint64_t *bucket, struct post_id *id, struct text *list);

/* The type of a key in this layout, as TYPE names it: "hash". Empty for counts of rate
 * limits and one-time links, and for keys that are not of this layout. */
struct text key_type(struct text key);

/* True for keys that are written from others: lists, indexes and counters (store/refresh.h). */
bool key_is_derived(struct text key);

/* True for sorted sets of posts or of moderators' actions. */
bool key_is_list(enum key_kind kind);

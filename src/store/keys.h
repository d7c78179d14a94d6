/*
 * The layout of the data in Redis. Keys are spelled here, in KEYS, of which functions/keys.lua
 * makes theirs; and those few that follow no pattern in keys.c, and in keys.lua as well.
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
 *	                            dump that is being loaded; held: when it was posted, of
 *	                            an article that has never been shown (store/post.h);
 *	                            folded and kept: when flags folded it, and when
 *	                            moderators decided that it stays; again: when it had a
 *	                            second chance; barred and barred_by_site: the groups
 *	                            that it was taken out of by their moderators, and by
 *	                            those of the site;
 *	                            scores: the lists by score
 *	                            that have it (store/scores.h); from: its publisher;
 *	                            and front: the first full hour at which it was on the
 *	                            front page that was kept (store/front_hour.h)
 *	{b.n}comment:ID:N   hash    text, author, links, closes, edited, removed, removed_by,
 *	                            held, folded, kept and ruling, as of an article
 *	{b.n}thread:ID      string  a record of 16 bytes for each comment (below)
 *	{b.n}voters:POST    set     ids of the members who voted: positive for an upvote,
 *	                            negative for a downvote, KEY_VOID_OFFSET farther from 0
 *	                            for a voided vote; and 0, so that the set is never
 *	                            empty. Expires when voting closes: a post without the
 *	                            set takes no votes
 *	{b.n}flags:POST     hash    id of a member -> "REASON MOMENT" or "REASON MOMENT
 *	                            dismissed"; REASON is "none" once the member removed a
 *	                            dismissed flag; id 0 with "first" marks a new member's
 *	                            first post. Expires a month after the dismissal, or after
 *	                            the last open one was taken back
 *	{b.n}flaggers:ID    set     ids of members who flagged posts of the thread; expires
 *	                            an hour after the first of them did
 *	{b.n}claims:XX      hash    rest of HASH -> "ID CLOSES": the article that holds a
 *	                            link until its voting closes. XX are the first two
 *	                            characters of HASH; b is from the slot of HASH
 *	{b.n}articles       string  the last number that was assigned: article n of bucket b
 *	                            has the id n * buckets + b
 *
 * Lists of a bucket. LIST is absent (all posts), a group's name, @USERID (one author), or
 * /PUBLISHER (where they are from; store/publisher.h):
 *
 *	{b.n}time[:LIST]    zset    ids of articles by time of posting
 *	{b.n}score[:LIST]   zset    ids of articles by score; none per author or publisher
 *	{b.n}score2[:LIST]  zset    the same for another worth of a vote (store/scores.h)
 *	{b.n}active[:LIST]  zset    ids of articles with comments by the time of the last one
 *	                            that is not removed; none per author or publisher. Those
 *	                            without are active since they were posted: time[:LIST]
 *	{b.n}points[:GROUP] zset    ids of articles on which voting has closed, by points
 *	                            (store/points.h)
 *	{b.n}month:MONTH[/GROUP] zset  those of them that were posted in a month of UTC,
 *	                            "2026-11"
 *	{b.n}interesting    zset    ids of articles by the time they became interesting
 *	{b.n}again          zset    ids of articles by the time of their second chance
 *	{b.n}comments[:LIST] zset   ids of comments by time of posting: the newest of all, or
 *	                            all of an author; none per group
 *	{b.n}gone:@USERID   zset    ids of an author's removed posts by time of posting
 *	{b.n}queue          zset    ids of posts that wait for moderators, by the time of the
 *	                            first flag that is not dismissed; a post that was folded
 *	                            needs none
 *
 * Other keys of a bucket:
 *
 *	{b.n}act:N          hash    an action of a moderator (store/mod_action.h)
 *	{b.n}log[:LIST]     zset    numbers of actions by time; LIST is absent (all), =KIND,
 *	                            @USERID (whom it concerns) or ^USERID (the moderator);
 *	                            those that are parts of a decision are in @USERID, %N, the
 *	                            number of its action, and +USERID (the moderator)
 *	{b.n}acts           string  the last number assigned to an action, as in articles
 *	{b.0}containment:N  hash    only in bucket 0: what an action does to a member's posts
 *	                            and votes, and how far that is (store/containment.h);
 *	                            expires a day after it was decided
 *	{b.0}containments   set     beside them: their numbers
 *	{b.n}contained:@USERID zset ids of a member's posts that they removed, by the number
 *	                            of the action; minus it where somebody has decided
 *	                            otherwise since. Expires once no vote that was open
 *	                            then still is
 *	{b.n}revoked:@USERID zset   likewise ids of posts on which they voided, or counted
 *	                            again, a member's vote
 *	{b.n}karma          hash    id of a member -> points for posts of this bucket
 *	{b.n}backing        hash    id of a member -> upvotes of members who are no newcomers
 *	                            on posts of this bucket (store/newcomer.h)
 *	{b.n}outbox         stream  comments and actions that members are to be notified of
 *	                            (store/outbox.h)
 *	{b.n}changes        stream  posts that changed, for search (store/changes.h); trimmed
 *	                            to some 100,000
 *	{b.n}versions       hash    counts of changes, by which workers' caches are
 *	                            invalidated (store/versions.h): "lists" (contents and
 *	                            order of lists), "edits" (articles without their vote
 *	                            counts), and in bucket 0 "settings"; "interesting", 1
 *	                            while {b.n}interesting exists; "newest", the time up
 *	                            to which entries have been trimmed from {b.n}comments;
 *	                            "scores", the lists by score (store/scores.h); "placed",
 *	                            the article that was placed last by points; and in
 *	                            bucket 0 "listed", by what articles are listed by
 *	                            publisher (store/publisher_walk.h)
 *	{b.0}settings       hash    only in bucket 0: name, tagline, slogan, language,
 *	                            contact, about, rules, foot_links, announcement, announced, style,
 *	                            registration, group_creation, voting, voting_since,
 *	                            log_names, front_order, overlooked, interesting, vote_score,
 *	                            hosts, tag_authority, shared_hosts
 *	{b.0}image:NAME     string  beside them: the PNG files "logo" and "icon"
 *	{b.0}front:MONTH    hash    only in bucket 0: "DAYTHOUR" -> the ids of the first
 *	                            articles of the front page at that hour, as bytes
 *	                            (store/front_hour.h); MONTH is "2026-11"
 *	{b.0}fronts         set     the months that have kept front pages
 *
 * Members:
 *
 *	{uID}user           hash    name, password (its hash), role, created, trusted,
 *	                            newcomer, kept and backing (store/newcomer.h),
 *	                            suspended (until), suspension (the reason), closed,
 *	                            invited_by and invited (names); votes (number of votes
 *	                            cast); visits (number of changes of seen); told
 *	                            (number of notifications), read (up to which the member
 *	                            has read them), read_ahead (how many after that, each by
 *	                            itself), feed_key (the digest of the secret of
 *	                            private feeds), dismissed (the moment of the
 *	                            announcement that the member dismissed), gravity (of the
 *	                            order hot: "1.6"), language ("de"), hidden, follows
 *	                            and saves (numbers of changes of {uID}hidden, {uID}follows and {uID}saved),
 *	                            about (a text by the member, Markdown),
 *	                            scoreless (1: is shown no scores),
 *	                            home (1: "/" is the list of what the member follows);
 *	                            factor (the secret of the second factor), factor_on
 *	                            (since when) and factor_used (the step of the last
 *	                            code; store/second_factor.h); recovery_made (when a
 *	                            link to recover the account was made) and recovered
 *	                            (when the password was last set by recovery).
 *	                            Written before name:NAME
 *	{uID}sessions       hash    digest of the session's secret -> "CREATED SEEN AGENT"
 *	{uID}invites        hash    secret of an invitation -> "EXPIRES", or while a member
 *	                            registers with it "EXPIRES TOKEN UNTIL": reserved
 *	{uID}inbox          zset    comments and moderators' actions, each with the reason for
 *	                            the notification, by the value of told, and a half more
 *	                            once the member has read it by itself
 *	{uID}muted          set     articles ("7") without notifications; and members ("@17"),
 *	                            who were muted before that was hiding, until the member
 *	                            is refreshed
 *	{uID}hidden         zset    rules of what the member does not want to see, by the
 *	                            moment when they were made (store/hidden.h)
 *	{uID}follows        set     names of the groups that the member follows
 *	{uID}seen           hash    id of an article -> number of its last comment that the
 *	                            member has read; expires when all these threads have
 *	                            closed
 *	{uID}saved          zset    ids of the posts that the member has saved, by the moment
 *	{uID}votes          zset    ids of the posts last voted on, by the moment times 8 and
 *	                            what the vote is (store/vote_history.h)
 *	{uID}codes          set     digests of the member's unused recovery codes
 *	                            (store/recovery.h)
 *	{uID}link           string  "DIGEST" or "DIGEST factor": the link to recover the account,
 *	                            by the digest of its secret, which with "factor" turns
 *	                            the second factor off; expires after a day
 *	                            (store/one_time_link.h)
 *	{uID}notes          zset    notes of moderators on the member, "17 Text" with the id of
 *	                            the author, by the moment (store/member_note.h)
 *	{uID}networks       zset    digests of the networks that the member last logged in
 *	                            from, by the moment; expires (store/network.h)
 *	{uID}limit:KIND     string  uses of a rate limit; expires at the end of its window
 *	{uID}limit:bytes    hash    bytes: the number of bytes written; expires after a day
 *
 * The site; each key has a slot of its own:
 *
 *	site                hash    version (of this layout), buckets, vote_score, secret;
 *	                            and while data are moved on (store/move.h) from, the
 *	                            layout before; moved:N, the number of bucket N's
 *	                            last article that was; moved:members and
 *	                            moved:groups, the last id and list and name; and
 *	                            alone, 1 once no program of that layout runs. In its
 *	                            slot:
 *	{site}lease:LAYOUT  string  1; programs of that layout run (store/lease.h); expires
 *	                            after half a minute
 *	users               string  the last id assigned to a member
 *	name:NAME           string  id of the member; NAME in lower case
 *	looking:ID[:N]      string  "17 NAME", the moderator who looks at a post that waits;
 *	                            expires after five minutes (store/looking.h)
 *	network:DIGEST      zset    ids of the members who last logged in from a network, by
 *	                            the moment; expires
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
 *	applications        hash    NAME, in lower case -> an application for registration
 *	                            (store/application.h)
 *	group:NAME          hash    title, by (the founder: MEMBER), created, closed, into
 *	                            (name of the group that replaced it), moderators
 *	                            (MEMBERs, at most RULE_GROUP_MODERATORS_MAX), restricted
 *	                            (since when only these post), description and rules
 *	                            (Markdown)
 *	groups              zset    names of groups; all scores are 0: in order of name
 *	former              zset    names of groups that were renamed or merged, likewise
 *
 * A thread's record of comment N is at byte 16 N, most significant byte first:
 *
 *	3 bytes   number of the parent; 0 for the article
 *	1 byte    bit 0: removed; bit 1: removed by its author
 *	4 bytes   time of posting; 0: there is no such comment, or it has never been shown
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
/* Set once no program of the former layout runs (store/lease.h). */
#define KEYS_ALONE TEXT("alone")
struct text key_moved_field(struct arena *arena, uint64_t bucket);

#define KEY_SITE	 TEXT("site")
#define KEY_USERS	 TEXT("users")
#define KEY_GROUPS	 TEXT("groups")
#define KEY_FORMER	 TEXT("former")
#define KEY_MODERATORS	 TEXT("moderators")
#define KEY_OWNERS	 TEXT("owners")
#define KEY_APPLICATIONS TEXT("applications")

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

/*
 * The keys that begin with a tag or end in a name. A row has the key's name in C (KEY_TIME)
 * and in functions (time_key, but for keys without a tag); its first word; the slot: that of
 * a bucket, of a member, or its own; what follows the word and a colon (POST: ID or ID:N);
 * its type; and ORIGINAL, or DERIVED if it is written from others (store/refresh.h).
 */
/* clang-format off */
#define KEYS(KEY) \
	KEY(ARTICLE,            "article",     BUCKET, ID,      "hash",   ORIGINAL) \
	KEY(COMMENT,            "comment",     BUCKET, COMMENT, "hash",   ORIGINAL) \
	KEY(VOTERS,             "voters",      BUCKET, POST,    "set",    ORIGINAL) \
	KEY(FLAGS,              "flags",       BUCKET, POST,    "hash",   ORIGINAL) \
	KEY(FLAGGERS,           "flaggers",    BUCKET, ID,      "set",    ORIGINAL) \
	KEY(THREAD,             "thread",      BUCKET, ID,      "string", ORIGINAL) \
	KEY(CLAIMS,             "claims",      BUCKET, ANY,     "hash",   DERIVED) \
	KEY(ARTICLE_COUNTER,    "articles",    BUCKET, NOTHING, "string", DERIVED) \
	KEY(TIME,               "time",        BUCKET, LIST,    "zset",   DERIVED) \
	KEY(SCORE,              "score",       BUCKET, LIST,    "zset",   DERIVED) \
	KEY(SCORE2,             "score2",      BUCKET, LIST,    "zset",   DERIVED) \
	KEY(ACTIVE,             "active",      BUCKET, LIST,    "zset",   DERIVED) \
	KEY(POINTS,             "points",      BUCKET, LIST,    "zset",   DERIVED) \
	KEY(MONTH,              "month",       BUCKET, LIST,    "zset",   DERIVED) \
	KEY(INTERESTING,        "interesting", BUCKET, NOTHING, "zset",   DERIVED) \
	KEY(AGAIN,              "again",       BUCKET, NOTHING, "zset",   DERIVED) \
	KEY(COMMENTS,           "comments",    BUCKET, LIST,    "zset",   DERIVED) \
	KEY(REMOVED,            "gone",        BUCKET, LIST,    "zset",   DERIVED) \
	KEY(QUEUE,              "queue",       BUCKET, NOTHING, "zset",   DERIVED) \
	KEY(MOD_ACTION,         "act",         BUCKET, ID,      "hash",   ORIGINAL) \
	KEY(LOG,                "log",         BUCKET, LIST,    "zset",   DERIVED) \
	KEY(MOD_ACTION_COUNTER, "acts",        BUCKET, NOTHING, "string", DERIVED) \
	KEY(CONTAINMENT,        "containment", BUCKET, ID,      "hash",   ORIGINAL) \
	KEY(CONTAINMENTS,       "containments", BUCKET, NOTHING, "set",   DERIVED) \
	KEY(CONTAINED,          "contained",   BUCKET, LIST,    "zset",   ORIGINAL) \
	KEY(REVOKED,            "revoked",     BUCKET, LIST,    "zset",   ORIGINAL) \
	KEY(KARMA,              "karma",       BUCKET, NOTHING, "hash",   DERIVED) \
	KEY(BACKING,            "backing",     BUCKET, NOTHING, "hash",   ORIGINAL) \
	KEY(OUTBOX,             "outbox",      BUCKET, NOTHING, "stream", ORIGINAL) \
	KEY(CHANGES,            "changes",     BUCKET, NOTHING, "stream", DERIVED) \
	KEY(VERSIONS,           "versions",    BUCKET, NOTHING, "hash",   ORIGINAL) \
	KEY(SETTINGS,           "settings",    BUCKET, NOTHING, "hash",   ORIGINAL) \
	KEY(IMAGE,              "image",       BUCKET, ANY,     "string", ORIGINAL) \
	KEY(FRONT,              "front",       BUCKET, ANY,     "hash",   ORIGINAL) \
	KEY(FRONT_MONTHS,       "fronts",      BUCKET, NOTHING, "set",    DERIVED) \
	KEY(USER,               "user",        MEMBER, NOTHING, "hash",   ORIGINAL) \
	KEY(SESSIONS,           "sessions",    MEMBER, NOTHING, "hash",   ORIGINAL) \
	KEY(INVITES,            "invites",     MEMBER, NOTHING, "hash",   ORIGINAL) \
	KEY(INBOX,              "inbox",       MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(MUTED,              "muted",       MEMBER, NOTHING, "set",    ORIGINAL) \
	KEY(HIDDEN,             "hidden",      MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(FOLLOWS,            "follows",     MEMBER, NOTHING, "set",    ORIGINAL) \
	KEY(READ_MARKS,         "seen",        MEMBER, NOTHING, "hash",   ORIGINAL) \
	KEY(SAVED,              "saved",       MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(VOTES,              "votes",       MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(RECOVERY_CODES,     "codes",       MEMBER, NOTHING, "set",    ORIGINAL) \
	KEY(RECOVERY_LINK,      "link",        MEMBER, NOTHING, "string", ORIGINAL) \
	KEY(MEMBER_NOTES,       "notes",       MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(NETWORKS,           "networks",    MEMBER, NOTHING, "zset",   ORIGINAL) \
	KEY(NAME,               "name",        ALONE,  ANY,     "string", DERIVED) \
	KEY(GROUP,              "group",       ALONE,  ANY,     "hash",   ORIGINAL)
/* clang-format on */

#define KEY_KIND(name, ...) KEY_##name,
enum key_kind { KEY_OTHER, KEYS(KEY_KIND) KEY_KINDS };

/* A post: an article, or a comment inside one; comment 0 is the article. */
struct post_id {
	uint64_t article, comment;
};

/* The size of a comment's number. */
enum { KEY_COMMENT_BITS = 24 };

/* "7", or "7:3" for a comment; in keys, dumps and messages. */
struct text key_post_name(struct arena *arena, struct post_id id);
/* The post of such a name; false when it has another form, or no post can have it. */
bool key_read_post_name(struct text name, struct post_id *id);

/*
 * The key of a kind, of a post, in a bucket or of a member. list is empty (all), a group's
 * name or from a function below; and empty for a key that is not a list.
 */
struct text key_of_post(struct arena *arena, const struct buckets *buckets,
    enum key_kind kind, struct post_id id);
struct text key_in_bucket(struct arena *arena, const struct buckets *buckets,
    uint64_t bucket, enum key_kind kind, struct text list);
struct text key_of_member(
    struct arena *arena, uint64_t user, enum key_kind kind);

/* Lists of an author's posts, of what is from a publisher, and of the log: of a kind of action,
 * about a member, and by a moderator. The others of articles are of groups. */
struct text key_list_of_author(struct arena *arena, uint64_t user);
struct text key_list_of_publisher(struct arena *arena, struct text publisher);
bool key_list_is_of_group(struct text list);

/* The month of UTC that has a moment: "2026-11"; and the list of the articles of a month, all or
 * those of a group. */
struct text key_month(struct arena *arena, int64_t moment);
struct text key_list_of_month(
    struct arena *arena, struct text month, struct text group);
struct text key_log_of_kind(struct arena *arena, struct text kind);
struct text key_log_of_member(struct arena *arena, uint64_t user);
struct text key_log_of_moderator(struct arena *arena, uint64_t user);
/* Of actions that are parts of a decision: of that, and by a moderator. */
struct text key_log_of_decision(struct arena *arena, uint64_t decision);
struct text key_log_of_parts_by(struct arena *arena, uint64_t user);

/* A post's hash, its voters and its flags. */
struct text key_post(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_voters(
    struct arena *arena, const struct buckets *buckets, struct post_id id);
struct text key_flags(
    struct arena *arena, const struct buckets *buckets, struct post_id id);

#define key_thread(arena, buckets, article) \
	key_of_post( \
	    (arena), (buckets), KEY_THREAD, (struct post_id){ (article), 0 })
/* Moderators' actions are spread over buckets as articles are: by key_bucket_of. */
#define key_mod_action(arena, buckets, action) \
	key_of_post((arena), (buckets), KEY_MOD_ACTION, \
	    (struct post_id){ (action), 0 })

#define key_time(arena, buckets, bucket, list) \
	key_in_bucket((arena), (buckets), (bucket), KEY_TIME, (list))
#define key_score(arena, buckets, bucket, list) \
	key_in_bucket((arena), (buckets), (bucket), KEY_SCORE, (list))
#define key_comments(arena, buckets, bucket, list) \
	key_in_bucket((arena), (buckets), (bucket), KEY_COMMENTS, (list))
#define key_removed(arena, buckets, bucket, list) \
	key_in_bucket((arena), (buckets), (bucket), KEY_REMOVED, (list))
#define key_log(arena, buckets, bucket, list) \
	key_in_bucket((arena), (buckets), (bucket), KEY_LOG, (list))
#define key_interesting(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_INTERESTING, TEXT(""))
#define key_again(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_AGAIN, TEXT(""))
#define key_queue(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_QUEUE, TEXT(""))
#define key_outbox(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_OUTBOX, TEXT(""))
#define key_changes(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_CHANGES, TEXT(""))
#define key_karma(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_KARMA, TEXT(""))
#define key_backing(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_BACKING, TEXT(""))
#define key_versions(arena, buckets, bucket) \
	key_in_bucket((arena), (buckets), (bucket), KEY_VERSIONS, TEXT(""))
#define key_article_counter(arena, buckets, bucket) \
	key_in_bucket( \
	    (arena), (buckets), (bucket), KEY_ARTICLE_COUNTER, TEXT(""))
#define key_mod_action_counter(arena, buckets, bucket) \
	key_in_bucket( \
	    (arena), (buckets), (bucket), KEY_MOD_ACTION_COUNTER, TEXT(""))
#define key_containment(arena, buckets, act) \
	key_of_post( \
	    (arena), (buckets), KEY_CONTAINMENT, (struct post_id){ (act), 0 })
#define key_containments(arena, buckets) \
	key_in_bucket((arena), (buckets), 0, KEY_CONTAINMENTS, TEXT(""))
#define key_settings(arena, buckets) \
	key_in_bucket((arena), (buckets), 0, KEY_SETTINGS, TEXT(""))
#define key_image(arena, buckets, name) \
	key_in_bucket((arena), (buckets), 0, KEY_IMAGE, (name))
#define key_front(arena, buckets, month) \
	key_in_bucket((arena), (buckets), 0, KEY_FRONT, (month))
#define key_front_months(arena, buckets) \
	key_in_bucket((arena), (buckets), 0, KEY_FRONT_MONTHS, TEXT(""))

#define key_user(arena, user)	  key_of_member((arena), (user), KEY_USER)
#define key_sessions(arena, user) key_of_member((arena), (user), KEY_SESSIONS)
#define key_invites(arena, user)  key_of_member((arena), (user), KEY_INVITES)
#define key_saved(arena, user)	  key_of_member((arena), (user), KEY_SAVED)
#define key_votes(arena, user)	  key_of_member((arena), (user), KEY_VOTES)
#define key_recovery_codes(arena, user) \
	key_of_member((arena), (user), KEY_RECOVERY_CODES)
#define key_recovery_link(arena, user) \
	key_of_member((arena), (user), KEY_RECOVERY_LINK)
#define key_inbox(arena, user) key_of_member((arena), (user), KEY_INBOX)
#define key_member_notes(arena, user) \
	key_of_member((arena), (user), KEY_MEMBER_NOTES)
#define key_networks(arena, user) key_of_member((arena), (user), KEY_NETWORKS)
#define key_muted(arena, user)	  key_of_member((arena), (user), KEY_MUTED)
#define key_hidden(arena, user)	  key_of_member((arena), (user), KEY_HIDDEN)
#define key_follows(arena, user)  key_of_member((arena), (user), KEY_FOLLOWS)
#define key_read_marks(arena, user) \
	key_of_member((arena), (user), KEY_READ_MARKS)

/* The hash that has a claim (rule_claim), and the claim's field in it. */
struct text key_claims(
    struct arena *arena, const struct buckets *buckets, struct text claim);
struct text key_claim_field(struct text claim);

struct text key_user_name(struct arena *arena, struct text name);
struct text key_group(struct arena *arena, struct text name);

/* A one-time link to become the owner, and the claim of the member who has used one. */
struct text key_owner_link(struct arena *arena, struct text digest);
#define KEY_OWNER_CLAIM TEXT("{owners}claim")

/* The lease of a layout. */
struct text key_lease(struct arena *arena, struct text layout);

/* Who looks at a post. */
struct text key_looking(struct arena *arena, struct post_id id);

/* The members of a network, by its digest. */
struct text key_network(struct arena *arena, struct text digest);

/* The uses of a rate limit: by a member, and by others. */
struct text key_limit_of_member(
    struct arena *arena, uint64_t user, struct text kind);
struct text key_limit(struct arena *arena, struct text kind, struct text who);
/* What the last begins with for a name and for a browser. */
#define KEY_LIMIT_NAME	 TEXT("name:")
#define KEY_LIMIT_DEVICE TEXT("device:")

/*
 * Parses a key. *bucket is set for keys of a bucket. *id is the post of an article,
 * comment, voters, flags or thread; its article is also the number of an action, or the id
 * of a member. *list is the list that key_time, key_score, key_removed, key_log or
 * key_comments was given.
 */
enum key_kind key_parse(
    struct text key, uint64_t *bucket, struct post_id *id, struct text *list);

/* The type of a key in this layout, as TYPE names it: "hash". Empty for counts of rate
 * limits, one-time links and who looks at a post, and for keys that are not of this layout. */
struct text key_type(struct text key);

/* True for keys that are written from others: lists, indexes and counters (store/refresh.h). */
bool key_is_derived(struct text key);

/* True for sorted sets of a bucket: of posts, or of moderators' actions. */
bool key_is_list(enum key_kind kind);

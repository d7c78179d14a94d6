/*
 * Members: accounts, names, roles and karma.
 */
#pragma once

#include "store/schema.h"

struct user {
	uint64_t id;
	struct text name; /* as registered; unique without case */
	/* Of crypto_password_hash; empty: no login. */
	struct text password_hash;
	enum role role;
	int64_t created; /* Unix seconds */
	int64_t trusted; /* when invited or vouched for; 0: not trusted */
	/* Since when the member may be one (store/newcomer.h); 0: is none. */
	int64_t newcomer;
	/* When moderators first kept a newcomer's post; 0: never. */
	int64_t kept;
	int64_t backing;	/* upvotes that a dump had (ibid.) */
	int64_t suspended;	/* until when; 0: never was */
	struct text suspension; /* the reason */
	int64_t closed;		/* when the account was; 0: it is open */
	/* Browsers known before then are unknown to log-ins (pages/cookie.h); 0: none are. */
	int64_t distrusted;
	struct text invited_by; /* a name; empty: not invited */
	struct text invited;	/* names separated by spaces */
	/* The versions of what is cached: the member's votes (store/vote_history.h; their number), read
	 * marks (lists/read_marks.h) and saved posts (lists/saved_marks.h; 0: nothing ever was). */
	int64_t votes, visits, saves;
	/* The number of the last notice (store/inbox.h); that up to which all are read; and how many
	 * after it were read, each by itself. */
	int64_t notified, read, read_ahead;
	struct text feed_key; /* a digest (store/feed_key.h); or empty */
	int64_t hidden;	      /* the version of cached rules (store/hidden.h) */
	/* The version of the cached groups (store/follows.h). */
	int64_t follows;
	int64_t home;	   /* 1: their front page is what they follow */
	int64_t scoreless; /* 1: they are shown no scores */
	/* The settings.announced of what the member dismissed last; 0: none. */
	int64_t dismissed;
	struct text gravity; /* of the order hot (rule_gravity); empty: usual */
	struct text language; /* the tag of a language; empty: the site's */
	/* Markdown (rule_user_about): of the member, by the member; or empty. */
	struct text about;
	/* The second factor's secret (base/totp.h), which no page but that of turning it on shows;
	 * empty: off. */
	struct text factor;
	int64_t factor_on; /* since when it is on; 0: it is off */
	/* The step of the last code; earlier ones and that one are refused. */
	int64_t factor_used;
	/* When last appointed a moderator of a group; 0: never. Who moderates one stands with the
	 * group. */
	int64_t moderates;
	/* When a link to recover the account was made, and when the password was set by
	 * a code or a link; 0: never. */
	int64_t recovery_made, recovered;
};

/* The field of home. */
#define USER_HOME TEXT("home")
/* The field of scoreless. */
#define USER_SCORELESS TEXT("scoreless")
/* The fields of gravity and language. */
#define USER_GRAVITY  TEXT("gravity")
#define USER_LANGUAGE TEXT("language")

/* The field of moderates. */
#define USER_MODERATES TEXT("moderates")

/* The field of feed_key. */
#define USER_FEED_KEY TEXT("feed_key")

extern const struct schema user_schema;

/* How many notices are unread. */
int64_t user_unread(const struct user *user);

/* Reads a member by name, ignoring case, or by id. STORE_ABSENT. */
STORE_CALL user_find(struct store *store, struct arena *arena, struct text name,
    struct user *user);
STORE_CALL user_get(
    struct store *store, struct arena *arena, uint64_t id, struct user *user);

/*
 * Creates a member with name, password_hash, role, created (0: now) and invited_by, which
 * makes the member trusted, and as a newcomer unless newcomer is 0; sets id. STORE_TAKEN when the
 * name is in use.
 */
STORE_CALL user_create(
    struct store *store, struct arena *arena, struct user *user);

/*
 * Add commands that write a member, and claim the name: in a later round trip, so that a
 * name never refers to a missing member. When the claim's reply says that the name is in
 * use (user_has_name is false), delete the member.
 */
void user_send(struct pipeline *pipeline, const struct user *user);
void user_send_claim(struct pipeline *pipeline, const struct user *user);
bool user_has_name(const struct user *user, const struct reply *claim);

/* Adds commands that update the index of moderators and owners, whose readers check the role of
 * each as well. */
void user_send_role(struct pipeline *pipeline, uint64_t id, enum role role);

/* Adds a command that notes when a member was last appointed a moderator of a group. */
void user_send_moderates(struct pipeline *pipeline, uint64_t id, int64_t at);

/* Reads the ids of members by name, ignoring case; 0 where there is none. */
STORE_CALL user_find_ids(struct store *store, struct arena *arena,
    const struct text *names, size_t count, uint64_t *ids);

/*
 * Names for a closed account, which gets the first that is free: "closed-17", then
 * "closed-17-2" to "closed-17-9". number is from 1.
 */
enum { USER_CLOSED_NAMES = 9 };
struct text user_closed_name(struct arena *arena, uint64_t id, int number);

/* Reads those members that exist, in the order of ids. */
STORE_CALL user_get_all(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct user **users, size_t *got);

/* The same without those that cannot be reached: as store_run_partial. */
STORE_CALL user_get_reachable(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct user **users, size_t *got,
    bool *is_partial);

/* Reads up to count of the newest members, after the first start; *more when there are
 * older ones. Lost masters: as above. */
STORE_CALL user_newest(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct user **users, size_t *got, bool *more,
    bool *is_partial);

/* The last second of the year 9999, as the end of a permanent suspension. */
#define USER_SUSPENDED_FOREVER INT64_C(253402300799)
bool user_is_suspended_forever(const struct user *user);

/* Reads the ids of moderators and owners, unordered. */
STORE_CALL user_moderators(
    struct store *store, struct arena *arena, uint64_t **ids, size_t *count);

/* Builds the index of moderators for a site from before there was one: reads every member
 * once; does nothing when there is an index. */
STORE_CALL user_index_moderators(struct store *store);

/* Sets a role. STORE_OK also when the member has it already. */
STORE_CALL user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role);

/* Sets which list is the member's front page: all articles, or those of the groups that the
 * member follows. */
STORE_CALL user_set_home(
    struct store *store, struct arena *arena, uint64_t id, bool is_home);

/* Sets whether the member is shown scores. */
STORE_CALL user_set_scoreless(
    struct store *store, struct arena *arena, uint64_t id, bool is_scoreless);

/* Notes that the member dismissed the announcement of that moment. */
STORE_CALL user_dismiss_announcement(
    struct store *store, struct arena *arena, uint64_t id, int64_t announced);

/* Stores the tag of a language (rule_language), or empties it. */
STORE_CALL user_set_language(struct store *store, struct arena *arena,
    uint64_t id, struct text language);

/* Stores a gravity, a choice of rule_gravity. */
STORE_CALL user_set_gravity(
    struct store *store, struct arena *arena, uint64_t id, struct text gravity);

/* Stores what the member says of themselves, which may be empty. STORE_ABSENT when the account is
 * closed. */
STORE_CALL user_set_about(
    struct store *store, struct arena *arena, uint64_t id, struct text about);

/* Makes all browsers unknown for log-ins, of which fewer are allowed. */
STORE_CALL user_distrust_browsers(
    struct store *store, struct arena *arena, uint64_t id);

/* Reads the ids of owners, unordered. */
STORE_CALL user_owners(
    struct store *store, struct arena *arena, uint64_t **ids, size_t *count);

/*
 * Uses up a link to become the owner, by the digest of its secret, and reserves that for
 * the member for a minute, in which the call may be repeated. STORE_TAKEN when the site has
 * an owner, or another member has reserved it; STORE_ABSENT when there is no such link.
 * user_end_owner_claim ends the reservation, once the member has the role.
 */
STORE_CALL user_claim_owner(
    struct store *store, struct arena *arena, uint64_t id, struct text digest);
STORE_CALL user_end_owner_claim(struct store *store, struct arena *arena);

/* Removes a member from the owners, before the role changes or the account is closed.
 * STORE_LAST_OWNER when the site would have no owner left, also with concurrent calls.
 * STORE_OK when repeated. */
STORE_CALL user_step_down(
    struct store *store, struct arena *arena, uint64_t id);

/*
 * Replaces the password's hash and ends all sessions of the member. STORE_TAKEN, and no
 * change, when the hash is not old_hash any more; an empty old_hash matches any.
 */
STORE_CALL user_set_password(struct store *store, struct arena *arena,
    uint64_t id, struct text old_hash, struct text new_hash);

/* The member's karma: the sum of up - down - 1 over all posts. *is_known is false when a
 * master that is lost has some of it. */
STORE_CALL user_karma(struct store *store, struct arena *arena, uint64_t id,
    int64_t *karma, bool *is_known);

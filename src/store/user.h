/*
 * Members: who they are.
 */
#pragma once

#include "store/schema.h"

struct user {
	uint64_t id;
	struct text name; /* as registered; unique without case */
	struct text
	    password_hash; /* of crypto_password_hash; empty: no login */
	enum role role;
	int64_t created;   /* Unix seconds */
	int64_t trusted;   /* since when: invited, or vouched for; 0: never */
	int64_t suspended; /* until then; 0: never was */
	struct text suspension; /* why */
	int64_t closed;		/* the account; 0: it is open */
	int64_t distrusted; /* since when browsers of before are strangers to
				   log-ins (pages/cookie.h); 0: never */
	struct text invited_by; /* a name; empty: by nobody */
	struct text invited;	/* names with a space between */
	int64_t votes;	/* how many were cast: the version of what is kept of
			    them */
	int64_t visits; /* likewise, of what was seen (lists/read_marks.h) */
	int64_t
	    notified; /* how often the inbox got something, which has that for
			 its number (store/inbox.h); and the number up to which
			 the member has read: what is between is unread */
	int64_t read;
};

/* So many of the articles that a member last voted on are known. */
enum { VOTED_MAX = 16 };

/* Its brief fields are what a session needs to know. */
extern const struct schema user_schema;

/* By name, in any case, or by id. STORE_ABSENT. */
STORE_CALL user_find(struct store *store, struct arena *arena, struct text name,
    struct user *user);
STORE_CALL user_get(
    struct store *store, struct arena *arena, uint64_t id, struct user *user);

/*
 * Reads name, password_hash, role, created (0: now) and invited_by, who makes the
 * member trusted; writes id. STORE_TAKEN when somebody has the name.
 */
STORE_CALL user_create(
    struct store *store, struct arena *arena, struct user *user);

/*
 * Writes a member, and claims the name: in a later round trip, so that a name never
 * leads to nobody. A member whose claim finds the name taken is to be deleted.
 */
void user_send(struct pipeline *pipeline, const struct user *user);
void user_send_claim(struct pipeline *pipeline, const struct user *user);
bool user_has_name(const struct user *user, const struct reply *claim);

/* The ids of the members of those names, in any case; 0 where nobody has one. */
STORE_CALL user_find_ids(struct store *store, struct arena *arena,
    const struct text *names, size_t count, uint64_t *ids);

/*
 * The names that a closed account may get, which takes the first that is free:
 * "closed-17", and after it "closed-17-2" to "closed-17-9". number is from 1.
 */
enum { USER_CLOSED_NAMES = 9 };
struct text user_closed_name(struct arena *arena, uint64_t id, int number);

/* Those of the ids that are members, in their order. */
STORE_CALL user_get_all(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct user **users, size_t *got);

/* The same without those who are out of reach, as store_run_partial has it. */
STORE_CALL user_get_reachable(struct store *store, struct arena *arena,
    const uint64_t *ids, size_t count, struct user **users, size_t *got,
    bool *is_partial);

/* Up to count of the newest members, after the first start, likewise; *more when there
 * are others before them. */
STORE_CALL user_newest(struct store *store, struct arena *arena, uint64_t start,
    uint64_t count, struct user **users, size_t *got, bool *more,
    bool *is_partial);

/* Until the last second of the year 9999. */
#define USER_SUSPENDED_FOREVER INT64_C(253402300799)
bool user_is_suspended_forever(const struct user *user);

/* Ids of moderators and owners, in no order. */
STORE_CALL user_moderators(
    struct store *store, struct arena *arena, uint64_t **ids, size_t *count);

/* Finds them for a site from before they were listed: every member is looked at, once, or
 * not at all when somebody is listed. */
STORE_CALL user_index_moderators(struct store *store);

/* STORE_OK also when the member has that role already. */
STORE_CALL user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role);

/* Makes a log-in from any browser one from an unknown browser, of which fewer are allowed. */
STORE_CALL user_distrust_browsers(
    struct store *store, struct arena *arena, uint64_t id);

/* Before an owner becomes something else, or closes the account: STORE_LAST_OWNER when nobody
 * else would be an owner, whoever else does so at the same time. Done again it is done. */
STORE_CALL user_step_down(
    struct store *store, struct arena *arena, uint64_t id);

/*
 * Also ends all sessions of the member. STORE_TAKEN, and nothing is changed, when
 * the hash is no longer the old one; an empty old_hash stands for any.
 */
STORE_CALL user_set_password(struct store *store, struct arena *arena,
    uint64_t id, struct text old_hash, struct text new_hash);

/* The sum of up - down - 1 over what the member posted; *is_known unless a master
 * that is away has some of it. */
STORE_CALL user_karma(struct store *store, struct arena *arena, uint64_t id,
    int64_t *karma, bool *is_known);

/*
 * Says that a member is about to vote on an article, or to post one in its bucket:
 * that makes another version of the member's votes, and the article is among those
 * last announced. It is done in another slot, and maybe later; whoever reads in
 * between must not keep what it read (lists/article_rows.c).
 */
void user_announce_vote(
    struct pipeline *pipeline, uint64_t user, uint64_t article);

/* Adds what keeps the list of those articles short, now and then: the length is
 * the reply to the announcement's last command. */
void user_trim_voted(
    struct pipeline *pipeline, uint64_t user, const struct reply *length);

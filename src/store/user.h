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
	int64_t created; /* Unix seconds */
	int64_t votes;	 /* how many were cast: the version of what is kept of
			    them */
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
 * Reads name, password_hash, role and created (0: now); writes id. STORE_TAKEN
 * when somebody has the name.
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

/* STORE_OK also when the member has that role already. */
STORE_CALL user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role);

/*
 * Also ends all sessions of the member. STORE_TAKEN, and nothing is changed, when
 * the hash is no longer the old one; an empty old_hash stands for any.
 */
STORE_CALL user_set_password(struct store *store, struct arena *arena,
    uint64_t id, struct text old_hash, struct text new_hash);

/* The sum of up - down - 1 over what the member posted. */
STORE_CALL user_karma(
    struct store *store, struct arena *arena, uint64_t id, int64_t *karma);

/*
 * Says that a member is about to vote: that makes another version of the member's
 * votes, and the article is among those last voted on. The vote is cast later, and
 * in another slot; whoever reads it in between must not keep it (lists/details.c).
 */
void user_announce_vote(
    struct pipeline *pipeline, uint64_t user, uint64_t article);

/* Adds what keeps the list of those articles short, now and then: the length is
 * the reply to the announcement's last command. */
void user_cut_voted(
    struct pipeline *pipeline, uint64_t user, const struct reply *length);

/*
 * Members: who they are.
 */
#ifndef STORE_USER_H
#define STORE_USER_H

#include "store/member.h"
#include "store/schema.h"

struct user {
	uint64_t id;
	struct text name; /* as registered; unique without case */
	struct text
	    password_hash; /* of crypto_password_hash; empty: no login */
	enum role role;
	int64_t created; /* Unix seconds */
};

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
 * Writes the member first and claims the name second, so that a name never leads
 * to nobody. The last command, whose number is returned, answers 1 when the name
 * was free; when it was not, the member is to be deleted again.
 */
size_t user_send(struct pipeline *pipeline, const struct user *user);

/* STORE_OK also when it is the role that the member has. */
STORE_CALL user_set_role(
    struct store *store, struct arena *arena, uint64_t id, enum role role);

/*
 * Ends all sessions of the member as well. STORE_TAKEN, and nothing is changed,
 * when the hash is not the old one any more; an empty old one is any.
 */
STORE_CALL user_set_password(struct store *store, struct arena *arena,
    uint64_t id, struct text old_hash, struct text new_hash);

/* The sum over what the member posted of up - down - 1. */
STORE_CALL user_karma(
    struct store *store, struct arena *arena, uint64_t id, int64_t *karma);

#endif

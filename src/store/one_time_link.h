/*
 * One-time links: whoever follows one, and sends the form at its address, gets what the
 * link's kind says. A link is valid for an hour, one to recover an account for a day, and is
 * used up by the function in Redis that grants it. Redis stores a digest of the secret only.
 */
#pragma once

#include "store/store.h"

enum { ONE_TIME_LINK_SECONDS = 3600, ONE_TIME_LINK_RECOVERY_SECONDS = 86400 };

enum one_time_link_kind {
	ONE_TIME_LINK_OWNER, /* makes a member the owner: account_become_owner */
	ONE_TIME_LINK_RECOVERY, /* sets a password: recovery_set_password */
	ONE_TIME_LINK_KINDS
};

/* A link as its code has it. */
struct one_time_link {
	enum one_time_link_kind kind;
	uint64_t user;	    /* whose account it recovers */
	struct text digest; /* of the secret */
};

/* Makes a link to become the owner; *code is its last part, "owner.SECRET", of characters that
 * a path and a cookie may have. Other links stay valid. */
STORE_CALL one_time_link_make_owner(
    struct store *store, struct arena *arena, struct text *code);

/* Makes a link to recover a member's account, in place of an earlier one: "recover.17.SECRET".
 * STORE_ABSENT when the account is closed, STORE_SUSPENDED while the member is. */
enum one_time_link_factor { FACTOR_STAYS, FACTOR_IS_TURNED_OFF };
STORE_CALL one_time_link_make_recovery(struct store *store, struct arena *arena,
    uint64_t user, enum one_time_link_factor factor, struct text *code);

/* Parses a code, and asks Redis for nothing; false when it has another form. */
bool one_time_link_parse(
    struct arena *arena, struct text code, struct one_time_link *link);

/* STORE_ABSENT when there is no such link, or it was used or has expired. */
STORE_CALL one_time_link_find(struct store *store, struct arena *arena,
    struct text code, struct one_time_link *link);

/*
 * Members as records of other nouns refer to them, and their roles. Members themselves are
 * in store/user.h.
 */
#pragma once

#include "base/text.h"

/* A member as other records name one. The name is stored with the id: it changes only
 * when the account is closed (store/close_account.h). */
struct member {
	uint64_t id; /* 0: nobody */
	struct text name;
};

/* From the field of a hash: "17 ann". The id is 0 when there is none. */
struct member member_parse(struct text text);

/* In ascending order: each role has the rights of those before it. */
enum role { ROLE_MEMBER, ROLE_MODERATOR, ROLE_OWNER, ROLES };
bool role_parse(struct text word, enum role *role);
extern const struct text role_words[];

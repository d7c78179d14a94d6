/*
 * A member as others name them: who wrote an article, who created a group.
 */
#ifndef STORE_MEMBER_H
#define STORE_MEMBER_H

#include "base/text.h"

/* A name never changes, so it is kept wherever the id is. */
struct member {
	uint64_t id; /* 0 for nobody */
	struct text name;
};

enum role { ROLE_MEMBER, ROLE_MODERATOR };

bool role_parse(struct text word, enum role *role);
extern const struct text role_words[];

/* "17 ann", as hashes keep a member; empty for nobody. */
struct text member_text(struct arena *arena, const struct member *member);
struct member member_parse(struct text text);

#endif

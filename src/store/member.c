#include "store/member.h"

const struct text role_words[] = {
	[ROLE_MEMBER] = TEXT_INIT("member"),
	[ROLE_MODERATOR] = TEXT_INIT("moderator"),
	[ROLE_OWNER] = TEXT_INIT("owner"),
};

bool
role_parse(struct text word, enum role *role)
{
	size_t index;

	if (!text_index(word, role_words, ROLES, &index))
		return false;
	*role = (enum role)index;
	return true;
}

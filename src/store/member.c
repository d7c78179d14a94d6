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

struct member
member_parse(struct text text)
{
	struct member member = { .id = 0 };
	struct text number;

	if (text_cut(&text, ' ', &number))
		text_to_u64(number, &member.id);
	member.name = text;
	return member;
}

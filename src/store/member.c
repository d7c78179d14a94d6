#include "store/member.h"

#include "base/arena.h"

const struct text role_words[] = {
	[ROLE_MEMBER] = TEXT_INIT("member"),
	[ROLE_MODERATOR] = TEXT_INIT("moderator"),
};

bool
role_parse(struct text word, enum role *role)
{
	size_t index;

	if (!text_index(word, role_words, 2, &index))
		return false;
	*role = (enum role)index;
	return true;
}

struct text
member_text(struct arena *arena, const struct member *member)
{
	return member->id == 0
	    ? (struct text){ NULL, 0 }
	    : text_format(arena, "%llu %.*s", (unsigned long long)member->id,
		  TEXT_ARGS(member->name));
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

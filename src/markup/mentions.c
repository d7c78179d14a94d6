#include "markup/mentions.h"

#include <strings.h>

#include "base/arena.h"

const struct text *
mentions_find_member(const struct markup_names *names, struct text name)
{
	for (size_t i = 0; i < names->member_count; i++)
		if (names->members[i].size == name.size &&
		    strncasecmp(names->members[i].data, name.data, name.size) ==
			0)
			return &names->members[i];
	return NULL;
}

const struct text *
mentions_find_group(const struct markup_names *names, struct text name)
{
	for (size_t i = 0; i < names->group_count; i++)
		if (text_equal(names->groups[i], name))
			return &names->groups[i];
	return NULL;
}

struct markup_names
mentions_new(struct arena *arena)
{
	return (struct markup_names){ .members = arena_new(
					  arena, struct text, MARKUP_NAMES_MAX),
		.groups = arena_new(arena, struct text, MARKUP_NAMES_MAX) };
}

void
mentions_add_member(
    struct arena *arena, struct markup_names *names, struct text name)
{
	if (names->member_count < MARKUP_NAMES_MAX &&
	    mentions_find_member(names, name) == NULL)
		names->members[names->member_count++] = text_copy(arena, name);
}

void
mentions_add_group(
    struct arena *arena, struct markup_names *names, struct text name)
{
	if (names->group_count < MARKUP_NAMES_MAX &&
	    mentions_find_group(names, name) == NULL)
		names->groups[names->group_count++] = text_copy(arena, name);
}

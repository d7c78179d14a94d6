#include "views/groups.h"

#include "base/arena.h"
#include "lists/followed.h"
#include "views/messages.h"

static struct group_row
row_of(struct arena *arena, const struct groups_shown *shown,
    const struct group *group)
{
	return (struct group_row){ .name = group->name,
		.title = group->title,
		.is_closed = group->closed != 0,
		.articles = message_count(
		    arena, MESSAGE_ARTICLES, (int64_t)group->articles),
		.is_followed = followed_has(
		    shown->followed, shown->followed_count, group->name) };
}

struct groups_model
groups_model_of(struct arena *arena, const struct groups_shown *shown,
    uint64_t number, bool more)
{
	size_t count = shown->count;
	struct group_row *lines = arena_new(arena, struct group_row, count);
	struct groups_model model = {
		.groups = { lines, count },
		.empty = count == 0 && number == 1,
		.pager = pager_model_of(arena, TEXT("/groups"), number, more),
	};

	if (number > 1)
		model.page_number = text_number(arena, (int64_t)number);
	for (size_t i = 0; i < count; i++)
		lines[i] = row_of(arena, shown, &shown->groups[i]);
	return model;
}

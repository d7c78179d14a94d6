#include "views/groups.h"

#include "base/arena.h"
#include "views/messages.h"

struct groups_model
groups_model_of(struct arena *arena, const struct group *groups, size_t count,
    uint64_t number, bool more)
{
	struct group_row *lines = arena_new(arena, struct group_row, count);
	struct groups_model model = {
		.groups = { lines, count },
		.empty = count == 0 && number == 1,
		.pager = pager_model_of(arena, TEXT("/groups"), number, more),
	};

	if (number > 1)
		model.page_number = text_number(arena, (int64_t)number);
	for (size_t i = 0; i < count; i++)
		lines[i] = (struct group_row){ .name = groups[i].name,
			.title = groups[i].title,
			.articles = message_count(arena, MESSAGE_ARTICLES,
			    (int64_t)groups[i].articles) };
	return model;
}

#include "views/groups.h"

#include "base/arena.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct groups_form, GROUPS_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct group_row, member)
static const struct mustache_type line_type = VIEW_TYPE(
    struct group_row, SHOWN(name), SHOWN(title), SHOWN(articles), SHOWN(one));

static const struct mustache_type type = VIEW_TYPE(struct groups_model,
    MUSTACHE_ITEMS(struct groups_model, groups, &line_type),
    MUSTACHE_PLAIN(struct groups_model, empty),
    MUSTACHE_STRUCT(struct groups_model, pager, &pager_type),
    MUSTACHE_PLAIN(struct groups_model, may_create),
    MUSTACHE_PLAIN(struct groups_model, page_number),
    MUSTACHE_STRUCT(struct groups_model, form, &form_type),
    MUSTACHE_STRUCT(struct groups_model, inputs, &input_type));

const struct view groups_view = { "groups", &type };

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
			.articles = groups[i].articles,
			.one = groups[i].articles == 1 };
	return model;
}

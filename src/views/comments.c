#include "views/comments.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct comments_model, member)
static const struct mustache_type type =
    VIEW_TYPE(struct comments_model, SHOWN(title), SHOWN(name),
	MUSTACHE_ITEMS(struct comments_model, items, &thread_item_type),
	SHOWN(votable), SHOWN(empty), SHOWN(partial),
	MUSTACHE_STRUCT(struct comments_model, pager, &pager_type));

const struct view comments_view = { "comments", &type };

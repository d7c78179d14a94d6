#include "views/inbox.h"

#define ITEM(member) MUSTACHE_PLAIN(struct inbox_row, member)
static const struct mustache_type item_type =
    VIEW_TYPE(struct inbox_row, ITEM(card), ITEM(why), ITEM(is_unread),
	ITEM(is_votable), ITEM(article), ITEM(author));

#define MUTED(member) MUSTACHE_PLAIN(struct muted_row, member)
static const struct mustache_type muted_type =
    VIEW_TYPE(struct muted_row, MUTED(name), MUTED(href), MUTED(action));

#define SHOWN(member) MUSTACHE_PLAIN(struct inbox_model, member)
static const struct mustache_type type = VIEW_TYPE(struct inbox_model,
    MUSTACHE_ITEMS(struct inbox_model, items, &item_type),
    MUSTACHE_ITEMS(struct inbox_model, muted, &muted_type), SHOWN(has_muted),
    SHOWN(has_unread), SHOWN(empty), SHOWN(partial), SHOWN(left_out),
    SHOWN(until), MUSTACHE_STRUCT(struct inbox_model, pager, &pager_type));

const struct view inbox_view = { "inbox", &type };

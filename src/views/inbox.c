#include "views/inbox.h"

#define ITEM(member) MUSTACHE_PLAIN(struct notice_item, member)
static const struct mustache_type item_type =
    VIEW_TYPE(struct notice_item, ITEM(card), ITEM(why), ITEM(is_unread),
	ITEM(is_votable), ITEM(article), ITEM(author));

#define MUTED(member) MUSTACHE_PLAIN(struct muted_item, member)
static const struct mustache_type muted_type =
    VIEW_TYPE(struct muted_item, MUTED(name), MUTED(href), MUTED(action));

#define SHOWN(member) MUSTACHE_PLAIN(struct notices_model, member)
static const struct mustache_type type = VIEW_TYPE(struct notices_model,
    MUSTACHE_ITEMS(struct notices_model, items, &item_type),
    MUSTACHE_ITEMS(struct notices_model, muted, &muted_type), SHOWN(has_muted),
    SHOWN(has_unread), SHOWN(empty), SHOWN(partial), SHOWN(left_out),
    SHOWN(until), MUSTACHE_STRUCT(struct notices_model, pager, &pager_type));

const struct view notices_view = { "inbox", &type };

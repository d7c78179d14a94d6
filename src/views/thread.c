#include "views/thread.h"

#include "views/format.h"

const struct mustache_type reply_form_type =
    VIEW_TYPE(struct reply_form, REPLY_INPUTS(FORM_SHOWN));

const struct mustache_type thread_item_type =
    VIEW_TYPE(struct thread_item, MUSTACHE_PLAIN(struct thread_item, card),
	MUSTACHE_ITEMS(struct thread_item, ends, &format_name_type));

static const struct mustache_type tab_type =
    VIEW_TYPE(struct thread_tab, MUSTACHE_PLAIN(struct thread_tab, href),
	MUSTACHE_PLAIN(struct thread_tab, name),
	MUSTACHE_PLAIN(struct thread_tab, current));

#define SHOWN(member) MUSTACHE_PLAIN(struct thread_model, member)
const struct mustache_type thread_type = VIEW_TYPE(struct thread_model,
    SHOWN(count), SHOWN(has_several),
    MUSTACHE_ITEMS(struct thread_model, tabs, &tab_type),
    MUSTACHE_ITEMS(struct thread_model, items, &thread_item_type),
    SHOWN(votable), MUSTACHE_STRUCT(struct thread_model, pager, &pager_type),
    SHOWN(before), SHOWN(follow), SHOWN(above), SHOWN(may_reply),
    SHOWN(may_log_in), SHOWN(closed));

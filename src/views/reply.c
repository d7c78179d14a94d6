#include "views/reply.h"

#include "views/mod_queue.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct reply_model, member)
static const struct mustache_type type = VIEW_TYPE(struct reply_model,
    SHOWN(article), SHOWN(title), SHOWN(parent), SHOWN(answered),
    SHOWN(preview), MUSTACHE_STRUCT(struct reply_model, form, &form_type),
    MUSTACHE_STRUCT(struct reply_model, inputs, &reply_form_type));

const struct view reply_view = { "reply", &type };

static const struct mustache_type edit_type =
    VIEW_TYPE(struct reply_model, SHOWN(article), SHOWN(title), SHOWN(number),
	SHOWN(preview), MUSTACHE_STRUCT(struct reply_model, form, &form_type),
	MUSTACHE_STRUCT(struct reply_model, inputs, &reply_form_type));

const struct view reply_edit_view = { "reply-edit", &edit_type };

#undef SHOWN
#define SHOWN(member) MUSTACHE_PLAIN(struct comment_page_model, member)
static const struct mustache_type comment_type = VIEW_TYPE(
    struct comment_page_model, SHOWN(article), SHOWN(number), SHOWN(title),
    SHOWN(author), SHOWN(document), SHOWN(summary), SHOWN(gone_text),
    MUSTACHE_STRUCT(struct comment_page_model, thread, &thread_type),
    SHOWN(is_own), SHOWN(is_removed), SHOWN(withdrawn), SHOWN(ruling),
    SHOWN(removed_by), SHOWN(may_edit), SHOWN(may_delete), SHOWN(may_flag),
    SHOWN(may_moderate), SHOWN(is_queued), SHOWN(is_voting), SHOWN(flag),
    MUSTACHE_ITEMS(struct comment_page_model, reasons, &mod_queue_choice_type),
    MUSTACHE_ITEMS(struct comment_page_model, flags, &mod_queue_flags_type));

const struct view comment_page_view = { "comment", &comment_type };

#include "views/error.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct reason_words, member)
static const struct mustache_type type = VIEW_TYPE(struct reason_words,
    SHOWN(status), SHOWN(title), SHOWN(happened), SHOWN(advice));

const struct view error_view = { "error", &type };

#include "views/error.h"

#define FIELD(member) MUSTACHE_PLAIN(struct reason_words, member)
static const struct mustache_type type = VIEW_TYPE(struct reason_words,
    FIELD(status), FIELD(title), FIELD(happened), FIELD(advice));

const struct view error_view = { "error", &type };

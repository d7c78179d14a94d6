#include "views/error.h"

#define WORD(member) MUSTACHE_PLAIN(struct error_words, member)
static const struct mustache_type words_type = VIEW_TYPE(struct error_words,
    WORD(status), WORD(title), WORD(happened), WORD(advice));

#define SHOWN(member) MUSTACHE_PLAIN(struct error_model, member)
static const struct mustache_type type = VIEW_TYPE(struct error_model,
    MUSTACHE_STRUCT(struct error_model, words, &words_type), SHOWN(back),
    MUSTACHE_STRUCT(struct error_model, end, &pager_end_type),
    SHOWN(may_log_in));

const struct view error_view = { "error", &type };

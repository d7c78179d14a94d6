#include "views/error.h"

static const struct mustache_field fields[] = {
	MUSTACHE_PLAIN(struct reason_words, status),
	MUSTACHE_PLAIN(struct reason_words, title),
	MUSTACHE_PLAIN(struct reason_words, happened),
	MUSTACHE_PLAIN(struct reason_words, advice),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct reason_words, fields);

const struct view error_view = { "error", &type };

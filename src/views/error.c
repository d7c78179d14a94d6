#include "views/error.h"

static const struct mustache_field fields[] = {
	MUSTACHE_PLAIN(struct error_model, status),
	MUSTACHE_PLAIN(struct error_model, title),
	MUSTACHE_PLAIN(struct error_model, happened),
	MUSTACHE_PLAIN(struct error_model, advice),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct error_model, fields);

const struct view error_view = { "error", &type };

struct error_model
error_model_of(enum reason reason, int status)
{
	const struct reason_words *words = words_reason(reason);

	if (words->status != status)
		words = words_reason(words_usual_reason(status));
	return (struct error_model){ .status = status,
		.title = words->title,
		.happened = words->happened,
		.advice = words->advice };
}

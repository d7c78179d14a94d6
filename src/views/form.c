#include "views/form.h"

static const struct mustache_field input_fields[] = {
	MUSTACHE_PLAIN(struct input, name),
	MUSTACHE_PLAIN(struct input, value),
	MUSTACHE_PLAIN(struct input, problem),
	MUSTACHE_PLAIN(struct input, max),
	MUSTACHE_PLAIN(struct input, required),
};
const struct mustache_type form_input_type =
    MUSTACHE_TYPE(struct input, input_fields);

static const struct mustache_field fields[] = {
	MUSTACHE_PLAIN(struct form_model, csrf),
	MUSTACHE_PLAIN(struct form_model, has_problems),
	MUSTACHE_PLAIN(struct form_model, refusal),
	MUSTACHE_PLAIN(struct form_model, advice),
	MUSTACHE_PLAIN(struct form_model, signed_out),
};
const struct mustache_type form_type = MUSTACHE_TYPE(struct form_model, fields);

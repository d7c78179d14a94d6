#include "views/submit.h"

static const struct mustache_field input_fields[] = { SUBMIT_INPUTS(
    FORM_SHOWN) };
static const struct mustache_type input_type =
    MUSTACHE_TYPE(struct submission, input_fields);

static const struct mustache_field fields[] = {
	MUSTACHE_STRUCT(struct submit_model, form, &form_type),
	MUSTACHE_STRUCT(struct submit_model, inputs, &input_type),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct submit_model, fields);

const struct view submit_view = { "submit", &type };

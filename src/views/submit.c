#include "views/submit.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct submit_form, SUBMIT_INPUTS(FORM_SHOWN));

static const struct mustache_type type = VIEW_TYPE(struct submit_model,
    MUSTACHE_STRUCT(struct submit_model, form, &form_type),
    MUSTACHE_STRUCT(struct submit_model, inputs, &input_type),
    MUSTACHE_STRUCT(struct submit_model, choices, &form_choices_type),
    MUSTACHE_PLAIN(struct submit_model, asks_names),
    MUSTACHE_PLAIN(struct submit_model, preview),
    MUSTACHE_PLAIN(struct submit_model, is_posted),
    MUSTACHE_STRUCT(struct submit_model, earlier, &article_row_type),
    MUSTACHE_PLAIN(struct submit_model, is_own));

const struct view submit_view = { "submit", &type };

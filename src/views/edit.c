#include "views/edit.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct edit_form, EDIT_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct edit_model, member)
static const struct mustache_type type = VIEW_TYPE(struct edit_model, SHOWN(id),
    SHOWN(title), SHOWN(has_title), SHOWN(has_text), SHOWN(may_change),
    SHOWN(is_plain), MUSTACHE_STRUCT(struct edit_model, form, &form_type),
    MUSTACHE_STRUCT(struct edit_model, inputs, &input_type),
    MUSTACHE_STRUCT(struct edit_model, choices, &form_choices_type),
    SHOWN(asks_names));

const struct view edit_view = { "edit", &type };

#include "views/mod_groups.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct mod_groups_form, MOD_GROUPS_INPUTS(FORM_SHOWN));

static const struct mustache_type type = VIEW_TYPE(struct mod_groups_model,
    MUSTACHE_PLAIN(struct mod_groups_model, group),
    MUSTACHE_PLAIN(struct mod_groups_model, is_closed),
    MUSTACHE_STRUCT(struct mod_groups_model, form, &form_type),
    MUSTACHE_STRUCT(struct mod_groups_model, inputs, &input_type));

const struct view mod_groups_view = { "regroup", &type };

#include "views/mod_groups.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct regrouping, REGROUP_INPUTS(FORM_SHOWN));

static const struct mustache_type type =
    VIEW_TYPE(struct regroup_model, MUSTACHE_PLAIN(struct regroup_model, group),
	MUSTACHE_PLAIN(struct regroup_model, is_closed),
	MUSTACHE_STRUCT(struct regroup_model, form, &form_type),
	MUSTACHE_STRUCT(struct regroup_model, inputs, &input_type));

const struct view regroup_view = { "regroup", &type };

#include "views/close_account.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct leave_inputs, LEAVE_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct leave_model, member)
static const struct mustache_type type = VIEW_TYPE(struct leave_model,
    MUSTACHE_STRUCT(struct leave_model, form, &form_type),
    MUSTACHE_STRUCT(struct leave_model, inputs, &input_type), SHOWN(name_goes),
    SHOWN(texts_go));

const struct view leave_view = { "leave", &type };

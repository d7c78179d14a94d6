#include "views/close_account.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct close_account_form, CLOSE_ACCOUNT_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct close_account_model, member)
static const struct mustache_type type = VIEW_TYPE(struct close_account_model,
    MUSTACHE_STRUCT(struct close_account_model, form, &form_type),
    MUSTACHE_STRUCT(struct close_account_model, inputs, &input_type),
    SHOWN(name_goes), SHOWN(texts_go));

const struct view close_account_view = { "leave", &type };

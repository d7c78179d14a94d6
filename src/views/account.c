#include "views/account.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct account, ACCOUNT_INPUTS(FORM_SHOWN, , ));

static const struct mustache_type type = VIEW_TYPE(struct account_model,
    MUSTACHE_STRUCT(struct account_model, form, &form_type),
    MUSTACHE_STRUCT(struct account_model, inputs, &input_type),
    MUSTACHE_PLAIN(struct account_model, return_to),
    MUSTACHE_PLAIN(struct account_model, return_to_encoded));

const struct view account_register_view = { "register", &type };
const struct view account_login_view = { "login", &type };

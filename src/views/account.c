#include "views/account.h"

static const struct mustache_field input_fields[] = { ACCOUNT_INPUTS(
    FORM_SHOWN, , ) };
static const struct mustache_type input_type =
    MUSTACHE_TYPE(struct account, input_fields);

static const struct mustache_field fields[] = {
	MUSTACHE_STRUCT(struct account_model, form, &form_type),
	MUSTACHE_STRUCT(struct account_model, inputs, &input_type),
	MUSTACHE_PLAIN(struct account_model, return_to),
	MUSTACHE_PLAIN(struct account_model, return_to_encoded),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct account_model, fields);

const struct view account_register_view = { "register", &type };
const struct view account_login_view = { "login", &type };

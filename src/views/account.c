#include "views/account.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct account_form, ACCOUNT_INPUTS(FORM_SHOWN, , ));

#define SHOWN(member) MUSTACHE_PLAIN(struct account_model, member)
static const struct mustache_type type = VIEW_TYPE(struct account_model,
    MUSTACHE_STRUCT(struct account_model, form, &form_type),
    MUSTACHE_STRUCT(struct account_model, inputs, &input_type),
    SHOWN(return_to), SHOWN(query), SHOWN(vote_name), SHOWN(vote_id),
    SHOWN(voted), SHOWN(submits), SHOWN(has_ended), SHOWN(has_left),
    SHOWN(invite), SHOWN(by_invitation), SHOWN(is_closed), SHOWN(contact));

const struct view account_register_view = { "register", &type };
const struct view account_login_view = { "login", &type };

#include "views/form.h"

#define INPUT(member) MUSTACHE_PLAIN(struct input, member)
const struct mustache_type form_input_type = VIEW_TYPE(struct input,
    INPUT(name), INPUT(value), INPUT(problem), INPUT(max), INPUT(required));

#define SHOWN(member) MUSTACHE_PLAIN(struct form_model, member)
const struct mustache_type form_type = VIEW_TYPE(struct form_model, SHOWN(csrf),
    SHOWN(has_problems), SHOWN(refusal), SHOWN(advice), SHOWN(signed_out));

#include "views/form.h"

#define INPUT(member) MUSTACHE_PLAIN(struct input, member)
const struct mustache_type form_input_type = VIEW_TYPE(struct input,
    INPUT(name), INPUT(value), INPUT(problem), INPUT(max), INPUT(required));

#define FIELD(member) MUSTACHE_PLAIN(struct form_model, member)
const struct mustache_type form_type = VIEW_TYPE(struct form_model, FIELD(csrf),
    FIELD(has_problems), FIELD(refusal), FIELD(advice), FIELD(signed_out));

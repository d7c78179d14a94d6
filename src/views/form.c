#include "views/form.h"

#define INPUT(member) MUSTACHE_PLAIN(struct input, member)
const struct mustache_type form_input_type =
    VIEW_TYPE(struct input, INPUT(name), INPUT(value), INPUT(problem),
	INPUT(max), INPUT(required), INPUT(is_focused));

#define SHOWN(member) MUSTACHE_PLAIN(struct form_model, member)
const struct mustache_type form_type = VIEW_TYPE(struct form_model, SHOWN(csrf),
    SHOWN(has_problems), SHOWN(has_several), SHOWN(refusal), SHOWN(detail),
    SHOWN(advice), SHOWN(signed_out));

static const struct mustache_type choice_type =
    VIEW_TYPE(struct group_choice, MUSTACHE_PLAIN(struct group_choice, name),
	MUSTACHE_PLAIN(struct group_choice, checked));

#define CHOICES(member) MUSTACHE_PLAIN(struct choices_model, member)
const struct mustache_type form_choices_type = VIEW_TYPE(struct choices_model,
    MUSTACHE_ITEMS(struct choices_model, groups, &choice_type), CHOICES(had),
    CHOICES(none), CHOICES(many));

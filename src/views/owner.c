#include "views/owner.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct owner_form, OWNER_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct owner_model, member)
static const struct mustache_type type = VIEW_TYPE(struct owner_model,
    MUSTACHE_STRUCT(struct owner_model, form, &form_type),
    MUSTACHE_STRUCT(struct owner_model, inputs, &input_type), SHOWN(changed),
    SHOWN(is_open), SHOWN(by_invitation), SHOWN(is_closed), SHOWN(by_members),
    SHOWN(by_moderators), SHOWN(votes_at_once), SHOWN(votes_after_hour),
    SHOWN(votes_after_day), SHOWN(votes_vouched), SHOWN(log_is_named),
    SHOWN(log_is_unnamed));

const struct view owner_view = { "owner", &type };

struct owner_model
owner_model_of(const struct owner_form *inputs)
{
	struct text registration = inputs->registration.value;
	struct text groups = inputs->group_creation.value;
	struct text voting = inputs->voting.value;
	struct text names = inputs->log_names.value;

	return (struct owner_model){
		.is_open =
		    text_equal(registration, TEXT(RULE_REGISTRATION_OPEN)),
		.by_invitation =
		    text_equal(registration, TEXT(RULE_REGISTRATION_INVITE)),
		.is_closed =
		    text_equal(registration, TEXT(RULE_REGISTRATION_CLOSED)),
		.by_members = text_equal(groups, TEXT(RULE_GROUPS_BY_MEMBERS)),
		.by_moderators =
		    text_equal(groups, TEXT(RULE_GROUPS_BY_MODERATORS)),
		.votes_at_once =
		    text_equal(voting, TEXT(RULE_VOTING_IMMEDIATE)),
		.votes_after_hour = text_equal(voting, TEXT(RULE_VOTING_HOUR)),
		.votes_after_day = text_equal(voting, TEXT(RULE_VOTING_DAY)),
		.votes_vouched = text_equal(voting, TEXT(RULE_VOTING_VOUCHED)),
		.log_is_named = text_equal(names, TEXT(RULE_LOG_NAMED)),
		.log_is_unnamed = text_equal(names, TEXT(RULE_LOG_UNNAMED)),
	};
}

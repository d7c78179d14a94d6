#include "views/owner.h"

struct owner_model
owner_model_of(const struct owner_form *inputs)
{
	struct text registration = inputs->registration.value;
	struct text groups = inputs->group_creation.value;
	struct text voting = inputs->voting.value;
	struct text names = inputs->log_names.value;
	struct text votes = inputs->votes_a_day.value;
	struct text front = inputs->front_order.value;

	return (struct owner_model){
		.is_open =
		    text_equal(registration, TEXT(RULE_REGISTRATION_OPEN)),
		.by_invitation =
		    text_equal(registration, TEXT(RULE_REGISTRATION_INVITE)),
		.by_application =
		    text_equal(registration, TEXT(RULE_REGISTRATION_APPLY)),
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
		.front_is_top = front.size == 0,
		.front_is_new = text_equal(front, TEXT(RULE_FRONT_NEW)),
		.front_is_active = text_equal(front, TEXT(RULE_FRONT_ACTIVE)),
		.front_is_hot = text_equal(front, TEXT(RULE_FRONT_HOT)),
		.holds_first = inputs->hold_first.value.size > 0,
		.requires_factor = inputs->moderator_factor.value.size > 0,
		.shows_overlooked = inputs->overlooked.value.size == 0,
		.votes_5 = text_equal(votes, TEXT("5")),
		.votes_20 = text_equal(votes, TEXT("20")),
		.votes_50 = text_equal(votes, TEXT("50")),
		.votes_200 = text_equal(votes, TEXT("200")),
		.votes_other = text_equal(votes, TEXT(RULE_VOTES_OTHER)),
	};
}

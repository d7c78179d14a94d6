#include "views/about.h"

#include "views/format.h"
#include "views/messages.h"

/* Where a contact that is a link or a mail address leads; empty for any other. */
static struct text
contact_href(struct arena *arena, struct text contact)
{
	struct text rest = contact, word;

	if (!text_next_word(&rest, &word) || word.size != contact.size)
		return (struct text){ NULL, 0 };
	if (text_starts(contact, TEXT("https://")) ||
	    text_starts(contact, TEXT("http://")))
		return contact;
	if (text_find(contact, 0, TEXT("@")) == SIZE_MAX)
		return (struct text){ NULL, 0 };
	return text_join(arena, TEXT("mailto:"), contact);
}

/* Empty when there is none. */
static struct text
newcomer_limit(struct arena *arena, const struct settings *settings,
    const struct rules *rules, enum limit kind)
{
	int64_t limit = settings_newcomer_limit(settings, rules, kind);

	return limit == 0 ? TEXT("") : text_number(arena, limit);
}

struct about_model
about_model_of(struct arena *arena, const struct rules *rules,
    int64_t vote_score, const struct settings *settings, int64_t fresh)
{
	return (struct about_model){
		.vote_score = message_number(arena, vote_score),
		.votes_a_day =
		    message_number(arena, rule_votes_a_day(vote_score)),
		.vote_window = format_span(arena, rules->vote_window),
		.thread_window = format_span(arena, rules->thread_window),
		.interesting = rule_interesting_threshold(rules),
		.page_size = rules->page_size,
		.promise_articles = rules->pinned_articles,
		.promise_places = rules->pinned_places,
		.promise_time = format_span(arena, rules->pinned_seconds),
		.max_groups = RULE_GROUPS_MAX,
		.fresh = fresh,
		.is_fresh = fresh == 0,
		.newcomer_days = rules->newcomer_days,
		.newcomer_votes = rules->newcomer_votes,
		.newcomer_posts =
		    newcomer_limit(arena, settings, rules, LIMIT_NEWCOMER_POST),
		.newcomer_comments = newcomer_limit(
		    arena, settings, rules, LIMIT_NEWCOMER_COMMENT),
		.shows_overlooked = settings->overlooked.size == 0,
		.contact = settings->contact,
		.contact_href = contact_href(arena, settings->contact),
		.by_invitation = settings_require_invitation(settings),
		.by_application = settings_require_application(settings),
		.is_closed = settings_registration_is_closed(settings),
		.votes_after_hour =
		    text_equal(settings->voting, TEXT(RULE_VOTING_HOUR)),
		.votes_after_day =
		    text_equal(settings->voting, TEXT(RULE_VOTING_DAY)),
		.votes_vouched =
		    text_equal(settings->voting, TEXT(RULE_VOTING_VOUCHED)),
		.by_members = text_equal(
		    settings->group_creation, TEXT(RULE_GROUPS_BY_MEMBERS)),
	};
}

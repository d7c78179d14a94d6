#include "views/about.h"

#include "views/format.h"

#define SHOWN(member) MUSTACHE_PLAIN(struct about_model, member)
static const struct mustache_type type =
    VIEW_TYPE(struct about_model, SHOWN(vote_score), SHOWN(votes_a_day),
	SHOWN(interesting), SHOWN(page_size), SHOWN(promise_articles),
	SHOWN(promise_places), SHOWN(promise_time), SHOWN(vote_window),
	SHOWN(thread_window), SHOWN(max_groups), SHOWN(fresh), SHOWN(is_fresh),
	MUSTACHE_ITEMS(struct about_model, paragraphs, &format_paragraph_type),
	SHOWN(contact), SHOWN(contact_href), SHOWN(by_members),
	SHOWN(by_invitation), SHOWN(is_closed), SHOWN(votes_after_hour),
	SHOWN(votes_after_day), SHOWN(votes_vouched));

const struct view about_view = { "about", &type };

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

struct about_model
about_model_of(struct arena *arena, const struct rules *rules,
    const struct settings *settings, int64_t fresh)
{
	return (struct about_model){
		.vote_score = rules->vote_score,
		.votes_a_day = 86400 / rules->vote_score,
		.vote_window = format_span(arena, rules->vote_window),
		.thread_window = format_span(arena, rules->thread_window),
		.interesting = rules->interesting,
		.page_size = rules->page_size,
		.promise_articles = rules->pinned_articles,
		.promise_places = rules->pinned_places,
		.promise_time = format_span(arena, rules->pinned_seconds),
		.max_groups = RULE_GROUPS_MAX,
		.fresh = fresh,
		.is_fresh = fresh == 0,
		.paragraphs = format_paragraphs(arena, settings->about),
		.contact = settings->contact,
		.contact_href = contact_href(arena, settings->contact),
		.by_invitation = settings_require_invitation(settings),
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

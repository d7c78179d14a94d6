#include "views/words.h"

#include "views/format.h"

static const struct {
	int status;
	const char *title, *happened, *advice;
} reasons[REASONS] = {
	[REASON_MALFORMED] = { 400, "That request made no sense",
	    "Something in the address or in what was sent is not in the form "
	    "that this page takes.",
	    "Check the address, or go back and try the form again." },
	[REASON_SIGNED_OUT] = { 401, "You are not logged in",
	    "Your session has ended, so nothing was saved. What you typed is "
	    "below.",
	    "Log in in another tab, come back here, and send it again." },
	[REASON_FORBIDDEN] = { 403, "That is not allowed",
	    "This is something that you may not do. Nothing was changed.",
	    "If you should be able to, log in as somebody who is." },
	[REASON_STALE_FORM] = { 403, "That is not allowed",
	    "The form was no longer valid, or did not come from this site. "
	    "Nothing was changed.",
	    "If you came from a form of this site, go back, load the page "
	    "again and send it once more." },
	[REASON_NO_PAGE] = { 404, "There is no such page",
	    "Nothing on this site has that address.",
	    "Check it for a typing mistake, or look for what you want on the "
	    "front page." },
	[REASON_NO_METHOD] = { 405, "That cannot be done here",
	    "This address exists, but it does not take a request of that "
	    "kind.",
	    "Follow the links and forms of the site instead of the address "
	    "alone." },
	[REASON_CLOSED] = { 409, "Voting has ended",
	    "The time in which this article takes votes is over. Its score "
	    "and its votes stay as they are.",
	    "Votes on newer articles still count." },
	[REASON_TAKEN] = { 409, "That link was posted already",
	    "Another article has it, and nothing was changed.",
	    "Look for that article, and vote on it instead." },
	[REASON_REMOVED] = { 410, "This article was removed",
	    "A moderator has taken it off the site. It takes no votes and is "
	    "in no list.",
	    "There is more to read on the front page." },
	[REASON_TOO_LARGE] = { 413, "That was too much at once",
	    "What was sent is larger than this site takes.",
	    "Go back, shorten it, and send it again." },
	[REASON_UNPROCESSABLE] = { 422, "Something in the form is not right",
	    "What was sent cannot be taken as it is.",
	    "Go back, change it, and send it again." },
	[REASON_LIMITED] = { 429, "Too many at once",
	    "There were more requests from you than this site takes in a "
	    "while. Nothing was changed by the last one.",
	    "Wait a little, then try again." },
	[REASON_DOWN] = { 503, "The site is catching its breath",
	    "What keeps the articles does not answer at the moment. Whether "
	    "your last change was saved is not certain; sending it again "
	    "does no harm.",
	    "Wait a few seconds, then load the page again." },
};

int
words_status(enum reason reason)
{
	return reasons[reason].status;
}

struct reason_words
words_reason(enum reason reason, int status)
{
	if (words_status(reason) != status)
		reason = REASON_MALFORMED;
	while (reason < REASON_DOWN && words_status(reason) != status)
		reason++;
	return (struct reason_words){ status, text_of(reasons[reason].title),
		text_of(reasons[reason].happened),
		text_of(reasons[reason].advice) };
}

struct text
words_come_back(struct arena *arena, int64_t seconds)
{
	return text_format(arena, "Come back in %.*s.",
	    TEXT_ARGS(format_span(arena, seconds)));
}

/* Those that say the same each time. */
static const char *const problems[] = {
	[PROBLEM_NONE] = "",
	[PROBLEM_TITLE_MISSING] = "An article needs a title.",
	[PROBLEM_TITLE_CHARACTERS] =
	    "The title held control or text direction characters. They were "
	    "taken out: look at it, and send it again.",
	[PROBLEM_LINK_MALFORMED] =
	    "This is not a link: one looks like https://example.org/page.",
	[PROBLEM_LINK_SCHEME] = "A link begins with http:// or https://.",
	[PROBLEM_LINK_USER_INFO] =
	    "A link must not hold a user name or password.",
	[PROBLEM_TEXT_CHARACTERS] =
	    "The text held control or text direction characters. They were "
	    "taken out: look at it, and send it again.",
	[PROBLEM_TEXT_UNSEEN] = "The text has nothing in it that can be seen.",
	[PROBLEM_LINK_AND_TEXT] =
	    "An article has a link or a text, not both: leave one of them "
	    "empty.",
	[PROBLEM_NO_LINK_OR_TEXT] = "An article needs a link or a text.",
	[PROBLEM_GROUP_NAME] =
	    "A group's name has 2 to 32 characters: small letters a to z, "
	    "digits and '-'.",
	[PROBLEM_GROUP_NAME_TAKEN] = "There is a group of that name already.",
	[PROBLEM_GROUP_TITLE_MISSING] = "A group needs a title.",
	[PROBLEM_USER_NAME] =
	    "A user name has 2 to 20 characters: letters a to z, digits, '-' "
	    "and '_'.",
	[PROBLEM_USER_NAME_TAKEN] =
	    "Somebody has that name already: choose another.",
	[PROBLEM_USER_NAME_MISSING] = "Your user name is missing.",
	[PROBLEM_PASSWORD_COMMON] =
	    "That is one of the first passwords that anybody would try: "
	    "choose one that is harder to guess.",
	[PROBLEM_PASSWORD_MISSING] = "Your password is missing.",
	[PROBLEM_PASSWORD_WRONG] = "That is not your password.",
	[PROBLEM_LOGIN_WRONG] = "The user name or the password is wrong.",
};

/* Those that say how long it is. */
static const struct {
	const char *what, *unit;
	int max;
} lengths[PROBLEM_KINDS] = {
	[PROBLEM_TITLE_TOO_LONG] = { "A title", "characters", RULE_TITLE_MAX },
	[PROBLEM_LINK_TOO_LONG] = { "A link", "characters", RULE_LINK_MAX },
	[PROBLEM_LINK_ENCODED_TOO_LONG] = { "A link, with its special "
					    "characters encoded,",
	    "characters", RULE_LINK_MAX },
	[PROBLEM_TEXT_TOO_LONG] = { "A text", "characters", RULE_TEXT_MAX },
	[PROBLEM_PASSWORD_TOO_LONG] = { "A password", "bytes",
	    RULE_PASSWORD_MAX },
};

struct text
words_problem(struct arena *arena, const struct problem *problem)
{
	if (lengths[problem->kind].what != NULL)
		return text_format(arena,
		    "%s has at most %d %s; this one has %zu.",
		    lengths[problem->kind].what, lengths[problem->kind].max,
		    lengths[problem->kind].unit, problem->length);
	switch (problem->kind) {
	case PROBLEM_PASSWORD_TOO_SHORT:
		return text_format(arena,
		    "A password has at least %d characters.",
		    RULE_PASSWORD_MIN);
	case PROBLEM_GROUPS_TOO_MANY:
		return text_format(arena, "An article is in at most %d groups.",
		    RULE_GROUPS_MAX);
	case PROBLEM_GROUPS_NAME:
		return text_format(arena,
		    "\"%.*s\" is not the name of a group: those have 2 to 32 "
		    "characters, small letters a to z, digits and '-'.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_UNKNOWN:
		return text_format(arena, "There is no group \"%.*s\".",
		    TEXT_ARGS(problem->word));
	default:
		return text_of(problems[problem->kind]);
	}
}

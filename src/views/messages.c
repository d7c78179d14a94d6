#include "views/messages.h"

#include "base/utf8.h"
#include "store/settings.h"
#include "views/format.h"

static const struct {
	int status;
	const char *title, *happened, *advice;
} reasons[REASONS] = {
	[REASON_MALFORMED] = { 400, "Bad request",
	    "This address or form isn’t valid.",
	    "Check the address, or go back and try again." },
	[REASON_TOO_MANY_GROUPS] = { 400, "Too many groups",
	    "You can combine at most five groups.",
	    "Go back and choose fewer of them." },
	[REASON_NO_GROUPS] = { 400, "No groups selected",
	    "You haven’t selected any groups.",
	    "Go back and select the groups whose articles you want to see." },
	[REASON_SIGNED_OUT] = { 401, "You’re logged out",
	    "Your session ended before this was saved.",
	    "Nothing you entered is lost. Log in (this opens a new tab), then "
	    "come back and submit this form again." },
	[REASON_FORBIDDEN] = { 403, "You can’t do that",
	    "You don’t have permission to do this. Nothing was changed.",
	    "If you think you should be able to, log in with a different "
	    "account." },
	[REASON_STALE_FORM] = { 403, "This form has expired",
	    "It was no longer valid, or it wasn’t sent from this site. Nothing "
	    "was changed.",
	    "If you were using a form on this site, check what you entered and send "
	    "it again." },
	[REASON_CONFIRM] = { 403, "Confirm it’s you",
	    "You logged in more than 15 minutes ago, and this takes your current "
	    "password. Nothing was changed.",
	    "Go back, enter your password in the form and send it again." },
	[REASON_LAST_OWNER] = { 403, "You’re the last owner",
	    "Without an owner nobody could run this site. Nothing was changed.",
	    "Make another member an owner first." },
	[REASON_NOT_TO_JUDGE] = { 403, "Another moderator has to decide this",
	    "You can’t decide about your own posts, nor about what somebody "
	    "above you posted or removed. Nothing was changed.",
	    "Moderators decide about members’ posts, owners about moderators’ "
	    "too." },
	[REASON_OWN] = { 403, "You can’t vote on your own article",
	    "Your own vote was cast when you posted it, and it stays.",
	    "You can vote on what other members posted." },
	[REASON_OWN_FLAG] = { 403, "You can’t flag your own article",
	    "Flags are for what other members posted. Nothing was changed.",
	    "You can edit your article, or withdraw it." },
	[REASON_VOTES_LATER] = { 403, "You can’t vote yet",
	    "New members vote later on this site.",
	    "Until then you can read and post." },
	[REASON_VOIDED] = { 403, "Your vote was voided",
	    "A moderator took back your vote on this article for good.",
	    "You can still vote on others. The log says why." },
	[REASON_SUSPENDED] = { 403, "You’re suspended",
	    "A moderator has suspended you.",
	    "You can still read everything without logging in." },
	[REASON_FLAGS_LATER] = { 403, "You can’t flag yet",
	    "Members can flag from the day after they registered.",
	    "If it’s urgent, write to whoever runs this site." },
	[REASON_WITHDRAWN_STAYS] = { 403, "It stays withdrawn",
	    "Its author withdrew this article, so it can’t be restored.",
	    "The author can post it again." },
	[REASON_NO_PAGE] = { 404, "Page not found",
	    "There’s nothing at this address.",
	    "Check the address, or start from one of these pages:" },
	[REASON_NO_METHOD] = { 405, "That doesn’t work here",
	    "This address doesn’t accept this kind of request.",
	    "Use the links and forms of the site instead." },
	[REASON_CLOSED] = { 409, "Voting has closed",
	    "This article no longer takes votes. Its votes and its score stay "
	    "as they are.",
	    "You can still vote on newer articles." },
	[REASON_EDIT_CLOSED] = { 409, "It’s too late to change this",
	    "Articles can be edited and withdrawn while voting is open.",
	    "Nothing was changed." },
	[REASON_THREAD_CLOSED] = { 409, "This thread has closed",
	    "It takes no new comments, and none can be edited any more.",
	    "Nothing was changed." },
	[REASON_INVITES_FULL] = { 409, "You have too many open invitations",
	    "Ten of your invitations have neither been used nor expired.",
	    "Share one of those on your settings page, or wait until one "
	    "expires." },
	[REASON_MUTES_FULL] = { 409, "You have muted too much",
	    "As many threads and members as you can mute are muted.",
	    "Unmute some in your inbox first." },
	[REASON_REMOVED] = { 410, "This article was removed",
	    "A moderator removed it. It isn’t listed anywhere and can’t be "
	    "voted on.",
	    "There’s more to read on the front page." },
	[REASON_WITHDRAWN] = { 410, "This article was withdrawn",
	    "Its author withdrew it. It isn’t listed anywhere and can’t be "
	    "voted on.",
	    "There’s more to read on the front page." },
	[REASON_COMMENT_GONE] = { 410, "This comment is gone",
	    "Its author deleted it, or a moderator removed it.",
	    "You can still read what else is said about the article." },
	[REASON_TOO_LARGE] = { 413, "That’s too large",
	    "What you sent is larger than this site accepts.",
	    "Go back, shorten it and send it again." },
	[REASON_TOO_LONG] = { 414, "This address is too long",
	    "No page of this site has an address of this length.",
	    "Check the address, or start from one of these pages:" },
	[REASON_OTHER_ADDRESS] = { 421, "Wrong address",
	    "This wasn’t sent to the site’s own address. Nothing was changed.",
	    "Start from the front page and send it again." },
	[REASON_NO_ADDRESS] = { 421, "Wrong address",
	    "This site doesn’t know that it has this address, so it answers only "
	    "on the machine on which it runs.",
	    "If it is yours, set TALLY_ORIGIN to its address, as in "
	    "https://example.org." },
	[REASON_UNPROCESSABLE] = { 422, "Something needs fixing",
	    "What you sent can’t be saved as it is.",
	    "Go back, change it and send it again." },
	[REASON_NO_VOTE] = { 422, "There’s no such vote",
	    "No vote of that member on this article can be changed.",
	    "Go back and check the name." },
	[REASON_LIMITED] = { 429, "You’re doing that too often",
	    "This time nothing was changed.",
	    "Wait a moment, then try again." },
	[REASON_DAY_OVER] = { 429, "You’ve reached the daily limit for text",
	    "Members can write a limited amount of text in a day. Nothing was "
	    "saved.",
	    "Try again tomorrow." },
	[REASON_DOWN] = { 503, "The site is temporarily unavailable",
	    "Its data can’t be reached right now. If you were changing "
	    "something, it may or may not have been saved; sending it again "
	    "does no harm.",
	    "Wait a few seconds, then try again." },
	[REASON_FULL] = { 503, "The site’s storage is full",
	    "Nothing was saved.",
	    "Nothing new can be saved until whoever runs this site has made "
	    "room. You can still read everything. Keep a copy of what you "
	    "wrote, and try again later." },
	[REASON_PART_DOWN] = { 503, "This part of the site can’t be reached",
	    "What you asked for or sent belongs on a server that isn’t answering "
	    "right now. If you were changing something, it may or may not have "
	    "been saved; sending it again does no harm.",
	    "The rest of the site works. Try this again later." },
	[REASON_MEMBER_DOWN] = { 503, "Your account can’t be reached",
	    "It’s stored on a server of this site that isn’t answering right now. "
	    "Nothing was changed, and you’re still logged in.",
	    "Try again later. Until then you can read without your account, in a "
	    "private window." },
	[REASON_BUSY] = { 503, "The site is busy",
	    "What you asked for takes a while, and too many others are waiting "
	    "for the same. Nothing was changed.",
	    "Wait a few seconds, then try again." },
};

int
message_status(enum reason reason)
{
	return reasons[reason].status;
}

struct error_words
message_reason(enum reason reason, int status)
{
	if (message_status(reason) != status)
		reason = REASON_MALFORMED;
	while (reason < REASON_DOWN && message_status(reason) != status)
		reason++;
	return (struct error_words){ status, text_of(reasons[reason].title),
		text_of(reasons[reason].happened),
		text_of(reasons[reason].advice) };
}

struct text
message_come_back(struct arena *arena, int64_t seconds)
{
	return text_format(arena, "Try again in about %.*s.",
	    TEXT_ARGS(format_about(arena, seconds)));
}

struct text
message_vote_later(struct arena *arena, int64_t from)
{
	return from == SETTINGS_VOUCHED
	    ? TEXT("You can vote once a moderator has vouched for you.")
	    : text_format(arena, "You can vote from %.*s on.",
		  TEXT_ARGS(format_moment(arena, from)));
}

struct text
message_suspended(struct arena *arena, int64_t until, struct text reason)
{
	struct text end = until == USER_SUSPENDED_FOREVER
	    ? TEXT("for good")
	    : text_join(arena, TEXT("until "), format_moment(arena, until));

	if (reason.size == 0)
		return text_format(arena, "A moderator has suspended you %.*s.",
		    TEXT_ARGS(end));
	return text_format(arena,
	    "A moderator has suspended you %.*s: “\u2068%.*s\u2069”",
	    TEXT_ARGS(end), TEXT_ARGS(reason));
}

/* Those that say the same each time. */
static const char *const problems[] = {
	[PROBLEM_NONE] = "",
	[PROBLEM_CHOICE] = "Choose one of these.",
	[PROBLEM_SITE_NAME_MISSING] = "Enter a name for the site.",
	[PROBLEM_TITLE_MISSING] = "Enter a title.",
	[PROBLEM_LINK_MALFORMED] =
	    "This isn’t a link. Enter one like https://example.org/page.",
	[PROBLEM_LINK_SCHEME] =
	    "Enter a link that starts with http:// or https://.",
	[PROBLEM_LINK_USER_INFO] =
	    "Remove the username or password from the link.",
	[PROBLEM_TEXT_UNSEEN] = "The text has no visible characters.",
	[PROBLEM_TEXT_MISSING] = "Write something.",
	[PROBLEM_TEXT_TANGLED] =
	    "There is too much markup, or quotes and lists are nested too deeply.",
	[PROBLEM_LINK_AND_TEXT] = "Enter either a link or text, not both.",
	[PROBLEM_NO_LINK_OR_TEXT] = "Enter a link or a text.",
	[PROBLEM_GROUP_NAME] =
	    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens.",
	[PROBLEM_GROUP_NAME_TAKEN] =
	    "That group already exists. Choose another name.",
	[PROBLEM_GROUP_NAME_UNKNOWN] = "There is no such group.",
	[PROBLEM_GROUP_NAME_SAME] = "That is this group. Enter another name.",
	[PROBLEM_GROUP_TITLE_MISSING] = "Enter a title for the group.",
	[PROBLEM_USER_NAME] =
	    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores.",
	[PROBLEM_USER_NAME_TAKEN] = "That name is taken. Choose another.",
	[PROBLEM_USER_NAME_MISSING] = "Enter your username.",
	[PROBLEM_PASSWORD_COMMON] = "That password is too easy to guess.",
	[PROBLEM_PASSWORD_BREACHED] =
	    "That password is known from a data breach. Choose another.",
	[PROBLEM_PASSWORD_MISSING] = "Enter your password.",
	[PROBLEM_PASSWORD_SAME] =
	    "Choose a password that differs from the current one.",
	[PROBLEM_PASSWORD_WRONG] = "That isn’t your current password.",
	[PROBLEM_TITLE_LATE] = "Titles can be changed for 15 minutes.",
	[PROBLEM_HOST] = "Enter a host, such as example.org.",
	[PROBLEM_HOSTS_FULL] = "No more hosts can be refused.",
	[PROBLEM_DAYS] =
	    "Enter a number of days, from 1 to 3650, or 0 for good.",
	[PROBLEM_LOGIN_WRONG] = "Wrong username or password.",
};

/* Those that say how long it is. */
static const struct {
	const char *what, *unit;
	int max;
} lengths[PROBLEM_KINDS] = {
	[PROBLEM_SITE_NAME_TOO_LONG] = { "Use", "characters",
	    RULE_SITE_NAME_MAX },
	[PROBLEM_LINE_TOO_LONG] = { "Use", "characters", RULE_TITLE_MAX },
	[PROBLEM_TITLE_TOO_LONG] = { "Use", "characters", RULE_TITLE_MAX },
	[PROBLEM_LINK_TOO_LONG] = { "Use", "characters", RULE_LINK_MAX },
	[PROBLEM_LINK_ENCODED_TOO_LONG] = { "With its special characters "
					    "encoded, a link can have",
	    "characters", RULE_LINK_MAX },
	[PROBLEM_TEXT_TOO_LONG] = { "Use", "characters", RULE_TEXT_MAX },
	[PROBLEM_PASSWORD_TOO_LONG] = { "Use", "bytes", RULE_PASSWORD_MAX },
};

/* A word may be anything that was typed: isolates hold its direction in. */
struct text
message_problem(struct arena *arena, const struct problem *problem)
{
	if (lengths[problem->kind].what != NULL)
		return text_format(arena, "%s at most %d %s; this has %zu.",
		    lengths[problem->kind].what, lengths[problem->kind].max,
		    lengths[problem->kind].unit, problem->length);
	switch (problem->kind) {
	case PROBLEM_CHARACTERS_DECEPTIVE:
		return TEXT("This contained control or text direction "
			    "characters. They were removed: check the result "
			    "and send it again.");
	case PROBLEM_CHARACTERS_UNSEEN:
		return text_format(arena,
		    "This contained characters that can’t be seen, or more "
		    "than %d marks on a letter. They were removed: check the "
		    "result and send it again.",
		    UTF8_MARKS_MAX);
	case PROBLEM_PASSWORD_TOO_SHORT:
		return text_format(
		    arena, "Use at least %d characters.", RULE_PASSWORD_MIN);
	case PROBLEM_GROUPS_TOO_MANY:
		return text_format(
		    arena, "Choose at most %d groups.", RULE_GROUPS_MAX);
	case PROBLEM_GROUPS_NAME:
		return text_format(arena,
		    "“\u2068%.*s\u2069” isn’t a group name: those have 2 to 32 characters, a to z, "
		    "0 to 9 or hyphens.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_CLOSED:
		return text_format(arena, "The group “%.*s” is closed.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_LINK_REFUSED:
		return text_format(arena,
		    "This site takes no links to \u2068%.*s\u2069.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_UNKNOWN:
		return text_format(arena,
		    "There is no group “\u2068%.*s\u2069”.",
		    TEXT_ARGS(problem->word));
	default:
		return text_of(problems[problem->kind]);
	}
}

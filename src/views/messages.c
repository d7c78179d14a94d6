#include "views/messages.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "views/language.h"

static const struct {
	int status;
	struct text title, happened, advice;
} reasons[REASONS] = {
	[REASON_MALFORMED] = { 400, TR_INIT("Bad request"),
	    TR_INIT("This address or form isn’t valid."),
	    TR_INIT("Check the address, or go back and try again.") },
	[REASON_TOO_MANY_GROUPS] = { 400, TR_INIT("Too many groups"),
	    TR_INIT("You can combine at most five groups."),
	    TR_INIT("Go back and choose fewer of them.") },
	[REASON_NO_GROUPS] = { 400, TR_INIT("No groups selected"),
	    TR_INIT("You haven’t selected any groups."),
	    TR_INIT(
		"Go back and select the groups whose articles you want to see.") },
	[REASON_SIGNED_OUT] = { 401, TR_INIT("You’re logged out"),
	    TR_INIT("Your session ended before this was saved."),
	    TR_INIT(
		"Nothing you entered is lost. Log in (this opens a new tab), then "
		"come back and submit this form again.") },
	[REASON_FORBIDDEN] = { 403, TR_INIT("You can’t do that"),
	    TR_INIT(
		"You don’t have permission to do this. Nothing was changed."),
	    TR_INIT(
		"If you think you should be able to, log in with a different "
		"account.") },
	[REASON_FEED_KEY] = { 403, TR_INIT("This feed’s address doesn’t work"),
	    TR_INIT(
		"Private feeds have a secret in their address. This one isn’t valid, "
		"or no longer is."),
	    TR_INIT("Create new addresses in your settings.") },
	[REASON_STALE_FORM] = { 403, TR_INIT("This form has expired"),
	    TR_INIT(
		"It was no longer valid, or it wasn’t sent from this site. Nothing "
		"was changed."),
	    TR_INIT(
		"If you were using a form on this site, check what you entered and send "
		"it again.") },
	[REASON_CONFIRM] = { 403, TR_INIT("Confirm it’s you"),
	    TR_INIT(
		"For this, please enter your current password again. Nothing was "
		"changed."),
	    TR_INIT(
		"Go back, enter your password in the form and send it again.") },
	[REASON_LAST_OWNER] = { 403, TR_INIT("You’re the last owner"),
	    TR_INIT("A site needs at least one owner. Nothing was changed."),
	    TR_INIT("Make another member an owner first.") },
	[REASON_OTHER_MODERATOR] = { 403,
	    TR_INIT("Another moderator has to decide this"),
	    TR_INIT(
		"You can’t act on your own posts, or on what someone with a higher "
		"role posted or removed. Nothing was changed."),
	    TR_INIT("Moderators can act on members’ posts, owners also on "
		    "moderators’.") },
	[REASON_LACKS_FACTOR] = { 403,
	    TR_INIT("You need a second factor for this"),
	    TR_INIT(
		"On this site, moderators need a second factor, and yours is off. "
		"Nothing was changed."),
	    TR_INIT("Turn it on in your settings.") },
	[REASON_CODES_REPLACED] = { 409, TR_INIT("These codes no longer work"),
	    TR_INIT(
		"They were replaced by newer ones, or one of them was used."),
	    TR_INIT("Create new recovery codes in your settings.") },
	[REASON_AGAIN] = { 409,
	    TR_INIT("This article can’t have a second chance"),
	    TR_INIT(
		"An article can have one only once, between half a day and a week "
		"after it was posted, and only while the front page shows overlooked "
		"articles. Nothing was changed."),
	    TR_INIT("You can give it to another article.") },
	[REASON_HELD] = { 409, TR_INIT("This isn’t shown yet"),
	    TR_INIT(
		"A moderator has to look at it first. Nothing was changed."),
	    TR_INIT("You can withdraw it.") },
	[REASON_LINK_TAKEN] = { 409, TR_INIT("This was posted by someone else"),
	    TR_INIT(
		"Another member has posted the same link while this article was "
		"waiting. Nothing was changed."),
	    TR_INIT("You can remove it as a duplicate.") },
	[REASON_APPLIED] = { 403, TR_INIT("Your application is waiting"),
	    TR_INIT("No moderator has decided yet."),
	    TR_INIT("Log in again later to see whether it was accepted.") },
	[REASON_DECLINED] = { 403, TR_INIT("Your application was declined"),
	    TR_INIT("A moderator declined it."),
	    TR_INIT("You can apply again in two weeks.") },
	[REASON_NAME_TAKEN] = { 409,
	    TR_INIT("Someone else has taken this name"),
	    TR_INIT("Another member has registered with the name while the "
		    "application was waiting. Nothing was changed."),
	    TR_INIT(
		"You can decline the application with this as the reason.") },
	[REASON_ACCEPTED] = { 409,
	    TR_INIT("This application was already accepted"),
	    TR_INIT("The applicant is already a member. Nothing was changed."),
	    TR_INIT("You can moderate them like any other member.") },
	[REASON_APPLICATIONS_FULL] = { 503,
	    TR_INIT("Too many people have applied"),
	    TR_INIT(
		"Moderators have to decide on some applications first. Nothing "
		"was saved."),
	    TR_INIT("Try again in a few days.") },
	[REASON_OWN] = { 403, TR_INIT("You can’t vote on your own article"),
	    TR_INIT(
		"Your own upvote was cast when you posted it, and can’t be changed."),
	    TR_INIT("You can vote on what other members post.") },
	[REASON_OWN_COMMENT] = { 403,
	    TR_INIT("You can’t vote on your own comment"),
	    TR_INIT(
		"Your own upvote was cast when you posted it, and can’t be changed."),
	    TR_INIT("You can vote on what other members post.") },
	[REASON_OWN_FLAG] = { 403, TR_INIT("You can’t flag your own article"),
	    TR_INIT(
		"Flags are for what other members post. Nothing was changed."),
	    TR_INIT("You can edit your article, or withdraw it.") },
	[REASON_OWN_COMMENT_FLAG] = { 403,
	    TR_INIT("You can’t flag your own comment"),
	    TR_INIT(
		"Flags are for what other members post. Nothing was changed."),
	    TR_INIT("You can edit your comment, or delete it.") },
	[REASON_VOTES_LATER] = { 403, TR_INIT("You can’t vote yet"),
	    TR_INIT("New members can’t vote right away here."),
	    TR_INIT("Until then you can read and post.") },
	[REASON_VOIDED] = { 403, TR_INIT("Your vote was voided"),
	    TR_INIT(
		"A moderator permanently cancelled your vote on this article."),
	    TR_INIT(
		"You can still vote on other articles. The log has the reason.") },
	[REASON_COMMENT_VOIDED] = { 403, TR_INIT("Your vote was voided"),
	    TR_INIT(
		"A moderator permanently cancelled your vote on this comment."),
	    TR_INIT(
		"You can still vote on other comments. The log has the reason.") },
	[REASON_SUSPENDED] = { 403, TR_INIT("You’re suspended"),
	    TR_INIT("A moderator has suspended you."),
	    TR_INIT("You can still read everything without logging in.") },
	[REASON_FLAGS_LATER] = { 403, TR_INIT("You can’t flag yet"),
	    TR_INIT("New members can flag posts a day after they register."),
	    TR_INIT("If it’s urgent, contact the people who run this site.") },
	[REASON_WITHDRAWN_STAYS] = { 403,
	    TR_INIT("This article can’t be restored"),
	    TR_INIT("Its author withdrew it."),
	    TR_INIT("The author can post it again.") },
	[REASON_DELETED_STAYS] = { 403,
	    TR_INIT("This comment can’t be restored"),
	    TR_INIT("Its author deleted it."),
	    TR_INIT("The author can write another one.") },
	[REASON_NO_PAGE] = { 404, TR_INIT("Page not found"),
	    TR_INIT("There’s nothing at this address."),
	    TR_INIT("Check the address, or start from one of these pages:") },
	[REASON_NO_FULL_HOUR] = { 404, TR_INIT("No such hour"),
	    TR_INIT(
		"Front pages are kept at full hours, in UTC: that of 14:00 on 20 "
		"November 2026 is /front/2026-11-20T14."),
	    TR_INIT(
		"Check the address, or start at /front, which is the last one.") },
	[REASON_NO_LINK] = { 404, TR_INIT("This link doesn’t work"),
	    TR_INIT(
		"It can be used once, for a limited time. It has been used, has "
		"expired, or isn’t complete."),
	    TR_INIT("Copy the whole link, or get a new one.") },
	[REASON_NO_METHOD] = { 405, TR_INIT("That doesn’t work here"),
	    TR_INIT("This address doesn’t accept this kind of request."),
	    TR_INIT("Use the links and forms of the site instead.") },
	[REASON_CLOSED] = { 409, TR_INIT("Voting has closed"),
	    TR_INIT(
		"This article no longer takes votes. Its votes and score are final."),
	    TR_INIT("You can still vote on newer articles.") },
	[REASON_COMMENT_CLOSED] = { 409, TR_INIT("Voting has closed"),
	    TR_INIT(
		"This comment no longer takes votes. Its votes and points are "
		"final."),
	    TR_INIT("You can still vote on newer comments.") },
	[REASON_EDIT_CLOSED] = { 409, TR_INIT("It’s too late to change this"),
	    TR_INIT(
		"Articles can be edited and withdrawn while voting is open."),
	    TR_INIT("Nothing was changed.") },
	[REASON_THREAD_CLOSED] = { 409, TR_INIT("This thread has closed"),
	    TR_INIT("New comments and edits are no longer possible."),
	    TR_INIT("Nothing was changed.") },
	[REASON_INVITES_FULL] = { 409,
	    TR_INIT("You have too many open invitations"),
	    TR_INIT("Ten of your invitations are still unused."),
	    TR_INIT(
		"Share one from your settings page, or wait until one expires.") },
	[REASON_MUTES_FULL] = { 409, TR_INIT("Your mute list is full"),
	    TR_INIT("You’ve reached the limit of muted threads."),
	    TR_INIT("Unmute some in your inbox first.") },
	[REASON_NOTES_FULL] = { 409, TR_INIT("Too many notes"),
	    TR_INIT("This member has the maximum number of notes."),
	    TR_INIT("Delete some first.") },
	[REASON_HIDDEN_FULL] = { 409, TR_INIT("You hide too much already"),
	    TR_INIT("You’ve reached the limit of what can be hidden."),
	    TR_INIT("Show something again first, on the page Hidden.") },
	[REASON_HIDE_OWN] = { 409, TR_INIT("You can’t hide yourself"),
	    TR_INIT("What you post stays in your lists."),
	    TR_INIT("Nothing was changed.") },
	[REASON_FOLLOWS_FULL] = { 409, TR_INIT("You follow too many groups"),
	    TR_INIT("You’ve reached the limit of groups to follow."),
	    TR_INIT("Unfollow one first, on its page.") },
	[REASON_BARRED_FULL] = { 409, TR_INIT("There are too many groups"),
	    TR_INIT(
		"An article can be in a limited number of groups, and be taken out of "
		"as many. Nothing was changed."),
	    TR_INIT(
		"Take it out of another group first, or put it back into one.") },
	[REASON_SAVED_FULL] = { 409, TR_INIT("You can’t save any more"),
	    TR_INIT(
		"You’ve saved 2,000 articles and comments, which is the most."),
	    TR_INIT(
		"Unsave some first: the oldest are on the last pages of your saved "
		"ones.") },
	[REASON_REMOVED] = { 410, TR_INIT("This article was removed"),
	    TR_INIT(
		"A moderator removed it. It isn’t listed anywhere and can’t be "
		"voted on."),
	    TR_INIT("There’s more to read on the front page.") },
	[REASON_ARTICLE_GONE] = { 410, TR_INIT("This article was removed"),
	    TR_INIT("Its author or a moderator removed it. It isn’t listed "
		    "anywhere and can’t be voted on."),
	    TR_INIT("There’s more to read on the front page.") },
	[REASON_WITHDRAWN] = { 410, TR_INIT("This article was withdrawn"),
	    TR_INIT(
		"Its author withdrew it. It isn’t listed anywhere and can’t be "
		"voted on."),
	    TR_INIT("There’s more to read on the front page.") },
	[REASON_COMMENT_GONE] = { 410, TR_INIT("This comment was deleted"),
	    TR_INIT("Its author deleted it, or a moderator removed it."),
	    TR_INIT("You can still read the other comments on the article.") },
	[REASON_HAS_OWNER] = { 410, TR_INIT("This site already has an owner"),
	    TR_INIT(
		"The link was for becoming the first. Nothing was changed."),
	    TR_INIT("Owners can make other members owners, too.") },
	[REASON_TOO_LARGE] = { 413, TR_INIT("That’s too large"),
	    TR_INIT("What you sent is larger than this site accepts."),
	    TR_INIT("Go back, shorten it and send it again.") },
	[REASON_TOO_LONG] = { 414, TR_INIT("This address is too long"),
	    TR_INIT("No page on this site has an address this long."),
	    TR_INIT("Check the address, or start from one of these pages:") },
	[REASON_OTHER_ADDRESS] = { 421, TR_INIT("Wrong address"),
	    TR_INIT(
		"This wasn’t sent to the site’s own address. Nothing was changed."),
	    TR_INIT("Start from the front page and send it again.") },
	[REASON_NO_ADDRESS] = { 421, TR_INIT("Wrong address"),
	    TR_INIT(
		"This site isn’t set up for this address, so it answers only on its "
		"own machine."),
	    TR_INIT(
		"If the site is yours, set TALLY_ORIGIN to its address, for example "
		"https://example.org.") },
	[REASON_UNPROCESSABLE] = { 422, TR_INIT("Something needs fixing"),
	    TR_INIT("What you sent can’t be saved as it is."),
	    TR_INIT("Go back, change it and send it again.") },
	[REASON_NONE_SELECTED] = { 422, TR_INIT("Nothing is selected"),
	    TR_INIT(
		"Your decision was for the selected posts, and none was selected. "
		"Nothing was changed."),
	    TR_INIT("Go back and select some.") },
	[REASON_PARTLY_DONE] = { 409, TR_INIT("This wasn’t done for everyone"),
	    TR_INIT("Some were left as they are."),
	    TR_INIT("Go back and look at them one by one.") },
	[REASON_TOO_MANY_MEMBERS] = { 422,
	    TR_INIT("These are too many members"),
	    TR_INIT(
		"One decision can be on 100 members at most. Nothing was changed."),
	    TR_INIT("Go back and look for rings again.") },
	[REASON_NO_VOTE] = { 422, TR_INIT("There’s no such vote"),
	    TR_INIT("That member has no vote here that can be changed."),
	    TR_INIT("Go back and check the name.") },
	[REASON_LIMITED] = { 429, TR_INIT("You’re doing that too often"),
	    TR_INIT("Nothing was changed this time."),
	    TR_INIT("Wait a moment, then try again.") },
	[REASON_FEEDS_LIMITED] = { 429, TR_INIT("Too many requests for feeds"),
	    TR_INIT(
		"Feeds of this kind are asked for more often than the site can make "
		"them."),
	    TR_INIT("Wait a moment, then try again.") },
	[REASON_DAY_OVER] = { 429,
	    TR_INIT("You’ve reached the daily limit for text"),
	    TR_INIT(
		"There’s a limit on how much text a member can post in a day. Nothing "
		"was saved."),
	    TR_INIT("Try again tomorrow.") },
	[REASON_DOWN] = { 503, TR_INIT("The site is temporarily unavailable"),
	    TR_INIT(
		"Its data can’t be reached right now. If you were changing "
		"something, it may or may not have been saved; sending it again "
		"does no harm."),
	    TR_INIT("Wait a few seconds, then try again.") },
	[REASON_FULL] = { 503, TR_INIT("The site’s storage is full"),
	    TR_INIT("Nothing was saved."),
	    TR_INIT(
		"Nothing new can be saved until the people who run this site make "
		"room. You can still read everything. Keep a copy of what you "
		"wrote, and try again later.") },
	[REASON_PART_DOWN] = { 503,
	    TR_INIT("This part of the site can’t be reached"),
	    TR_INIT(
		"It’s stored on a server that isn’t responding right now. If you were changing something, it may or may not have "
		"been saved; sending it again does no harm."),
	    TR_INIT("The rest of the site works. Try this again later.") },
	[REASON_MEMBER_DOWN] = { 503, TR_INIT("Your account can’t be reached"),
	    TR_INIT(
		"It’s stored on a server that isn’t responding right now. Nothing was "
		"changed, and you’re still logged in."),
	    TR_INIT(
		"Try again later. Until then you can read without your account, in a "
		"private window.") },
	[REASON_BUSY] = { 503, TR_INIT("The site is busy"),
	    TR_INIT(
		"This page takes a while to prepare, and too many people are waiting "
		"for pages like it. Nothing was changed."),
	    TR_INIT("Wait a few seconds, then try again.") },
	[REASON_SEARCH_AWAY] = { 503, TR_INIT("Search is away"),
	    TR_INIT("Everything else works."),
	    TR_INIT("Try again in a moment.") },
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
	return (struct error_words){ status,
		language_text(reasons[reason].title),
		language_text(reasons[reason].happened),
		language_text(reasons[reason].advice) };
}

static const struct text texts[MESSAGES] = {
	[MESSAGE_JUST_NOW] = TR_INIT("just now"),
	[MESSAGE_VOTE_ONCE_VOUCHED] =
	    TR_INIT("You can vote once a moderator has vouched for you."),
	[MESSAGE_SLOW_MODE] = TR_INIT(
	    "Members have flagged a lot in this thread, so everyone has to wait "
	    "between comments."),
	[MESSAGE_THREAD_CLOSED] = TR_INIT("A moderator closed this thread."),
	[MESSAGE_THREAD_TOO_OLD] = TR_INIT(
	    "This thread has closed: the article is too old for new comments."),
	[MESSAGE_ANOTHER_COMMENT] = TR_INIT("another comment"),
	[MESSAGE_DELETED_COMMENT] = TR_INIT("a deleted comment"),
	[MESSAGE_REMOVED_COMMENT] = TR_INIT("a removed comment"),
	[MESSAGE_ALL_GROUPS] = TR_INIT("In all groups"),
	[MESSAGE_UNKNOWN_BROWSER] = TR_INIT("Unknown browser"),
	[MESSAGE_INTERESTING] = TR_INIT("Interesting"),
	[MESSAGE_NEW_ARTICLES] = TR_INIT("New"),
	[MESSAGE_NEW_COMMENTS_OF_ALL] = TR_INIT("Newest comments"),
	[MESSAGE_MODERATION_LOG] = TR_INIT("Moderation log"),
	[MESSAGE_INBOX] = TR_INIT("Inbox"),
	[MESSAGE_HOME] = TR_INIT("Home"),
	[MESSAGE_QUEUE] = TR_INIT("Moderation queue"),
	[MESSAGE_TO_NO_GROUP] = TR_INIT("to no group"),
	[MESSAGE_VOTES_IN_A_RING] = TR_INIT("Votes in a ring"),
	[MESSAGE_A_MODERATOR] = TR_INIT("A moderator"),
	[MESSAGE_THE_OPERATOR] = TR_INIT("The operator"),
};

struct text
message_text(enum message message)
{
	return language_text(texts[message]);
}

/* What language_plural takes: both forms are marked, too. */
struct forms {
	struct text one, many;
};

#define FORMS(one, many) { TEXT_INIT(one), TEXT_INIT(many) }
static const struct forms counted[MESSAGE_COUNTED] = {
	[MESSAGE_ARTICLES] = FORMS("{n} article", "{n} articles"),
	[MESSAGE_COMMENTS] = FORMS("{n} comment", "{n} comments"),
	[MESSAGE_VOTES] = FORMS("{n} vote", "{n} votes"),
	[MESSAGE_POSTS] = FORMS("{n} post", "{n} posts"),
	[MESSAGE_REPLIES] = FORMS("{n} reply", "{n} replies"),
	[MESSAGE_NEW_COMMENTS] = FORMS("{n} new", "{n} new"),
	[MESSAGE_MORE_BEFORE] =
	    FORMS("{n} more before these", "{n} more before these"),
	[MESSAGE_MORE_AFTER] = FORMS("{n} more follow", "{n} more follow"),
	[MESSAGE_MORE_ABOVE] =
	    FORMS("{n} more above these", "{n} more above these"),
	[MESSAGE_HIDDEN_NOTICES] =
	    FORMS("{n} comment is hidden: its article was removed.",
		"{n} comments are hidden: their articles were removed."),
	[MESSAGE_HIDDEN_RULES] = FORMS("{n} rule", "{n} rules"),
	[MESSAGE_HIDDEN_POSTS] =
	    FORMS("{n} is hidden from you.", "{n} are hidden from you."),
	[MESSAGE_LIST_PAGES] = FORMS(
	    "This list has only one page.", "This list has only {n} pages."),
	[MESSAGE_APPLICATIONS] = FORMS("{n} application", "{n} applications"),
	[MESSAGE_MEMBERS] = FORMS("{n} member", "{n} members"),
	[MESSAGE_RESULTS] = FORMS("{n} result", "{n} results"),
	[MESSAGE_PAIRS] = FORMS("{n} pair", "{n} pairs"),
	[MESSAGE_DAYS] = FORMS("{n} day", "{n} days"),
	[MESSAGE_HOURS] = FORMS("{n} hour", "{n} hours"),
	[MESSAGE_MINUTES] = FORMS("{n} minute", "{n} minutes"),
	[MESSAGE_SECONDS] = FORMS("{n} second", "{n} seconds"),
	[MESSAGE_DAYS_AGO] = FORMS("{n} day ago", "{n} days ago"),
	[MESSAGE_HOURS_AGO] = FORMS("{n} hour ago", "{n} hours ago"),
	[MESSAGE_MINUTES_AGO] = FORMS("{n} minute ago", "{n} minutes ago"),
};

/* What a translation of this has between its "1" and its "000"; may be empty. */
static struct text
thousands_separator(void)
{
	struct text thousand = TR("1,000");

	return thousand.size > 4 ? text_slice(thousand, 1, thousand.size - 4)
				 : TEXT("");
}

/* Digits in groups of three. */
static void
add_number(struct buffer *out, int64_t number)
{
	if (number > -1000 && number < 1000) {
		buffer_add_number(out, number);
		return;
	}
	add_number(out, number / 1000);
	number = number < 0 ? -(number % 1000) : number % 1000;
	buffer_add(out, thousands_separator());
	buffer_add_char(out, (char)('0' + number / 100));
	buffer_add_char(out, (char)('0' + number / 10 % 10));
	buffer_add_char(out, (char)('0' + number % 10));
}

enum { NUMBER_BYTES = 32 };

struct text
message_number(struct arena *arena, int64_t number)
{
	struct buffer out = buffer_in(arena, NUMBER_BYTES);

	add_number(&out, number);
	return buffer_text(&out);
}

struct text
message_count(struct arena *arena, enum message_counted message, int64_t count)
{
	const struct forms *forms = &counted[message];

	return LANGUAGE_FILL(arena,
	    language_plural(forms->one, forms->many, count),
	    { "n", message_number(arena, count) });
}

struct text
message_results_at_least(struct arena *arena, int64_t count)
{
	return LANGUAGE_FILL(
	    arena, TR("{n}+ results"), { "n", message_number(arena, count) });
}

struct text
message_query_note(struct arena *arena, const struct query_note *note)
{
	static const struct text sentences[] = {
		[QUERY_NO_DATE] = TR_INIT(
		    "“\u2068{words}\u2069” isn’t a date like 2024, 2024-05 or "
		    "2024-05-31, so it was searched for as words."),
		[QUERY_NO_KIND] = TR_INIT(
		    "“\u2068{words}\u2069” isn’t one of is:link, is:text, "
		    "is:article and is:comment, so it was searched for as "
		    "words."),
		[QUERY_NO_ORDER] = TR_INIT(
		    "“\u2068{words}\u2069” isn’t one of order:relevance, "
		    "order:newest and order:points, so it was searched for as "
		    "words."),
		[QUERY_NO_NAME] = TR_INIT(
		    "“\u2068{words}\u2069” has no name that anything here has, so "
		    "it was searched for as words."),
		[QUERY_SHORT_PREFIX] = TR_INIT(
		    "“\u2068{words}\u2069” is too short for a *, so it was "
		    "searched for as a whole word."),
	};

	if (note->kind == QUERY_TOO_LONG)
		return LANGUAGE_FILL(arena,
		    TR("Searches have at most {bytes} bytes and {parts} parts; "
		       "the rest was left out."),
		    { "bytes", text_number(arena, QUERY_BYTES_MAX) },
		    { "parts", text_number(arena, QUERY_ITEMS_MAX) });
	if (note->kind == QUERY_NO_WORDS)
		return TR("A search needs at least one letter or digit.");
	if (note->kind == QUERY_ONLY_EXCLUDES)
		return TR("Say also what to look for, not only what to leave "
			  "out.");
	return LANGUAGE_FILL(arena, language_text(sentences[note->kind]),
	    { "words", note->value });
}

struct text
message_unknown_name(struct arena *arena, struct text key)
{
	return LANGUAGE_FILL(arena,
	    text_starts(key, TEXT("g:"))
		? TR("There’s no group “\u2068{name}\u2069”.")
		: TR("There’s no member “\u2068{name}\u2069”."),
	    { "name", text_slice(key, 2, key.size) });
}

struct text
message_points(int64_t points)
{
	return TR_PLURAL("point", "points", points < 0 ? -points : points);
}

struct text
message_ordinal(struct arena *arena, int64_t number)
{
	static const struct text forms[] = { TR_INIT("{n}th"), TR_INIT("{n}st"),
		TR_INIT("{n}nd"), TR_INIT("{n}rd") };
	int64_t last = number % 10, teens = number / 10 % 10;

	return LANGUAGE_FILL(arena,
	    language_text(forms[last > 3 || teens == 1 ? 0 : last]),
	    { "n", text_number(arena, number) });
}

static const struct text months[] = { TR_INIT("January"), TR_INIT("February"),
	TR_INIT("March"), TR_INIT("April"), TR_INIT("May"), TR_INIT("June"),
	TR_INIT("July"), TR_INIT("August"), TR_INIT("September"),
	TR_INIT("October"), TR_INIT("November"), TR_INIT("December") };

static struct text
year_of(struct arena *arena, const struct tm *parts)
{
	return text_number(arena, (int64_t)parts->tm_year + 1900);
}

/* "21 November 2026" */
static struct text
message_day(struct arena *arena, const struct tm *parts)
{
	return LANGUAGE_FILL(arena, TR("{day} {month} {year}"),
	    { "day", text_number(arena, parts->tm_mday) },
	    { "month", language_text(months[parts->tm_mon]) },
	    { "year", year_of(arena, parts) });
}

/* "14:05" */
static struct text
time_of_day(struct arena *arena, const struct tm *parts)
{
	struct buffer out = buffer_in(arena, TEXT("00:00").size);

	buffer_add_two_digits(&out, parts->tm_hour);
	buffer_add_char(&out, ':');
	buffer_add_two_digits(&out, parts->tm_min);
	return buffer_text(&out);
}

struct text
message_moment(struct arena *arena, const struct tm *parts)
{
	return LANGUAGE_FILL(arena, TR("{date}, {time} UTC"),
	    { "date", message_day(arena, parts) },
	    { "time", time_of_day(arena, parts) });
}

struct text
message_on_day(struct arena *arena, const struct tm *parts)
{
	return LANGUAGE_FILL(
	    arena, TR("on {date}"), { "date", message_day(arena, parts) });
}

struct text
message_and(struct arena *arena, struct text a, struct text b)
{
	return LANGUAGE_FILL(arena, TR("{a} and {b}"), { "a", a }, { "b", b });
}

struct text
message_two_units(struct arena *arena, struct text larger, struct text smaller)
{
	return LANGUAGE_FILL(arena, TR("{larger} and {smaller}"),
	    { "larger", larger }, { "smaller", smaller });
}

struct text
message_list(struct arena *arena, struct text a, struct text b)
{
	return LANGUAGE_FILL(arena, TR("{a}, {b}"), { "a", a }, { "b", b });
}

struct text
message_series(struct arena *arena, const struct text *phrases, size_t count)
{
	struct text all = count > 0 ? phrases[0] : TEXT("");

	for (size_t i = 1; i + 1 < count; i++)
		all = message_list(arena, all, phrases[i]);
	return count > 1 ? message_and(arena, all, phrases[count - 1]) : all;
}

struct text
message_words(struct arena *arena, struct text words)
{
	struct text *each = arena_new(arena, struct text, words.size + 1);
	size_t count = 0;

	while (text_next_word(&words, &each[count]))
		count++;
	return message_series(arena, each, count);
}

struct text
message_retry_after(struct arena *arena, struct text wait)
{
	return LANGUAGE_FILL(
	    arena, TR("Try again in about {time}."), { "time", wait });
}

struct text
message_vote_from(struct arena *arena, struct text moment)
{
	return LANGUAGE_FILL(
	    arena, TR("You can vote starting {moment}."), { "moment", moment });
}

struct text
message_newcomer_limit(struct arena *arena, bool is_article, int64_t allowed)
{
	struct text sentence = is_article
	    ? TR_PLURAL(
		  "New members can post {n} article a day. Nothing was saved.",
		  "New members can post {n} articles a day. Nothing was saved.",
		  allowed)
	    : TR_PLURAL(
		  "New members can post {n} comment a day. Nothing was saved.",
		  "New members can post {n} comments a day. Nothing was saved.",
		  allowed);

	return LANGUAGE_FILL(
	    arena, sentence, { "n", text_number(arena, allowed) });
}

struct text
message_applied(struct arena *arena, struct text moment)
{
	return LANGUAGE_FILL(arena,
	    TR("You applied for registration on {moment}. No moderator has "
	       "decided yet."),
	    { "moment", moment });
}

struct text
message_declined(struct arena *arena, struct text moment, struct text reason)
{
	return LANGUAGE_FILL(arena,
	    reason.size == 0
		? TR("A moderator declined your application on {moment}.")
		: TR("A moderator declined your application on {moment}: "
		     "\u2068{reason}\u2069"),
	    { "moment", moment }, { "reason", reason });
}

struct text
message_suspended(struct arena *arena, struct text until, struct text reason)
{
	struct text sentence;

	if (until.size == 0)
		sentence = reason.size == 0
		    ? TR("A moderator has suspended you permanently.")
		    : TR("A moderator has suspended you permanently: "
			 "“\u2068{reason}\u2069”");
	else
		sentence = reason.size == 0
		    ? TR("A moderator has suspended you until {moment}.")
		    : TR("A moderator has suspended you until {moment}: "
			 "“\u2068{reason}\u2069”");
	return LANGUAGE_FILL(
	    arena, sentence, { "moment", until }, { "reason", reason });
}

struct text
message_feed_title(struct arena *arena, struct text site, struct text list)
{
	return text_format(
	    arena, "%.*s · %.*s", TEXT_ARGS(site), TEXT_ARGS(list));
}

struct text
message_comment_on(struct arena *arena, struct text author, struct text title)
{
	return LANGUAGE_FILL(arena, TR("{member} on “\u2068{title}\u2069”"),
	    { "member", author }, { "title", title });
}

struct text
message_application(struct arena *arena, struct text name)
{
	return LANGUAGE_FILL(
	    arena, TR("Application of {member}"), { "member", name });
}

struct text
message_comments_by(struct arena *arena, struct text author)
{
	return LANGUAGE_FILL(
	    arena, TR("Comments by {member}"), { "member", author });
}

struct text
message_search(struct arena *arena, struct text typed)
{
	return LANGUAGE_FILL(arena, TR("Search: {words}"), { "words", typed });
}

struct text
message_comments_on(struct arena *arena, struct text title)
{
	return LANGUAGE_FILL(
	    arena, TR("Comments on “\u2068{title}\u2069”"), { "title", title });
}

struct text
message_flagged(struct arena *arena, struct text flag, struct text title)
{
	return LANGUAGE_FILL(
	    arena, TR("{flag}: {title}"), { "flag", flag }, { "title", title });
}

struct text
message_post_of(struct arena *arena, uint64_t article, struct text title,
    struct text comment, struct text author)
{
	/* With or without comment, title and author. */
	static const struct text phrases[2][2][2] = {
		{ { TR_INIT("article {number}"),
		      TR_INIT("article {number} by {author}") },
		    { TR_INIT("“{title}”"),
			TR_INIT("“{title}” by {author}") } },
		{ { TR_INIT("comment {comment} on article {number}"),
		      TR_INIT("comment {comment} on article {number} by "
			      "{author}") },
		    { TR_INIT("comment {comment} on “{title}”"),
			TR_INIT("comment {comment} on “{title}” by "
				"{author}") } },
	};
	struct text phrase =
	    phrases[comment.size > 0][title.size > 0][author.size > 0];

	return LANGUAGE_FILL(arena, language_text(phrase),
	    { "number", text_number(arena, (int64_t)article) },
	    { "title", title }, { "comment", comment }, { "author", author });
}

struct text
message_comment_label(struct arena *arena, uint64_t number, struct text author)
{
	return LANGUAGE_FILL(arena, TR("comment {number} by {author}"),
	    { "number", text_number(arena, (int64_t)number) },
	    { "author", author });
}

struct text
message_browser_on(struct arena *arena, struct text browser, struct text system)
{
	return LANGUAGE_FILL(arena, TR("{browser} on {system}"),
	    { "browser", browser }, { "system", system });
}

struct text
message_hidden_line(struct arena *arena, size_t number, struct text line,
    enum message_hidden what)
{
	static const struct text sentences[] = {
		[MESSAGE_HIDDEN_FORM] =
		    TR_INIT("Line {number}, “{line}”: enter the address of "
			    "something to hide, or = and words."),
		[MESSAGE_HIDDEN_UNKNOWN] =
		    TR_INIT("Line {number}, “{line}”: this doesn’t exist."),
		[MESSAGE_HIDDEN_OWN] = TR_INIT(
		    "Line {number}, “{line}”: you can’t hide yourself."),
	};

	return LANGUAGE_FILL(arena, language_text(sentences[what]),
	    { "number", text_number(arena, (int64_t)number) },
	    { "line", line });
}

struct text
message_hidden_too_many(struct arena *arena, int64_t count, int64_t max)
{
	return LANGUAGE_FILL(arena,
	    TR("You have {n} lines; at most {max} can be saved."),
	    { "n", text_number(arena, count) },
	    { "max", text_number(arena, max) });
}

struct text
message_undecided(enum message_undecided why)
{
	static const struct text sentences[] = {
		[UNDECIDED_NOT] = TEXT_INIT(""),
		[UNDECIDED_ABSENT] = TR_INIT("This can’t be found now."),
		[UNDECIDED_WITHDRAWN] = TR_INIT("Its author has deleted this."),
		[UNDECIDED_REMOVED] =
		    TR_INIT("A moderator has removed this already."),
		[UNDECIDED_ARTICLE_REMOVED] =
		    TR_INIT("The article that this is about was removed."),
		[UNDECIDED_KEPT] = TR_INIT(
		    "A moderator decided to keep this after you saw it."),
		[UNDECIDED_EDITED] =
		    TR_INIT("Its author edited this after you saw it."),
		[UNDECIDED_OTHER_MODERATOR] = TR_INIT(
		    "Another moderator has to decide this: it is your own, or "
		    "of someone with a higher role."),
		[UNDECIDED_LINK_TAKEN] = TR_INIT(
		    "Another member has posted the same link while this was "
		    "waiting."),
		[UNDECIDED_UNSAVED] =
		    TR_INIT("This may not have been saved. Please try again."),
	};

	return language_text(sentences[why]);
}

struct text
message_partly_done(struct arena *arena, int64_t done, struct text left)
{
	return LANGUAGE_FILL(arena,
	    TR_PLURAL("Done for {n} member, but not for: {names}.",
		"Done for {n} members, but not for: {names}.", done),
	    { "n", message_number(arena, done) }, { "names", left });
}

struct text
message_all_of(struct arena *arena, int64_t count)
{
	enum { WORDS = 13 };
	static const struct text words[WORDS] = { [2] = TR_INIT("both"),
		TR_INIT("all three"),
		TR_INIT("all four"),
		TR_INIT("all five"),
		TR_INIT("all six"),
		TR_INIT("all seven"),
		TR_INIT("all eight"),
		TR_INIT("all nine"),
		TR_INIT("all ten"),
		TR_INIT("all eleven"),
		TR_INIT("all twelve") };

	return count >= 2 && count < WORDS
	    ? language_text(words[count])
	    : LANGUAGE_FILL(
		  arena, TR("all {n}"), { "n", message_number(arena, count) });
}

struct text
message_first(struct arena *arena, int64_t count)
{
	return LANGUAGE_FILL(
	    arena, TR("the first {n}"), { "n", message_number(arena, count) });
}

struct text
message_hundredths(struct arena *arena, int64_t hundredths)
{
	return LANGUAGE_FILL(arena, TR("{whole}.{hundredths}"),
	    { "whole", message_number(arena, hundredths / 100) },
	    { "hundredths",
		text_format(arena, "%02d", (int)(hundredths % 100)) });
}

struct text
message_page(struct arena *arena, uint64_t number)
{
	return LANGUAGE_FILL(arena, TR("Page {n}"),
	    { "n", text_number(arena, (int64_t)number) });
}

struct text
message_list_order(enum list_order order)
{
	static const struct text orders[] = {
		[ORDER_TOP] = TR_INIT("Top"),
		[ORDER_BOTTOM] = TR_INIT("Bottom"),
		[ORDER_NEW] = TR_INIT("New"),
		[ORDER_OLDEST] = TR_INIT("Oldest"),
		[ORDER_HOT] = TR_INIT("Hot"),
		[ORDER_ACTIVE] = TR_INIT("Active"),
		[ORDER_BEST] = TR_INIT("Best"),
	};

	return language_text(orders[order]);
}

struct text
message_period(struct arena *arena, const struct period *period)
{
	static const struct text words[PERIOD_WORDS] = {
		[PERIOD_DAY] = TR_INIT("Best of the last 24 hours"),
		[PERIOD_WEEK] = TR_INIT("Best of the last 7 days"),
		[PERIOD_MONTH] = TR_INIT("Best of the last 30 days"),
		[PERIOD_YEAR] = TR_INIT("Best of the last 365 days"),
		[PERIOD_ALL] = TR_INIT("Best of all time"),
	};
	time_t moment = (time_t)period->from;
	struct tm parts;

	if (period->kind <= PERIOD_ALL)
		return language_text(words[period->kind]);
	if (gmtime_r(&moment, &parts) == NULL)
		return period->word;
	if (period->kind == PERIOD_DATE)
		return message_day(arena, &parts);
	return LANGUAGE_FILL(arena,
	    period->kind == PERIOD_CALENDAR_MONTH ? TR("Best of {month} {year}")
						  : TR("Best of {year}"),
	    { "month", language_text(months[parts.tm_mon]) },
	    { "year", year_of(arena, &parts) });
}

struct text
message_period_tab(enum period_kind kind)
{
	static const struct text words[PERIOD_WORDS] = {
		[PERIOD_DAY] = TR_INIT("Day"),
		[PERIOD_WEEK] = TR_INIT("Week"),
		[PERIOD_MONTH] = TR_INIT("Month"),
		[PERIOD_YEAR] = TR_INIT("Year"),
		[PERIOD_ALL] = TR_INIT("All time"),
	};

	return language_text(words[kind]);
}

struct text
message_thread_order(enum thread_order order)
{
	static const struct text orders[] = {
		[THREAD_BEST] = TR_INIT("Best"),
		[THREAD_NEW] = TR_INIT("Newest"),
		[THREAD_OLDEST] = TR_INIT("Oldest"),
	};

	return language_text(orders[order]);
}

struct text
message_notice(enum notice_reason reason)
{
	static const struct text reasons_of_notices[] = {
		[NOTICE_ARTICLE] = TR_INIT("Comment on your article"),
		[NOTICE_REPLY] = TR_INIT("Reply to your comment"),
		[NOTICE_MENTION] = TR_INIT("Mentions you"),
		[NOTICE_ACTION] = TR_INIT("From the moderators"),
		[NOTICE_CODE_PASSWORD] = TR_INIT("Your password was reset"),
		[NOTICE_CODE_FACTOR] =
		    TR_INIT("Your second factor was replaced once"),
	};

	return language_text(reasons_of_notices[reason]);
}

struct text
message_code_used(struct arena *arena, struct text moment, int64_t left)
{
	return LANGUAGE_FILL(arena,
	    TR_PLURAL("A recovery code was used on {moment}; {n} is left.",
		"A recovery code was used on {moment}; {n} are left.", left),
	    { "moment", moment }, { "n", text_number(arena, left) });
}

struct text
message_action_notice(struct arena *arena, enum mod_action_kind kind,
    const struct mod_action *action)
{
	bool is_comment = action->comment != 0,
	     is_on_all = action->article == 0;

	switch (kind) {
	case MOD_REMOVED:
		return is_comment ? TR("Your comment was removed")
				  : TR("Your article was removed");
	case MOD_RESTORED:
		return is_comment ? TR("Your comment was restored")
				  : TR("Your article was restored");
	case MOD_MOVED:
		return TR("Your article was moved to other groups");
	case MOD_VOIDED:
		return is_on_all ? TR("Your votes were cancelled")
				 : TR("Your vote was cancelled");
	case MOD_COUNTED:
		return is_on_all ? TR("Your votes count again")
				 : TR("Your vote counts again");
	case MOD_ACCEPTED:
		return TR("Your application was accepted");
	case MOD_GROUP_RENAMED:
		return TR("Your group was renamed");
	case MOD_GROUP_MERGED:
		return TR("Your group was merged into another");
	case MOD_GROUP_APPOINTED:
		return LANGUAGE_FILL(arena,
		    TR("You’re a moderator of {group} now"),
		    { "group", action->subject });
	case MOD_GROUP_DISMISSED:
		return LANGUAGE_FILL(arena,
		    TR("You’re no longer a moderator of {group}"),
		    { "group", action->subject });
	case MOD_BARRED:
		return LANGUAGE_FILL(arena,
		    TR("Your article was taken out of the group {group}"),
		    { "group", action->subject });
	case MOD_UNBARRED:
		return LANGUAGE_FILL(arena,
		    TR("Your article was put back into the group {group}"),
		    { "group", action->subject });
	case MOD_CONTAINED: {
		struct text deeds = message_extent(arena, action, kind);

		return deeds.size == 0
		    ? TR("Moderators acted on your account")
		    : LANGUAGE_FILL(
			  arena, TR("Moderators {deeds}"), { "deeds", deeds });
	}
	case MOD_RELEASED:
		return TR("What moderators did to your posts was taken back");
	case MOD_RECOVERY_LINK:
		return TR("A link to recover your account was made");
	default:
		return TR("From the moderators");
	}
}

/* Without a separator of thousands. */
static struct text
fill_number(struct arena *arena, struct text sentence, int64_t number)
{
	return LANGUAGE_FILL(
	    arena, sentence, { "n", text_number(arena, number) });
}

struct text
message_member_history(struct arena *arena, int64_t suspensions,
    int64_t removals, int64_t voidings)
{
	if (suspensions + removals + voidings == 0)
		return TEXT("");
	return LANGUAGE_FILL(arena,
	    TR("Recently in the log: {suspensions}, {removals}, {voidings}."),
	    { "suspensions",
		fill_number(arena,
		    TR_PLURAL("{n} suspension", "{n} suspensions", suspensions),
		    suspensions) },
	    { "removals",
		fill_number(arena,
		    TR_PLURAL("{n} removal", "{n} removals", removals),
		    removals) },
	    { "voidings",
		fill_number(arena,
		    TR_PLURAL("{n} cancellation of votes",
			"{n} cancellations of votes", voidings),
		    voidings) });
}

struct text
message_flag(enum flag flag)
{
	static const struct text flags[FLAG_KINDS] = {
		[FLAG_NONE] = TEXT_INIT(""),
		[FLAG_OFF_TOPIC] = TR_INIT("Off topic"),
		[FLAG_SPAM] = TR_INIT("Spam"),
		[FLAG_BROKEN] = TR_INIT("Broken link"),
		[FLAG_DUPLICATE] = TR_INIT("Already posted"),
		[FLAG_UNKIND] = TR_INIT("Unkind"),
		[FLAG_FIRST] = TR_INIT("By a newcomer"),
	};

	return language_text(flags[flag]);
}

static const struct message_mod_action mod_actions[MOD_ACTION_KINDS] = {
	[MOD_REMOVED] = { TR_INIT("Posts removed"), TR_INIT("removed"),
	    TEXT_INIT("") },
	[MOD_RESTORED] = { TR_INIT("Posts restored"), TR_INIT("restored"),
	    TEXT_INIT("") },
	[MOD_DISMISSED] = { TR_INIT("Posts kept"), TR_INIT("reviewed and kept"),
	    TEXT_INIT("") },
	[MOD_MOVED] = { TR_INIT("Articles moved"), TR_INIT("moved"),
	    TR_INIT("to") },
	[MOD_AGAIN] = { TR_INIT("Second chances"),
	    TR_INIT("gave a second chance to"), TEXT_INIT("") },
	[MOD_VOIDED] = { TR_INIT("Votes voided"), TR_INIT("voided the vote of"),
	    TEXT_INIT("") },
	[MOD_COUNTED] = { TR_INIT("Votes restored"),
	    TR_INIT("restored the vote of"), TEXT_INIT("") },
	[MOD_SUSPENDED] = { TR_INIT("Members suspended"),
	    TR_IN_INIT("log", "suspended"), TEXT_INIT("") },
	[MOD_READMITTED] = { TR_INIT("Suspensions lifted"),
	    TR_INIT("lifted the suspension of"), TEXT_INIT("") },
	[MOD_VOUCHED] = { TR_INIT("Members vouched for"),
	    TR_IN_INIT("log", "vouched for"), TEXT_INIT("") },
	[MOD_APPOINTED] = { TR_INIT("Role changes"), TR_INIT("made"),
	    TEXT_INIT("") },
	[MOD_RECOVERY_LINK] = { TR_INIT("Recovery links"),
	    TR_INIT("made a link to recover the account of"), TEXT_INIT("") },
	[MOD_ACCEPTED] = { TR_INIT("Applications accepted"),
	    TR_INIT("accepted the application of"), TEXT_INIT("") },
	[MOD_DECLINED] = { TR_INIT("Applications declined"),
	    TR_INIT("declined an application"), TEXT_INIT("") },
	[MOD_HOST_BLOCKED] = { TR_INIT("Sites blocked"),
	    TR_INIT("blocked links to"), TEXT_INIT("") },
	[MOD_HOST_ALLOWED] = { TR_INIT("Sites unblocked"),
	    TR_INIT("unblocked links to"), TEXT_INIT("") },
	[MOD_GROUP_RETITLED] = { TR_INIT("Group titles changed"),
	    TR_INIT("changed the title of the group"), TR_INIT("to") },
	[MOD_GROUP_DESCRIBED] = { TR_INIT("Group descriptions changed"),
	    TR_INIT("changed the description or rules of the group"),
	    TEXT_INIT("") },
	[MOD_GROUP_RENAMED] = { TR_INIT("Groups renamed"),
	    TR_INIT("renamed the group"), TR_INIT("to") },
	[MOD_GROUP_MERGED] = { TR_INIT("Groups merged"),
	    TR_INIT("merged the group"), TR_INIT("into") },
	[MOD_GROUP_CLOSED] = { TR_INIT("Groups closed"),
	    TR_INIT("closed the group"), TEXT_INIT("") },
	[MOD_GROUP_OPENED] = { TR_INIT("Groups reopened"),
	    TR_INIT("reopened the group"), TEXT_INIT("") },
	[MOD_GROUP_DELETED] = { TR_INIT("Groups deleted"),
	    TR_INIT("deleted the group"), TEXT_INIT("") },
	[MOD_GROUP_RESTRICTED] = { TR_INIT("Groups restricted"),
	    TR_INIT("let only its moderators post in the group"),
	    TEXT_INIT("") },
	[MOD_GROUP_UNRESTRICTED] = { TR_INIT("Restrictions of groups lifted"),
	    TR_INIT("let everyone post again in the group"), TEXT_INIT("") },
	[MOD_GROUP_APPOINTED] = { TR_INIT("Group moderators appointed"),
	    TR_INIT("made"), TR_INIT("a moderator of") },
	[MOD_GROUP_DISMISSED] = { TR_INIT("Group moderators dismissed"),
	    TR_INIT("dismissed"), TR_INIT("as a moderator of") },
	[MOD_BARRED] = { TR_INIT("Articles taken out of groups"),
	    TR_INIT("took"), TR_INIT("out of") },
	[MOD_UNBARRED] = { TR_INIT("Articles put back into groups"),
	    TR_INIT("put"), TR_INIT("back into") },
	[MOD_THREAD_CLOSED] = { TR_INIT("Comments closed"),
	    TR_INIT("closed comments on"), TEXT_INIT("") },
	[MOD_THREAD_OPENED] = { TR_INIT("Comments reopened"),
	    TR_INIT("reopened comments on"), TEXT_INIT("") },
	[MOD_CONTAINED] = { TR_INIT("Members contained"), TR_INIT("acted on"),
	    TEXT_INIT("") },
	[MOD_RELEASED] = { TR_INIT("Acts taken back"),
	    TR_INIT("took back what was done to"), TEXT_INIT("") },
	[MOD_ABOUT_EMPTIED] = { TR_INIT("Members’ texts removed"),
	    TR_INIT("removed the text about themselves of"), TEXT_INIT("") },
};

struct message_mod_action
message_mod_action(enum mod_action_kind kind)
{
	const struct message_mod_action *words = &mod_actions[kind];

	return (struct message_mod_action){ language_text(words->name),
		language_text_in(words->before), language_text(words->after) };
}

/* "8 articles and 31 comments" */
static struct text
message_posts(struct arena *arena, int64_t articles, int64_t comments)
{
	struct text some = message_count(arena, MESSAGE_ARTICLES, articles);
	struct text others = message_count(arena, MESSAGE_COMMENTS, comments);

	if (articles > 0 && comments > 0)
		return message_and(arena, some, others);
	return articles > 0 ? some : others;
}

struct text
message_extent(struct arena *arena, const struct mod_action *act,
    enum mod_action_kind kind)
{
	bool is_undo = kind == MOD_RELEASED;
	struct text phrases[3];
	size_t count = 0;

	if (act->articles + act->comments > 0)
		phrases[count++] = LANGUAGE_FILL(arena,
		    is_undo ? TR("restored {posts}") : TR("removed {posts}"),
		    { "posts",
			message_posts(arena, act->articles, act->comments) });
	if (act->votes > 0)
		phrases[count++] = LANGUAGE_FILL(arena,
		    is_undo ? TR("took back the decision on {votes}")
			: kind == MOD_COUNTED ? TR("restored {votes}")
					      : TR("voided {votes}"),
		    { "votes",
			message_count(arena, MESSAGE_VOTES, act->votes) });
	if (act->hosts.size > 0)
		phrases[count++] = LANGUAGE_FILL(arena,
		    is_undo ? TR("unblocked links to {sites}")
			    : TR("blocked links to {sites}"),
		    { "sites", act->hosts });
	return message_series(arena, phrases, count);
}

struct text
message_of(struct arena *arena, struct text deeds)
{
	return LANGUAGE_FILL(arena, TR("{deeds} of"), { "deeds", deeds });
}

struct text
message_and_also(struct arena *arena, struct text deeds)
{
	return LANGUAGE_FILL(arena, TR("and {deeds}"), { "deeds", deeds });
}

/* Only these kinds are decided on several at once (store/mod_decision.h). */
static struct text
decision_phrase(const struct mod_action *act, enum mod_action_kind kind)
{
	bool has_members = act->members > 0;
	bool has_posts = act->articles + act->comments > 0;

	if (kind == MOD_SUSPENDED)
		return has_members ? TR("suspended {members} permanently")
				   : TR("suspended members permanently");
	if (kind == MOD_VOIDED && act->votes > 0)
		return has_members ? TR("voided {votes} of {members}")
				   : TR("voided {votes} of members");
	if (kind == MOD_VOIDED)
		return has_members ? TR("voided all votes of {members}")
				   : TR("voided all votes of members");
	if (kind == MOD_DISMISSED)
		return has_posts ? TR("reviewed and kept {posts}")
				 : TR("reviewed and kept posts");
	return has_posts ? TR("removed {posts}") : TR("removed posts");
}

struct text
message_decision(struct arena *arena, const struct mod_action *act,
    enum mod_action_kind kind)
{
	return LANGUAGE_FILL(arena, decision_phrase(act, kind),
	    { "posts", message_posts(arena, act->articles, act->comments) },
	    { "members", message_count(arena, MESSAGE_MEMBERS, act->members) },
	    { "votes", message_count(arena, MESSAGE_VOTES, act->votes) });
}

struct text
message_one_vote(enum mod_action_kind kind)
{
	return kind == MOD_COUNTED ? TR("restored 1 vote of")
				   : TR("voided 1 vote of");
}

struct text
message_act_on_all(enum mod_action_kind kind)
{
	if (kind == MOD_VOIDED)
		return TR("voided all votes of");
	return kind == MOD_COUNTED ? TR("restored all votes of")
				   : language_text_in(mod_actions[kind].before);
}

struct text
message_role(enum role role)
{
	static const struct text roles[] = {
		[ROLE_MEMBER] = TR_INIT("a member"),
		[ROLE_MODERATOR] = TR_INIT("a moderator"),
		[ROLE_OWNER] = TR_INIT("an owner"),
	};

	return language_text(roles[role]);
}

struct text
message_sole_moderator(struct arena *arena, struct text after)
{
	return after.size == 0
	    ? TR("because nobody else could")
	    : LANGUAGE_FILL(arena, TR("{after}, because nobody else could"),
		  { "after", after });
}

/* A word may be any text that was typed: isolates contain its direction. */
static const struct text problems[PROBLEM_KINDS] = {
	[PROBLEM_NONE] = TEXT_INIT(""),
	[PROBLEM_CHOICE] = TR_INIT("Choose one of these."),
	[PROBLEM_VOTES_A_DAY] =
	    TR_INIT("Enter a whole number from 1 to 86400."),
	[PROBLEM_VOTES_CHOICE] =
	    TR_INIT("Choose “Another number” as well, or leave this empty."),
	[PROBLEM_INTERESTING] = TR_INIT("Enter a whole number of at least 1."),
	[PROBLEM_SITE_NAME_MISSING] = TR_INIT("Enter a name for the site."),
	[PROBLEM_IMAGE_MISSING] = TR_INIT("Choose a file."),
	[PROBLEM_IMAGE_FORMAT] =
	    TR_INIT("This isn’t a PNG image, or it’s damaged."),
	[PROBLEM_FOOT_LINKS_TOO_MANY] = TR_INIT("Enter at most five links."),
	[PROBLEM_TITLE_MISSING] = TR_INIT("Enter a title."),
	[PROBLEM_LINK_MALFORMED] = TR_INIT(
	    "This isn’t a link. Enter one like https://example.org/page."),
	[PROBLEM_LINK_SCHEME] =
	    TR_INIT("Enter a link that starts with http:// or https://."),
	[PROBLEM_LINK_USER_INFO] =
	    TR_INIT("Remove the username or password from the link."),
	[PROBLEM_TEXT_UNSEEN] = TR_INIT("The text has no visible characters."),
	[PROBLEM_TEXT_MISSING] = TR_INIT("Write something."),
	[PROBLEM_TEXT_TANGLED] = TR_INIT(
	    "There’s too much formatting, or quotes and lists are nested too deeply."),
	[PROBLEM_NO_LINK_OR_TEXT] = TR_INIT("Enter a link or some text."),
	[PROBLEM_GROUP_NAME] =
	    TR_INIT("Use 2 to 32 characters: a to z, 0 to 9 or hyphens."),
	[PROBLEM_GROUP_NAME_TAKEN] =
	    TR_INIT("That group already exists. Choose another name."),
	[PROBLEM_GROUP_NAME_UNKNOWN] =
	    TR_INIT("There’s no group with that name."),
	[PROBLEM_GROUP_NAME_SAME] =
	    TR_INIT("That’s this group’s name. Enter another one."),
	[PROBLEM_GROUP_TITLE_MISSING] = TR_INIT("Enter a title for the group."),
	[PROBLEM_GROUP_MODERATORS_FULL] =
	    TR_INIT("This group already has the maximum number of moderators."),
	[PROBLEM_GROUP_NO_MODERATOR] =
	    TR_INIT("That member isn’t a moderator of this group."),
	[PROBLEM_MEMBER_UNKNOWN] = TR_INIT("There’s no member with that name."),
	[PROBLEM_USER_NAME] = TR_INIT(
	    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores."),
	[PROBLEM_USER_NAME_TAKEN] =
	    TR_INIT("That name is taken. Choose another."),
	[PROBLEM_USER_NAME_MISSING] = TR_INIT("Enter your username."),
	[PROBLEM_PASSWORD_COMMON] =
	    TR_INIT("That password is too easy to guess."),
	[PROBLEM_PASSWORD_BREACHED] = TR_INIT(
	    "That password has appeared in a data breach. Choose another."),
	[PROBLEM_PASSWORD_MISSING] = TR_INIT("Enter your password."),
	[PROBLEM_PASSWORD_SAME] = TR_INIT(
	    "Choose a password that’s different from your current one."),
	[PROBLEM_PASSWORD_WRONG] = TR_INIT("That isn’t your current password."),
	[PROBLEM_TITLE_LATE] =
	    TR_INIT("Titles can only be changed for 15 minutes after posting."),
	[PROBLEM_HOST] = TR_INIT("Enter a site, such as example.org."),
	[PROBLEM_HOSTS_FULL] = TR_INIT("The list of blocked sites is full."),
	[PROBLEM_HIDDEN_WORDS] = TR_INIT("Enter a word."),
	[PROBLEM_HIDDEN_FULL] =
	    TR_INIT("You’ve reached the limit. Show something again first."),
	[PROBLEM_DAYS] = TR_INIT(
	    "Enter a number of days from 1 to 3650, or 0 for permanently."),
	[PROBLEM_LOGIN_WRONG] = TR_INIT("Wrong username or password."),
	[PROBLEM_CODE_MISSING] = TR_INIT("Enter a code."),
	[PROBLEM_CODE_WRONG] = TR_INIT(
	    "This code is wrong, or it was used before. Enter the next one."),
	[PROBLEM_RECOVERY_WRONG] = TR_INIT(
	    "Wrong username or recovery code, or the code was used before."),
	[PROBLEM_SITE_NAME_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_HIDDEN_WORDS_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_LINE_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_IMAGE_TOO_LONG] =
	    TR_INIT("Use at most {limit} bytes; this has {length}."),
	[PROBLEM_IMAGE_TOO_WIDE] = TR_INIT(
	    "On each side, use at most {limit} pixels; this has {length}."),
	[PROBLEM_FOOT_LABEL_TOO_LONG] = TR_INIT(
	    "For a link’s name, use at most {limit} characters; this has {length}."),
	[PROBLEM_TITLE_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_LINK_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_LINK_ENCODED_TOO_LONG] =
	    TR_INIT("With its special characters encoded, a link can have "
		    "at most {limit} characters; this has {length}."),
	[PROBLEM_TEXT_TOO_LONG] =
	    TR_INIT("Use at most {limit} characters; this has {length}."),
	[PROBLEM_PASSWORD_TOO_LONG] =
	    TR_INIT("Use at most {limit} bytes; this has {length}."),
	[PROBLEM_CHARACTERS_DECEPTIVE] =
	    TR_INIT("This contained control or text direction "
		    "characters, which were removed. Check the result "
		    "and send it again."),
	[PROBLEM_CHARACTERS_UNSEEN] =
	    TR_INIT("This contained invisible characters, or more than {limit} "
		    "marks on a letter, which were removed. Check the result "
		    "and send it again."),
	[PROBLEM_PASSWORD_TOO_SHORT] =
	    TR_INIT("Use at least {limit} characters."),
	[PROBLEM_GROUPS_TOO_MANY] = TR_INIT("Choose at most {limit} groups."),
	[PROBLEM_GROUPS_NAME] = TR_INIT(
	    "“\u2068{word}\u2069” isn’t a group name. Group names have 2 to 32 "
	    "characters: a to z, 0 to 9 or hyphens."),
	[PROBLEM_GROUP_CLOSED] = TR_INIT("The group “{word}” is closed."),
	[PROBLEM_GROUP_RESTRICTED] =
	    TR_INIT("Only its moderators can post in the group “{word}”."),
	[PROBLEM_GROUP_BARRED] =
	    TR_INIT("Moderators took this article out of the group “{word}”."),
	[PROBLEM_SHARED_HOST] =
	    TR_INIT("“\u2068{word}\u2069” isn’t a site. Enter one like: "
		    "github.com"),
	[PROBLEM_SHARED_HOSTS_TOO_MANY] =
	    TR_INIT("Enter at most {limit} sites."),
	[PROBLEM_FOOT_LINK] =
	    TR_INIT("“\u2068{word}\u2069” isn’t a name and a link. Enter one "
		    "like: Imprint https://example.org/imprint"),
	[PROBLEM_LINK_BLOCKED] =
	    TR_INIT("Links to \u2068{word}\u2069 aren’t allowed here."),
	[PROBLEM_LINK_EARLY] =
	    TR_INIT("New members can link only to sites with an article here "
		    "that is a day old, and \u2068{word}\u2069 isn’t one yet. "
		    "From your second day on you can link to any site."),
	[PROBLEM_NUMBER] = TR_INIT("Enter a whole number from 0 to {limit}."),
	[PROBLEM_GROUP_UNKNOWN] =
	    TR_INIT("There’s no group “\u2068{word}\u2069”."),
};

/* Their {limit}. */
static const int limits[PROBLEM_KINDS] = {
	[PROBLEM_SITE_NAME_TOO_LONG] = RULE_SITE_NAME_MAX,
	[PROBLEM_HIDDEN_WORDS_TOO_LONG] = RULE_HIDDEN_MAX,
	[PROBLEM_LINE_TOO_LONG] = RULE_TITLE_MAX,
	[PROBLEM_IMAGE_TOO_LONG] = RULE_IMAGE_MAX,
	[PROBLEM_IMAGE_TOO_WIDE] = RULE_IMAGE_SIDE_MAX,
	[PROBLEM_FOOT_LABEL_TOO_LONG] = RULE_FOOT_LABEL_MAX,
	[PROBLEM_TITLE_TOO_LONG] = RULE_TITLE_MAX,
	[PROBLEM_LINK_TOO_LONG] = RULE_LINK_MAX,
	[PROBLEM_LINK_ENCODED_TOO_LONG] = RULE_LINK_MAX,
	[PROBLEM_TEXT_TOO_LONG] = RULE_TEXT_MAX,
	[PROBLEM_PASSWORD_TOO_LONG] = RULE_PASSWORD_MAX,
	[PROBLEM_CHARACTERS_UNSEEN] = UTF8_MARKS_MAX,
	[PROBLEM_PASSWORD_TOO_SHORT] = RULE_PASSWORD_MIN,
	[PROBLEM_GROUPS_TOO_MANY] = RULE_GROUPS_MAX,
	[PROBLEM_SHARED_HOSTS_TOO_MANY] = RULE_SHARED_HOSTS_MAX,
};

struct text
message_problem(struct arena *arena, const struct problem *problem)
{
	int64_t length = (int64_t)problem->length;
	int64_t limit =
	    problem->kind == PROBLEM_NUMBER ? length : limits[problem->kind];

	if (problem->kind == PROBLEM_NONE)
		return TEXT("");
	return LANGUAGE_FILL(arena, language_text(problems[problem->kind]),
	    { "word", problem->word }, { "limit", text_number(arena, limit) },
	    { "length", text_number(arena, length) });
}

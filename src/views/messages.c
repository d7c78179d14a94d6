#include "views/messages.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/utf8.h"

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
	[REASON_FEED_KEY] = { 403, "This feed’s address doesn’t work",
	    "Private feeds have a secret in their address. This one isn’t valid, "
	    "or not any more.",
	    "Create new addresses in your settings." },
	[REASON_STALE_FORM] = { 403, "This form has expired",
	    "It was no longer valid, or it wasn’t sent from this site. Nothing "
	    "was changed.",
	    "If you were using a form on this site, check what you entered and send "
	    "it again." },
	[REASON_CONFIRM] = { 403, "Confirm it’s you",
	    "For this, please enter your current password again. Nothing was "
	    "changed.",
	    "Go back, enter your password in the form and send it again." },
	[REASON_LAST_OWNER] = { 403, "You’re the last owner",
	    "A site needs at least one owner. Nothing was changed.",
	    "Make another member an owner first." },
	[REASON_OTHER_MODERATOR] = { 403,
	    "Another moderator has to decide this",
	    "You can’t act on your own posts, or on what someone with a higher "
	    "role posted or removed. Nothing was changed.",
	    "Moderators can act on members’ posts, owners also on "
	    "moderators’." },
	[REASON_LACKS_FACTOR] = { 403, "You need a second factor for this",
	    "On this site, moderators need a second factor, and yours is off. "
	    "Nothing was changed.",
	    "Turn it on in your settings." },
	[REASON_CODES_REPLACED] = { 409, "These codes no longer work",
	    "They were replaced by newer ones, or one of them was used.",
	    "Create new recovery codes in your settings." },
	[REASON_AGAIN] = { 409, "This article can’t have a second chance",
	    "An article has one once, when it is older than half a day and "
	    "younger than a week, and only where the front page shows what was "
	    "overlooked. Nothing was changed.",
	    "You can give it to another article." },
	[REASON_HELD] = { 409, "This isn’t shown yet",
	    "A moderator has to look at it first. Nothing was changed.",
	    "You can withdraw it." },
	[REASON_LINK_TAKEN] = { 409, "This was posted by someone else",
	    "Another member has posted the same link while this article was "
	    "waiting. Nothing was changed.",
	    "You can remove it as a duplicate." },
	[REASON_APPLIED] = { 403, "Your application is waiting",
	    "No moderator has decided yet.",
	    "Log in again later to see whether it was accepted." },
	[REASON_DECLINED] = { 403, "Your application was declined",
	    "A moderator declined it.", "You can apply again in two weeks." },
	[REASON_NAME_TAKEN] = { 409, "Someone else has this name by now",
	    "Another member has registered with the name while the "
	    "application was waiting. Nothing was changed.",
	    "You can decline the application with this as the reason." },
	[REASON_ACCEPTED] = { 409, "This application was already accepted",
	    "Whoever applied is a member by now. Nothing was changed.",
	    "You can moderate them as any member." },
	[REASON_APPLICATIONS_FULL] = { 503, "Too many people have applied",
	    "Moderators have to decide on some applications first. Nothing "
	    "was saved.",
	    "Try again in a few days." },
	[REASON_OWN] = { 403, "You can’t vote on your own article",
	    "Your own upvote was cast when you posted it, and can’t be changed.",
	    "You can vote on what other members post." },
	[REASON_OWN_COMMENT] = { 403, "You can’t vote on your own comment",
	    "Your own upvote was cast when you posted it, and can’t be changed.",
	    "You can vote on what other members post." },
	[REASON_OWN_FLAG] = { 403, "You can’t flag your own article",
	    "Flags are for what other members post. Nothing was changed.",
	    "You can edit your article, or withdraw it." },
	[REASON_OWN_COMMENT_FLAG] = { 403, "You can’t flag your own comment",
	    "Flags are for what other members post. Nothing was changed.",
	    "You can edit your comment, or delete it." },
	[REASON_VOTES_LATER] = { 403, "You can’t vote yet",
	    "New members can’t vote right away here.",
	    "Until then you can read and post." },
	[REASON_VOIDED] = { 403, "Your vote was voided",
	    "A moderator permanently cancelled your vote on this article.",
	    "You can still vote on other articles. The log has the reason." },
	[REASON_COMMENT_VOIDED] = { 403, "Your vote was voided",
	    "A moderator permanently cancelled your vote on this comment.",
	    "You can still vote on other comments. The log has the reason." },
	[REASON_SUSPENDED] = { 403, "You’re suspended",
	    "A moderator has suspended you.",
	    "You can still read everything without logging in." },
	[REASON_FLAGS_LATER] = { 403, "You can’t flag yet",
	    "New members can flag posts a day after they register.",
	    "If it’s urgent, contact the people who run this site." },
	[REASON_WITHDRAWN_STAYS] = { 403, "This article can’t be restored",
	    "Its author withdrew it.", "The author can post it again." },
	[REASON_NO_PAGE] = { 404, "Page not found",
	    "There’s nothing at this address.",
	    "Check the address, or start from one of these pages:" },
	[REASON_NO_FULL_HOUR] = { 404, "No such hour",
	    "Front pages are kept at full hours, in UTC: that of 14:00 on 20 "
	    "November 2026 is /front/2026-11-20T14.",
	    "Check the address, or start at /front, which is the last one." },
	[REASON_NO_LINK] = { 404, "This link doesn’t work",
	    "It can be used once, for a limited time. It has been used, has "
	    "expired, or isn’t complete.",
	    "Copy the whole link, or get a new one." },
	[REASON_NO_METHOD] = { 405, "That doesn’t work here",
	    "This address doesn’t accept this kind of request.",
	    "Use the links and forms of the site instead." },
	[REASON_CLOSED] = { 409, "Voting has closed",
	    "This article no longer takes votes. Its votes and score are final.",
	    "You can still vote on newer articles." },
	[REASON_COMMENT_CLOSED] = { 409, "Voting has closed",
	    "This comment no longer takes votes. Its votes and points are "
	    "final.",
	    "You can still vote on newer comments." },
	[REASON_EDIT_CLOSED] = { 409, "It’s too late to change this",
	    "Articles can be edited and withdrawn while voting is open.",
	    "Nothing was changed." },
	[REASON_THREAD_CLOSED] = { 409, "This thread has closed",
	    "New comments and edits are no longer possible.",
	    "Nothing was changed." },
	[REASON_INVITES_FULL] = { 409, "You have too many open invitations",
	    "Ten of your invitations are still unused.",
	    "Share one from your settings page, or wait until one expires." },
	[REASON_MUTES_FULL] = { 409, "Your mute list is full",
	    "You’ve reached the limit of muted threads.",
	    "Unmute some in your inbox first." },
	[REASON_NOTES_FULL] = { 409, "There are enough notes",
	    "There can’t be more notes on this member.", "Delete some first." },
	[REASON_HIDDEN_FULL] = { 409, "You hide too much already",
	    "You’ve reached the limit of what can be hidden.",
	    "Show something again first, on the page Hidden." },
	[REASON_HIDE_OWN] = { 409, "You can’t hide yourself",
	    "What you post stays in your lists.", "Nothing was changed." },
	[REASON_FOLLOWS_FULL] = { 409, "You follow too many groups",
	    "You’ve reached the limit of groups to follow.",
	    "Unfollow one first, on its page." },
	[REASON_BARRED_FULL] = { 409, "There are too many groups",
	    "An article can be in a limited number of groups, and be taken out of "
	    "as many. Nothing was changed.",
	    "Take it out of another group first, or put it back into one." },
	[REASON_SAVED_FULL] = { 409, "You can’t save any more",
	    "You’ve saved 2,000 articles and comments, which is the most.",
	    "Unsave some first: the oldest are on the last pages of your saved "
	    "ones." },
	[REASON_REMOVED] = { 410, "This article was removed",
	    "A moderator removed it. It isn’t listed anywhere and can’t be "
	    "voted on.",
	    "There’s more to read on the front page." },
	[REASON_WITHDRAWN] = { 410, "This article was withdrawn",
	    "Its author withdrew it. It isn’t listed anywhere and can’t be "
	    "voted on.",
	    "There’s more to read on the front page." },
	[REASON_COMMENT_GONE] = { 410, "This comment was deleted",
	    "Its author deleted it, or a moderator removed it.",
	    "You can still read the other comments on the article." },
	[REASON_HAS_OWNER] = { 410, "This site already has an owner",
	    "The link was for becoming the first. Nothing was changed.",
	    "Owners can make other members owners, too." },
	[REASON_TOO_LARGE] = { 413, "That’s too large",
	    "What you sent is larger than this site accepts.",
	    "Go back, shorten it and send it again." },
	[REASON_TOO_LONG] = { 414, "This address is too long",
	    "No page on this site has an address this long.",
	    "Check the address, or start from one of these pages:" },
	[REASON_OTHER_ADDRESS] = { 421, "Wrong address",
	    "This wasn’t sent to the site’s own address. Nothing was changed.",
	    "Start from the front page and send it again." },
	[REASON_NO_ADDRESS] = { 421, "Wrong address",
	    "This site isn’t set up for this address, so it answers only on its "
	    "own machine.",
	    "If the site is yours, set TALLY_ORIGIN to its address, for example "
	    "https://example.org." },
	[REASON_UNPROCESSABLE] = { 422, "Something needs fixing",
	    "What you sent can’t be saved as it is.",
	    "Go back, change it and send it again." },
	[REASON_NONE_SELECTED] = { 422, "Nothing is selected",
	    "Your decision was for the selected posts, and none was selected. "
	    "Nothing was changed.",
	    "Go back and select some." },
	[REASON_PARTLY_DONE] = { 409, "This wasn’t done for everyone",
	    "Some were left as they are.",
	    "Go back and look at them one by one." },
	[REASON_TOO_MANY_MEMBERS] = { 422, "These are too many members",
	    "One decision can be on 100 members at most. Nothing was changed.",
	    "Go back and look for rings again." },
	[REASON_NO_VOTE] = { 422, "There’s no such vote",
	    "That member has no vote here that can be changed.",
	    "Go back and check the name." },
	[REASON_LIMITED] = { 429, "You’re doing that too often",
	    "Nothing was changed this time.",
	    "Wait a moment, then try again." },
	[REASON_FEEDS_LIMITED] = { 429, "Too many requests for feeds",
	    "Feeds of this kind are asked for more often than the site can make "
	    "them.",
	    "Wait a moment, then try again." },
	[REASON_DAY_OVER] = { 429, "You’ve reached the daily limit for text",
	    "There’s a limit on how much text a member can post in a day. Nothing "
	    "was saved.",
	    "Try again tomorrow." },
	[REASON_DOWN] = { 503, "The site is temporarily unavailable",
	    "Its data can’t be reached right now. If you were changing "
	    "something, it may or may not have been saved; sending it again "
	    "does no harm.",
	    "Wait a few seconds, then try again." },
	[REASON_FULL] = { 503, "The site’s storage is full",
	    "Nothing was saved.",
	    "Nothing new can be saved until the people who run this site make "
	    "room. You can still read everything. Keep a copy of what you "
	    "wrote, and try again later." },
	[REASON_PART_DOWN] = { 503, "This part of the site can’t be reached",
	    "It’s stored on a server that isn’t responding right now. If you were changing something, it may or may not have "
	    "been saved; sending it again does no harm.",
	    "The rest of the site works. Try this again later." },
	[REASON_MEMBER_DOWN] = { 503, "Your account can’t be reached",
	    "It’s stored on a server that isn’t responding right now. Nothing was "
	    "changed, and you’re still logged in.",
	    "Try again later. Until then you can read without your account, in a "
	    "private window." },
	[REASON_BUSY] = { 503, "The site is busy",
	    "This page takes a while to prepare, and too many people are waiting "
	    "for pages like it. Nothing was changed.",
	    "Wait a few seconds, then try again." },
	[REASON_SEARCH_AWAY] = { 503, "Search is away",
	    "Everything else works.", "Try again in a moment." },
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

static const struct text texts[MESSAGES] = {
	[MESSAGE_JUST_NOW] = TEXT_INIT("just now"),
	[MESSAGE_VOTE_ONCE_VOUCHED] =
	    TEXT_INIT("You can vote once a moderator has vouched for you."),
	[MESSAGE_SLOW_MODE] = TEXT_INIT(
	    "Members have flagged a lot in this thread, so everyone has to wait "
	    "between comments."),
	[MESSAGE_THREAD_CLOSED] = TEXT_INIT("A moderator closed this thread."),
	[MESSAGE_THREAD_TOO_OLD] = TEXT_INIT(
	    "This thread has closed: the article is too old for new comments."),
	[MESSAGE_ANOTHER_COMMENT] = TEXT_INIT("another comment"),
	[MESSAGE_DELETED_COMMENT] = TEXT_INIT("a deleted comment"),
	[MESSAGE_ALL_GROUPS] = TEXT_INIT("In all groups"),
	[MESSAGE_UNKNOWN_BROWSER] = TEXT_INIT("Unknown browser"),
	[MESSAGE_INTERESTING] = TEXT_INIT("Interesting"),
	[MESSAGE_NEW_ARTICLES] = TEXT_INIT("New"),
	[MESSAGE_NEW_COMMENTS_OF_ALL] = TEXT_INIT("Newest comments"),
	[MESSAGE_MODERATION_LOG] = TEXT_INIT("Moderation log"),
	[MESSAGE_INBOX] = TEXT_INIT("Inbox"),
	[MESSAGE_THIS_ARTICLE] = TEXT_INIT("this article"),
	[MESSAGE_HOME] = TEXT_INIT("Home"),
	[MESSAGE_QUEUE] = TEXT_INIT("Moderation queue"),
	[MESSAGE_TO_NO_GROUP] = TEXT_INIT("to no group"),
	[MESSAGE_A_MODERATOR] = TEXT_INIT("A moderator"),
	[MESSAGE_THE_OPERATOR] = TEXT_INIT("The operator"),
};

struct text
message_text(enum message message)
{
	return texts[message];
}

/* '#' is the number. */
struct forms {
	struct text one, many;
};

#define FORMS(one, many) { TEXT_INIT(one), TEXT_INIT(many) }
static const struct forms counted[MESSAGE_COUNTED] = {
	[MESSAGE_ARTICLES] = FORMS("# article", "# articles"),
	[MESSAGE_COMMENTS] = FORMS("# comment", "# comments"),
	[MESSAGE_VOTES] = FORMS("# vote", "# votes"),
	[MESSAGE_POSTS] = FORMS("# post", "# posts"),
	[MESSAGE_REPLIES] = FORMS("# reply", "# replies"),
	[MESSAGE_NEW_COMMENTS] = FORMS("# new", "# new"),
	[MESSAGE_MORE_BEFORE] =
	    FORMS("# more before these", "# more before these"),
	[MESSAGE_MORE_AFTER] = FORMS("# more follow", "# more follow"),
	[MESSAGE_MORE_ABOVE] =
	    FORMS("# more above these", "# more above these"),
	[MESSAGE_HIDDEN_NOTICES] =
	    FORMS("# comment is hidden: its article was removed.",
		"# comments are hidden: their articles were removed."),
	[MESSAGE_HIDDEN_RULES] = FORMS("# rule", "# rules"),
	[MESSAGE_HIDDEN_POSTS] =
	    FORMS("# is hidden from you.", "# are hidden from you."),
	[MESSAGE_LIST_PAGES] = FORMS(
	    "This list has only one page.", "This list has only # pages."),
	[MESSAGE_APPLICATIONS] = FORMS("# application", "# applications"),
	[MESSAGE_MEMBERS] = FORMS("# member", "# members"),
	[MESSAGE_RESULTS] = FORMS("# result", "# results"),
	[MESSAGE_PAIRS] = FORMS("# pair", "# pairs"),
	[MESSAGE_DAYS] = FORMS("# day", "# days"),
	[MESSAGE_HOURS] = FORMS("# hour", "# hours"),
	[MESSAGE_MINUTES] = FORMS("# minute", "# minutes"),
	[MESSAGE_SECONDS] = FORMS("# second", "# seconds"),
	[MESSAGE_DAYS_AGO] = FORMS("# day ago", "# days ago"),
	[MESSAGE_HOURS_AGO] = FORMS("# hour ago", "# hours ago"),
	[MESSAGE_MINUTES_AGO] = FORMS("# minute ago", "# minutes ago"),
};

/* The plural rule: English has two forms. */
static struct text
plural_form(const struct forms *forms, int64_t count)
{
	return count == 1 ? forms->one : forms->many;
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
	buffer_add_char(out, ',');
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
	struct text rest = plural_form(&counted[message], count), part;
	struct buffer out = buffer_in(arena, rest.size + NUMBER_BYTES);

	text_cut(&rest, '#', &part);
	buffer_add(&out, part);
	if (rest.data != NULL) {
		add_number(&out, count);
		buffer_add(&out, rest);
	}
	return buffer_text(&out);
}

struct text
message_results_at_least(struct arena *arena, int64_t count)
{
	return text_format(
	    arena, "%.*s+ results", TEXT_ARGS(message_number(arena, count)));
}

struct text
message_query_note(struct arena *arena, const struct query_note *note)
{
	static const char *const sentences[] = {
		[QUERY_NO_DATE] =
		    "“\u2068%.*s\u2069” isn’t a date like 2024, 2024-05 or "
		    "2024-05-31, so it was searched for as words.",
		[QUERY_NO_KIND] =
		    "“\u2068%.*s\u2069” isn’t one of is:link, is:text, "
		    "is:article and is:comment, so it was searched for as "
		    "words.",
		[QUERY_NO_ORDER] =
		    "“\u2068%.*s\u2069” isn’t one of order:relevance, "
		    "order:newest and order:points, so it was searched for as "
		    "words.",
		[QUERY_NO_NAME] =
		    "“\u2068%.*s\u2069” has no name that anything here has, so "
		    "it was searched for as words.",
		[QUERY_SHORT_PREFIX] =
		    "“\u2068%.*s\u2069” is too short for a *, so it was "
		    "searched for as a whole word.",
	};

	if (note->kind == QUERY_TOO_LONG)
		return text_format(arena,
		    "Searches have at most %d bytes and %d parts; the rest was "
		    "left out.",
		    QUERY_BYTES_MAX, QUERY_ITEMS_MAX);
	if (note->kind == QUERY_ONLY_EXCLUDES)
		return TEXT("Say also what to look for, not only what to "
			    "leave out.");
	return text_format(
	    arena, sentences[note->kind], TEXT_ARGS(note->value));
}

struct text
message_unknown_name(struct arena *arena, struct text key)
{
	struct text name = text_slice(key, 2, key.size);

	return text_starts(key, TEXT("g:"))
	    ? text_format(arena, "There’s no group “\u2068%.*s\u2069”.",
		  TEXT_ARGS(name))
	    : text_format(arena, "There’s no member “\u2068%.*s\u2069”.",
		  TEXT_ARGS(name));
}

struct text
message_points(int64_t points)
{
	static const struct forms forms = FORMS("point", "points");

	return plural_form(&forms, points < 0 ? -points : points);
}

struct text
message_ordinal(struct arena *arena, int64_t number)
{
	static const char *const ends[] = { "th", "st", "nd", "rd" };
	int64_t last = number % 10, teens = number / 10 % 10;

	return text_format(arena, "%lld%s", (long long)number,
	    ends[last > 3 || teens == 1 ? 0 : last]);
}

static const struct text months[] = { TEXT_INIT("January"),
	TEXT_INIT("February"), TEXT_INIT("March"), TEXT_INIT("April"),
	TEXT_INIT("May"), TEXT_INIT("June"), TEXT_INIT("July"),
	TEXT_INIT("August"), TEXT_INIT("September"), TEXT_INIT("October"),
	TEXT_INIT("November"), TEXT_INIT("December") };

enum { MOMENT_BYTES = 48 };

/* "21 November 2026" */
static void
add_day(struct buffer *out, const struct tm *parts)
{
	buffer_add_number(out, parts->tm_mday);
	buffer_add_char(out, ' ');
	buffer_add(out, months[parts->tm_mon]);
	buffer_add_char(out, ' ');
	buffer_add_number(out, (int64_t)parts->tm_year + 1900);
}

static void
add_two_digits(struct buffer *out, int number)
{
	buffer_add_char(out, (char)('0' + number / 10));
	buffer_add_char(out, (char)('0' + number % 10));
}

struct text
message_moment(struct arena *arena, const struct tm *parts)
{
	struct buffer out = buffer_in(arena, MOMENT_BYTES);

	add_day(&out, parts);
	buffer_add(&out, TEXT(", "));
	add_two_digits(&out, parts->tm_hour);
	buffer_add_char(&out, ':');
	add_two_digits(&out, parts->tm_min);
	buffer_add(&out, TEXT(" UTC"));
	return buffer_text(&out);
}

struct text
message_on_day(struct arena *arena, const struct tm *parts)
{
	struct buffer out = buffer_in(arena, MOMENT_BYTES);

	buffer_add(&out, TEXT("on "));
	add_day(&out, parts);
	return buffer_text(&out);
}

struct text
message_and(struct arena *arena, struct text a, struct text b)
{
	return text_format(arena, "%.*s and %.*s", TEXT_ARGS(a), TEXT_ARGS(b));
}

struct text
message_series(struct arena *arena, const struct text *phrases, size_t count)
{
	struct text all = count > 0 ? phrases[0] : TEXT("");

	for (size_t i = 1; i + 1 < count; i++)
		all = text_format(
		    arena, "%.*s, %.*s", TEXT_ARGS(all), TEXT_ARGS(phrases[i]));
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
	return text_format(arena, "Try again in about %.*s.", TEXT_ARGS(wait));
}

struct text
message_vote_from(struct arena *arena, struct text moment)
{
	return text_format(
	    arena, "You can vote starting %.*s.", TEXT_ARGS(moment));
}

struct text
message_newcomer_limit(struct arena *arena, bool is_article, int64_t allowed)
{
	return text_format(arena,
	    "New members can post %lld %s%s a day. Nothing was saved.",
	    (long long)allowed, is_article ? "article" : "comment",
	    allowed == 1 ? "" : "s");
}

struct text
message_applied(struct arena *arena, struct text moment)
{
	return text_format(arena,
	    "You applied for registration on %.*s. No moderator has decided "
	    "yet.",
	    TEXT_ARGS(moment));
}

struct text
message_declined(struct arena *arena, struct text moment, struct text reason)
{
	return reason.size == 0
	    ? text_format(arena,
		  "A moderator declined your application on %.*s.",
		  TEXT_ARGS(moment))
	    : text_format(arena,
		  "A moderator declined your application on %.*s: "
		  "\u2068%.*s\u2069",
		  TEXT_ARGS(moment), TEXT_ARGS(reason));
}

struct text
message_suspended(struct arena *arena, struct text until, struct text reason)
{
	struct text end = until.size == 0
	    ? TEXT("permanently")
	    : text_join(arena, TEXT("until "), until);

	if (reason.size == 0)
		return text_format(arena, "A moderator has suspended you %.*s.",
		    TEXT_ARGS(end));
	return text_format(arena,
	    "A moderator has suspended you %.*s: “\u2068%.*s\u2069”",
	    TEXT_ARGS(end), TEXT_ARGS(reason));
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
	return text_format(arena, "%.*s on “\u2068%.*s\u2069”",
	    TEXT_ARGS(author), TEXT_ARGS(title));
}

struct text
message_application(struct arena *arena, struct text name)
{
	return text_join(arena, TEXT("Application of "), name);
}

struct text
message_comments_by(struct arena *arena, struct text author)
{
	return text_join(arena, TEXT("Comments by "), author);
}

struct text
message_search(struct arena *arena, struct text typed)
{
	return text_join(arena, TEXT("Search: "), typed);
}

struct text
message_comments_on(struct arena *arena, struct text title)
{
	return text_format(
	    arena, "Comments on “\u2068%.*s\u2069”", TEXT_ARGS(title));
}

struct text
message_flagged(struct arena *arena, struct text flag, struct text title)
{
	return text_format(
	    arena, "%.*s: %.*s", TEXT_ARGS(flag), TEXT_ARGS(title));
}

struct text
message_post_of(struct arena *arena, uint64_t article, struct text title,
    struct text comment, struct text author)
{
	struct text post = title.size > 0
	    ? text_format(arena, "“%.*s”", TEXT_ARGS(title))
	    : text_format(arena, "article %llu", (unsigned long long)article);

	if (comment.size > 0)
		post = text_format(arena, "comment %.*s on %.*s",
		    TEXT_ARGS(comment), TEXT_ARGS(post));
	return author.size == 0 ? post
				: text_format(arena, "%.*s by %.*s",
				      TEXT_ARGS(post), TEXT_ARGS(author));
}

struct text
message_comment_label(struct arena *arena, uint64_t number, struct text author)
{
	return text_format(arena, "comment %llu by %.*s",
	    (unsigned long long)number, TEXT_ARGS(author));
}

struct text
message_browser_on(struct arena *arena, struct text browser, struct text system)
{
	return text_format(
	    arena, "%.*s on %.*s", TEXT_ARGS(browser), TEXT_ARGS(system));
}

struct text
message_hidden_line(struct arena *arena, size_t number, struct text line,
    enum message_hidden what)
{
	static const char *const sentences[] = {
		[MESSAGE_HIDDEN_FORM] =
		    "this is no address of something to hide, nor = with words",
		[MESSAGE_HIDDEN_UNKNOWN] = "this doesn’t exist",
		[MESSAGE_HIDDEN_OWN] = "you can’t hide yourself",
	};

	return text_format(arena, "Line %zu, “%.*s”: %s.", number,
	    TEXT_ARGS(line), sentences[what]);
}

struct text
message_hidden_too_many(struct arena *arena, int64_t count, int64_t max)
{
	return text_format(arena, "These are %lld, and at most %lld are kept.",
	    (long long)count, (long long)max);
}

struct text
message_undecided(enum message_undecided why)
{
	static const struct text sentences[] = {
		[UNDECIDED_NOT] = TEXT_INIT(""),
		[UNDECIDED_ABSENT] = TEXT_INIT("This can’t be found now."),
		[UNDECIDED_WITHDRAWN] =
		    TEXT_INIT("Its author has deleted this."),
		[UNDECIDED_REMOVED] =
		    TEXT_INIT("A moderator has removed this already."),
		[UNDECIDED_ARTICLE_REMOVED] =
		    TEXT_INIT("The article that this is about was removed."),
		[UNDECIDED_KEPT] = TEXT_INIT(
		    "A moderator decided to keep this after you saw it."),
		[UNDECIDED_EDITED] =
		    TEXT_INIT("Its author edited this after you saw it."),
		[UNDECIDED_OTHER_MODERATOR] = TEXT_INIT(
		    "Another moderator has to decide this: it is your own, or "
		    "of someone with a higher role."),
		[UNDECIDED_LINK_TAKEN] = TEXT_INIT(
		    "Another member has posted the same link while this was "
		    "waiting."),
		[UNDECIDED_UNSAVED] = TEXT_INIT(
		    "This may not have been saved. Please try again."),
	};

	return sentences[why];
}

struct text
message_partly_done(struct arena *arena, int64_t done, struct text left)
{
	return text_format(arena, "Done for %.*s, but not for: %.*s.",
	    TEXT_ARGS(message_count(arena, MESSAGE_MEMBERS, done)),
	    TEXT_ARGS(left));
}

struct text
message_all_of(struct arena *arena, int64_t count)
{
	static const char *const words[] = { "", "", "both", "all three",
		"all four", "all five", "all six", "all seven", "all eight",
		"all nine", "all ten", "all eleven", "all twelve" };

	return count >= 2 && count < (int64_t)(sizeof(words) / sizeof(words[0]))
	    ? text_of(words[count])
	    : text_format(
		  arena, "all %.*s", TEXT_ARGS(message_number(arena, count)));
}

struct text
message_first(struct arena *arena, int64_t count)
{
	return text_format(
	    arena, "the first %.*s", TEXT_ARGS(message_number(arena, count)));
}

struct text
message_page(struct arena *arena, uint64_t number)
{
	return text_format(arena, "Page %llu", (unsigned long long)number);
}

struct text
message_list_order(enum list_order order)
{
	static const struct text orders[] = {
		[ORDER_TOP] = TEXT_INIT("Top"),
		[ORDER_BOTTOM] = TEXT_INIT("Bottom"),
		[ORDER_NEW] = TEXT_INIT("New"),
		[ORDER_OLDEST] = TEXT_INIT("Oldest"),
		[ORDER_HOT] = TEXT_INIT("Hot"),
		[ORDER_ACTIVE] = TEXT_INIT("Active"),
		[ORDER_BEST] = TEXT_INIT("Best"),
	};

	return orders[order];
}

struct text
message_period(struct arena *arena, const struct period *period)
{
	static const struct text words[PERIOD_WORDS] = {
		[PERIOD_DAY] = TEXT_INIT("Best of the last 24 hours"),
		[PERIOD_WEEK] = TEXT_INIT("Best of the last 7 days"),
		[PERIOD_MONTH] = TEXT_INIT("Best of the last 30 days"),
		[PERIOD_YEAR] = TEXT_INIT("Best of the last 365 days"),
		[PERIOD_ALL] = TEXT_INIT("Best of all time"),
	};
	time_t moment = (time_t)period->from;
	struct buffer out = buffer_in(arena, MOMENT_BYTES);
	struct tm parts;

	if (period->kind <= PERIOD_ALL)
		return words[period->kind];
	if (gmtime_r(&moment, &parts) == NULL)
		return period->word;
	if (period->kind == PERIOD_DATE) {
		add_day(&out, &parts);
		return buffer_text(&out);
	}
	buffer_add(&out, TEXT("Best of "));
	if (period->kind == PERIOD_CALENDAR_MONTH) {
		buffer_add(&out, months[parts.tm_mon]);
		buffer_add_char(&out, ' ');
	}
	buffer_add_number(&out, (int64_t)parts.tm_year + 1900);
	return buffer_text(&out);
}

struct text
message_period_tab(enum period_kind kind)
{
	static const struct text words[PERIOD_WORDS] = {
		[PERIOD_DAY] = TEXT_INIT("Day"),
		[PERIOD_WEEK] = TEXT_INIT("Week"),
		[PERIOD_MONTH] = TEXT_INIT("Month"),
		[PERIOD_YEAR] = TEXT_INIT("Year"),
		[PERIOD_ALL] = TEXT_INIT("All time"),
	};

	return words[kind];
}

struct text
message_thread_order(enum thread_order order)
{
	static const struct text orders[] = {
		[THREAD_BEST] = TEXT_INIT("Best"),
		[THREAD_NEW] = TEXT_INIT("New"),
		[THREAD_OLDEST] = TEXT_INIT("Oldest"),
	};

	return orders[order];
}

struct text
message_notice(enum notice_reason reason)
{
	static const struct text reasons_of_notices[] = {
		[NOTICE_ARTICLE] = TEXT_INIT("Comment on your article"),
		[NOTICE_REPLY] = TEXT_INIT("Reply to your comment"),
		[NOTICE_MENTION] = TEXT_INIT("Mentions you"),
		[NOTICE_ACTION] = TEXT_INIT("From the moderators"),
		[NOTICE_CODE_PASSWORD] = TEXT_INIT("Your password was reset"),
		[NOTICE_CODE_FACTOR] =
		    TEXT_INIT("Your second factor was replaced once"),
	};

	return reasons_of_notices[reason];
}

struct text
message_code_used(struct arena *arena, struct text moment, int64_t left)
{
	return text_format(arena,
	    "A recovery code was used on %.*s; %lld %s left.",
	    TEXT_ARGS(moment), (long long)left, left == 1 ? "is" : "are");
}

struct text
message_action_notice(struct arena *arena, enum mod_action_kind kind,
    const struct mod_action *action)
{
	bool is_comment = action->comment != 0,
	     is_on_all = action->article == 0;

	switch (kind) {
	case MOD_REMOVED:
		return is_comment ? TEXT("Your comment was removed")
				  : TEXT("Your article was removed");
	case MOD_RESTORED:
		return is_comment ? TEXT("Your comment was restored")
				  : TEXT("Your article was restored");
	case MOD_MOVED:
		return TEXT("Your article was moved to other groups");
	case MOD_VOIDED:
		return is_on_all ? TEXT("Your votes were cancelled")
				 : TEXT("Your vote was cancelled");
	case MOD_COUNTED:
		return is_on_all ? TEXT("Your votes count again")
				 : TEXT("Your vote counts again");
	case MOD_ACCEPTED:
		return TEXT("Your application was accepted");
	case MOD_GROUP_RENAMED:
		return TEXT("Your group was renamed");
	case MOD_GROUP_MERGED:
		return TEXT("Your group was merged into another");
	case MOD_GROUP_APPOINTED:
		return text_format(arena, "You’re a moderator of %.*s now",
		    TEXT_ARGS(action->subject));
	case MOD_GROUP_DISMISSED:
		return text_format(arena,
		    "You’re no longer a moderator of %.*s",
		    TEXT_ARGS(action->subject));
	case MOD_BARRED:
		return text_format(arena,
		    "Your article was taken out of the group %.*s",
		    TEXT_ARGS(action->subject));
	case MOD_UNBARRED:
		return text_format(arena,
		    "Your article was put back into the group %.*s",
		    TEXT_ARGS(action->subject));
	case MOD_CONTAINED: {
		struct text deeds = message_extent(arena, action, kind);

		return deeds.size == 0
		    ? TEXT("Moderators acted on your account")
		    : text_format(arena, "Moderators %.*s", TEXT_ARGS(deeds));
	}
	case MOD_RELEASED:
		return TEXT("What moderators did to your posts was taken back");
	case MOD_RECOVERY_LINK:
		return TEXT("A link to recover your account was made");
	default:
		return TEXT("From the moderators");
	}
}

struct text
message_member_history(struct arena *arena, int64_t suspensions,
    int64_t removals, int64_t voidings)
{
	if (suspensions + removals + voidings == 0)
		return TEXT("");
	return text_format(arena,
	    "Recently in the log: %lld suspension%s, %lld removal%s, %lld "
	    "time%s votes were cancelled.",
	    (long long)suspensions, TEXT_PLURAL(suspensions),
	    (long long)removals, TEXT_PLURAL(removals), (long long)voidings,
	    TEXT_PLURAL(voidings));
}

struct text
message_flag(enum flag flag)
{
	static const struct text flags[FLAG_KINDS] = {
		[FLAG_NONE] = TEXT_INIT(""),
		[FLAG_OFF_TOPIC] = TEXT_INIT("Off topic"),
		[FLAG_SPAM] = TEXT_INIT("Spam"),
		[FLAG_BROKEN] = TEXT_INIT("Broken link"),
		[FLAG_DUPLICATE] = TEXT_INIT("Already posted"),
		[FLAG_UNKIND] = TEXT_INIT("Unkind"),
		[FLAG_FIRST] = TEXT_INIT("By a newcomer"),
	};

	return flags[flag];
}

#define ACTION(name, before, after) \
	{ TEXT_INIT(name), TEXT_INIT(before), TEXT_INIT(after) }
static const struct message_mod_action mod_actions[MOD_ACTION_KINDS] = {
	[MOD_REMOVED] = ACTION("Posts removed", "removed", ""),
	[MOD_RESTORED] = ACTION("Posts restored", "restored", ""),
	[MOD_DISMISSED] = ACTION("Posts kept", "reviewed and kept", ""),
	[MOD_MOVED] = ACTION("Articles moved", "moved", "to"),
	[MOD_AGAIN] = ACTION("Second chances", "gave a second chance to", ""),
	[MOD_VOIDED] = ACTION("Votes voided", "voided the vote of", ""),
	[MOD_COUNTED] = ACTION("Votes restored", "restored the vote of", ""),
	[MOD_SUSPENDED] = ACTION("Members suspended", "suspended", ""),
	[MOD_READMITTED] =
	    ACTION("Suspensions lifted", "lifted the suspension of", ""),
	[MOD_VOUCHED] = ACTION("Members vouched for", "vouched for", ""),
	[MOD_APPOINTED] = ACTION("Role changes", "made", ""),
	[MOD_RECOVERY_LINK] = ACTION(
	    "Recovery links", "made a link to recover the account of", ""),
	[MOD_ACCEPTED] =
	    ACTION("Applications accepted", "accepted the application of", ""),
	[MOD_DECLINED] =
	    ACTION("Applications declined", "declined an application", ""),
	[MOD_HOST_BLOCKED] = ACTION("Sites blocked", "blocked links to", ""),
	[MOD_HOST_ALLOWED] =
	    ACTION("Sites unblocked", "unblocked links to", ""),
	[MOD_GROUP_RETITLED] = ACTION(
	    "Group titles changed", "changed the title of the group", "to"),
	[MOD_GROUP_DESCRIBED] = ACTION("Group descriptions changed",
	    "changed the description or rules of the group", ""),
	[MOD_GROUP_RENAMED] =
	    ACTION("Groups renamed", "renamed the group", "to"),
	[MOD_GROUP_MERGED] =
	    ACTION("Groups merged", "merged the group", "into"),
	[MOD_GROUP_CLOSED] = ACTION("Groups closed", "closed the group", ""),
	[MOD_GROUP_OPENED] =
	    ACTION("Groups reopened", "reopened the group", ""),
	[MOD_GROUP_DELETED] = ACTION("Groups deleted", "deleted the group", ""),
	[MOD_GROUP_RESTRICTED] = ACTION("Groups restricted",
	    "let only its moderators post in the group", ""),
	[MOD_GROUP_UNRESTRICTED] = ACTION("Restrictions of groups lifted",
	    "let everyone post again in the group", ""),
	[MOD_GROUP_APPOINTED] =
	    ACTION("Group moderators appointed", "made", "a moderator of"),
	[MOD_GROUP_DISMISSED] = ACTION(
	    "Group moderators dismissed", "dismissed", "as a moderator of"),
	[MOD_BARRED] = ACTION("Articles taken out of groups", "took", "out of"),
	[MOD_UNBARRED] =
	    ACTION("Articles put back into groups", "put", "back into"),
	[MOD_THREAD_CLOSED] =
	    ACTION("Comments closed", "closed comments on", ""),
	[MOD_THREAD_OPENED] =
	    ACTION("Comments reopened", "reopened comments on", ""),
	[MOD_CONTAINED] = ACTION("Members contained", "acted on", ""),
	[MOD_RELEASED] =
	    ACTION("Acts taken back", "took back what was done to", ""),
	[MOD_ABOUT_EMPTIED] = ACTION("Members’ texts removed",
	    "removed the text about themselves of", ""),
};

struct message_mod_action
message_mod_action(enum mod_action_kind kind)
{
	return mod_actions[kind];
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
		phrases[count++] = text_format(arena, "%s %.*s",
		    is_undo ? "restored" : "removed",
		    TEXT_ARGS(
			message_posts(arena, act->articles, act->comments)));
	if (act->votes > 0)
		phrases[count++] = text_format(arena, "%s %.*s",
		    is_undo		      ? "took back the decision on"
			: kind == MOD_COUNTED ? "restored"
					      : "voided",
		    TEXT_ARGS(message_count(arena, MESSAGE_VOTES, act->votes)));
	if (act->hosts.size > 0)
		phrases[count++] = text_format(arena, "%s links to %.*s",
		    is_undo ? "unblocked" : "blocked", TEXT_ARGS(act->hosts));
	return message_series(arena, phrases, count);
}

struct text
message_decision(struct arena *arena, const struct mod_action *act,
    enum mod_action_kind kind)
{
	struct text members = act->members > 0
	    ? message_count(arena, MESSAGE_MEMBERS, act->members)
	    : TEXT("members");
	struct text votes = act->votes > 0
	    ? message_count(arena, MESSAGE_VOTES, act->votes)
	    : TEXT("all votes");

	if (kind == MOD_SUSPENDED)
		return text_format(
		    arena, "suspended %.*s permanently", TEXT_ARGS(members));
	if (kind == MOD_VOIDED)
		return text_format(arena, "voided %.*s of %.*s",
		    TEXT_ARGS(votes), TEXT_ARGS(members));
	return text_format(arena, "%.*s %.*s",
	    TEXT_ARGS(mod_actions[kind].before),
	    TEXT_ARGS(act->articles + act->comments > 0
		    ? message_posts(arena, act->articles, act->comments)
		    : TEXT("posts")));
}

struct text
message_one_vote(enum mod_action_kind kind)
{
	return kind == MOD_COUNTED ? TEXT("restored 1 vote of")
				   : TEXT("voided 1 vote of");
}

struct text
message_act_on_all(enum mod_action_kind kind)
{
	if (kind == MOD_VOIDED)
		return TEXT("voided all votes of");
	return kind == MOD_COUNTED ? TEXT("restored all votes of")
				   : mod_actions[kind].before;
}

struct text
message_role(enum role role)
{
	static const struct text roles[] = {
		[ROLE_MEMBER] = TEXT_INIT("a member"),
		[ROLE_MODERATOR] = TEXT_INIT("a moderator"),
		[ROLE_OWNER] = TEXT_INIT("an owner"),
	};

	return roles[role];
}

struct text
message_sole_moderator(struct arena *arena, struct text after)
{
	return text_format(arena, "%.*s%sbecause nobody else could",
	    TEXT_ARGS(after), after.size > 0 ? ", " : "");
}

/* Problems without variable parts. */
static const char *const problems[] = {
	[PROBLEM_NONE] = "",
	[PROBLEM_CHOICE] = "Choose one of these.",
	[PROBLEM_VOTES_A_DAY] = "Enter a whole number from 1 to 86400.",
	[PROBLEM_INTERESTING] = "Enter a whole number of at least 1.",
	[PROBLEM_SITE_NAME_MISSING] = "Enter a name for the site.",
	[PROBLEM_IMAGE_MISSING] = "Choose a file.",
	[PROBLEM_IMAGE_FORMAT] = "This isn’t a PNG image, or it’s damaged.",
	[PROBLEM_FOOT_LINKS_TOO_MANY] = "Enter at most five links.",
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
	    "There’s too much formatting, or quotes and lists are nested too deeply.",
	[PROBLEM_NO_LINK_OR_TEXT] = "Enter a link or some text.",
	[PROBLEM_GROUP_NAME] =
	    "Use 2 to 32 characters: a to z, 0 to 9 or hyphens.",
	[PROBLEM_GROUP_NAME_TAKEN] =
	    "That group already exists. Choose another name.",
	[PROBLEM_GROUP_NAME_UNKNOWN] = "There’s no group with that name.",
	[PROBLEM_GROUP_NAME_SAME] =
	    "That’s this group’s name. Enter another one.",
	[PROBLEM_GROUP_TITLE_MISSING] = "Enter a title for the group.",
	[PROBLEM_GROUP_MODERATORS_FULL] =
	    "The group has as many moderators as a group can have.",
	[PROBLEM_GROUP_NO_MODERATOR] =
	    "That’s nobody of the group’s moderators.",
	[PROBLEM_MEMBER_UNKNOWN] = "There’s no member with that name.",
	[PROBLEM_USER_NAME] =
	    "Use 2 to 20 characters: a to z, A to Z, 0 to 9, hyphens or underscores.",
	[PROBLEM_USER_NAME_TAKEN] = "That name is taken. Choose another.",
	[PROBLEM_USER_NAME_MISSING] = "Enter your username.",
	[PROBLEM_PASSWORD_COMMON] = "That password is too easy to guess.",
	[PROBLEM_PASSWORD_BREACHED] =
	    "That password has appeared in a data breach. Choose another.",
	[PROBLEM_PASSWORD_MISSING] = "Enter your password.",
	[PROBLEM_PASSWORD_SAME] =
	    "Choose a password that’s different from your current one.",
	[PROBLEM_PASSWORD_WRONG] = "That isn’t your current password.",
	[PROBLEM_TITLE_LATE] =
	    "Titles can only be changed for 15 minutes after posting.",
	[PROBLEM_HOST] = "Enter a site, such as example.org.",
	[PROBLEM_HOSTS_FULL] = "The list of blocked sites is full.",
	[PROBLEM_HIDDEN_WORDS] = "Enter a word.",
	[PROBLEM_HIDDEN_FULL] =
	    "You’ve reached the limit. Show something again first.",
	[PROBLEM_DAYS] =
	    "Enter a number of days from 1 to 3650, or 0 for permanently.",
	[PROBLEM_LOGIN_WRONG] = "Wrong username or password.",
	[PROBLEM_CODE_MISSING] = "Enter a code.",
	[PROBLEM_CODE_WRONG] =
	    "This code is wrong, or it was used before. Enter the next one.",
	[PROBLEM_RECOVERY_WRONG] =
	    "Wrong username or recovery code, or the code was used before.",
};

/* Problems that say how long the text is. */
static const struct {
	const char *what, *unit;
	int max;
} lengths[PROBLEM_KINDS] = {
	[PROBLEM_SITE_NAME_TOO_LONG] = { "Use", "characters",
	    RULE_SITE_NAME_MAX },
	[PROBLEM_HIDDEN_WORDS_TOO_LONG] = { "Use", "characters",
	    RULE_HIDDEN_MAX },
	[PROBLEM_LINE_TOO_LONG] = { "Use", "characters", RULE_TITLE_MAX },
	[PROBLEM_IMAGE_TOO_LONG] = { "Use", "bytes", RULE_IMAGE_MAX },
	[PROBLEM_IMAGE_TOO_WIDE] = { "On each side, use", "pixels",
	    RULE_IMAGE_SIDE_MAX },
	[PROBLEM_FOOT_LABEL_TOO_LONG] = { "For a link’s name, use",
	    "characters", RULE_FOOT_LABEL_MAX },
	[PROBLEM_TITLE_TOO_LONG] = { "Use", "characters", RULE_TITLE_MAX },
	[PROBLEM_LINK_TOO_LONG] = { "Use", "characters", RULE_LINK_MAX },
	[PROBLEM_LINK_ENCODED_TOO_LONG] = { "With its special characters "
					    "encoded, a link can have",
	    "characters", RULE_LINK_MAX },
	[PROBLEM_TEXT_TOO_LONG] = { "Use", "characters", RULE_TEXT_MAX },
	[PROBLEM_PASSWORD_TOO_LONG] = { "Use", "bytes", RULE_PASSWORD_MAX },
};

/* A word may be any text that was typed: isolates contain its direction. */
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
			    "characters, which were removed. Check the result "
			    "and send it again.");
	case PROBLEM_CHARACTERS_UNSEEN:
		return text_format(arena,
		    "This contained invisible characters, or more than %d "
		    "marks on a letter, which were removed. Check the result "
		    "and send it again.",
		    UTF8_MARKS_MAX);
	case PROBLEM_PASSWORD_TOO_SHORT:
		return text_format(
		    arena, "Use at least %d characters.", RULE_PASSWORD_MIN);
	case PROBLEM_GROUPS_TOO_MANY:
		return text_format(
		    arena, "Choose at most %d groups.", RULE_GROUPS_MAX);
	case PROBLEM_GROUPS_NAME:
		return text_format(arena,
		    "“\u2068%.*s\u2069” isn’t a group name. Group names have 2 to 32 "
		    "characters: a to z, 0 to 9 or hyphens.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_CLOSED:
		return text_format(arena, "The group “%.*s” is closed.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_RESTRICTED:
		return text_format(arena,
		    "Only its moderators can post in the group “%.*s”.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_GROUP_BARRED:
		return text_format(arena,
		    "Moderators took this article out of the group “%.*s”.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_SHARED_HOST:
		return text_format(arena,
		    "“\u2068%.*s\u2069” isn’t a site. Enter one like: "
		    "github.com",
		    TEXT_ARGS(problem->word));
	case PROBLEM_SHARED_HOSTS_TOO_MANY:
		return text_format(
		    arena, "Enter at most %d sites.", RULE_SHARED_HOSTS_MAX);
	case PROBLEM_FOOT_LINK:
		return text_format(arena,
		    "“\u2068%.*s\u2069” isn’t a name and a link. Enter one "
		    "like: Imprint https://example.org/imprint",
		    TEXT_ARGS(problem->word));
	case PROBLEM_LINK_REFUSED:
		return text_format(arena,
		    "Links to \u2068%.*s\u2069 aren’t allowed here.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_LINK_EARLY:
		return text_format(arena,
		    "New members can link only to sites known here on "
		    "their first day, and \u2068%.*s\u2069 isn’t one yet.",
		    TEXT_ARGS(problem->word));
	case PROBLEM_NUMBER:
		return text_format(arena, "Enter a whole number from 0 to %zu.",
		    problem->length);
	case PROBLEM_GROUP_UNKNOWN:
		return text_format(arena,
		    "There’s no group “\u2068%.*s\u2069”.",
		    TEXT_ARGS(problem->word));
	default:
		return text_of(problems[problem->kind]);
	}
}

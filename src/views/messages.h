/*
 * The sentences of pages that are in no template: error pages, problems of forms, counts
 * and times, the log's.
 *
 * They are in the reader's language (views/language.h). No other module puts words together, so
 * word order, plurals, month names and the grouping of digits are decided here and in
 * translations alone.
 */
#pragma once

#include <time.h>

#include "lists/query.h"
#include "lists/thread.h"
#include "search/query.h"
#include "store/flag.h"
#include "store/inbox.h"
#include "store/mod_action.h"
#include "store/rules.h"
#include "store/user.h"

/* Reasons for an error page or a refused form. Of several with one status, the first is
 * that status's default. */
enum reason {
	REASON_DEFAULT, /* the status's default */
	REASON_MALFORMED,
	REASON_TOO_MANY_GROUPS,
	REASON_NO_GROUPS,
	REASON_SIGNED_OUT,
	REASON_FORBIDDEN,
	REASON_FEED_KEY,
	REASON_STALE_FORM,
	REASON_CONFIRM,
	REASON_LAST_OWNER,
	REASON_OTHER_MODERATOR,
	REASON_LACKS_FACTOR, /* which the owners require of moderators */
	REASON_APPLIED,	     /* whoever logs in has applied, and: */
	REASON_DECLINED,
	REASON_OWN,
	REASON_OWN_COMMENT,
	REASON_OWN_FLAG,
	REASON_OWN_COMMENT_FLAG,
	REASON_VOTES_LATER,
	REASON_VOIDED,
	REASON_COMMENT_VOIDED,
	REASON_SUSPENDED,
	REASON_FLAGS_LATER,
	REASON_WITHDRAWN_STAYS,
	REASON_DELETED_STAYS,
	REASON_NO_PAGE,
	REASON_NO_FULL_HOUR,
	REASON_NO_LINK,
	REASON_NO_METHOD,
	REASON_CLOSED,
	REASON_CODES_REPLACED, /* of recovery */
	REASON_AGAIN,	       /* no second chance of an article */
	REASON_HELD,	       /* a post waits to be shown (store/post.h) */
	REASON_LINK_TAKEN,     /* of a post that was held */
	REASON_NAME_TAKEN,     /* of an application */
	REASON_ACCEPTED,       /* likewise */
	REASON_COMMENT_CLOSED,
	REASON_EDIT_CLOSED,
	REASON_THREAD_CLOSED,
	REASON_INVITES_FULL,
	REASON_MUTES_FULL,
	REASON_NOTES_FULL,
	REASON_HIDDEN_FULL,
	REASON_HIDE_OWN,
	REASON_FOLLOWS_FULL,
	REASON_BARRED_FULL,
	REASON_SAVED_FULL,
	REASON_REMOVED,
	REASON_ARTICLE_GONE, /* removed or withdrawn: by whom was not read */
	REASON_WITHDRAWN,
	REASON_COMMENT_GONE,
	REASON_HAS_OWNER,
	REASON_TOO_LARGE,
	REASON_TOO_LONG,
	REASON_OTHER_ADDRESS,
	REASON_NO_ADDRESS,
	REASON_UNPROCESSABLE,
	REASON_NONE_SELECTED,
	REASON_PARTLY_DONE,
	REASON_TOO_MANY_MEMBERS,
	REASON_NO_VOTE,
	REASON_LIMITED,
	REASON_DAY_OVER,
	REASON_FEEDS_LIMITED,
	REASON_DOWN,
	REASON_FULL,
	REASON_APPLICATIONS_FULL,
	REASON_BUSY,
	REASON_SEARCH_AWAY,
	REASON_PART_DOWN,
	REASON_MEMBER_DOWN,
	REASONS
};

struct error_words {
	int64_t status; /* of HTTP */
	struct text title, happened, advice;
};

/*
 * The words of an error page with that status: the reason's, or with REASON_DEFAULT or a
 * reason of another status, the status's default. An unknown status reads as 503.
 */
struct error_words message_reason(enum reason reason, int status);
int message_status(enum reason reason);

problem_words message_problem;

/* Sentences without variable parts. */
enum message {
	MESSAGE_JUST_NOW,
	MESSAGE_VOTE_ONCE_VOUCHED,
	MESSAGE_SLOW_MODE,
	MESSAGE_THREAD_CLOSED,
	MESSAGE_THREAD_TOO_OLD,
	MESSAGE_ANOTHER_COMMENT,
	MESSAGE_DELETED_COMMENT,
	MESSAGE_REMOVED_COMMENT,
	MESSAGE_ALL_GROUPS,
	MESSAGE_UNKNOWN_BROWSER,
	MESSAGE_INTERESTING,
	MESSAGE_NEW_ARTICLES,
	MESSAGE_NEW_COMMENTS_OF_ALL,
	MESSAGE_MODERATION_LOG,
	MESSAGE_INBOX,
	MESSAGE_HOME,
	MESSAGE_QUEUE,
	MESSAGE_A_MODERATOR,
	MESSAGE_THE_OPERATOR,
	MESSAGE_TO_NO_GROUP,
	MESSAGE_VOTES_IN_A_RING,
	MESSAGES
};
struct text message_text(enum message message);

/* Sentences with a count. */
enum message_counted {
	MESSAGE_ARTICLES,
	MESSAGE_COMMENTS,
	MESSAGE_VOTES,
	MESSAGE_POSTS,
	MESSAGE_REPLIES,
	MESSAGE_NEW_COMMENTS,
	MESSAGE_MORE_BEFORE,
	MESSAGE_MORE_AFTER,
	MESSAGE_MORE_ABOVE,
	MESSAGE_HIDDEN_NOTICES,
	MESSAGE_HIDDEN_RULES,
	MESSAGE_HIDDEN_POSTS,
	MESSAGE_LIST_PAGES,
	MESSAGE_MEMBERS,
	MESSAGE_APPLICATIONS,
	MESSAGE_RESULTS,
	MESSAGE_PAIRS,
	MESSAGE_DAYS,
	MESSAGE_HOURS,
	MESSAGE_MINUTES,
	MESSAGE_SECONDS,
	MESSAGE_DAYS_AGO,
	MESSAGE_HOURS_AGO,
	MESSAGE_MINUTES_AGO,
	MESSAGE_COUNTED
};
struct text message_count(
    struct arena *arena, enum message_counted message, int64_t count);

/* What is wrong with a line of what a member hides: "Line 3, /g/x: there is no such thing here." */
enum message_hidden {
	MESSAGE_HIDDEN_FORM,
	MESSAGE_HIDDEN_UNKNOWN,
	MESSAGE_HIDDEN_OWN
};
struct text message_hidden_line(struct arena *arena, size_t number,
    struct text line, enum message_hidden what);
struct text message_hidden_too_many(
    struct arena *arena, int64_t count, int64_t max);

/* Why a moderator's decision on a post was not carried out with others. */
enum message_undecided {
	UNDECIDED_NOT,
	UNDECIDED_ABSENT,
	UNDECIDED_WITHDRAWN,
	UNDECIDED_REMOVED,
	UNDECIDED_ARTICLE_REMOVED,
	UNDECIDED_KEPT,
	UNDECIDED_EDITED,
	UNDECIDED_OTHER_MODERATOR,
	UNDECIDED_LINK_TAKEN,
	UNDECIDED_UNSAVED
};
struct text message_undecided(enum message_undecided why);

/* "Done for 3 members, but not for: ann, bob" */
struct text message_partly_done(
    struct arena *arena, int64_t done, struct text left);

/* "both", "all five", "all 30" */
struct text message_all_of(struct arena *arena, int64_t count);
/* "the first 100" */
struct text message_first(struct arena *arena, int64_t count);
/* "3.01" */
struct text message_hundredths(struct arena *arena, int64_t hundredths);

/* "1,000+ results" */
struct text message_results_at_least(struct arena *arena, int64_t count);

/* What of a query was not understood. */
struct text message_query_note(
    struct arena *arena, const struct query_note *note);

/* An author or a group, "u:ann" or "g:databases", that does not exist. */
struct text message_unknown_name(struct arena *arena, struct text key);

/* "point" or "points": the noun of a number that stands by itself. */
struct text message_points(int64_t points);

/* "1,470" */
struct text message_number(struct arena *arena, int64_t number);

/* "1st", "22nd", "113th" */
struct text message_ordinal(struct arena *arena, int64_t number);

/* "21 November 2026, 08:15 UTC" and "on 21 November 2026", of UTC's parts. */
struct text message_moment(struct arena *arena, const struct tm *parts);
struct text message_on_day(struct arena *arena, const struct tm *parts);

/* "6 days and 3 hours" */
struct text message_and(struct arena *arena, struct text a, struct text b);

/* "6 days and 23 hours" */
struct text message_two_units(
    struct arena *arena, struct text larger, struct text smaller);

/* "a, b" */
struct text message_list(struct arena *arena, struct text a, struct text b);

/* Phrases, or words of a list: "a, b and c". Empty: none. */
struct text message_series(
    struct arena *arena, const struct text *phrases, size_t count);
struct text message_words(struct arena *arena, struct text words);

/* "Try again in about 5 minutes." */
struct text message_retry_after(struct arena *arena, struct text wait);

/* "You can vote starting 3 May 2026, 08:15 UTC." */
struct text message_vote_from(struct arena *arena, struct text moment);

/* How many articles, or comments, a newcomer may post a day. */
struct text message_newcomer_limit(
    struct arena *arena, bool is_article, int64_t allowed);

/* When an application was sent; and when it was declined, and why (may be empty). */
struct text message_applied(struct arena *arena, struct text moment);
struct text message_declined(
    struct arena *arena, struct text moment, struct text reason);

/* Until when (empty: permanently) a member is suspended, and why (may be empty). */
struct text message_suspended(
    struct arena *arena, struct text until, struct text reason);

/* Of feeds: "Tally · redis", "ann on “A title”", "Comments by ann", "Search: linker",
 * "Comments on “A title”". */
struct text message_feed_title(
    struct arena *arena, struct text site, struct text list);
struct text message_comment_on(
    struct arena *arena, struct text author, struct text title);
struct text message_application(struct arena *arena, struct text name);
struct text message_comments_by(struct arena *arena, struct text author);
struct text message_search(struct arena *arena, struct text typed);
struct text message_comments_on(struct arena *arena, struct text title);

/* "Spam: A title", of a flagged post. */
struct text message_flagged(
    struct arena *arena, struct text flag, struct text title);

/* "comment 3 on “Title” by ann": what an action was on; without a title "article 7". The comment
 * and the author may be empty. */
struct text message_post_of(struct arena *arena, uint64_t article,
    struct text title, struct text comment, struct text author);

/* "comment 3 by ann": the noun that a vote is on. */
struct text message_comment_label(
    struct arena *arena, uint64_t number, struct text author);

/* "Firefox on Linux" */
struct text message_browser_on(
    struct arena *arena, struct text browser, struct text system);

/* "Page 2" */
struct text message_page(struct arena *arena, uint64_t number);

struct text message_list_order(enum list_order order);
/* "Best of the last 24 hours"; of a date "20 November 2026". */
struct text message_period(struct arena *arena, const struct period *period);
struct text message_period_tab(enum period_kind kind);
struct text message_thread_order(enum thread_order order);

/* "Reply to your comment" */
struct text message_notice(enum notice_reason reason);

/* "A recovery code was used on 3 May 2026, 12:00 UTC; 7 are left." */
struct text message_code_used(
    struct arena *arena, struct text moment, int64_t left);

/* "Your comment was removed": tells the member whom an action is about. */
struct text message_action_notice(struct arena *arena,
    enum mod_action_kind kind, const struct mod_action *action);

/* "In the log: suspended twice, 3 removals, votes cancelled once."; empty without any. */
struct text message_member_history(struct arena *arena, int64_t suspensions,
    int64_t removals, int64_t voidings);

/* "Broken link"; empty for FLAG_NONE. */
struct text message_flag(enum flag flag);

/* A moderator's action: its name in the log's filter, and the words before and after its
 * object ("made", "ann", "a moderator"). */
struct message_mod_action {
	struct text name, before, after;
};
struct message_mod_action message_mod_action(enum mod_action_kind kind);

/* "removed 8 articles and 31 comments, voided 14 votes and blocked links to a.example": what one
 * act has done to a member's posts and votes (store/containment.h). Empty: nothing, so far. */
struct text message_extent(struct arena *arena, const struct mod_action *act,
    enum mod_action_kind kind);

/* Such deeds before what or whom they were done to, "removed 8 articles of", and after it, "and
 * blocked links to a.example". */
struct text message_of(struct arena *arena, struct text deeds);
struct text message_and_also(struct arena *arena, struct text deeds);

/* "removed 12 articles": of a decision on several posts or members, as far as its numbers are
 * known. */
struct text message_decision(struct arena *arena, const struct mod_action *act,
    enum mod_action_kind kind);

/* "voided 1 vote of" */
struct text message_one_vote(enum mod_action_kind kind);

/* "voided all votes of": the words before the member until its extent is known. */
struct text message_act_on_all(enum mod_action_kind kind);

/* "a moderator": what a member was made. */
struct text message_role(enum role role);

/* The words after an object, with those of an action that only this moderator could
 * take. */
struct text message_sole_moderator(struct arena *arena, struct text after);

/*
 * The sentences that stand in no template: why a request was not answered as it
 * was meant, and what is wrong with what was typed.
 */
#pragma once

#include "store/rules.h"

/* The language of these sentences and of the templates, and its direction, as HTML's
 * lang and dir have them. */
#define MESSAGE_LANG "en"
#define MESSAGE_DIR  "ltr"

/* Why an answer is what it is. Where several have a status, the first is what it
 * usually means. */
enum reason {
	REASON_DEFAULT, /* whatever the status usually means */
	REASON_MALFORMED,
	REASON_TOO_MANY_GROUPS,
	REASON_NO_GROUPS,
	REASON_SIGNED_OUT,
	REASON_FORBIDDEN,
	REASON_STALE_FORM,
	REASON_CONFIRM,
	REASON_LAST_OWNER,
	REASON_NOT_TO_JUDGE,
	REASON_OWN,
	REASON_OWN_FLAG,
	REASON_VOTES_LATER,
	REASON_VOIDED,
	REASON_SUSPENDED,
	REASON_FLAGS_LATER,
	REASON_WITHDRAWN_STAYS,
	REASON_NO_PAGE,
	REASON_NO_METHOD,
	REASON_CLOSED,
	REASON_EDIT_CLOSED,
	REASON_THREAD_CLOSED,
	REASON_INVITES_FULL,
	REASON_MUTES_FULL,
	REASON_REMOVED,
	REASON_WITHDRAWN,
	REASON_COMMENT_GONE,
	REASON_TOO_LARGE,
	REASON_TOO_LONG,
	REASON_OTHER_ADDRESS,
	REASON_NO_ADDRESS,
	REASON_UNPROCESSABLE,
	REASON_NO_VOTE,
	REASON_LIMITED,
	REASON_DAY_OVER,
	REASON_DOWN,
	REASON_FULL,
	REASON_BUSY,
	REASON_PART_DOWN,
	REASON_MEMBER_DOWN,
	REASONS
};

struct error_words {
	int64_t status; /* of HTTP */
	struct text title, happened, advice;
};

/*
 * What an answer with that status says; with REASON_DEFAULT, or a reason that has
 * another status, what the status usually means. One that is not known reads as
 * 503.
 */
struct error_words message_reason(enum reason reason, int status);
int message_status(enum reason reason);

/* "Try again in about 5 minutes." */
struct text message_come_back(struct arena *arena, int64_t seconds);

/* From when on a new member votes, as settings_voting_start has it. */
struct text message_vote_later(struct arena *arena, int64_t from);

/* Until when a member is suspended, and why. */
struct text message_suspended(
    struct arena *arena, int64_t until, struct text reason);

problem_words message_problem;

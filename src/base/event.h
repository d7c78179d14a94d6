/*
 * The audit log: security-relevant actions and administrative changes, one line each in
 * the log, in a fixed format, which tally(1) documents.
 *
 *	tally: event 2026-11-22T14:03:05Z logged-in member=12 network=192.0.2.7
 *		request=8f0c... subject=- article=-
 *
 * (on one line). An event contains nothing that a member typed: no password, token or
 * text.
 */
#pragma once

#include "base/text.h"

/* Moderators' actions have the names in store/mod_action.h. */
#define EVENT_STARTED	       TEXT("started")
#define EVENT_RELOADED	       TEXT("reloaded")
#define EVENT_STOPPED	       TEXT("stopped")
#define EVENT_REGISTERED       TEXT("registered")
#define EVENT_LOGGED_IN	       TEXT("logged-in")
#define EVENT_LOGGED_OUT       TEXT("logged-out")
#define EVENT_SESSIONS_ENDED   TEXT("sessions-ended")
#define EVENT_PASSWORD_CHANGED TEXT("password-changed")
#define EVENT_PASSWORD_WRONG   TEXT("password-wrong")
#define EVENT_CODE_WRONG       TEXT("code-wrong")
#define EVENT_CODES_RENEWED    TEXT("codes-renewed")
#define EVENT_FACTOR_ON	       TEXT("factor-on")
#define EVENT_FACTOR_OFF       TEXT("factor-off")
#define EVENT_RECOVERED	       TEXT("recovered")
#define EVENT_ACCOUNT_CLOSED   TEXT("account-closed")
#define EVENT_INVITED	       TEXT("invited")
#define EVENT_FEED_KEY_RENEWED TEXT("feed-key-renewed")
#define EVENT_WITHDRAWN	       TEXT("withdrawn")
#define EVENT_SETTINGS_CHANGED TEXT("settings-changed")
#define EVENT_LIMITED	       TEXT("limited")
#define EVENT_REFUSED	       TEXT("refused")

struct event {
	struct text name;
	uint64_t member;     /* the actor; 0 if unknown, or for a command */
	struct text network; /* of the client; empty for a command */
	struct text request; /* nginx's id of the request; empty without one */
	uint64_t subject;    /* the member concerned, or 0 */
	uint64_t article;    /* or 0 */
};

void event_log(const struct event *event);

/* Logs at most EVENT_MAX_PER_MINUTE events a minute per limiter, for events that strangers
 * can cause at will. The first of the next minute has "skipped=" with the number of
 * those left out. A limiter begins as zeros. */
enum { EVENT_MAX_PER_MINUTE = 60 };
struct event_limiter {
	int64_t since; /* clock_monotonic_ms; 0: never */
	unsigned logged, skipped;
};
void event_log_limited(
    struct event_limiter *limiter, const struct event *event);

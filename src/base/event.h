/*
 * Events: what is worth knowing of who came in and what was changed, one line each in
 * the log, in a fixed form. tally(1) lists them.
 *
 *	tally: event 2026-11-22T14:03:05Z logged-in member=12 network=192.0.2.7
 *		request=8f0c... subject=- article=-
 *
 * in one line. Nothing that a member has typed is in it: never a password, a token or
 * a text.
 */
#pragma once

#include "base/text.h"

/* What moderators do is named by the act's word (store/mod_action.h). */
#define EVENT_STARTED	       TEXT("started")
#define EVENT_RELOADED	       TEXT("reloaded")
#define EVENT_STOPPED	       TEXT("stopped")
#define EVENT_REGISTERED       TEXT("registered")
#define EVENT_LOGGED_IN	       TEXT("logged-in")
#define EVENT_LOGGED_OUT       TEXT("logged-out")
#define EVENT_SESSIONS_ENDED   TEXT("sessions-ended")
#define EVENT_PASSWORD_CHANGED TEXT("password-changed")
#define EVENT_PASSWORD_WRONG   TEXT("password-wrong")
#define EVENT_ACCOUNT_CLOSED   TEXT("account-closed")
#define EVENT_INVITED	       TEXT("invited")
#define EVENT_WITHDRAWN	       TEXT("withdrawn")
#define EVENT_SETTINGS_CHANGED TEXT("settings-changed")
#define EVENT_LIMITED	       TEXT("limited")
#define EVENT_REFUSED	       TEXT("refused")

struct event {
	struct text name;
	uint64_t member;     /* who did it; 0: nobody knows, or a command */
	struct text network; /* from where; empty: from this machine */
	struct text
	    request;	  /* nginx's id of the request; empty: there was none */
	uint64_t subject; /* the member to whom it was done, or 0 */
	uint64_t article; /* or 0 */
};

void event_log(const struct event *event);

/* What strangers can cause as often as they like is told EVENT_MAX_PER_MINUTE times a minute for each
 * mark, which begins as zeros; "skipped=" says how many were not. */
enum { EVENT_MAX_PER_MINUTE = 60 };
struct event_limiter {
	int64_t since; /* clock_monotonic_ms; 0: never */
	unsigned told, skipped;
};
void event_log_limited(struct event_limiter *mark, const struct event *event);

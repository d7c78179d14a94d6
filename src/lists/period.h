/*
 * The time in which the articles of a list were posted: the last so many days, a day, a month or
 * a year of the calendar in UTC, or any.
 */
#pragma once

#include "base/text.h"

enum period_kind {
	PERIOD_DAY, /* the last 24 hours */
	PERIOD_WEEK,
	PERIOD_MONTH, /* 30 days */
	PERIOD_YEAR,  /* 365 days */
	PERIOD_ALL,
	PERIOD_DATE, /* "2026-11-20" */
	PERIOD_CALENDAR_MONTH,
	PERIOD_CALENDAR_YEAR
};
enum { PERIOD_WORDS = PERIOD_ALL + 1 };
extern const struct text period_words[PERIOD_WORDS];

struct period {
	enum period_kind kind;
	struct text word;
	int64_t from,
	    to; /* Unix seconds; to is behind the last. Both 0: no period */
};

/* Parses "day", "week", "month", "year", "all", "2026" or "2026-11"; false for others. The last
 * days are those before the last full minute. */
bool period_parse(struct text word, int64_t now, struct period *period);

/* The beginning of the month after a moment. */
int64_t period_month_after(int64_t moment);

/* Parses "2026-11-20"; false for others, and for days that the calendar does not have. */
bool period_parse_date(struct text word, struct period *period);

#include "lists/period.h"

#include <time.h>

enum { DAY = 86400, YEAR_MIN = 1970, YEAR_MAX = 9999 };

const struct text period_words[PERIOD_WORDS] = {
	[PERIOD_DAY] = TEXT_INIT("day"),
	[PERIOD_WEEK] = TEXT_INIT("week"),
	[PERIOD_MONTH] = TEXT_INIT("month"),
	[PERIOD_YEAR] = TEXT_INIT("year"),
	[PERIOD_ALL] = TEXT_INIT("all"),
};

/* Reads a part of so many digits, after a '-' if it is not the first one. */
static bool
cut_number(struct text *date, size_t digits, bool is_first, int *number)
{
	int64_t value;

	if (!is_first) {
		if (date->size == 0 || date->data[0] != '-')
			return false;
		*date = text_slice(*date, 1, date->size);
	}
	for (size_t i = 0; i < digits; i++)
		if (i >= date->size || date->data[i] < '0' ||
		    date->data[i] > '9')
			return false;
	if (!text_to_i64(text_slice(*date, 0, digits), &value))
		return false;
	*date = text_slice(*date, digits, date->size);
	*number = (int)value;
	return true;
}

/* The beginning of a day; months and days may be too high by one. */
static int64_t
moment_of(int year, int month, int day)
{
	struct tm date = {
		.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day
	};

	return timegm(&date);
}

int64_t
period_month_after(int64_t moment)
{
	time_t seconds = moment;
	struct tm date = { .tm_year = 70 };

	gmtime_r(&seconds, &date);
	return moment_of(date.tm_year + 1900, date.tm_mon + 2, 1);
}

static bool
parse_calendar(struct text word, struct period *period)
{
	struct text rest = word;
	int year, month;

	if (!cut_number(&rest, 4, true, &year) || year < YEAR_MIN ||
	    year > YEAR_MAX)
		return false;
	period->word = word;
	if (rest.size == 0) {
		period->kind = PERIOD_CALENDAR_YEAR;
		period->from = moment_of(year, 1, 1);
		period->to = moment_of(year + 1, 1, 1);
		return true;
	}
	if (!cut_number(&rest, 2, false, &month) || rest.size > 0 ||
	    month < 1 || month > 12)
		return false;
	period->kind = PERIOD_CALENDAR_MONTH;
	period->from = moment_of(year, month, 1);
	period->to = moment_of(year, month + 1, 1);
	return true;
}

bool
period_parse(struct text word, int64_t now, struct period *period)
{
	static const int64_t days[PERIOD_WORDS] = { [PERIOD_DAY] = 1,
		[PERIOD_WEEK] = 7,
		[PERIOD_MONTH] = 30,
		[PERIOD_YEAR] = 365 };
	size_t kind;

	if (!text_index(word, period_words, PERIOD_WORDS, &kind))
		return parse_calendar(word, period);
	*period = (struct period){ .kind = (enum period_kind)kind,
		.word = period_words[kind],
		.to = INT64_C(1) << 40 };
	if (days[kind] > 0)
		period->from = now - now % 60 - days[kind] * DAY;
	return true;
}

bool
period_parse_date(struct text word, struct period *period)
{
	struct text rest = word;
	int year, month, day;
	struct tm date;
	time_t moment;

	if (!cut_number(&rest, 4, true, &year) ||
	    !cut_number(&rest, 2, false, &month) ||
	    !cut_number(&rest, 2, false, &day) || rest.size > 0 ||
	    year < YEAR_MIN || month < 1 || month > 12)
		return false;
	moment = moment_of(year, month, day);
	/* The 30th of February is one of March. */
	if (gmtime_r(&moment, &date) == NULL || date.tm_mday != day)
		return false;
	*period = (struct period){ .kind = PERIOD_DATE,
		.word = word,
		.from = moment,
		.to = moment + DAY };
	return true;
}

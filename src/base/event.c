#include "base/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"

enum { MINUTE_MS = 60000 };

/* "12", or "-" for none. */
struct number {
	char digits[24];
};

static struct number
format_id(uint64_t id)
{
	struct number number = { "-" };

	if (id != 0)
		snprintf(number.digits, sizeof(number.digits), "%" PRIu64, id);
	return number;
}

static struct text
text_or_dash(struct text text)
{
	return text.size > 0 ? text : TEXT("-");
}

static void
write_event(const struct event *event, const char *suffix)
{
	char moment[32] = "";
	time_t now = time(NULL);
	struct tm parts = { .tm_mday = 1 };

	gmtime_r(&now, &parts);
	strftime(moment, sizeof(moment), "%Y-%m-%dT%H:%M:%SZ", &parts);
	log_line("event %s %.*s member=%s network=%.*s request=%.*s "
		 "subject=%s article=%s%s",
	    moment, TEXT_ARGS(event->name), format_id(event->member).digits,
	    TEXT_ARGS(text_or_dash(event->network)),
	    TEXT_ARGS(text_or_dash(event->request)),
	    format_id(event->subject).digits, format_id(event->article).digits,
	    suffix);
}

void
event_log(const struct event *event)
{
	write_event(event, "");
}

void
event_log_limited(struct event_limiter *limiter, const struct event *event)
{
	int64_t now = clock_monotonic_ms();
	char skipped[32] = "";

	if (limiter->since == 0 || now - limiter->since >= MINUTE_MS) {
		if (limiter->skipped > 0)
			snprintf(skipped, sizeof(skipped), " skipped=%u",
			    limiter->skipped);
		*limiter = (struct event_limiter){ .since = now };
	}
	if (limiter->logged >= EVENT_MAX_PER_MINUTE) {
		limiter->skipped++;
		return;
	}
	limiter->logged++;
	write_event(event, skipped);
}

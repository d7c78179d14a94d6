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
number_of(uint64_t id)
{
	struct number number = { "-" };

	if (id != 0)
		snprintf(number.digits, sizeof(number.digits), "%" PRIu64, id);
	return number;
}

static struct text
or_none(struct text text)
{
	return text.size > 0 ? text : TEXT("-");
}

static void
write_event(const struct event *event, const char *more)
{
	char moment[32] = "";
	time_t now = time(NULL);
	struct tm parts = { .tm_mday = 1 };

	gmtime_r(&now, &parts);
	strftime(moment, sizeof(moment), "%Y-%m-%dT%H:%M:%SZ", &parts);
	log_line("event %s %.*s member=%s network=%.*s request=%.*s "
		 "subject=%s article=%s%s",
	    moment, TEXT_ARGS(event->name), number_of(event->member).digits,
	    TEXT_ARGS(or_none(event->network)),
	    TEXT_ARGS(or_none(event->request)),
	    number_of(event->subject).digits, number_of(event->article).digits,
	    more);
}

void
event_log(const struct event *event)
{
	write_event(event, "");
}

void
event_log_limited(struct event_limiter *mark, const struct event *event)
{
	int64_t now = clock_monotonic_ms();
	char skipped[32] = "";

	if (mark->since == 0 || now - mark->since >= MINUTE_MS) {
		if (mark->skipped > 0)
			snprintf(skipped, sizeof(skipped), " skipped=%u",
			    mark->skipped);
		*mark = (struct event_limiter){ .since = now };
	}
	if (mark->told >= EVENT_MAX_PER_MINUTE) {
		mark->skipped++;
		return;
	}
	mark->told++;
	write_event(event, skipped);
}

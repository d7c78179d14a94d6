/* Events: the format of a line, and the limit of events caused by strangers. */
#include "base/event.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/fixture.h"

/* What is logged from heard_begin to heard_end. */
struct heard {
	FILE *file;
	int stderr_was;
	char lines[32 * 1024];
};

static void
heard_begin(struct heard *heard)
{
	heard->file = tmpfile();
	assert_non_null(heard->file);
	heard->stderr_was = dup(STDERR_FILENO);
	assert_true(dup2(fileno(heard->file), STDERR_FILENO) >= 0);
}

static void
heard_end(struct heard *heard)
{
	size_t size;

	assert_true(dup2(heard->stderr_was, STDERR_FILENO) >= 0);
	close(heard->stderr_was);
	rewind(heard->file);
	size = fread(heard->lines, 1, sizeof(heard->lines) - 1, heard->file);
	heard->lines[size] = '\0';
	fclose(heard->file);
}

static void
event_is_one_line_with_all_known_fields(void **state)
{
	struct heard heard;
	const char *rest;

	(void)state;
	heard_begin(&heard);
	event_log(&(struct event){ .name = EVENT_WITHDRAWN,
	    .member = 7,
	    .network = TEXT("192.0.2.1"),
	    .request = TEXT("8f\n0c"),
	    .article = 12 });
	event_log(&(struct event){ .name = EVENT_STARTED });
	heard_end(&heard);
	rest = strstr(heard.lines, "Z ");
	assert_non_null(rest);
	assert_int_equal(
	    rest - heard.lines, strlen("tally: event 2026-11-22T14:03:05"));
	assert_int_equal(strncmp(rest,
			     "Z withdrawn member=7 network=192.0.2.1 "
			     "request=8f?0c subject=- article=12\n"
			     "tally: event ",
			     strlen("Z withdrawn member=7 network=192.0.2.1 "
				    "request=8f?0c subject=- article=12\n"
				    "tally: event ")),
	    0);
	assert_non_null(strstr(rest,
	    "Z started member=- network=- request=- subject=- article=-\n"));
}

static size_t
count_lines(const char *lines)
{
	size_t count = 0;

	for (; *lines != '\0'; lines++)
		count += *lines == '\n';
	return count;
}

static void
events_caused_by_strangers_are_limited(void **state)
{
	struct event event = { .name = EVENT_REFUSED };
	struct event_limiter mark = { 0 }, other = { 0 };
	struct heard heard;

	(void)state;
	heard_begin(&heard);
	for (int i = 0; i < EVENT_MAX_PER_MINUTE + 5; i++)
		event_log_limited(&mark, &event);
	heard_end(&heard);
	assert_int_equal(count_lines(heard.lines), EVENT_MAX_PER_MINUTE);
	assert_null(strstr(heard.lines, "skipped"));

	/* A minute later, and of something else. */
	mark.since -= 60000;
	heard_begin(&heard);
	event_log_limited(&mark, &event);
	event_log_limited(&mark, &event);
	event_log_limited(&other, &event);
	heard_end(&heard);
	assert_int_equal(count_lines(heard.lines), 3);
	assert_non_null(strstr(heard.lines, "article=- skipped=5\n"));
	assert_non_null(strstr(heard.lines, "article=-\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(event_is_one_line_with_all_known_fields),
		cmocka_unit_test(events_caused_by_strangers_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

enum { LIMITED_MS = 60000 };

/* A single write, so that lines of several processes do not mix. */
static void
write_line(const char *format, va_list values)
{
	char line[1024] = "tally: ";
	size_t start = 7, size;
	int length;

	length =
	    vsnprintf(line + start, sizeof(line) - start - 1, format, values);
	size = start + (length > 0 ? (size_t)length : 0);
	if (size > sizeof(line) - 2)
		size = sizeof(line) - 2;
	for (size_t i = start; i < size; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[size++] = '\n';
	if (write(STDERR_FILENO, line, size) < 0)
		return; /* There is nowhere left to report it. */
}

void
log_line(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	write_line(format, values);
	va_end(values);
}

void
log_limited(int64_t *last, const char *format, ...)
{
	int64_t now = clock_monotonic_ms();
	va_list values;

	if (*last != 0 && now - *last < LIMITED_MS)
		return;
	*last = now;
	va_start(values, format);
	write_line(format, values);
	va_end(values);
}

void
log_fatal(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	write_line(format, values);
	va_end(values);
	exit(1);
}

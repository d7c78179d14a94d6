#include "archive/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

enum { FIRST_CAPACITY = 64 * 1024 };

struct lines
lines_of(int file)
{
	return (struct lines){ .file = file };
}

void
lines_free(struct lines *lines)
{
	free(lines->data);
}

/* Makes room at the end; a full buffer grows, to one byte more than is
 * allowed. */
static void
make_room(struct lines *lines)
{
	size_t size = lines->end - lines->start;
	char *data;

	if (size > 0)
		memmove(lines->data, lines->data + lines->start, size);
	lines->start = 0;
	lines->end = size;
	if (size < lines->capacity)
		return;
	lines->capacity =
	    lines->capacity == 0 ? FIRST_CAPACITY : lines->capacity * 2;
	if (lines->capacity > LINES_LONGEST + 1)
		lines->capacity = LINES_LONGEST + 1;
	data = realloc(lines->data, lines->capacity);
	if (data == NULL)
		log_fatal("out of memory: a line of %zu bytes", size);
	lines->data = data;
}

/* Reads more; false on an error. */
static bool
read_more(struct lines *lines)
{
	ssize_t size;

	make_room(lines);
	do
		size = read(lines->file, lines->data + lines->end,
		    lines->capacity - lines->end);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		return false;
	lines->ended = size == 0;
	lines->end += (size_t)size;
	return true;
}

enum lines_result
lines_next(struct lines *lines, struct text *line)
{
	bool too_long = false;
	size_t searched = 0;

	for (;;) {
		size_t size = lines->end - lines->start;
		char *start = lines->data + lines->start;
		char *found = size == searched
		    ? NULL
		    : memchr(start + searched, '\n', size - searched);

		if (found != NULL || (lines->ended && size > 0)) {
			size_t taken =
			    found != NULL ? (size_t)(found - start) : size;

			*line = (struct text){ start, taken };
			lines->start += taken + (found != NULL);
			break;
		}
		if (lines->ended)
			return too_long ? LINES_TOO_LONG : LINES_END;
		searched = size;
		if (size > LINES_LONGEST) {
			too_long = true;
			lines->start = lines->end = searched = 0;
		}
		if (!read_more(lines))
			return LINES_BROKEN;
	}
	return too_long ? LINES_TOO_LONG : LINES_ONE;
}

/*
 * A file as lines, in bounded memory: a line may be long, but not endless.
 */
#ifndef ARCHIVE_LINES_H
#define ARCHIVE_LINES_H

#include "base/text.h"

enum { LINES_LONGEST = 16 * 1024 * 1024 };

enum lines_result {
	LINES_ONE,
	LINES_TOO_LONG, /* this line was skipped; the next one can be read */
	LINES_END,
	LINES_BROKEN /* errno says why */
};

struct lines {
	int file;
	char *data;
	size_t start, end, capacity; /* what is read and not yet returned */
	bool ended;
};

/* The caller closes the file. */
struct lines lines_of(int file);
void lines_free(struct lines *lines);

/* The next line without its line feed; it lasts until the next call. */
enum lines_result lines_next(struct lines *lines, struct text *line);

#endif

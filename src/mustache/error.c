#include "mustache/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "mustache/template.h"

/* Columns count characters: a UTF-8 continuation byte is none. */
static void
locate(struct text source, size_t at, int *line, int *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at && i < source.size; i++) {
		if (source.data[i] == '\n') {
			++*line;
			*column = 1;
		} else if (((unsigned char)source.data[i] & 0xc0) != 0x80) {
			++*column;
		}
	}
}

bool
mustache_fail(struct mustache_error *error,
    const struct mustache_template *template, size_t at, const char *format,
    ...)
{
	va_list values;

	error->template = template->name;
	locate(template->source, at, &error->line, &error->column);
	va_start(values, format);
	vsnprintf(error->message, sizeof(error->message), format, values);
	va_end(values);
	return false;
}

struct text
mustache_clip(struct text name)
{
	return text_slice(name, 0, 60);
}

#include "mustache/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "mustache/template.h"

/* Columns count characters: a UTF-8 continuation byte is none. */
static void
locate(struct text source, size_t at, struct mustache_error *error)
{
	struct text rest = text_slice(source, 0, at), line;

	error->line = error->column = 0;
	while (text_cut(&rest, '\n', &line)) {
		error->line++;
		error->column = 1 + (int)utf8_length(line);
	}
}

bool
mustache_fail(struct mustache_error *error,
    const struct mustache_template *template, size_t at, const char *format,
    ...)
{
	va_list values;

	error->template = template->name;
	error->file = template->file;
	locate(template->source, at, error);
	va_start(values, format);
	vsnprintf(error->message, sizeof(error->message), format, values);
	va_end(values);
	return false;
}

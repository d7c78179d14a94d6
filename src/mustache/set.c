#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "mustache/compile.h"
#include "mustache/template.h"

#define ENDING ".mustache"

struct mustache_set *
mustache_set_new(struct arena *arena)
{
	struct mustache_set *set = arena_new(arena, struct mustache_set, 1);

	set->arena = arena;
	return set;
}

const struct mustache_template *
mustache_find(const struct mustache_set *set, struct text name)
{
	const struct mustache_template *template = set->newest;

	while (template != NULL && !text_equal(template->name, name))
		template = template->older;
	return template;
}

bool
mustache_add(struct mustache_set *set, struct text name, struct text source,
    struct mustache_error *error)
{
	struct mustache_template *template =
	    arena_new(set->arena, struct mustache_template, 1);

	template->name = text_copy(set->arena, name);
	template->source = text_copy(set->arena, source);
	if (mustache_find(set, name) != NULL)
		return mustache_fail(
		    error, template, 0, "there is such a template already");
	if (!mustache_compile(set->arena, template, error))
		return false;
	template->older = set->newest;
	set->newest = template;
	return true;
}

/* False with errno set when the file cannot be read to its end. */
static bool
read_file(struct arena *arena, const char *path, struct text *content)
{
	enum { CHUNK = 16 * 1024 };
	struct buffer buffer = buffer_in(arena, CHUNK);
	FILE *file = fopen(path, "rb");
	size_t size;
	bool failed;

	if (file == NULL)
		return false;
	do {
		size = fread(buffer_reserve(&buffer, CHUNK), 1, CHUNK, file);
		buffer.size += size;
	} while (size > 0);
	failed = ferror(file) != 0;
	fclose(file);
	*content = buffer_text(&buffer);
	return !failed;
}

static int
is_template(const struct dirent *entry)
{
	size_t size = strlen(entry->d_name), ending = strlen(ENDING);

	return size > ending &&
	    strcmp(entry->d_name + size - ending, ENDING) == 0;
}

/* A file that cannot be read has no line: 0 and 0. */
static bool
unreadable(struct mustache_error *error, struct text template)
{
	*error = (struct mustache_error){ .template = template };
	snprintf(error->message, sizeof(error->message), "cannot be read: %s",
	    strerror(errno));
	return false;
}

static bool
add_file(struct mustache_set *set, const char *folder, const char *file,
    struct mustache_error *error)
{
	struct arena scratch = { 0 };
	struct text path = text_format(&scratch, "%s/%s", folder, file);
	struct text name = { file, strlen(file) - strlen(ENDING) }, source;
	bool added;

	if (read_file(&scratch, text_string(&scratch, path), &source))
		added = mustache_add(set, name, source, error);
	else
		added = unreadable(error, text_copy(set->arena, name));
	arena_free(&scratch);
	return added;
}

bool
mustache_add_folder(
    struct mustache_set *set, const char *folder, struct mustache_error *error)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_template, alphasort);
	bool added = true;

	if (count < 0)
		return unreadable(
		    error, text_copy(set->arena, text_of(folder)));
	for (int i = 0; i < count; i++) {
		added =
		    added && add_file(set, folder, entries[i]->d_name, error);
		free(entries[i]);
	}
	free(entries);
	return added;
}

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

const struct mustache_field *
mustache_field_named(const struct mustache_type *type, struct text name)
{
	for (size_t i = 0; type != NULL && i < type->count; i++) {
		const char *field = type->fields[i].name;

		if (strncmp(field, name.data, name.size) == 0 &&
		    field[name.size] == '\0')
			return &type->fields[i];
	}
	return NULL;
}

const struct mustache_field *
mustache_self(const struct mustache_type *type)
{
	if (type == NULL || type->count != 1 ||
	    strcmp(type->fields[0].name, ".") != 0)
		return NULL;
	return &type->fields[0];
}

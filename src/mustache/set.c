#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "mustache/compile.h"
#include "mustache/error.h"
#include "mustache/sentences.h"
#include "mustache/template.h"

#define ENDING ".mustache"

struct mustache_set *
mustache_set_new(struct arena *arena)
{
	struct mustache_set *set = arena_new(arena, struct mustache_set, 1);

	set->arena = arena;
	set->named = arena_new(arena, struct named, 1);
	return set;
}

void
mustache_set_language(struct mustache_set *set, mustache_translator *translate,
    const void *language)
{
	set->translate = translate;
	set->language = language;
}

const struct mustache_template *
mustache_find(const struct mustache_set *set, struct text name)
{
	const struct mustache_template *template = set->newest;

	while (template != NULL && !text_equal(template->name, name))
		template = template->older;
	return template;
}

static bool
add_template(struct mustache_set *set, struct text name, struct text file,
    struct text source, struct mustache_error *error)
{
	struct mustache_template *template =
	    arena_new(set->arena, struct mustache_template, 1);

	template->name = text_copy(set->arena, name);
	template->file = text_copy(set->arena, file);
	template->source = set->translate == NULL
	    ? text_copy(set->arena, source)
	    : sentences_translate(
		  set->arena, source, set->translate, set->language);
	if (mustache_find(set, name) != NULL)
		return mustache_fail(error, template, 0,
		    "there is already a template of this name");
	if (!mustache_compile(set->arena, template, error))
		return false;
	template->older = set->newest;
	set->newest = template;
	return true;
}

bool
mustache_add(struct mustache_set *set, struct text name, struct text source,
    struct mustache_error *error)
{
	return add_template(set, name, TEXT(""), source, error);
}

/* False with errno set when the file cannot be read to its end. */
static bool
read_template(struct arena *arena, const char *path, struct text *content)
{
	int file = file_open(AT_FDCWD, path);

	return file >= 0 && file_read(arena, file, content);
}

static int
is_template(const struct dirent *entry)
{
	return fnmatch("?*" ENDING, entry->d_name, 0) == 0;
}

/* Without a source the error has no line. */
static bool
fail_unreadable(struct mustache_set *set, struct text name, struct text file,
    struct mustache_error *error)
{
	struct mustache_template template = { .name =
						  text_copy(set->arena, name),
		.file = text_copy(set->arena, file) };

	return mustache_fail(
	    error, &template, 0, "cannot be read: %s", strerror(errno));
}

static bool
add_file(struct mustache_set *set, const char *folder, const char *file,
    struct mustache_error *error)
{
	struct arena scratch = { 0 };
	struct text path = text_format(&scratch, "%s/%s", folder, file);
	struct text name = { file, strlen(file) - strlen(ENDING) }, source;
	bool added;

	if (mustache_find(set, name) != NULL)
		added = true;
	else if (read_template(&scratch, text_string(&scratch, path), &source))
		added = add_template(set, name, path, source, error);
	else
		added = fail_unreadable(set, name, path, error);
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
		return fail_unreadable(
		    set, text_of(folder), text_of(folder), error);
	for (int i = 0; i < count; i++) {
		added =
		    added && add_file(set, folder, entries[i]->d_name, error);
		free(entries[i]);
	}
	free(entries);
	return added;
}

#include "archive/restore.h"

#include <errno.h>
#include <string.h>

#include "archive/check.h"
#include "base/log.h"
#include "store/site.h"

enum { PORTION_BYTES = 64 * 1024 };

static bool
is_site_empty(struct store *store)
{
	struct arena arena = { 0 };
	bool is_empty = false;
	enum store_result result = site_is_empty(store, &arena, &is_empty);

	arena_free(&arena);
	if (result != STORE_OK)
		log_line("Redis does not answer");
	else if (!is_empty)
		log_line("the site is not empty: a backup is restored into a "
			 "new one; to add to this one, use load");
	return is_empty;
}

/* Standard input is copied by the load itself. */
static bool
is_file_readable(const char *path, load_open *open)
{
	char portion[PORTION_BYTES];
	FILE *file;
	bool is_readable;

	if (strcmp(path, "-") == 0)
		return true;
	file = open(path);
	while (file != NULL &&
	    fread(portion, 1, sizeof(portion), file) == sizeof(portion))
		;
	is_readable = file != NULL && !ferror(file);
	if (!is_readable)
		log_line("cannot read %s: %s", path, strerror(errno));
	if (file != NULL)
		fclose(file);
	return is_readable;
}

int
restore_command(struct store *store, const char *file, load_open *open,
    problem_words *words, FILE *out)
{
	int status = 1;

	if (is_site_empty(store) && is_file_readable(file, open))
		status = load_command(store, &file, 1, LOAD_STOP, open, words);
	return status == 0 ? check_command(store, out, CHECK_ONLY) : status;
}

#include "process/error_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/log.h"
#include "views/error.h"

static bool
write_file(struct arena *arena, const char *name, struct text content)
{
	const char *new =
	    text_string(arena, text_format(arena, "%s.new", name));
	FILE *file = fopen(new, "we");
	bool good = file != NULL &&
	    fwrite(content.data, 1, content.size, file) == content.size;

	good =
	    file != NULL && fclose(file) == 0 && good && rename(new, name) == 0;
	if (!good)
		log_line("%s cannot be written: %s", name, strerror(errno));
	return good;
}

static struct text
error_page(struct arena *arena, const struct views *views, int status)
{
	struct reason_words words = words_reason(REASON_USUAL, status);
	struct frame frame = { .here = TEXT("/"), .here_encoded = TEXT("%2F") };

	return views_page(views, arena, &error_view, &frame, &words);
}

bool
error_pages_write(
    struct arena *arena, const struct views *views, struct text folder)
{
	static const int statuses[] = { 400, 403, 404, 405, 413, 429, 503 };

	if (mkdir(text_string(arena, folder), 0755) != 0 && errno != EEXIST) {
		log_line("%.*s cannot be made: %s", TEXT_ARGS(folder),
		    strerror(errno));
		return false;
	}
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (!write_file(arena,
			text_string(arena,
			    text_format(arena, "%.*s/%d.html",
				TEXT_ARGS(folder), statuses[i])),
			error_page(arena, views, statuses[i])))
			return false;
	return true;
}

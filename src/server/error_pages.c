#include "server/error_pages.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/log.h"
#include "server/site_dir.h"

static struct text
render_error_page(struct arena *arena, const struct app *app, int status)
{
	struct error_model model = { .words = message_reason(
					 REASON_DEFAULT, status) };
	struct layout layout = { .lang = language_current()->tag,
		.dir = language_current()->dir,
		.here = TEXT("/"),
		.here_encoded = TEXT("%2F"),
		.search_href = TEXT("/search"),
		.site_name = TEXT("Front page"), /* its real name is in Redis */
		.has_interesting = true,	 /* or so it may be */
		/* The copy that nginx serves by itself. */
		.style = TEXT("/style.css") };

	return views_page(app->views, arena, &error_view, &layout, &model);
}

bool
error_pages_write(
    struct arena *arena, const struct app *app, struct text folder)
{
	static const int statuses[] = { 400, 403, 404, 405, 413, 414, 429,
		503 };
	bool good = true;

	if (mkdir(text_string(arena, folder), 0755) != 0 && errno != EEXIST) {
		log_line("cannot create %.*s: %s", TEXT_ARGS(folder),
		    strerror(errno));
		return false;
	}
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct text path = text_format(
		    arena, "%.*s/%d.html", TEXT_ARGS(folder), statuses[i]);

		good = good &&
		    site_dir_write(arena, text_string(arena, path),
			render_error_page(arena, app, statuses[i]), 0666);
	}
	return good;
}

#include "views/apply.h"

#include "base/arena.h"
#include "views/format.h"

struct mustache_list
application_rows(struct arena *arena, const struct application *applications,
    size_t count, int64_t now, size_t *waiting)
{
	struct application_row *rows =
	    arena_new(arena, struct application_row, APPLICATION_ROWS);
	size_t shown = 0;

	*waiting = 0;
	for (size_t i = 0; i < count; i++) {
		const struct application *application = &applications[i];

		if (application->declined != 0)
			continue;
		++*waiting;
		if (shown == APPLICATION_ROWS)
			continue;
		rows[shown++] = (struct application_row){
			.name = application->name,
			.since = format_rounded_down(
			    arena, now - application->applied),
			.since_iso = format_iso(arena, application->applied),
			.answer = format_paragraphs(arena, application->answer)
		};
	}
	return (struct mustache_list){ rows, shown };
}

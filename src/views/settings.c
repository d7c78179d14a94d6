#include "views/settings.h"

#include "base/arena.h"
#include "views/format.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct password_change, SETTINGS_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct session_line, member)
static const struct mustache_type session_type =
    VIEW_TYPE(struct session_line, SHOWN(id), SHOWN(agent), SHOWN(since),
	SHOWN(since_iso), SHOWN(seen), SHOWN(seen_iso), SHOWN(current));

static const struct mustache_type type = VIEW_TYPE(struct settings_model,
    MUSTACHE_ITEMS(struct settings_model, sessions, &session_type),
    MUSTACHE_PLAIN(struct settings_model, several),
    MUSTACHE_PLAIN(struct settings_model, changed),
    MUSTACHE_STRUCT(struct settings_model, form, &form_type),
    MUSTACHE_STRUCT(struct settings_model, inputs, &input_type));

const struct view settings_view = { "settings", &type };

static struct session_line
line_of(struct arena *arena, const struct session *session, int64_t now)
{
	return (struct session_line){
		.id = session->id,
		.agent = session->agent,
		.since = format_moment(arena, session->created),
		.since_iso = format_iso(arena, session->created),
		.seen = format_age(arena, now, session->seen),
		.seen_iso = format_iso(arena, session->seen),
		.current = session->current,
	};
}

struct settings_model
settings_model_of(struct arena *arena, const struct session *sessions,
    size_t count, int64_t now)
{
	struct session_line *lines =
	    arena_new(arena, struct session_line, count);

	for (size_t i = 0; i < count; i++)
		lines[i] = line_of(arena, &sessions[i], now);
	return (struct settings_model){ .sessions = { lines, count },
		.several = count > 1 };
}

#include "views/account.h"

#include "base/arena.h"
#include "views/format.h"

static const struct mustache_type account_type =
    VIEW_TYPE(struct account, ACCOUNT_INPUTS(FORM_SHOWN, , ));

static const struct mustache_type type = VIEW_TYPE(struct account_model,
    MUSTACHE_STRUCT(struct account_model, form, &form_type),
    MUSTACHE_STRUCT(struct account_model, inputs, &account_type),
    MUSTACHE_PLAIN(struct account_model, return_to),
    MUSTACHE_PLAIN(struct account_model, return_to_encoded));

static const struct mustache_type change_type =
    VIEW_TYPE(struct password_change, SETTINGS_INPUTS(FORM_SHOWN));

#define FIELD(member) MUSTACHE_PLAIN(struct session_line, member)
static const struct mustache_type session_type =
    VIEW_TYPE(struct session_line, FIELD(id), FIELD(agent), FIELD(since),
	FIELD(since_iso), FIELD(seen), FIELD(seen_iso), FIELD(current));

static const struct mustache_type settings_type =
    VIEW_TYPE(struct settings_model,
	MUSTACHE_ITEMS(struct settings_model, sessions, &session_type),
	MUSTACHE_PLAIN(struct settings_model, several),
	MUSTACHE_PLAIN(struct settings_model, changed),
	MUSTACHE_STRUCT(struct settings_model, form, &form_type),
	MUSTACHE_STRUCT(struct settings_model, inputs, &change_type));

const struct view account_register_view = { "register", &type };
const struct view account_login_view = { "login", &type };
const struct view account_settings_view = { "settings", &settings_type };

struct settings_model
account_settings_of(struct arena *arena, const struct session *sessions,
    size_t count, int64_t now)
{
	struct session_line *lines =
	    arena_new(arena, struct session_line, count);

	for (size_t i = 0; i < count; i++) {
		const struct session *session = &sessions[i];

		lines[i] = (struct session_line){
			.id = session->id,
			.agent = session->agent,
			.since = format_moment(arena, session->created),
			.since_iso = format_iso(arena, session->created),
			.seen = format_age(arena, now, session->seen),
			.seen_iso = format_iso(arena, session->seen),
			.current = session->current,
		};
	}
	return (struct settings_model){ .sessions = { lines, count },
		.several = count > 1 };
}

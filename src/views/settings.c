#include "views/settings.h"

#include "base/arena.h"
#include "views/format.h"
#include "views/user_agent.h"

static const struct mustache_type input_type =
    VIEW_TYPE(struct settings_form, SETTINGS_INPUTS(FORM_SHOWN));

#define SESSION(member) MUSTACHE_PLAIN(struct session_row, member)
static const struct mustache_type session_type =
    VIEW_TYPE(struct session_row, SESSION(id), SESSION(agent), SESSION(name),
	SESSION(number), SESSION(since), SESSION(since_iso), SESSION(seen),
	SESSION(seen_iso), SESSION(seen_moment), SESSION(current));

#define INVITE(member) MUSTACHE_PLAIN(struct invite_row, member)
static const struct mustache_type invite_type = VIEW_TYPE(
    struct invite_row, INVITE(code), INVITE(expires), INVITE(expires_iso));

#define SHOWN(member) MUSTACHE_PLAIN(struct settings_model, member)
static const struct mustache_type type = VIEW_TYPE(struct settings_model,
    MUSTACHE_ITEMS(struct settings_model, sessions, &session_type),
    MUSTACHE_ITEMS(struct settings_model, invites, &invite_type), SHOWN(site),
    SHOWN(several), SHOWN(changed), SHOWN(may_invite), SHOWN(is_owner),
    SHOWN(needs_password),
    MUSTACHE_STRUCT(struct settings_model, form, &form_type),
    MUSTACHE_STRUCT(struct settings_model, inputs, &input_type));

const struct view settings_view = { "settings", &type };

static struct session_row
line_of(struct arena *arena, const struct session *session, int64_t now)
{
	return (struct session_row){
		.id = session->id,
		.agent = session->agent,
		.name = user_agent_name(arena, session->agent),
		.since = format_moment(arena, session->created),
		.since_iso = format_iso(arena, session->created),
		.seen = format_age(arena, now, session->seen),
		.seen_iso = format_iso(arena, session->seen),
		.seen_moment = format_moment(arena, session->seen),
		.current = session->current,
	};
}

/* Those of one name are told apart by a number. */
static void
number_lines(struct arena *arena, struct session_row *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t before = 0;

		for (size_t j = 0; j < i; j++)
			before += text_equal(lines[i].name, lines[j].name);
		if (before > 0)
			lines[i].number = text_number(arena, before + 1);
	}
}

static struct mustache_list
lines_of_sessions(struct arena *arena, const struct session *sessions,
    size_t count, int64_t now)
{
	struct session_row *lines = arena_new(arena, struct session_row, count);
	size_t next = 0;

	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; i < count; i++)
			if (sessions[i].current == (own == 1))
				lines[next++] =
				    line_of(arena, &sessions[i], now);
	number_lines(arena, lines, count);
	return (struct mustache_list){ lines, count };
}

static struct mustache_list
lines_of_invites(
    struct arena *arena, const struct invite *invites, size_t count)
{
	struct invite_row *lines = arena_new(arena, struct invite_row, count);

	for (size_t i = 0; i < count; i++)
		lines[i] = (struct invite_row){ .code = invites[i].code,
			.expires = format_moment(arena, invites[i].expires),
			.expires_iso = format_iso(arena, invites[i].expires) };
	return (struct mustache_list){ lines, count };
}

struct settings_model
settings_model_of(struct arena *arena, const struct session *sessions,
    size_t count, int64_t now, const struct invite *invites,
    size_t invite_count)
{
	return (struct settings_model){
		.sessions = lines_of_sessions(arena, sessions, count, now),
		.invites = lines_of_invites(arena, invites, invite_count),
		.several = count > 1,
	};
}

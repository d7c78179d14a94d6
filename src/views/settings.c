#include "views/settings.h"

#include "base/arena.h"
#include "views/format.h"
#include "views/user_agent.h"

static struct session_row
row_of_session(struct arena *arena, const struct session *session, int64_t now)
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
number_rows(struct arena *arena, struct session_row *lines, size_t count)
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
rows_of_sessions(struct arena *arena, const struct session *sessions,
    size_t count, int64_t now)
{
	struct session_row *lines = arena_new(arena, struct session_row, count);
	size_t next = 0;

	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; i < count; i++)
			if (sessions[i].current == (own == 1))
				lines[next++] =
				    row_of_session(arena, &sessions[i], now);
	number_rows(arena, lines, count);
	return (struct mustache_list){ lines, count };
}

static struct mustache_list
rows_of_invites(struct arena *arena, const struct invite *invites, size_t count)
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
		.sessions = rows_of_sessions(arena, sessions, count, now),
		.invites = rows_of_invites(arena, invites, invite_count),
		.several = count > 1,
	};
}

struct mustache_list
settings_gravities(struct arena *arena, struct text current)
{
	enum { COUNT = RULE_GRAVITY_MAX - RULE_GRAVITY_MIN + 1 };
	int64_t chosen = rule_gravity_of(current);
	struct gravity_choice *choices =
	    arena_new(arena, struct gravity_choice, COUNT);

	if (chosen == 0)
		chosen = RULE_GRAVITY_USUAL;
	for (int64_t i = 0; i < COUNT; i++)
		choices[i] = (struct gravity_choice){ rule_gravity_text(arena,
							  RULE_GRAVITY_MIN + i),
			RULE_GRAVITY_MIN + i == chosen };
	return (struct mustache_list){ choices, COUNT };
}

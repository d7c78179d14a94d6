#include "views/mod_members.h"

#include "base/arena.h"
#include "views/format.h"

#define LINE(member) MUSTACHE_PLAIN(struct member_row, member)
static const struct mustache_type member_type =
    VIEW_TYPE(struct member_row, LINE(name), LINE(since), LINE(since_iso),
	LINE(is_moderator), LINE(is_owner), LINE(is_closed));

static const struct mustache_type members_type =
    VIEW_TYPE(struct mod_members_model,
	MUSTACHE_ITEMS(struct mod_members_model, moderators, &member_type),
	MUSTACHE_ITEMS(struct mod_members_model, newest, &member_type),
	MUSTACHE_PLAIN(struct mod_members_model, has_moderators),
	MUSTACHE_PLAIN(struct mod_members_model, is_first_page),
	MUSTACHE_STRUCT(struct mod_members_model, pager, &pager_type));

const struct view mod_members_view = { "members", &members_type };

static const struct mustache_type input_type =
    VIEW_TYPE(struct mod_member_form, MOD_MEMBER_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct mod_member_model, member)
static const struct mustache_type panel_type =
    VIEW_TYPE(struct mod_member_model, SHOWN(name), SHOWN(since),
	SHOWN(since_iso), SHOWN(is_suspended), SHOWN(is_trusted),
	SHOWN(is_closed), SHOWN(until), SHOWN(until_iso), SHOWN(suspension),
	SHOWN(as_member), SHOWN(as_moderator), SHOWN(as_owner),
	SHOWN(may_judge), SHOWN(may_appoint), SHOWN(needs_password),
	MUSTACHE_STRUCT(struct mod_member_model, form, &form_type),
	MUSTACHE_STRUCT(struct mod_member_model, inputs, &input_type));

const struct view mod_member_view = { "member-panel", &panel_type };

static struct mustache_list
lines_of(struct arena *arena, const struct user *users, size_t count)
{
	struct member_row *lines = arena_new(arena, struct member_row, count);

	for (size_t i = 0; i < count; i++)
		lines[i] = (struct member_row){ .name = users[i].name,
			.since = format_moment(arena, users[i].created),
			.since_iso = format_iso(arena, users[i].created),
			.is_moderator = users[i].role == ROLE_MODERATOR,
			.is_owner = users[i].role == ROLE_OWNER,
			.is_closed = users[i].closed != 0 };
	return (struct mustache_list){ lines, count };
}

struct mod_members_model
mod_members_model_of(
    struct arena *arena, const struct mod_members *members, uint64_t number)
{
	return (struct mod_members_model){ .moderators = lines_of(arena,
					       members->moderators,
					       members->moderator_count),
		.newest =
		    lines_of(arena, members->newest, members->newest_count),
		.has_moderators = members->moderator_count > 0,
		.is_first_page = number == 1,
		.pager = pager_model_of(
		    arena, TEXT("/members"), number, members->more) };
}

struct mod_member_model
mod_member_model_of(struct arena *arena, const struct user *user, int64_t now)
{
	struct mod_member_model model = {
		.name = user->name,
		.since = format_moment(arena, user->created),
		.since_iso = format_iso(arena, user->created),
		.is_suspended = user->suspended > now,
		.is_trusted = user->trusted != 0,
		.is_closed = user->closed != 0,
		.suspension = user->suspension,
		.as_member = user->role == ROLE_MEMBER,
		.as_moderator = user->role == ROLE_MODERATOR,
		.as_owner = user->role == ROLE_OWNER,
	};

	if (model.is_suspended && !user_is_suspended_forever(user)) {
		model.until = format_moment(arena, user->suspended);
		model.until_iso = format_iso(arena, user->suspended);
	}
	return model;
}

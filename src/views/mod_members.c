#include "views/mod_members.h"

#include "base/arena.h"
#include "views/format.h"

#define LINE(member) MUSTACHE_PLAIN(struct member_line, member)
static const struct mustache_type member_type =
    VIEW_TYPE(struct member_line, LINE(name), LINE(since), LINE(since_iso),
	LINE(is_moderator), LINE(is_owner), LINE(is_closed));

static const struct mustache_type members_type = VIEW_TYPE(struct members_model,
    MUSTACHE_ITEMS(struct members_model, moderators, &member_type),
    MUSTACHE_ITEMS(struct members_model, newest, &member_type),
    MUSTACHE_PLAIN(struct members_model, has_moderators),
    MUSTACHE_PLAIN(struct members_model, is_first_page),
    MUSTACHE_STRUCT(struct members_model, pager, &pager_type));

const struct view members_view = { "members", &members_type };

static const struct mustache_type input_type =
    VIEW_TYPE(struct suspension, SUSPENSION_INPUTS(FORM_SHOWN));

#define SHOWN(member) MUSTACHE_PLAIN(struct member_panel_model, member)
static const struct mustache_type panel_type =
    VIEW_TYPE(struct member_panel_model, SHOWN(name), SHOWN(since),
	SHOWN(since_iso), SHOWN(is_suspended), SHOWN(is_trusted),
	SHOWN(is_closed), SHOWN(until), SHOWN(until_iso), SHOWN(suspension),
	SHOWN(as_member), SHOWN(as_moderator), SHOWN(as_owner),
	SHOWN(may_judge), SHOWN(may_appoint), SHOWN(needs_password),
	MUSTACHE_STRUCT(struct member_panel_model, form, &form_type),
	MUSTACHE_STRUCT(struct member_panel_model, inputs, &input_type));

const struct view member_panel_view = { "member-panel", &panel_type };

static struct mustache_list
lines_of(struct arena *arena, const struct user *users, size_t count)
{
	struct member_line *lines = arena_new(arena, struct member_line, count);

	for (size_t i = 0; i < count; i++)
		lines[i] = (struct member_line){ .name = users[i].name,
			.since = format_moment(arena, users[i].created),
			.since_iso = format_iso(arena, users[i].created),
			.is_moderator = users[i].role == ROLE_MODERATOR,
			.is_owner = users[i].role == ROLE_OWNER,
			.is_closed = users[i].closed != 0 };
	return (struct mustache_list){ lines, count };
}

struct members_model
members_model_of(
    struct arena *arena, const struct members *members, uint64_t number)
{
	return (struct members_model){ .moderators =
					   lines_of(arena, members->moderators,
					       members->moderator_count),
		.newest =
		    lines_of(arena, members->newest, members->newest_count),
		.has_moderators = members->moderator_count > 0,
		.is_first_page = number == 1,
		.pager = pager_model_of(
		    arena, TEXT("/members"), number, members->more) };
}

struct member_panel_model
member_panel_model_of(struct arena *arena, const struct user *user, int64_t now)
{
	struct member_panel_model model = {
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

	if (model.is_suspended && !user_is_suspended_for_good(user)) {
		model.until = format_moment(arena, user->suspended);
		model.until_iso = format_iso(arena, user->suspended);
	}
	return model;
}

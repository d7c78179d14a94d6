#include "views/mod_members.h"

#include "base/arena.h"
#include "views/format.h"

static struct mustache_list
member_rows_of(struct arena *arena, const struct user *users, size_t count)
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
	return (struct mod_members_model){ .moderators = member_rows_of(arena,
					       members->moderators,
					       members->moderator_count),
		.newest = member_rows_of(
		    arena, members->newest, members->newest_count),
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

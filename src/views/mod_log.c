#include "views/mod_log.h"

#include "base/arena.h"
#include "base/url.h"
#include "views/format.h"

/* What people read of an act: its name among the choices, and what stands before and
 * after whom or what it was done to. */
static const struct {
	const char *name, *before, *after;
} words[MOD_ACTION_KINDS] = {
	[MOD_REMOVED] = { "Posts removed", "removed", "" },
	[MOD_RESTORED] = { "Posts restored", "restored", "" },
	[MOD_DISMISSED] = { "Posts kept", "looked at", "and kept it" },
	[MOD_VOIDED] = { "Votes voided", "voided the vote of", "" },
	[MOD_COUNTED] = { "Votes counted again", "counted the vote of",
	    "again" },
	[MOD_SUSPENDED] = { "Members suspended", "suspended", "" },
	[MOD_READMITTED] = { "Members let in again", "let", "in again" },
	[MOD_VOUCHED] = { "Members vouched for", "vouched for", "" },
	[MOD_APPOINTED] = { "Roles given", "made", "" },
	[MOD_HOST_BLOCKED] = { "Hosts refused", "refused links to", "" },
	[MOD_HOST_ALLOWED] = { "Hosts allowed again", "allowed links to",
	    "again" },
	[MOD_GROUP_RETITLED] = { "Groups with a new title",
	    "changed the title of the group", "to" },
	[MOD_GROUP_RENAMED] = { "Groups renamed", "renamed the group", "to" },
	[MOD_GROUP_MERGED] = { "Groups merged", "merged the group", "into" },
	[MOD_GROUP_CLOSED] = { "Groups closed", "closed the group", "" },
	[MOD_GROUP_OPENED] = { "Groups opened again", "opened the group",
	    "again" },
	[MOD_GROUP_DELETED] = { "Groups deleted", "deleted the group", "" },
	[MOD_THREAD_CLOSED] = { "Threads closed", "closed the thread of", "" },
	[MOD_THREAD_OPENED] = { "Threads opened again", "opened the thread of",
	    "again" },
};

/* What a member was made. */
static const char *const roles[] = { [ROLE_MEMBER] = "a member",
	[ROLE_MODERATOR] = "a moderator",
	[ROLE_OWNER] = "an owner" };

/* Says what was done, and of what kind that is; a word that is none is said as it is. */
static void
set_words(struct mod_log_row *line, const struct mod_action *act)
{
	enum mod_action_kind kind;
	enum mod_action_target target;
	enum role role;

	line->before = act->what;
	if (!mod_action_parse(act->what, &kind))
		return;
	line->before = text_of(words[kind].before);
	line->after = text_of(words[kind].after);
	target = mod_action_target(kind);
	line->is_on_vote = target == MOD_ON_VOTE;
	line->is_on_article = act->article != 0 && !line->is_on_vote;
	line->is_on_member = target == MOD_ON_MEMBER;
	line->is_on_host = target == MOD_ON_HOST;
	line->is_on_group = target == MOD_ON_GROUP;
	line->is_suspension = kind == MOD_SUSPENDED;
	line->is_deleted = kind == MOD_GROUP_DELETED;
	if (kind == MOD_APPOINTED && role_parse(act->subject, &role))
		line->after = text_of(roles[role]);
}

static struct mod_log_row
line_of(struct arena *arena, const struct mod_action *act, int64_t now,
    bool is_named)
{
	const struct post_id id = { act->article, act->comment };
	struct mod_log_row line = {
		.by = is_named ? act->by.name : TEXT(""),
		.is_command = act->by.id == 0,
		.article = act->article,
		.path = format_post_path(arena, id),
		.member = act->member.name,
		.subject = act->subject,
		.into = act->into,
		.reason = act->reason,
		.at = format_age(arena, now, act->at),
		.at_iso = format_iso(arena, act->at),
		.at_moment = format_moment(arena, act->at),
	};

	if (act->comment != 0)
		line.comment = text_number(arena, (int64_t)act->comment);
	set_words(&line, act);
	if (line.is_on_article && text_equal(act->subject, MOD_ACTION_ALONE))
		line.after = text_format(arena, "%.*s%sas nobody else could",
		    TEXT_ARGS(line.after), line.after.size > 0 ? ", " : "");
	if (act->until != 0) {
		line.until = format_moment(arena, act->until);
		line.until_iso = format_iso(arena, act->until);
	}
	return line;
}

static struct mustache_list
choices_of(struct arena *arena, struct text kind)
{
	struct mod_log_choice *choices =
	    arena_new(arena, struct mod_log_choice, MOD_ACTION_KINDS);

	for (size_t i = 0; i < MOD_ACTION_KINDS; i++)
		choices[i] = (struct mod_log_choice){ mod_action_words[i],
			text_of(words[i].name),
			text_equal(mod_action_words[i], kind) };
	return (struct mustache_list){ choices, MOD_ACTION_KINDS };
}

struct text
mod_log_address(struct arena *arena, const struct mod_log_filter *filter)
{
	const struct {
		const char *name;
		struct text value;
	} parts[] = { { "kind", filter->kind }, { "member", filter->member },
		{ "moderator", filter->moderator } };
	struct text address = TEXT("/log");
	char joint = '?';

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].value.size == 0)
			continue;
		address = text_format(arena, "%.*s%c%s=%.*s",
		    TEXT_ARGS(address), joint, parts[i].name,
		    TEXT_ARGS(url_encode(arena, parts[i].value)));
		joint = '&';
	}
	return address;
}

struct mod_log_model
mod_log_model_of(struct arena *arena, const struct mod_log_page *log,
    const struct mod_log_filter *filter, uint64_t number, bool is_named)
{
	struct mod_log_row *lines =
	    arena_new(arena, struct mod_log_row, log->count);

	for (size_t i = 0; i < log->count; i++)
		lines[i] = line_of(arena, &log->acts[i], log->now, is_named);
	return (struct mod_log_model){ .lines = { lines, log->count },
		.kinds = choices_of(arena, filter->kind),
		.member = filter->member,
		.moderator = filter->moderator,
		.is_named = is_named,
		.is_filtered = filter->kind.size + filter->member.size +
			filter->moderator.size >
		    0,
		.empty = log->count == 0,
		.search_ended = log->search_ended,
		.pager = pager_model_of(
		    arena, mod_log_address(arena, filter), number, log->more) };
}

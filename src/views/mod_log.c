#include "views/mod_log.h"

#include "base/arena.h"
#include "base/url.h"
#include "store/mod_decision.h"
#include "views/format.h"
#include "views/messages.h"

/* The words of an act on many posts and votes of a member: "suspended ann permanently, removed 8
 * articles", "voided 14 votes of ann". */
static void
set_extent(struct arena *arena, struct mod_log_row *row,
    const struct mod_action *act, enum mod_action_kind kind)
{
	struct mod_action rest = *act;
	struct text extent = message_extent(arena, act, kind);
	bool is_of_member = kind != MOD_RELEASED &&
	    !text_equal(act->subject, MOD_ACTION_SUSPENDS);

	row->is_on_vote = false;
	row->is_on_member = true;
	row->subject = TEXT("");
	if (is_of_member) {
		rest.hosts = TEXT("");
		extent = message_extent(arena, &rest, kind);
		row->before = extent.size > 0 ? message_of(arena, extent)
					      : message_act_on_all(kind);
		rest = (struct mod_action){ .hosts = act->hosts };
		extent = message_extent(arena, &rest, kind);
	} else if (kind != MOD_RELEASED) {
		row->before = message_mod_action(MOD_SUSPENDED).before;
	}
	if (extent.size > 0)
		row->after = message_and_also(arena, extent);
}

/* "removed 12 articles of example.com" */
static void
set_decision(struct arena *arena, struct mod_log_row *row,
    const struct mod_action *act, enum mod_action_kind kind)
{
	row->is_on_vote = row->is_on_member = row->is_suspension = false;
	row->before = message_decision(arena, act, kind);
	row->is_on_host = act->subject.size > 0;
	if (row->is_on_host)
		row->before = message_of(arena, row->before);
}

/* Which vote it was is for moderators alone. */
static void
hide_vote(struct mod_log_row *row, enum mod_action_kind kind)
{
	row->before = message_one_vote(kind);
	row->is_on_vote = false;
	row->is_on_member = true;
	row->article = 0;
	row->title = row->comment = row->path = TEXT("");
}

static bool
is_on_many(const struct mod_action *act, enum mod_action_kind kind)
{
	return kind == MOD_CONTAINED || kind == MOD_RELEASED ||
	    (mod_action_target(kind) == MOD_ON_VOTE && act->article == 0);
}

/* Sets the sentence's words and flags; an unknown word of a newer program's is shown
 * unchanged. */
static void
set_words(struct arena *arena, struct mod_log_row *row,
    const struct mod_action *act, struct mod_log_rights rights)
{
	struct message_mod_action words;
	enum mod_action_target target;
	enum mod_action_kind kind;
	enum role role;

	row->before = act->what;
	if (!mod_action_parse(act->what, &kind))
		return;
	target = mod_action_target(kind);
	words = message_mod_action(kind);
	row->before = words.before;
	row->after = words.after;
	row->is_on_article = target == MOD_ON_POST && act->article != 0;
	row->is_on_vote = target == MOD_ON_VOTE;
	row->is_on_member = target == MOD_ON_MEMBER;
	row->is_on_host = target == MOD_ON_HOST;
	row->is_on_group = target == MOD_ON_GROUP;
	row->is_suspension = kind == MOD_SUSPENDED;
	row->is_deleted = kind == MOD_GROUP_DELETED;
	if (kind == MOD_MOVED && act->into.size == 0)
		row->after = message_text(MESSAGE_TO_NO_GROUP);
	if (kind == MOD_APPOINTED && role_parse(act->subject, &role))
		row->after = message_role(role);
	if (kind == MOD_GROUP_APPOINTED || kind == MOD_GROUP_DISMISSED ||
	    kind == MOD_BARRED || kind == MOD_UNBARRED)
		row->group = act->subject;
	if (mod_decision_is(act))
		set_decision(arena, row, act, kind);
	else if (is_on_many(act, kind))
		set_extent(arena, row, act, kind);
	else if (row->is_on_vote && !rights.details)
		hide_vote(row, kind);
}

/* Where moderators see more: on what a decision was, or what an act on a member has changed. */
static struct text
details_of(struct arena *arena, const struct mod_action *act)
{
	enum mod_action_kind kind;

	if (mod_decision_is(act))
		return mod_log_decision_path(arena, act->id);
	return mod_action_parse(act->what, &kind) && is_on_many(act, kind)
	    ? text_format(arena, "/u/%.*s/contain", TEXT_ARGS(act->member.name))
	    : TEXT("");
}

struct text
mod_log_decision_path(struct arena *arena, uint64_t decision)
{
	return text_format(arena, "/log/%llu", (unsigned long long)decision);
}

struct mod_log_row
mod_log_row_of(struct arena *arena, const struct mod_action *act, int64_t now,
    struct mod_log_rights rights)
{
	const struct post_id id = { act->article, act->comment };
	struct mod_log_row row = {
		.by = rights.names ? act->by.name : TEXT(""),
		.is_command = act->by.id == 0,
		.article = act->article,
		.title = format_short(arena, act->title),
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
		row.comment = text_number(arena, (int64_t)act->comment);
	set_words(arena, &row, act, rights);
	if (rights.details)
		row.details = details_of(arena, act);
	if (row.is_on_article && text_equal(act->subject, MOD_ACTION_ALONE))
		row.after = message_sole_moderator(arena, row.after);
	if (act->until != 0) {
		row.until = format_moment(arena, act->until);
		row.until_iso = format_iso(arena, act->until);
	}
	return row;
}

struct text
mod_log_actor(const struct mod_log_row *row)
{
	if (row->by.size > 0)
		return row->by;
	return message_text(
	    row->is_command ? MESSAGE_THE_OPERATOR : MESSAGE_A_MODERATOR);
}

struct text
mod_log_title(struct arena *arena, const struct mod_log_row *row)
{
	struct text object = row->subject, title;

	if (row->is_on_article)
		object = message_post_of(
		    arena, row->article, row->title, row->comment, row->member);
	else if (row->is_on_vote || row->is_on_member)
		object = row->member;
	title =
	    text_format(arena, "%.*s %.*s %.*s", TEXT_ARGS(mod_log_actor(row)),
		TEXT_ARGS(row->before), TEXT_ARGS(object));
	if (row->after.size > 0)
		title = text_format(arena, "%.*s %.*s", TEXT_ARGS(title),
		    TEXT_ARGS(row->after));
	if (row->group.size > 0)
		title = text_format(arena, "%.*s %.*s", TEXT_ARGS(title),
		    TEXT_ARGS(row->group));
	return row->into.size == 0
	    ? title
	    : text_format(
		  arena, "%.*s %.*s", TEXT_ARGS(title), TEXT_ARGS(row->into));
}

static struct mustache_list
choices_of(struct arena *arena, struct text kind)
{
	struct mod_log_choice *choices =
	    arena_new(arena, struct mod_log_choice, MOD_ACTION_KINDS);

	for (enum mod_action_kind i = 0; i < MOD_ACTION_KINDS; i++)
		choices[i] = (struct mod_log_choice){ mod_action_words[i],
			message_mod_action(i).name,
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
    const struct mod_log_filter *filter, uint64_t number,
    struct mod_log_rights rights)
{
	struct mod_log_row *rows =
	    arena_new(arena, struct mod_log_row, log->count);
	size_t count = 0;

	for (size_t i = 0; i < log->count; i++)
		if (rights.details || log->actions[i].decision == 0)
			rows[count++] = mod_log_row_of(
			    arena, &log->actions[i], log->now, rights);
	return (struct mod_log_model){ .rows = { rows, count },
		.kinds = choices_of(arena, filter->kind),
		.member = filter->member,
		.moderator = filter->moderator,
		.is_named = rights.names,
		.is_filtered = filter->kind.size + filter->member.size +
			filter->moderator.size >
		    0,
		.empty = count == 0,
		.search_ended = log->search_ended,
		.pager = pager_model_of(
		    arena, mod_log_address(arena, filter), number, log->more) };
}

struct mod_log_decision_model
mod_log_decision_model_of(struct arena *arena,
    const struct mod_action *decision, const struct mod_log_page *parts,
    uint64_t number)
{
	static const struct mod_log_rights all = { true, true };
	struct mod_log_row *rows =
	    arena_new(arena, struct mod_log_row, parts->count);
	struct mod_log_decision_model model = { .rows = { rows, parts->count },
		.entry = mod_log_row_of(arena, decision, parts->now, all),
		.empty = parts->count == 0,
		.pager = pager_model_of(arena,
		    mod_log_decision_path(arena, decision->id), number,
		    parts->more) };

	for (size_t i = 0; i < parts->count; i++)
		rows[i] =
		    mod_log_row_of(arena, &parts->actions[i], parts->now, all);
	model.entry.details = TEXT("");
	return model;
}

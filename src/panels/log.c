#include "panels/log.h"

#include "base/arena.h"
#include "base/url.h"
#include "parts/format.h"

#define LINE(member) MUSTACHE_PLAIN(struct log_line, member)
static const struct mustache_type log_line_type =
    VIEW_TYPE(struct log_line, LINE(what), LINE(by), LINE(is_command),
	LINE(article), LINE(member), LINE(subject), LINE(into), LINE(reason),
	LINE(until), LINE(until_iso), LINE(at), LINE(at_iso), LINE(at_moment),
	LINE(is_on_article), LINE(is_on_member), LINE(is_appointed),
	LINE(is_on_host), LINE(is_on_group));

static const struct mustache_type choice_type =
    VIEW_TYPE(struct log_choice, MUSTACHE_PLAIN(struct log_choice, word),
	MUSTACHE_PLAIN(struct log_choice, chosen));

#define SHOWN(member) MUSTACHE_PLAIN(struct log_model, member)
static const struct mustache_type type = VIEW_TYPE(struct log_model,
    MUSTACHE_ITEMS(struct log_model, lines, &log_line_type),
    MUSTACHE_ITEMS(struct log_model, kinds, &choice_type), SHOWN(member),
    SHOWN(moderator), SHOWN(is_named), SHOWN(empty), SHOWN(search_ended),
    MUSTACHE_STRUCT(struct log_model, pager, &pager_type));

const struct view log_view = { "log", &type };

static struct log_line
line_of(struct arena *arena, const struct act *act, int64_t now, bool is_named)
{
	struct log_line line = {
		.what = act->what,
		.by = is_named ? act->by.name : TEXT(""),
		.is_command = act->by.id == 0,
		.article = act->article,
		.member = act->member.name,
		.subject = act->subject,
		.into = act->into,
		.reason = act->reason,
		.at = format_age(arena, now, act->at),
		.at_iso = format_iso(arena, act->at),
		.at_moment = format_moment(arena, act->at),
		.is_on_article = act->article != 0,
		.is_appointed = text_equal(act->what, act_words[ACT_APPOINTED]),
		.is_on_host = text_starts(act->what, TEXT("host-")),
		.is_on_group = text_starts(act->what, TEXT("group-")),
	};

	line.is_on_member = !line.is_on_article && act->member.id != 0;
	if (act->until != 0) {
		line.until = format_moment(arena, act->until);
		line.until_iso = format_iso(arena, act->until);
	}
	return line;
}

static struct mustache_list
choices_of(struct arena *arena, struct text kind)
{
	struct log_choice *choices =
	    arena_new(arena, struct log_choice, ACT_KINDS);

	for (size_t i = 0; i < ACT_KINDS; i++)
		choices[i] = (struct log_choice){ act_words[i],
			text_equal(act_words[i], kind) };
	return (struct mustache_list){ choices, ACT_KINDS };
}

/* The address of the first page. */
static struct text
address_of(struct arena *arena, const struct log_filter *filter)
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

struct log_model
log_model_of(struct arena *arena, const struct log_page *log,
    const struct log_filter *filter, uint64_t number, bool is_named)
{
	struct log_line *lines = arena_new(arena, struct log_line, log->count);

	for (size_t i = 0; i < log->count; i++)
		lines[i] = line_of(arena, &log->acts[i], log->now, is_named);
	return (struct log_model){ .lines = { lines, log->count },
		.kinds = choices_of(arena, filter->kind),
		.member = filter->member,
		.moderator = filter->moderator,
		.is_named = is_named,
		.empty = log->count == 0,
		.search_ended = log->search_ended,
		.pager = pager_model_of(
		    arena, address_of(arena, filter), number, log->more) };
}

#include "views/list.h"

#include "base/arena.h"
#include "views/format.h"

static const struct mustache_type tab_type =
    VIEW_TYPE(struct list_tab, MUSTACHE_PLAIN(struct list_tab, href),
	MUSTACHE_PLAIN(struct list_tab, current));

static const struct mustache_type html_type =
    VIEW_TYPE(struct mustache_html, { .name = ".", .kind = MUSTACHE_HTML });

#define ROWS(member) MUSTACHE_PLAIN(struct list_rows_model, member)
static const struct mustache_type rows_type = VIEW_TYPE(struct list_rows_model,
    MUSTACHE_ITEMS(struct list_rows_model, lines, &html_type), ROWS(partial),
    ROWS(cut_off), ROWS(search_ended), ROWS(empty), ROWS(is_front),
    ROWS(is_interesting), ROWS(groups), ROWS(last_page),
    MUSTACHE_STRUCT(struct list_rows_model, pager, &pager_type));

#define TAB(member)   MUSTACHE_STRUCT(struct list_model, member, &tab_type)
#define SHOWN(member) MUSTACHE_PLAIN(struct list_model, member)
static const struct mustache_type type = VIEW_TYPE(struct list_model, TAB(top),
    TAB(new), TAB(oldest), TAB(bottom), TAB(any), TAB(all), SHOWN(ordered),
    SHOWN(combined), SHOWN(kept),
    MUSTACHE_ITEMS(struct list_model, listing, &rows_type), SHOWN(votable),
    SHOWN(title), SHOWN(heading), SHOWN(names),
    MUSTACHE_ITEMS(struct list_model, titles, &format_name_type),
    SHOWN(threshold), SHOWN(articles), SHOWN(comments), SHOWN(may_mute),
    SHOWN(is_muted), SHOWN(knows_karma), SHOWN(karma), SHOWN(since),
    SHOWN(since_iso), SHOWN(moderator), SHOWN(owner), SHOWN(own), SHOWN(closed),
    SHOWN(may_moderate), SHOWN(is_suspended), SHOWN(suspended_until),
    SHOWN(is_closed), SHOWN(invited_by), SHOWN(has_invited),
    MUSTACHE_ITEMS(struct list_model, invited, &format_name_type));

const struct fragment list_rows_view = { "listing", &rows_type, 32768 };

const struct view list_front_view = { "front", &type };
const struct view list_interesting_view = { "interesting", &type };
const struct view list_group_view = { "group", &type };
const struct view list_member_view = { "member", &type };

/* The same list in an order and with a way to match; what is usual is left
 * out. */
static struct text
href_of(struct arena *arena, struct text base, enum list_order order,
    enum list_match match)
{
	struct text href = base;

	if (order != ORDER_TOP)
		href = text_join(arena, href,
		    text_join(arena, TEXT("?order="), list_order_words[order]));
	if (match == MATCH_ALL)
		href = text_join(arena, href,
		    order == ORDER_TOP ? TEXT("?match=all")
				       : TEXT("&match=all"));
	return href;
}

/* "a+b", as a query has it; empty for other lists. */
static struct text
joined(struct arena *arena, const struct list_query *query)
{
	struct text names = TEXT("");

	for (size_t i = 0; i < query->group_count; i++)
		names = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(names),
		    i == 0 ? "" : "+", TEXT_ARGS(query->groups[i]));
	return names;
}

struct list_rows_model
list_rows_of(struct arena *arena, const struct list_query *query,
    const struct list *list, struct text base, struct mustache_list lines)
{
	bool searched = list->search_ended && !list->cut_off;
	bool nothing = list->count == 0 && !list->cut_off && !searched &&
	    !list->is_partial;

	return (struct list_rows_model){ .lines = lines,
		.partial = list->is_partial,
		.cut_off = list->cut_off,
		.search_ended = searched,
		.empty = nothing,
		.is_front = query->kind == LIST_FRONT,
		.is_interesting = query->kind == LIST_INTERESTING,
		.groups = joined(arena, query),
		.last_page = LIST_MERGED_PAGES,
		.pager = pager_model_of(arena,
		    href_of(arena, base, query->order, query->match),
		    query->page, list->more) };
}

static struct list_tab
tab_of(struct arena *arena, const struct list_query *query, struct text base,
    enum list_order order, enum list_match match)
{
	return (struct list_tab){ href_of(arena, base, order, match),
		query->order == order && query->match == match };
}

struct list_model
list_model_of_member(
    struct arena *arena, const struct user *user, const int64_t *karma)
{
	return (struct list_model){
		.heading = user->name,
		.knows_karma = karma != NULL,
		.karma = karma != NULL ? *karma : 0,
		.moderator = user->role == ROLE_MODERATOR,
		.owner = user->role == ROLE_OWNER,
		.closed = user->closed != 0,
		.invited_by = user->invited_by,
		.has_invited = user->invited.size > 0,
		.invited = format_names(arena, user->invited),
		.since = format_moment(arena, user->created),
		.since_iso = format_iso(arena, user->created),
	};
}

struct text
list_address(
    struct arena *arena, const struct list_query *query, struct text base)
{
	return pager_href(arena,
	    href_of(arena, base, query->order, query->match), query->page);
}

/* Each part with a mark behind it, for what comes next. */
static struct text
add_to_title(struct arena *arena, struct text title, struct text part)
{
	return part.size == 0 ? title
			      : text_format(arena, "%.*s%.*s · ",
				    TEXT_ARGS(title), TEXT_ARGS(part));
}

static struct text
title_of(
    struct arena *arena, struct text heading, const struct list_query *query)
{
	static const struct text orders[] = {
		[ORDER_BOTTOM] = TEXT_INIT("Bottom"),
		[ORDER_NEW] = TEXT_INIT("New"),
		[ORDER_OLDEST] = TEXT_INIT("Oldest"),
	};
	struct text title = add_to_title(arena, TEXT(""), heading);

	if (query->match == MATCH_ALL)
		title = add_to_title(arena, title, TEXT("In all groups"));
	if (query->order != ORDER_TOP)
		title = add_to_title(arena, title, orders[query->order]);
	if (query->page > 1)
		title = add_to_title(arena, title,
		    text_format(
			arena, "Page %llu", (unsigned long long)query->page));
	return title;
}

void
list_model_fill(struct list_model *model, struct arena *arena,
    const struct list_query *query, struct text base)
{
	enum list_order order = query->order;
	enum list_match match = query->match;

	model->title = title_of(arena,
	    query->kind == LIST_INTERESTING ? TEXT("Interesting")
					    : model->heading,
	    query);
	model->names = joined(arena, query);
	model->ordered = query->kind != LIST_INTERESTING;
	model->top = tab_of(arena, query, base, ORDER_TOP, match);
	model->new = tab_of(arena, query, base, ORDER_NEW, match);
	model->oldest = tab_of(arena, query, base, ORDER_OLDEST, match);
	model->bottom = tab_of(arena, query, base, ORDER_BOTTOM, match);
	model->combined = query->group_count > 1;
	model->any = tab_of(arena, query, base, order, MATCH_ANY);
	model->all = tab_of(arena, query, base, order, MATCH_ALL);
}

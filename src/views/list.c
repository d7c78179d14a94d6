#include "views/list.h"

#include "base/arena.h"
#include "lists/list_sources.h"
#include "views/format.h"
#include "views/messages.h"

/* The query's list in its order and with its way to match; what is usual is left out, and the
 * newest of all have a path of their own. */
static struct text
list_href(struct arena *arena, const struct list_query *query, struct text base)
{
	bool is_usual = query->order == query->usual;
	struct text href = base;

	if (query->order == ORDER_NEW && text_equal(base, TEXT("/")))
		return TEXT("/new");
	if (query->order == ORDER_BEST && query->kind == LIST_FRONT &&
	    !is_usual)
		return text_join(arena, TEXT("/best/"), query->period.word);
	if (!is_usual)
		href = text_join(arena, href,
		    text_join(arena, TEXT("?order="),
			list_order_words[query->order]));
	if (query->order == ORDER_BEST && !is_usual)
		href = text_join(arena, href,
		    text_join(arena, TEXT("&period="), query->period.word));
	if (query->match == MATCH_ALL)
		href = text_join(arena, href,
		    is_usual ? TEXT("?match=all") : TEXT("&match=all"));
	return href;
}

/* "a+b", as a query has it; empty for other lists, and what a member follows. */
static struct text
join_groups(struct arena *arena, const struct list_query *query)
{
	struct text names = TEXT("");

	for (size_t i = 0; !query->is_home && i < query->group_count; i++)
		names = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(names),
		    i == 0 ? "" : "+", TEXT_ARGS(query->groups[i]));
	return names;
}

/* The next page begins where this one has ended. */
static struct pager_model
pager_of(struct arena *arena, const struct list_query *query,
    const struct list *list, struct text base)
{
	struct text href = list_href(arena, query, base);
	struct pager_model model =
	    pager_model_of(arena, href, query->page, list->more);

	if (list->next > 1)
		model.next =
		    pager_part_href(arena, href, query->page + 1, list->next);
	return model;
}

struct list_rows_model
list_rows_of(struct arena *arena, const struct list_query *query,
    const struct list *list, struct text base)
{
	bool searched = list->search_ended && !list->cut_off;
	bool nothing = list->count == 0 && !list->cut_off && !searched &&
	    !list->is_partial && list->hidden == 0;

	return (struct list_rows_model){ .partial = list->is_partial,
		.cut_off = list->cut_off,
		.approximate = list->is_approximate,
		.search_ended = searched,
		.empty = nothing,
		.is_front = query->kind == LIST_FRONT,
		.is_interesting = query->kind == LIST_INTERESTING,
		.is_publisher = query->kind == LIST_PUBLISHER,
		.is_home = query->is_home,
		.groups = join_groups(arena, query),
		.last_page = (int64_t)list->last_page,
		.hidden_ended = list->hidden_ended,
		.hidden = list->hidden == 0
		    ? TEXT("")
		    : message_count(
			  arena, MESSAGE_HIDDEN_POSTS, (int64_t)list->hidden),
		.pager = pager_of(arena, query, list, base) };
}

static struct list_tab
tab_of(struct arena *arena, const struct list_query *query, struct text base,
    enum list_order order, enum list_match match)
{
	struct list_query other = *query;

	other.order = order;
	other.match = match;
	return (struct list_tab){ list_href(arena, &other, base),
		query->order == order && query->match == match };
}

struct list_model
list_model_of_member(
    struct arena *arena, const struct user *user, const int64_t *karma)
{
	return (struct list_model){
		.heading = user->name,
		.karma =
		    karma != NULL ? message_number(arena, *karma) : TEXT(""),
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
	return pager_href(arena, list_href(arena, query, base), query->page);
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
title_of(struct arena *arena, const struct list_query *query)
{
	struct text title = TEXT("");

	if (query->match == MATCH_ALL)
		title = add_to_title(
		    arena, title, message_text(MESSAGE_ALL_GROUPS));
	if (query->order != query->usual)
		title = add_to_title(arena, title,
		    query->order == ORDER_BEST
			? message_period(arena, &query->period)
			: message_list_order(query->order));
	if (query->page > 1)
		title = add_to_title(
		    arena, title, message_page(arena, query->page));
	return title;
}

static struct mustache_list
best_tabs(struct arena *arena, const struct list_query *query, struct text base)
{
	struct list_best_tab *tabs =
	    arena_new(arena, struct list_best_tab, PERIOD_WORDS);
	struct list_query other = *query;

	other.order = ORDER_BEST;
	for (size_t i = 0; i < PERIOD_WORDS; i++) {
		enum period_kind kind = (enum period_kind)i;

		other.period.word = period_words[i];
		tabs[i] = (struct list_best_tab){ message_period_tab(kind),
			list_href(arena, &other, base),
			query->order == ORDER_BEST &&
			    query->period.kind == kind };
	}
	return (struct mustache_list){ tabs, PERIOD_WORDS };
}

void
list_model_fill(struct list_model *model, struct arena *arena,
    const struct list_query *query, struct text base)
{
	enum list_order order = query->order;
	enum list_match match = query->match;

	model->title = title_of(arena, query);
	model->names = join_groups(arena, query);
	model->ordered = list_sources_have_orders(query) &&
	    query->period.kind != PERIOD_DATE;
	model->is_best = order == ORDER_BEST;
	if (model->is_best && model->ordered)
		model->period = message_period(arena, &query->period);
	model->bests = best_tabs(arena, query, base);
	model->top = tab_of(arena, query, base, ORDER_TOP, match);
	model->new = tab_of(arena, query, base, ORDER_NEW, match);
	model->is_more = order == ORDER_OLDEST || order == ORDER_BOTTOM;
	model->oldest = tab_of(arena, query, base, ORDER_OLDEST, match);
	model->bottom = tab_of(arena, query, base, ORDER_BOTTOM, match);
	model->ranked = list_sources_have(query->kind, ORDER_HOT);
	model->hot = tab_of(arena, query, base, ORDER_HOT, match);
	model->active = tab_of(arena, query, base, ORDER_ACTIVE, match);
	model->combined = query->group_count > 1 && !query->is_home;
	model->any = tab_of(arena, query, base, order, MATCH_ANY);
	model->all = tab_of(arena, query, base, order, MATCH_ALL);
}

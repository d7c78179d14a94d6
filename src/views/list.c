#include "views/list.h"

#include "base/arena.h"
#include "views/format.h"

static const struct mustache_field tab_fields[] = {
	MUSTACHE_PLAIN(struct list_tab, href),
	MUSTACHE_PLAIN(struct list_tab, current),
};
static const struct mustache_type tab_type =
    MUSTACHE_TYPE(struct list_tab, tab_fields);

static const struct mustache_field html_fields[] = {
	{ .name = ".", .kind = MUSTACHE_HTML },
};
static const struct mustache_type html_type =
    MUSTACHE_TYPE(struct mustache_html, html_fields);

static const struct mustache_field listing_fields[] = {
	MUSTACHE_ITEMS(struct listing_model, lines, &html_type),
	MUSTACHE_PLAIN(struct listing_model, cut_off),
	MUSTACHE_PLAIN(struct listing_model, search_ended),
	MUSTACHE_PLAIN(struct listing_model, empty),
	MUSTACHE_PLAIN(struct listing_model, last_page),
	MUSTACHE_STRUCT(struct listing_model, pager, &pager_type),
};
static const struct mustache_type listing_type =
    MUSTACHE_TYPE(struct listing_model, listing_fields);

static const struct mustache_field fields[] = {
	MUSTACHE_STRUCT(struct list_model, top, &tab_type),
	MUSTACHE_STRUCT(struct list_model, new, &tab_type),
	MUSTACHE_STRUCT(struct list_model, oldest, &tab_type),
	MUSTACHE_STRUCT(struct list_model, bottom, &tab_type),
	MUSTACHE_STRUCT(struct list_model, any, &tab_type),
	MUSTACHE_STRUCT(struct list_model, all, &tab_type),
	MUSTACHE_PLAIN(struct list_model, ordered),
	MUSTACHE_PLAIN(struct list_model, combined),
	MUSTACHE_PLAIN(struct list_model, listing),
	MUSTACHE_PLAIN(struct list_model, votable),
	MUSTACHE_PLAIN(struct list_model, heading),
	MUSTACHE_PLAIN(struct list_model, intro),
	MUSTACHE_PLAIN(struct list_model, threshold),
	MUSTACHE_PLAIN(struct list_model, karma),
	MUSTACHE_PLAIN(struct list_model, since),
	MUSTACHE_PLAIN(struct list_model, since_iso),
	MUSTACHE_PLAIN(struct list_model, moderator),
	MUSTACHE_PLAIN(struct list_model, own),
};
static const struct mustache_type type =
    MUSTACHE_TYPE(struct list_model, fields);

const struct bare_view list_listing_view = { "listing", &listing_type, 32768 };

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
		href = text_format(arena, "%.*s?order=%.*s", TEXT_ARGS(href),
		    TEXT_ARGS(list_order_words[order]));
	if (match == MATCH_ALL)
		href = text_format(arena, "%.*s%cmatch=all", TEXT_ARGS(href),
		    order == ORDER_TOP ? '?' : '&');
	return href;
}

struct listing_model
list_listing_of(struct arena *arena, const struct list_query *query,
    const struct list *list, struct text base, struct mustache_list lines)
{
	bool searched = list->search_ended && !list->cut_off;
	bool nothing = list->count == 0 && !list->cut_off && !searched;
	struct listing_model model = { .lines = lines,
		.cut_off = list->cut_off,
		.search_ended = searched,
		.empty = nothing && query->page == 1,
		.last_page = LIST_MERGED_PAGES,
		.pager = pager_model_of(arena,
		    href_of(arena, base, query->order, query->match),
		    query->page, list->more) };

	model.pager.past_end = nothing && query->page > 1;
	return model;
}

static struct list_tab
order_tab(struct arena *arena, const struct list_query *query, struct text base,
    enum list_order order)
{
	return (struct list_tab){ href_of(arena, base, order, query->match),
		query->order == order };
}

static struct list_tab
match_tab(struct arena *arena, const struct list_query *query, struct text base,
    enum list_match match)
{
	return (struct list_tab){ href_of(arena, base, query->order, match),
		query->match == match };
}

struct list_model
list_model_of_member(
    struct arena *arena, const struct user *user, int64_t karma)
{
	return (struct list_model){
		.heading = user->name,
		.karma = karma,
		.moderator = user->role == ROLE_MODERATOR,
		.since = format_moment(arena, user->created),
		.since_iso = format_iso(arena, user->created),
	};
}

void
list_model_fill(struct list_model *model, struct arena *arena,
    const struct list_query *query, struct text base)
{
	model->ordered = query->kind != LIST_INTERESTING;
	model->top = order_tab(arena, query, base, ORDER_TOP);
	model->new = order_tab(arena, query, base, ORDER_NEW);
	model->oldest = order_tab(arena, query, base, ORDER_OLDEST);
	model->bottom = order_tab(arena, query, base, ORDER_BOTTOM);
	model->combined = query->group_count > 1;
	model->any = match_tab(arena, query, base, MATCH_ANY);
	model->all = match_tab(arena, query, base, MATCH_ALL);
}

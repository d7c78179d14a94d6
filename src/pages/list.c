/*
 * Pages that list articles. A worker caches HTML under all that it is made from: for visitors the
 * rows of a whole page, which are the same for all of them; for members pieces of some rows
 * (pages/pieces.h). A member's row depends on the vote, on unread comments, and on whether the
 * article is saved.
 */
#include "views/list.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "lists/comments.h"
#include "lists/followed.h"
#include "lists/held.h"
#include "lists/overlooked.h"
#include "lists/posters.h"
#include "lists/read_marks.h"
#include "markup/markup.h"
#include "pages/feed.h"
#include "pages/hidden_lines.h"
#include "pages/newcomers.h"
#include "pages/pieces.h"
#include "store/group.h"
#include "store/publisher.h"
#include "store/site.h"
#include "views/article_row.h"
#include "views/format.h"
#include "views/language.h"
#include "views/messages.h"

/*
 * What a row is made from: the article's texts and its number of comments follow from its
 * id and its edits, its age from the step (format_age_step), its score from its points.
 */
static void
add_row_key(const struct page *page, const struct fragment *fragment,
    const struct article *article, struct stamp stamp, int64_t now,
    uint64_t unread, struct buffer *key)
{
	const struct post *post = &article->post;
	bool is_own = post->author.id == page->viewer.id;
	uint64_t buttons = (uint64_t)post->vote * 8 +
	    (uint64_t)post_is_open(post, now) * 4 + (uint64_t)is_own * 2 +
	    reader_has_saved(&page->reader, post->id);
	const uint64_t parts[] = { post->id.article, stamp.epoch, stamp.version,
		(uint64_t)post->points, (uint64_t)article->score, buttons,
		(uint64_t)format_age_step(now, post->posted), unread,
		reader_sees_score(&page->reader, post, now),
		page->reader.may_select, fragment == &overlooked_row_view,
		language_current()->index };

	buffer_add_varints(key, parts, sizeof(parts) / sizeof(parts[0]));
}

/* Rows of new members, which say how long to wait, are not cached, nor are visitors', whose arrows
 * have a link back to the page. */
static bool
rows_are_cached(const struct page *page)
{
	return page->reader.id != 0 && page->reader.waits.size == 0 &&
	    !page_is_head(page);
}

static struct text
row_html(struct page *page, const struct fragment *fragment,
    const struct article *article, int64_t now, uint64_t unread)
{
	struct article_row_model row =
	    article_row_model_of(page->arena, article, now, &page->reader);

	if (unread > 0)
		row.fresh = message_count(
		    page->arena, MESSAGE_NEW_COMMENTS, (int64_t)unread);
	return views_part(page->app->views, page->arena, fragment, &row).text;
}

/* A list's rows while they are rendered. */
struct row_source {
	const struct list *list;
	uint64_t *unread;
};

static struct row_source
row_source_of(
    struct page *page, const struct list *list, const struct read_marks *marks)
{
	struct row_source source = { list,
		arena_new(page->arena, uint64_t, list->count) };

	for (size_t i = 0; i < list->count; i++)
		source.unread[i] = read_marks_unread(marks, &list->articles[i]);
	return source;
}

static void
add_list_row_key(
    struct page *page, const void *of, size_t i, struct buffer *key)
{
	const struct row_source *source = of;
	const struct list *list = source->list;

	add_row_key(page, &article_row_view, &list->articles[i],
	    list->stamps[i], list->now, source->unread[i], key);
}

static struct text
join_rows(struct page *page, const void *of, size_t first, size_t last)
{
	const struct row_source *source = of;
	struct buffer rows =
	    buffer_in(page->arena, (last - first) * article_row_view.room);

	for (size_t i = first; i < last && !page_is_head(page); i++) {
		buffer_add(&rows,
		    row_html(page, &article_row_view,
			&source->list->articles[i], source->list->now,
			source->unread[i]));
		if (i + 1 < last)
			buffer_add_char(&rows, '\n');
	}
	return buffer_text(&rows);
}

/* The rows from first on, before last, in pieces. */
static struct mustache_list
render_rows(struct page *page, const struct row_source *source, size_t first,
    size_t last)
{
	const struct piece_rows rows = { .add_key = add_list_row_key,
		.render = join_rows,
		.source = source,
		.is_cached = rows_are_cached(page),
		.size = PIECE_ROWS };

	return pieces_of(page, &rows, first, last);
}

/* Whether the owners want a row of what was overlooked there: on the first page of all articles,
 * in the order that comes first. */
static bool
wants_overlooked(const struct page *page, const struct list_query *query)
{
	return query->kind == LIST_FRONT && query->order == query->usual &&
	    query->page == 1 && query->from <= 1 && query->versions != NULL &&
	    page->settings->overlooked.size == 0 && !page_is_head(page);
}

/* An article that was overlooked, and when its row is rendered. */
struct overlooked_row {
	struct overlooked found;
	int64_t now;
};

static void
add_overlooked_row_key(
    struct page *page, const void *source, size_t i, struct buffer *key)
{
	const struct overlooked_row *row = source;

	(void)i;
	add_row_key(page, &overlooked_row_view, &row->found.article,
	    row->found.stamp, row->now, 0, key);
}

static struct text
overlooked_row_html(
    struct page *page, const void *source, size_t first, size_t last)
{
	const struct overlooked_row *row = source;

	(void)first;
	(void)last;
	return row_html(
	    page, &overlooked_row_view, &row->found.article, row->now, 0);
}

/* False without one: the page is shown as well. */
static bool
find_overlooked(struct page *page, const struct list_query *query,
    const struct list *list, struct overlooked_row *row)
{
	row->now = list->now;
	return wants_overlooked(page, query) &&
	    overlooked_find(
		page->store, page->arena, query, list, &row->found) == STORE_OK;
}

/* The row, and the articles that follow it. */
static void
add_overlooked(struct page *page, const struct row_source *source,
    const struct overlooked_row *row, struct list_rows_model *rows)
{
	const struct piece_rows one = { .add_key = add_overlooked_row_key,
		.render = overlooked_row_html,
		.source = row,
		.is_cached = rows_are_cached(page),
		.size = 1 };
	struct list_overlooked_model *model =
	    arena_new(page->arena, struct list_overlooked_model, 1);

	model->row =
	    *(const struct mustache_html *)pieces_of(page, &one, 0, 1).items;
	model->next = (int64_t)row->found.place + 1;
	model->articles =
	    render_rows(page, source, row->found.place, source->list->count);
	rows->overlooked = (struct mustache_list){ model, 1 };
}

/* Renders the rows, in the order in which they are shown. */
static void
add_rows(struct page *page, const struct list_query *query,
    const struct row_source *source, struct list_rows_model *rows)
{
	struct overlooked_row row;
	bool has_row = find_overlooked(page, query, source->list, &row);

	rows->articles = render_rows(
	    page, source, 0, has_row ? row.found.place : source->list->count);
	if (has_row)
		add_overlooked(page, source, &row, rows);
}

/* Reads a page of the list, and renders its rows into the model. */
static enum store_result
read_rows(struct page *page, const struct list_query *query, struct text base,
    struct list_model *model)
{
	struct arena *arena = page->arena;
	struct list_rows_model *rows;
	struct list list;
	struct read_marks marks;
	struct row_source source;
	enum store_result result = list_read(page->store, arena, query, &list);

	if (result == STORE_OK)
		result = read_marks_read(page->store, arena,
		    page->app->read_cache, &page->viewer, &marks);
	if (result == STORE_OK)
		result = page_read_saved(page);
	if (result != STORE_OK)
		return result;
	model->has_buttons = page_is_signed_in(page) && list.count > 0;
	rows = arena_new(arena, struct list_rows_model, 1);
	source = row_source_of(page, &list, &marks);
	*rows = list_rows_of(arena, query, &list, base);
	add_rows(page, query, &source, rows);
	model->rows = (struct mustache_list){ rows, 1 };
	return STORE_OK;
}

/* What the rows of a visitor's page are made from: the address, the version of all lists, and the
 * second, which ages follow from; what else changes them is seen a second later. */
static struct text
visitor_rows_key(const struct page *page)
{
	struct stamp stamp = versions_lists_stamp(page->versions);
	struct text address = page->reader.back;
	const uint64_t parts[] = { stamp.epoch, stamp.version,
		(uint64_t)page->versions->now, language_current()->index };
	struct buffer key = buffer_in(page->arena, 40 + address.size);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, address);
	return buffer_text(&key);
}

/* A page without what is out of reach is shown, and not cached. */
static bool
is_partial(const struct list_model *model)
{
	const struct list_rows_model *rows = model->rows.items;

	return model->rows.count > 0 && rows->partial;
}

/* The page is empty, and follows others. */
static bool
is_past_end(const struct list_query *query, const struct list_model *model)
{
	const struct list_rows_model *rows = model->rows.items;

	return query->page > 1 && model->rows.count > 0 &&
	    rows->articles.count == 0 && !rows->search_ended &&
	    !rows->partial && rows->hidden.size == 0;
}

/* read_rows with a cache of what it renders. The cached HTML is not copied, which would be
 * a third of the work for such a page: it is valid until the next wait, and from here to
 * the response nothing waits, since page_load has read what the page is shown with. */
static enum store_result
read_visitor_rows(struct page *page, const struct list_query *query,
    struct text base, struct list_model *model)
{
	struct cache *cache = page->app->list_cache;
	struct text key;
	enum store_result result;

	if (page->versions == NULL)
		return STORE_DOWN;
	key = visitor_rows_key(page);
	if (cache_peek(cache, key, &model->cached.text))
		return STORE_OK;
	result = read_rows(page, query, base, model);
	if (result != STORE_OK || page_is_head(page) || is_partial(model) ||
	    is_past_end(query, model))
		return result;
	model->cached = views_part(
	    page->app->views, page->arena, &list_rows_view, model->rows.items);
	model->rows.count = 0;
	cache_put(cache, key, model->cached.text);
	return STORE_OK;
}

/* The order that the owners chose for the front page. */
static enum list_order
front_order(const struct page *page)
{
	enum list_order order = ORDER_TOP;

	list_order_parse(LIST_FRONT, page->settings->front_order, &order);
	return order;
}

/* "period" of the query, all time without it; false when it is malformed. */
static bool
parse_period(const struct page *page, struct list_query *query)
{
	struct text period = pairs_get(&page->request->query, TEXT("period"));

	return period_parse(period.size > 0 ? period : TEXT("all"),
	    page_clock(page), &query->period);
}

/* "order" of the query; false when it is malformed. */
static bool
parse_order(const struct page *page, struct list_query *query)
{
	struct text order = pairs_get(&page->request->query, TEXT("order"));

	query->order = query->usual;
	if (order.size > 0 &&
	    !list_order_parse(query->kind, order, &query->order))
		return false;
	return query->order != ORDER_BEST || parse_period(page, query);
}

/* "match" likewise. */
static bool
parse_match(const struct page *page, struct list_query *query)
{
	struct text match = pairs_get(&page->request->query, TEXT("match"));

	return match.size == 0 || list_match_parse(match, &query->match);
}

static enum http_status
show_past_end(
    struct page *page, const struct list_query *query, struct text base)
{
	struct list_query first = *query;
	uint64_t pages;
	enum store_result result =
	    list_pages(page->store, page->arena, query, &pages);

	if (result != STORE_OK)
		return page_list_failed(page, result);
	first.page = 1;
	return page_past_end(
	    page, list_address(page->arena, &first, base), pages);
}

/* The path of a list's feed: that of the front page has what is interesting. */
static struct text
feed_path(const struct list_query *query, struct text base)
{
	if (query->kind != LIST_FRONT)
		return base;
	return query->order == ORDER_NEW ? TEXT("/new") : TEXT("/index");
}

/* The path of a list as a page without an order. */
static struct feed_page
feed_page_of(const struct list_query *query, struct text base,
    const struct list_model *model)
{
	struct feed_page of = { .path = base, .heading = model->heading };

	if (query->match == MATCH_ALL)
		of.query = TEXT("?match=all");
	of.is_private = query->is_home;
	if (query->kind == LIST_FRONT) {
		of.path = TEXT("/new");
		of.heading = message_text(MESSAGE_NEW_ARTICLES);
	}
	if (query->kind == LIST_INTERESTING)
		of.heading = message_text(MESSAGE_INTERESTING);
	return of;
}

/* What a page is about is shown as it is; but a member may follow and hide a group. */
static const struct hidden_filter *
without_subject(struct arena *arena, const struct hidden_filter *filter,
    const struct list_query *query)
{
	struct hidden_rule what = { .id = query->author };

	switch (query->kind) {
	case LIST_AUTHOR:
		what.kind = HIDDEN_MEMBER;
		return hidden_filter_without(arena, filter, &what);
	case LIST_PUBLISHER:
		what.kind = HIDDEN_PUBLISHER;
		what.name = query->publisher;
		return hidden_filter_without(arena, filter, &what);
	case LIST_GROUPS:
		if (query->is_home)
			return filter;
		what.kind = HIDDEN_GROUP;
		for (size_t i = 0; i < query->group_count; i++) {
			what.name = query->groups[i];
			filter = hidden_filter_without(arena, filter, &what);
		}
		return filter;
	default:
		return filter;
	}
}

/* Shows the page that the query asks for, or the feed. base is the list's path; the model
 * already has what only this list shows. */
static enum http_status
show_list(struct page *page, const struct view *view, struct list_query *query,
    struct text base, struct list_model *model)
{
	const struct feed_page feed = feed_page_of(query, base, model);
	const struct hidden_filter *filter;
	enum store_result result;

	if (page_is_feed(page) && !query->is_home)
		return feed_show_articles(page, &feed, query);
	if (page_hidden(page, &filter) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	query->hidden = without_subject(page->arena, filter, query);
	if (page_is_feed(page))
		return feed_show_articles(page, &feed, query);
	if (!query->is_home) {
		page->feed = feed_path(query, base);
		page->feed_query = feed.query;
	}
	query->page = page->number;
	query->viewer = page->viewer.id;
	query->gravity = rule_gravity_of(page->viewer.gravity);
	query->versions = page->versions;
	query->cache = page->app->read_cache;
	query->expensive = page->app->expensive;
	if (page_is_signed_in(page)) {
		query->from = page->from;
		page->reader.may_select = model->may_select;
		model->shown_at = page_clock(page);
		result = read_rows(page, query, base, model);
	} else {
		result = read_visitor_rows(page, query, base, model);
	}
	if (result != STORE_OK)
		return page_list_failed(page, result);
	if (is_past_end(query, model))
		return show_past_end(page, query, base);
	list_model_fill(model, page->arena, query, base);
	page->canonical = list_address(page->arena, query, base);
	if (!page_is_signed_in(page) && !is_partial(model))
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, view, model);
}

/* The list of all articles, at one of its addresses. */
static enum http_status
show_all(struct page *page, struct text base)
{
	struct list_query query = { .kind = LIST_FRONT,
		.usual = front_order(page) };
	struct list_model model = { .has_hours = true };

	if (!parse_order(page, &query))
		return HTTP_BAD_REQUEST;
	model.has_home = page_is_signed_in(page);
	return show_list(page, &front_view, &query, base, &model);
}

/* What the viewer follows. */
enum http_status
list_home_page(struct page *page)
{
	struct list_query query = { .kind = LIST_GROUPS, .is_home = true };
	struct list_model model = { .heading = message_text(MESSAGE_HOME) };
	struct text *groups;

	if (!parse_order(page, &query))
		return HTTP_BAD_REQUEST;
	if (followed_read(page->store, page->arena, page->app->read_cache,
		&page->viewer, page->now, &groups,
		&query.group_count) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	query.groups = groups;
	model.follows = (struct mustache_list){ groups, query.group_count };
	model.follows_none = query.group_count == 0;
	model.all_href = page->viewer.home != 0 ? TEXT("/all") : TEXT("/");
	if (!model.follows_none || page_is_feed(page))
		return show_list(
		    page, &home_view, &query, TEXT("/home"), &model);
	list_model_fill(&model, page->arena, &query, TEXT("/home"));
	return page_show(page, HTTP_OK, &home_view, &model);
}

/* A member chooses in the settings what it is. */
enum http_status
list_front_page(struct page *page)
{
	return page->viewer.home != 0 ? list_home_page(page)
				      : show_all(page, TEXT("/"));
}

/* All articles, for members whose front page is another; that of others is "/". */
enum http_status
list_all_page(struct page *page)
{
	return page->viewer.home != 0 ? show_all(page, TEXT("/all"))
				      : page_redirect(page, TEXT("/"));
}

/* The front page by time, with its tabs. */
enum http_status
list_new_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_NEW,
		.usual = front_order(page) };
	struct list_model model = { .has_hours = true,
		.may_select = page_is_moderator(page) };

	return show_list(page, &front_view, &query, TEXT("/"), &model);
}

/* HTTP_OK for a period that has begun, which is not known without Redis. */
static enum http_status
check_begun(struct page *page, const struct period *period)
{
	if (page_clock(page) == 0)
		return page_failed(page, STORE_DOWN);
	return period->from > page_clock(page) ? HTTP_NOT_FOUND : HTTP_OK;
}

enum http_status
list_best_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT,
		.order = ORDER_BEST,
		.usual = front_order(page) };
	struct list_model model = { .threshold = 0 };
	struct text word =
	    pairs_get(&page->request->path_values, TEXT("period"));
	enum http_status status;

	if (!period_parse(word, page_clock(page), &query.period))
		return HTTP_NOT_FOUND;
	status = check_begun(page, &query.period);
	if (status != HTTP_OK)
		return status;
	model.has_home = page_is_signed_in(page);
	return show_list(page, &front_view, &query,
	    page->viewer.home != 0 ? TEXT("/all") : TEXT("/"), &model);
}

/* When the first article was posted; 0 when there is none. While a master is away that is not known:
 * then *is_partial is set, and *first is 0. */
static enum store_result
read_first(struct page *page, int64_t *first, bool *is_partial)
{
	const struct list_query oldest = { .kind = LIST_FRONT,
		.order = ORDER_OLDEST,
		.versions = page->versions,
		.cache = page->app->read_cache };
	struct versions versions;
	struct order order;
	enum store_result result = list_read_order(
	    page->store, page->arena, &oldest, 1, &order, &versions);

	*first = 0;
	*is_partial =
	    result == STORE_OK && (order.is_partial || versions.is_partial);
	if (result == STORE_OK && order.count > 0 && !*is_partial)
		*first = order.entries[0].score;
	return result;
}

/* "2026-11-20", of the day of a moment. */
static struct text
day_word(struct arena *arena, int64_t moment)
{
	return text_slice(format_iso(arena, moment), 0, 10);
}

/* The links to the other order and to the days before and after. */
static void
describe_day(const struct page *page, const struct list_query *query,
    struct text base, int64_t first, struct list_model *model)
{
	const struct period *day = &query->period;

	model->heading = message_period(page->arena, day);
	model->is_by_time = query->order == ORDER_NEW;
	model->other_order = model->is_by_time
	    ? base
	    : text_join(page->arena, base, TEXT("?order=new"));
	if (day->from > first)
		model->day_before = day_word(page->arena, day->from - 1);
	if (day->to <= page_clock(page))
		model->day_after = day_word(page->arena, day->to);
}

/* What was posted on a day. */
enum http_status
list_day_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT, .usual = ORDER_BEST };
	struct list_model model = { .threshold = 0 };
	struct text word = pairs_get(&page->request->path_values, TEXT("date"));
	struct text order = pairs_get(&page->request->query, TEXT("order"));
	struct text base = text_join(page->arena, TEXT("/day/"), word);
	enum http_status status;
	bool is_partial;
	int64_t first;

	if (!period_parse_date(word, &query.period))
		return HTTP_NOT_FOUND;
	status = check_begun(page, &query.period);
	if (status != HTTP_OK)
		return status;
	if (order.size > 0 && !text_equal(order, TEXT("best")) &&
	    !text_equal(order, TEXT("new")))
		return HTTP_BAD_REQUEST;
	query.order = text_equal(order, TEXT("new")) ? ORDER_NEW : ORDER_BEST;
	if (read_first(page, &first, &is_partial) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (!is_partial && (first == 0 || query.period.to <= first))
		return HTTP_NOT_FOUND;
	describe_day(page, &query, base, first, &model);
	return show_list(page, &day_view, &query, base, &model);
}

/* The page of the present day, from which links lead to those before. A site without articles has
 * none. */
enum http_status
list_today_page(struct page *page)
{
	bool is_partial;
	int64_t first;

	if (read_first(page, &first, &is_partial) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return page_redirect(page,
	    first == 0 && !is_partial
		? TEXT("/")
		: text_join(page->arena, TEXT("/day/"),
		      day_word(page->arena, page_clock(page))));
}

enum http_status
list_articles_page(struct page *page)
{
	return page_move(page, PAGE_THIS_SITE, TEXT("/"));
}

enum http_status
list_interesting_page(struct page *page)
{
	struct list_query query = { .kind = LIST_INTERESTING };
	struct list_model model = { .threshold = rule_interesting_threshold(
					&page->store->rules) };

	if (page->number > 1)
		return page_past_end(page, TEXT("/interesting"), 1);

	return show_list(
	    page, &interesting_view, &query, TEXT("/interesting"), &model);
}

static int
compare_names(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* Splits "b+a" into its names, sorted, each once; false when there are too many. */
static bool
split_names(struct text names, struct text *groups, size_t *count)
{
	struct text name;
	size_t known;

	*count = 0;
	while (text_cut(&names, '+', &name)) {
		if (name.size == 0 || text_index(name, groups, *count, &known))
			continue;
		if (*count == RULE_COMBINED_MAX)
			return false;
		groups[(*count)++] = name;
	}
	if (*count > 0)
		qsort(groups, *count, sizeof(*groups), compare_names);
	return true;
}

/* "/g/a+b" */
static struct text
groups_path(struct arena *arena, const struct text *groups, size_t count)
{
	struct text path = TEXT("/g");

	for (size_t i = 0; i < count; i++)
		path = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(path),
		    i == 0 ? "/" : "+", TEXT_ARGS(groups[i]));
	return path;
}

/* Whether a name passes its rule as it is: the rules trim blanks. */
static bool
is_name(struct arena *arena, rule *check, struct text name)
{
	struct text formed = name;

	return check(arena, &formed).kind == PROBLEM_NONE &&
	    formed.size == name.size;
}

/* The button that follows a group. */
static enum store_result
add_follow(struct page *page, struct text group, struct list_model *model)
{
	struct text *groups;
	size_t count, index;

	model->may_follow = page_is_signed_in(page);
	if (followed_read(page->store, page->arena, page->app->read_cache,
		&page->viewer, page->now, &groups, &count) != STORE_OK)
		return STORE_DOWN;
	model->is_followed = text_index(group, groups, count, &index);
	return STORE_OK;
}

/* Adds who moderates a single group, and what the viewer may do there. */
static void
add_group_moderators(
    struct page *page, const struct group *group, struct list_model *model)
{
	struct text *names =
	    arena_new(page->arena, struct text, RULE_GROUP_MODERATORS_MAX);
	struct text rest = group->moderators;
	struct member moderator;
	size_t count = 0;

	while (count < RULE_GROUP_MODERATORS_MAX &&
	    group_next_moderator(&rest, &moderator))
		names[count++] = moderator.name;
	model->group_moderators = (struct mustache_list){ names, count };
	model->has_group_moderators = count > 0;
	model->may_moderate = page_moderates(page, group);
	model->is_restricted = group->restricted != 0 && !model->may_moderate;
	model->may_appoint = page->viewer.role == ROLE_OWNER;
}

/* Adds what a single group says of itself. */
static void
describe_group(
    struct page *page, const struct group *group, struct list_model *model)
{
	add_group_moderators(page, group, model);
	model->is_closed = group->closed != 0;
	model->has_description = group->description.size > 0;
	model->description.text =
	    page_markdown_whole(page, group->description, TEXT(""));
	model->has_group_rules = group->rules.size > 0;
	model->group_rules.text =
	    page_markdown_whole(page, group->rules, TEXT(""));
}

/* Adds the names and titles of the groups to the model. Sets *has_moved when one was
 * renamed or merged, and its name in groups to the new one. STORE_ABSENT when one does not
 * exist. */
static enum store_result
describe_groups(struct page *page, const struct list_query *query,
    struct text *groups, struct list_model *model, bool *has_moved)
{
	struct text *titles =
	    arena_new(page->arena, struct text, query->group_count);

	model->titles = (struct mustache_list){ titles, query->group_count };
	for (size_t i = 0; i < query->group_count; i++) {
		const char *joint = i == 0 ? "" : " + ";
		struct text name = query->groups[i];
		const struct problem unknown = { .kind = PROBLEM_GROUP_UNKNOWN,
			.word = name };
		struct group group;
		enum store_result result;

		result = is_name(page->arena, rule_group_name, name)
		    ? group_get(page->store, page->arena, name, &group)
		    : STORE_ABSENT;
		if (result == STORE_ABSENT)
			page->detail = message_problem(page->arena, &unknown);
		if (result != STORE_OK)
			return result;
		if (query->group_count == 1)
			describe_group(page, &group, model);
		if (group.into.size > 0) {
			groups[i] = group.into;
			*has_moved = true;
		}
		model->heading = text_format(page->arena, "%.*s%s%.*s",
		    TEXT_ARGS(model->heading), joint, TEXT_ARGS(name));
		titles[i] = group.title;
	}
	return STORE_OK;
}

/* Names in another spelling or order are redirected: one list, one address. */
enum http_status
list_group_page(struct page *page)
{
	struct text groups[RULE_COMBINED_MAX] = { { NULL, 0 } }, base;
	struct list_query query = { .kind = LIST_GROUPS, .groups = groups };
	struct list_model model = { .heading = TEXT("") };
	struct text names =
	    pairs_get(&page->request->path_values, TEXT("names"));
	enum store_result result;
	bool has_moved = false;

	if (!split_names(
		text_lower(page->arena, names), groups, &query.group_count))
		return page_refuse(page, REASON_TOO_MANY_GROUPS);
	base = groups_path(page->arena, groups, query.group_count);
	if (!text_equal(base, page->request->path))
		return page_move(page, PAGE_THIS_SITE, base);
	if (!parse_order(page, &query) || !parse_match(page, &query))
		return HTTP_BAD_REQUEST;
	if (query.group_count == 1)
		query.match = MATCH_ANY;
	result = describe_groups(page, &query, groups, &model, &has_moved);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (has_moved)
		return page_move(page, PAGE_THIS_SITE,
		    groups_path(page->arena, groups, query.group_count));
	if (query.group_count == 1 &&
	    (add_follow(page, groups[0], &model) != STORE_OK ||
		hidden_button(page,
		    &(struct hidden_rule){
			.kind = HIDDEN_GROUP, .name = groups[0] },
		    groups[0], &model.hide) != STORE_OK))
		return page_failed(page, STORE_DOWN);
	page_search_in(page, TEXT("group"), text_slice(base, 3, base.size));
	return show_list(page, &group_view, &query, base, &model);
}

/* The numbers of the member's articles and comments. */
static enum store_result
add_post_counts(struct page *page, uint64_t user, struct list_model *model)
{
	int64_t articles, comments;
	enum store_result result = comments_count(
	    page->store, page->arena, user, &articles, &comments);

	if (result != STORE_OK)
		return result;
	model->articles =
	    message_count(page->arena, MESSAGE_ARTICLES, articles);
	model->comments =
	    message_count(page->arena, MESSAGE_COMMENTS, comments);
	return STORE_OK;
}

/* Posts of a newcomer that wait to be shown. */
static enum store_result
add_held(struct page *page, const struct user *user, int64_t now,
    struct list_model *model)
{
	enum { TEXT_MAX = 100 };
	struct held_post posts[HELD_MAX];
	struct list_held *rows =
	    arena_new(page->arena, struct list_held, HELD_MAX);
	size_t count;

	if (user->newcomer == 0 || !(model->own || model->may_moderate))
		return STORE_OK;
	if (held_read(page->store, page->arena, user->id, posts, &count) !=
	    STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct list_held){ .href = format_post_path(
						  page->arena, posts[i].id),
			.text = posts[i].id.comment == 0
			    ? posts[i].text
			    : markup_plain(
				  page->arena, posts[i].text, TEXT_MAX),
			.is_comment = posts[i].id.comment != 0,
			.since = format_age(page->arena, now, posts[i].since),
			.since_iso = format_iso(page->arena, posts[i].since) };
	model->held = (struct mustache_list){ rows, count };
	model->has_held = count > 0;
	return STORE_OK;
}

/* Not that of a suspended member; and of one whose posts are held to the member and moderators. */
static void
add_about(struct page *page, const struct user *user, struct list_model *model)
{
	bool is_seen =
	    model->own || model->may_moderate || !newcomers_is_held(page, user);

	if (is_seen && !model->is_suspended && !model->closed)
		model->about.text =
		    page_markdown_whole(page, user->about, TEXT(""));
}

/* Karma is not shown while it has points that are hidden. */
static enum store_result
find_karma(
    struct page *page, const struct user *user, int64_t *karma, bool *is_shown)
{
	const struct reader *reader = &page->reader;
	enum store_result result =
	    user_karma(page->store, page->arena, user->id, karma, is_shown);
	int64_t newest, now;

	if (result != STORE_OK || reader->sees_all ||
	    reader->score_seconds == 0 || user->id == page->viewer.id)
		return result;
	result = site_time(page->store, page->arena, &now);
	if (result == STORE_OK)
		result = comments_newest_post(
		    page->store, page->arena, user->id, &newest);
	if (result == STORE_OK && now - newest < reader->score_seconds)
		*is_shown = false;
	return result;
}

enum http_status
list_member_page(struct page *page)
{
	struct text name = pairs_get(&page->request->path_values, TEXT("name"));
	struct list_query query = { .kind = LIST_AUTHOR };
	struct list_model model;
	struct user user;
	int64_t karma, now;
	bool shows_karma;
	enum store_result result;

	if (!parse_order(page, &query))
		return HTTP_BAD_REQUEST;
	if (!is_name(page->arena, rule_user_name, name))
		return HTTP_NOT_FOUND;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		result = find_karma(page, &user, &karma, &shows_karma);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!text_equal(name, user.name))
		return page_move(page, PAGE_THIS_SITE,
		    text_join(page->arena, TEXT("/u/"), user.name));
	query.author = user.id;
	page_search_in(page, TEXT("author"), user.name);
	model = list_model_of_member(
	    page->arena, &user, shows_karma ? &karma : NULL);
	if (page_is_feed(page))
		return show_list(page, &member_view, &query,
		    text_join(page->arena, TEXT("/u/"), user.name), &model);
	if (add_post_counts(page, user.id, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.own = user.id == page->viewer.id;
	if (!model.own &&
	    hidden_button(page,
		&(struct hidden_rule){ .kind = HIDDEN_MEMBER, .id = user.id },
		user.name, &model.hide) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.may_moderate = page_is_moderator(page);
	model.may_select = model.may_moderate;
	if (site_time(page->store, page->arena, &now) != STORE_OK ||
	    add_held(page, &user, now, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.is_suspended = user.suspended > now;
	if (model.is_suspended && !user_is_suspended_forever(&user))
		model.suspended_until =
		    format_moment(page->arena, user.suspended);
	add_about(page, &user, &model);
	return show_list(page, &member_view, &query,
	    text_join(page->arena, TEXT("/u/"), user.name), &model);
}

/* The host of which a publisher is part, and whether links to it are blocked. */
static void
describe_publisher(
    struct page *page, struct text publisher, struct list_model *model)
{
	struct text link = text_join(page->arena, TEXT("http://"), publisher);
	struct text host = publisher, rest = publisher, site;

	text_cut(&rest, '/', &site);
	page_search_in(page, TEXT("domain"), site);
	model->heading = publisher_display(page->arena, publisher);
	model->is_blocked =
	    hosts_contain(page->arena, page_blocked_hosts(page), link, &host);
	model->may_moderate = page_is_moderator(page);
	model->may_select = model->may_moderate;
	if (!publisher_is_part(publisher))
		return;
	text_cut(&publisher, '/', &host);
	model->whole = publisher_display(page->arena, host);
	model->whole_href = publisher_href(page->arena, host);
}

/* For moderators: who posts from there. */
static enum store_result
add_posters(struct page *page, struct text publisher, struct list_model *model)
{
	struct posters posters;
	struct list_poster *rows;
	enum store_result result;

	if (page->versions == NULL)
		return STORE_DOWN;
	result = posters_read(
	    page->store, page->arena, page->versions, publisher, &posters);
	if (result != STORE_OK)
		return result;
	rows = arena_new(page->arena, struct list_poster, posters.count);
	for (size_t i = 0; i < posters.count; i++)
		rows[i] = (struct list_poster){ posters.members[i].name,
			(int64_t)posters.articles[i] };
	model->posters = (struct mustache_list){ rows, posters.count };
	model->has_posters = posters.count > 0;
	model->posters_of = POSTERS_ARTICLES;
	model->has_older = posters.is_cut;
	return STORE_OK;
}

/* Other spellings, subdomains and parts of hosts that are not shared are redirected: one list,
 * one address. */
enum http_status
list_publisher_page(struct page *page)
{
	const struct pairs *path = &page->request->path_values;
	struct list_query query = { .kind = LIST_PUBLISHER };
	struct list_model model = { .heading = TEXT("") };
	struct text moved;
	enum store_result result = STORE_OK;

	if (!parse_order(page, &query))
		return HTTP_BAD_REQUEST;
	if (!publisher_parse(page->arena, pairs_get(path, TEXT("host")),
		pairs_get(path, TEXT("part")), page->settings->shared_hosts,
		&query.publisher))
		return HTTP_NOT_FOUND;
	moved = publisher_path(page->arena, query.publisher);
	if (!text_equal(moved, page->request->path))
		return page_move(page, PAGE_THIS_SITE, moved);
	describe_publisher(page, query.publisher, &model);
	if (model.may_moderate && !page_is_feed(page))
		result = add_posters(page, query.publisher, &model);
	if (result == STORE_OK)
		result = hidden_button(page,
		    &(struct hidden_rule){
			.kind = HIDDEN_PUBLISHER, .name = query.publisher },
		    model.heading, &model.hide);
	if (result != STORE_OK)
		return page_failed(page, result);
	return show_list(page, &from_view, &query,
	    publisher_href(page->arena, query.publisher), &model);
}

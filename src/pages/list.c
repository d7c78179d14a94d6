#include "lists/list.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/memo.h"
#include "base/url.h"
#include "pages/page.h"
#include "store/group.h"
#include "views/article.h"
#include "views/format.h"

static const struct text nothing = { "", 0 };

/* order, page and match of the query; false when one is not in its form. */
static bool
read_query(const struct page *page, struct list_query *query)
{
	const struct pairs *pairs = &page->request->query;
	struct text order = pairs_get(pairs, TEXT("order"));
	struct text match = pairs_get(pairs, TEXT("match"));

	query->viewer = page->viewer.id;
	query->versions = page->versions;
	query->kept = page->app->kept;
	query->page = 1;
	if (order.size > 0 && !list_order_parse(order, &query->order))
		return false;
	if (match.size > 0 && !list_match_parse(match, &query->match))
		return false;
	if (!pairs_has(pairs, TEXT("page")))
		return true;
	/* Nine digits are more pages than Redis can hold articles. */
	return pairs_get_id(pairs, TEXT("page"), &query->page) &&
	    query->page < 1000000000;
}

/* A link to the same list with other settings; what is usual is left out. */
static struct text
list_href(const struct page *page, struct text base, enum list_order order,
    enum list_match match, uint64_t number)
{
	struct arena *arena = page->arena;
	struct text href = base;
	char separator = '?';

	if (order != ORDER_TOP) {
		href = text_format(arena, "%.*s%corder=%.*s", TEXT_ARGS(href),
		    separator, TEXT_ARGS(list_order_word(order)));
		separator = '&';
	}
	if (match == MATCH_ALL) {
		href = text_format(
		    arena, "%.*s%cmatch=all", TEXT_ARGS(href), separator);
		separator = '&';
	}
	if (number > 1)
		href = text_format(arena, "%.*s%cpage=%llu", TEXT_ARGS(href),
		    separator, (unsigned long long)number);
	return href;
}

static struct mustache_list
order_links(
    const struct page *page, const struct list_query *query, struct text base)
{
	static const struct text labels[] = {
		[ORDER_TOP] = TEXT_INIT("Top"),
		[ORDER_NEW] = TEXT_INIT("New"),
		[ORDER_OLDEST] = TEXT_INIT("Oldest"),
		[ORDER_BOTTOM] = TEXT_INIT("Bottom"),
	};
	static const enum list_order shown[] = { ORDER_TOP, ORDER_NEW,
		ORDER_OLDEST, ORDER_BOTTOM };
	enum { SHOWN = sizeof(shown) / sizeof(shown[0]) };
	struct link_line *links =
	    arena_new(page->arena, struct link_line, SHOWN);

	for (size_t i = 0; i < SHOWN; i++)
		links[i] = (struct link_line){
			.label = labels[shown[i]],
			.href =
			    list_href(page, base, shown[i], query->match, 1),
			.current = query->order == shown[i],
		};
	return (struct mustache_list){ links, SHOWN };
}

static struct mustache_list
match_links(
    const struct page *page, const struct list_query *query, struct text base)
{
	struct link_line *links = arena_new(page->arena, struct link_line, 2);

	if (query->group_count < 2)
		return (struct mustache_list){ NULL, 0 };
	links[0] = (struct link_line){ TEXT("In any of them"),
		list_href(page, base, query->order, MATCH_ANY, 1),
		query->match == MATCH_ANY };
	links[1] = (struct link_line){ TEXT("In all of them"),
		list_href(page, base, query->order, MATCH_ALL, 1),
		query->match == MATCH_ALL };
	return (struct mustache_list){ links, 2 };
}

/* What a list says below its articles, or in place of them. */
static struct text
note_of(const struct page *page, const struct list_query *query,
    const struct list *list)
{
	if (list->cut_off)
		return text_format(page->arena,
		    "This list is merged from several, and such a list ends "
		    "at page %d.",
		    LIST_MERGED_PAGES);
	if (list->search_ended)
		return TEXT("The search for articles that are in all of these "
			    "groups ended here: there may be more.");
	if (list->count == 0 && query->page > 1)
		return text_format(page->arena,
		    "There is nothing on page %llu: the list ends before it.",
		    (unsigned long long)query->page);
	if (list->count == 0)
		return TEXT("There is nothing here yet.");
	return nothing;
}

static void
fill_pages(const struct page *page, const struct list_query *query,
    const struct list *list, struct text base, struct list_model *model)
{
	model->page = (int64_t)query->page;
	if (query->page > 1)
		model->previous = list_href(
		    page, base, query->order, query->match, query->page - 1);
	if (list->more)
		model->next = list_href(
		    page, base, query->order, query->match, query->page + 1);
	model->paged = model->previous.size > 0 || model->next.size > 0;
}

/*
 * All that a member's line is made from: an article's texts follow from its id
 * and its edits, the words about its age from the minute.
 */
static struct text
line_made_from(struct arena *arena, const struct article *article,
    struct stamp stamp, int64_t now)
{
	struct buffer key = buffer_in(arena, 128);
	const int64_t parts[] = { (int64_t)article->post.id.article,
		(int64_t)stamp.epoch, (int64_t)stamp.version,
		article->post.points, article->post.vote,
		post_is_open(&article->post, now) };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		buffer_add_number(&key, parts[i]);
		buffer_add_char(&key, ' ');
	}
	buffer_add(&key, format_age(arena, now, article->post.posted));
	return buffer_text(&key);
}

/* For a reader who is not signed in a line says where its page is, too, so it
 * is only good there; their pages are kept whole. */
static struct html_line
show_line(struct page *page, const struct frame *frame,
    const struct article *article, struct stamp stamp, int64_t now)
{
	struct memo *lines = frame->signed_in ? page->app->lines : NULL;
	struct text key = line_made_from(page->arena, article, stamp, now);
	struct article_line line;
	struct html_line shown;

	if (memo_find(lines, page->arena, key, &shown.html.text))
		return shown;
	line = article_line_of(page->arena, article, now);
	shown.html = views_render(page->app->views, page->arena, &line_view,
	    frame, &line, VIEWS_LINE);
	memo_keep(lines, key, shown.html.text);
	return shown;
}

static void
fill_lines(struct page *page, const struct list *list, struct list_model *model)
{
	struct frame frame = page_frame(page, nothing);
	struct html_line *lines =
	    arena_new(page->arena, struct html_line, list->count);

	for (size_t i = 0; i < list->count; i++) {
		const struct article *article = &list->articles[i];

		lines[i] = show_line(
		    page, &frame, article, list->stamps[i], list->now);
		model->votable = model->votable ||
		    (frame.signed_in &&
			post_is_open(&article->post, list->now));
	}
	model->articles = (struct mustache_list){ lines, list->count };
}

static enum http_status
show_articles(struct page *page, const struct list_query *query,
    struct text base, struct text title, const struct list *list,
    struct list_model *model)
{
	fill_lines(page, list, model);
	model->note = note_of(page, query, list);
	if (query->kind != LIST_INTERESTING) {
		model->orders = order_links(page, query, base);
		model->matches = match_links(page, query, base);
		model->ordered = true;
		model->combined = model->matches.count > 0;
		fill_pages(page, query, list, base, model);
	}
	return page_show(page, HTTP_OK, &list_view, title, model);
}

/*
 * All that a page for readers who are not signed in is made from. A list
 * follows from its address and its version, the words about ages from the
 * second; what remains is what the model says of a group or a member.
 */
static struct text
page_made_from(const struct page *page, const struct list *list,
    const struct list_model *model)
{
	struct text target = request_target(page->arena, page->request);

	return text_format(page->arena, "%llu %llu %lld %lld %.*s %.*s\n%.*s",
	    (unsigned long long)list->stamp.epoch,
	    (unsigned long long)list->stamp.version, (long long)list->now,
	    (long long)model->karma, TEXT_ARGS(target),
	    TEXT_ARGS(model->heading), TEXT_ARGS(model->intro));
}

/*
 * Reads the list that the query names and shows it under a heading. base is its
 * path; model holds what is special to this list.
 */
static enum http_status
show_list(struct page *page, const struct list_query *query, struct text base,
    struct text title, struct list_model *model)
{
	struct list list;
	struct text key;
	enum http_status status;
	enum store_result result =
	    list_read(page->store, page->arena, query, &list);

	if (result != STORE_OK)
		return page_failed(result);
	if (page_is_signed_in(page))
		return show_articles(page, query, base, title, &list, model);
	page->response->cache = CACHE_ONE_SECOND;
	key = page_made_from(page, &list, model);
	if (memo_find(
		page->app->pages, page->arena, key, &page->response->body))
		return HTTP_OK;
	status = show_articles(page, query, base, title, &list, model);
	memo_keep(page->app->pages, key, page->response->body);
	return status;
}

enum http_status
list_front_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT };
	struct list_model model = { .page = 1 };

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	return show_list(page, &query, TEXT("/"), nothing, &model);
}

enum http_status
list_interesting_page(struct page *page)
{
	struct list_query query = { .kind = LIST_INTERESTING,
		.page = 1,
		.viewer = page->viewer.id,
		.kept = page->app->kept };
	struct list_model model = {
		.heading = TEXT("Interesting"),
		.intro = text_format(page->arena,
		    "The newest articles that reached %lld votes up, the "
		    "latest to do so first.",
		    (long long)page->store->rules.interesting),
	};

	return show_list(
	    page, &query, TEXT("/interesting"), model.heading, &model);
}

/* "a+b" as its names, each once; false when there are none or too many. */
static bool
split_names(struct text names, struct text *groups, size_t *count)
{
	struct text name;

	*count = 0;
	while (text_cut(&names, '+', &name)) {
		bool known = false;

		for (size_t i = 0; i < *count; i++)
			known = known || text_equal(groups[i], name);
		if (known)
			continue;
		if (*count == RULE_COMBINED_MAX)
			return false;
		groups[(*count)++] = name;
	}
	return true;
}

/* Fills in what the groups are called; STORE_ABSENT when one does not exist. */
static enum store_result
describe_groups(const struct page *page, const struct list_query *query,
    struct list_model *model, struct text *base)
{
	for (size_t i = 0; i < query->group_count; i++) {
		const char *joint = i == 0 ? "" : " + ";
		struct text name = query->groups[i];
		struct group group;
		enum store_result result;

		/* The rule takes blanks off, which a path has no place for. */
		if (rule_group_name(page->arena, &name).size > 0 ||
		    name.size != query->groups[i].size)
			return STORE_ABSENT;
		result = group_get(page->store, page->arena, name, &group);
		if (result != STORE_OK)
			return result;
		model->heading = text_format(page->arena, "%.*s%s%.*s",
		    TEXT_ARGS(model->heading), joint, TEXT_ARGS(name));
		model->intro = text_format(page->arena, "%.*s%s%.*s",
		    TEXT_ARGS(model->intro), joint, TEXT_ARGS(group.title));
		*base = text_format(page->arena, "%.*s%s%.*s", TEXT_ARGS(*base),
		    i == 0 ? "/g/" : "+", TEXT_ARGS(name));
	}
	return STORE_OK;
}

enum http_status
list_group_page(struct page *page)
{
	struct text groups[RULE_COMBINED_MAX], base = nothing;
	struct list_query query = { .kind = LIST_GROUPS, .groups = groups };
	struct list_model model = { .heading = nothing, .intro = nothing };
	struct text names =
	    pairs_get(&page->request->path_values, TEXT("names"));
	enum store_result result;

	if (!split_names(names, groups, &query.group_count) ||
	    !read_query(page, &query))
		return HTTP_BAD_REQUEST;
	result = describe_groups(page, &query, &model, &base);
	if (result != STORE_OK)
		return page_failed(result);
	return show_list(page, &query, base, model.heading, &model);
}

enum http_status
list_member_page(struct page *page)
{
	struct text asked =
	    pairs_get(&page->request->path_values, TEXT("name"));
	struct text name = asked;
	struct list_query query = { .kind = LIST_AUTHOR };
	struct list_model model = { .member = true };
	struct user user;
	enum store_result result;

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	if (rule_user_name(page->arena, &name).size > 0 ||
	    name.size != asked.size)
		return HTTP_NOT_FOUND;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		result =
		    user_karma(page->store, page->arena, user.id, &model.karma);
	if (result != STORE_OK)
		return page_failed(result);
	query.author = user.id;
	model.heading = user.name;
	model.member_moderator = user.role == ROLE_MODERATOR;
	model.own = user.id == page->viewer.id;
	model.since = format_moment(page->arena, user.created);
	model.since_iso = format_iso(page->arena, user.created);
	return show_list(page, &query,
	    text_join(page->arena, TEXT("/u/"), user.name), user.name, &model);
}

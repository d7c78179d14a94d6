/*
 * Of the listing of a list a worker keeps, for members, each line, and for
 * visitors the whole, which is the same for all of them. What is kept was
 * rendered by a bare view, so it has nothing of the reader for whom it was made,
 * and its key holds all that its model is made from.
 */
#include "views/list.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "lists/comments.h"
#include "lists/read_marks.h"
#include "pages/page.h"
#include "store/group.h"
#include "store/inbox.h"
#include "store/site.h"
#include "views/article_row.h"
#include "views/format.h"

/*
 * An article's texts and the number of its comments follow from its id and its edits,
 * the words about its age from their step, and its score from its points.
 */
static struct text
row_made_from(struct arena *arena, const struct article *article,
    struct stamp stamp, int64_t now, bool is_own, uint64_t fresh)
{
	struct buffer key = buffer_in(arena, 80);
	const struct post *post = &article->post;
	uint64_t arrows = (uint64_t)post->vote * 4 +
	    (uint64_t)post_is_open(post, now) * 2 + is_own;
	const uint64_t parts[] = { post->id.article, stamp.epoch, stamp.version,
		(uint64_t)post->points, arrows,
		(uint64_t)format_age_step(now, post->posted), fresh };

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&key);
}

/* A visitor's arrows lead back to their page, and a new member's say until when to wait:
 * so only a line of other members is kept. */
static struct mustache_html
row_html(struct page *page, const struct article *article, struct stamp stamp,
    int64_t now, const struct reader *reader, const struct read_marks *seen)
{
	struct cache *cache = reader->id != 0 && reader->waits.size == 0
	    ? page->app->row_cache
	    : NULL;
	bool is_own = article->post.author.id == reader->id;
	uint64_t fresh = read_marks_unread(seen, article);
	struct text key =
	    row_made_from(page->arena, article, stamp, now, is_own, fresh);
	struct article_row_model line;
	struct mustache_html html = { TEXT("") };

	if (page_is_head(page) ||
	    cache_get(cache, page->arena, key, &html.text))
		return html;
	line = article_row_model_of(page->arena, article, now, reader);
	line.fresh = message_new_comments(page->arena, fresh);
	html =
	    views_part(page->app->views, page->arena, &article_row_view, &line);
	cache_put(cache, key, html.text);
	return html;
}

/* Reads the list, and renders its lines. */
static enum store_result
read_listing(struct page *page, const struct list_query *query,
    struct text base, const struct reader *reader, struct list_model *model)
{
	struct arena *arena = page->arena;
	struct list_rows_model *listing =
	    arena_new(arena, struct list_rows_model, 1);
	struct mustache_html *lines;
	struct list list;
	struct read_marks seen;
	bool has_votable = false;
	enum store_result result = list_read(page->store, arena, query, &list);

	if (result == STORE_OK)
		result = read_marks_read(page->store, arena,
		    page->app->read_cache, &page->viewer, &seen);
	if (result != STORE_OK)
		return result;
	lines = arena_new(arena, struct mustache_html, list.count);
	for (size_t i = 0; i < list.count; i++) {
		const struct article *article = &list.articles[i];

		has_votable = has_votable ||
		    (post_is_open(&article->post, list.now) &&
			article->post.author.id != reader->id);
		lines[i] = row_html(
		    page, article, list.stamps[i], list.now, reader, &seen);
	}
	*listing = list_rows_of(arena, query, &list, base,
	    (struct mustache_list){ lines, list.count });
	model->rows = (struct mustache_list){ listing, 1 };
	model->votable =
	    reader->id != 0 && reader->waits.size == 0 && has_votable;
	return STORE_OK;
}

/* A visitor's listing follows from its address and the version of all lists, and
 * the words about ages from the second. */
static struct text
listing_made_from(
    struct arena *arena, const struct versions *versions, struct text back)
{
	struct stamp stamp = versions_lists_stamp(versions);
	const uint64_t parts[] = { stamp.epoch, stamp.version,
		(uint64_t)versions->now };
	struct buffer key = buffer_in(arena, 40 + back.size);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, back);
	return buffer_text(&key);
}

/* What is missing a part is shown, and not kept. */
static bool
is_partial(const struct list_model *model)
{
	const struct list_rows_model *listing = model->rows.items;

	return model->rows.count > 0 && listing->partial;
}

/* Nothing is on this page, and there are some before it. */
static bool
is_past_end(const struct list_query *query, const struct list_model *model)
{
	const struct list_rows_model *listing = model->rows.items;

	return query->page > 1 && model->rows.count > 0 &&
	    listing->articles.count == 0 && !listing->search_ended &&
	    !listing->partial;
}

/* Sets the model's listing, and whether the viewer may vote on any of the
 * articles. A listing that is kept is found without reading the list. */
static enum store_result
add_listing(struct page *page, struct list_query *query, struct text base,
    struct list_model *model)
{
	const struct reader reader = page_reader(page);
	struct cache *kept = page->app->list_cache;
	struct text key;
	enum store_result result;

	query->viewer = page->viewer.id;
	query->versions = page->versions;
	query->cache = page->app->read_cache;
	query->expensive = page->app->expensive;
	if (page_is_signed_in(page))
		return read_listing(page, query, base, &reader, model);
	if (page->versions == NULL)
		return STORE_DOWN;
	key = listing_made_from(page->arena, page->versions, reader.back);
	if (cache_get(kept, page->arena, key, &model->cached.text))
		return STORE_OK;
	result = read_listing(page, query, base, &reader, model);
	if (result != STORE_OK)
		return result;
	if (page_is_head(page) || is_partial(model) ||
	    is_past_end(query, model))
		return STORE_OK;
	model->cached = views_part(
	    page->app->views, page->arena, &list_rows_view, model->rows.items);
	model->rows.count = 0;
	cache_put(kept, key, model->cached.text);
	return STORE_OK;
}

/* order, match and page of the query; false when one is not in its form. */
static bool
read_query(const struct page *page, struct list_query *query)
{
	const struct pairs *pairs = &page->request->query;
	struct text order = pairs_get(pairs, TEXT("order"));
	struct text match = pairs_get(pairs, TEXT("match"));

	return (order.size == 0 || list_order_parse(order, &query->order)) &&
	    (match.size == 0 || list_match_parse(match, &query->match)) &&
	    page_number(page, &query->page);
}

static enum http_status
past_end(struct page *page, const struct list_query *query, struct text base)
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

/* Reads the list that the query names and shows it. base is its path; the model
 * has what only this list shows. */
static enum http_status
show(struct page *page, const struct view *view, struct list_query *query,
    struct text base, struct list_model *model)
{
	enum store_result result = add_listing(page, query, base, model);

	if (result != STORE_OK)
		return page_list_failed(page, result);
	if (is_past_end(query, model))
		return past_end(page, query, base);
	list_model_fill(model, page->arena, query, base);
	page->canonical = list_address(page->arena, query, base);
	if (!page_is_signed_in(page) && !is_partial(model))
		page->response->cache = CACHE_ONE_SECOND;
	return page_show(page, HTTP_OK, view, model);
}

enum http_status
list_front_page(struct page *page)
{
	struct list_query query = { .kind = LIST_FRONT };
	struct list_model model = { .threshold = 0 };

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	return show(page, &front_view, &query, TEXT("/"), &model);
}

enum http_status
list_articles_page(struct page *page)
{
	return page_move(page, PAGE_THIS_SITE, TEXT("/"));
}

enum http_status
list_interesting_page(struct page *page)
{
	struct list_query query = { .kind = LIST_INTERESTING, .page = 1 };
	struct list_model model = { .threshold =
					page->store->rules.interesting };
	uint64_t number;

	if (!page_number(page, &number))
		return HTTP_BAD_REQUEST;
	if (number > 1)
		return page_past_end(page, TEXT("/interesting"), 1);

	return show(
	    page, &interesting_view, &query, TEXT("/interesting"), &model);
}

static int
compare_names(const void *a, const void *b)
{
	return text_compare(*(const struct text *)a, *(const struct text *)b);
}

/* "b+a" as its names in order, each once; false when there are too many. */
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
path_of(struct arena *arena, const struct text *groups, size_t count)
{
	struct text path = TEXT("/g");

	for (size_t i = 0; i < count; i++)
		path = text_format(arena, "%.*s%s%.*s", TEXT_ARGS(path),
		    i == 0 ? "/" : "+", TEXT_ARGS(groups[i]));
	return path;
}

/* The rules take blanks off, which a path has no place for. */
static bool
is_formed(struct arena *arena, rule *check, struct text name)
{
	struct text formed = name;

	return check(arena, &formed).kind == PROBLEM_NONE &&
	    formed.size == name.size;
}

/* Fills in what the groups are called, and whether one has another name now, which
 * groups then has; STORE_ABSENT when one does not exist. */
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

		result = is_formed(page->arena, rule_group_name, name)
		    ? group_get(page->store, page->arena, name, &group)
		    : STORE_ABSENT;
		if (result == STORE_ABSENT)
			page->detail = message_problem(page->arena, &unknown);
		if (result != STORE_OK)
			return result;
		model->is_closed = query->group_count == 1 && group.closed != 0;
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

/* The same groups in another spelling or order are the same list, at one address. */
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
	base = path_of(page->arena, groups, query.group_count);
	if (!text_equal(base, page->request->path))
		return page_move(page, PAGE_THIS_SITE, base);
	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	if (query.group_count == 1)
		query.match = MATCH_ANY;
	result = describe_groups(page, &query, groups, &model, &has_moved);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (has_moved)
		return page_move(page, PAGE_THIS_SITE,
		    path_of(page->arena, groups, query.group_count));
	model.may_moderate = query.group_count == 1 && page_is_moderator(page);
	return show(page, &group_view, &query, base, &model);
}

/* How much the member has posted. */
static enum store_result
add_counts(struct page *page, uint64_t user, struct list_model *model)
{
	int64_t articles, comments;
	enum store_result result = comments_count(
	    page->store, page->arena, user, &articles, &comments);

	if (result != STORE_OK)
		return result;
	model->articles = text_format(page->arena, "%lld article%s",
	    (long long)articles, TEXT_PLURAL(articles));
	model->comments = text_format(page->arena, "%lld comment%s",
	    (long long)comments, TEXT_PLURAL(comments));
	return STORE_OK;
}

enum http_status
list_member_page(struct page *page)
{
	struct text name = pairs_get(&page->request->path_values, TEXT("name"));
	struct list_query query = { .kind = LIST_AUTHOR };
	struct list_model model;
	struct user user;
	int64_t karma, now;
	bool knows_karma;
	enum store_result result;

	if (!read_query(page, &query))
		return HTTP_BAD_REQUEST;
	if (!is_formed(page->arena, rule_user_name, name))
		return HTTP_NOT_FOUND;
	result = user_find(page->store, page->arena, name, &user);
	if (result == STORE_OK)
		result = user_karma(
		    page->store, page->arena, user.id, &karma, &knows_karma);
	if (result != STORE_OK)
		return page_failed(page, result);
	if (!text_equal(name, user.name))
		return page_move(page, PAGE_THIS_SITE,
		    text_join(page->arena, TEXT("/u/"), user.name));
	query.author = user.id;
	model = list_model_of_member(
	    page->arena, &user, knows_karma ? &karma : NULL);
	if (add_counts(page, user.id, &model) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.own = user.id == page->viewer.id;
	model.may_mute = page_is_signed_in(page) && !model.own;
	if (model.may_mute &&
	    inbox_is_muted(page->store, page->arena, page->viewer.id,
		(struct mute){ MUTE_MEMBER, user.id },
		&model.is_muted) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.may_moderate = page_is_moderator(page);
	if (site_time(page->store, page->arena, &now) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	model.is_suspended = user.suspended > now;
	if (model.is_suspended && !user_is_suspended_forever(&user))
		model.suspended_until =
		    format_moment(page->arena, user.suspended);
	return show(page, &member_view, &query,
	    text_join(page->arena, TEXT("/u/"), user.name), &model);
}

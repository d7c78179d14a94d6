/*
 * The search page. The search process finds ids; each post is read from Redis and shown only if it
 * still has what was asked for, so neither a late nor a damaged index shows what is not there.
 */
#include "views/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/fiber.h"
#include "base/url.h"
#include "base/utf8.h"
#include "pages/feed.h"
#include "pages/visitors.h"
#include "search/answers.h"
#include "search/find.h"
#include "search/match.h"
#include "search/names.h"
#include "views/comment.h"
#include "views/format.h"
#include "views/messages.h"

enum {
	RESULTS_ON_PAGE = 25,
	PAGES_MAX = 20,
	RESULTS_MAX = RESULTS_ON_PAGE * PAGES_MAX,
	/* Where results are hidden, a page asks on until it is full; so often at most, the first
	 * time included. */
	ASKS_MAX = 5
};

/* A search while its page is made. */
struct search {
	struct page *page;
	struct query query;
	struct query_names names;
	struct search_question question;
	struct search_answer answer;
	struct search_model model;
	struct text base; /* the address of its first page */
	bool more;	  /* another page follows, */
	uint64_t next;	  /* which begins with that result, from 1; 0: as its
			     number says */
};

/* What a page shows of what was found. */
struct results {
	struct hit *hits;
	size_t count;
	size_t looked_at; /* how many ids, from the page's first one on */
	size_t hidden;	  /* how many of them are */
	bool more;	  /* than were looked at */
};

/* The next page begins where this one has ended, if that is not where its number says. */
static struct pager_model
pager_of(const struct search *search)
{
	const struct page *page = search->page;
	struct pager_model model = pager_model_of(
	    page->arena, search->base, page->number, search->more);

	if (search->next > 1 && search->more)
		model.next = pager_part_href(
		    page->arena, search->base, page->number + 1, search->next);
	return model;
}

static enum http_status
show_search(struct search *search, enum http_status status)
{
	struct page *page = search->page;

	search->model.pager = pager_of(search);
	return page_show(page, status, &search_view, &search->model);
}

/* The order of a link, which comes before that of the query. One that is none is ignored. */
static void
parse_order(struct search *search)
{
	struct page *page = search->page;
	struct text order = pairs_get(&page->request->query, TEXT("order"));
	size_t index;

	if (!text_index(order, query_orders, QUERY_ORDERS, &index))
		return;
	search->query.order = (enum query_order)index;
	search->model.order = query_orders[index];
	search->base = text_format(page->arena, "%.*s&order=%.*s",
	    TEXT_ARGS(search->base), TEXT_ARGS(query_orders[index]));
}

/* How many results are before the page. */
static uint64_t
offset_of(const struct page *page)
{
	return page_is_signed_in(page) && page->from > 1
	    ? page->from - 1
	    : (page->number - 1) * RESULTS_ON_PAGE;
}

static struct search *
begin_search(struct page *page, struct text typed)
{
	struct search *search = arena_new(page->arena, struct search, 1);
	struct text base = search_address(page->arena, typed);

	search->page = page;
	search->base = base;
	query_parse(page->arena, typed, &search->query);
	parse_order(search);
	search->names = query_names_in(page->arena, &search->query);
	search->model.typed = typed;
	search->model.title = format_short(page->arena, typed);
	search_model_add_query(
	    &search->model, page->arena, &search->query, base);
	search->question = (struct search_question){ .query = typed,
		.order = search->query.order,
		.offset = offset_of(page),
		/* One more shows that another page follows. */
		.count = RESULTS_ON_PAGE + 1,
		.milliseconds = page_is_signed_in(page) ? SEARCH_MEMBER_MS
							: SEARCH_VISITOR_MS,
		.names = &search->names };
	search->model.milliseconds = search->question.milliseconds;
	return search;
}

/* Asks the process, or finds what it answered another visitor just now. */
static enum search_result
ask(struct search *search, struct search_answer *answer)
{
	struct page *page = search->page;
	struct cache *cache =
	    page_is_signed_in(page) ? NULL : page->app->search_cache;
	struct text key = search_answers_key(page->arena, &search->query,
	    &search->question, clock_monotonic_ms());
	enum search_result result;

	if (search_answers_get(cache, page->arena, key, answer))
		return SEARCH_OK;
	result = search_client_ask(
	    page->app->search, page->arena, &search->question, answer);
	if (result == SEARCH_OK)
		search_answers_put(cache, page->arena, key, answer);
	return result;
}

static enum http_status
show_away(struct search *search, enum search_result result)
{
	struct page *page = search->page;
	struct search_model *model = &search->model;
	int percent;

	model->is_busy = result == SEARCH_BUSY;
	model->is_being_built = result == SEARCH_NO_INDEX;
	model->is_away = !model->is_busy && !model->is_being_built;
	percent = model->is_being_built
	    ? search_client_building(page->app->search, page->arena)
	    : -1;
	if (percent >= 0)
		model->percent = text_number(page->arena, percent);
	return show_search(search, HTTP_UNAVAILABLE);
}

/* The link of an article, as a query asks for it. */
static struct text
link_of(struct page *page, const struct article *article)
{
	return rule_claim(page->arena, 0, TEXT(""), article->url, TEXT(""));
}

static struct search_post
search_post_of(struct search *search, const struct hit *hit)
{
	struct page *page = search->page;
	const struct post *post = hit_post(hit);
	const struct article *article = &hit->article;
	struct search_post found = { .id = post->id,
		.posted = post->posted,
		.points = post->points,
		.author = post->author.id,
		.groups = article->groups };

	if (hit_is_comment(hit)) {
		found.text = hit->comment.text;
		return found;
	}
	found.title = article->title;
	found.text = article->text;
	if (article->url.size > 0)
		found.host = url_host_name(page->arena, article->url);
	if (article->url.size > 0 && query_is_link(&search->query))
		found.link = link_of(page, article);
	return found;
}

static struct search_row
article_row(struct search *search, const struct hit *hit)
{
	struct page *page = search->page;
	const struct article *article = &hit->article;
	struct snippet title =
	    snippet_of_title(page->arena, &search->query, article->title);
	struct search_row row = { .has_snippet = article->text.size > 0,
		.article = article_row_model_of(
		    page->arena, article, page->versions->now, &page->reader) };
	struct snippet text;

	row.title_pieces = snippet_model_of(page->arena, &title).pieces;
	if (!row.has_snippet)
		return row;
	text = snippet_of(page->arena, &search->query, article->text,
	    article->markup.size > 0 ? SNIPPET_MARKDOWN : SNIPPET_PLAIN);
	row.snippet = snippet_model_of(page->arena, &text);
	return row;
}

static struct search_row
comment_row(struct search *search, const struct hit *hit)
{
	struct page *page = search->page;
	struct arena *arena = page->arena;
	const struct comment *comment = &hit->comment;
	struct post_id id = comment->post.id;
	struct comment_model model = comment_model_of(
	    arena, &comment->post, page->versions->now, &page->reader);
	struct snippet text =
	    snippet_of(arena, &search->query, comment->text, SNIPPET_MARKDOWN);
	struct snippet_model snippet = snippet_model_of(arena, &text);

	model.is_open = true;
	model.heading = COMMENT_HEADING - 1; /* as the titles of articles */
	model.parent = (uint64_t)comment->parent;
	model.anchor = format_post_anchor(arena, id);
	model.is_article_author =
	    comment->post.author.id == hit->article.post.author.id;
	model.article_title = format_short(arena, hit->article.title);
	model.article_href = format_post_path(arena, article_id(id.article));
	model.text =
	    views_part(page->app->views, arena, &snippet_view, &snippet);
	if (text.is_cut_before || text.is_cut_after)
		model.all_href = format_post_path(arena, id);
	return (struct search_row){ .is_comment = true,
		.comment = views_part(
		    page->app->views, arena, &comment_view, &model) };
}

static int
compare_points(const void *a, const void *b)
{
	const struct post *one = hit_post(a), *other = hit_post(b);
	uint64_t newer = post_id_to_number(other->id);

	if (one->points != other->points)
		return one->points < other->points ? 1 : -1;
	return post_id_to_number(one->id) < newer ? 1 : -1;
}

/* Drops what does not have what was asked for any more. */
static size_t
drop_others(struct search *search, struct hit *hits, size_t count)
{
	struct page *page = search->page;
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		struct search_post post = search_post_of(search, &hits[i]);

		if (match_post(
			page->arena, &search->query, &search->names, &post))
			hits[left++] = hits[i];
		fiber_yield();
	}
	return left;
}

static void
add_rows(struct search *search, const struct hit *hits, size_t count)
{
	struct search_model *model = &search->model;
	struct search_row *rows =
	    arena_new(search->page->arena, struct search_row, count);

	for (size_t i = 0; i < count && !page_is_head(search->page); i++) {
		rows[i] = hit_is_comment(&hits[i])
		    ? comment_row(search, &hits[i])
		    : article_row(search, &hits[i]);
		fiber_yield();
	}
	model->rows = (struct mustache_list){ rows, count };
	model->is_empty = count == 0 && search->model.hidden.size == 0;
	model->has_buttons = page_is_signed_in(search->page) && count > 0;
}

/* The number of results, and what follows this page. */
static void
add_extent(struct search *search, const struct results *results)
{
	struct search_model *model = &search->model;
	struct search_answer *answer = &search->answer;
	uint64_t end = search->question.offset + results->looked_at;
	bool is_last = search->page->number == PAGES_MAX || end >= RESULTS_MAX;

	/* All are on this page, and some of them were dropped. */
	if (answer->outcome == SEARCH_EXACT &&
	    answer->total == results->looked_at)
		answer->total = results->count;
	search_model_add_count(model, search->page->arena, answer);
	model->is_cut_off = results->more && is_last;
	model->shown_max = RESULTS_MAX;
	search->more = results->more && !is_last;
	if (end != search->page->number * RESULTS_ON_PAGE)
		search->next = end + 1;
	if (results->hidden > 0)
		model->hidden = message_count(search->page->arena,
		    MESSAGE_HIDDEN_POSTS, (int64_t)results->hidden);
	model->hidden_ended = results->hidden > 0 && search->more &&
	    results->count < RESULTS_ON_PAGE;
}

/* The article that alone has the link that was searched for; 0: none, or several have. */
static uint64_t
only_article(struct search *search, const struct hit *hits, size_t count)
{
	struct text wanted = search->query.items[0].value;
	uint64_t only = 0;

	for (size_t i = 0; i < count; i++) {
		const struct article *article = &hits[i].article;

		if (hit_is_comment(&hits[i]) || article->url.size == 0 ||
		    !text_equal(link_of(search->page, article), wanted))
			continue;
		if (only != 0)
			return 0;
		only = article->post.id.article;
	}
	return only;
}

/* Drops what is hidden from the viewer. */
static size_t
drop_hidden(const struct hidden_filter *filter, struct hit *hits, size_t count)
{
	size_t left = 0;

	for (size_t i = 0; i < count; i++) {
		const struct hit *hit = &hits[i];
		bool is_hidden = hit_is_comment(hit)
		    ? hidden_comment(filter, &hit->comment.post, &hit->article)
		    : hidden_article(filter, &hit->article);

		if (!is_hidden)
			hits[left++] = *hit;
	}
	return left;
}

/* Adds what is shown of some ids, for which there is room. */
static enum store_result
read_hits(struct search *search, const struct hidden_filter *filter,
    const struct post_id *ids, size_t count, struct results *results)
{
	struct page *page = search->page;
	struct hit *hits = results->hits + results->count;
	size_t got, left;

	if (hits_read(page->store, page->arena, ids, count, page->viewer.id,
		page_vote_score(page), hits, &got,
		&search->model.is_partial) != STORE_OK)
		return STORE_DOWN;
	results->looked_at += count;
	got = drop_others(search, hits, got);
	left = drop_hidden(filter, hits, got);
	results->hidden += got - left;
	results->count += left;
	return STORE_OK;
}

/* Looks at what an answer has, until the page is full. */
static enum store_result
read_answer(struct search *search, const struct hidden_filter *filter,
    const struct search_answer *answer, struct results *results)
{
	size_t used = 0;

	while (used < answer->count && results->count < RESULTS_ON_PAGE) {
		size_t left = answer->count - used,
		       room = RESULTS_ON_PAGE - results->count,
		       count = left < room ? left : room;

		if (read_hits(search, filter, answer->ids + used, count,
			results) != STORE_OK)
			return STORE_DOWN;
		used += count;
	}
	results->more =
	    used < answer->count || answer->count == search->question.count;
	return STORE_OK;
}

/* Asks for what follows, until the page is full. When the process is busy or away by then, the
 * page ends there. */
static enum store_result
read_on(struct search *search, const struct hidden_filter *filter,
    struct results *results)
{
	struct search_question *question = &search->question;
	const struct search_question first = *question;
	struct search_answer answer;
	enum store_result result = STORE_OK;

	question->count = FIND_HITS_MAX;
	for (int asks = 1; result == STORE_OK && results->more &&
	    results->count < RESULTS_ON_PAGE && asks < ASKS_MAX;
	    asks++) {
		question->offset = first.offset + results->looked_at;
		if (question->offset >= RESULTS_MAX ||
		    ask(search, &answer) != SEARCH_OK)
			break;
		result = read_answer(search, filter, &answer, results);
	}
	*question = first;
	return result;
}

/* Reads what was found, as far as a page has room for it. */
static enum store_result
read_results(struct search *search, struct results *results)
{
	struct page *page = search->page;
	struct search_answer answer = search->answer;
	const struct hidden_filter *filter;
	enum store_result result;

	*results = (struct results){ .hits = arena_new(page->arena, struct hit,
					 RESULTS_ON_PAGE) };
	if (page_hidden(page, &filter) != STORE_OK)
		return STORE_DOWN;
	if (filter != NULL) {
		result = read_answer(search, filter, &answer, results);
		if (result == STORE_OK)
			result = read_on(search, filter, results);
	} else {
		results->more = answer.count > RESULTS_ON_PAGE;
		result = read_hits(search, NULL, answer.ids,
		    results->more ? RESULTS_ON_PAGE : answer.count, results);
	}
	/* The index has the points of some time ago. */
	if (result == STORE_OK && search->query.order == QUERY_POINTS)
		qsort(results->hits, results->count, sizeof(*results->hits),
		    compare_points);
	return result;
}

/* Of results that were all counted. */
static uint64_t
count_pages(const struct search *search)
{
	uint64_t total = search->answer.total;

	return total == 0 ? 1 : (total + RESULTS_ON_PAGE - 1) / RESULTS_ON_PAGE;
}

static bool
is_past_end(const struct search *search)
{
	return search->question.offset > 0 &&
	    search->answer.outcome == SEARCH_EXACT &&
	    search->question.offset >= search->answer.total;
}

static enum http_status
show_results(struct search *search)
{
	struct page *page = search->page;
	struct results results;
	uint64_t only = 0;

	if (read_results(search, &results) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (is_past_end(search))
		return page_past_end(page, search->base, count_pages(search));
	if (query_is_link(&search->query))
		only = only_article(search, results.hits, results.count);
	if (only != 0)
		return page_redirect(page, page_article_path(page, only));
	if (page_read_saved(page) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	add_extent(search, &results);
	add_rows(search, results.hits, results.count);
	return show_search(search, HTTP_OK);
}

/* The names in the query that nobody and nothing has are said with the other notes. */
static void
note_unknown_names(struct search *search)
{
	struct arena *arena = search->page->arena;
	struct mustache_list *notes = &search->model.notes;
	struct text *all =
	    arena_new(arena, struct text, notes->count + search->names.count);
	const struct text *before = notes->items;
	size_t count = 0;

	for (; count < notes->count; count++)
		all[count] = before[count];
	for (size_t i = 0; i < search->names.count; i++)
		if (search->names.items[i].value.size == 0)
			all[count++] = message_unknown_name(
			    arena, search->names.items[i].key);
	*notes = (struct mustache_list){ all, count };
}

/* Counts a search. */
static enum http_status
take_limit(struct page *page)
{
	return page_is_signed_in(page)
	    ? page_limit_viewer(page, LIMIT_MEMBER_SEARCH)
	    : page_limit_network(page, LIMIT_SEARCH);
}

/* Asks for ids, with the names that the query has. */
static enum store_result
find_ids(struct search *search, enum search_result *result)
{
	struct page *page = search->page;

	if (page->versions == NULL ||
	    search_names_resolve(page->store, page->arena, &search->names) !=
		STORE_OK)
		return STORE_DOWN;
	*result = ask(search, &search->answer);
	return STORE_OK;
}

static enum http_status
answer_search(struct search *search)
{
	struct page *page = search->page;
	enum http_status status = take_limit(page);
	enum search_result result;

	if (status == HTTP_TOO_MANY_REQUESTS) {
		search->model.wait = page_explain(page, status).advice;
		return show_search(search, status);
	}
	if (status == HTTP_OK)
		status = visitors_admit(page);
	if (status != HTTP_OK)
		return status;
	if (find_ids(search, &result) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	note_unknown_names(search);
	return result == SEARCH_OK ? show_results(search)
				   : show_away(search, result);
}

/* The field of a list searches there: its words become a part of the query. */
static enum http_status
search_in(struct page *page, struct text place, struct text typed)
{
	struct text query = typed.size == 0
	    ? place
	    : text_format(
		  page->arena, "%.*s %.*s", TEXT_ARGS(place), TEXT_ARGS(typed));

	return page_redirect(page, search_address(page->arena, query));
}

enum http_status
search_page(struct page *page)
{
	const struct pairs *sent = &page->request->query;
	struct text place = text_trim(pairs_get(sent, TEXT("in")));
	struct text typed = text_trim(pairs_get(sent, TEXT("q")));
	struct search *search;

	page->is_search = true;
	if (place.size > 0)
		return search_in(page, place, typed);
	search = begin_search(page, typed);
	if (page->number > PAGES_MAX || page->from > RESULTS_MAX)
		return page_past_end(page, search->base, PAGES_MAX);
	return query_asks(&search->query) ? answer_search(search)
					  : show_search(search, HTTP_OK);
}

/* What a search asks for, the newest first. One that asks for nothing has no entries. */
enum http_status
search_feed(struct page *page)
{
	struct text typed =
	    text_trim(pairs_get(&page->request->query, TEXT("q")));
	struct search *search = begin_search(page, typed);
	const struct feed_page of = { .path = TEXT("/search"),
		.query = text_slice(
		    search->base, strlen("/search"), search->base.size),
		.heading = message_search(page->arena, typed),
		.is_private = true };
	struct results results;
	enum http_status status;
	enum search_result result;

	if (!query_asks(&search->query))
		return feed_show_hits(page, &of, NULL, 0, false);
	search->query.order = search->question.order = QUERY_NEWEST;
	status = take_limit(page);
	if (status != HTTP_OK)
		return status;
	if (find_ids(search, &result) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	if (result != SEARCH_OK)
		return page_refuse(page, REASON_SEARCH_AWAY);
	if (read_results(search, &results) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	return feed_show_hits(
	    page, &of, results.hits, results.count, search->model.is_partial);
}

enum http_status
search_help_page(struct page *page)
{
	page->is_search = true;
	return page_show(page, HTTP_OK, &search_help_view, NULL);
}

/* For browsers, which add the site to those that they can search. Their names have 16 characters
 * at most. */
enum http_status
search_description_page(struct page *page)
{
	enum { NAME_MAX = 16 };
	struct opensearch_model model = { .site = page_origin(page) };
	struct text name, rest;
	int32_t point;

	page_load(page);
	name = rest = page->settings->name;
	for (int i = 0; i < NAME_MAX && utf8_next(&rest, &point); i++)
		model.short_name =
		    text_slice(name, 0, (size_t)(rest.data - name.data));
	if (page->app->origin.size > 0)
		page->response->cache = CACHE_ONE_SECOND;
	page->response->type = TYPE_OPENSEARCH;
	return page_show(page, HTTP_OK, &opensearch_view, &model);
}

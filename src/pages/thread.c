#include "pages/thread.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "pages/comment_body.h"
#include "pages/thread_deal.h"
#include "views/format.h"

/* "3.17": numbers in order. */
static bool
read_folds(struct text folds, struct thread_request *request)
{
	struct text number;
	uint64_t last = 0;

	if (folds.size == 0)
		return true;
	while (text_cut(&folds, '.', &number)) {
		uint64_t fold;

		if (request->fold_count == FOLDS_MAX ||
		    !pairs_parse_id(number, &fold) || fold <= last)
			return false;
		request->folds[request->fold_count++] = last = fold;
	}
	return true;
}

bool
thread_read_query(const struct page *page, struct thread_request *request)
{
	const struct pairs *query = &page->request->query;
	struct text order = pairs_get(query, TEXT("order"));

	return (order.size == 0 ||
		   thread_order_parse(order, &request->order)) &&
	    read_folds(pairs_get(query, TEXT("fold")), request) &&
	    page_number(page, &request->page) &&
	    page_from(page, &request->from);
}

/* Those above the root come first. */
static void
nest_all(struct thread_deal *deal, const struct thread *thread)
{
	struct arena *arena = deal->page->arena;
	size_t above = thread->above_count;
	struct thread_node *nodes =
	    arena_new(arena, struct thread_node, above + thread->count);

	for (size_t i = 0; i < above; i++)
		nodes[i] = thread->above[i];
	for (size_t i = 0; i < thread->count; i++)
		nodes[above + i] = thread->nodes[i];
	deal->nodes = nodes;
	deal->above = above;
	deal->count = above + thread->count;
	deal->nests = deal_nests(arena, nodes, deal->count);
}

static struct mustache_list
tabs_of(struct arena *arena, const struct thread_request *request)
{
	static const struct text names[] = { TEXT_INIT("Best"),
		TEXT_INIT("New"), TEXT_INIT("Oldest") };
	struct thread_tab *tabs = arena_new(arena, struct thread_tab, 3);

	for (enum thread_order i = THREAD_BEST; i <= THREAD_OLDEST; i++)
		tabs[i] = (struct thread_tab){
			.href = text_join(arena,
			    deal_address(arena, request, i), TEXT("#comments")),
			.name = names[i],
			.current = request->order == i
		};
	return (struct mustache_list){ tabs, 3 };
}

static bool
has_votable(const struct thread_deal *deal)
{
	const struct reader *reader = &deal->reader;
	bool may_vote = reader->id != 0 && reader->waits.size == 0;

	for (size_t i = 0; may_vote && i < deal->count; i++) {
		const struct post *post = &deal->bodies[i].post;

		if (post_is_open(post, deal->request->now) &&
		    post->author.id != reader->id)
			return true;
	}
	return false;
}

static void
fill(const struct thread_deal *deal, const struct thread *thread,
    const struct pager_part *part, struct thread_model *model)
{
	const struct thread_request *request = deal->request;
	const struct article *article = request->article;
	struct arena *arena = deal->page->arena;

	model->items = deal_items(deal);
	model->votable = has_votable(deal);
	if (article->comments > 0)
		model->count = deal_counted(arena, (uint64_t)article->comments,
		    article->comments == 1 ? "comment" : "comments");
	if (model->has_several)
		model->tabs = tabs_of(arena, request);
	model->pager = pager_part_model_of(
	    arena, deal_address(arena, request, request->order), part);
	if (thread->before > 0)
		model->before =
		    deal_counted(arena, thread->before, "more before these");
	if (thread->follow > 0)
		model->follow =
		    deal_counted(arena, thread->follow, "more follow");
	if (thread->above_more > 0)
		model->above =
		    deal_counted(arena, thread->above_more, "more above these");
}

/* Whether anybody writes there any more, and why not. */
static void
add_form(const struct thread_deal *deal, struct thread_model *model)
{
	const struct article *article = deal->request->article;
	bool is_member = page_is_signed_in(deal->page);

	model->may_reply = deal->takes_comments && is_member;
	model->may_log_in = deal->takes_comments && !is_member;
	if (!deal->takes_comments && article->post.removed == 0)
		model->closed = article->thread_closed != 0
		    ? TEXT("A moderator closed this thread.")
		    : TEXT("This thread has closed: the article is too old for "
			   "new comments.");
}

/* The comments of the page that are on its parts before this one; false when that would
 * be all of them. */
static bool
leave_out(struct thread *thread, uint64_t from)
{
	size_t before = (size_t)from - 1;

	if (before > 0 && before >= thread->count)
		return false;
	thread->nodes += before;
	thread->count -= before;
	thread->before += before;
	return true;
}

/* The page ends with those shown when their bytes fill it, and its next part goes on. */
static void
end_early(struct thread_deal *deal, struct thread *thread, size_t shown,
    struct pager_part *part)
{
	size_t count = shown - deal->above;

	if (count < thread->count)
		part->next = part->from + count;
	thread->follow += thread->count - count;
	thread->count = count;
	deal->count = shown;
}

enum http_status
thread_show(struct page *page, const struct thread_request *request,
    struct thread_model *model)
{
	const struct article *article = request->article;
	struct pager_part part = { .number = request->page,
		.from = request->from };
	struct thread thread;
	struct thread_query query = { .article = article->post.id.article,
		.root = request->root,
		.order = request->order,
		.page = request->page,
		.cache = page->app->read_cache,
		.stamp = article->thread };
	struct thread_deal deal = { .page = page,
		.request = request,
		.reader = page_reader(page),
		.takes_comments = article_takes_comments(
		    &page->store->rules, article, request->now) };
	struct comment_body_query said = { .article = query.article,
		.epoch = article->thread.epoch,
		.whole = request->root };
	enum store_result result =
	    thread_read(page->store, page->arena, &query, &thread);
	struct comment_body *bodies;
	size_t shown;

	if (result != STORE_OK)
		return page_failed(page, result);
	if (request->page > thread.pages)
		return page_past_end(page,
		    deal_address(page->arena, request, request->order),
		    thread.pages);
	if (!leave_out(&thread, request->from))
		return page_refuse(page, REASON_NO_PAGE);
	part.more = request->page < thread.pages;
	model->has_several = thread.before + thread.count > 1;
	if (page_is_head(page))
		return HTTP_OK;
	nest_all(&deal, &thread);
	bodies = arena_new(page->arena, struct comment_body, deal.count);
	said.above = thread.above_count;
	if (comment_body_read(page, &said, deal.nodes, deal.count, bodies,
		&shown) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	deal.bodies = bodies;
	end_early(&deal, &thread, shown, &part);
	fill(&deal, &thread, &part, model);
	add_form(&deal, model);
	return HTTP_OK;
}

struct mustache_html
thread_single(struct page *page, const struct article *article, int64_t now,
    const struct comment *comment)
{
	const struct reader reader = page_reader(page);
	struct comment_model card =
	    comment_model_of(page->arena, &comment->post, now, &reader);
	struct mustache_html html;
	struct comment_body_html said;

	/* Here it is answered, not voted on. */
	card.votable = false;
	card.waits = TEXT("");
	card.is_open = true;
	card.parent = (uint64_t)comment->parent;
	card.is_article_author =
	    comment->post.author.id == article->post.author.id;
	said = comment_body_html(
	    page, comment->text, comment->links, RULE_EXCERPT_BYTES);
	card.text.text = said.html;
	if (said.is_cut)
		card.all_href = format_post_path(page->arena, comment->post.id);
	html = views_part(page->app->views, page->arena, &comment_view, &card);
	html.text =
	    text_join(page->arena, html.text, TEXT("</details></article>"));
	return html;
}

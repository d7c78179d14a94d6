#include "lounge/thread.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "lounge/said.h"
#include "parts/format.h"

/* Where a card stands: in that of what it answers, if that is on the page, up to a level
 * from which on they stand below each other. */
struct nest {
	size_t parent; /* its number on the page; NOWHERE */
	size_t level;
	bool is_flat;
};

#define NOWHERE SIZE_MAX

/* A page on its way to cards. */
struct showing {
	struct page *page;
	const struct thread_request *request;
	struct line_reader reader;
	const struct thread_node
	    *nodes; /* above the root, and then the page's */
	const struct said *saids;
	struct nest *nests; /* of each */
	size_t count, above;
	bool takes_comments;
};

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
	    page_number(page, &request->page);
}

static bool
is_folded(const struct thread_request *request, uint64_t number)
{
	for (size_t i = 0; i < request->fold_count; i++)
		if (request->folds[i] == number)
			return true;
	return false;
}

/* The page's address in an order. */
static struct text
address(struct arena *arena, const struct thread_request *request,
    enum thread_order order)
{
	return order == THREAD_BEST
	    ? request->base
	    : text_format(arena, "%.*s?order=%.*s", TEXT_ARGS(request->base),
		  TEXT_ARGS(thread_order_words[order]));
}

/* With one comment folded that was not, or the other way round. */
static struct text
toggled(
    struct arena *arena, const struct thread_request *request, uint64_t number)
{
	struct buffer href = buffer_in(arena, 128);
	struct text base = pager_href(
	    arena, address(arena, request, request->order), request->page);
	bool is_first = true, is_due = !is_folded(request, number);

	buffer_add(&href, base);
	for (size_t i = 0; i <= request->fold_count; i++) {
		bool at_end = i == request->fold_count;
		uint64_t fold = at_end ? UINT64_MAX : request->folds[i];

		if (is_due && number < fold) {
			is_due = false;
			fold = number;
			i--;
		} else if (at_end || fold == number) {
			continue;
		}
		buffer_add(&href,
		    !is_first ? TEXT(".")
			: text_find(base, 0, TEXT("?")) == SIZE_MAX
			? TEXT("?fold=")
			: TEXT("&fold="));
		buffer_add_number(&href, (int64_t)fold);
		is_first = false;
	}
	buffer_add(&href, TEXT("#comment-"));
	buffer_add_number(&href, (int64_t)number);
	return buffer_text(&href);
}

/* What a comment answers stands before it. */
static struct nest
nest_of(const struct showing *showing, size_t i)
{
	const struct thread_node *nodes = showing->nodes;
	struct nest nest = { .parent = i };

	while (
	    nest.parent-- > 0 && nodes[nest.parent].number != nodes[i].parent)
		;
	if (nest.parent == NOWHERE)
		return nest;
	nest.level = showing->nests[nest.parent].level + 1;
	nest.is_flat = nest.level > CARD_LEVELS;
	if (nest.is_flat)
		nest.level = CARD_LEVELS;
	return nest;
}

/* Where a comment is that is answered: here, or on its own page; and whose it is, where
 * that is not to be seen. */
static void
add_parent(const struct showing *showing, size_t i, struct card_model *card)
{
	struct arena *arena = showing->page->arena;
	const struct nest *nest = &showing->nests[i];
	const struct post_id id = { showing->request->article->post.id.article,
		showing->nodes[i].parent };

	if (id.comment == 0)
		return;
	if (nest->parent == NOWHERE) {
		card->parent_href = format_post_path(arena, id);
		card->answers = TEXT("another comment");
		return;
	}
	card->parent_href =
	    text_format(arena, "#comment-%llu", (unsigned long long)id.comment);
	if (nest->is_flat)
		card->answers = showing->saids[nest->parent].post.author.name;
	if (nest->is_flat && card->answers.size == 0)
		card->answers = TEXT("a comment that is gone");
}

/* What this reader may do with it. */
static void
add_rights(const struct showing *showing, const struct said *said,
    struct card_model *card)
{
	struct arena *arena = showing->page->arena;
	uint64_t viewer = showing->page->viewer.id;
	const struct post_id id = said->post.id;
	struct text path = format_post_path(arena, id);
	bool is_own = viewer != 0 && said->post.author.id == viewer;

	if (showing->takes_comments)
		card->reply_href =
		    text_format(arena, "/articles/%llu/reply?parent=%llu",
			(unsigned long long)id.article,
			(unsigned long long)id.comment);
	if (is_own)
		card->edit_href = text_join(arena, path, TEXT("/edit"));
	else if (viewer != 0)
		card->flag_href = text_join(arena, path, TEXT("#act"));
}

static void
add_fold(const struct showing *showing, const struct thread_node *node,
    struct card_model *card)
{
	const struct thread_request *request = showing->request;
	bool folded = is_folded(request, node->number);

	if (folded)
		card->is_open = false;
	if (request->root != 0 || (!folded && request->fold_count == FOLDS_MAX))
		return;
	card->fold = folded ? TEXT("Unfold") : TEXT("Fold");
	card->fold_href = toggled(showing->page->arena, request, node->number);
}

/* "5 replies". */
static struct text
counted(struct arena *arena, uint64_t count, const char *words)
{
	return text_format(arena, "%llu %s", (unsigned long long)count, words);
}

static struct mustache_html
card_html(const struct showing *showing, size_t i)
{
	const struct thread_request *request = showing->request;
	const struct thread_node *node = &showing->nodes[i];
	const struct said *said = &showing->saids[i];
	struct arena *arena = showing->page->arena;
	struct card_model card =
	    card_model_of(arena, &said->post, request->now, &showing->reader);

	card.parent = node->parent;
	card.said.text = said->html;
	card.is_gone = node->removed || said->is_lost;
	card.withdrawn = node->withdrawn;
	card.is_op = said->post.author.id != 0 &&
	    said->post.author.id == request->article->post.author.id;
	card.is_new = request->seen != 0 && node->number > request->seen;
	card.is_root = request->root == node->number;
	/* What leads to the comment that the page is about is not hidden. */
	card.is_open =
	    card.is_open || i < showing->above || card.is_root || card.is_gone;
	if (i >= showing->above && node->below > 0)
		card.replies = counted(
		    arena, node->below, node->below == 1 ? "reply" : "replies");
	card.is_flat = showing->nests[i].is_flat;
	add_parent(showing, i, &card);
	if (!card.is_gone)
		add_rights(showing, said, &card);
	add_fold(showing, node, &card);
	return views_part(showing->page->app->views, arena, &card_view, &card);
}

/* How many cards end after one. */
static struct mustache_list
ends_after(const struct showing *showing, size_t i)
{
	bool is_last = i + 1 == showing->count;
	size_t next = is_last ? 0 : showing->nests[i + 1].level;
	size_t end = showing->nests[i].level + 1;
	size_t count = end > next ? end - next : 0;

	return (struct mustache_list){
		arena_new(showing->page->arena, struct text, count), count
	};
}

static struct mustache_list
items_of(const struct showing *showing)
{
	struct thread_item *items =
	    arena_new(showing->page->arena, struct thread_item, showing->count);

	for (size_t i = 0; i < showing->count; i++)
		items[i] = (struct thread_item){ card_html(showing, i),
			ends_after(showing, i) };
	return (struct mustache_list){ items, showing->count };
}

/* Those above the root come first. */
static void
nest_all(struct showing *showing, const struct thread *thread)
{
	struct arena *arena = showing->page->arena;
	size_t above = thread->above_count;
	struct thread_node *nodes =
	    arena_new(arena, struct thread_node, above + thread->count);

	for (size_t i = 0; i < above; i++)
		nodes[i] = thread->above[i];
	for (size_t i = 0; i < thread->count; i++)
		nodes[above + i] = thread->nodes[i];
	showing->nodes = nodes;
	showing->above = above;
	showing->count = above + thread->count;
	showing->nests = arena_new(arena, struct nest, showing->count);
	for (size_t i = 0; i < showing->count; i++)
		showing->nests[i] = nest_of(showing, i);
}

static struct mustache_list
tabs_of(struct arena *arena, const struct thread_request *request)
{
	static const struct text names[] = { TEXT_INIT("Best"),
		TEXT_INIT("New"), TEXT_INIT("Oldest") };
	struct thread_tab *tabs = arena_new(arena, struct thread_tab, 3);

	for (enum thread_order i = THREAD_BEST; i <= THREAD_OLDEST; i++)
		tabs[i] = (struct thread_tab){ .href = text_join(arena,
						   address(arena, request, i),
						   TEXT("#comments")),
			.name = names[i],
			.current = request->order == i };
	return (struct mustache_list){ tabs, 3 };
}

static bool
has_votable(const struct showing *showing)
{
	const struct line_reader *reader = &showing->reader;
	bool may_vote = reader->id != 0 && reader->waits.size == 0;

	for (size_t i = 0; may_vote && i < showing->count; i++) {
		const struct post *post = &showing->saids[i].post;

		if (post_is_open(post, showing->request->now) &&
		    post->author.id != reader->id)
			return true;
	}
	return false;
}

static void
fill(const struct showing *showing, const struct thread *thread,
    struct thread_model *model)
{
	const struct thread_request *request = showing->request;
	const struct article *article = request->article;
	struct arena *arena = showing->page->arena;

	model->items = items_of(showing);
	model->votable = has_votable(showing);
	if (article->comments > 0)
		model->count = counted(arena, (uint64_t)article->comments,
		    article->comments == 1 ? "comment" : "comments");
	model->has_answers = thread->before + thread->count > 1;
	model->has_several = thread->before + thread->count > 1;
	if (model->has_several)
		model->tabs = tabs_of(arena, request);
	model->pager =
	    pager_model_of(arena, address(arena, request, request->order),
		request->page, request->page < thread->pages);
	if (thread->before > 0)
		model->before =
		    counted(arena, thread->before, "more before these");
	if (thread->follow > 0)
		model->follow = counted(arena, thread->follow, "more follow");
	if (thread->above_more > 0)
		model->above =
		    counted(arena, thread->above_more, "more above these");
}

/* Whether anybody writes there any more, and why not. */
static void
add_form(const struct showing *showing, struct thread_model *model)
{
	const struct article *article = showing->request->article;
	bool is_member = page_is_signed_in(showing->page);

	model->may_reply = showing->takes_comments && is_member;
	model->may_log_in = showing->takes_comments && !is_member;
	if (!showing->takes_comments && article->post.removed == 0)
		model->closed = article->thread_closed != 0
		    ? TEXT("A moderator closed this thread.")
		    : TEXT("This thread has closed: the article is too old for "
			   "new comments.");
}

enum http_status
thread_show(struct page *page, const struct thread_request *request,
    struct thread_model *model)
{
	const struct article *article = request->article;
	struct thread thread;
	struct thread_query query = { .article = article->post.id.article,
		.root = request->root,
		.order = request->order,
		.page = request->page,
		.kept = page->app->kept,
		.stamp = article->thread };
	struct showing showing = { .page = page,
		.request = request,
		.reader = page_reader(page),
		.takes_comments = article_takes_comments(
		    &page->store->rules, article, request->now) };
	struct said_thread said = { query.article, article->thread.epoch };
	enum store_result result =
	    thread_read(page->store, page->arena, &query, &thread);
	struct said *saids;

	if (result != STORE_OK)
		return page_failed(page, result);
	if (request->page > thread.pages)
		return page_past_end(page,
		    address(page->arena, request, request->order),
		    thread.pages);
	nest_all(&showing, &thread);
	saids = arena_new(page->arena, struct said, showing.count);
	if (said_read(page, &said, showing.nodes, showing.count, saids) !=
	    STORE_OK)
		return page_failed(page, STORE_DOWN);
	showing.saids = saids;
	fill(&showing, &thread, model);
	add_form(&showing, model);
	return HTTP_OK;
}

struct mustache_html
thread_single(struct page *page, const struct article *article, int64_t now,
    const struct comment *comment)
{
	const struct line_reader nobody = { .id = page->viewer.id,
		.waits = TEXT(" ") };
	struct card_model card =
	    card_model_of(page->arena, &comment->post, now, &nobody);
	struct mustache_html html;

	card.waits = TEXT("");
	card.is_open = true;
	card.parent = (uint64_t)comment->parent;
	card.is_op = comment->post.author.id == article->post.author.id;
	card.said.text = said_html(page->arena, comment->text, comment->links);
	html = views_part(page->app->views, page->arena, &card_view, &card);
	html.text =
	    text_join(page->arena, html.text, TEXT("</details></article>"));
	return html;
}

/*
 * How a page of a thread is made:
 *
 *	thread_read         its nodes in order, each a number, a parent and votes
 *	skip_earlier_parts  leaves out those that were on earlier parts of the page
 *	add_positions       finds for each the comment that it is inside of
 *	comment_body_read   reads author and text, until RULE_PAGE_BYTES of HTML are full
 *	end_early           leaves the others to the page's next part
 *	render_comment      makes each one's HTML, which is open at its end
 *
 *	nodes in order         level   HTML                      elements closed after it
 *	1                        0     <article> 1                 0
 *	+- 2, answers 1          1     |  <article> 2              0
 *	|  +- 3, answers 2       2     |  |  <article> 3           2  (those of 3 and 2)
 *	+- 4, answers 1          1     |  <article> 4              2  (those of 4 and 1)
 *	5                        0     <article> 5                 1
 *
 * Pieces of the page are cached (pages/pieces.h): members who open it are served the same ones, but
 * for those with comments that they voted on or saved.
 */
#include "pages/thread.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fiber.h"
#include "base/single_flight.h"
#include "pages/comment_body.h"
#include "pages/pieces.h"
#include "pages/visitors.h"
#include "store/inbox.h"
#include "views/format.h"
#include "views/language.h"
#include "views/messages.h"

/* Where a comment is on the page: inside of the one that it answers, if that is on the
 * page, up to a level from which on they are below each other. */
struct position {
	size_t parent; /* the index of that one; NO_PARENT */
	size_t level;
	bool is_flat;
};

#define NO_PARENT SIZE_MAX

/* A page of a thread while it is rendered. */
struct thread_page {
	struct page *page;
	const struct thread_request *request;
	struct reader reader;
	const struct hidden_filter *hidden;
	/* Those above the root, and then the page's. */
	const struct thread_node *nodes;
	struct comment_body *bodies; /* of each */
	const struct comment_body_query *query;
	const struct position *positions; /* likewise */
	size_t count, above;
	bool takes_comments;
	bool *is_down; /* set when a comment's text could not be read */
};

enum http_status
thread_admit(struct page *page, const struct found_post *found)
{
	/* A comment may be on any page. */
	if (page->number > 1 ||
	    pairs_has(&page->request->query, TEXT("comment")) ||
	    !post_is_open(&found->article.post, found->now))
		return visitors_admit(page);
	visitors_charge(page);
	return HTTP_OK;
}

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

	request->page = page->number;
	request->from = page->from;
	return (order.size == 0 ||
		   thread_order_parse(order, &request->order)) &&
	    (!pairs_has(query, TEXT("comment")) ||
		pairs_parse_id(
		    pairs_get(query, TEXT("comment")), &request->find)) &&
	    read_folds(pairs_get(query, TEXT("fold")), request);
}

/* The page's address in an order. */
static struct text
thread_address(struct arena *arena, const struct thread_request *request,
    enum thread_order order)
{
	return order == THREAD_BEST
	    ? request->base
	    : text_format(arena, "%.*s?order=%.*s", TEXT_ARGS(request->base),
		  TEXT_ARGS(thread_order_words[order]));
}

static bool
is_folded(const struct thread_request *request, uint64_t number)
{
	for (size_t i = 0; i < request->fold_count; i++)
		if (request->folds[i] == number)
			return true;
	return false;
}

/* The request's folds with a comment's added, or removed if it is among them; returns
 * how many they are. */
static size_t
toggle_fold(
    const struct thread_request *request, uint64_t number, uint64_t *folds)
{
	bool is_due = !is_folded(request, number);
	size_t count = 0;

	for (size_t i = 0; i < request->fold_count; i++) {
		uint64_t fold = request->folds[i];

		if (is_due && fold > number) {
			folds[count++] = number;
			is_due = false;
		}
		if (fold != number)
			folds[count++] = fold;
	}
	if (is_due)
		folds[count++] = number;
	return count;
}

/* "?fold=3.17#comment-17": the address of the page with a comment folded that was not, or
 * the reverse. */
static struct text
fold_href(
    struct arena *arena, const struct thread_request *request, uint64_t number)
{
	struct buffer href = buffer_in(arena, 128);
	struct text base = pager_part_href(arena,
	    thread_address(arena, request, request->order), request->page,
	    request->from);
	bool has_query = text_find(base, 0, TEXT("?")) != SIZE_MAX;
	uint64_t folds[FOLDS_MAX + 1];
	size_t count = toggle_fold(request, number, folds);

	buffer_add(&href, base);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buffer_add_char(&href, '.');
		else
			buffer_add(
			    &href, has_query ? TEXT("&fold=") : TEXT("?fold="));
		buffer_add_number(&href, (int64_t)folds[i]);
	}
	buffer_add(&href, TEXT("#comment-"));
	buffer_add_number(&href, (int64_t)number);
	return buffer_text(&href);
}

/* The position of the comment at an index; a comment comes after the one that it answers. */
static struct position
position_of(
    const struct thread_node *nodes, const struct position *positions, size_t i)
{
	struct position position = { .parent = NO_PARENT };

	for (size_t p = i; p > 0; p--)
		if (nodes[p - 1].number == nodes[i].parent) {
			position.parent = p - 1;
			break;
		}
	if (position.parent == NO_PARENT)
		return position;
	position.level = positions[position.parent].level + 1;
	position.is_flat = position.level > COMMENT_LEVELS;
	if (position.is_flat)
		position.level = COMMENT_LEVELS;
	return position;
}

/* The nodes above the root, and then those of the page. */
static const struct thread_node *
join_nodes(struct arena *arena, const struct thread *thread)
{
	size_t above = thread->above_count;
	struct thread_node *nodes;

	if (thread->nodes == thread->above + above)
		return thread->above;
	nodes = arena_new(arena, struct thread_node, above + thread->count);
	for (size_t i = 0; i < above; i++)
		nodes[i] = thread->above[i];
	for (size_t i = 0; i < thread->count; i++)
		nodes[above + i] = thread->nodes[i];
	return nodes;
}

/* Sets the nodes and their positions. */
static void
add_positions(struct thread_page *shown, const struct thread *thread)
{
	struct arena *arena = shown->page->arena;
	size_t count = thread->above_count + thread->count;
	const struct thread_node *nodes = join_nodes(arena, thread);
	struct position *positions = arena_new(arena, struct position, count);

	for (size_t i = 0; i < count; i++)
		positions[i] = position_of(nodes, positions, i);
	shown->nodes = nodes;
	shown->positions = positions;
	shown->above = thread->above_count;
	shown->count = count;
}

/* The author of the comment that is answered, if it is on the page; empty also when it was
 * removed. */
static struct text
answered_by(const struct thread_page *shown, size_t i)
{
	size_t parent = shown->positions[i].parent;

	return parent != NO_PARENT ? shown->bodies[parent].post.author.name
				   : TEXT("");
}

static bool
is_removed_by_moderator(const struct thread_page *shown, size_t i)
{
	return shown->nodes[i].removed && !shown->nodes[i].withdrawn;
}

/* The link to the comment that is answered, on this page or its own, and its author: for a
 * comment inside of it both are read out, and shown where there are no styles. */
static void
add_parent(
    const struct thread_page *shown, size_t i, struct comment_model *comment)
{
	struct arena *arena = shown->page->arena;
	const struct position *position = &shown->positions[i];
	const struct post_id id = { shown->request->article->post.id.article,
		shown->nodes[i].parent };

	if (id.comment == 0)
		return;
	if (position->parent == NO_PARENT) {
		comment->parent_href = format_post_path(arena, id);
		comment->answers = message_text(MESSAGE_ANOTHER_COMMENT);
		return;
	}
	comment->parent_href =
	    text_format(arena, "#comment-%llu", (unsigned long long)id.comment);
	comment->is_inside = !position->is_flat;
	comment->answers = answered_by(shown, i);
	if (comment->answers.size == 0)
		comment->answers = message_text(
		    is_removed_by_moderator(shown, position->parent)
			? MESSAGE_REMOVED_COMMENT
			: MESSAGE_DELETED_COMMENT);
}

static bool
is_own(const struct thread_page *shown, const struct comment_body *body)
{
	return shown->reader.id != 0 &&
	    body->post.author.id == shown->reader.id;
}

/* The reader comes back to the thread in the order that it had. */
static struct text
reply_path(struct arena *arena, struct post_id id, enum thread_order order)
{
	struct text path = comment_reply_path(arena, id);

	return order == THREAD_BEST
	    ? path
	    : text_format(arena, "%.*s&order=%.*s", TEXT_ARGS(path),
		  TEXT_ARGS(thread_order_words[order]));
}

/* The links to what the viewer may do with it. */
static void
add_rights(const struct thread_page *shown, const struct comment_body *body,
    struct comment_model *comment)
{
	struct arena *arena = shown->page->arena;
	uint64_t viewer = shown->page->viewer.id;
	const struct post_id id = body->post.id;
	struct text path = format_post_path(arena, id);

	if (shown->takes_comments)
		comment->reply_href =
		    reply_path(arena, id, shown->request->order);
	if (is_own(shown, body))
		comment->edit_href = text_join(arena, path, TEXT("/edit"));
	else if (viewer != 0)
		comment->flag_href = text_join(arena, path, TEXT("#act"));
}

static void
add_fold(const struct thread_page *shown, const struct thread_node *node,
    struct comment_model *comment)
{
	const struct thread_request *request = shown->request;
	bool folded = is_folded(request, node->number);

	if (folded)
		comment->is_open = false;
	if (request->root != 0 || (!folded && request->fold_count == FOLDS_MAX))
		return;
	comment->is_folded = folded;
	comment->fold_href =
	    fold_href(shown->page->arena, request, node->number);
}

/* What the reader wrote is not new to them. */
static bool
is_new(const struct thread_page *shown, size_t i)
{
	uint64_t seen = shown->request->seen;

	return seen != 0 && shown->nodes[i].number > seen &&
	    !is_own(shown, &shown->bodies[i]);
}

/* The number of the next comment on the page that is new; 0: none. */
static uint64_t
next_new(const struct thread_page *shown, size_t i)
{
	for (size_t next = i + 1; next < shown->count; next++)
		if (is_new(shown, next) && !shown->nodes[next].removed)
			return shown->nodes[next].number;
	return 0;
}

/* Whether a comment is new, and where the next one is that is. */
static void
add_new(
    const struct thread_page *shown, size_t i, struct comment_model *comment)
{
	uint64_t next;

	comment->is_new = is_new(shown, i);
	next = comment->is_new ? next_new(shown, i) : 0;
	if (next != 0)
		comment->next_href = text_format(shown->page->arena,
		    "#comment-%llu", (unsigned long long)next);
}

/* The HTML, and where there is more of it: nowhere when this is its own page. */
static void
add_text(const struct thread_page *shown, const struct thread_node *node,
    const struct comment_body *body, struct comment_model *comment)
{
	comment->text.text = body->html.text;
	if (!body->html.is_cut)
		return;
	if (shown->request->root == node->number)
		comment->is_cut = true;
	else
		comment->all_href =
		    format_post_path(shown->page->arena, body->post.id);
}

/* On its own page a comment is as it is. */
static bool
is_hidden(const struct thread_page *shown, size_t i)
{
	const struct thread_node *node = &shown->nodes[i];

	return node->number != shown->request->root && !node->removed &&
	    hidden_author(shown->hidden, shown->bodies[i].post.author.id);
}

static uint64_t
heading_of(size_t level)
{
	uint64_t heading = COMMENT_HEADING + (uint64_t)level;

	return heading < COMMENT_HEADING_LAST ? heading : COMMENT_HEADING_LAST;
}

static struct mustache_html
render_comment(const struct thread_page *shown, size_t i)
{
	const struct thread_request *request = shown->request;
	const struct thread_node *node = &shown->nodes[i];
	const struct comment_body *body = &shown->bodies[i];
	struct arena *arena = shown->page->arena;
	struct comment_model comment =
	    comment_model_of(arena, &body->post, request->now, &shown->reader);

	comment.parent = node->parent;
	comment.heading = heading_of(shown->positions[i].level);
	add_text(shown, node, body, &comment);
	comment.is_removed = node->removed || body->is_lost;
	comment.withdrawn = node->withdrawn;
	comment.is_article_author = body->post.author.id != 0 &&
	    body->post.author.id == request->article->post.author.id;
	add_new(shown, i, &comment);
	comment.is_root = request->root == node->number;
	comment.is_hidden = is_hidden(shown, i);
	/* The comments above the root are not folded away. */
	comment.is_open = comment.is_open || i < shown->above ||
	    comment.is_root || comment.is_removed || comment.is_hidden;
	if (i >= shown->above && node->below > 0)
		comment.replies =
		    message_count(arena, MESSAGE_REPLIES, (int64_t)node->below);
	comment.is_flat = shown->positions[i].is_flat;
	add_parent(shown, i, &comment);
	if (!comment.is_removed)
		add_rights(shown, body, &comment);
	add_fold(shown, node, &comment);
	return views_part(
	    shown->page->app->views, arena, &comment_view, &comment);
}

/* How many elements are closed after a comment: its own, and those of the comments that it is
 * the last inside of. */
static size_t
count_ends(const struct thread_page *shown, size_t i)
{
	bool is_last = i + 1 == shown->count;
	size_t next = is_last ? 0 : shown->positions[i + 1].level;
	size_t end = shown->positions[i].level + 1;

	return end > next ? end - next : 0;
}

/* What the HTML of all comments of a page is made from. */
static struct text
common_key(const struct thread_page *shown)
{
	const struct thread_request *request = shown->request;
	const struct settings_snapshot *settings = shown->page->settings_held;
	const uint64_t parts[] = { request->article->thread.epoch,
		request->article->post.id.article, request->root,
		request->order, request->page, request->from, settings->epoch,
		settings->version, shown->takes_comments,
		language_current()->index };
	struct buffer key = buffer_in(shown->page->arena, 64);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&key);
}

/*
 * What a comment's HTML is made from beside that. Its text follows from its number, its edits and
 * the settings, its ages from their steps (format_age_step). Not cached are pages with
 * something folded, where each link to unfold has another address, and those of visitors
 * and of new members, which say where to come back to or how long to wait.
 */
static void
add_comment_key(
    struct page *page, const void *source, size_t i, struct buffer *key)
{
	const struct thread_page *shown = source;
	const struct thread_request *request = shown->request;
	const struct thread_node *node = &shown->nodes[i];
	const struct post *post = &shown->bodies[i].post;
	const bool flags[] = { post_is_open(post, request->now),
		is_own(shown, &shown->bodies[i]), is_new(shown, i),
		request->root == node->number, i < shown->above,
		shown->positions[i].is_flat,
		shown->positions[i].parent == NO_PARENT, node->removed,
		node->withdrawn, is_hidden(shown, i),
		reader_has_saved(&shown->reader, post->id),
		reader_sees_score(&shown->reader, post, request->now),
		shown->bodies[i].is_lost };
	uint64_t bits = post->vote;
	const uint64_t parts[] = { node->number, node->edition,
		(uint64_t)post->points, node->below,
		heading_of(shown->positions[i].level), count_ends(shown, i),
		is_new(shown, i) ? next_new(shown, i) : 0,
		(uint64_t)format_age_step(request->now, post->posted),
		post->edited == 0
		    ? 0
		    : (uint64_t)format_age_step(request->now, post->edited) };

	(void)page;
	for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
		bits = bits << 1 | flags[f];
	buffer_add_varints(key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add_varints(key, &bits, 1);
	buffer_add_sized(key, answered_by(shown, i));
}

static bool
comments_are_cached(const struct thread_page *shown)
{
	return shown->reader.id != 0 && shown->reader.waits.size == 0 &&
	    shown->request->fold_count == 0;
}

static struct text
join_comments(struct page *page, const void *source, size_t first, size_t last)
{
	const struct thread_page *shown = source;
	struct thread_item *items =
	    arena_new(page->arena, struct thread_item, last - first);
	const struct comment_items_model model = { .items = {
						       items, last - first } };

	if (comment_body_load(page, shown->query, shown->nodes + first,
		last - first, shown->bodies + first) != STORE_OK) {
		*shown->is_down = true;
		return TEXT("");
	}
	for (size_t i = first; i < last; i++) {
		size_t ends = count_ends(shown, i);

		items[i - first] = (struct thread_item){ render_comment(
							     shown, i),
			{ arena_new(page->arena, struct text, ends), ends } };
		fiber_yield();
	}
	return views_part(
	    page->app->views, page->arena, &comment_items_view, &model)
	    .text;
}

static struct mustache_list
render_comments(const struct thread_page *shown)
{
	const struct piece_rows rows = { .common = common_key(shown),
		.add_key = add_comment_key,
		.render = join_comments,
		.source = shown,
		.is_cached = comments_are_cached(shown),
		.size = PIECE_COMMENTS };

	return pieces_of(shown->page, &rows, 0, shown->count);
}

static struct mustache_list
tabs_of(struct arena *arena, const struct thread_request *request)
{
	struct thread_tab *tabs = arena_new(arena, struct thread_tab, 3);

	for (enum thread_order i = THREAD_BEST; i <= THREAD_OLDEST; i++)
		tabs[i] =
		    (struct thread_tab){ .href = text_join(arena,
					     thread_address(arena, request, i),
					     TEXT("#comments")),
			    .name = message_thread_order(i),
			    .current = request->order == i };
	return (struct mustache_list){ tabs, 3 };
}

/* Comments that are removed or hidden have no buttons, and a form needs one. */
static bool
has_buttons(const struct thread_page *shown)
{
	bool has = false;

	for (size_t i = 0; i < shown->count; i++)
		has = has ||
		    (!shown->nodes[i].removed && !shown->bodies[i].is_lost &&
			!is_hidden(shown, i));
	return has && shown->reader.id != 0;
}

static void
fill_model(const struct thread_page *shown, const struct thread *thread,
    const struct pager_part *part, struct thread_model *model)
{
	const struct thread_request *request = shown->request;
	const struct article *article = request->article;
	struct arena *arena = shown->page->arena;

	model->pieces = render_comments(shown);
	model->has_buttons = has_buttons(shown);
	if (article->comments > 0)
		model->count =
		    message_count(arena, MESSAGE_COMMENTS, article->comments);
	if (model->has_several)
		model->tabs = tabs_of(arena, request);
	if (request->order != THREAD_BEST)
		model->order = thread_order_words[request->order];
	model->pager = pager_part_model_of(
	    arena, thread_address(arena, request, request->order), part);
	if (thread->before > 0)
		model->before = message_count(
		    arena, MESSAGE_MORE_BEFORE, (int64_t)thread->before);
	if (thread->follow > 0)
		model->follow = message_count(
		    arena, MESSAGE_MORE_AFTER, (int64_t)thread->follow);
	if (thread->above_more > 0)
		model->above = message_count(
		    arena, MESSAGE_MORE_ABOVE, (int64_t)thread->above_more);
}

/* Adds whether the viewer may comment, or why the thread is closed. */
static void
add_form(const struct thread_page *shown, struct thread_model *model)
{
	const struct article *article = shown->request->article;
	bool is_member = page_is_signed_in(shown->page);

	model->may_reply = shown->takes_comments && is_member;
	model->may_log_in = shown->takes_comments && !is_member;
	if (!shown->takes_comments && article->post.removed == 0)
		model->closed = article->thread_closed != 0
		    ? message_text(MESSAGE_THREAD_CLOSED)
		    : message_text(MESSAGE_THREAD_TOO_OLD);
}

/* Removes the comments that are on earlier parts of the page; false when no other is
 * left. */
static bool
skip_earlier_parts(struct thread *thread, uint64_t from)
{
	size_t before = (size_t)from - 1;

	if (before > 0 && before >= thread->count)
		return false;
	thread->nodes += before;
	thread->count -= before;
	thread->before += before;
	return true;
}

/* Ends the page where its bytes are full; its next part goes on from there. */
static void
end_early(struct thread_page *shown, struct thread *thread, size_t fitting,
    struct pager_part *part)
{
	size_t count = fitting - shown->above;

	if (count < thread->count)
		part->next = part->from + count;
	thread->follow += thread->count - count;
	thread->count = count;
	shown->count = fitting;
}

/* What tells the page from others of its thread. */
static struct text
page_name(struct arena *arena, const struct thread_request *request)
{
	const uint64_t parts[] = { request->root, request->order, request->page,
		request->from };
	struct buffer name = buffer_in(arena, 32);

	buffer_add_varints(&name, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&name);
}

/* True if Redis was sent a hint this minute that the viewer has read the notices of this page, and
 * none has come since. A hint may be lost, so the next minute sends it again. */
static bool
sent_read_hint(const struct thread_page *shown)
{
	struct page *page = shown->page;
	const struct thread_request *request = shown->request;
	struct read_cache *cache = page->app->read_cache;
	struct stamp stamp = { store_epoch(page->store),
		(uint64_t)page->viewer.notified };
	const uint64_t parts[] = { (uint64_t)request->now / 60,
		request->article->post.id.article };
	struct buffer name = buffer_in(page->arena, 64);
	struct text value;

	buffer_add_varints(&name, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&name, page_name(page->arena, request));
	if (read_cache_get_own(cache, page->arena, stamp, OWN_READ,
		page->viewer.id, buffer_text(&name), &value))
		return true;
	read_cache_put_own(cache, page->arena, stamp, OWN_READ, page->viewer.id,
	    buffer_text(&name), TEXT(""));
	return false;
}

/* Marks the viewer's notices of the thread as read, or on the page of one comment of those that
 * it shows. Costs no round trip, and nothing when all notices were read. */
static void
note_reading(const struct thread_page *shown)
{
	struct page *page = shown->page;
	const struct thread_request *request = shown->request;
	uint64_t *numbers;

	if (user_unread(&page->viewer) == 0 || !page_is_read(page) ||
	    request->article->commented == 0 || sent_read_hint(shown))
		return;
	numbers = arena_new(page->arena, uint64_t, shown->count);
	for (size_t i = 0; i < shown->count; i++)
		numbers[i] = shown->nodes[i].number;
	inbox_hint_read(page->store, page->arena, page->viewer.id,
	    request->article->post.id.article, numbers,
	    request->root != 0 ? shown->count : 0);
}

static bool
has_node(const struct thread_page *shown, uint64_t number)
{
	for (size_t i = 0; i < shown->count; i++)
		if (shown->nodes[i].number == number)
			return true;
	return false;
}

static struct comment_body_query
body_query_of(const struct page *page, const struct thread_request *request,
    const struct thread *thread)
{
	const struct article *article = request->article;

	return (struct comment_body_query){ .article = article->post.id.article,
		.epoch = article->thread.epoch,
		.version = article->thread.version,
		.name = page_name(page->arena, request),
		.whole = request->root,
		.above = thread->above_count };
}

/* Reads and renders the page's comments. */
static enum http_status
show_comments(struct page *page, const struct thread_request *request,
    const struct comment_body_query *query, struct thread *thread,
    struct thread_model *model)
{
	const struct article *article = request->article;
	struct pager_part part = { .number = request->page,
		.from = request->from,
		.more = request->page < thread->pages };
	struct thread_page shown = { .page = page,
		.request = request,
		.reader = page->reader,
		.takes_comments = article_takes_comments(
		    &page->store->rules, article, request->now) };
	struct comment_body *bodies;
	bool is_down = false;
	size_t fitting;

	if (page_hidden(page, &shown.hidden) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	add_positions(&shown, thread);
	bodies = arena_new(page->arena, struct comment_body, shown.count);
	if (comment_body_read(page, query, shown.nodes, shown.count, bodies,
		&fitting) != STORE_OK)
		return page_failed(page, STORE_DOWN);
	shown.bodies = bodies;
	shown.query = query;
	shown.is_down = &is_down;
	end_early(&shown, thread, fitting, &part);
	if (request->find != 0 && !has_node(&shown, request->find))
		return page_redirect(page,
		    format_post_path(page->arena,
			(struct post_id){
			    article->post.id.article, request->find }));
	note_reading(&shown);
	fill_model(&shown, thread, &part, model);
	if (is_down)
		return page_failed(page, STORE_DOWN);
	add_form(&shown, model);
	return HTTP_OK;
}

/* One request renders a page that is not cached. Others for the same page wait until it is, before
 * they allocate anything: each would render all texts. */
static enum http_status
show_comments_once(struct page *page, const struct thread_request *request,
    struct thread *thread, struct thread_model *model)
{
	static struct single_flights flights;
	const struct comment_body_query query =
	    body_query_of(page, request, thread);
	struct text key = comment_body_page_key(page, &query);
	struct single_flight own;
	enum http_status status;
	int ignored;

	if (comment_body_has_page(page, &query) ||
	    single_flight_wait(&flights, key, &ignored))
		return show_comments(page, request, &query, thread, model);
	single_flight_begin(&flights, &own, key);
	status = show_comments(page, request, &query, thread, model);
	single_flight_end(&flights, &own, 0);
	return status;
}

enum http_status
thread_show(struct page *page, const struct thread_request *request,
    struct thread_model *model)
{
	const struct article *article = request->article;
	const struct thread_query query = { .article = article->post.id.article,
		.root = request->root,
		.order = request->order,
		.page = request->page,
		.find = request->find,
		.cache = page->app->read_cache,
		.stamp = article->thread };
	struct thread_request found = *request;
	struct thread thread;
	enum store_result result =
	    thread_read(page->store, page->arena, &query, &thread);

	if (result != STORE_OK)
		return page_failed(page, result);
	if (request->page > thread.pages)
		return page_past_end(page,
		    thread_address(page->arena, request, request->order),
		    thread.pages);
	if (!skip_earlier_parts(&thread, request->from))
		return page_refuse(page, REASON_NO_PAGE);
	model->has_several = thread.before + thread.count > 1;
	if (page_is_head(page))
		return HTTP_OK;
	if (request->find != 0)
		found.page = thread.page;
	return page_read_saved(page) == STORE_OK
	    ? show_comments_once(page, &found, &thread, model)
	    : page_failed(page, STORE_DOWN);
}

struct mustache_html
thread_single(struct page *page, const struct article *article, int64_t now,
    const struct comment *comment)
{
	struct comment_model model =
	    comment_model_of(page->arena, &comment->post, now, &page->reader);
	struct mustache_html html;
	struct markdown_html body;

	/* Above the form to answer it there is no form for its buttons. */
	model.votable = false;
	model.may_save = false;
	model.waits = TEXT("");
	model.is_open = true;
	model.heading = COMMENT_HEADING - 1; /* no other is above it */
	model.parent = (uint64_t)comment->parent;
	model.is_article_author =
	    comment->post.author.id == article->post.author.id;
	body = page_markdown(
	    page, comment->text, comment->links, RULE_EXCERPT_BYTES);
	model.text.text = body.text;
	if (body.is_cut)
		model.all_href =
		    format_post_path(page->arena, comment->post.id);
	html = views_part(page->app->views, page->arena, &comment_view, &model);
	html.text =
	    text_join(page->arena, html.text, TEXT("</details></article>"));
	return html;
}

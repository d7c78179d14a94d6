#include "pages/thread_deal.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "views/format.h"

struct text
deal_counted(struct arena *arena, uint64_t count, const char *words)
{
	return text_format(arena, "%llu %s", (unsigned long long)count, words);
}

struct text
deal_address(struct arena *arena, const struct thread_request *request,
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

/* With one comment folded that was not, or the other way round. */
static struct text
toggled(
    struct arena *arena, const struct thread_request *request, uint64_t number)
{
	struct buffer href = buffer_in(arena, 128);
	struct text base =
	    pager_part_href(arena, deal_address(arena, request, request->order),
		request->page, request->from);
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
nest_of(const struct thread_node *nodes, const struct nest *nests, size_t i)
{
	struct nest nest = { .parent = i };

	while (
	    nest.parent-- > 0 && nodes[nest.parent].number != nodes[i].parent)
		;
	if (nest.parent == NOWHERE)
		return nest;
	nest.level = nests[nest.parent].level + 1;
	nest.is_flat = nest.level > COMMENT_LEVELS;
	if (nest.is_flat)
		nest.level = COMMENT_LEVELS;
	return nest;
}

const struct nest *
deal_nests(struct arena *arena, const struct thread_node *nodes, size_t count)
{
	struct nest *nests = arena_new(arena, struct nest, count);

	for (size_t i = 0; i < count; i++)
		nests[i] = nest_of(nodes, nests, i);
	return nests;
}

/* Whose comment on the page a card answers; empty also when that is gone. */
static struct text
answered_by(const struct thread_deal *deal, size_t i)
{
	size_t parent = deal->nests[i].parent;

	return parent != NOWHERE ? deal->bodies[parent].post.author.name
				 : TEXT("");
}

/* Where a comment is that is answered: here, or on its own page; and whose it is, which
 * is only heard, and read where there are no styles, of a card inside the other. */
static void
add_parent(const struct thread_deal *deal, size_t i, struct comment_model *card)
{
	struct arena *arena = deal->page->arena;
	const struct nest *nest = &deal->nests[i];
	const struct post_id id = { deal->request->article->post.id.article,
		deal->nodes[i].parent };

	if (id.comment == 0)
		return;
	if (nest->parent == NOWHERE) {
		card->parent_href = format_post_path(arena, id);
		card->answers = TEXT("another comment");
		return;
	}
	card->parent_href =
	    text_format(arena, "#comment-%llu", (unsigned long long)id.comment);
	card->is_inside = !nest->is_flat;
	card->answers = answered_by(deal, i);
	if (card->answers.size == 0)
		card->answers = TEXT("a comment that is gone");
}

static bool
is_own(const struct thread_deal *deal, const struct comment_body *said)
{
	return deal->reader.id != 0 && said->post.author.id == deal->reader.id;
}

/* What this reader may do with it. */
static void
add_rights(const struct thread_deal *deal, const struct comment_body *said,
    struct comment_model *card)
{
	struct arena *arena = deal->page->arena;
	uint64_t viewer = deal->page->viewer.id;
	const struct post_id id = said->post.id;
	struct text path = format_post_path(arena, id);

	if (deal->takes_comments)
		card->reply_href = comment_reply_path(arena, id);
	if (is_own(deal, said))
		card->edit_href = text_join(arena, path, TEXT("/edit"));
	else if (viewer != 0)
		card->flag_href = text_join(arena, path, TEXT("#act"));
}

static void
add_fold(const struct thread_deal *deal, const struct thread_node *node,
    struct comment_model *card)
{
	const struct thread_request *request = deal->request;
	bool folded = is_folded(request, node->number);

	if (folded)
		card->is_open = false;
	if (request->root != 0 || (!folded && request->fold_count == FOLDS_MAX))
		return;
	card->fold = folded ? TEXT("Unfold") : TEXT("Fold");
	card->fold_href = toggled(deal->page->arena, request, node->number);
}

static bool
is_new(const struct thread_deal *deal, const struct thread_node *node)
{
	uint64_t seen = deal->request->seen;

	return seen != 0 && node->number > seen;
}

/* On its own page there is no more of it elsewhere. */
static void
add_text(const struct thread_deal *deal, const struct thread_node *node,
    const struct comment_body *said, struct comment_model *card)
{
	card->text.text = said->text.html;
	if (!said->text.is_cut)
		return;
	if (deal->request->root == node->number)
		card->is_cut = true;
	else
		card->all_href =
		    format_post_path(deal->page->arena, said->post.id);
}

static struct mustache_html
render(const struct thread_deal *deal, size_t i)
{
	const struct thread_request *request = deal->request;
	const struct thread_node *node = &deal->nodes[i];
	const struct comment_body *said = &deal->bodies[i];
	struct arena *arena = deal->page->arena;
	struct comment_model card =
	    comment_model_of(arena, &said->post, request->now, &deal->reader);

	card.parent = node->parent;
	add_text(deal, node, said, &card);
	card.is_removed = node->removed || said->is_lost;
	card.withdrawn = node->withdrawn;
	card.is_article_author = said->post.author.id != 0 &&
	    said->post.author.id == request->article->post.author.id;
	card.is_new = is_new(deal, node);
	card.is_root = request->root == node->number;
	/* What leads to the comment that the page is about is not hidden. */
	card.is_open =
	    card.is_open || i < deal->above || card.is_root || card.is_removed;
	if (i >= deal->above && node->below > 0)
		card.replies = deal_counted(
		    arena, node->below, node->below == 1 ? "reply" : "replies");
	card.is_flat = deal->nests[i].is_flat;
	add_parent(deal, i, &card);
	if (!card.is_removed)
		add_rights(deal, said, &card);
	add_fold(deal, node, &card);
	return views_part(deal->page->app->views, arena, &comment_view, &card);
}

/*
 * All that a card is made from: its texts follow from its number, its edits and the
 * settings, and the words about ages from their steps. Where something is folded each card has another
 * address to unfold it, and a visitor's and a new member's say where to come back to or
 * how long to wait: these are not kept.
 */
static struct text
made_from(const struct thread_deal *deal, size_t i)
{
	const struct thread_request *request = deal->request;
	const struct thread_node *node = &deal->nodes[i];
	const struct post *post = &deal->bodies[i].post;
	const struct settings_snapshot *settings = deal->page->settings_held;
	struct buffer key = buffer_in(deal->page->arena, 128);
	const bool flags[] = { post_is_open(post, request->now),
		is_own(deal, &deal->bodies[i]), is_new(deal, node),
		request->root == node->number, i < deal->above,
		deal->nests[i].is_flat, deal->nests[i].parent == NOWHERE,
		deal->takes_comments, node->removed, node->withdrawn };
	uint64_t bits = post->vote;
	const uint64_t parts[] = { request->article->thread.epoch,
		post->id.article, node->number, node->edition,
		(uint64_t)post->points, (uint64_t)request->root, request->order,
		request->page, request->from, settings->version, node->below,
		(uint64_t)format_age_step(request->now, post->posted),
		post->edited == 0
		    ? 0
		    : (uint64_t)format_age_step(request->now, post->edited) };

	for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
		bits = bits << 1 | flags[f];
	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add_varints(&key, &bits, 1);
	buffer_add(&key, answered_by(deal, i));
	return buffer_text(&key);
}

static struct mustache_html
comment_html(const struct thread_deal *deal, size_t i)
{
	bool is_kept = deal->reader.id != 0 && deal->reader.waits.size == 0 &&
	    deal->request->fold_count == 0;
	struct cache *cache = is_kept ? deal->page->app->comment_cache : NULL;
	struct mustache_html html;
	struct text key = { NULL, 0 };

	if (cache != NULL) {
		key = made_from(deal, i);
		if (cache_get(cache, deal->page->arena, key, &html.text))
			return html;
	}
	html = render(deal, i);
	if (cache != NULL)
		cache_put(cache, key, html.text);
	fiber_yield();
	return html;
}

/* How many cards end after one. */
static struct mustache_list
ends_after(const struct thread_deal *deal, size_t i)
{
	bool is_last = i + 1 == deal->count;
	size_t next = is_last ? 0 : deal->nests[i + 1].level;
	size_t end = deal->nests[i].level + 1;
	size_t count = end > next ? end - next : 0;

	return (struct mustache_list){
		arena_new(deal->page->arena, struct text, count), count
	};
}

struct mustache_list
deal_items(const struct thread_deal *deal)
{
	struct thread_item *items =
	    arena_new(deal->page->arena, struct thread_item, deal->count);

	for (size_t i = 0; i < deal->count; i++)
		items[i] = (struct thread_item){ comment_html(deal, i),
			ends_after(deal, i) };
	return (struct mustache_list){ items, deal->count };
}

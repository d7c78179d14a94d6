#include "pages/comment_body.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "lists/article_rows.h"
#include "markup/markup.h"
#include "store/group.h"

/* The head of a cached body; its author's name and its HTML follow. */
struct cached_body {
	uint64_t author;
	int64_t closes, edited, folded;
	size_t name_size;
	bool is_cut;
};

static bool
is_whole(const struct comment_body_query *query, const struct thread_node *node)
{
	return query->whole == node->number;
}

/* The settings have the hosts that links are refused to; their version counts within an
 * epoch, as the thread's does. */
static struct text
body_key(struct page *page, const struct comment_body_query *query,
    const struct thread_node *node)
{
	const struct settings_snapshot *settings = page->settings_held;
	const uint64_t parts[] = { query->epoch, query->article, node->number,
		node->edition, (uint64_t)node->posted,
		settings->version << 1 | is_whole(query, node) };
	struct buffer key = buffer_in(page->arena, 64);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&key);
}

static void
put_body(struct cache *cache, struct arena *arena, struct text key,
    const struct comment_body *body)
{
	const struct post *post = &body->post;
	struct cached_body head = { post->author.id, post->closes, post->edited,
		post->folded, post->author.name.size, body->html.is_cut };
	struct buffer bytes = buffer_in(
	    arena, sizeof(head) + head.name_size + body->html.text.size);

	buffer_add(&bytes, (struct text){ (char *)&head, sizeof(head) });
	buffer_add(&bytes, post->author.name);
	buffer_add(&bytes, body->html.text);
	cache_put(cache, key, buffer_text(&bytes));
}

static bool
get_body(struct cache *cache, struct arena *arena, struct text key,
    struct comment_body *body)
{
	struct post *post = &body->post;
	struct cached_body head;
	struct text found;

	if (!cache_get(cache, arena, key, &found))
		return false;
	memcpy(&head, found.data, sizeof(head));
	found = text_slice(found, sizeof(head), found.size);
	post->author.id = head.author;
	post->author.name = text_slice(found, 0, head.name_size);
	post->closes = head.closes;
	post->edited = head.edited;
	post->folded = head.folded;
	body->html = (struct markdown_html){
		text_slice(found, head.name_size, found.size), head.is_cut
	};
	return true;
}

/* A page of bodies while it is read. */
struct body_reader {
	struct page *page;
	const struct comment_body_query *query;
	const struct thread_node *nodes;
	size_t count;
	struct comment_body *bodies;
	struct article_rows rows; /* what the viewer has just voted on */
	size_t asked, shown;	  /* of the nodes, from the first on */
	size_t bytes;		  /* of the HTML of those shown */
	bool is_full;
};

/* Epoch 0: nothing is cached. */
static struct stamp
votes_of(const struct page *page)
{
	struct stamp none = { .epoch = 0 };

	return page->versions == NULL ? none
				      : versions_votes_stamp(page->versions);
}

static struct comment_body
body_of_node(uint64_t article, const struct thread_node *node)
{
	return (struct comment_body){ .post = { .id = { article, node->number },
					  .posted = node->posted,
					  .closes = node->closes,
					  .removed =
					      node->removed ? node->posted : 0,
					  .up = node->up,
					  .down = node->down,
					  .points = node->up - node->down } };
}

/* The whole hash of a comment that is not cached, and the viewer's vote on one that takes
 * votes. */
static struct comment_wanted
want_body(const struct body_reader *reader, const struct thread_node *node,
    struct comment_body *body)
{
	struct page *page = reader->page;
	struct comment_wanted wanted = { .id = body->post.id };
	uint64_t viewer = page->viewer.id;

	if (node->removed)
		return wanted;
	wanted.hash = !get_body(page->app->body_cache, page->arena,
	    body_key(page, reader->query, node), body);
	wanted.vote = viewer != 0 &&
	    (wanted.hash || post_is_open(&body->post, page->now)) &&
	    !read_cache_get_vote(page->app->read_cache, page->arena,
		votes_of(page), viewer, wanted.id, &body->post.vote);
	return wanted;
}

/* Copies what it keeps: the comment is in an arena that is freed before the page's. */
static void
render_hash(const struct body_reader *reader, const struct thread_node *node,
    const struct comment *comment, struct comment_body *body)
{
	struct page *page = reader->page;
	struct post *post = &body->post;

	body->is_lost = comment->post.id.article == 0;
	post->author.id = comment->post.author.id;
	post->author.name = text_copy(page->arena, comment->post.author.name);
	if (node->closes == 0)
		post->closes = comment->post.closes;
	post->edited = comment->post.edited;
	post->folded = comment->post.folded;
	body->html = markdown_render(page->arena,
	    &(struct markdown){ comment->text, comment->links,
		is_whole(reader->query, node) ? RULE_WHOLE_BYTES
					      : RULE_EXCERPT_BYTES },
	    page_refused_hosts(page));
	if (!body->is_lost)
		put_body(page->app->body_cache, page->arena,
		    body_key(page, reader->query, node), body);
	fiber_yield();
}

static void
add_reply(const struct body_reader *reader, const struct thread_node *node,
    const struct comment_wanted *wanted, struct comment_body *body)
{
	const struct page *page = reader->page;

	if (wanted->hash)
		render_hash(reader, node, &wanted->comment, body);
	if (!wanted->vote)
		return;
	body->post.vote = wanted->comment.post.vote;
	if (!article_rows_is_unsettled(&reader->rows, wanted->id.article))
		read_cache_put_vote(page->app->read_cache, page->arena,
		    votes_of(page), page->viewer.id, body->post.id,
		    body->post.vote);
}

static enum store_result
read_recent_votes(struct body_reader *reader)
{
	struct page *page = reader->page;

	reader->rows = (struct article_rows){ .store = page->store,
		.arena = page->arena,
		.cache = page->app->read_cache,
		.viewer = page->viewer.id,
		.versions = page->versions };
	return page->viewer.id == 0 || page->versions == NULL
	    ? STORE_OK
	    : article_rows_load_recent(&reader->rows);
}

/* So many hashes in a batch, of up to 40 KB each: a page of 200 short comments, none of
 * them cached, takes five round trips. */
enum { HASHES_BATCH = 40 };

/* Fills a batch with the next comments, until it has HASHES_BATCH to read or the cached
 * ones fill the page; returns how many comments it has. */
static size_t
fill_batch(struct body_reader *reader, struct comment_wanted *wanted)
{
	size_t first = reader->asked, hashes = 0, bytes = reader->bytes;

	while (reader->asked < reader->count && hashes < HASHES_BATCH &&
	    bytes <= RULE_PAGE_BYTES) {
		size_t i = reader->asked++;
		struct comment_body *body = &reader->bodies[i];

		*body = body_of_node(reader->query->article, &reader->nodes[i]);
		*wanted = want_body(reader, &reader->nodes[i], body);
		hashes += wanted->hash;
		if (i >= reader->query->above)
			bytes += body->html.text.size;
		wanted++;
	}
	return reader->asked - first;
}

/* Adds the next comment to the page; false when its bytes do not fit. */
static bool
add_shown(struct body_reader *reader, const struct comment_body *body)
{
	size_t above = reader->query->above, size = body->html.text.size;

	if (reader->shown >= above) {
		if (reader->shown > above &&
		    reader->bytes + size > RULE_PAGE_BYTES)
			return false;
		reader->bytes += size;
	}
	reader->shown++;
	return true;
}

/* Reads and renders the next batch; its replies are in the given arena. */
static enum store_result
read_batch(struct body_reader *reader, struct arena *arena)
{
	const struct page *page = reader->page;
	struct comment_wanted *wanted = arena_new(
	    arena, struct comment_wanted, reader->count - reader->asked);
	size_t first = reader->asked, count = fill_batch(reader, wanted);

	if (comment_get_some(
		page->store, arena, page->viewer.id, wanted, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && !reader->is_full; i++) {
		struct comment_body *body = &reader->bodies[first + i];

		add_reply(reader, &reader->nodes[first + i], &wanted[i], body);
		reader->is_full = !add_shown(reader, body);
	}
	return STORE_OK;
}

STORE_CALL
comment_body_read(struct page *page, const struct comment_body_query *query,
    const struct thread_node *nodes, size_t count, struct comment_body *bodies,
    size_t *shown)
{
	struct body_reader reader = { .page = page,
		.query = query,
		.nodes = nodes,
		.count = count,
		.bodies = bodies };
	enum store_result result = read_recent_votes(&reader);

	while (result == STORE_OK && !reader.is_full && reader.asked < count) {
		struct arena arena = { 0 };

		result = read_batch(&reader, &arena);
		arena_free(&arena);
	}
	*shown = reader.shown;
	return result;
}

/* Reads the bodies of rows; the replies are in the given arena. */
static enum store_result
read_rows(struct body_reader *reader, struct comment_body_query *query,
    struct arena *arena, const struct comments_row *rows)
{
	struct page *page = reader->page;
	size_t count = reader->count;
	struct thread_node *nodes = arena_new(arena, struct thread_node, count);
	struct comment_wanted *wanted =
	    arena_new(arena, struct comment_wanted, count);

	for (size_t i = 0; i < count; i++) {
		struct post_id id = rows[i].comment.post.id;

		query->article = id.article;
		nodes[i] = thread_node_of(&rows[i].record, id.comment);
		reader->bodies[i] = body_of_node(id.article, &nodes[i]);
		wanted[i] = want_body(reader, &nodes[i], &reader->bodies[i]);
	}
	if (comment_get_some(
		page->store, arena, page->viewer.id, wanted, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		query->article = rows[i].comment.post.id.article;
		add_reply(reader, &nodes[i], &wanted[i], &reader->bodies[i]);
	}
	return STORE_OK;
}

STORE_CALL
comment_body_read_rows(struct page *page, const struct comments_row *rows,
    size_t count, struct comment_body *bodies)
{
	struct arena arena = { 0 };
	struct comment_body_query query = { .epoch = store_epoch(page->store) };
	struct body_reader reader = {
		.page = page, .query = &query, .count = count, .bodies = bodies
	};
	enum store_result result = read_recent_votes(&reader);

	if (result == STORE_OK)
		result = read_rows(&reader, &query, &arena, rows);
	arena_free(&arena);
	return result;
}

bool
comment_body_check(struct page *page, struct input *text)
{
	struct problem problem = { .kind = PROBLEM_LINK_REFUSED };
	const struct hosts *refused = page_refused_hosts(page);

	if (text->problem.size > 0)
		return false;
	if (!markup_within_limits(text->value)) {
		form_mark(page->arena, text, PROBLEM_TEXT_TANGLED);
		return false;
	}
	if (refused != NULL)
		problem.word =
		    markup_find_blocked(page->arena, text->value, refused);
	if (problem.word.size > 0)
		text->problem = message_problem(page->arena, &problem);
	return problem.word.size == 0;
}

static void
add_link(struct buffer *links, struct text mark, struct text name)
{
	if (links->size > 0)
		buffer_add_char(links, ' ');
	buffer_add(links, mark);
	buffer_add(links, name);
}

static struct text
join_names(struct arena *arena, const struct text *names, size_t count)
{
	struct buffer all = buffer_in(arena, 256);

	for (size_t i = 0; i < count; i++)
		add_link(&all, TEXT(""), names[i]);
	return buffer_text(&all);
}

STORE_CALL
comment_body_find_names(
    struct page *page, struct text text, struct comment_body_names *names)
{
	struct arena *arena = page->arena;
	struct markup_names found;
	struct buffer links = buffer_in(arena, 256);
	struct text groups, group;
	uint64_t *ids;

	markup_find_names(arena, text, &found);
	*names = (struct comment_body_names){ .count = 0 };
	ids = arena_new(arena, uint64_t, found.member_count);
	if (user_find_ids(page->store, arena, found.members, found.member_count,
		ids) != STORE_OK ||
	    group_resolve_names(page->store, arena,
		join_names(arena, found.groups, found.group_count),
		&groups) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < found.member_count; i++) {
		if (ids[i] == 0)
			continue;
		add_link(&links, TEXT("@"), found.members[i]);
		if (names->count < RULE_MENTIONS_MAX)
			names->ids[names->count++] = ids[i];
	}
	while (text_next_word(&groups, &group))
		add_link(&links, TEXT("/g/"), group);
	names->links = buffer_text(&links);
	return STORE_OK;
}

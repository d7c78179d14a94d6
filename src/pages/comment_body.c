#include "pages/comment_body.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "lists/article_rows.h"
#include "lists/thread_votes.h"
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

/* The settings have the blocked hosts. */
static struct text
body_key(struct page *page, const struct comment_body_query *query,
    const struct thread_node *node)
{
	const struct settings_snapshot *settings = page->settings_held;
	const uint64_t parts[] = { query->epoch, query->article, node->number,
		node->edition, (uint64_t)node->posted, settings->epoch,
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
	body->html_size = body->html.text.size;
	return true;
}

/* What is cached of a comment on a page, besides its HTML. The names follow the last one. */
struct cached_fact {
	uint64_t author;
	int64_t closes, edited, folded;
	uint32_t number, html_size;
	uint16_t edition, name_size;
	bool is_cut;
};

/* A page of bodies while it is read. */
struct body_reader {
	struct page *page;
	const struct comment_body_query *query;
	const struct thread_node *nodes;
	size_t count;
	struct comment_body *bodies;
	struct article_rows rows;	 /* what the viewer has just voted on */
	const struct cached_fact *facts; /* NULL: not cached */
	const char *name;		 /* of the next fact's author */
	struct thread_votes votes;	 /* the viewer's */
	bool is_thread;			 /* or comments of any threads */
	bool reads_votes;
	size_t asked, shown; /* of the nodes, from the first on */
	size_t bytes;	     /* of the HTML of those shown */
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

/* No body's key begins with 0. */
struct text
comment_body_page_key(
    const struct page *page, const struct comment_body_query *query)
{
	const struct settings_snapshot *settings = page->settings_held;
	const uint64_t parts[] = { 0, query->epoch, query->version,
		query->article, query->above, settings->epoch,
		settings->version };
	struct buffer key = buffer_in(page->arena, 64);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, query->name);
	return buffer_text(&key);
}

bool
comment_body_has_page(
    const struct page *page, const struct comment_body_query *query)
{
	struct text facts;

	return cache_peek(
	    page->app->body_cache, comment_body_page_key(page, query), &facts);
}

/* How many of the facts there are, which says how many comments are shown; 0 when they are of
 * others: what was read under a stamp may be newer than it. */
static size_t
count_facts(const struct body_reader *reader, struct text value)
{
	const struct cached_fact *facts = (const void *)value.data;
	size_t count = 0, names = 0, size = sizeof(*facts);

	while (count < reader->count && count * size + names < value.size) {
		const struct thread_node *node = &reader->nodes[count];

		if (facts[count].number != node->number ||
		    facts[count].edition != node->edition)
			return 0;
		names += facts[count++].name_size;
	}
	return count * size + names == value.size ? count : 0;
}

/* Finds what is cached of the page. */
static void
get_page(struct body_reader *reader)
{
	struct page *page = reader->page;
	struct cache *cache = page->app->body_cache;
	struct text value;
	size_t count;

	if (reader->query->name.size == 0 ||
	    !cache_get(cache, page->arena,
		comment_body_page_key(page, reader->query), &value))
		return;
	count = count_facts(reader, value);
	if (count == 0)
		return;
	reader->count = count;
	reader->facts = (const void *)value.data;
	reader->name = value.data + count * sizeof(*reader->facts);
}

static void
put_facts(const struct body_reader *reader)
{
	struct arena *arena = reader->page->arena;
	struct cached_fact *facts =
	    arena_new(arena, struct cached_fact, reader->shown);
	struct buffer value =
	    buffer_in(arena, reader->shown * (sizeof(*facts) + 16));

	for (size_t i = 0; i < reader->shown; i++) {
		const struct comment_body *body = &reader->bodies[i];
		const struct post *post = &body->post;

		facts[i] = (struct cached_fact){ .author = post->author.id,
			.closes = post->closes,
			.edited = post->edited,
			.folded = post->folded,
			.number = reader->nodes[i].number,
			.html_size = (uint32_t)body->html_size,
			.edition = (uint16_t)reader->nodes[i].edition,
			.name_size = (uint16_t)post->author.name.size,
			.is_cut = body->html.is_cut };
	}
	buffer_add(&value,
	    (struct text){
		(const char *)facts, reader->shown * sizeof(*facts) });
	for (size_t i = 0; i < reader->shown; i++)
		buffer_add(&value, reader->bodies[i].post.author.name);
	cache_put(reader->page->app->body_cache,
	    comment_body_page_key(reader->page, reader->query),
	    buffer_text(&value));
}

static bool
is_any_lost(const struct body_reader *reader)
{
	for (size_t i = 0; i < reader->shown; i++)
		if (reader->bodies[i].is_lost)
			return true;
	return false;
}

/* Caches what was read of the page: the facts if Redis had all of it. */
static void
put_page(const struct body_reader *reader)
{
	if (reader->query->name.size > 0 && reader->facts == NULL &&
	    !is_any_lost(reader))
		put_facts(reader);
	thread_votes_save(&reader->votes);
}

static void
add_fact(struct body_reader *reader, size_t i, struct comment_body *body)
{
	const struct cached_fact *fact = &reader->facts[i];
	struct post *post = &body->post;

	post->author.id = fact->author;
	post->author.name = (struct text){ reader->name, fact->name_size };
	reader->name += fact->name_size;
	post->closes = fact->closes;
	post->edited = fact->edited;
	post->folded = fact->folded;
	body->html.is_cut = fact->is_cut;
	body->html_size = fact->html_size;
}

/* The viewer's vote, if it is cached. */
static bool
get_vote(struct body_reader *reader, struct post *post)
{
	struct page *page = reader->page;

	return reader->is_thread
	    ? thread_votes_get(&reader->votes, post->id.comment, &post->vote)
	    : read_cache_get_vote(page->app->read_cache, page->arena,
		  votes_of(page), page->viewer.id, post->id, &post->vote);
}

static void
put_vote(struct body_reader *reader, const struct post *post)
{
	const struct page *page = reader->page;

	if (reader->is_thread)
		thread_votes_add(&reader->votes, post->id.comment, post->vote);
	else
		read_cache_put_vote(page->app->read_cache, page->arena,
		    votes_of(page), page->viewer.id, post->id, post->vote);
}

/* A batch of comments to read in one round trip. */
struct batch {
	struct arena *arena; /* is freed with the replies */
	size_t max;
	struct comment_wanted *wanted;
	size_t *indexes; /* of each among the nodes */
	size_t count;
};

static void
add_wanted(struct batch *batch, const struct comment_wanted *wanted, size_t i)
{
	if (batch->wanted == NULL) {
		batch->wanted =
		    arena_new(batch->arena, struct comment_wanted, batch->max);
		batch->indexes = arena_new(batch->arena, size_t, batch->max);
	}
	batch->wanted[batch->count] = *wanted;
	batch->indexes[batch->count++] = i;
}

/* Finds what is cached of the comment at an index, and adds to the batch what is not: its hash,
 * or the viewer's vote if it takes votes. */
static void
find_body(struct body_reader *reader, struct batch *batch, size_t i)
{
	struct page *page = reader->page;
	const struct thread_node *node = &reader->nodes[i];
	struct comment_body *body = &reader->bodies[i];
	bool hash, vote;

	*body = body_of_node(reader->query->article, node);
	if (reader->facts != NULL)
		add_fact(reader, i, body);
	if (node->removed)
		return;
	hash = reader->facts == NULL &&
	    !get_body(page->app->body_cache, page->arena,
		body_key(page, reader->query, node), body);
	vote = reader->reads_votes &&
	    (hash || post_is_open(&body->post, page->now)) &&
	    !get_vote(reader, &body->post);
	if (hash || vote)
		add_wanted(batch,
		    &(struct comment_wanted){
			.id = body->post.id, .hash = hash, .vote = vote },
		    i);
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
	    page_blocked_hosts(page));
	body->html_size = body->html.text.size;
	if (!body->is_lost)
		put_body(page->app->body_cache, page->arena,
		    body_key(page, reader->query, node), body);
	fiber_yield();
}

static void
add_reply(struct body_reader *reader, const struct thread_node *node,
    const struct comment_wanted *wanted, struct comment_body *body)
{
	if (wanted->hash)
		render_hash(reader, node, wanted->comment, body);
	if (!wanted->vote)
		return;
	body->post.vote = wanted->cast;
	if (!article_rows_is_unsettled(&reader->rows, wanted->id.article))
		put_vote(reader, &body->post);
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

/* So many comments in a batch, of up to 40 KB each: a page of 200 short comments, none of
 * them cached, takes four round trips. */
enum { BATCH_MAX = 50 };

/* Goes on to the next comments, until the batch or, with cached ones, the page is full. */
static void
fill_batch(struct body_reader *reader, struct batch *batch)
{
	size_t bytes = reader->bytes;

	while (reader->asked < reader->count && batch->count < batch->max &&
	    bytes <= RULE_PAGE_BYTES) {
		size_t i = reader->asked++;

		find_body(reader, batch, i);
		if (i >= reader->query->above)
			bytes += reader->bodies[i].html_size;
	}
}

/* Adds the next comment to the page; false when its bytes do not fit. */
static bool
add_shown(struct body_reader *reader, const struct comment_body *body)
{
	size_t above = reader->query->above, size = body->html_size;

	if (reader->shown >= above) {
		if (reader->shown > above &&
		    reader->bytes + size > RULE_PAGE_BYTES)
			return false;
		reader->bytes += size;
	}
	reader->shown++;
	return true;
}

static enum store_result
read_wanted(const struct body_reader *reader, const struct batch *batch)
{
	const struct page *page = reader->page;

	return comment_get_some(page->store, batch->arena, page->viewer.id,
	    batch->wanted, batch->count);
}

/* Reads and renders the next batch; its replies are in the given arena. */
static enum store_result
read_batch(struct body_reader *reader, struct arena *arena)
{
	struct batch batch = { .arena = arena, .max = BATCH_MAX };
	size_t i = reader->asked, next = 0;

	fill_batch(reader, &batch);
	if (read_wanted(reader, &batch) != STORE_OK)
		return STORE_DOWN;
	for (; i < reader->asked && !reader->is_full; i++) {
		if (next < batch.count && batch.indexes[next] == i)
			add_reply(reader, &reader->nodes[i],
			    &batch.wanted[next++], &reader->bodies[i]);
		reader->is_full = !add_shown(reader, &reader->bodies[i]);
	}
	return STORE_OK;
}

static enum store_result
read_batches(struct body_reader *reader)
{
	enum store_result result = STORE_OK;

	while (result == STORE_OK && !reader->is_full &&
	    reader->asked < reader->count) {
		struct arena arena = { 0 };

		result = read_batch(reader, &arena);
		arena_free(&arena);
	}
	return result;
}

static enum store_result
read_page(struct body_reader *reader)
{
	enum store_result result = read_batches(reader);

	if (result == STORE_OK)
		put_page(reader);
	return result;
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
		.bodies = bodies,
		.votes = { page->app->read_cache, page->arena, votes_of(page),
		    page->viewer.id, query->article, NULL },
		.is_thread = true,
		.reads_votes = page->viewer.id != 0 };
	enum store_result result = read_recent_votes(&reader);

	get_page(&reader);
	if (result == STORE_OK)
		result = read_page(&reader);
	*shown = reader.shown;
	return result;
}

static bool
lack_html(const struct comment_body *bodies, size_t count)
{
	bool lack = false;

	for (size_t i = 0; i < count; i++)
		lack = lack || bodies[i].html_size > bodies[i].html.text.size;
	return lack;
}

/* All but the HTML stays as it is, since the pieces are cached under it. */
STORE_CALL
comment_body_load(struct page *page, const struct comment_body_query *query,
    const struct thread_node *nodes, size_t count, struct comment_body *bodies)
{
	struct comment_body_query all = *query;
	struct body_reader reader = {
		.page = page, .query = &all, .nodes = nodes, .count = count
	};

	if (!lack_html(bodies, count))
		return STORE_OK;
	all.above = count;
	reader.bodies = arena_new(page->arena, struct comment_body, count);
	if (read_batches(&reader) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		bodies[i].html = reader.bodies[i].html;
	return STORE_OK;
}

/* Reads the bodies of rows; the replies are in the given arena. */
static enum store_result
read_rows(struct body_reader *reader, struct comment_body_query *query,
    struct arena *arena, const struct comments_row *rows)
{
	struct batch batch = { .arena = arena, .max = reader->count };
	struct thread_node *nodes =
	    arena_new(arena, struct thread_node, reader->count);

	reader->nodes = nodes;
	for (size_t i = 0; i < reader->count; i++) {
		struct post_id id = rows[i].comment.post.id;

		query->article = id.article;
		nodes[i] = thread_node_of(&rows[i].record, id.comment);
		find_body(reader, &batch, i);
	}
	if (read_wanted(reader, &batch) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < batch.count; i++) {
		size_t row = batch.indexes[i];

		query->article = rows[row].comment.post.id.article;
		add_reply(reader, &nodes[row], &batch.wanted[i],
		    &reader->bodies[row]);
	}
	return STORE_OK;
}

STORE_CALL
comment_body_read_rows(struct page *page, const struct comments_row *rows,
    size_t count, struct comment_body *bodies)
{
	struct arena arena = { 0 };
	struct comment_body_query query = { .epoch = store_epoch(page->store) };
	struct body_reader reader = { .page = page,
		.query = &query,
		.count = count,
		.bodies = bodies,
		.reads_votes = page->viewer.id != 0 };
	enum store_result result = read_recent_votes(&reader);

	if (result == STORE_OK)
		result = read_rows(&reader, &query, &arena, rows);
	arena_free(&arena);
	return result;
}

bool
comment_body_check(struct page *page, struct input *text)
{
	struct problem problem = { .kind = PROBLEM_LINK_BLOCKED };
	const struct hosts *blocked = page_blocked_hosts(page);

	if (text->problem.size > 0)
		return false;
	if (!markup_within_limits(text->value)) {
		form_mark(page->arena, text, PROBLEM_TEXT_TANGLED);
		return false;
	}
	if (blocked != NULL)
		problem.word =
		    markup_find_blocked(page->arena, text->value, blocked);
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

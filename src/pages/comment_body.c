#include "pages/comment_body.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "base/fiber.h"
#include "lists/article_rows.h"
#include "markup/markup.h"
#include "store/group.h"

/* Without what making it takes, which is more than it is. */
static struct comment_body_html
html_render(struct page *page, struct text text, struct text links, size_t max)
{
	struct arena scratch = { 0 };
	struct markup_names known = mentions_new(&scratch);
	const struct markup_rendering rendering = {
		.known = &known, .blocked = page_refused_hosts(page), .max = max
	};
	struct comment_body_html said = { .is_cut = false };
	struct text word;

	while (text_next_word(&links, &word))
		if (text_starts(word, TEXT("@")))
			mentions_add_member(
			    &scratch, &known, text_slice(word, 1, word.size));
		else
			mentions_add_group(
			    &scratch, &known, text_slice(word, 3, word.size));
	said.html = text_copy(
	    page->arena, markup_html(&scratch, text, &rendering, &said.is_cut));
	arena_free(&scratch);
	return said;
}

/* What is kept of a comment, before its author's name and its HTML. */
struct cached_body {
	uint64_t author;
	int64_t closes, edited;
	size_t name_size;
	bool is_cut;
};

static bool
is_whole(
    const struct comment_body_query *thread, const struct thread_node *node)
{
	return thread->whole == node->number;
}

/* The settings say to which hosts no link leads; their version counts within an epoch, as
 * the thread's does. */
static struct text
made_from(struct page *page, const struct comment_body_query *thread,
    const struct thread_node *node)
{
	const struct settings_snapshot *settings = page->settings_held;
	const uint64_t parts[] = { thread->epoch, thread->article, node->number,
		node->edition, (uint64_t)node->posted,
		settings->version << 1 | is_whole(thread, node) };
	struct buffer key = buffer_in(page->arena, 64);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&key);
}

static void
keep(struct cache *cache, struct arena *arena, struct text key,
    const struct comment_body *said)
{
	const struct post *post = &said->post;
	struct cached_body kept = { post->author.id, post->closes, post->edited,
		post->author.name.size, said->text.is_cut };
	struct buffer bytes = buffer_in(
	    arena, sizeof(kept) + kept.name_size + said->text.html.size);

	buffer_add(&bytes, (struct text){ (char *)&kept, sizeof(kept) });
	buffer_add(&bytes, post->author.name);
	buffer_add(&bytes, said->text.html);
	cache_put(cache, key, buffer_text(&bytes));
}

static bool
find(struct cache *cache, struct arena *arena, struct text key,
    struct comment_body *said)
{
	struct post *post = &said->post;
	struct cached_body kept;
	struct text found;

	if (!cache_get(cache, arena, key, &found))
		return false;
	memcpy(&kept, found.data, sizeof(kept));
	found = text_slice(found, sizeof(kept), found.size);
	post->author.id = kept.author;
	post->author.name = text_slice(found, 0, kept.name_size);
	post->closes = kept.closes;
	post->edited = kept.edited;
	said->text = (struct comment_body_html){
		text_slice(found, kept.name_size, found.size), kept.is_cut
	};
	return true;
}

/* What of one thread is read, for one reader. */
struct reading {
	struct page *page;
	const struct comment_body_query *thread;
	const struct thread_node *nodes;
	size_t count;
	struct comment_body *bodies;
	struct article_rows details; /* what the viewer has just voted on */
	size_t asked, shown;	     /* of the nodes, from the first on */
	size_t bytes;		     /* of the HTML of those shown */
	bool is_full;
};

/* Without an epoch nothing is kept. */
static struct stamp
votes_of(const struct page *page)
{
	struct stamp none = { .epoch = 0 };

	return page->versions == NULL ? none
				      : versions_votes_stamp(page->versions);
}

static struct comment_body
said_of(uint64_t article, const struct thread_node *node)
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

/* Of a comment that is not kept the whole hash is wanted, and of one that takes votes the
 * viewer's. */
static struct comment_wanted
want(const struct reading *reading, const struct thread_node *node,
    struct comment_body *said)
{
	struct page *page = reading->page;
	struct comment_wanted wanted = { .id = said->post.id };
	uint64_t viewer = page->viewer.id;

	if (node->removed)
		return wanted;
	wanted.hash = !find(page->app->body_cache, page->arena,
	    made_from(page, reading->thread, node), said);
	wanted.vote = viewer != 0 &&
	    (wanted.hash || post_is_open(&said->post, page->now)) &&
	    !read_cache_get_vote(page->app->read_cache, page->arena,
		votes_of(page), viewer, wanted.id, &said->post.vote);
	return wanted;
}

/* What was read lies in an arena that is freed before the page is. */
static void
take_hash(const struct reading *reading, const struct thread_node *node,
    const struct comment *comment, struct comment_body *said)
{
	struct page *page = reading->page;
	struct post *post = &said->post;

	said->is_lost = comment->post.id.article == 0;
	post->author.id = comment->post.author.id;
	post->author.name = text_copy(page->arena, comment->post.author.name);
	if (node->closes == 0)
		post->closes = comment->post.closes;
	post->edited = comment->post.edited;
	said->text = html_render(page, comment->text, comment->links,
	    is_whole(reading->thread, node) ? RULE_WHOLE_BYTES
					    : RULE_EXCERPT_BYTES);
	if (!said->is_lost)
		keep(page->app->body_cache, page->arena,
		    made_from(page, reading->thread, node), said);
	fiber_yield();
}

static void
take(const struct reading *reading, const struct thread_node *node,
    const struct comment_wanted *wanted, struct comment_body *said)
{
	const struct page *page = reading->page;

	if (wanted->hash)
		take_hash(reading, node, &wanted->comment, said);
	if (!wanted->vote)
		return;
	said->post.vote = wanted->comment.post.vote;
	if (!article_rows_is_unsettled(&reading->details, wanted->id.article))
		read_cache_put_vote(page->app->read_cache, page->arena,
		    votes_of(page), page->viewer.id, said->post.id,
		    said->post.vote);
}

static enum store_result
know_recent(struct reading *reading)
{
	struct page *page = reading->page;

	reading->details = (struct article_rows){ .store = page->store,
		.arena = page->arena,
		.cache = page->app->read_cache,
		.viewer = page->viewer.id,
		.versions = page->versions };
	return page->viewer.id == 0 || page->versions == NULL
	    ? STORE_OK
	    : article_rows_load_recent(&reading->details);
}

/* So many hashes at once, of up to 40 KB each: a page of 200 short comments, of which
 * nothing is kept, takes five round trips. */
enum { HASHES_BATCH = 40 };

/* Wants the next ones: until so many are to be read, or what is kept of them fills the
 * page. Returns how many they are. */
static size_t
want_some(struct reading *reading, struct comment_wanted *wanted)
{
	size_t first = reading->asked, hashes = 0, bytes = reading->bytes;

	while (reading->asked < reading->count && hashes < HASHES_BATCH &&
	    bytes <= RULE_PAGE_BYTES) {
		size_t i = reading->asked++;
		struct comment_body *said = &reading->bodies[i];

		*said = said_of(reading->thread->article, &reading->nodes[i]);
		*wanted = want(reading, &reading->nodes[i], said);
		hashes += wanted->hash;
		if (i >= reading->thread->above)
			bytes += said->text.html.size;
		wanted++;
	}
	return reading->asked - first;
}

/* Whether the next one fits into the page, in which it then is. */
static bool
is_shown(struct reading *reading, const struct comment_body *said)
{
	size_t above = reading->thread->above, size = said->text.html.size;

	if (reading->shown >= above) {
		if (reading->shown > above &&
		    reading->bytes + size > RULE_PAGE_BYTES)
			return false;
		reading->bytes += size;
	}
	reading->shown++;
	return true;
}

/* Asks for the next ones and takes them in, in an arena of their own. */
static enum store_result
read_some(struct reading *reading, struct arena *arena)
{
	const struct page *page = reading->page;
	struct comment_wanted *wanted = arena_new(
	    arena, struct comment_wanted, reading->count - reading->asked);
	size_t first = reading->asked, count = want_some(reading, wanted);

	if (comment_get_some(
		page->store, arena, page->viewer.id, wanted, count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count && !reading->is_full; i++) {
		struct comment_body *said = &reading->bodies[first + i];

		take(reading, &reading->nodes[first + i], &wanted[i], said);
		reading->is_full = !is_shown(reading, said);
	}
	return STORE_OK;
}

STORE_CALL
comment_body_read(struct page *page, const struct comment_body_query *thread,
    const struct thread_node *nodes, size_t count, struct comment_body *bodies,
    size_t *shown)
{
	struct reading reading = { .page = page,
		.thread = thread,
		.nodes = nodes,
		.count = count,
		.bodies = bodies };
	enum store_result result = know_recent(&reading);

	while (
	    result == STORE_OK && !reading.is_full && reading.asked < count) {
		struct arena arena = { 0 };

		result = read_some(&reading, &arena);
		arena_free(&arena);
	}
	*shown = reading.shown;
	return result;
}

/* No link has a zero byte, and no text. */
static struct text
text_made_from(
    struct page *page, struct text text, struct text links, size_t max)
{
	const struct settings_snapshot *settings = page->settings_held;
	const uint64_t parts[] = { settings->epoch, settings->version, max };
	struct buffer key = buffer_in(page->arena, text.size + links.size + 40);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, links);
	buffer_add_char(&key, '\0');
	buffer_add(&key, text);
	return buffer_text(&key);
}

/* Whether it is cut stands before it. */
struct comment_body_html
comment_body_html(
    struct page *page, struct text text, struct text links, size_t max)
{
	struct comment_body_html said = { .is_cut = false };
	struct text key, kept;

	if (page_is_head(page))
		return said;
	key = text_made_from(page, text, links, max);
	if (cache_get(page->app->html_cache, page->arena, key, &kept))
		return (struct comment_body_html){
			text_slice(kept, 1, kept.size), kept.data[0] == '+'
		};
	said = html_render(page, text, links, max);
	cache_put(page->app->html_cache, key,
	    text_join(
		page->arena, said.is_cut ? TEXT("+") : TEXT("="), said.html));
	return said;
}

struct text
comment_body_whole(struct page *page, struct text text, struct text links)
{
	return comment_body_html(page, text, links, RULE_WHOLE_BYTES).html;
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
joined(struct arena *arena, const struct text *names, size_t count)
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
		joined(arena, found.groups, found.group_count),
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

#include "lounge/said.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/memo.h"
#include "lists/details.h"
#include "markup/markup.h"
#include "store/group.h"

static struct text
html_of(struct arena *arena, struct text text, struct text links)
{
	struct markup_names known = mentions_in(arena);
	struct text word;

	while (text_word(&links, &word))
		if (text_starts(word, TEXT("@")))
			mentions_add_member(
			    arena, &known, text_slice(word, 1, word.size));
		else
			mentions_add_group(
			    arena, &known, text_slice(word, 3, word.size));
	return markup_html(arena, text, &known);
}

/* What is kept of a comment, before its author's name and its HTML. */
struct kept_said {
	uint64_t author;
	int64_t closes, edited;
	size_t name_size;
};

static struct text
made_from(struct arena *arena, const struct said_thread *thread,
    const struct thread_node *node)
{
	const uint64_t parts[] = { thread->epoch, thread->article, node->number,
		node->edition, (uint64_t)node->posted };
	struct buffer key = buffer_in(arena, 48);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	return buffer_text(&key);
}

static void
keep(struct memo *memo, struct arena *arena, struct text key,
    const struct said *said)
{
	const struct post *post = &said->post;
	struct kept_said kept = { post->author.id, post->closes, post->edited,
		post->author.name.size };
	struct buffer bytes =
	    buffer_in(arena, sizeof(kept) + kept.name_size + said->html.size);

	buffer_add(&bytes, (struct text){ (char *)&kept, sizeof(kept) });
	buffer_add(&bytes, post->author.name);
	buffer_add(&bytes, said->html);
	memo_keep(memo, key, buffer_text(&bytes));
}

static bool
find(struct memo *memo, struct arena *arena, struct text key, struct said *said)
{
	struct post *post = &said->post;
	struct kept_said kept;
	struct text found;

	if (!memo_find(memo, arena, key, &found))
		return false;
	memcpy(&kept, found.data, sizeof(kept));
	found = text_slice(found, sizeof(kept), found.size);
	post->author.id = kept.author;
	post->author.name = text_slice(found, 0, kept.name_size);
	post->closes = kept.closes;
	post->edited = kept.edited;
	said->html = text_slice(found, kept.name_size, found.size);
	return true;
}

/* What of one thread is read, for one reader. */
struct reading {
	struct page *page;
	const struct said_thread *thread;
	struct details details; /* what the viewer has just voted on */
};

/* Without an epoch nothing is kept. */
static struct stamp
votes_of(const struct page *page)
{
	struct stamp none = { .epoch = 0 };

	return page->versions == NULL ? none : versions_votes(page->versions);
}

static struct said
said_of(uint64_t article, const struct thread_node *node)
{
	return (struct said){ .post = { .id = { article, node->number },
				  .posted = node->posted,
				  .closes = node->closes,
				  .removed = node->removed ? node->posted : 0,
				  .up = node->up,
				  .down = node->down,
				  .points = node->up - node->down } };
}

/* Of a comment that is not kept the whole hash is wanted, and of one that takes votes the
 * viewer's. */
static struct comment_wanted
want(const struct reading *reading, const struct thread_node *node,
    struct said *said)
{
	const struct page *page = reading->page;
	struct comment_wanted wanted = { .id = said->post.id };
	uint64_t viewer = page->viewer.id;

	if (node->removed)
		return wanted;
	wanted.hash = !find(page->app->comments, page->arena,
	    made_from(page->arena, reading->thread, node), said);
	wanted.vote = viewer != 0 &&
	    (wanted.hash || post_is_open(&said->post, page->now)) &&
	    !kept_find_vote(page->app->kept, page->arena, votes_of(page),
		viewer, wanted.id, &said->post.vote);
	return wanted;
}

static void
take(const struct reading *reading, const struct thread_node *node,
    const struct comment_wanted *wanted, struct said *said)
{
	const struct page *page = reading->page;
	const struct comment *comment = &wanted->comment;
	struct post *post = &said->post;

	if (wanted->hash) {
		said->is_lost = comment->post.id.article == 0;
		post->author = comment->post.author;
		if (node->closes == 0)
			post->closes = comment->post.closes;
		post->edited = comment->post.edited;
		said->html =
		    html_of(page->arena, comment->text, comment->links);
		if (!said->is_lost)
			keep(page->app->comments, page->arena,
			    made_from(page->arena, reading->thread, node),
			    said);
	}
	if (!wanted->vote)
		return;
	post->vote = comment->post.vote;
	if (!details_is_unsettled(&reading->details, wanted->id.article))
		kept_keep_vote(page->app->kept, page->arena, votes_of(page),
		    page->viewer.id, post->id, post->vote);
}

static enum store_result
know_recent(struct reading *reading)
{
	struct page *page = reading->page;

	reading->details = (struct details){ .store = page->store,
		.arena = page->arena,
		.kept = page->app->kept,
		.viewer = page->viewer.id,
		.versions = page->versions };
	return page->viewer.id == 0 || page->versions == NULL
	    ? STORE_OK
	    : details_know_recent(&reading->details);
}

STORE_CALL
said_read(struct page *page, const struct said_thread *thread,
    const struct thread_node *nodes, size_t count, struct said *saids)
{
	struct reading reading = { .page = page, .thread = thread };
	struct comment_wanted *wanted =
	    arena_new(page->arena, struct comment_wanted, count);

	if (know_recent(&reading) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++) {
		saids[i] = said_of(thread->article, &nodes[i]);
		wanted[i] = want(&reading, &nodes[i], &saids[i]);
	}
	if (comment_get_some(page->store, page->arena, page->viewer.id, wanted,
		count) != STORE_OK)
		return STORE_DOWN;
	for (size_t i = 0; i < count; i++)
		take(&reading, &nodes[i], &wanted[i], &saids[i]);
	return STORE_OK;
}

/* No link has a zero byte, and no text. */
struct text
said_html(struct page *page, struct text text, struct text links)
{
	struct buffer key = buffer_in(page->arena, text.size + links.size + 1);
	struct text html;

	if (page_is_head(page))
		return TEXT("");
	buffer_add(&key, links);
	buffer_add_char(&key, '\0');
	buffer_add(&key, text);
	if (memo_find(page->app->texts, page->arena, buffer_text(&key), &html))
		return html;
	html = html_of(page->arena, text, links);
	memo_keep(page->app->texts, buffer_text(&key), html);
	return html;
}

bool
said_is_tame(struct page *page, struct input *text)
{
	bool is_tame = markup_is_tame(text->value);

	if (!is_tame && text->problem.size == 0)
		form_mark(page->arena, text, PROBLEM_TEXT_TANGLED);
	return is_tame;
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
said_find_names(struct page *page, struct text text, struct said_names *names)
{
	struct arena *arena = page->arena;
	struct markup_names found;
	struct buffer links = buffer_in(arena, 256);
	struct text groups, group;
	uint64_t *ids;

	markup_find_names(arena, text, &found);
	*names = (struct said_names){ .count = 0 };
	ids = arena_new(arena, uint64_t, found.member_count);
	if (user_find_ids(page->store, arena, found.members, found.member_count,
		ids) != STORE_OK ||
	    group_existing(page->store, arena,
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
	while (text_word(&groups, &group))
		add_link(&links, TEXT("/g/"), group);
	names->links = buffer_text(&links);
	return STORE_OK;
}

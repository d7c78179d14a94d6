#include "views/mod_queue.h"

#include "base/arena.h"
#include "markup/markup.h"
#include "views/format.h"
#include "views/messages.h"

enum { SUMMARY_MAX = 400 };

struct mustache_list
mod_queue_choices(struct arena *arena)
{
	struct flag_choice *choices =
	    arena_new(arena, struct flag_choice, FLAG_KINDS);
	size_t count = 0;

	for (enum flag i = FLAG_NONE; i < FLAG_KINDS; i++)
		if (flag_is_for_members(i))
			choices[count++] = (struct flag_choice){ flag_words[i],
				message_flag(i) };
	return (struct mustache_list){ choices, count };
}

static struct flags_row
flags_row_of(struct arena *arena, const struct mod_queue_flags *flags)
{
	struct flags_row line = { .name = message_flag(flags->flag),
		.names = format_names(arena, flags->names),
		.is_first = flags->flag == FLAG_FIRST };

	if (!line.is_first && flags->count > line.names.count)
		line.count = text_number(arena, (int64_t)flags->count);
	return line;
}

struct mustache_list
mod_queue_flags_rows(
    struct arena *arena, const struct mod_queue_flags *flags, size_t count)
{
	struct flags_row *lines = arena_new(arena, struct flags_row, count);

	for (size_t i = 0; i < count; i++)
		lines[i] = flags_row_of(arena, &flags[i]);
	return (struct mustache_list){ lines, count };
}

/* How a text begins: a comment's, or that of an article that is none of a link. */
static struct text
summary_of(struct arena *arena, const struct mod_queue_item *item)
{
	const struct article *article = &item->article;

	if (item->comment.post.id.comment != 0)
		return markup_plain(arena, item->comment.text, SUMMARY_MAX);
	return article->markup.size > 0
	    ? markup_plain(arena, article->text, SUMMARY_MAX)
	    : format_summary(arena, article->text);
}

struct mod_queue_model
mod_queue_model_of(struct arena *arena, const struct mod_queue_page *queue,
    struct text base, uint64_t number, const struct reader *reader)
{
	struct mod_queue_row *items =
	    arena_new(arena, struct mod_queue_row, queue->count);

	for (size_t i = 0; i < queue->count; i++) {
		const struct mod_queue_item *item = &queue->items[i];
		const struct post *post = item->comment.post.id.comment != 0
		    ? &item->comment.post
		    : &item->article.post;

		items[i] = (struct mod_queue_row){
			.article = article_row_model_of(
			    arena, &item->article, queue->now, reader),
			.flags = mod_queue_flags_rows(
			    arena, item->flags, item->flag_count),
			.held = post_is_waiting(post),
			.folded = post->folded != 0,
			.since = format_rounded_down(
			    arena, queue->now - item->since),
			.since_iso = format_iso(arena, item->since),
			.path = format_post_path(arena, item->comment.post.id),
			.id = format_post(arena, item->comment.post.id),
			.looking = item->looking.id != reader->id
			    ? item->looking.name
			    : TEXT(""),
			.author = post->author.name,
			.said_by = item->comment.post.author.name,
			.summary = summary_of(arena, item)
		};
		/* It is judged here, not voted on. */
		items[i].article.votable = false;
	}
	return (struct mod_queue_model){ .items = { items, queue->count },
		.empty = queue->count == 0,
		.shown_at = queue->now,
		.pager = pager_model_of(arena, base, number, queue->more) };
}

struct group_queue_model
mod_queue_model_of_group(struct arena *arena, struct mod_queue_page *queue,
    struct text group, uint64_t number, const struct reader *reader)
{
	for (size_t i = 0; i < queue->count; i++)
		for (size_t f = 0; f < queue->items[i].flag_count; f++)
			queue->items[i].flags[f].names = TEXT("");
	return (struct group_queue_model){ .group = group,
		.posts = mod_queue_model_of(arena, queue,
		    text_format(arena, "/g/%.*s/moderation", TEXT_ARGS(group)),
		    number, reader) };
}

#include "search/tags.h"

#include "base/arena.h"
#include "base/buffer.h"

int
tags_level(int64_t points)
{
	int level = 0;

	for (; points > 0 && level < TAGS_LEVEL_MAX; points /= 2)
		level++;
	return level;
}

/* The host and those above it that have a dot. */
static void
add_hosts(struct buffer *tags, struct text host)
{
	struct text label;

	while (text_find(host, 0, TEXT(".")) != SIZE_MAX) {
		buffer_add(tags, TEXT(" d:"));
		buffer_add(tags, host);
		text_cut(&host, '.', &label);
	}
}

struct text
tags_of(struct arena *arena, const struct search_post *post)
{
	struct buffer tags = buffer_in(arena, 128);
	struct text groups = post->groups, group;

	buffer_add(&tags, TEXT("\1p:"));
	buffer_add_number(&tags, tags_level(post->points));
	buffer_add(&tags, TEXT(" a:"));
	buffer_add_number(&tags, (int64_t)post->author);
	if (post->id.comment > 0)
		buffer_add(&tags, TEXT(" k:comment"));
	else
		buffer_add(&tags,
		    post->host.size > 0 ? TEXT(" k:link") : TEXT(" k:text"));
	while (text_next_word(&groups, &group)) {
		buffer_add(&tags, TEXT(" g:"));
		buffer_add(&tags, group);
	}
	add_hosts(&tags, post->host);
	if (post->link.size > 0) {
		buffer_add(&tags, TEXT(" l:"));
		buffer_add(&tags, post->link);
	}
	return buffer_text(&tags);
}

struct text
tags_none(struct text text)
{
	while (text.size > 0 && text.data[0] == '\1')
		text = text_slice(text, 1, text.size);
	return text.size > 0 ? text : TEXT("");
}

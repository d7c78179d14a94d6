#include "pages/markdown.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/cache.h"
#include "markup/markup.h"

/* Renders in an arena of its own: that takes far more memory than the HTML. */
struct markdown_html
markdown_render(struct arena *arena, const struct markdown *text,
    const struct hosts *blocked)
{
	struct arena scratch = { 0 };
	struct markup_names known = mentions_new(&scratch);
	const struct markup_rendering rendering = {
		.known = &known, .blocked = blocked, .max = text->max
	};
	struct markdown_html html = { .is_cut = false };
	struct text names = text->names, word;

	while (text_next_word(&names, &word))
		if (text_starts(word, TEXT("@")))
			mentions_add_member(
			    &scratch, &known, text_slice(word, 1, word.size));
		else
			mentions_add_group(
			    &scratch, &known, text_slice(word, 3, word.size));
	html.text = text_copy(arena,
	    markup_html(&scratch, text->source, &rendering, &html.is_cut));
	arena_free(&scratch);
	return html;
}

/* Neither names nor text contain a zero byte, which separates them. */
struct text
markdown_key(struct arena *arena, const struct markdown *text,
    const struct settings_snapshot *settings)
{
	const uint64_t parts[] = { settings->epoch, settings->version,
		text->max };
	struct buffer key =
	    buffer_in(arena, text->source.size + text->names.size + 40);

	buffer_add_varints(&key, parts, sizeof(parts) / sizeof(parts[0]));
	buffer_add(&key, text->names);
	buffer_add_char(&key, '\0');
	buffer_add(&key, text->source);
	return buffer_text(&key);
}

/* A cached value begins with '+' when it is cut off, else with '='. */
bool
markdown_get(struct arena *arena, struct cache *cache, struct text key,
    struct markdown_html *html)
{
	struct text cached;

	if (!cache_get(cache, arena, key, &cached))
		return false;
	*html = (struct markdown_html){ text_slice(cached, 1, cached.size),
		cached.data[0] == '+' };
	return true;
}

void
markdown_put(struct arena *arena, struct cache *cache, struct text key,
    const struct markdown_html *html)
{
	cache_put(cache, key,
	    text_join(arena, html->is_cut ? TEXT("+") : TEXT("="), html->text));
}

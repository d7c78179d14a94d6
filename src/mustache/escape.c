#include "mustache/escape.h"

#include "base/buffer.h"

static const struct text references[256] = {
	['&'] = TEXT_INIT("&amp;"),
	['<'] = TEXT_INIT("&lt;"),
	['>'] = TEXT_INIT("&gt;"),
	['"'] = TEXT_INIT("&quot;"),
	['\''] = TEXT_INIT("&#39;"),
};

/* One byte for each, so that the loop over plain text stays in the cache. */
static const bool is_special[256] = {
	['&'] = true,
	['<'] = true,
	['>'] = true,
	['"'] = true,
	['\''] = true,
};

void
mustache_escape(struct buffer *out, struct text text)
{
	size_t start = 0;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (!is_special[c])
			continue;
		buffer_add(out, (struct text){ text.data + start, i - start });
		buffer_add(out, references[c]);
		start = i + 1;
	}
	buffer_add(out, text_slice(text, start, text.size));
}

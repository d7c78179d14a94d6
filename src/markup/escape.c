#include "markup/escape.h"

#include "base/buffer.h"

void
escape_html(struct buffer *out, struct text text)
{
	static const struct text references[] = { ['&'] = TEXT_INIT("&amp;"),
		['<'] = TEXT_INIT("&lt;"),
		['>'] = TEXT_INIT("&gt;"),
		['"'] = TEXT_INIT("&quot;") };
	size_t start = 0;

	for (size_t i = 0; i < text.size; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if (c >= sizeof(references) / sizeof(references[0]) ||
		    references[c].size == 0)
			continue;
		buffer_add(out, text_slice(text, start, i - start));
		buffer_add(out, references[c]);
		start = i + 1;
	}
	buffer_add(out, text_slice(text, start, text.size));
}

#include "rendering.h"

struct text
html_of_text(
    struct arena *arena, struct text source, const struct markup_names *names)
{
	const struct markup_rendering rendering = { .known = names,
		.max = SIZE_MAX };
	bool is_cut;
	struct text html = markup_html(arena, source, &rendering, &is_cut);

	assert_false(is_cut);
	return html;
}

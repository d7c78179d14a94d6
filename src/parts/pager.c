#include "parts/pager.h"

#include <string.h>

#define SHOWN(member) MUSTACHE_PLAIN(struct pager_model, member)
const struct mustache_type pager_type = VIEW_TYPE(struct pager_model,
    SHOWN(previous), SHOWN(next), SHOWN(number), SHOWN(paged));

#define END(member) MUSTACHE_PLAIN(struct pager_end, member)
const struct mustache_type pager_end_type =
    VIEW_TYPE(struct pager_end, END(href), END(number));

struct text
pager_href(struct arena *arena, struct text base, uint64_t number)
{
	bool has_query = memchr(base.data, '?', base.size) != NULL;
	struct text page = has_query ? TEXT("&page=") : TEXT("?page=");

	return number == 1 ? base
			   : text_join(arena, text_join(arena, base, page),
				 text_number(arena, (int64_t)number));
}

struct pager_model
pager_model_of(
    struct arena *arena, struct text base, uint64_t number, bool more)
{
	struct pager_model model = { .number = (int64_t)number,
		.paged = number > 1 || more };

	if (number > 1)
		model.previous = pager_href(arena, base, number - 1);
	if (more)
		model.next = pager_href(arena, base, number + 1);
	return model;
}

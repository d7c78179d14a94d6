#include "views/pager.h"

#include <string.h>

static struct text
add_number_to_query(
    struct arena *arena, struct text href, const char *name, uint64_t number)
{
	bool has_query = memchr(href.data, '?', href.size) != NULL;

	return number == 1
	    ? href
	    : text_format(arena, "%.*s%c%s=%llu", TEXT_ARGS(href),
		  has_query ? '&' : '?', name, (unsigned long long)number);
}

struct text
pager_href(struct arena *arena, struct text base, uint64_t number)
{
	return add_number_to_query(arena, base, "page", number);
}

struct text
pager_part_href(
    struct arena *arena, struct text base, uint64_t number, uint64_t from)
{
	return add_number_to_query(
	    arena, pager_href(arena, base, number), "from", from);
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

/* Where the part before this one began is not known: so back it goes to the beginning of
 * the page. */
struct pager_model
pager_part_model_of(
    struct arena *arena, struct text base, const struct pager_part *part)
{
	struct pager_model model =
	    pager_model_of(arena, base, part->number, part->more);

	if (part->next != 0)
		model.next =
		    pager_part_href(arena, base, part->number, part->next);
	if (part->from > 1)
		model.previous = pager_href(arena, base, part->number);
	model.is_part = part->from > 1;
	model.paged = model.paged || model.is_part || part->next != 0;
	return model;
}

#include "pages/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct piece {
	char *bytes; /* what it was made from, and the HTML behind it */
	size_t made_from, html;
};

struct shelf {
	size_t places;
	struct piece pieces[];
};

struct shelf *
shelf_new(size_t places)
{
	struct shelf *shelf =
	    calloc(1, sizeof(*shelf) + places * sizeof(struct piece));

	if (shelf == NULL)
		log_fatal("out of memory: no shelf");
	shelf->places = places;
	return shelf;
}

bool
shelf_find(const struct shelf *shelf, struct arena *arena,
    struct text made_from, struct text *html)
{
	const struct piece *piece;

	if (shelf == NULL)
		return false;
	piece = &shelf->pieces[text_hash(made_from) % shelf->places];
	if (piece->bytes == NULL ||
	    !text_equal((struct text){ piece->bytes, piece->made_from },
		made_from))
		return false;
	*html = text_copy(arena,
	    (struct text){ piece->bytes + piece->made_from, piece->html });
	return true;
}

void
shelf_keep(
    struct shelf *shelf, struct text made_from, struct text html)
{
	struct piece *piece;
	char *bytes;

	if (shelf == NULL)
		return;
	bytes = malloc(made_from.size + html.size);
	if (bytes == NULL)
		return;
	piece = &shelf->pieces[text_hash(made_from) % shelf->places];
	memcpy(bytes, made_from.data, made_from.size);
	memcpy(bytes + made_from.size, html.data, html.size);
	free(piece->bytes);
	*piece = (struct piece){ bytes, made_from.size, html.size };
}

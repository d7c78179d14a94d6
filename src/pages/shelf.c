#include "pages/shelf.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

struct piece {
	char *bytes; /* what it was made from, and the HTML behind it */
	size_t made_from, html;
};

/* A piece may stand in any of the ways of its set, the last made first. */
enum { WAYS = 4 };

struct shelf {
	size_t sets;
	struct piece pieces[][WAYS];
};

struct shelf *
shelf_new(size_t places)
{
	size_t sets = (places + WAYS - 1) / WAYS;
	struct shelf *shelf =
	    calloc(1, sizeof(*shelf) + sets * sizeof(shelf->pieces[0]));

	if (shelf == NULL)
		log_fatal("out of memory: no shelf");
	shelf->sets = sets;
	return shelf;
}

void
shelf_clear(struct shelf *shelf)
{
	if (shelf == NULL)
		return;
	for (size_t set = 0; set < shelf->sets; set++)
		for (size_t way = 0; way < WAYS; way++)
			free(shelf->pieces[set][way].bytes);
	memset(shelf->pieces, 0, shelf->sets * sizeof(shelf->pieces[0]));
}

bool
shelf_find(const struct shelf *shelf, struct arena *arena,
    struct text made_from, struct text *html)
{
	const struct piece *set;

	if (shelf == NULL)
		return false;
	set = shelf->pieces[text_hash(made_from) % shelf->sets];
	for (size_t way = 0; way < WAYS && set[way].bytes != NULL; way++) {
		const struct piece *piece = &set[way];

		if (!text_equal((struct text){ piece->bytes, piece->made_from },
			made_from))
			continue;
		*html = text_copy(arena,
		    (struct text){
			piece->bytes + piece->made_from, piece->html });
		return true;
	}
	return false;
}

void
shelf_keep(struct shelf *shelf, struct text made_from, struct text html)
{
	struct piece *set;
	char *bytes;

	if (shelf == NULL)
		return;
	bytes = malloc(made_from.size + html.size);
	if (bytes == NULL)
		return;
	memcpy(bytes, made_from.data, made_from.size);
	memcpy(bytes + made_from.size, html.data, html.size);
	set = shelf->pieces[text_hash(made_from) % shelf->sets];
	free(set[WAYS - 1].bytes);
	memmove(&set[1], &set[0], (WAYS - 1) * sizeof(*set));
	set[0].bytes = bytes;
	set[0].made_from = made_from.size;
	set[0].html = html.size;
}

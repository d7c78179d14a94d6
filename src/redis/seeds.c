#include "redis/seeds.h"

#include "base/arena.h"

/* Takes a word off the beginning, if it is there. */
static bool
take(struct text *text, struct text word)
{
	if (!text_starts(*text, word))
		return false;
	*text = text_slice(*text, word.size, text->size);
	return true;
}

static bool
parse_list(struct text list, struct endpoint *seeds)
{
	struct text one;

	while (text_cut(&list, ',', &one)) {
		struct address *address = &seeds->addresses[seeds->count];

		if (seeds->count == ENDPOINT_MAX ||
		    !address_parse(one, address))
			return false;
		/* A socket has no name by which nodes could speak of it. */
		if (address->path.size > 0 &&
		    (seeds->tls || seeds->kind != ENDPOINT_STANDALONE))
			return false;
		seeds->count++;
	}
	return seeds->count > 0 &&
	    (seeds->kind != ENDPOINT_STANDALONE || seeds->count == 1);
}

bool
endpoint_parse(struct arena *arena, struct text text, struct endpoint *seeds)
{
	*seeds = (struct endpoint){ .addresses = arena_new(
					arena, struct address, ENDPOINT_MAX) };
	seeds->tls = take(&text, TEXT("tls:"));
	if (take(&text, TEXT("cluster:"))) {
		seeds->kind = ENDPOINT_CLUSTER;
	} else if (take(&text, TEXT("sentinel:"))) {
		seeds->kind = ENDPOINT_SENTINELS;
		if (!text_cut(&text, '@', &seeds->master) ||
		    seeds->master.size == 0 || text.data == NULL)
			return false;
	}
	return parse_list(text, seeds);
}

bool
endpoint_resolve(struct arena *arena, struct endpoint *seeds)
{
	size_t kept = 0;

	for (size_t i = 0; i < seeds->count; i++)
		if (address_resolve(arena, &seeds->addresses[i]))
			seeds->addresses[kept++] = seeds->addresses[i];
	seeds->count = kept;
	return kept > 0;
}

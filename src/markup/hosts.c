#include "markup/hosts.h"

#include "base/arena.h"
#include "base/url.h"

struct hosts {
	size_t mask;	    /* of places: a power of two, less one */
	struct text *names; /* empty where there is none */
};

/* FNV-1a from the end, as text_hash has it from the beginning. */
static uint32_t
hash_more(uint32_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 16777619;
}

static const uint32_t hash_start = 0x811c9dc5;

static uint32_t
hash_of(struct text name)
{
	uint32_t hash = hash_start;

	for (size_t i = name.size; i > 0; i--)
		hash = hash_more(hash, name.data[i - 1]);
	return hash;
}

/* The place of a name, or a free one for it. */
static struct text *
find(const struct hosts *hosts, struct text name, uint32_t hash)
{
	size_t place = hash & hosts->mask;

	while (hosts->names[place].size > 0 &&
	    !text_equal(hosts->names[place], name))
		place = (place + 1) & hosts->mask;
	return &hosts->names[place];
}

static size_t
count_words(struct text words)
{
	struct text word;
	size_t count = 0;

	while (text_next_word(&words, &word))
		count++;
	return count;
}

const struct hosts *
hosts_new(struct arena *arena, struct text words)
{
	struct hosts *hosts = arena_new(arena, struct hosts, 1);
	size_t count = count_words(words), room = 2;
	struct text word;

	while (room < 2 * count)
		room *= 2;
	hosts->mask = room - 1;
	hosts->names = arena_new(arena, struct text, room);
	while (text_next_word(&words, &word))
		*find(hosts, word, hash_of(word)) = word;
	return hosts;
}

/* Of "a.b.example" also "b.example" and "example". */
bool
hosts_contain(struct arena *arena, const struct hosts *hosts, struct text link,
    struct text *host)
{
	uint32_t hash = hash_start;
	struct text name;

	if (hosts == NULL)
		return false;
	*host = name = url_host_name(arena, link);
	for (size_t i = name.size; i > 0; i--) {
		hash = hash_more(hash, name.data[i - 1]);
		if ((i == 1 || name.data[i - 2] == '.') &&
		    find(hosts, text_slice(name, i - 1, name.size), hash)
			    ->size > 0)
			return true;
	}
	return false;
}

#include "markup/hosts.h"

#include "base/arena.h"
#include "base/url.h"

struct hosts {
	size_t mask; /* the number of entries, a power of two, less one */
	struct text *names; /* an empty text in free entries */
};

/* FNV-1a, as text_hash, but of the bytes from the last to the first. */
static uint32_t
hash_add(uint32_t hash, char c)
{
	return (hash ^ (unsigned char)c) * 16777619;
}

static const uint32_t hash_start = 0x811c9dc5;

static uint32_t
hash_name(struct text name)
{
	uint32_t hash = hash_start;

	for (size_t i = name.size; i > 0; i--)
		hash = hash_add(hash, name.data[i - 1]);
	return hash;
}

/* The entry of a name, or a free one for it. */
static struct text *
find_entry(const struct hosts *hosts, struct text name, uint32_t hash)
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
		*find_entry(hosts, word, hash_name(word)) = word;
	return hosts;
}

/* Looks up "example", "b.example" and "a.b.example". */
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
		hash = hash_add(hash, name.data[i - 1]);
		if ((i == 1 || name.data[i - 2] == '.') &&
		    find_entry(hosts, text_slice(name, i - 1, name.size), hash)
			    ->size > 0)
			return true;
	}
	return false;
}

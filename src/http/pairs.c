#include "http/pairs.h"

#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"

/* Decodes '+' and percent escapes; false for an invalid escape or UTF-8. */
static bool
decode_form(struct arena *arena, struct text *text)
{
	char *data = arena_bytes(arena, text->size);
	size_t size = 0;

	for (size_t i = 0; i < text->size; i++) {
		char c = text->data[i];

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			int high, low;

			if (text->size - i < 3)
				return false;
			high = text_hex_digit(text->data[i + 1]);
			low = text_hex_digit(text->data[i + 2]);
			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		}
		data[size++] = c;
	}
	*text = (struct text){ data, size };
	return utf8_valid(*text);
}

enum pairs_result
pairs_parse(struct arena *arena, struct text encoded, struct pairs *pairs)
{
	/* A pair takes at least two bytes, with its '&'. */
	size_t room = encoded.size / 2 + 1;
	struct text part;

	if (room > PAIRS_MAX)
		room = PAIRS_MAX;
	*pairs = (struct pairs){ arena_new(arena, struct pair, room), 0 };
	while (text_cut(&encoded, '&', &part)) {
		struct pair pair = { { NULL, 0 }, { NULL, 0 } };

		if (part.size == 0)
			continue;
		text_cut(&part, '=', &pair.name);
		pair.value = part;
		if (!decode_form(arena, &pair.name) ||
		    !decode_form(arena, &pair.value))
			return PAIRS_MALFORMED;
		if (pairs_has(pairs, pair.name))
			return PAIRS_REPEATED;
		if (pairs->count == PAIRS_MAX)
			return PAIRS_TOO_MANY;
		pairs->items[pairs->count++] = pair;
	}
	return PAIRS_VALID;
}

static const struct pair *
find_pair(const struct pairs *pairs, struct text name)
{
	for (size_t i = 0; i < pairs->count; i++)
		if (text_equal(pairs->items[i].name, name))
			return &pairs->items[i];
	return NULL;
}

struct text
pairs_get(const struct pairs *pairs, struct text name)
{
	const struct pair *pair = find_pair(pairs, name);

	return pair == NULL ? (struct text){ NULL, 0 } : pair->value;
}

bool
pairs_has(const struct pairs *pairs, struct text name)
{
	return find_pair(pairs, name) != NULL;
}

bool
pairs_parse_id(struct text value, uint64_t *id)
{
	return value.size > 0 && value.size <= 12 && value.data[0] != '0' &&
	    text_to_u64(value, id);
}

bool
pairs_get_id(const struct pairs *pairs, struct text name, uint64_t *id)
{
	return pairs_parse_id(pairs_get(pairs, name), id);
}

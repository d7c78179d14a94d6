#include "views/language.h"

#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"

struct text
language_text(struct text english)
{
	return english;
}

struct text
language_plural(struct text one, struct text many, int64_t number)
{
	return number == 1 ? one : many;
}

/* The value of a name; false when it has none. */
static bool
find_value(struct text name, const struct language_value *values, size_t count,
    struct text *value)
{
	for (size_t i = 0; i < count; i++)
		if (text_equal(name, text_of(values[i].name))) {
			*value = values[i].value;
			return true;
		}
	return false;
}

struct text
language_fill(struct arena *arena, struct text sentence,
    const struct language_value *values, size_t count)
{
	struct buffer out = buffer_in(arena, 2 * sentence.size + 64);
	struct text rest = sentence, part, name, value, after;

	while (text_cut(&rest, '{', &part)) {
		buffer_add(&out, part);
		after = rest;
		if (!text_cut(&after, '}', &name))
			break;
		if (find_value(name, values, count, &value)) {
			buffer_add(&out, value);
			rest = after;
		} else {
			buffer_add_char(&out, '{');
		}
	}
	return buffer_text(&out);
}

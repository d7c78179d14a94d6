#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"

struct text
text_of(const char *string)
{
	return (struct text){ string, string == NULL ? 0 : strlen(string) };
}

bool
text_equal(struct text a, struct text b)
{
	return a.size == b.size &&
	    (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

int
text_compare(struct text a, struct text b)
{
	size_t shorter = a.size < b.size ? a.size : b.size;
	int order = shorter == 0 ? 0 : memcmp(a.data, b.data, shorter);

	return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

uint32_t
text_hash(struct text text)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
	return hash;
}

bool
text_starts(struct text text, struct text start)
{
	return text.size >= start.size &&
	    text_equal(text_slice(text, 0, start.size), start);
}

bool
text_index(
    struct text text, const struct text *words, size_t count, size_t *index)
{
	*index = 0;
	while (*index < count && !text_equal(text, words[*index]))
		++*index;
	return *index < count;
}

struct text
text_slice(struct text text, size_t start, size_t size)
{
	if (start > text.size)
		start = text.size;
	if (size > text.size - start)
		size = text.size - start;
	if (text.data == NULL)
		return text;
	return (struct text){ text.data + start, size };
}

size_t
text_find(struct text text, size_t start, struct text wanted)
{
	struct text rest = text_slice(text, start, text.size);
	const char *found = rest.size < wanted.size
	    ? NULL
	    : memmem(rest.data, rest.size, wanted.data, wanted.size);

	return found == NULL ? SIZE_MAX : (size_t)(found - text.data);
}

bool
text_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char
lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

int
text_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct text
text_trim(struct text text)
{
	while (text.size > 0 && text_is_space(text.data[0]))
		text = text_slice(text, 1, text.size);
	while (text.size > 0 && text_is_space(text.data[text.size - 1]))
		text.size--;
	return text;
}

bool
text_cut(struct text *rest, char c, struct text *part)
{
	const char *found;

	if (rest->data == NULL)
		return false;
	*part = *rest;
	found = memchr(rest->data, c, rest->size);
	if (found == NULL) {
		*rest = (struct text){ NULL, 0 };
		return true;
	}
	part->size = (size_t)(found - rest->data);
	*rest = text_slice(*rest, part->size + 1, rest->size);
	return true;
}

bool
text_next_word(struct text *rest, struct text *word)
{
	size_t size = 0;

	*rest = text_trim(*rest);
	while (size < rest->size && !text_is_space(rest->data[size]))
		size++;
	*word = text_slice(*rest, 0, size);
	*rest = text_slice(*rest, size, rest->size);
	return size > 0;
}

bool
text_has_word(struct text words, struct text wanted)
{
	struct text word;

	while (text_next_word(&words, &word))
		if (text_equal(word, wanted))
			return true;
	return false;
}

bool
text_to_u64(struct text text, uint64_t *number)
{
	uint64_t value = 0;

	if (text.size == 0)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] < '0' || text.data[i] > '9' ||
		    __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, text.data[i] - '0', &value))
			return false;
	}
	*number = value;
	return true;
}

bool
text_to_i64(struct text text, int64_t *number)
{
	bool negative = text.size > 0 && text.data[0] == '-';
	uint64_t value;

	if (!text_to_u64(text_slice(text, negative, text.size), &value) ||
	    value > INT64_MAX)
		return false;
	*number = negative ? -(int64_t)value : (int64_t)value;
	return true;
}

struct text
text_copy(struct arena *arena, struct text text)
{
	return text_join(arena, text, (struct text){ NULL, 0 });
}

struct text
text_lower(struct arena *arena, struct text text)
{
	char *data = arena_bytes(arena, text.size);

	for (size_t i = 0; i < text.size; i++)
		data[i] = lower(text.data[i]);
	return (struct text){ data, text.size };
}

struct text
text_join(struct arena *arena, struct text a, struct text b)
{
	char *data = arena_bytes(arena, a.size + b.size);

	if (a.size > 0)
		memcpy(data, a.data, a.size);
	if (b.size > 0)
		memcpy(data + a.size, b.data, b.size);
	return (struct text){ data, a.size + b.size };
}

struct text
text_add_word(struct arena *arena, struct text words, struct text word)
{
	return words.size == 0
	    ? word
	    : text_join(arena, text_join(arena, words, TEXT(" ")), word);
}

size_t
text_digits(int64_t number, char digits[TEXT_DIGITS])
{
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	size_t start = number < 0 ? 1 : 0, size = start + 1;

	for (uint64_t higher = rest / 10; higher > 0; higher /= 10)
		size++;
	digits[0] = '-';
	for (size_t end = size; end > start; end--) {
		digits[end - 1] = (char)('0' + rest % 10);
		rest /= 10;
	}
	return size;
}

struct text
text_number(struct arena *arena, int64_t number)
{
	char *digits = arena_bytes(arena, TEXT_DIGITS);

	return (struct text){ digits, text_digits(number, digits) };
}

struct text
text_format(struct arena *arena, const char *format, ...)
{
	char small[256], *data;
	va_list values;
	int size;

	va_start(values, format);
	size = vsnprintf(small, sizeof(small), format, values);
	va_end(values);
	if (size < 0)
		log_fatal("a text could not be formatted: %s", format);
	if ((size_t)size < sizeof(small))
		return text_copy(arena, (struct text){ small, (size_t)size });
	data = arena_bytes(arena, (size_t)size + 1);
	va_start(values, format);
	vsnprintf(data, (size_t)size + 1, format, values);
	va_end(values);
	return (struct text){ data, (size_t)size };
}

void
text_wipe(struct text text)
{
	/* A text in an arena may be written to, unlike a literal. */
	if (text.size > 0)
		explicit_bzero((char *)text.data, text.size);
}

char *
text_string(struct arena *arena, struct text text)
{
	return (char *)text_join(arena, text, TEXT("\0")).data;
}

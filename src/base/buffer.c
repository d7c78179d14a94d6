#include "base/buffer.h"

#include <string.h>

#include "base/arena.h"

struct buffer
buffer_in(struct arena *arena, size_t capacity)
{
	return (struct buffer){ .arena = arena,
		.data = arena_bytes(arena, capacity),
		.capacity = capacity };
}

static void
grow_buffer(struct buffer *buffer, size_t size)
{
	size_t capacity = (buffer->size + size) * 2;
	char *data = arena_bytes(buffer->arena, capacity);

	memcpy(data, buffer->data, buffer->size);
	buffer->data = data;
	buffer->capacity = capacity;
}

char *
buffer_reserve(struct buffer *buffer, size_t size)
{
	if (buffer->capacity - buffer->size < size)
		grow_buffer(buffer, size);
	return buffer->data + buffer->size;
}

void
buffer_add(struct buffer *buffer, struct text text)
{
	if (text.size == 0)
		return;
	memcpy(buffer_reserve(buffer, text.size), text.data, text.size);
	buffer->size += text.size;
}

void
buffer_add_char(struct buffer *buffer, char c)
{
	*buffer_reserve(buffer, 1) = c;
	buffer->size++;
}

void
buffer_add_number(struct buffer *buffer, int64_t number)
{
	buffer->size +=
	    text_digits(number, buffer_reserve(buffer, TEXT_DIGITS));
}

void
buffer_add_two_digits(struct buffer *buffer, int number)
{
	char *digits = buffer_reserve(buffer, 2);

	digits[0] = (char)('0' + number / 10);
	digits[1] = (char)('0' + number % 10);
	buffer->size += 2;
}

void
buffer_add_varints(struct buffer *buffer, const uint64_t *numbers, size_t count)
{
	/* 64 bits, 7 in each */
	char *bytes = buffer_reserve(buffer, 10 * count);

	for (size_t i = 0; i < count; i++) {
		uint64_t number = numbers[i];

		for (; number > 0x7f; number >>= 7)
			*bytes++ = (char)(0x80 | (number & 0x7f));
		*bytes++ = (char)number;
	}
	buffer->size = (size_t)(bytes - buffer->data);
}

void
buffer_add_sized(struct buffer *buffer, struct text text)
{
	const uint64_t size = text.size;

	buffer_add_varints(buffer, &size, 1);
	buffer_add(buffer, text);
}

struct text
buffer_text(const struct buffer *buffer)
{
	return (struct text){ buffer->data, buffer->size };
}

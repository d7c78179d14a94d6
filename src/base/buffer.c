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

char *
buffer_reserve(struct buffer *buffer, size_t size)
{
	if (buffer->capacity - buffer->size < size) {
		size_t capacity = (buffer->size + size) * 2;
		char *data = arena_bytes(buffer->arena, capacity);

		memcpy(data, buffer->data, buffer->size);
		buffer->data = data;
		buffer->capacity = capacity;
	}
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
	char digits[20];
	size_t start = sizeof(digits);
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	do {
		digits[--start] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		buffer_add_char(buffer, '-');
	buffer_add(buffer,
	    (struct text){ digits + start, sizeof(digits) - start });
}

struct text
buffer_text(const struct buffer *buffer)
{
	return (struct text){ buffer->data, buffer->size };
}

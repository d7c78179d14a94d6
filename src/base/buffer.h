/*
 * A growing array of bytes, in an arena: what a page or a command is written
 * to. Growing doubles and copies; the old bytes stay in the arena until its
 * reset.
 */
#pragma once

#include "base/text.h"

struct buffer {
	struct arena *arena;
	char *data;
	size_t size, capacity;
};

/* An empty buffer with room for capacity bytes. */
struct buffer buffer_in(struct arena *arena, size_t capacity);
void buffer_add(struct buffer *buffer, struct text text);
void buffer_add_char(struct buffer *buffer, char c);
void buffer_add_number(struct buffer *buffer, int64_t number);

/* Numbers, each in as few bytes as it needs, seven bits in each, the lowest first
 * (unsigned LEB128). */
void buffer_add_varints(
    struct buffer *buffer, const uint64_t *numbers, size_t count);

/* Room for size more bytes at the end; the caller adds what it has used to the
 * buffer's size. */
char *buffer_reserve(struct buffer *buffer, size_t size);

/* What has been written so far; valid until the buffer grows. */
struct text buffer_text(const struct buffer *buffer);

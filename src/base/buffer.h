/*
 * A growing array of bytes in an arena, for pages and commands. Growing doubles the
 * capacity and copies; the old bytes stay in the arena until its reset.
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

/* A number from 0 to 99: "07". */
void buffer_add_two_digits(struct buffer *buffer, int number);

/* Appends numbers as unsigned LEB128: 7 bits a byte, the lowest first. */
void buffer_add_varints(
    struct buffer *buffer, const uint64_t *numbers, size_t count);

/* Appends the size of a text as such a number, and the text. */
void buffer_add_sized(struct buffer *buffer, struct text text);

/* Returns room for size more bytes at the end; the caller adds the number of bytes
 * written to the buffer's size. */
char *buffer_reserve(struct buffer *buffer, size_t size);

/* The content; valid until the buffer grows. */
struct text buffer_text(const struct buffer *buffer);

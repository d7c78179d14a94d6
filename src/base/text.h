/*
 * Text: a pointer and a length, passed by value, and never changed in place.
 *
 * A text owns nothing: it points into an arena, a literal or a buffer that
 * outlives it. No terminating zero is promised; text_string makes one. An empty
 * text may have data NULL.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct text {
	const char *data;
	size_t size;
};

/* TEXT("literal"), also in static initializers as TEXT_INIT("literal"). */
#define TEXT_INIT(literal) { "" literal, sizeof(literal) - 1 }
#define TEXT(literal)	   ((struct text)TEXT_INIT(literal))

/* The two arguments that "%.*s" takes. */
#define TEXT_ARGS(text) (int)(text).size, (text).data

struct text text_of(const char *string);
bool text_equal(struct text a, struct text b);

/* Less than, equal to or greater than 0, byte by byte. */
int text_compare(struct text a, struct text b);
/* FNV-1a (Fowler, Noll, Vo), for tables. */
uint32_t text_hash(struct text text);
bool text_starts(struct text text, struct text start);

/* The bytes from start, at most size of them. start may be past the end. */
struct text text_slice(struct text text, size_t start, size_t size);

/* Where a text first occurs in another, from start on; SIZE_MAX: nowhere. */
size_t text_find(struct text text, size_t start, struct text wanted);

/* Which of some words it is, in *index; false when it is none of them. */
bool text_index(
    struct text text, const struct text *words, size_t count, size_t *index);

/* Without ASCII white space at both ends. */
struct text text_trim(struct text text);

/*
 * The part of *rest before the first byte c, which *rest is moved behind; all
 * of *rest, and *rest empty, when c is not in it. False when *rest has no data
 * any more, so that a loop over it ends: "a,,b" gives a, an empty part and b.
 */
bool text_cut(struct text *rest, char c, struct text *part);

/* The next word of *rest between ASCII white space; false at the end. */
bool text_word(struct text *rest, struct text *word);

/* A whole decimal number and nothing beside it: no sign, no space, no
 * overflow. */
bool text_to_u64(struct text text, uint64_t *number);

/* The same with an optional leading '-'. */
bool text_to_i64(struct text text, int64_t *number);

struct text text_copy(struct arena *arena, struct text text);
struct text text_lower(struct arena *arena, struct text text);
struct text text_join(struct arena *arena, struct text a, struct text b);
struct text text_number(struct arena *arena, int64_t number);

/* Writes a number in decimal; returns how many bytes it took. */
enum { TEXT_DIGITS = 20 };
size_t text_digits(int64_t number, char digits[TEXT_DIGITS]);
struct text text_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Overwrites a secret that lies in an arena, where nobody else points to it. */
void text_forget(struct text text);

/* A copy with a terminating zero. */
char *text_string(struct arena *arena, struct text text);

/* ASCII alone, whatever the locale. */
bool text_is_space(char c);

/* The value of a hexadecimal digit, -1 when c is none. */
int text_hex_digit(char c);

#endif

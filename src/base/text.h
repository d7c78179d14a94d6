/*
 * Strings as a pointer and a length, passed by value and immutable.
 *
 * A text owns nothing: it points into an arena, a literal or a buffer that
 * outlives it. It need not end in a zero byte; text_string adds one. An empty
 * text may have data NULL.
 */
#pragma once

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

/* The plural ending of a noun: "1 line", "2 lines". */
#define TEXT_PLURAL(count) ((count) == 1 ? "" : "s")

struct text text_of(const char *string);
bool text_equal(struct text a, struct text b);

/* Less than, equal to or greater than 0, byte by byte. */
int text_compare(struct text a, struct text b);

/* FNV-1a (Fowler, Noll, Vo), for hash tables. */
uint32_t text_hash(struct text text);
bool text_starts(struct text text, struct text start);

/* The bytes from start, at most size of them. start may be past the end. */
struct text text_slice(struct text text, size_t start, size_t size);

/* The offset of the first occurrence at or after start; SIZE_MAX if there is none. */
size_t text_find(struct text text, size_t start, struct text wanted);

/* Finds the index of a text among words; false if it is none of them. */
bool text_index(
    struct text text, const struct text *words, size_t count, size_t *index);

/* Strips ASCII white space from both ends. */
struct text text_trim(struct text text);

/*
 * Splits *rest at the first byte c: *part is the text before it, *rest that after
 * it. Without a c, *part is all of it and *rest has data NULL. False when *rest had data
 * NULL already, which ends a loop:
 * "a,,b" gives a, an empty part and b.
 */
bool text_cut(struct text *rest, char c, struct text *part);

/* Takes the next word, separated by ASCII white space, from *rest; false at the end. */
bool text_next_word(struct text *rest, struct text *word);
bool text_has_word(struct text words, struct text wanted);

/* Reads a decimal number; false when there is anything but digits, or it
 * overflows. */
bool text_to_u64(struct text text, uint64_t *number);

/* The same with an optional leading '-'. */
bool text_to_i64(struct text text, int64_t *number);

struct text text_copy(struct arena *arena, struct text text);
struct text text_lower(struct arena *arena, struct text text);
struct text text_join(struct arena *arena, struct text a, struct text b);

/* Words, and another one behind them. */
struct text text_add_word(
    struct arena *arena, struct text words, struct text word);

struct text text_number(struct arena *arena, int64_t number);

/* Writes a number in decimal; returns how many bytes it took. */
enum { TEXT_DIGITS = 20 };
size_t text_digits(int64_t number, char digits[TEXT_DIGITS]);
struct text text_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Overwrites a secret with zeros; it must be in writable memory. */
void text_wipe(struct text text);

/* A copy with a terminating zero. */
char *text_string(struct arena *arena, struct text text);

/* ASCII white space, whatever the locale. */
bool text_is_space(char c);

/* The value of a hexadecimal digit; -1 when c is not one. */
int text_hex_digit(char c);

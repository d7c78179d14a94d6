/*
 * Names with values: a query, a form, the cookies, the parts of a path.
 */
#pragma once

#include "base/text.h"

struct arena;

struct pair {
	struct text name, value;
};

/* In the order they came; a name stands once. */
struct pairs {
	struct pair *items;
	size_t count;
};

enum pairs_result {
	PAIRS_VALID,
	PAIRS_MALFORMED, /* a broken escape, or no UTF-8 */
	PAIRS_REPEATED,	 /* a name stands twice */
	PAIRS_TOO_MANY	 /* more than 100 */
};

/* Reads application/x-www-form-urlencoded (WHATWG URL, section 5.1), which is
 * also a query's form. */
enum pairs_result pairs_parse(
    struct arena *arena, struct text encoded, struct pairs *pairs);

/* The value, empty when the name is absent. */
struct text pairs_get(const struct pairs *pairs, struct text name);

/* Whether the name is there, even with an empty value. */
bool pairs_has(const struct pairs *pairs, struct text name);

/* The value as an id: a decimal number from 1 to 999,999,999,999 without a
 * leading zero. */
bool pairs_parse_id(struct text value, uint64_t *id);
bool pairs_get_id(const struct pairs *pairs, struct text name, uint64_t *id);

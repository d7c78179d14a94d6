/*
 * Name-value pairs: a query, a form, the variable parts of a path.
 */
#pragma once

#include "base/text.h"

struct arena;

struct pair {
	struct text name, value;
};

/* In order of appearance; names are unique. */
struct pairs {
	struct pair *items;
	size_t count;
};

enum pairs_result {
	PAIRS_VALID,
	PAIRS_MALFORMED, /* an invalid escape or UTF-8 */
	PAIRS_REPEATED,	 /* a repeated name */
	PAIRS_TOO_MANY	 /* more than PAIRS_MAX */
};

/* Of a form, a query, or a form with files: the posts that moderators select on a page of 100, and
 * the form's other fields. */
enum { PAIRS_MAX = 128 };

/* Reads application/x-www-form-urlencoded (WHATWG URL, section 5.1), which is
 * also a query's form. */
enum pairs_result pairs_parse(
    struct arena *arena, struct text encoded, struct pairs *pairs);

/* The value of a name; empty if it is absent. */
struct text pairs_get(const struct pairs *pairs, struct text name);

/* Whether a name is present, even with an empty value. */
bool pairs_has(const struct pairs *pairs, struct text name);

/* Parses a value as an id: a decimal number from 1 to 999,999,999,999 without a
 * leading zero. */
bool pairs_parse_id(struct text value, uint64_t *id);
bool pairs_get_id(const struct pairs *pairs, struct text name, uint64_t *id);
